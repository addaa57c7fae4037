package io.lighthouse.json.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Assignments;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The members of an answer to a batch, in their order. */
class PlacementWriterTest {
  private static final Assignments SOME = found("n1", null);
  private static final Assignments ALL = found("n1", "n2");

  private static Assignments found(String... nodes) {
    return Assignments.of(new String[] {"a", "b"}, nodes, List.of());
  }

  private static String json(
      boolean allOrNothing, boolean explain, Assignments found, String... missing) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      AnswerWriter.write(
          out, json -> PlacementWriter.write(json, allOrNothing, explain, found, List.of(missing)));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aWholeBatchIsSuccessfulOrNot() {
    assertThat(json(true, false, ALL))
        .isEqualTo("{\"successful\":true,\"assignments\":{\"a\":\"n1\",\"b\":\"n2\"}}");
    assertThat(json(true, false, found(null, null)))
        .isEqualTo("{\"successful\":false,\"assignments\":{}}");
  }

  @Test
  void aBatchPlacedInPartNamesItsFailures() {
    assertThat(json(false, false, SOME))
        .isEqualTo("{\"failures\":[\"b\"],\"assignments\":{\"a\":\"n1\"}}");
    assertThat(json(false, false, ALL))
        .isEqualTo("{\"failures\":[],\"assignments\":{\"a\":\"n1\",\"b\":\"n2\"}}");
  }

  @Test
  void reasonsAreThereWhereAskedFor() {
    assertThat(json(false, true, SOME))
        .isEqualTo("{\"failures\":[\"b\"],\"assignments\":{\"a\":\"n1\"},\"refusals\":[]}");
  }

  @Test
  void namesMissingFromTheRubricFailTheBatchAndAreExplained() {
    assertThat(json(true, false, ALL, "cpu")).startsWith("{\"successful\":false,");
    assertThat(json(true, false, ALL, "cpu")).doesNotContain("missing_from_rubric");
    assertThat(json(true, true, ALL, "cpu"))
        .endsWith(",\"refusals\":[],\"missing_from_rubric\":[\"cpu\"]}");
  }
}

package io.lighthouse.json.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Condition;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.json.Problem;
import io.lighthouse.json.ProblemFormatException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordDocumentTest {
  /** A service may let in more levels and longer names than are the rule. */
  @Test
  void readsWhateverARecordMayHold() throws IOException {
    String longest = "w".repeat(100_000);
    Condition deep = new Condition.Nowhere("zone");
    for (int i = 0; i < 330; i++) {
      deep = new Condition.Any(List.of(List.of(deep)));
    }
    Workload workload = Workload.of(longest, Resources.none()).withTerms(Terms.NONE.where(deep));
    Problem problem = Problem.of(List.of(Node.of("n", Resources.none())), List.of(workload));
    DecisionRecord written =
        new DecisionRecord(
            Map.of("java", "17"),
            true,
            problem,
            Assignments.of(new String[] {longest}, new String[] {"n"}, List.of()));
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    written.write(text);

    RecordDocument read = RecordDocument.read(new ByteArrayInputStream(text.toByteArray()));

    assertThat(read.alterations()).isEmpty();
    assertThat(read.record().problem()).isEqualTo(problem);
    assertThat(DecisionRecord.hashIn(text.toByteArray())).contains(written.hash());
  }

  @Test
  void aNodeAndADigestAreTextsInQuotes() throws IOException {
    Problem problem =
        Problem.of(
            List.of(Node.of("inf", Resources.none())), List.of(Workload.of("w", Resources.none())));
    DecisionRecord written =
        new DecisionRecord(
            Map.of("java", "17"),
            true,
            problem,
            Assignments.of(new String[] {"w"}, new String[] {"inf"}, List.of()));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    written.write(out);
    String text = out.toString(StandardCharsets.UTF_8);

    assertThat(read(text).alterations()).isEmpty();
    String bareNode = text.replaceFirst("\"w\":\\s*\"inf\"", "\"w\":inf");
    assertThat(bareNode).isNotEqualTo(text);
    assertThatThrownBy(() -> read(bareNode))
        .isInstanceOf(ProblemFormatException.class)
        .hasMessageContaining("inf; allowed: the name of a node, or null");
    String bareDigest = text.replaceFirst("\"lines\":\\s*\\[", "\"lines\":[-inf,");
    assertThat(bareDigest).isNotEqualTo(text);
    assertThatThrownBy(() -> read(bareDigest))
        .isInstanceOf(ProblemFormatException.class)
        .hasMessageContaining("-inf; allowed: eight hexadecimal digits");
  }

  @Test
  void saysHowManyDigestsThereAreForHowManyLines() throws IOException {
    DecisionRecord written =
        new DecisionRecord(
            Map.of("java", "17"),
            true,
            Problem.of(List.of(Node.of("n", Resources.none())), List.of()),
            Assignments.of(new String[0], new String[0], List.of()));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    written.write(out);
    String text = out.toString(StandardCharsets.UTF_8);
    String fewer = text.replaceFirst("\"lines\":\\s*\\[[^]]*]", "\"lines\":[\"00000000\"]");
    String more = text.replaceFirst("\"lines\":\\s*\\[", "\"lines\":[\"00000000\",");
    int lines = written.canonical().lines().size() + 1; // And the line of what made it.

    assertThat(read(fewer).alterations()).contains("1 digest for " + lines + " lines");
    assertThat(read(more).alterations()).contains(lines + 1 + " digests for " + lines + " lines");
  }

  private static RecordDocument read(String text) throws IOException {
    return RecordDocument.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }
}

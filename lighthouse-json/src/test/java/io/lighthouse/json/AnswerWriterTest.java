package io.lighthouse.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class AnswerWriterTest {
  private static final NodeVerdict FULL =
      new NodeVerdict(
          "n1",
          false,
          List.of(
              new Reason.Cordoned(),
              new Reason.Short("cpu", number("0.5"), number("2"), number("1.5")),
              new Reason.Missing("gpu", number("0")),
              new Reason.Negative(
                  "spiders", Quantity.NEGATIVE_INFINITY, Quantity.ZERO, Quantity.INFINITY),
              new Reason.Negative("flies", number("-3"), number("-1"), number("2"))));

  private static final Refusal REFUSAL =
      new Refusal(
          "w2",
          3,
          List.of(
              new ReasonCount(Reason.Kind.CORDONED, "", 1),
              new ReasonCount(Reason.Kind.SHORT, "cpu", 2)),
          List.of(FULL));

  private static Quantity number(String text) {
    return Quantity.of(text);
  }

  private static String written(Consumer<AnswerWriter> members) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    AnswerWriter.write(out, members);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void writesMembersInTheOrderOfTheCalls() throws IOException {
    assertThat(
            written(
                answer ->
                    answer
                        .member("text", "\u00e9\"")
                        .member("none", (String) null)
                        .member("count", 3)
                        .member("flag", true)
                        .member("tenth", Quantity.of("0.1"))
                        .member("ward", Quantity.NEGATIVE_INFINITY)
                        .member("left", Resources.of("b", 1, "a", "inf"))
                        .names("list", List.of("y", "x"))
                        .object("inside", inside -> inside.member("more", 1))
                        .objects("each", List.of(1, 2), (inside, i) -> inside.member("i", i))))
        .isEqualTo(
            "{\"text\":\"\u00e9\\\"\",\"none\":null,\"count\":3,\"flag\":true,\"tenth\":0.1,"
                + "\"ward\":\"-inf\",\"left\":{\"a\":\"inf\",\"b\":1},\"list\":[\"y\",\"x\"],"
                + "\"inside\":{\"more\":1},\"each\":[{\"i\":1},{\"i\":2}]}");
  }

  @Test
  void writesAssignmentsInTheOrderGiven() throws IOException {
    Assignments assignments =
        Assignments.of(new String[] {"w2", "w1", "w3"}, new String[] {"n1", null, "n1"}, List.of());

    assertThat(written(answer -> answer.assignments("all", assignments)))
        .isEqualTo("{\"all\":{\"w2\":\"n1\",\"w1\":null,\"w3\":\"n1\"}}");
    assertThat(written(answer -> answer.placements("placed", assignments)))
        .isEqualTo("{\"placed\":{\"w2\":\"n1\",\"w3\":\"n1\"}}");
  }

  @Test
  void writesRefusalsWithTheirNumbers() throws IOException {
    assertThat(written(answer -> answer.refusals("refusals", List.of(REFUSAL))))
        .isEqualTo(
            "{\"refusals\":[{\"workload\":\"w2\",\"nodes\":3,\"counts\":[{\"reason\":\"cordoned\","
                + "\"nodes\":1},{\"reason\":\"short\",\"resource\":\"cpu\",\"nodes\":2}],"
                + "\"nearest\":[{\"node\":\"n1\",\"reasons\":[{\"reason\":\"cordoned\"},"
                + "{\"reason\":\"short\",\"resource\":\"cpu\",\"left\":0.5,\"required\":2,"
                + "\"lacking\":1.5},{\"reason\":\"missing\",\"resource\":\"gpu\",\"required\":0},"
                + "{\"reason\":\"ward\",\"resource\":\"spiders\",\"left\":\"-inf\",\"required\":0,"
                + "\"lacking\":\"inf\"},{\"reason\":\"shortcoming\",\"resource\":\"flies\","
                + "\"left\":-3,\"required\":-1,\"lacking\":2}]}]}]}");
  }

  @Test
  void writesExplanations() throws IOException {
    Explanation explanation =
        new Explanation(
            "w",
            List.of(
                new NodeVerdict("n2", true, List.of(new Reason.Averse(Set.of("io")))),
                new NodeVerdict("n3", true, List.of()),
                new NodeVerdict("n4", true, List.of(new Reason.Later("n3")))),
            new Refusal("w", 3, List.of(), List.of()));

    assertThat(written(answer -> answer.explanation("why", explanation)))
        .isEqualTo(
            "{\"why\":{\"workload\":\"w\",\"chosen\":\"n3\",\"nodes\":[{\"node\":\"n2\",\"fits\":"
                + "true,\"reasons\":[{\"reason\":\"averse\",\"groups\":[\"io\"]}]},{\"node\":\"n3\","
                + "\"fits\":true,\"reasons\":[]},{\"node\":\"n4\",\"fits\":true,\"reasons\":["
                + "{\"reason\":\"later\",\"chosen\":\"n3\"}]}],\"counts\":[],\"nearest\":[]}}");
  }

  @Test
  void passesOnThatItCannotWrite() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("no space left");
          }
        };

    assertThatThrownBy(() -> AnswerWriter.write(full, answer -> answer.member("a", 1)))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("no space left");
  }
}

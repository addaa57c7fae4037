package io.lighthouse.json.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.GangRefusal;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.quantity.Unit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
              new Reason.Insufficient("cpu", number("0.5"), number("2"), number("1.5")),
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
  void writesTheReasonsOfDomainsAndRules() throws IOException {
    Unit unit = new Unit(number("1"), Quantity.INFINITY, number("0.5"));
    NodeVerdict verdict =
        new NodeVerdict(
            "n",
            false,
            List.of(
                new Reason.OffUnit("cpu", number("0.2"), unit),
                new Reason.NoDomain("pool", -1),
                new Reason.At("rack", "r1", new Reason.Cordoned()),
                new Reason.At("rack", "r1", new Reason.Missing("power", number("2"))),
                new Reason.At(
                    "rack",
                    "r1",
                    new Reason.Insufficient("cool", number("1"), number("3"), number("2"))),
                new Reason.At("rack", "r1", new Reason.OffUnit("rent", number("0.2"), unit)),
                new Reason.At(
                    "zone",
                    "a",
                    new Reason.Negative(
                        "smoke", Quantity.NEGATIVE_INFINITY, Quantity.ZERO, Quantity.INFINITY)),
                new Reason.NotSelected(2),
                new Reason.Crowded("web", "zone", "a", 2, 2, 1, 0, Optional.empty()),
                new Reason.Alone("cache", "zone", "a", 0, 1, 1, 1),
                new Reason.NoDomain("room", 2),
                new Reason.Skewed("web", "zone", "a", 3, 1, 1, 2, 3),
                new Reason.ByRule("near", "too far", 7, Map.of("hops", number("7")), 4),
                new Reason.ByRule("odd", "so", 1, Map.of(), 5),
                new Reason.Crowded("web", "node", "n", 1, 0, 2, -1, Optional.of("v"))));

    assertThat(
            written(
                answer ->
                    answer.explanation(
                        "why",
                        new Explanation(
                            "w",
                            List.of(
                                verdict,
                                new NodeVerdict("m", true, List.of(new Reason.Worse(1, 3, 0))),
                                new NodeVerdict(
                                    "o", true, List.of(new Reason.Worse(0, Long.MAX_VALUE, 1)))),
                            new Refusal("w", 3, List.of(), List.of())))))
        .isEqualTo(
            "{'why':{'workload':'w','chosen':null,'nodes':[{'node':'n','fits':false,'reasons':["
                    .replace('\'', '"')
                + String.join(
                        ",",
                        "{'reason':'unit','resource':'cpu','required':0.2,'min':1,'step':0.5}",
                        "{'reason':'no-domain','level':'pool'}",
                        "{'reason':'cordoned','level':'rack','domain':'r1'}",
                        "{'reason':'missing','resource':'power','required':2,'level':'rack',"
                            + "'domain':'r1'}",
                        "{'reason':'short','resource':'cool','left':1,'required':3,'lacking':2,"
                            + "'level':'rack','domain':'r1'}",
                        "{'reason':'unit','resource':'rent','required':0.2,'min':1,'step':0.5,"
                            + "'level':'rack','domain':'r1'}",
                        "{'reason':'ward','resource':'smoke','left':'-inf','required':0,"
                            + "'lacking':'inf','level':'zone','domain':'a'}",
                        "{'reason':'not-selected','condition':2}",
                        "{'reason':'crowded','group':'web','level':'zone','domain':'a','members':2,"
                            + "'most':2,'excess':1,'rule':0}",
                        "{'reason':'alone','group':'cache','level':'zone','domain':'a',"
                            + "'members':0,'least':1,'excess':1,'rule':1}",
                        "{'reason':'no-domain','level':'room','rule':2}",
                        "{'reason':'skewed','group':'web','level':'zone','domain':'a','members':3,"
                            + "'floor':1,'skew':1,'excess':2,'rule':3}",
                        "{'reason':'rule','name':'near','text':'too far','excess':7,"
                            + "'numbers':{'hops':7},'rule':4}",
                        "{'reason':'rule','name':'odd','text':'so','excess':1,'rule':5}",
                        "{'reason':'crowded','group':'web','level':'node','domain':'n',"
                            + "'members':1,'most':0,'excess':2,'by':'v'}]}",
                        "{'node':'m','fits':true,'reasons':[{'reason':'worse','preference':1,"
                            + "'excess':3,'least':0}]}",
                        "{'node':'o','fits':true,'reasons':[{'reason':'worse','preference':0,"
                            + "'excess':'inf','least':1}]}],'counts':[],'nearest':[]}}")
                    .replace('\'', '"'));
  }

  @Test
  void writesCountsAndGangs() throws IOException {
    List<ReasonCount> counts =
        List.of(
            new ReasonCount(Reason.Kind.SHORT, "rack", "power", 3),
            new ReasonCount(Reason.Kind.NO_DOMAIN, "pool", "", 2),
            new ReasonCount(Reason.Kind.NOT_SELECTED, "", "1", 4),
            new ReasonCount(Reason.Kind.SKEWED, "zone", "web", 5),
            new ReasonCount(Reason.Kind.RULE, "", "near", 6),
            new ReasonCount(Reason.Kind.WORSE, "", "0", 1));
    Refusal anywhere =
        new Refusal(
            "w",
            9,
            counts,
            List.of(),
            Optional.of(new GangRefusal("g", 3, 2, Optional.empty(), -1)));
    Refusal within =
        new Refusal(
            "v",
            9,
            List.of(),
            List.of(),
            Optional.of(new GangRefusal("h", 2, 1, Optional.of("r2"), 4)));
    Refusal nowhere =
        new Refusal(
            "u",
            9,
            List.of(),
            List.of(),
            Optional.of(new GangRefusal("h", 2, 0, Optional.empty(), 0)));

    assertThat(written(answer -> answer.refusals("r", List.of(anywhere, within, nowhere))))
        .isEqualTo(
            ("{'r':[{'workload':'w','nodes':9,'gang':{'gang':'g','members':3,'placed':2},'counts':["
                    + "{'reason':'short','resource':'power','level':'rack','nodes':3},"
                    + "{'reason':'no-domain','level':'pool','nodes':2},"
                    + "{'reason':'not-selected','condition':1,'nodes':4},"
                    + "{'reason':'skewed','group':'web','level':'zone','nodes':5},"
                    + "{'reason':'rule','name':'near','nodes':6},"
                    + "{'reason':'worse','preference':0,'nodes':1}],'nearest':[]},"
                    + "{'workload':'v','nodes':9,'gang':{'gang':'h','members':2,'placed':1,"
                    + "'domain':'r2','tried':4},'counts':[],'nearest':[]},"
                    + "{'workload':'u','nodes':9,'gang':{'gang':'h','members':2,'placed':0,"
                    + "'tried':0},'counts':[],'nearest':[]}]}")
                .replace('\'', '"'));
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

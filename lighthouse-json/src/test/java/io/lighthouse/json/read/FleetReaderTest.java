package io.lighthouse.json.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Change;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Gang;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.json.Fault;
import io.lighthouse.json.Limits;
import io.lighthouse.json.PlacedWorkload;
import io.lighthouse.json.Problem;
import io.lighthouse.json.ProblemFormatException;
import io.lighthouse.json.WantedMoves;
import io.lighthouse.json.WantedPlan;
import io.lighthouse.json.log.Effect;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FleetReaderTest {
  private static final FleetReader READER = new FleetReader(Limits.STANDARD);

  private static InputStream in(String text) {
    return new ByteArrayInputStream(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  /** Reads a text as a call of that name does. */
  private static Object read(String call, String text) throws IOException {
    return switch (call) {
      case "fleet" -> READER.fleet(in(text)).problem();
      case "batch" -> READER.batch(in(text), "explain");
      case "node" -> READER.node(in(text), "n");
      case "workload" -> READER.workload(in(text), "w");
      case "domain" -> READER.domain(in(text), "zone", "a");
      case "names" -> READER.names(in(text), "nodes");
      case "moves" -> READER.moves(in(text));
      case "plan" -> READER.plan(in(text));
      case "flag" -> READER.flag(in(text), "cordoned");
      default -> Effect.read(in(text));
    };
  }

  @Test
  void aFleetNeedsNoWorkloads() throws IOException {
    Problem fleet = READER.fleet(in("{'nodes':[{'id':'n','resources':{'cpu':1}}]}")).problem();
    assertThat(fleet.nodes()).hasSize(1);
    assertThat(READER.fleet(in("{'nodes':[],'workloads':[]}")).problem().workloads()).isEmpty();
  }

  @Test
  void workloadsToPlaceBesideAFleetAreRefusedAtTheirPlace() {
    for (String word : List.of("workloads", "loads")) {
      String text = "{'nodes':[],\n '" + word + "':[{'id':'a','requirements':{}}]}";
      assertThatThrownBy(() -> READER.fleet(in(text)))
          .hasMessage(
              "line 2, column 2: %s is an array of 1;"
                  + " allowed: no workloads; assign them when the fleet is there",
              word);
    }
  }

  @Test
  void aBatchIsWorkloadsAndFlags() throws IOException {
    ProblemDocument batch =
        READER.batch(
            in("{'loads':[{'id':'a','requirements':{},'replicas':2}],'explain':true}"), "explain");
    assertThat(batch.problem().workloads())
        .extracting(Workload::name)
        .containsExactly("a-1", "a-2");
    assertThat(batch.flags()).containsExactly("explain");
  }

  @ParameterizedTest
  @CsvSource({"fleet,an object with nodes", "batch,an object with workloads"})
  void aTextThatIsNoObjectIsAnsweredWithWhatTheCallTakes(String call, String allowed) {
    assertThatThrownBy(() -> read(call, ""))
        .hasMessage("line 1, column 1: the text is empty; allowed: %s", allowed);
    assertThatThrownBy(() -> read(call, "[]"))
        .hasMessage("line 1, column 1: the text is an array; allowed: %s", allowed);
  }

  @Test
  void aPlanIsTheChangesOfItsWavesInOrder() throws IOException {
    String plan =
        "{'goal':{'any':['thing',{}]},'unmet':[],'before':{},'after':7,'bound':null,"
            + "'obstacles':[[]],'generation':7,'waves':[{'changes':["
            + "{'workload':'w','from':'a','to':'b'},{'workload':'new','to':'a'}]},"
            + "{'changes':[]},{'changes':[{'to':'a','workload':'w','from':'b'}]}],"
            + "'workloads':[{'id':'other','requirements':{}},"
            + "{'id':'new','requirements':{'cpu':1}}]}";
    assertThat(READER.plan(in(plan)))
        .isEqualTo(
            new WantedPlan(
                7,
                List.of(
                    new Change.Move("w", "a", "b"),
                    new Change.Assign(Workload.of("new", Resources.of("cpu", 1)), "a"),
                    new Change.Move("w", "b", "a"))));
  }

  @Test
  void aFlagIsOneMember() throws IOException {
    assertThat(READER.flag(in("{'cordoned':true}"), "cordoned")).isTrue();
    assertThat(READER.flag(in("{'cordoned':false}"), "cordoned")).isFalse();
  }

  @Test
  void aNodeHasItsNameFromOutside() throws IOException {
    Node node =
        READER.node(
            in("{'resources':{'cpu':{'total':4,'max':2}},'cordoned':true,'domains':{'zone':'a'}}"),
            "n");
    assertThat(node.name()).isEqualTo("n");
    assertThat(node.cordoned()).isTrue();
    assertThat(node.domains()).containsEntry("zone", "a");
    assertThat(node.units()).containsKey("cpu");
  }

  @Test
  void aNameFromOutsideIsNoLongerThanOneInTheText() throws IOException {
    FleetReader reader = new FleetReader(Limits.STANDARD.withLengths(9, 9));
    String name = "123456789";
    assertThat(reader.node(in("{'resources':{}}"), name).name()).isEqualTo(name);
    assertThat(reader.domain(in("{'resources':{}}"), name, name).level()).isEqualTo(name);
    assertThat(reader.workload(in("{'requirements':{}}"), name).workload().name()).isEqualTo(name);
    String longer = name + "0";
    List<ThrowingCallable> refused =
        List.of(
            () -> reader.node(in("{'resources':{}}"), longer),
            () -> reader.workload(in("{'requirements':{}}"), longer),
            () -> reader.domain(in("{'resources':{}}"), name, longer),
            () -> reader.domain(in("{'resources':{}}"), longer, name));
    for (ThrowingCallable one : refused) {
      assertThatThrownBy(one)
          .isInstanceOfSatisfying(
              ProblemFormatException.class,
              wrong -> assertThat(wrong.faults().get(0).kind()).isEqualTo(Fault.Kind.LIMIT))
          .hasMessageContaining("10 characters long; allowed: at most 9 characters");
    }
  }

  @Test
  void aWorkloadHasItsNameFromOutsideAndMayHaveANode() throws IOException {
    PlacedWorkload wanted =
        READER.workload(in("{'requirements':{'cpu':2},'groups':['g'],'node':'n1'}"), "w");
    assertThat(wanted.workload().name()).isEqualTo("w");
    assertThat(wanted.workload().terms().groups()).containsExactly("g");
    assertThat(wanted.node()).contains("n1");
    assertThat(READER.workload(in("{'requirements':{}}"), "w").node()).isEmpty();
  }

  @Test
  void movesAreReadAsAPlanHasThem() throws IOException {
    WantedMoves moves =
        READER.moves(
            in(
                "{'generation':9,'cordon':['n1'],'stuck':['n3'],"
                    + "'moves':[{'workload':'w','from':'n1','to':'n2'}]}"));
    assertThat(moves.generation()).hasValue(9);
    assertThat(moves.cordon()).containsExactly("n1");
    assertThat(moves.moves()).containsExactly(new Change.Move("w", "n1", "n2"));
    assertThat(READER.moves(in("{'moves':[]}")).generation()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Integer.MAX_VALUE, Integer.MAX_VALUE + 1L, Long.MAX_VALUE})
  void aPlanIsForAnyGeneration(long generation) throws IOException {
    assertThat(READER.plan(in("{'waves':[],'generation':" + generation + "}")).generation())
        .isEqualTo(generation);
    assertThat(READER.moves(in("{'moves':[],'generation':" + generation + "}")).generation())
        .hasValue(generation);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "fleet; {'workloads':[]}; /nodes",
        "fleet; {'nodes':[],'workloads':[{'id':'a','requirements':{}}]}; /workloads",
        "fleet; {'nodes':[],'explain':true}; /explain",
        "batch; {'nodes':[],'workloads':[]}; /nodes",
        "batch; {'strategy':'pack','workloads':[]}; /strategy",
        "batch; {}; /workloads",
        "batch; {'workloads':[],'loads':[]}; /loads",
        "node; {}; /resources",
        "node; {'id':'n','resources':{}}; /id",
        "node; {'resources':{},'workloads':[]}; /workloads",
        "workload; {}; /requirements",
        "workload; {'name':'w','requirements':{}}; /name",
        "workload; {'requirements':{},'replicas':1}; /replicas",
        "workload; {'requirements':{},'node':''}; /node",
        "workload; {'requirements':{},'node':'a','node':'b'}; /node",
        "domain; {}; /resources",
        "domain; {'level':'zone','resources':{}}; /level",
        "domain; {'name':'a','resources':{}}; /name",
        "domain; {'resources':{},'cordoned':1}; /cordoned",
        "domain; {'resources':{'power':'x'}}; /resources/power",
        "names; {}; /nodes",
        "names; {'nodes':[''],'more':1}; /nodes/0",
        "moves; {}; /moves",
        "moves; {'moves':[{'workload':'w','from':'a','to':'b','at':1}]}; /moves/0/at",
        "moves; {'moves':[7]}; /moves/0",
        "moves; {'moves':[],'generation':1.5}; /generation",
        "moves; {'moves':[],'generation':9223372036854775808}; /generation",
        "plan; {'waves':[],'generation':9223372036854775808}; /generation",
        "plan; {'waves':[],'generation':-1}; /generation",
        "plan; {'waves':[]}; /generation",
        "plan; {'generation':1}; /waves",
        "plan; {'generation':1,'waves':[{'changes':[7]}]}; /waves/0/changes/0",
        "plan; {'generation':1,'waves':[{'changes':[{'workload':'w','to':'n'}]}]};"
            + " /waves/0/changes/0/workload",
        "plan; {'generation':1,'waves':[{'changes':[{'workload':'w','from':'n'}]}]};"
            + " /waves/0/changes/0/to",
        "plan; {'generation':1,'waves':[],'nodes':[]}; /nodes",
        "flag; {}; /cordoned",
        "flag; {'cordoned':1}; /cordoned",
        "flag; {'cordoned':true,'resources':{}}; /resources",
        "effects; [{'kind':'k'}]; /0/v",
        "effects; [{'v':2,'kind':'k'}]; /0/v",
        "effects; [{'v':1,'kind':'k','changes':[{'change':'burn'}]}]; /0/changes/0/change",
        "effects; [{'v':1,'kind':'k','changes':[{'change':'move'}]}]; /0/changes/0/workload",
        "effects; [{'v':1,'kind':'k','changes':[{'change':'undeclare'}]}]; /0/changes/0/level",
        "effects; [{'v':1,'kind':'k','changes':[{'change':'declare','declared':7}]}];"
            + " /0/changes/0/declared",
      })
  void whatIsWrongIsSaidWithItsPlace(String call, String text, String pointer) {
    assertThatThrownBy(() -> read(call, text))
        .isInstanceOfSatisfying(
            ProblemFormatException.class,
            wrong -> assertThat(wrong.faults().get(0).place().pointer()).isEqualTo(pointer));
  }

  @ParameterizedTest
  @CsvSource({
    "fleet",
    "batch",
    "node",
    "workload",
    "domain",
    "names",
    "moves",
    "plan",
    "flag",
    "effects"
  })
  void whatIsNoSuchJsonIsRefused(String call) {
    for (String text : List.of("", " ", "x", "7", "null", "{", "{} {}", "[] []", "'a'")) {
      assertThatThrownBy(() -> read(call, text))
          .as("%s: %s", call, text)
          .isInstanceOf(ProblemFormatException.class);
    }
  }

  @Nested
  class Effects {
    private final Workload terms =
        new Workload(
            "w",
            Resources.of("cpu", "0.1234567891"),
            Set.of("mem"),
            Set.of("x"),
            new Terms(
                Map.of(),
                Set.of("g"),
                List.of(),
                List.of(new Rule.Most(2, "g", "zone")),
                List.of(),
                Optional.of(new Gang("shop", Optional.of("zone")))));

    private final Node node =
        Node.of("n", Resources.of("cpu", 4, "tag", "-inf"))
            .in("zone", "a")
            .withWorkloads(Workload.of("v", Resources.of("cpu", 1)))
            .asCordoned();

    private List<Effect> effects() {
      Domain domain =
          new Domain("zone", "a", Resources.of("power", 9, "licences", "inf"), Map.of(), true);
      return List.of(
          Effect.of("created", Problem.of(List.of(node), List.of()).withStrategy("pack")),
          Effect.of("placed", List.of(new Change.Assign(terms, "n"), new Change.Release("v"))),
          Effect.of(
              "moved",
              List.of(
                  new Change.Cordon("n"),
                  new Change.Move("w", "n", "m"),
                  new Change.Uncordon("n"))),
          Effect.of(
              "node-put",
              List.of(
                  new Change.AddNode(node),
                  new Change.Resize("n", Resources.of("cpu", "inf")),
                  new Change.RemoveNode("n"))),
          Effect.of(
              "domain-put",
              List.of(
                  new Change.Declare(domain),
                  new Change.ResizeDomain("zone", "a", Resources.of("power", "7.5")),
                  new Change.CordonDomain("zone", "a", true),
                  new Change.CordonDomain("zone", "a", false),
                  new Change.Undeclare("zone", "a"),
                  new Change.Regroup("w", Set.of("b", "a")),
                  new Change.Regroup("w", Set.of()))),
          Effect.of("deleted", List.of()));
    }

    @Test
    void areReadAsTheyWereWritten() throws IOException {
      List<Effect> effects = effects();
      StringBuilder text = new StringBuilder("[");
      for (Effect effect : effects) {
        String one = new String(effect.toJson(), StandardCharsets.UTF_8);
        assertThat(one).startsWith("{\"v\":1,\"kind\":").doesNotContain("\n");
        text.append(text.length() == 1 ? "" : ",").append(one);
      }
      assertThat(Effect.read(in(text.append(']').toString()))).isEqualTo(effects);
    }

    @Test
    void haveEverySortOfChange() {
      Set<Class<?>> sorts = new HashSet<>(List.of(Change.class.getPermittedSubclasses()));
      effects()
          .forEach(effect -> effect.changes().forEach(change -> sorts.remove(change.getClass())));
      assertThat(sorts).isEmpty();
    }
  }
}

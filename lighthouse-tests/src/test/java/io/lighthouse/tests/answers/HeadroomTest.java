package io.lighthouse.tests.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Headroom;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.quantity.Unit;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Headroom where placed rules bind the shape, the amounts are large, or the order matters. */
class HeadroomTest {
  private static Distributors.Builder fleet(String strategy, List<Node> nodes) {
    return Distributors.of(Distributors.installed().find(strategy)).nodes(nodes);
  }

  private static Distributor fleet(Node... nodes) {
    return fleet("prioritized", List.of(nodes)).build();
  }

  private static Node node(String name, Object... resources) {
    return Node.of(name, Resources.of(resources));
  }

  private static Workload shape(Object... requirements) {
    return Workload.of("s", Resources.of(requirements));
  }

  private static Headroom headroom(Distributor fleet, Workload shape, int copies) {
    return fleet.advisor().headroom(List.of(new Headroom.Part(shape, copies)));
  }

  private static Node holder(String name, Rule rule) {
    return node(name)
        .withWorkloads(
            Workload.of("of-" + name, Resources.none()).withTerms(Terms.NONE.rules(rule)));
  }

  @Example
  void isNotProvenWherePlacedRulesOfTwoLevelsOverlap() {
    Distributor fleet =
        fleet(
            node("a", "cpu", 1).in("rack", "r1").in("zone", "z1"),
            node("b", "cpu", 1).in("rack", "r1").in("zone", "z2"),
            node("c", "cpu", 1).in("rack", "r2").in("zone", "z1"),
            holder("h1", new Rule.Most(1, "g", "rack")).in("rack", "r1"),
            holder("h2", new Rule.Most(1, "g", "zone")).in("zone", "z1"));
    Workload shape = shape("cpu", 1).withAversionGroups("g");

    Headroom headroom = headroom(fleet, shape, 1);

    assertThat(headroom.rounds()).isEqualTo(1);
    assertThat(headroom.atMost()).hasValue(3L);
    assertThat(
            fleet.<List<String>>tryOut(
                List.of(new Change.Assign(shape.named("s1"), "b")), tried -> tried.fitting(shape)))
        .as("two are possible")
        .containsExactly("c");
  }

  @Example
  void isProvenWhereTheyLieWithinEachOther() {
    Distributor fleet =
        fleet(
            node("a", "cpu", 4).in("rack", "r1").in("zone", "z"),
            holder("h1", new Rule.Most(1, "g", "rack")).in("rack", "r1").in("zone", "z"),
            holder("h2", new Rule.Most(2, "g", "zone")).in("rack", "r2").in("zone", "z"));

    Headroom headroom = headroom(fleet, shape("cpu", 1).withAversionGroups("g"), 1);

    assertThat(headroom.rounds()).isEqualTo(1);
    assertThat(headroom.atMost()).hasValue(1L);
  }

  /**
   * Tiny fleets whose placed rules cap a group by node, rack, zone and fleet, against every choice
   * of nodes.
   */
  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void theBoundIsNeverBeaten(@ForAll long seed) {
    Random random = new Random(seed);
    List<Node> nodes = new ArrayList<>();
    for (int i = 2 + random.nextInt(4); i > 0; i--) {
      nodes.add(inDomains(random, node("n" + i, "cpu", 1 + random.nextInt(2))));
    }
    List<Rule.OfGroup> rules = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      String level = List.of("node", "rack", "zone", "fleet").get(random.nextInt(4));
      Rule.OfGroup rule =
          random.nextInt(3) == 0
              ? new Rule.Apart("g", level)
              : new Rule.Most(random.nextInt(3), "g", level);
      rules.add(rule);
      nodes.add(inDomains(random, holder("h" + i, rule)));
    }
    Distributor fleet = fleet("prioritized", nodes).build();
    Workload shape = shape("cpu", 1).withAversionGroups("g");

    Headroom headroom = headroom(fleet, shape, 1);

    Map<String, Integer> caps = new HashMap<>();
    for (int i = 0; i < rules.size(); i++) {
      Rule.OfGroup rule = rules.get(i);
      Node holder = nodes.get(nodes.size() - rules.size() + i);
      int most = rule instanceof Rule.Most bounded ? bounded.most() : 0;
      String domain = domain(holder, rule.level());
      if (domain != null) {
        caps.merge(domain, most, Math::min);
      }
    }
    int all = most(nodes, 0, caps, new HashMap<>());
    assertThat(headroom.rounds()).isLessThanOrEqualTo(all);
    assertThat(headroom.atMost().orElseThrow()).isGreaterThanOrEqualTo(all);
    assertThat(headroom.refusal()).isPresent();
    if (rules.stream().map(Rule.OfGroup::level).distinct().count() < 2) {
      assertThat(headroom.atMost()).as("proven").hasValue((long) all);
    }
  }

  private static Node inDomains(Random random, Node node) {
    Node in = random.nextInt(4) == 0 ? node : node.in("rack", "r" + random.nextInt(2));
    return random.nextInt(4) == 0 ? in : in.in("zone", "z" + random.nextInt(2));
  }

  /** Null where the node is in none. */
  private static String domain(Node node, String level) {
    return switch (level) {
      case "node" -> node.name();
      case "fleet" -> level;
      default -> node.domains().get(level);
    };
  }

  /** The most copies of one cpu on the nodes from an index on. */
  private static int most(
      List<Node> nodes, int index, Map<String, Integer> caps, Map<String, Integer> taken) {
    if (index == nodes.size()) {
      return 0;
    }
    Node node = nodes.get(index);
    int cpu = node.resources().get("cpu").map(amount -> amount.toBigDecimal().intValue()).orElse(0);
    int best = most(nodes, index + 1, caps, taken);
    Map<String, Integer> more = new HashMap<>(taken);
    for (int copies = 1; copies <= cpu; copies++) {
      boolean kept = true;
      for (String level : List.of("node", "rack", "zone", "fleet")) {
        String domain = domain(node, level);
        if (domain != null) {
          int members = more.merge(domain, 1, Integer::sum);
          kept &= members <= caps.getOrDefault(domain, Integer.MAX_VALUE);
        }
      }
      if (!kept) {
        break;
      }
      best = Math.max(best, copies + most(nodes, index + 1, caps, more));
    }
    return best;
  }

  /** Two rounds would be 1,200,000 workloads. */
  @Example
  void triesNoMoreThanAMillionWorkloadsAtOnce() {
    assertThat(headroom(fleet(node("n", "cpu", 1_200_000)), shape("cpu", 1), 600_000))
        .isEqualTo(new Headroom(1, Optional.of(2L), Optional.empty(), Optional.empty()));
  }

  /** A round of two million would take memory without end for larger ones. */
  @Example
  void triesNoRoundOfMoreThanAMillionWorkloads() {
    assertThat(headroom(fleet(node("n", "cpu", 3_000_000)), shape("cpu", 1), 1_000_001))
        .isEqualTo(new Headroom(0, Optional.of(2L), Optional.empty(), Optional.empty()));
  }

  @Example
  void endsWhereTheSumsOfTheNextRoundAreOutOfRange() {
    Headroom ended = headroom(fleet(node("n", "cpu", "4e18")), shape("cpu", "1e17"), 1);

    assertThat(ended)
        .isEqualTo(new Headroom(6, Optional.of(40L), Optional.empty(), Optional.empty()));
    assertThatThrownBy(() -> headroom(fleet(node("n", "cpu", "4e18")), shape("cpu", "1e18"), 1))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith("shape 's': requirements.cpu is 1000000000000000000; allowed: ");
  }

  @Example
  void namesTheLevelOfWhatRunsOutFirst() {
    Distributor fleet =
        fleet("prioritized", List.of(node("a", "power", 9).in("rack", "r")))
            .domains(Domain.of("rack", "r", Resources.of("power", 2)))
            .build();
    Terms sharing = Terms.NONE.sharing("rack", Resources.of("power", 1));

    Headroom headroom = headroom(fleet, shape("power", 1).withTerms(sharing), 1);

    assertThat(headroom.rounds()).isEqualTo(2);
    assertThat(headroom.first()).hasValue("power@rack");
  }

  @Example
  void namesTheShapeThatIsGivenTwice() {
    List<Headroom.Part> mix =
        List.of(
            new Headroom.Part(shape("cpu", 1), 1),
            new Headroom.Part(shape("cpu", 1).named("t"), 1),
            new Headroom.Part(shape("cpu", 2), 1));

    assertThatThrownBy(() -> fleet(node("n", "cpu", 9)).advisor().headroom(mix))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("shape 's': name is given twice; allowed: each name once");
  }

  @Example
  void aUnitIsNoLack() {
    Unit pairs = new Unit(Quantity.of(2), Quantity.INFINITY, Quantity.ZERO);
    Node coarse = node("a", "cpu", 9, "mem", 9).withUnits(Map.of("cpu", pairs));
    Node other = node("b", "cpu", 9, "mem", 9).withUnits(Map.of("cpu", pairs));

    Headroom headroom =
        headroom(fleet(coarse, other, node("c", "cpu", 9, "mem", 1)), shape("cpu", 1, "mem", 1), 1);

    assertThat(headroom.rounds()).isEqualTo(1);
    assertThat(headroom.first()).hasValue("mem");
  }

  /** The whole batch is placed in another order than round by round. */
  @Example
  void saysWhyTheNextRoundDoesNotFitTogetherWithTheOthers() {
    Distributor fleet =
        fleet("spread", List.of(node("a", "cpu", 3, "mem", 2), node("b", "cpu", 2, "mem", 5)))
            .build();
    Workload large = Workload.of("large", Resources.of("cpu", 1, "mem", 2));
    Workload small = Workload.of("small", Resources.of("cpu", 1, "mem", 1));

    Headroom headroom =
        fleet.advisor().headroom(List.of(new Headroom.Part(large, 1), new Headroom.Part(small, 1)));

    assertThat(headroom.rounds()).isEqualTo(1);
    assertThat(headroom.atMost()).hasValue(2L);
    assertThat(headroom.refusal().map(Refusal::workload)).hasValue("small");
    assertThat(headroom.first()).hasValue("cpu");
  }
}

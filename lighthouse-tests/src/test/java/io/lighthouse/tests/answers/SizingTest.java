package io.lighthouse.tests.answers;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Budget;
import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Gang;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Offer;
import io.lighthouse.api.advice.Sizing;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Lists for batches of which some workloads fit no empty node, or not all can be placed. */
class SizingTest {
  private static Node node(String name, Object... resources) {
    return Node.of(name, Resources.of(resources));
  }

  private static Workload workload(String name, Terms terms, Object... requirements) {
    return Workload.of(name, Resources.of(requirements)).withTerms(terms);
  }

  private static Offer offer(Node like, int price) {
    return new Offer(like, Quantity.of(price), Integer.MAX_VALUE);
  }

  private static Distributors.Builder fleet(String strategy, Node... nodes) {
    return Distributors.of(Distributors.installed().find(strategy)).nodes(nodes);
  }

  private static Sizing size(Distributor fleet, List<Workload> batch, Offer... offers) {
    return fleet.advisor().size(batch, List.of(offers), Budget.UNLIMITED);
  }

  private static void assertAnswer(Sizing sizing, int nodes, int bound, String... unplaced) {
    assertThat(sizing.unplaced()).containsExactly(unplaced);
    assertThat(sizing.nodes()).isEqualTo(nodes);
    assertThat(sizing.bound()).isEqualTo(Quantity.of(bound));
  }

  @Example
  void placesWhatNeedsAnotherWorkloadFirst() {
    Terms besideTheCache = Terms.NONE.rules(new Rule.Least(1, "cache", "rack"));
    List<Workload> batch =
        List.of(
            workload("cache", Terms.NONE.inGroups("cache"), "cpu", 4),
            workload("web", besideTheCache, "cpu", 4));
    Distributor fleet = fleet("prioritized", node("old", "cpu", 1)).build();

    Sizing sizing = size(fleet, batch, offer(node("k", "cpu", 4).in("rack", "r1"), 1));

    assertAnswer(sizing, 2, 2);
    assertThat(sizing.optimal()).isTrue();
  }

  @Example
  void placesWhatFitsAPresentNodeOnceOthersAreOnNewOnes() {
    List<Workload> batch =
        List.of(
            workload("x", Terms.NONE, "cpu", 1),
            workload("y", Terms.NONE, "cpu", 1),
            workload("z", Terms.NONE, "cpu", 1, "mem", 2));
    Distributor fleet = fleet("round-robin", node("n", "cpu", 2, "mem", 2)).build();

    Sizing sizing = size(fleet, batch, offer(node("k", "cpu", 5), 1));

    assertAnswer(sizing, 1, 1);
    assertThat(sizing.optimal()).isTrue();
  }

  @Example
  void placesWhatSharesWithAWorkloadThatGives() {
    Terms gives = Terms.NONE.sharing("fleet", Resources.of("lic", -1));
    Terms takes = Terms.NONE.sharing("fleet", Resources.of("lic", 1));
    List<Workload> batch = List.of(workload("g", gives, "cpu", 1), workload("y", takes, "cpu", 1));
    Distributor fleet =
        fleet("prioritized").domains(Domain.of("fleet", "fleet", Resources.of("lic", 0))).build();

    assertAnswer(size(fleet, batch, offer(node("k", "cpu", 1), 1)), 2, 2);
  }

  /** The one that gives fits no empty node, but counts in what the others lack. */
  @Example
  void buysNoNodesForWhatAWorkloadOfTheBatchGives() {
    Terms besideTheCache = Terms.NONE.rules(new Rule.Least(1, "cache", "rack"));
    List<Workload> batch = new ArrayList<>();
    batch.add(workload("cache", Terms.NONE.inGroups("cache"), "cpu", 1));
    batch.add(workload("giver", besideTheCache, "cpu", 1, "mem", -3));
    batch.addAll(workload("taker", Terms.NONE, "mem", 1).replicas(4));
    Node like = node("k", "cpu", 9, "mem", 1).in("rack", "r1");

    assertAnswer(size(fleet("prioritized").build(), batch, offer(like, 1)), 1, 1);
  }

  @Example
  void buysNoNodesForWhatAQuotaRefuses() {
    Terms quota = Terms.NONE.inGroups("g").rules(new Rule.Most(2, "g", Rule.FLEET));
    List<Workload> batch = workload("x", quota, "cpu", 1).replicas(5);
    Distributor fleet = fleet("prioritized", node("a", "cpu", 1)).build();

    Sizing sizing = size(fleet, batch, offer(node("k", "cpu", 9), 10));

    assertAnswer(sizing, 1, 10, "x-3", "x-4", "x-5");
    assertThat(sizing.optimal()).isFalse();
  }

  @Example
  void buysNoNodeThatGainsNothing() {
    Terms gang = Terms.NONE.inGang(new Gang("g", Optional.of("rack")));
    Distributor fleet = fleet("prioritized", node("a", "cpu", 3)).build();

    assertAnswer(
        size(fleet, List.of(workload("x", gang, "cpu", 1)), offer(node("k", "cpu", 4), 1)),
        0,
        0,
        "x");
  }

  /** At the limits the largest list is the answer only as far as each node gains something. */
  @Example
  void leavesOutTheKindThatGainsNothing() {
    List<Workload> batch = workload("x", Terms.NONE, "cpu", 2).replicas(9);
    Distributor fleet = fleet("prioritized").build();
    Offer useful = new Offer(node("useful", "cpu", 4), Quantity.of(3), 2);
    Offer small = new Offer(node("small", "cpu", 2), Quantity.of(2), 1);
    Offer useless = new Offer(node("useless", "cpu", 1), Quantity.of(1), 4);

    Sizing sizing = size(fleet, batch, useful, useless, small);

    assertThat(sizing.counts().stream().map(Sizing.Count::nodes)).containsExactly(2, 0, 1);
    assertThat(sizing.unplaced()).hasSize(4);
  }

  /** A batch that is proven hopeless costs no further trial. */
  @Example
  void triesNoLargestListForWhatSurelyFitsNowhere() {
    List<Workload> batch =
        List.of(workload("x", Terms.NONE, "cpu", 2), workload("giant", Terms.NONE, "cpu", 99));
    Distributor fleet = fleet("prioritized").build();

    Sizing sizing = size(fleet, batch, offer(node("k", "cpu", 4), 1));

    assertAnswer(sizing, 1, 1, "giant");
    assertThat(sizing.steps()).isEqualTo(7);
  }

  /** A list that leaves others than the bound is about was not tried. */
  @Example
  void needsEachNodeAlsoWhereACheaperListLeavesOthers() {
    leavesAsFewAsTheLargestListAndNeedsEachNode(-147_831);
  }

  /**
   * Small batches with rules, shares and gangs: no list of as many nodes as there are workloads
   * leaves fewer, and each node of the answer is needed.
   */
  @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
  void leavesAsFewAsTheLargestListAndNeedsEachNode(@ForAll long seed) {
    Random random = new Random(seed);
    List<Node> nodes = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      nodes.add(placed(random, node("n" + i, resources(random))));
    }
    String strategy = List.of("prioritized", "round-robin", "spread").get(random.nextInt(3));
    Distributor fleet =
        fleet(strategy, nodes.toArray(Node[]::new))
            .domains(Domain.of("fleet", "fleet", Resources.of("lic", random.nextInt(2))))
            .build();
    List<Workload> batch = new ArrayList<>();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      batch.add(workload("w" + i, terms(random), resources(random)));
    }
    List<Offer> offers = new ArrayList<>();
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      int limit = random.nextInt(4) == 0 ? random.nextInt(3) : Integer.MAX_VALUE;
      Node like = placed(random, node("k" + i, resources(random)));
      offers.add(new Offer(like, Quantity.of(1 + random.nextInt(4)), limit));
    }

    Sizing sizing = fleet.advisor().size(batch, offers, Budget.ofSteps(5_000));

    int refused = left(fleet, batch, offers, new int[offers.size()]);
    int[] largest = offers.stream().mapToInt(o -> Math.min(o.limit(), refused)).toArray();
    assertThat(sizing.unplaced().size()).isLessThanOrEqualTo(left(fleet, batch, offers, largest));
    for (int kind = 0; kind < offers.size(); kind++) {
      int[] fewer = sizing.counts().stream().mapToInt(Sizing.Count::nodes).toArray();
      if (--fewer[kind] >= 0) {
        assertThat(left(fleet, batch, offers, fewer))
            .as("%s without one of kind %d", sizing, kind)
            .isGreaterThan(sizing.unplaced().size());
      }
    }
  }

  private static Object[] resources(Random random) {
    Object[] cpu = {"cpu", 1 + random.nextInt(4)};
    Object[] both = {"cpu", 1 + random.nextInt(4), "mem", random.nextInt(3)};
    return random.nextInt(3) == 0 ? both : cpu;
  }

  private static Node placed(Random random, Node node) {
    return random.nextInt(3) == 0 ? node : node.in("rack", "r" + random.nextInt(2));
  }

  private static Terms terms(Random random) {
    Terms terms = random.nextBoolean() ? Terms.NONE : Terms.NONE.inGroups("g");
    return switch (random.nextInt(7)) {
      case 0 -> terms.rules(new Rule.Most(1 + random.nextInt(2), "g", Rule.FLEET));
      case 1 -> terms.rules(new Rule.Most(1, "g", "rack"));
      case 2 -> terms.rules(new Rule.Least(1, "g", "rack"));
      case 3 -> terms.sharing("fleet", Resources.of("lic", random.nextBoolean() ? 1 : -1));
      case 4 -> terms.inGang(new Gang("gang", Optional.of("rack")));
      default -> terms;
    };
  }

  /** How many workloads a list leaves. */
  private static int left(
      Distributor fleet, List<Workload> batch, List<Offer> offers, int[] counts) {
    List<Change> added = new ArrayList<>();
    for (int kind = 0; kind < counts.length; kind++) {
      Node like = offers.get(kind).like();
      IntStream.rangeClosed(1, counts[kind])
          .mapToObj(
              number ->
                  new Node(
                      like.name() + "-" + number,
                      like.resources(),
                      List.of(),
                      false,
                      like.domains(),
                      Map.of()))
          .map(Change.AddNode::new)
          .forEach(added::add);
    }
    return fleet.<Integer>tryOut(added, grown -> grown.assign(batch).refused().size());
  }
}

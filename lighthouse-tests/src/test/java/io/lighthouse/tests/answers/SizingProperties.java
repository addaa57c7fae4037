package io.lighthouse.tests.answers;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Budget;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Headroom;
import io.lighthouse.api.advice.Offer;
import io.lighthouse.api.advice.Sizing;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.generate.Scenarios;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** How many nodes, and how much more fits: against every list and every placement of small ones. */
class SizingProperties {
  private static final Budget STEPS = Budget.ofSteps(30_000);
  private static final List<String> STRATEGIES =
      List.of("prioritized", "round-robin", "bin-pack", "spread", "balance", "devices", "pack");

  /** A small problem of plain workloads. */
  private record Small(
      String strategy, List<Node> nodes, List<Workload> batch, List<Offer> offers) {
    static Small of(Random random) {
      List<Node> nodes = new ArrayList<>();
      for (int i = random.nextInt(3); i > 0; i--) {
        Node node = Node.of("n" + i, resources(random, 4));
        nodes.add(
            random.nextInt(6) > 0
                ? node
                : new Node(node.name(), node.resources(), List.of(), true, Map.of(), Map.of()));
      }
      List<Workload> batch = new ArrayList<>();
      for (int i = 1 + random.nextInt(5); i > 0; i--) {
        batch.add(Workload.of("w" + i, needs(random)));
      }
      List<Offer> offers = new ArrayList<>();
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        offers.add(
            new Offer(
                Node.of("kind" + i, resources(random, 6)),
                Quantity.of(random.nextInt(40)).plus(Quantity.of("0.25")),
                random.nextInt(4) == 0 ? random.nextInt(3) : Integer.MAX_VALUE));
      }
      return new Small(STRATEGIES.get(random.nextInt(6)), nodes, batch, offers);
    }

    private static Resources resources(Random random, int most) {
      Map<String, Object> map = new HashMap<>();
      map.put("cpu", 1 + random.nextInt(most));
      if (random.nextInt(4) > 0) {
        map.put("mem", new BigDecimal(random.nextInt(4 * most)).movePointLeft(1));
      }
      if (random.nextInt(3) == 0) {
        map.put("ssd", 0);
      }
      return Resources.of(map);
    }

    private static Resources needs(Random random) {
      Map<String, Object> map = new HashMap<>();
      if (random.nextInt(8) > 0) {
        map.put("cpu", new BigDecimal(1 + random.nextInt(8)).divide(BigDecimal.valueOf(2)));
      }
      if (random.nextInt(3) == 0) {
        map.put("mem", new BigDecimal(random.nextInt(12)).movePointLeft(1));
      }
      if (random.nextInt(6) == 0) {
        map.put("ssd", 0);
      }
      return Resources.of(map);
    }

    Distributor fleet(List<Node> more) {
      List<Node> all = new ArrayList<>(nodes);
      all.addAll(more);
      Distributors.Builder builder =
          Distributors.of(Distributors.installed().find(strategy)).nodes(all);
      if (strategy.equals("pack")) {
        builder.settings(Map.of("steps", "200"));
      }
      if (strategy.equals("devices")) {
        builder.settings(Map.of("device", "cpu"));
      }
      return strategy.equals("bin-pack")
          ? builder.rubric(Rubric.of("cpu", 1, "mem", 2)).build()
          : builder.build();
    }
  }

  /** What is wrong with a sizing; empty where nothing is. */
  private static String found(Small small, Sizing sizing) {
    BigDecimal lowest = EverySizing.lowest(small.nodes(), small.batch(), small.offers());
    BigDecimal price = BigDecimal.ZERO;
    List<Node> more = new ArrayList<>();
    for (int kind = 0; kind < small.offers().size(); kind++) {
      Offer offer = small.offers().get(kind);
      int count = sizing.counts().get(kind).nodes();
      if (count > offer.limit()) {
        return "over the limit";
      }
      for (int i = 1; i <= count; i++) {
        more.add(Node.of(offer.name() + "-" + i, offer.like().resources()));
        price = price.add(offer.price().toBigDecimal());
      }
    }
    if (!sizing.price().equals(Quantity.of(price))) {
      return "the price is " + price;
    }
    if (!small.fleet(more).assign(small.batch()).refused().equals(sizing.unplaced())) {
      return "others are unplaced";
    }
    if (lowest == null) {
      return sizing.unplaced().isEmpty() ? "all are placed, which cannot be" : "";
    }
    if (sizing.optimal() && price.compareTo(lowest) != 0) {
      return "the optimum is " + lowest;
    }
    if (sizing.bound().compareTo(Quantity.of(lowest)) > 0) {
      return "the bound is above the optimum " + lowest;
    }
    boolean reached = sizing.unplaced().isEmpty() && sizing.bound().equals(sizing.price());
    return sizing.optimal() == reached ? "" : "optimal says something else than the bound";
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void isTheExhaustiveOptimumWhereverItSaysSo(@ForAll long seed) {
    Small small = Small.of(new Random(seed));
    Sizing sizing = small.fleet(List.of()).advisor().size(small.batch(), small.offers(), STEPS);

    assertThat(found(small, sizing)).as("%s: %s", small, sizing).isEmpty();
    Budget few = Budget.ofSteps(100);
    Sizing hasty = small.fleet(List.of()).advisor().size(small.batch(), small.offers(), few);
    assertThat(found(small, hasty)).as("%s: %s", small, hasty).isEmpty();
    assertThat(small.fleet(List.of()).advisor().size(small.batch(), small.offers(), few))
        .isEqualTo(hasty);
  }

  /** It would be right to say never that something is optimal; but of no use. */
  @Example
  void isMostlyProvenOptimalOnSmallProblems() {
    int placed = 0;
    int optimal = 0;
    for (int seed = 0; seed < 200; seed++) {
      Small small = Small.of(new Random(seed));
      Sizing sizing = small.fleet(List.of()).advisor().size(small.batch(), small.offers(), STEPS);
      placed += sizing.unplaced().isEmpty() ? 1 : 0;
      optimal += sizing.optimal() ? 1 : 0;
    }
    assertThat(placed).isGreaterThan(75);
    assertThat(optimal).isGreaterThan(placed * 9 / 10);
  }

  /** Wrong in one way each. */
  private enum Planted {
    ONE_NODE_TOO_FEW(
        sizing -> {
          List<Sizing.Count> counts = new ArrayList<>(sizing.counts());
          Sizing.Count first = counts.get(0);
          counts.set(0, new Sizing.Count(first.offer(), Math.max(0, first.nodes() - 1)));
          return with(sizing, counts, sizing.bound(), sizing.optimal());
        }),
    A_BOUND_THAT_IS_TOO_HIGH(
        sizing -> with(sizing, sizing.counts(), sizing.bound().plus(Quantity.of(1)), false)),
    ALWAYS_OPTIMAL(sizing -> with(sizing, sizing.counts(), sizing.price(), true)),
    NEVER_SAYS_WHO_IS_UNPLACED(
        sizing ->
            new Sizing(
                sizing.counts(),
                sizing.price(),
                sizing.bound(),
                sizing.optimal(),
                List.of(),
                sizing.steps()));

    private final Function<Sizing, Sizing> wrong;

    Planted(Function<Sizing, Sizing> wrong) {
      this.wrong = wrong;
    }

    private static Sizing with(
        Sizing right, List<Sizing.Count> counts, Quantity bound, boolean optimal) {
      return new Sizing(counts, right.price(), bound, optimal, right.unplaced(), right.steps());
    }
  }

  @Example
  void catchesEveryPlantedFault() {
    Map<Planted, String> caught = new EnumMap<>(Planted.class);
    for (int seed = 0; seed < 300; seed++) {
      Small small = Small.of(new Random(seed));
      // Lists that are not optimal, and lists with nodes: both kinds of answers can be wrong.
      Budget budget = Budget.ofSteps(seed % 2 == 0 ? 0 : 100);
      Sizing sizing = small.fleet(List.of()).advisor().size(small.batch(), small.offers(), budget);
      for (Planted planted : Planted.values()) {
        String finding = found(small, planted.wrong.apply(sizing));
        if (!finding.isEmpty()) {
          caught.put(planted, finding);
        }
      }
    }
    assertThat(caught).containsOnlyKeys(Planted.values());
  }

  /** Fleets and workloads of any kind: the list places what it says, and nothing has changed. */
  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void keepsItsPromiseOnAnyFleet(
      @ForAll("scenarios") Scenario scenario,
      @ForAll("batches") List<Workload> given,
      @ForAll long seed) {
    Random random = new Random(seed);
    Distributor fleet = Fleets.played(scenario, STRATEGIES.get(random.nextInt(5)));
    List<Workload> batch = Fleets.named("batch", given);
    List<Offer> offers = Small.of(random).offers();
    Snapshot before = fleet.snapshot();

    Sizing sizing = fleet.advisor().size(batch, offers, Budget.ofSteps(20_000));

    assertThat(fleet.snapshot().nodes()).isEqualTo(before.nodes());
    assertThat(fleet.generation()).isEqualTo(before.generation());
    Distributor grown = fleet.copy();
    for (int kind = 0; kind < offers.size(); kind++) {
      for (int i = 1; i <= sizing.counts().get(kind).nodes(); i++) {
        grown.addNode(
            Node.of(offers.get(kind).name() + "-" + i, offers.get(kind).like().resources()));
      }
    }
    assertThat(grown.assign(batch).refused()).isEqualTo(sizing.unplaced());
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void headroomIsExactForOnePlainShape(@ForAll long seed) {
    Random random = new Random(seed);
    Small small = Small.of(random);
    Resources needs = Small.needs(random);
    if (!needs.has("cpu")) {
      return;
    }
    Distributor fleet = small.fleet(List.of());
    long copies = 0;
    for (Node node : small.nodes()) {
      Map<String, BigDecimal> left = EverySizing.map(node.resources());
      while (!node.cordoned() && EverySizing.take(left, EverySizing.map(needs), -1)) {
        copies++;
      }
    }

    Headroom headroom =
        fleet.advisor().headroom(List.of(new Headroom.Part(Workload.of("s", needs), 1)));

    assertThat(headroom.rounds()).isEqualTo(copies);
    assertThat(headroom.atMost()).contains(copies);
    assertThat(headroom.refusal()).isPresent();
    headroom.first().ifPresent(first -> assertThat(needs.has(first)).isTrue());
    assertThat(fleet.snapshot().placedCount()).isZero();
  }

  @Property(tries = 60, edgeCases = EdgeCasesMode.NONE)
  void headroomOfAMixFitsAndOneMoreDoesNot(
      @ForAll("scenarios") Scenario scenario,
      @ForAll("batches") List<Workload> given,
      @ForAll long seed) {
    Random random = new Random(seed);
    String strategy = STRATEGIES.get(random.nextInt(5));
    Distributor fleet = Fleets.played(scenario, strategy);
    List<Headroom.Part> mix = new ArrayList<>();
    for (Workload shape : Fleets.named("shape", given)) {
      Map<String, Quantity> needs = new HashMap<>();
      shape
          .requirements()
          .names()
          .forEach(n -> needs.put(n, shape.requirements().get(n).orElseThrow()));
      needs.put("cpu", Quantity.of(1 + random.nextInt(3)));
      mix.add(
          new Headroom.Part(
              new Workload(
                  shape.name(), Resources.of(needs), shape.immunities(), shape.aversionGroups()),
              1 + random.nextInt(2)));
    }
    if (mix.isEmpty()) {
      return;
    }
    Headroom headroom = fleet.advisor().headroom(mix);

    if (headroom.rounds() < 1000) {
      assertThat(placesAll(fleet, mix, headroom.rounds())).isTrue();
      assertThat(placesAll(fleet, mix, headroom.rounds() + 1)).isFalse();
    }
    headroom.atMost().ifPresent(most -> assertThat(headroom.rounds()).isLessThanOrEqualTo(most));
  }

  private static boolean placesAll(Distributor fleet, List<Headroom.Part> mix, long rounds) {
    List<Workload> batch = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      for (Headroom.Part part : mix) {
        for (int copy = 0; copy < part.copies(); copy++) {
          batch.add(
              part.shape().named(String.format("%s-%06d", part.shape().name(), batch.size())));
        }
      }
    }
    return fleet.copy().assign(batch).allPlaced();
  }

  @Provide
  Arbitrary<Scenario> scenarios() {
    return Scenarios.of(6, 8, 8);
  }

  @Provide
  Arbitrary<List<Workload>> batches() {
    return Scenarios.workloads().list().ofMaxSize(4);
  }
}

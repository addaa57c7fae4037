package io.lighthouse.tests.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Budget;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BudgetOverException;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.core.Distributors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code pack} on a batch that is large enough to be placed in parts. */
class PackLargeTest {
  private static final int PARTS = 40;

  private static final int NODES = 65;

  private static final int WORKLOADS = 10 * NODES;

  private static final PlacementStrategy IN_PARTS =
      PackInParts.above(NODES * WORKLOADS / (PARTS - 1));

  private static final List<Node> FLEET = fleet(NODES);

  private static List<Node> fleet(int count) {
    SplittableRandom random = new SplittableRandom(1);
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int cpu = 2_000 + 1_000 * random.nextInt(4);
      Resources capacity = Resources.of("cpu", cpu, "mem", 6_000 - cpu / 2);
      nodes.add(Node.of("n" + i, capacity.with("price", 10 + random.nextInt(90))));
    }
    return nodes;
  }

  /** With a mean need of 235, some 60 % of the capacity is required; with 517, more than all. */
  private static List<Workload> batch(int count, int mean) {
    SplittableRandom random = new SplittableRandom(2);
    List<Workload> batch = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Resources needs =
          Resources.of("cpu", 1 + random.nextInt(2 * mean), "mem", 1 + random.nextInt(2 * mean));
      batch.add(Workload.of("w" + i, needs));
    }
    return batch;
  }

  private static Distributor fleet(
      PlacementStrategy strategy, Map<String, String> settings, List<Node> nodes) {
    return Distributors.of(strategy)
        .settings(settings)
        .rubric(Rubric.of("cpu", 1, "mem", 1))
        .nodes(nodes)
        .build();
  }

  private static Distributor inParts(List<Node> nodes) {
    return fleet(IN_PARTS, Map.of(), nodes);
  }

  /** The nodes used, or what they cost. */
  private static long price(Distributor fleet, String goal) {
    return fleet.snapshot().nodes().stream()
        .filter(node -> !node.workloads().isEmpty())
        .mapToLong(
            node ->
                switch (goal) {
                  case "place-all" -> 0;
                  case "fewest-nodes" -> 1;
                  default -> Long.parseLong(node.capacity().get("price").orElseThrow().toString());
                })
        .sum();
  }

  private static void isNeverWorse(
      PlacementStrategy pack, Map<String, String> settings, List<Node> nodes, int mean) {
    List<Workload> batch = batch(10 * nodes.size(), mean);
    Distributor packed = fleet(pack, settings, nodes);
    int placed = packed.assign(batch).placedCount();
    String goal = settings.getOrDefault("goal", "fewest-nodes");
    for (String name : List.of("prioritized", "round-robin", "spread", "balance", "bin-pack")) {
      Distributor simple = fleet(Distributors.installed().find(name), Map.of(), nodes);
      int other = simple.assign(batch).placedCount();
      assertThat(placed).as(name).isGreaterThanOrEqualTo(other);
      if (placed == other) {
        assertThat(price(packed, goal)).as(name).isLessThanOrEqualTo(price(simple, goal));
      }
    }
  }

  @Test
  void theAnswerIsTheSameForAnyNumberOfThreads() throws Exception {
    Assignments alone = placedIn(new ForkJoinPool(1));
    assertThat(placedIn(new ForkJoinPool(3)).asMap()).isEqualTo(alone.asMap());
  }

  /** The pool wants three threads and gets one, as where a process may have no more of them. */
  @Test
  void theAnswerIsTheSameWhereNoThreadCanBeCreated() throws Exception {
    AtomicInteger left = new AtomicInteger(1);
    ForkJoinPool.ForkJoinWorkerThreadFactory one =
        pool -> {
          if (left.getAndDecrement() <= 0) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          return ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
        };
    Assignments answer = placedIn(new ForkJoinPool(3, one, null, false));
    assertThat(left).as("threads wanted").hasNegativeValue();
    assertThat(answer.asMap()).isEqualTo(placedIn(new ForkJoinPool(1)).asMap());
  }

  /** A pool with one thread that wants three; what no thread has taken is taken back. */
  @Test
  void leavesNothingInTheQueueOfThePool() throws Exception {
    AtomicInteger left = new AtomicInteger(1);
    ForkJoinPool pool =
        new ForkJoinPool(
            3,
            of ->
                left.getAndDecrement() > 0
                    ? ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(of)
                    : null,
            null,
            false);
    try {
      long queued =
          pool.submit(
                  () -> {
                    inParts(FLEET).assign(batch(WORKLOADS, 282));
                    return pool.getQueuedTaskCount();
                  })
              .get();
      assertThat(left).as("threads wanted").hasNegativeValue();
      assertThat(queued).isZero();
    } finally {
      pool.shutdown();
    }
  }

  private static Assignments placedIn(ForkJoinPool pool) throws Exception {
    try {
      return pool.submit(() -> inParts(FLEET).assign(batch(WORKLOADS, 282))).get();
    } finally {
      pool.shutdown();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "235, fewest-nodes, best",
    "400, fewest-nodes, best",
    "517, fewest-nodes, best",
    "400, fewest-nodes, first-fit",
    "400, place-all, best",
    "517, place-all, first-fit",
    "235, least-cost, best",
    "400, least-cost, first-fit",
    "517, least-cost, best"
  })
  void isNeverWorseThanASimpleStrategy(int mean, String goal, String start) {
    String price = goal.equals("least-cost") ? "price" : "";
    isNeverWorse(IN_PARTS, Map.of("goal", goal, "start", start, "price", price), FLEET, mean);
  }

  /** Just above the number of pairs from which on a batch is placed in parts. */
  @Test
  void isNeverWorseThanASimpleStrategyWithTwoParts() {
    isNeverWorse(Distributors.installed().find("pack"), Map.of(), fleet(2_600), 400);
  }

  @Test
  void usesNoCordonedNode() {
    List<Node> nodes = new ArrayList<>(FLEET);
    nodes.replaceAll(node -> node.name().endsWith("7") ? node.asCordoned() : node);
    Assignments answer = inParts(nodes).assign(batch(WORKLOADS, 235));
    assertThat(answer.allPlaced()).isTrue();
    assertThat(answer.asMap().values())
        .allMatch(node -> !node.map(name -> name.endsWith("7")).orElse(false));
  }

  /**
   * Each of two parts has one of each kind, the immune one first, and is filled the other way
   * round. The session refuses the immune one before the other. A refusal would be rolled back.
   */
  @Test
  void aPartIsAdoptedInTheOrderInWhichItWasFilled() {
    Workload immune = Workload.of("b", Resources.of("cpu", 50, "mem", 40)).withImmunities("cpu");
    List<Workload> batch = new ArrayList<>(immune.replicas(2));
    batch.addAll(Workload.of("a", Resources.of("cpu", 80, "mem", 0)).replicas(2));
    List<String> calls = new ArrayList<>();
    PlacementStrategy pack = recording(7, calls);
    Resources capacity = Resources.of("cpu", 100, "mem", 100);
    List<Node> nodes = List.of(Node.of("n0", capacity), Node.of("n1", capacity));
    assertThat(fleet(pack, Map.of(), nodes).assign(batch).allPlaced()).isTrue();
    List<String> untilKept = calls.subList(0, calls.indexOf("keep"));
    assertThat(untilKept).filteredOn("assign"::equals).hasSize(batch.size());
    assertThat(untilKept).doesNotContain("rollBack");
  }

  /** Nothing is better than to place all; friends move when an answer is settled. */
  @Test
  void placeAllTriesNoSimpleStrategyOnceAllArePlaced() {
    List<Workload> batch = new ArrayList<>(batch(WORKLOADS, 235));
    batch.replaceAll(workload -> workload.withAversionGroups(workload.name()));
    List<String> calls = new ArrayList<>();
    Map<String, String> settings = Map.of("goal", "place-all");
    assertThat(fleet(recording(1 << 26, calls), settings, FLEET).assign(batch).allPlaced())
        .isTrue();
    assertThat(calls).contains("assign").doesNotContain("placeInTurn");
  }

  /** Notes the names of the methods of the session that are called. */
  private static PlacementStrategy recording(long pairs, List<String> calls) {
    return PackInParts.above(
        pairs,
        (placer, session) ->
            placer.place(
                PackInParts.altered(
                    session,
                    method -> {
                      calls.add(method);
                      return Optional.empty();
                    })));
  }

  /** Where the time is over before anything is found, the answer is completed. */
  @Test
  void endsWhenTheTimeIsOver() {
    Budget none = Budget.UNLIMITED.within(Duration.ofNanos(1));
    Optional<String> unplaced = Optional.empty();
    assertThat(inParts(FLEET).assign(batch(WORKLOADS, 235), none).asMap().values())
        .doesNotContain(unplaced);
  }

  /** The first fill has many parts for each processor, and ends after some of them. */
  @Test
  void keepsWhatItHasFoundWhenTheTimeIsOver() {
    int nodes = 16 * Runtime.getRuntime().availableProcessors();
    int workloads = 10 * nodes;
    AtomicInteger found = new AtomicInteger();
    PlacementStrategy pack =
        PackInParts.above(
            workloads,
            (placer, session) -> {
              try {
                placer.place(endingAfter(nodes / 2, session));
              } catch (BudgetOverException over) {
                found.set(PackInParts.placed(session));
              }
              PackInParts.placeTheRest(session);
            });
    Assignments answer = fleet(pack, Map.of(), fleet(nodes)).assign(batch(workloads, 235));
    assertThat(answer.allPlaced()).isTrue();
    assertThat(found.get()).isBetween(workloads / 8, workloads - 1);
  }

  /** A session whose budget is spent after a number of calls of {@link Session#over}. */
  private static Session endingAfter(int questions, Session session) {
    AtomicInteger left = new AtomicInteger(questions);
    return PackInParts.altered(
        session,
        method -> {
          if (method.equals("over")) {
            return Optional.of(left.decrementAndGet() < 0);
          }
          if (left.get() < 0 && Set.of("fits", "assign", "placeInTurn").contains(method)) {
            throw new BudgetOverException();
          }
          return Optional.empty();
        });
  }
}

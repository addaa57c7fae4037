package io.lighthouse.tests.generate;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Change;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Generators of scenarios. */
public final class Scenarios {
  private static final int MOST_NODES = 5;
  private static final int MOST_SKETCHES = 8;
  private static final int MOST_WORKLOADS = 6;

  /** The kinds of changes that have a short form. */
  private static final List<Class<? extends Change>> FORMS =
      List.of(
          Change.AddNode.class,
          Change.RemoveNode.class,
          Change.Resize.class,
          Change.Cordon.class,
          Change.Uncordon.class);

  /** The kinds of changes that need no domain. */
  private static final List<Class<? extends Change>> PLAIN =
      List.of(
          Change.AddNode.class,
          Change.RemoveNode.class,
          Change.Resize.class,
          Change.Cordon.class,
          Change.Uncordon.class,
          Change.Release.class,
          Change.Move.class,
          Change.Assign.class);

  private static final List<Class<? extends Change>> OF_NODES =
      List.of(
          Change.Resize.class,
          Change.Resize.class,
          Change.Cordon.class,
          Change.Uncordon.class,
          Change.RemoveNode.class);

  private static final List<Class<? extends Change>> OF_DOMAINS =
      List.of(Change.Undeclare.class, Change.ResizeDomain.class, Change.CordonDomain.class);

  private static final int SEEDED_CALLS = 14;

  /** More than there are nodes, domains or workloads. */
  private static final int INDEXES = 1 << 16;

  /** The domain of steps that need none. */
  private static final Domain UNUSED = Domain.of("none", "none", Resources.none());

  private Scenarios() {}

  /**
   * Any scenario: some batches, and everything that may happen between them.
   *
   * @return shrinks towards few small calls on few small nodes
   */
  public static Arbitrary<Scenario> any() {
    return of(MOST_NODES, MOST_SKETCHES, MOST_WORKLOADS);
  }

  /**
   * Scenarios of any size.
   *
   * @param nodes the most nodes
   * @param calls the most calls
   * @param workloads the most workloads in a batch
   * @return shrinks towards few small calls on few small nodes
   */
  public static Arbitrary<Scenario> of(int nodes, int calls, int workloads) {
    return of(Nodes.fleet(nodes), sketch(workloads).list().ofMinSize(1).ofMaxSize(calls));
  }

  /**
   * Scenarios with several changes at once in most of their calls.
   *
   * @return shrinks towards few small calls on few small nodes
   */
  public static Arbitrary<Scenario> changing() {
    Arbitrary<Sketch> sketches =
        Arbitraries.frequencyOf(Tuple.of(3, changes()), Tuple.of(2, sketch(MOST_WORKLOADS)));
    return of(Nodes.fleet(MOST_NODES), sketches.list().ofMinSize(1).ofMaxSize(MOST_SKETCHES));
  }

  /**
   * One batch on a small fleet, small enough to try every answer.
   *
   * @return scenarios of one {@link Sketch.Assign}
   */
  public static Arbitrary<Scenario> tiny() {
    return of(
        Nodes.fleet(3),
        Workloads.any()
            .list()
            .ofMinSize(1)
            .ofMaxSize(4)
            .map(batch -> List.of(new Sketch.Assign(batch, List.of()))));
  }

  /**
   * Short calls that get into each other's way on few nodes of one resource.
   *
   * @param calls how many
   * @return scenarios of that many calls, each of which is a small batch
   */
  public static Arbitrary<Scenario> crowded(int calls) {
    Arbitrary<List<Node>> nodes =
        Arbitraries.integers()
            .between(1, 6)
            .list()
            .ofMinSize(1)
            .ofMaxSize(3)
            .map(Scenarios::ofOneResource);
    Arbitrary<Sketch> batch =
        Workloads.plain()
            .list()
            .ofMinSize(1)
            .ofMaxSize(3)
            .map(workloads -> new Sketch.Assign(workloads, List.of()));
    return of(nodes, batch.list().ofSize(calls));
  }

  private static List<Node> ofOneResource(List<Integer> capacities) {
    Node[] nodes = new Node[capacities.size()];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = Node.of("n" + i, Resources.of(Nodes.CPU, capacities.get(i)));
    }
    return List.of(nodes);
  }

  private static Arbitrary<Scenario> of(
      Arbitrary<List<Node>> fleets, Arbitrary<? extends List<? extends Sketch>> sketches) {
    Arbitrary<Optional<Integer>> position =
        Pick.sometimes(20, Arbitraries.integers().between(0, 7));
    return Combinators.combine(fleets, position, sketches)
        .as(
            (nodes, index, calls) ->
                new Scenario(
                    nodes,
                    index.filter(at -> at < nodes.size()).map(at -> nodes.get(at).name()),
                    List.copyOf(calls)));
  }

  private static Arbitrary<Sketch> sketch(int workloads) {
    Arbitrary<Integer> index = Arbitraries.integers().between(0, 7);
    return Arbitraries.frequencyOf(
        Tuple.of(12, batch(workloads)),
        Tuple.of(
            4,
            Combinators.combine(index, Arbitraries.integers().between(1, 3))
                .as(Sketch.Release::new)),
        Tuple.of(1, index.map(Sketch.ReleaseNode::new)),
        Tuple.of(1, Arbitraries.just(new Sketch.ReleaseAll())),
        Tuple.of(8, step("new", FORMS).map(Sketch.ShortForm::new)),
        Tuple.of(3, changes()));
  }

  private static Arbitrary<Sketch> changes() {
    return step("late", PLAIN).list().ofMinSize(1).ofMaxSize(5).map(Sketch.Changes::new);
  }

  private static Arbitrary<Sketch.Step> step(String node, List<Class<? extends Change>> kinds) {
    Arbitrary<Integer> index = Arbitraries.integers().between(0, 7);
    return Combinators.combine(
            Arbitraries.of(kinds), index, index, Workloads.any(), Nodes.named(node))
        .as(
            (kind, at, other, workload, added) ->
                new Sketch.Step(kind, at, other, workload, added, UNUSED));
  }

  private static Arbitrary<Sketch> batch(int most) {
    Arbitrary<List<AssignOption>> options =
        Arbitraries.frequency(
            Tuple.of(3, List.of()),
            Tuple.of(3, List.of(AssignOption.EXPLAIN)),
            Tuple.of(1, List.of(AssignOption.ALL_OR_NOTHING)),
            Tuple.of(1, List.of(AssignOption.ALL_OR_NOTHING, AssignOption.EXPLAIN)));
    Arbitrary<List<Workload>> workloads = Workloads.any().list().ofMaxSize(most);
    return Combinators.combine(workloads, options).as(Sketch.Assign::new);
  }

  // ---- from seeds ----

  /**
   * A fleet and calls of every kind, with domains, rules and gangs: batches, gangs, single
   * workloads with or without a question before them, and changes, which may turn out to be
   * impossible. A single workload and its question count as one call.
   *
   * @param seed any
   * @return a scenario of {@value #SEEDED_CALLS} calls
   */
  public static Scenario ofSeed(long seed) {
    Dice dice = new Dice(seed);
    RandomFleet fleet = dice.fleet();
    List<Sketch> sketches = new ArrayList<>();
    for (int call = 0; call < SEEDED_CALLS; call++) {
      switch (dice.below(16)) {
        case 0 -> sketches.add(attempt(Change.Release.class, dice, fleet));
        case 1 -> sketches.add(attempt(Change.AddNode.class, dice, fleet));
        case 2 -> sketches.add(attempt(dice.one(OF_NODES), dice, fleet));
        case 3 -> sketches.add(attempt(dice.one(OF_DOMAINS), dice, fleet));
        case 4 -> sketches.add(attempt(Change.Declare.class, dice, fleet));
        case 5 -> sketches.add(attempt(Change.Regroup.class, dice, fleet));
        case 6 -> sketches.add(attempt(Change.Move.class, dice, fleet));
        case 7 -> sketches.add(attempt(Change.Assign.class, dice, fleet));
        case 8, 9 -> sketches.add(assign(dice.batch()));
        case 10, 11 -> sketches.add(assign(dice.gang()));
        default -> {
          Workload single = dice.chance(2) ? dice.workload() : dice.averse();
          if (dice.chance(2)) {
            sketches.add(new Sketch.Explain(single));
          }
          sketches.add(assign(List.of(single)));
        }
      }
    }
    return new Scenario(fleet, sketches);
  }

  private static Sketch assign(List<Workload> batch) {
    return new Sketch.Assign(batch, List.of(AssignOption.EXPLAIN));
  }

  private static Sketch attempt(Class<? extends Change> kind, Dice dice, RandomFleet fleet) {
    int node = dice.below(INDEXES);
    int other = dice.below(INDEXES);
    Workload workload = dice.workload();
    Node added = dice.chance(2) ? dice.nodeWithWorkloads(fleet.domains()) : dice.node();
    return new Sketch.Attempt(new Sketch.Step(kind, node, other, workload, added, dice.domain()));
  }
}

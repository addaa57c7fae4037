package io.lighthouse.tests.generate;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
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
        Tuple.of(2, Nodes.named("new").map(Sketch.AddNode::new)),
        Tuple.of(2, index.map(Sketch.RemoveNode::new)),
        Tuple.of(2, Combinators.combine(index, Nodes.resources()).as(Sketch.Resize::new)),
        Tuple.of(2, Combinators.combine(index, Arbitraries.of(true, false)).as(Sketch.Cordon::new)),
        Tuple.of(3, changes()));
  }

  private static Arbitrary<Sketch> changes() {
    Arbitrary<Integer> index = Arbitraries.integers().between(0, 7);
    return Combinators.combine(index, index, index, Workloads.any(), Nodes.named("late"))
        .as(Sketch.Step::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(5)
        .map(Sketch.Changes::new);
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
}

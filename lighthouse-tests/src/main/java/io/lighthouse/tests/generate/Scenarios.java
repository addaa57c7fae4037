package io.lighthouse.tests.generate;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Change;
import io.lighthouse.api.Node;
import io.lighthouse.api.Workload;
import io.lighthouse.tests.referee.Cases;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;

/** Generators of scenarios. */
public final class Scenarios {
  private static final int MOST_NODES = 5;
  private static final int MOST_SKETCHES = 8;
  private static final int MOST_WORKLOADS = 6;

  private static final List<Class<?>> KINDS = Cases.kinds(Change.class);

  /** The kinds of changes that have a method of their own. */
  private static final List<Class<?>> ALONE =
      List.of(
          Change.AddNode.class,
          Change.RemoveNode.class,
          Change.Resize.class,
          Change.Cordon.class,
          Change.Uncordon.class);

  /** The kinds of changes that need no domain. */
  private static final List<Class<?>> PLAIN =
      Stream.concat(
              ALONE.stream(),
              Stream.of(Change.Release.class, Change.Move.class, Change.Assign.class))
          .toList();

  private static final int CALLS = 14;

  /** More than there are nodes, domains or workloads. */
  private static final int INDEXES = 1 << 16;

  private static final List<List<AssignOption>> OPTIONS =
      List.of(
          List.of(),
          List.of(),
          List.of(),
          List.of(AssignOption.EXPLAIN),
          List.of(AssignOption.EXPLAIN),
          List.of(AssignOption.EXPLAIN),
          List.of(AssignOption.ALL_OR_NOTHING),
          List.of(AssignOption.ALL_OR_NOTHING, AssignOption.EXPLAIN));

  private Scenarios() {}

  /**
   * Any scenario: some batches, and everything that may happen between them; every other one with
   * domains, rules and gangs.
   *
   * @return shrinks towards few small calls on few small nodes
   */
  public static Arbitrary<Scenario> any() {
    return drawn(
        dice ->
            dice.chance(2)
                ? withDomains(dice)
                : ofNodes(dice, MOST_NODES, MOST_SKETCHES, MOST_WORKLOADS));
  }

  /**
   * Scenarios of any size, of nodes alone.
   *
   * @param nodes the most nodes
   * @param calls the most calls
   * @param workloads the most workloads in a batch
   * @return shrinks towards few small calls on few small nodes
   */
  public static Arbitrary<Scenario> of(int nodes, int calls, int workloads) {
    return drawn(dice -> ofNodes(dice, nodes, calls, workloads));
  }

  private static Scenario ofNodes(Dice dice, int nodes, int calls, int workloads) {
    return scenario(dice, dice.plain().nodes(0, nodes), calls, () -> sketch(dice, workloads));
  }

  /**
   * Scenarios with several changes at once in most of their calls.
   *
   * @return shrinks towards few small calls on few small nodes
   */
  public static Arbitrary<Scenario> changing() {
    return drawn(
        dice ->
            scenario(
                dice,
                dice.plain().nodes(0, MOST_NODES),
                MOST_SKETCHES,
                () -> dice.below(5) < 3 ? changes(dice) : sketch(dice, MOST_WORKLOADS)));
  }

  /**
   * One batch on a small fleet, small enough to try every answer.
   *
   * @return scenarios of one {@link Sketch.Assign}
   */
  public static Arbitrary<Scenario> tiny() {
    return drawn(
        dice ->
            scenario(
                dice,
                dice.plain().nodes(0, 3),
                1,
                () -> new Sketch.Assign(dice.plain().batch(1, 4), List.of())));
  }

  /**
   * Short calls that get into each other's way on few nodes of one resource.
   *
   * @param calls how many
   * @return scenarios of that many calls, each of which is a small batch
   */
  public static Arbitrary<Scenario> crowded(int calls) {
    return drawn(
        dice -> {
          List<Sketch> sketches = new ArrayList<>();
          for (int i = 0; i < calls; i++) {
            sketches.add(new Sketch.Assign(dice.plain().batchOfOneResource(), List.of()));
          }
          return new Scenario(dice.plain().nodesOfOneResource(), Optional.empty(), sketches);
        });
  }

  /**
   * Workloads without terms, for the nodes of these scenarios.
   *
   * @return workloads whose name is only the first part of one; shrinks towards one that requires
   *     nothing
   */
  public static Arbitrary<Workload> workloads() {
    return Shrinking.of(dice -> dice.plain().workload(), Shrinking::simpler);
  }

  private static Arbitrary<Scenario> drawn(Function<Dice, Scenario> draw) {
    return Shrinking.of(draw, Scenario::simpler);
  }

  private static Scenario scenario(
      Dice dice, List<Node> nodes, int calls, Supplier<Sketch> sketch) {
    List<Sketch> sketches = new ArrayList<>();
    for (int i = dice.below(calls); i >= 0; i--) {
      sketches.add(sketch.get());
    }
    Optional<String> position =
        nodes.isEmpty() || !dice.chance(5) ? Optional.empty() : Optional.of(dice.one(nodes).name());
    return new Scenario(nodes, position, sketches);
  }

  private static Sketch sketch(Dice dice, int workloads) {
    int kind = dice.below(29);
    if (kind < 12) {
      return new Sketch.Assign(dice.plain().batch(0, workloads), dice.one(OPTIONS));
    }
    if (kind < 20) {
      return new Sketch.Changes(List.of(step(dice, "new", ALONE)));
    }
    if (kind < 24) {
      return new Sketch.Release(dice.below(INDEXES), 1 + dice.below(3));
    }
    return switch (kind) {
      case 24 -> new Sketch.ReleaseNode(dice.below(INDEXES));
      case 25 -> new Sketch.ReleaseAll();
      default -> changes(dice);
    };
  }

  private static Sketch changes(Dice dice) {
    List<Sketch.Step> steps = new ArrayList<>();
    for (int i = dice.below(5); i >= 0; i--) {
      steps.add(step(dice, "late", PLAIN));
    }
    return new Sketch.Changes(steps);
  }

  private static Sketch.Step step(Dice dice, String node, List<Class<?>> kinds) {
    return step(dice, kinds, dice.plain().workload(), dice.plain().node(node));
  }

  private static Sketch.Step step(Dice dice, List<Class<?>> kinds, Workload one, Node added) {
    return new Sketch.Step(
        dice.one(kinds), dice.below(INDEXES), dice.below(INDEXES), one, added, dice.domain());
  }

  // ---- with domains ----

  /**
   * A fleet and calls of every kind, with domains, rules and gangs: batches, gangs, single
   * workloads with or without a question before them, and changes, which may turn out to be
   * impossible. A single workload and its question count as one call.
   *
   * @param seed any
   * @return a scenario of {@value #CALLS} calls
   */
  public static Scenario ofSeed(long seed) {
    return withDomains(new Dice(seed));
  }

  private static Scenario withDomains(Dice dice) {
    RandomFleet fleet = dice.fleet();
    List<Sketch> sketches = new ArrayList<>();
    for (int call = 0; call < CALLS; call++) {
      switch (dice.below(8)) {
        case 0, 1, 2, 3 -> sketches.add(new Sketch.Attempt(step(dice, fleet)));
        case 4 -> sketches.add(assign(dice.batch()));
        case 5 -> sketches.add(assign(dice.gang()));
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

  private static Sketch.Step step(Dice dice, RandomFleet fleet) {
    Node added = dice.chance(2) ? dice.nodeWithWorkloads(fleet.domains()) : dice.node();
    return step(dice, KINDS, dice.workload(), added);
  }
}

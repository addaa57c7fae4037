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

  private static final int CALLS = 16;

  /** More than there are nodes, domains or workloads. */
  private static final int INDEXES = 1 << 16;

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
                ? withDomains(dice, CALLS, false)
                : ofNodes(dice, MOST_NODES, MOST_SKETCHES, () -> sketch(dice, MOST_WORKLOADS)));
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
    return drawn(dice -> ofNodes(dice, nodes, calls, () -> sketch(dice, workloads)));
  }

  /**
   * Scenarios with several changes at once in most of their calls.
   *
   * @return shrinks towards few small calls on few small nodes
   */
  public static Arbitrary<Scenario> changing() {
    return drawn(
        dice ->
            dice.chance(2)
                ? withDomains(dice, 1 + dice.below(MOST_SKETCHES), true)
                : ofNodes(
                    dice,
                    MOST_NODES,
                    MOST_SKETCHES,
                    () ->
                        dice.below(5) < 3
                            ? changes(dice, () -> step(dice, PLAIN))
                            : sketch(dice, MOST_WORKLOADS)));
  }

  /**
   * One batch on a small fleet, small enough to try every answer.
   *
   * @return scenarios of one {@link Sketch.Assign}
   */
  public static Arbitrary<Scenario> tiny() {
    return drawn(dice -> ofNodes(dice, 3, 1, () -> batch(dice, 4)));
  }

  /**
   * Short calls that get into each other's way on few nodes.
   *
   * @param calls how many
   * @return scenarios of that many calls, each of which is a small batch
   */
  public static Arbitrary<Scenario> crowded(int calls) {
    return drawn(
        dice ->
            new Scenario(
                dice.plain().nodes(1, 3),
                Optional.empty(),
                Stream.generate(() -> batch(dice, 3)).limit(calls).toList()));
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

  private static Sketch batch(Dice dice, int most) {
    return new Sketch.Assign(dice.plain().batch(1, most), List.of());
  }

  private static Arbitrary<Scenario> drawn(Function<Dice, Scenario> draw) {
    return Shrinking.of(draw, Scenario::simpler);
  }

  private static Scenario ofNodes(Dice dice, int most, int calls, Supplier<Sketch> sketch) {
    List<Node> nodes = dice.plain().nodes(0, most);
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
      return assign(dice, dice.plain().batch(0, workloads));
    }
    return kind < 20
        ? new Sketch.Changes(List.of(step(dice, ALONE)))
        : releaseOrChanges(dice, () -> step(dice, PLAIN));
  }

  private static Sketch assign(Dice dice, List<Workload> batch) {
    return new Sketch.Assign(
        batch,
        Stream.of(AssignOption.values())
            .filter(option -> dice.chance(option == AssignOption.EXPLAIN ? 2 : 4))
            .toList());
  }

  private static Sketch releaseOrChanges(Dice dice, Supplier<Sketch.Step> step) {
    return switch (dice.below(9)) {
      case 0, 1, 2, 3 -> new Sketch.Release(dice.below(INDEXES), 1 + dice.below(3));
      case 4 -> new Sketch.ReleaseNode(dice.below(INDEXES));
      case 5 -> new Sketch.ReleaseAll();
      default -> changes(dice, step);
    };
  }

  private static Sketch changes(Dice dice, Supplier<Sketch.Step> step) {
    return new Sketch.Changes(Stream.generate(step).limit(1 + dice.below(5)).toList());
  }

  private static Sketch.Step step(Dice dice, List<Class<?>> kinds) {
    return step(dice, kinds, dice.plain().workload(), dice.plain().node("new"));
  }

  private static Sketch.Step step(Dice dice, List<Class<?>> kinds, Workload one, Node added) {
    return new Sketch.Step(
        dice.one(kinds), dice.below(INDEXES), dice.below(INDEXES), one, added, dice.domain());
  }

  // ---- with domains ----

  /**
   * A fleet and calls of every kind, with domains, rules and gangs: batches, gangs, single
   * workloads with or without a question before them, releases, and changes. A change that comes
   * alone may turn out to be impossible. A single workload and its question count as one call.
   *
   * @param seed any
   * @return a scenario of {@value #CALLS} calls
   */
  public static Scenario ofSeed(long seed) {
    return withDomains(new Dice(seed), CALLS, false);
  }

  private static Scenario withDomains(Dice dice, int calls, boolean changing) {
    RandomFleet fleet = dice.fleet();
    Supplier<Sketch.Step> sound = () -> step(dice, KINDS, dice.workload(), dice.node());
    List<Sketch> sketches = new ArrayList<>();
    for (int call = 0; call < calls; call++) {
      if (changing && dice.below(5) < 3) {
        sketches.add(changes(dice, sound));
        continue;
      }
      switch (dice.below(9)) {
        case 0, 1, 2, 3 -> sketches.add(new Sketch.Attempt(step(dice, fleet)));
        case 4 -> sketches.add(releaseOrChanges(dice, sound));
        case 5 -> sketches.add(assign(dice, dice.batch()));
        case 6 -> sketches.add(assign(dice, dice.gang()));
        default -> {
          Workload single = dice.chance(2) ? dice.workload() : dice.averse();
          if (dice.chance(2)) {
            sketches.add(new Sketch.Explain(single));
          }
          sketches.add(assign(dice, List.of(single)));
        }
      }
    }
    return new Scenario(fleet, sketches);
  }

  /** A step whose node may bring workloads, which the domains at that time may not allow. */
  private static Sketch.Step step(Dice dice, RandomFleet fleet) {
    Node added = dice.chance(2) ? dice.nodeWithWorkloads(fleet.domains()) : dice.node();
    return step(dice, KINDS, dice.workload(), added);
  }
}

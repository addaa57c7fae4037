package io.lighthouse.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.StrategyException;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.core.Distributors;
import io.lighthouse.core.oracle.NaiveFleet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.statistics.Statistics;
import org.junit.jupiter.api.Test;

/**
 * A whole-batch strategy is condemned if and only if its final state is unlawful: never where some
 * order of placements alone leads there, always where none does. The oracle tries every order.
 */
class JudgeProperties {
  private SplittableRandom random;
  private final List<Node> nodes = new ArrayList<>();
  private final List<Workload> batch = new ArrayList<>();

  /** Where the strategy left each workload; -1 for none. */
  private int[] end;

  @Property(tries = 1000, shrinking = ShrinkingMode.OFF)
  void condemnsTheUnlawfulAndNothingElse(@ForAll long seed) {
    random = new SplittableRandom(seed);
    nodes.clear();
    batch.clear();
    boolean mayDecline = random.nextBoolean();
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      Node node =
          Node.of("n" + i, Resources.of("cpu", random.nextInt(5), "mem", random.nextInt(5)));
      nodes.add(
          random.nextInt(3) > 0 ? node : node.withWorkloads(workload("b" + i, random.nextInt(3))));
    }
    for (int i = 0; i < 1 + random.nextInt(6); i++) {
      batch.add(workload("w" + i, random.nextInt(-3, 4)));
    }
    Distributor distributor =
        Distributors.of(new PlantedFleet.Planted(mayDecline, all -> (BatchPlacer) this::wander))
            .nodes(nodes)
            .build();
    Throwable thrown = catchThrowable(() -> distributor.assign(batch));
    NaiveFleet oracle = new NaiveFleet();
    nodes.forEach(oracle::add);
    String wrong = wrong(oracle, mayDecline);
    Statistics.collect(wrong == null ? "lawful" : wrong);
    if (wrong == null) {
      assertThat(thrown).isNull();
      standsInAnOrderThatFits(distributor.snapshot().nodes());
    } else {
      assertThat(thrown).isInstanceOf(StrategyException.class).hasMessageContaining(wrong);
      assertThat(distributor.snapshot().placedCount()).isEqualTo(oracle.placedNames().size());
    }
  }

  private Workload workload(String name, int cpu) {
    return new Workload(
        name,
        Resources.of("cpu", cpu, "mem", random.nextInt(-2, 4)),
        random.nextInt(3) == 0 ? Set.of(random.nextBoolean() ? "cpu" : "mem") : Set.of(),
        random.nextInt(4) == 0 ? Set.of("g") : Set.of());
  }

  /** Any moves that the session lets through, then first fit for most of the rest. */
  private void wander(Session session) {
    for (int step = 0; step < 25; step++) {
      int one = random.nextInt(session.size());
      if (session.nodeOf(one) >= 0) {
        session.release(one);
      }
      int node = random.nextInt(nodes.size());
      if (random.nextInt(5) > 0 && session.fits(one, node)) {
        session.assign(one, node);
      }
    }
    for (int one = 0; one < session.size() && random.nextInt(8) > 0; one++) {
      if (session.nodeOf(one) < 0 && session.candidates(one).iterator().hasNext()) {
        session.assign(one, session.candidates(one).first().index());
      }
    }
    end = new int[session.size()];
    for (int one = 0; one < end.length; one++) {
      end[one] = session.nodeOf(one);
    }
  }

  /** What the strategy did wrong, in the words of its error; null where nothing. */
  private String wrong(NaiveFleet oracle, boolean mayDecline) {
    NaiveFleet state = oracle.copy();
    for (int node = 0; node < nodes.size(); node++) {
      List<Workload> here = new ArrayList<>();
      for (int one = 0; one < end.length; one++) {
        if (end[one] == node) {
          here.add(batch.get(one));
        }
      }
      if (!someOrderFits(oracle.copy(), node, here)) {
        return "without one that was taken away again";
      }
      int on = node;
      here.forEach(workload -> state.place(workload, on));
    }
    for (int one = 0; one < end.length; one++) {
      Workload workload = batch.get(one);
      if (end[one] < 0 && !mayDecline && state.first(workload, 0) >= 0) {
        return "refused workload '" + workload.name() + "'";
      }
      if (end[one] >= 0) {
        NaiveFleet without = state.copy();
        without.release(workload.name());
        int best = without.first(workload, 0);
        if (without.averse(end[one], workload) && best >= 0 && !without.averse(best, workload)) {
          if (!someOrderFits(oracle.copy(), end[one], others(one))) {
            Statistics.label("averse").collect("others live on it");
            continue;
          }
          return "left workload '" + workload.name() + "' on the averse";
        }
      }
    }
    return null;
  }

  private List<Workload> others(int one) {
    List<Workload> others = new ArrayList<>();
    for (int other = 0; other < end.length; other++) {
      if (other != one && end[other] == end[one]) {
        others.add(batch.get(other));
      }
    }
    return others;
  }

  private static boolean someOrderFits(NaiveFleet fleet, int node, List<Workload> waiting) {
    if (waiting.isEmpty()) {
      return true;
    }
    for (Workload next : List.copyOf(waiting)) {
      if (fleet.fits(node, next)) {
        List<Workload> others = new ArrayList<>(waiting);
        others.remove(next);
        fleet.place(next, node);
        boolean fits = someOrderFits(fleet, node, others);
        fleet.release(next.name());
        if (fits) {
          return true;
        }
      }
    }
    return false;
  }

  private void standsInAnOrderThatFits(List<NodeState> after) {
    NaiveFleet fleet = new NaiveFleet();
    nodes.forEach(fleet::add);
    for (int node = 0; node < nodes.size(); node++) {
      for (Workload workload : after.get(node).workloads()) {
        if (batch.contains(workload)) {
          assertThat(fleet.fits(node, workload)).isTrue();
          fleet.place(workload, node);
        }
      }
      assertThat(after.get(node).left()).isEqualTo(fleet.lefts(node));
    }
  }

  /**
   * Where the giver went to the friendly node, the taker would fit only there, beside the giver
   * again: there would be no lawful end at all.
   */
  @Test
  void aGiverThatAnotherLivesOnStaysOnItsAverseNode() {
    List<Boolean> releasable = new ArrayList<>();
    List<Workload> both =
        List.of(
            PlantedFleet.workload("g", "cpu", -3).withAversionGroups("red"),
            PlantedFleet.workload("t", "cpu", 3).withAversionGroups("red"),
            PlantedFleet.workload("h", "cpu", -3));
    Distributor distributor =
        Distributors.of(
                new PlantedFleet.Planted(
                    true,
                    all ->
                        (BatchPlacer)
                            session -> {
                              session.assign(0, 0);
                              session.assign(2, 0);
                              session.assign(1, 0);
                              for (int one = 0; one < 3; one++) {
                                releasable.add(session.releasable(one));
                              }
                              session.release(2);
                              assertThatThrownBy(() -> session.releasable(2))
                                  .isInstanceOf(IllegalStateException.class)
                                  .hasMessage("workload 'h' is not placed");
                              releasable.add(session.releasable(0));
                            }))
            .nodes(PlantedFleet.node("n", "cpu", 0), PlantedFleet.node("m", "cpu", 0))
            .build();
    assertThat(distributor.assign(both).nodeOf("g")).contains("n");
    assertThat(distributor.node("n").left()).isEqualTo(Resources.of("cpu", 0));
    assertThat(releasable).containsExactly(true, true, true, false);
  }

  /** The example of the contract: givers first would refuse it, and so would the immune last. */
  @Test
  void aGiverThatNeedsMoreThanThereIsAndIsImmuneMayComeLast() {
    List<Workload> both =
        List.of(
            PlantedFleet.workload("p", "cpu", 1, "mem", 3),
            PlantedFleet.workload("g", "cpu", -1, "mem", 10).withImmunities("mem"));
    Distributor distributor =
        Distributors.of(
                new PlantedFleet.Planted(
                    false,
                    all ->
                        (BatchPlacer)
                            session -> {
                              session.assign(1, 0);
                              session.release(1);
                              session.assign(0, 0);
                              session.assign(1, 0);
                            }))
            .nodes(PlantedFleet.node("n", "cpu", 1, "mem", 5))
            .build();
    assertThat(distributor.assign(both).allPlaced()).isTrue();
    assertThat(distributor.node("n").left()).isEqualTo(Resources.of("cpu", 1, "mem", -8));
  }
}

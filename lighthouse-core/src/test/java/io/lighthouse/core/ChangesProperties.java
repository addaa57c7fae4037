package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.InvalidChangeException;
import io.lighthouse.api.Node;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.StrategyException;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.oracle.NaiveFleet;
import io.lighthouse.core.oracle.ProblemMaker;
import io.lighthouse.core.oracle.RandomChanges;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Laws of changes as values, over random lives of a fleet and against an oracle that keeps no log.
 * They cover which changes succeed, what remains of those that fail, what is taken back, and what
 * is reported.
 */
class ChangesProperties {
  private final List<Node> nodes = new ArrayList<>();
  private NaiveFleet naive;
  private ProblemMaker maker;
  private RandomChanges changes;
  private Distributor distributor;

  private void begin(long seed, PlacementStrategy strategy) {
    maker = new ProblemMaker(seed);
    changes = new RandomChanges(maker);
    nodes.clear();
    naive = new NaiveFleet();
    for (int i = 0; i < 1 + maker.nodes % 12; i++) {
      nodes.add(maker.node());
      naive.add(nodes.get(i));
    }
    distributor = Distributors.of(strategy).nodes(nodes).build();
  }

  private static List<Object> state(Distributor distributor) {
    Snapshot now = distributor.snapshot();
    return List.of(now.nodes(), now.lastPlaced(), now.placedCount(), now.generation());
  }

  /** The state that the oracle has, in the same form. */
  private void agree() {
    assertThat(AuditTest.audit(distributor)).isEmpty();
    Snapshot now = distributor.snapshot();
    assertThat(now.nodes()).hasSize(naive.size());
    for (int node = 0; node < naive.size(); node++) {
      assertThat(now.nodes().get(node).name()).isEqualTo(naive.name(node));
      assertThat(now.nodes().get(node).left()).isEqualTo(naive.lefts(node));
      assertThat(now.nodes().get(node).capacity()).isEqualTo(naive.capacities(node));
      assertThat(now.nodes().get(node).workloads()).isEqualTo(naive.workloads(node));
      assertThat(now.nodes().get(node).cordoned()).isEqualTo(naive.cordoned(node));
    }
    assertThat(now.lastPlaced().orElse(null))
        .isEqualTo(naive.lastPlaced() < 0 ? null : naive.name(naive.lastPlaced()));
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void allOfThemAreCarriedOutOrNone(@ForAll long seed) {
    begin(seed, LivingFleet.roundRobin());
    for (int round = 0; round < 15; round++) {
      List<Change> some = changes.some(naive);
      int wrong = naive.copy().carryOutPossible(some);
      List<Object> before = state(distributor);
      if (wrong < some.size()) {
        assertThatThrownBy(() -> distributor.apply(some))
            .isInstanceOfSatisfying(
                InvalidChangeException.class,
                thrown -> {
                  assertThat(thrown.step()).isEqualTo(wrong);
                  assertThat(thrown.change()).isEqualTo(some.get(wrong));
                  assertThat(thrown)
                      .hasMessageContaining("change " + (wrong + 1) + " of " + some.size());
                });
        assertThat(state(distributor)).isEqualTo(before);
      } else {
        distributor.apply(some);
        some.forEach(naive::carryOut);
      }
      agree();
    }
  }

  /** Whatever the question does, also where it throws, and where it tries something out itself. */
  @Property(shrinking = ShrinkingMode.OFF)
  void whatIsTriedOutLeavesNothingBehind(@ForAll long seed) {
    begin(seed, LivingFleet.roundRobin());
    Distributor untouched = Distributors.of(LivingFleet.roundRobin()).nodes(nodes).build();
    for (int round = 0; round < 8; round++) {
      List<Object> before = state(distributor);
      tryOut(distributor, naive.copy(), 2);
      assertThat(state(distributor)).isEqualTo(before);
      agree();
      LivingFleet.step(maker, changes, naive, List.of(distributor, untouched));
      assertThat(state(distributor)).isEqualTo(state(untouched));
      Workload next = maker.workload();
      assertThat(distributor.explain(next)).isEqualTo(untouched.explain(next));
      assertThat(distributor.fitting(next)).isEqualTo(untouched.fitting(next));
    }
  }

  private void tryOut(Distributor outer, NaiveFleet then, int depth) {
    List<Change> some = changes.some(then);
    boolean goes = then.copy().carryOutPossible(some) == some.size();
    boolean throwing = maker.chance(4);
    Throwable thrown =
        catchThrowable(
            () ->
                outer.tryOut(
                    some,
                    tried -> {
                      some.forEach(then::carryOut);
                      assertThat(tried.snapshot().nodes()).hasSize(then.size());
                      question(tried, then, depth);
                      if (throwing) {
                        throw new IllegalStateException("asked enough");
                      }
                      return null;
                    }));
    if (!goes) {
      assertThat(thrown).isInstanceOf(InvalidChangeException.class);
    } else if (throwing) {
      assertThat(thrown).isInstanceOf(IllegalStateException.class).hasMessage("asked enough");
    } else {
      assertThat(thrown).isNull();
    }
  }

  private void question(Distributor tried, NaiveFleet then, int depth) {
    List<Workload> batch = new ArrayList<>();
    for (int i = maker.random.nextInt(5); i >= 0; i--) {
      batch.add(maker.workload());
    }
    tried.explain(0, batch);
    tried.fitting(batch.get(0));
    tried.assign(batch, maker.chance(2) ? AssignOption.EXPLAIN : AssignOption.ALL_OR_NOTHING);
    Snapshot now = tried.snapshot();
    if (now.placedCount() > 0 && maker.chance(2)) {
      tried.releaseNode(now.nodes().get(maker.random.nextInt(now.nodes().size())).name());
    }
    if (maker.chance(5)) {
      tried.releaseAll();
    }
    Distributor copy = tried.copy();
    assertThat(state(copy).subList(0, 3)).isEqualTo(state(tried).subList(0, 3));
    if (depth > 0) {
      NaiveFleet inside = naive(tried);
      List<Object> before = state(tried);
      tryOut(tried, inside, depth - 1);
      assertThat(state(tried)).isEqualTo(before);
    }
    assertThat(then.conserves()).isTrue();
    assertThat(AuditTest.audit(tried)).isEmpty();
  }

  /** The oracle made anew from what a fleet shows. */
  private static NaiveFleet naive(Distributor shown) {
    NaiveFleet made = new NaiveFleet();
    Snapshot now = shown.snapshot();
    now.nodes().forEach(node -> made.add(node.toNode()));
    return made;
  }

  /** A number stands for one state only, and does not move where nothing does. */
  @Property(shrinking = ShrinkingMode.OFF)
  void equalGenerationsAreEqualStatesAndChangesAreNewOnes(@ForAll long seed) {
    begin(seed, LivingFleet.roundRobin());
    assertThat(distributor.generation()).isZero();
    Map<Long, List<Object>> known = new HashMap<>();
    known.put(0L, state(distributor));
    for (int round = 0; round < 20; round++) {
      long before = distributor.generation();
      LivingFleet.step(maker, changes, naive, List.of(distributor));
      long after = distributor.generation();
      List<Object> now = state(distributor);
      assertThat(distributor.snapshot().generation()).isEqualTo(after);
      assertThat(after).isGreaterThanOrEqualTo(before);
      assertThat(known.getOrDefault(after, now)).isEqualTo(now);
      assertThat(AuditTest.audit(distributor)).isEmpty();
      known.put(after, now);
    }
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void whatIsToldReplaysToAnEqualState(@ForAll long seed) {
    replays(seed, LivingFleet.roundRobin());
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void whatIsToldOfWholeBatchesReplaysToAnEqualState(@ForAll long seed) {
    replays(seed, new LivingFleet.Wandering(seed));
  }

  private void replays(long seed, PlacementStrategy strategy) {
    begin(seed, strategy);
    Distributor follower = Distributors.of(LivingFleet.roundRobin()).nodes(nodes).build();
    List<Long> told = new ArrayList<>();
    List<Throwable> wrong = new ArrayList<>();
    distributor.onChange(
        (generation, done) -> {
          assertThat(done).isNotEmpty();
          told.add(generation);
          Throwable thrown = catchThrowable(() -> follower.apply(done));
          if (thrown != null) {
            wrong.add(thrown);
          }
        });
    for (int round = 0; round < 12; round++) {
      long before = distributor.generation();
      int calls = told.size();
      try {
        LivingFleet.step(maker, changes, naive, List.of(distributor));
      } catch (StrategyException unlawful) {
        assertThat(strategy).isInstanceOf(LivingFleet.Wandering.class);
        assertThat(distributor.generation()).isEqualTo(before);
      }
      List<Object> now = state(distributor);
      assertThat(wrong).isEmpty();
      assertThat(AuditTest.audit(distributor)).isEmpty();
      assertThat(state(follower).subList(0, 3)).isEqualTo(now.subList(0, 3));
      assertThat(told.size()).isEqualTo(calls + (distributor.generation() > before ? 1 : 0));
    }
    assertThat(told).isSorted().doesNotHaveDuplicates();
  }
}

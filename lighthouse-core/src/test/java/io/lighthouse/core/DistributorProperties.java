package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BatchOrder;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.NodeOrder;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.oracle.NaiveFleet;
import io.lighthouse.core.oracle.ProblemMaker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Two distributors live one life, one of them disturbed by what must not matter: they stay equal.
 */
class DistributorProperties {
  /** First, round or tightest, as the fleet requires. */
  private record Any(int kind, Rubric rubric) implements PlacementStrategy {
    @Override
    public String name() {
      return "any";
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      NodeOrder order = fleet.orderBy(rubric);
      return switch (kind) {
        case 0 -> (workload, candidates) -> candidates.first();
        case 1 -> (workload, candidates) -> candidates.firstAfter(fleet.lastPlaced());
        case 2 -> (workload, candidates) -> candidates.first(order);
        default -> (workload, candidates) -> candidates.first(order.descending());
      };
    }

    int expected(NaiveFleet naive, Workload workload) {
      return switch (kind) {
        case 0 -> naive.first(workload, 0);
        case 1 -> naive.first(workload, naive.lastPlaced() + 1);
        case 2 -> naive.first(workload, rubric, false);
        default -> naive.first(workload, rubric, true);
      };
    }
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void lookingChangesNothing(@ForAll long seed) {
    ProblemMaker maker = new ProblemMaker(seed);
    live(
        maker,
        distributor -> {
          Workload look = maker.workload();
          distributor.fitting(look);
          distributor.explain(look);
          distributor.explain(1, List.of(maker.workload(), look, maker.workload()));
          distributor.snapshot().nodes();
          distributor.copy().assign(maker.workload(), maker.workload());
          distributor.assign(
              List.of(
                  look,
                  maker.workload(),
                  Workload.of("nowhere", Resources.of("nobody-has-that", 0))),
              AssignOption.ALL_OR_NOTHING);
          return distributor;
        });
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void aCopyGoesOnAsTheOriginalWouldHave(@ForAll long seed) {
    live(new ProblemMaker(seed), Distributor::copy);
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void aStateWrittenOutAndBuiltAgainGoesOnAsIfNothingHadBeen(@ForAll long seed) {
    ProblemMaker maker = new ProblemMaker(seed);
    Any[] strategy = new Any[1];
    live(
        maker,
        distributor -> {
          Snapshot snapshot = distributor.snapshot();
          Distributors.Builder builder =
              Distributors.of(strategy[0])
                  .nodes(snapshot.nodes().stream().map(NodeState::toNode).toList());
          snapshot.lastPlaced().ifPresent(builder::lastPlaced);
          return builder.build();
        },
        strategy);
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void anExplanationSaysWhatHappensAndOfWhichNodesItIsTrue(@ForAll long seed) {
    ProblemMaker maker = new ProblemMaker(seed);
    Any chooser = new Any(maker.random.nextInt(4), maker.rubric());
    boolean ordered = maker.chance(2);
    List<Node> nodes = new ArrayList<>();
    NaiveFleet naive = new NaiveFleet();
    for (int i = 0; i < 1 + maker.nodes % 30; i++) {
      nodes.add(maker.node());
      naive.add(nodes.get(i));
    }
    Distributor distributor =
        Distributors.of(ordered ? new LargestFirst(chooser) : chooser).nodes(nodes).build();
    List<Workload> batch = new ArrayList<>();
    for (int i = 0; i < 1 + maker.random.nextInt(12); i++) {
      batch.add(maker.workload());
    }
    Assignments would = distributor.copy().assign(batch);
    List<Integer> turns = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      turns.add(i);
    }
    if (ordered) {
      turns.sort(
          Comparator.comparing((Integer i) -> NaiveFleet.score(batch.get(i), chooser.rubric))
              .reversed()
              .thenComparing(i -> batch.get(i).name(), NaiveFleet::compareNames));
    }
    for (int turn : turns) {
      Workload workload = batch.get(turn);
      Explanation explanation = distributor.explain(turn, batch);
      int expected = chooser.expected(naive, workload);
      assertThat(explanation.chosen()).isEqualTo(would.node(turn));
      assertThat(explanation.chosen().orElse(null))
          .isEqualTo(expected < 0 ? null : naive.name(expected));
      boolean friendly = expected >= 0 && !naive.averse(expected, workload);
      for (int node = 0; node < naive.size(); node++) {
        NodeVerdict verdict = explanation.nodes().get(node);
        assertThat(verdict.node()).isEqualTo(naive.name(node));
        assertThat(verdict.fits()).isEqualTo(naive.fits(node, workload));
        if (verdict.fits() && node != expected) {
          boolean averse = friendly && naive.averse(node, workload);
          assertThat(verdict.reasons())
              .extracting(Reason::kind)
              .containsExactly(averse ? Reason.Kind.AVERSE : Reason.Kind.LATER);
        }
      }
      if (expected >= 0) {
        naive.place(workload, expected);
      }
    }
    assertThat(distributor.snapshot().nodeOf(batch.get(0).name())).isEmpty();
  }

  /** The same choices, the largest workload first. */
  private record LargestFirst(Any chooser) implements PlacementStrategy {
    @Override
    public String name() {
      return "largest-first";
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      Placer placer = chooser.newPlacer(fleet, settings);
      return new Placer() {
        @Override
        public FleetNode choose(Workload workload, Candidates candidates) {
          return placer.choose(workload, candidates);
        }

        @Override
        public BatchOrder order() {
          return BatchOrder.scoreDescending(chooser.rubric);
        }
      };
    }
  }

  private static void live(ProblemMaker maker, UnaryOperator<Distributor> disturb) {
    live(maker, disturb, new Any[1]);
  }

  private static void live(ProblemMaker maker, UnaryOperator<Distributor> disturb, Any[] strategy) {
    strategy[0] = new Any(maker.random.nextInt(4), maker.rubric());
    List<Node> nodes = new ArrayList<>();
    NaiveFleet naive = new NaiveFleet();
    for (int i = 0; i < 1 + maker.nodes % 70; i++) {
      nodes.add(maker.node());
      naive.add(nodes.get(i));
    }
    Distributor plain = Distributors.of(strategy[0]).nodes(nodes).build();
    Distributor disturbed = Distributors.of(strategy[0]).nodes(nodes).build();
    for (int step = 0; step < 12; step++) {
      if (!maker.chance(3)) {
        disturbed = disturb.apply(disturbed);
      }
      List<Workload> batch = new ArrayList<>();
      for (int i = 0; i < 1 + maker.random.nextInt(15); i++) {
        batch.add(maker.workload());
      }
      Assignments answer = plain.assign(batch, AssignOption.EXPLAIN);
      assertThat(disturbed.assign(batch, AssignOption.EXPLAIN)).isEqualTo(answer);
      for (Workload workload : batch) {
        int expected = strategy[0].expected(naive, workload);
        assertThat(answer.nodeOf(workload.name()).orElse(null))
            .isEqualTo(expected < 0 ? null : naive.name(expected));
        if (expected >= 0) {
          naive.place(workload, expected);
        }
      }
      for (String name : naive.placedNames()) {
        if (maker.chance(5)) {
          plain.release(name);
          disturbed.release(name);
          naive.release(name);
        }
      }
      int node = maker.random.nextInt(naive.size());
      if (maker.chance(3)) {
        naive.cordon(node, maker.chance(2));
        for (Distributor one : List.of(plain, disturbed)) {
          if (naive.cordoned(node)) {
            one.cordon(naive.name(node));
          } else {
            one.uncordon(naive.name(node));
          }
        }
      }
      if (maker.chance(4)) {
        Node late = maker.node();
        plain.addNode(late);
        disturbed.addNode(late);
        naive.add(late);
      }
      if (naive.size() > 1 && naive.workloads(node).isEmpty() && maker.chance(2)) {
        plain.removeNode(naive.name(node));
        disturbed.removeNode(naive.name(node));
        naive.remove(node);
      }
      assertThat(disturbed.snapshot().nodes()).isEqualTo(plain.snapshot().nodes());
      assertThat(disturbed.snapshot().lastPlaced()).isEqualTo(plain.snapshot().lastPlaced());
      assertThat(AuditTest.audit(plain)).isEmpty();
      assertThat(AuditTest.audit(disturbed)).isEmpty();
    }
  }
}

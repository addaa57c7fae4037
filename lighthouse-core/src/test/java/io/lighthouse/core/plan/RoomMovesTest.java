package io.lighthouse.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.core.budget.StepBudget;
import io.lighthouse.core.constraint.NamedRules;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.search.Finder;
import io.lighthouse.core.share.Mean;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which moves gather room, and which steps they leave for the rest of a plan. */
class RoomMovesTest {
  private static final long STEPS = 10_000;

  private final Ledger ledger = new Ledger();
  private final Finder finder = new Finder(ledger, NamedRules.NONE);

  private static Resources amounts(long cpu, long mem) {
    return Resources.of("cpu", cpu, "mem", mem);
  }

  private static Workload workload(String name, long cpu, long mem) {
    return Workload.of(name, amounts(cpu, mem));
  }

  private void add(Node... nodes) {
    ledger.nodeChanges().add(List.of(nodes));
    ledger.commit();
  }

  private void place(String node, Workload... workloads) {
    Batch batch = Batch.open(ledger, List.of(workloads));
    for (int i = 0; i < batch.size(); i++) {
      ledger.place(batch.entry(i), ledger.nodes().node(node), batch.demand(i));
    }
    batch.close();
    ledger.commit();
  }

  private <T> T planned(
      StepBudget budget, Workload[] newcomers, BiFunction<PlanSession, int[], T> plan) {
    Batch batch = Batch.open(ledger, List.of(newcomers));
    try {
      PlanSession session = new PlanSession(ledger, finder, PlanLimits.NONE, budget);
      return plan.apply(session, IntStream.range(0, batch.size()).map(batch::entry).toArray());
    } finally {
      batch.close();
    }
  }

  /** The number of moves that gather room for some newcomers. */
  private int gathered(StepBudget budget, long kept, Workload... newcomers) {
    return planned(
        budget,
        newcomers,
        (session, entries) -> {
          new RoomMoves(session, new NeedTable(session, entries), entries, kept).gather();
          return session.done.size();
        });
  }

  private int gathered(Workload... newcomers) {
    return gathered(new StepBudget(STEPS), 0, newcomers);
  }

  private Mean[] means(Workload... newcomers) {
    return planned(
        new StepBudget(STEPS),
        newcomers,
        (session, entries) -> new NeedTable(session, entries).means(entries));
  }

  @Test
  void aWorkloadLeavesANodeThatLacksWhatItNeedsMost() {
    add(Node.of("n0", amounts(10, 4)), Node.of("n1", amounts(10, 20)));
    place("n0", workload("w", 1, 4));
    assertThat(gathered(workload("new", 5, 5))).isEqualTo(1);
  }

  @Test
  void whatAnImmuneWorkloadTakesIsNoRoom() {
    add(Node.of("n0", amounts(20, 4)), Node.of("n1", amounts(10, 20)));
    place("n0", workload("w", 10, 4).withImmunities("cpu"));
    assertThat(gathered(workload("new", 5, 5))).isZero();
  }

  @Test
  void noRoomIsGatheredOnACordonedNode() {
    add(Node.of("n0", amounts(10, 4)), Node.of("n1", amounts(10, 20)));
    place("n0", workload("w", 1, 4));
    ledger.nodeChanges().cordon(ledger.nodes().node("n0"), true);
    ledger.commit();
    assertThat(gathered(workload("new", 5, 5))).isZero();
  }

  @Test
  void meansOfManyWorkloadsWithSmallNeedsAreExact() {
    add(Node.of("n0", amounts(100, 100)));
    Workload[] small = new Workload[100];
    for (int i = 0; i < small.length; i++) {
      small[i] = workload("w" + i, 3 + i % 2, i == 0 ? 1 : 0);
    }
    Mean[] means = means(small);
    assertThat(means[0].share(7, 10)).as("3.5").isEqualTo(2 << 10);
    assertThat(means[1].share(1, 10)).as("a hundredth").isEqualTo(100 << 10);
  }

  @Test
  void theStepsAndReadsForLaterAreLeft() {
    List<Workload> all = new ArrayList<>();
    add(Node.of("n0", amounts(1000, 400)), Node.of("n1", amounts(1000, 2000)));
    for (int i = 0; i < 30; i++) {
      add(Node.of("full" + i, amounts(0, 0)));
    }
    for (int i = 0; i < 400; i++) {
      all.add(workload("w" + i, 0, 1));
    }
    place("n0", all.toArray(Workload[]::new));
    StepBudget budget = new StepBudget(100);
    assertThat(gathered(budget, 60, workload("new", 5, 5))).isBetween(5, 15);
    assertThat(budget.leftWithReads()).isBetween(55L, 60L);
  }

  @Test
  void noStepsAreSpentIfNothingMoves() {
    Node[] nodes = new Node[40];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = Node.of("n" + i, amounts(10, 10));
    }
    add(nodes);
    for (int i = 0; i < nodes.length; i++) {
      place("n" + i, workload("a" + i, 4, 4), workload("b" + i, 4, 4));
    }
    StepBudget budget = new StepBudget(1_000);
    PlanGoal goal = new PlanGoal.Place(List.of(workload("new", 3, 3)));
    Plan plan = Planner.plan(ledger, finder, 0, goal, PlanLimits.NONE, budget);
    assertThat(plan.bound().reached()).as("no workload can move").isTrue();
  }
}

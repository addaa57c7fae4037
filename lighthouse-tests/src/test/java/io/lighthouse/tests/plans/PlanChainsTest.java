package io.lighthouse.tests.plans;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Gang;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.Distributors;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Room that more than one workload has to make, and what is proven where none can. */
class PlanChainsTest {
  private static Workload workload(String name, int cpu, int mem) {
    return Workload.of(name, Resources.of("cpu", cpu, "mem", mem));
  }

  private static Node node(String name, int cpu, int mem, Workload... there) {
    return Node.of(name, Resources.of("cpu", cpu, "mem", mem)).withWorkloads(there);
  }

  private static Distributor fleet(Node... nodes) {
    return Distributors.installed().strategy("prioritized").nodes(nodes).build();
  }

  /** The plan that places one more, which is carried out change by change. */
  private static Plan placing(Distributor fleet, PlanLimits limits, Workload... newcomers) {
    Plan plan = fleet.advisor().plan(new PlanGoal.Place(List.of(newcomers)), limits);
    Distributor replayed = fleet.copy();
    for (Change change : plan.changes()) {
      replayed.apply(change);
    }
    assertThat(replayed.snapshot().placedCount()).isEqualTo(plan.after().placed());
    return plan;
  }

  @Test
  void twoLeaveForOne() {
    Distributor fleet =
        fleet(
            node("n0", 0, 0, workload("a", 2, 2), workload("b", 2, 2)),
            node("n1", 2, 2),
            node("n2", 2, 2));
    Plan plan = placing(fleet, PlanLimits.NONE, workload("new", 4, 4));
    assertThat(plan.unmet()).isEmpty();
    assertThat(plan.moves()).isEqualTo(2);
  }

  /** The small one makes room enough, but the other one is of the newcomer's group. */
  @Test
  void theOneWithWhichTheNewcomerMayNotBeLeaves() {
    Workload other = workload("other", 3, 3).withAversionGroups("g");
    Distributor fleet = fleet(node("n0", 0, 4, workload("small", 1, 1), other), node("n1", 3, 3));
    Workload newcomer = workload("new", 1, 4).withAversionGroups("g");
    Plan plan = placing(fleet, PlanLimits.NONE, newcomer);
    assertThat(plan.unmet()).isEmpty();
    assertThat(plan.changes())
        .containsExactly(new Change.Move("other", "n0", "n1"), new Change.Assign(newcomer, "n0"));
    assertThat(fleet.advisor().remedies(newcomer, Set.of()).toString()).contains("move 'other'");
  }

  /** The smaller one of the newcomer's group fits no other node. */
  @Test
  void theOneOfTheGroupLeavesThatCan() {
    Terms member = Terms.NONE.inGroups("g");
    Workload stays =
        Workload.of("stays", Resources.of("cpu", 2, "mem", 2, "gpu", 1)).withTerms(member);
    Workload goes = workload("goes", 3, 3).withTerms(member);
    Distributor fleet =
        fleet(
            Node.of("n0", Resources.of("cpu", 0, "mem", 4, "gpu", 1))
                .withWorkloads(workload("small", 1, 1), stays, goes),
            node("n1", 3, 3));
    Workload newcomer =
        workload("new", 1, 4).withTerms(member.rules(new Rule.Most(2, "g", Rule.NODE)));
    assertThat(placing(fleet, PlanLimits.NONE, newcomer).changes())
        .containsExactly(new Change.Move("goes", "n0", "n1"), new Change.Assign(newcomer, "n0"));
  }

  /** c leaves n1 for n2, so that b can leave n0 for n1, so that the newcomer fits n0. */
  @Test
  void oneLeavesForAnotherThatLeaves() {
    Distributor fleet =
        fleet(
            node("n0", 0, 3, workload("b", 4, 1)),
            node("n1", 3, 0, workload("c", 1, 1)),
            node("n2", 1, 1));
    Plan plan = placing(fleet, PlanLimits.NONE, workload("new", 4, 4));
    assertThat(plan.unmet()).isEmpty();
    assertThat(plan.moves()).isEqualTo(2);
    assertThat(placing(fleet, PlanLimits.NONE.withMoves(1), workload("new", 4, 4)).moves())
        .as("half a chain is no use")
        .isZero();
  }

  @Test
  void threeLeaveForOne() {
    Distributor fleet =
        fleet(
            node("n0", 0, 0, workload("a", 2, 2), workload("b", 2, 2), workload("c", 2, 2)),
            node("n1", 2, 2),
            node("n2", 2, 2),
            node("n3", 2, 2));
    Plan plan = placing(fleet, PlanLimits.NONE, workload("new", 6, 6));
    assertThat(plan.unmet()).isEmpty();
    assertThat(plan.moves()).isEqualTo(3);
  }

  /** d leaves n2 for n3, so that c can leave n1 for n2, so that b can leave n0 for n1. */
  @Test
  void threeInARowMakeRoom() {
    Distributor fleet =
        fleet(
            node("n0", 1, 9, workload("b", 8, 1)),
            node("n1", 4, 9, workload("c", 4, 1)),
            node("n2", 2, 9, workload("d", 2, 1)),
            node("n3", 2, 9));
    Plan plan = placing(fleet, PlanLimits.NONE, workload("new", 9, 1));
    assertThat(plan.unmet()).isEmpty();
    assertThat(plan.moves()).isEqualTo(3);
    for (int most = 1; most < 3; most++) {
      assertThat(placing(fleet, PlanLimits.NONE.withMoves(most), workload("new", 9, 1)).moves())
          .as("part of a chain is no use")
          .isZero();
    }
  }

  /** The friendly node n1 is full; its workload may go to n2, which is averse to both others. */
  @Test
  void repairMakesRoomOnAFriendlyNode() {
    Distributor fleet =
        fleet(
            node("n0", 0, 0, averse("a"), averse("b")),
            node("n1", 0, 0, workload("c", 2, 2)),
            node("n2", 2, 2, averse("d")));
    Plan plan = fleet.advisor().plan(new PlanGoal.Repair(), PlanLimits.NONE);
    fleet.apply(plan.generation(), plan.changes());
    assertThat(plan.moves()).isEqualTo(2);
    assertThat(plan.after().averse()).isZero();
    assertThat(fleet.snapshot().nodeOf("c")).contains("n2");
  }

  /** No single move lowers n0. b leaves n1 for n2, so that a can leave n0 for n1. */
  @Test
  void roomIsMadeForTheFullestNodeWhereThatBecomesFullerItself() {
    Distributor fleet =
        fleet(
            node("n0", 1, 1, workload("a", 5, 5), workload("d", 4, 4)),
            node("n1", 4, 4, workload("b", 3, 3), workload("c", 3, 3)),
            node("n2", 5, 5, workload("e", 5, 5)));
    Plan plan = fleet.advisor().plan(new PlanGoal.Rebalance(), PlanLimits.NONE);
    assertThat(plan.before().fullest()).isEqualTo(Quantity.of("0.9"));
    assertThat(plan.after().fullest()).isEqualTo(Quantity.of("0.8"));
  }

  /** What an immune workload takes of a tiny amount is a share of any size. */
  @Test
  void theFullestShareIsExactHoweverLargeItIs() {
    Distributor fleet = fleet(node("n0", 1, 1), Node.of("n1", Resources.of("cpu", "1e-9")));
    Workload immune = Workload.of("a", Resources.of("cpu", 9)).withImmunities("cpu");
    fleet.apply(new Change.Assign(immune, "n1"));
    Plan plan = fleet.advisor().plan(new PlanGoal.Drain(List.of()), PlanLimits.NONE);
    assertThat(plan.before().fullest()).isEqualTo(Quantity.of("9e9"));
  }

  /** The fullest node gets emptier by a third of a billionth, the other fuller by an eighth. */
  @Test
  void rebalanceTakesTheLeastLoweringOfTheFullestNode() {
    Distributor fleet = fleet(node("n0", 3, 16), node("n1", 1, 8));
    Workload tiny = Workload.of("tiny", Resources.of("cpu", "1e-9", "mem", 1));
    for (Workload one : List.of(workload("a", 1, 0), workload("b", 1, 0), tiny)) {
      fleet.apply(new Change.Assign(one, "n0"));
    }
    Plan plan = fleet.advisor().plan(new PlanGoal.Rebalance(), PlanLimits.NONE);
    assertThat(plan.changes()).containsExactly(new Change.Move("tiny", "n0", "n1"));
    Snapshot before = fleet.snapshot();
    fleet.apply(plan.generation(), plan.changes());
    assertThat(Recount.compareLoads(fleet.snapshot(), before)).isNegative();
  }

  private static Workload averse(String name) {
    return workload(name, 2, 2).withAversionGroups("g");
  }

  /** The large ones would take the room of two small ones each. */
  @Test
  void moreSmallOnesArePlacedThanLargeOnes() {
    Distributor fleet =
        fleet(node("n0", 3, 9, workload("x", 1, 1)), node("n1", 2, 0), node("n2", 3, 9));
    Workload[] newcomers = {
      workload("large-1", 3, 3),
      workload("small-1", 1, 1),
      workload("small-2", 1, 1),
      workload("small-3", 1, 1),
      workload("small-4", 1, 1),
      workload("small-5", 1, 1),
      workload("small-6", 1, 1)
    };
    Plan plan = placing(fleet, PlanLimits.NONE, newcomers);
    assertThat(plan.unmet()).containsExactly("large-1");
  }

  /**
   * n0 is full by cpu and n1 by mem, but for the room of one workload each. Only exchanges of more
   * workloads than a chain has make room for the newcomer, which needs both.
   */
  @Test
  void exchangesGatherTheRoomOfTwoNodes() {
    Workload[] ofCpu = new Workload[6];
    Workload[] ofMem = new Workload[6];
    for (int i = 0; i < ofCpu.length; i++) {
      ofCpu[i] = workload("cpu-" + i, 2, 1);
      ofMem[i] = workload("mem-" + i, 1, 2);
    }
    Distributor fleet = fleet(node("n0", 1, 6, ofCpu), node("n1", 6, 1, ofMem));
    Plan plan = placing(fleet, PlanLimits.NONE, workload("new", 5, 5));
    assertThat(plan.unmet()).isEmpty();
    assertThat(plan.moves()).isGreaterThan(3);
    assertThat(placing(fleet, PlanLimits.NONE.withMoves(3), workload("new", 5, 5)).moves())
        .as("part of the exchanges is no use")
        .isZero();
  }

  /**
   * n1 has the cpu for "large" if one of its workloads leaves, but would then be fuller than n0
   * was. Two have to leave. Afterwards the last one goes where "large" was.
   */
  @Test
  void thoseThatMakeRoomKeepTheLoadDown() {
    Distributor fleet =
        fleet(
            node("n0", 4, 9, workload("large", 16, 0)),
            node("n1", 15, 9, workload("a", 5, 0), workload("b", 5, 0), workload("c", 5, 0)),
            node("n2", 15, 9, workload("d", 5, 0)));
    Plan plan = fleet.advisor().plan(new PlanGoal.Rebalance(), PlanLimits.NONE);
    Distributor replayed = fleet.copy();
    plan.changes().forEach(replayed::apply);
    assertThat(plan.before().fullest()).isEqualTo(Quantity.of("0.8"));
    assertThat(plan.after().fullest()).as("16 of 30").isEqualTo(Quantity.of("0.533333334"));
    assertThat(replayed.snapshot().nodeOf("large")).contains("n1");
  }

  /** The gang fits rack r1 once x has left it, which is possible only for the other rack. */
  @Test
  void roomIsMadeForAGangByMovesToOtherDomains() {
    Distributor fleet =
        fleet(
            node("n1", 0, 0, workload("x", 2, 2)).in("rack", "r1"),
            node("n2", 2, 2).in("rack", "r1"),
            node("n3", 3, 3).in("rack", "r2"));
    Terms within = Terms.NONE.inGang(Gang.of("g").within("rack"));
    List<Workload> gang = workload("member", 2, 2).withTerms(within).replicas(2);
    Plan plan = placing(fleet, PlanLimits.NONE, gang.toArray(Workload[]::new));
    assertThat(plan.unmet()).isEmpty();
    assertThat(plan.changes()).contains(new Change.Move("x", "n1", "n3")).hasSize(3);
  }

  /** There is room enough, but in halves; the first workload needs a whole. */
  @Test
  void whereNothingCanMoveThatIsProven() {
    Distributor fleet =
        fleet(node("n0", 3, 0, workload("a", 1, 4)), node("n1", 0, 3, workload("b", 4, 1)));
    Plan plan = placing(fleet, PlanLimits.NONE, workload("new", 2, 2));
    assertThat(plan.changes()).isEmpty();
    assertThat(plan.bound().best()).isEqualTo(Quantity.ZERO);
    assertThat(plan.optimal()).isTrue();
  }
}

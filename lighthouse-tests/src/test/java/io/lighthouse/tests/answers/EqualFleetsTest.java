package io.lighthouse.tests.answers;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.core.Distributors;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Fleets with equal accounts answer alike, whatever has come and gone before. */
class EqualFleetsTest {
  private static Distributor ofHundred() {
    List<Node> nodes =
        IntStream.range(0, 100)
            .mapToObj(i -> Node.of("n" + i, Resources.of("cpu", 10, "mem", 1_000_000_000)))
            .toList();
    return Distributors.installed().strategy("spread").nodes(nodes).build();
  }

  /** All nodes together have more of mem than 62 bits can hold in parts of 10^-9. */
  @Test
  void theOrderOfABatchDoesNotDependOnASmallWorkloadThatHasGone() {
    List<Workload> batch =
        List.of(
            Workload.of("mem", Resources.of("mem", 900_000_000)),
            Workload.of("cpu", Resources.of("cpu", 10)));
    Distributor other = ofHundred();
    other.assign(Workload.of("small", Resources.of("mem", "0.000000001")));
    other.release("small");
    Distributor fresh = ofHundred();
    assertThat(other.snapshot().nodes()).isEqualTo(fresh.snapshot().nodes());
    assertThat(other.assign(batch).asMap())
        .isEqualTo(fresh.assign(batch).asMap())
        .containsEntry("cpu", Optional.of("n0"));
  }

  private static Node ofSeven(String name) {
    return Node.of(
        name, Resources.of("a", 10, "b", 10, "c", 10, "d", 10, "e", 10, "f", 10, "g", 10));
  }

  /** Bounds read six resources; which of seven, a node that has gone must not decide. */
  @Test
  void boundsDoNotDependOnWhichResourceWasSeenFirst() {
    Distributor fresh =
        Distributors.installed()
            .strategy("prioritized")
            .nodes(ofSeven("n1"), ofSeven("n2"), ofSeven("n3"), ofSeven("n4"))
            .build();
    Distributor other =
        Distributors.installed()
            .strategy("prioritized")
            .nodes(Node.of("old", Resources.of("g", 1)))
            .build();
    for (int i = 1; i <= 4; i++) {
      other.addNode(ofSeven("n" + i));
    }
    other.removeNode("old");
    List<Workload> batch =
        IntStream.range(0, 6)
            .mapToObj(
                i ->
                    Workload.of(
                        "w" + i,
                        Resources.of("a", 1, "b", 1, "c", 1, "d", 1, "e", 1, "f", 1, "g", "5.5")))
            .toList();
    assertThat(other.snapshot().nodes()).isEqualTo(fresh.snapshot().nodes());
    assertThat(other.advisor().bounds(batch)).isEqualTo(fresh.advisor().bounds(batch));
  }

  private static Distributor ofEight() {
    List<Node> nodes =
        IntStream.range(0, 1000)
            .mapToObj(i -> Node.of("n" + i, Resources.of("cpu", 8, "mem", 1000)))
            .toList();
    Distributor fleet = Distributors.installed().strategy("prioritized").nodes(nodes).build();
    fleet.assign(
        List.of(
            Workload.of("mem", Resources.of("mem", 900)),
            Workload.of("cpu", Resources.of("cpu", 8))));
    return fleet;
  }

  /** Of cpu there is less than one for each node, in the unit of the fresh fleet. */
  @Test
  void whichWorkloadIsLargeDoesNotDependOnASmallOneThatHasGone() {
    Distributor other = ofEight();
    other.assign(Workload.of("small", Resources.of("cpu", "0.001")));
    other.release("small");
    Distributor fresh = ofEight();
    assertThat(other.snapshot().nodes()).isEqualTo(fresh.snapshot().nodes());
    PlanGoal drain = new PlanGoal.Drain(List.of("n0"));
    Plan plan = fresh.advisor().plan(drain, PlanLimits.NONE);
    assertThat(plan.changes()).isEqualTo(other.advisor().plan(drain, PlanLimits.NONE).changes());
    assertThat(plan.changes())
        .extracting(change -> ((Change.Move) change).workload())
        .containsExactly("cpu", "mem");
  }
}

package io.lighthouse.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.Distributors;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which of the good moves off a node is made. */
class LoadMovesTest {
  private static Node node(String name, Workload... held) {
    Quantity cpu = Quantity.of(10);
    Quantity mem = Quantity.of(10);
    for (Workload workload : held) {
      cpu = cpu.minus(workload.requirements().get("cpu").orElse(Quantity.ZERO));
      mem = mem.minus(workload.requirements().get("mem").orElse(Quantity.ZERO));
    }
    return Node.of(name, Resources.of("cpu", cpu, "mem", mem)).withWorkloads(held);
  }

  private static List<Change> changes(Node... nodes) {
    return changes(PlanLimits.NONE, nodes);
  }

  private static List<Change> changes(PlanLimits limits, Node... nodes) {
    Distributor fleet =
        Distributors.of("first", (workload, candidates) -> candidates.first()).nodes(nodes).build();
    return fleet.advisor().plan(new PlanGoal.Rebalance(), limits).changes();
  }

  private static Workload needs(String name, int cpu, int mem) {
    return Workload.of(name, Resources.of("cpu", cpu, "mem", mem));
  }

  /** Both targets would be equally full by their fullest resource. */
  @Test
  void theTargetWithMoreOfOtherResourcesLeftIsPreferred() {
    assertThat(
            changes(
                node("full", needs("w", 4, 2), needs("x", 4, 2)),
                node("also", needs("y", 0, 2)),
                node("empty")))
        .containsExactly(new Change.Move("w", "full", "empty"));
  }

  /** Both workloads would leave the node equally full by its fullest resource. */
  @Test
  void theWorkloadThatAddsTheLeastElsewhereIsPreferred() {
    assertThat(
            changes(node("full", needs("w", 4, 3), needs("x", 4, 1)), node("to", needs("y", 0, 1))))
        .containsExactly(new Change.Move("x", "full", "to"));
  }

  /**
   * Shares above 4 count as equal, so that their sum is in range: the least used target is taken.
   */
  @Test
  void aNodeThatIsOverdrawnWithoutMeasureIsLeft() {
    Workload huge = Workload.of("w", Resources.of("cpu", 1_000_000_000)).withImmunities("cpu");
    Node from = Node.of("from", Resources.of("cpu", -999_999_999)).withWorkloads(huge);
    Node small = Node.of("small", Resources.of("cpu", 1_000));
    Node large = Node.of("large", Resources.of("cpu", 1_000_000_000));
    assertThat(changes(from, small, large)).containsExactly(new Change.Move("w", "from", "large"));
  }

  /** Shares of a few thousandths count, too. */
  @Test
  void smallSharesAreCompared() {
    Workload each = Workload.of("w", Resources.of("cpu", 1));
    Node full =
        Node.of("full", Resources.of("cpu", 996))
            .withWorkloads(each.replicas(4).toArray(Workload[]::new));
    Node used =
        Node.of("used", Resources.of("cpu", 998)).withWorkloads(each.named("x"), each.named("y"));
    Node empty = Node.of("empty", Resources.of("cpu", 1_000));
    assertThat(changes(full, used, empty))
        .extracting(change -> ((Change.Move) change).to())
        .containsExactly("empty", "empty");
  }

  /** No single move is good, and no third node takes a workload meanwhile. */
  @Test
  void twoWorkloadsAreExchanged() {
    assertThat(
            changes(
                node("full", needs("a", 5, 0), needs("b", 3, 0)),
                node("to", needs("c", 4, 0), needs("d", 2, 0))))
        .containsExactlyInAnyOrder(
            new Change.Move("b", "full", "to"), new Change.Move("d", "to", "full"));
  }

  /** The one that comes has to make room on its node first. */
  @Test
  void theOtherWorkloadMovesFirstWhereThereIsNoRoom() {
    assertThat(
            changes(
                PlanLimits.NONE.withPinned(Set.of("a", "d")),
                node("full", needs("a", 5, 1), needs("b", 4, 3)),
                node("to", needs("c", 1, 3), needs("d", 3, 5))))
        .containsExactly(new Change.Move("c", "to", "full"), new Change.Move("b", "full", "to"));
  }
}

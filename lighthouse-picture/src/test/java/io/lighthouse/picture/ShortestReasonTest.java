package io.lighthouse.picture;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.quantity.Unit;
import io.lighthouse.core.Distributors;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The shortest reason of a refusal is true for every node that it speaks of. */
class ShortestReasonTest {
  private static final Map<String, Unit> THREES =
      Map.of("cpu", new Unit(Quantity.ZERO, Quantity.INFINITY, Quantity.of(3)));

  private static Refusal refusal(Workload workload, Node... nodes) {
    return Distributors.installed()
        .strategy("prioritized")
        .nodes(nodes)
        .build()
        .explain(workload)
        .summary();
  }

  @Test
  void aNodeThatLacksAResourceAndOneThatHasTooLittleAreSummedUp() {
    Workload workload = Workload.of("w", Resources.of("cpu", 5));
    Refusal refusal =
        refusal(workload, Node.of("a", Resources.none()), Node.of("b", Resources.of("cpu", 4)));

    assertThat(Reasons.shortest(refusal, workload))
        .isEqualTo("no node has 5 cpu left; nearest b has 4");
  }

  @Test
  void aNodeThatHasEnoughButInAnotherStepIsNotShort() {
    Workload workload = Workload.of("w", Resources.of("cpu", 5));
    Refusal refusal =
        refusal(
            workload,
            Node.of("a", Resources.of("cpu", 9)).withUnits(THREES),
            Node.of("b", Resources.of("cpu", 4)));

    assertThat(Reasons.everywhere(refusal, workload)).isEmpty();
    assertThat(Reasons.shortest(refusal, workload))
        .isEqualTo("nearest b: lacks 1 cpu (4 left, 5 required)");
  }

  @Test
  void aNodeThatIsShortAndOffItsStepCountsOnce() {
    Workload workload = Workload.of("w", Resources.of("cpu", 5, "mem", 1));
    Refusal refusal =
        refusal(
            workload,
            Node.of("a", Resources.of("cpu", 4, "mem", 1)).withUnits(THREES),
            Node.of("b", Resources.of("cpu", 9, "mem", 0)));

    assertThat(Reasons.everywhere(refusal, workload)).isEmpty();
  }
}

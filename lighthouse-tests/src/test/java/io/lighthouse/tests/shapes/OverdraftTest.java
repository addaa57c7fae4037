package io.lighthouse.tests.shapes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.StrategyException;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.core.Distributors;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A session that takes a gift back after it was spent would leave its node overcommitted. */
class OverdraftTest {
  @Test
  void aGiftThatIsTakenBackAfterItWasSpentIsAFailure() {
    BatchPlacer swindler =
        session -> {
          session.assign(0, 0);
          session.assign(1, 0);
          session.release(0);
          session.assign(0, 1);
        };
    Distributor fleet =
        Distributors.of("swindler", swindler)
            .nodes(Node.of("n1", Resources.of("cpu", 10)), Node.of("n2", Resources.of("cpu", 10)))
            .build();
    List<Workload> batch =
        List.of(
            Workload.of("gift", Resources.of("cpu", -10)),
            Workload.of("spender", Resources.of("cpu", 20)));
    assertThatThrownBy(() -> fleet.assign(batch)).isInstanceOf(StrategyException.class);
    assertThat(fleet.snapshot().placedCount()).isZero();
    assertThat(fleet.node("n1").left()).isEqualTo(Resources.of("cpu", 10));
  }
}

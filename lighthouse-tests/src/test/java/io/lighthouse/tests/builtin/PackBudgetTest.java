package io.lighthouse.tests.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Budget;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.Distributors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code pack} with steps without end, on a batch of which one has to be left out. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PackBudgetTest {
  private static final int NODES = 5;

  private static Distributor fleet() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      nodes.add(Node.of("n" + i, Resources.of("cpu", 4, "mem", 4 + i)));
    }
    return Distributors.installed()
        .strategy("pack")
        .setting("steps", Long.toString(Long.MAX_VALUE))
        .nodes(nodes)
        .build();
  }

  private static List<Workload> batch() {
    return Workload.of("w", Resources.of("cpu", 3, "mem", 2)).replicas(NODES + 1);
  }

  @Test
  void endsWithWhatItHasWhenTheTimeIsOver() {
    Budget soon = Budget.UNLIMITED.within(Duration.ofMillis(200));
    assertThat(fleet().assign(batch(), soon).placedCount()).isEqualTo(NODES);
  }

  @Test
  void endsWhenItsThreadIsInterruptedAndLeavesNothingBehind() {
    Distributor fleet = fleet();
    Thread searching = Thread.currentThread();
    ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
    try {
      later.schedule(searching::interrupt, 200, TimeUnit.MILLISECONDS);
      assertThatThrownBy(() -> fleet.assign(batch())).isInstanceOf(CancellationException.class);
      assertThat(Thread.interrupted()).isTrue();
    } finally {
      later.shutdownNow();
    }
    assertThat(fleet.snapshot().placedCount()).isZero();
  }
}

package io.lighthouse.core.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Ledger;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When all nodes are compared, since a share is too large for the bounds of boxes. */
class LoadPointsTest {
  private static final long LARGE = 1L << 24;

  private final Ledger ledger = new Ledger();
  private LoadPoints points;

  @BeforeEach
  void aLargeNodeAndASmallOne() {
    Node large = Node.of("large", Resources.of("mem", LARGE));
    ledger.nodeChanges().add(List.of(large, Node.of("small", Resources.of("mem", 1))));
    points = new LoadPoints(ledger, LoadRule.FULLEST);
    points.readAll();
  }

  private void bind(Workload workload) {
    Batch batch = Batch.open(ledger, List.of(workload));
    points.bind(batch.demand(0));
    batch.close();
  }

  @Test
  void aNodeThatIsFarTooSmallDoesNotCount() {
    bind(Workload.of("w", Resources.of("mem", LARGE / 2)));
    assertThat(points.hasExtremeShares()).isFalse();
  }

  @Test
  void whatAnImmuneWorkloadAddsThereCounts() {
    bind(Workload.of("w", Resources.of("mem", LARGE / 2)).withImmunities("mem"));
    assertThat(points.hasExtremeShares()).isTrue();
  }

  @Test
  void whatAWorkloadGivesThereCounts() {
    bind(Workload.of("w", Resources.of("mem", -LARGE / 2)));
    assertThat(points.hasExtremeShares()).isTrue();
  }
}

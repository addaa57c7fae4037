package io.lighthouse.core.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.share.Share;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a workload adds to boxes of nodes, and when that is too much for their bounds. */
class LoadNeedTest {
  private static final long LARGE = 1L << 24;

  private final Ledger ledger = new Ledger();
  private LoadPoints points;
  private LoadNeed need;

  @BeforeEach
  void aLargeNodeAndASmallOne() {
    Node large = Node.of("large", Resources.of("mem", LARGE));
    ledger.nodeChanges().add(List.of(large, Node.of("small", Resources.of("mem", 1))));
    read();
  }

  private void read() {
    points = new LoadPoints(ledger, LoadRule.FULLEST);
    need = new LoadNeed(ledger, points);
  }

  private void bind(Workload workload) {
    Batch batch = Batch.open(ledger, List.of(workload));
    need.bind(batch.demand(0));
    batch.close();
  }

  @Test
  void aNodeThatIsFarTooSmallDoesNotCount() {
    bind(Workload.of("w", Resources.of("mem", LARGE / 2)));
    assertThat(need.meetsExtremeShares()).isFalse();
  }

  @Test
  void whatAnImmuneWorkloadAddsThereCounts() {
    bind(Workload.of("w", Resources.of("mem", LARGE / 2)).withImmunities("mem"));
    assertThat(need.meetsExtremeShares()).isTrue();
  }

  @Test
  void whatAWorkloadGivesThereCounts() {
    bind(Workload.of("w", Resources.of("mem", -LARGE / 2)));
    assertThat(need.meetsExtremeShares()).isTrue();
  }

  /** Also at most a few parts more or less, and never said of a need above the largest capacity. */
  @Test
  void whatAWorkloadAddsIsBetweenTheBoundsOfABox() {
    Random random = new Random(1);
    int known = 0;
    for (int i = 0; i < 20_000; i++) {
      long capacity = amount(random, LARGE);
      ledger.nodeChanges().add(List.of(Node.of("n" + i % 2, Resources.of("mem", capacity))));
      read();
      long amount = amount(random, 2 * LARGE);
      bind(Workload.of("w", Resources.of("mem", amount)));
      int node = ledger.nodes().find("n" + i % 2);
      long inverse = points.inverse(node, 0);
      long least = need.addedAtLeast(0, inverse);
      long exact = Share.exact(amount, capacity, Share.BITS);
      assertThat(least).as("%s of %s", amount, capacity).isLessThanOrEqualTo(exact);
      boolean isSure = need.knowsMost(0, inverse);
      assertThat(isSure).isEqualTo(amount < LARGE && inverse < Share.MOST);
      if (isSure) {
        long most = need.addedAtMost(0, inverse);
        assertThat(most).as("%s of %s", amount, capacity).isGreaterThan(exact);
        assertThat(most - least).isLessThan(8 + (inverse >> 38));
        known++;
      }
      ledger.nodeChanges().remove(node);
      ledger.commit();
    }
    assertThat(known).isBetween(5_000, 15_000);
  }

  /** From 1 to a limit, of any order of magnitude. */
  private static long amount(Random random, long most) {
    return 1 + random.nextLong(most >> random.nextInt(Long.SIZE - Long.numberOfLeadingZeros(most)));
  }
}

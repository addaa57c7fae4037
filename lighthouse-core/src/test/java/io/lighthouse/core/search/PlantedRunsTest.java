package io.lighthouse.core.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.index.Levels;
import io.lighthouse.core.ledger.Demand;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A run of equal workloads continues where the last one of it ended, in a fleet larger than those
 * on which the finder checks itself. A run that continues where it may not is detected.
 */
class PlantedRunsTest {
  private static final int NODES = 2_100;

  private final Twin twin = new Twin(0);
  private Demand demand;
  private final List<Workload> batch = new ArrayList<>();

  @BeforeEach
  void fillTheFleet() {
    twin.add(
        IntStream.range(0, NODES)
            .mapToObj(i -> Node.of("n" + i, Resources.of("cpu", 2 + i % 7, "mem", 10)))
            .toList());
    batch.addAll(Workload.of("none", Resources.none()).replicas(3));
    batch.addAll(Workload.of("large", Resources.of("cpu", 4, "mem", 1)).replicas(60));
    batch.addAll(Workload.of("small", Resources.of("cpu", 1)).replicas(40));
    batch.addAll(Workload.of("gives", Resources.of("cpu", -2, "mem", 1)).replicas(3));
    batch.addAll(Workload.of("middle", Resources.of("cpu", 3)).replicas(20));
    batch.addAll(Workload.of("again", Resources.of("cpu", 4, "mem", 1)).replicas(5));
    batch.addAll(Workload.of("refused", Resources.of("cpu", 9)).replicas(4));
  }

  @Test
  void anHonestRunPasses() {
    assertThatCode(this::livesThroughRuns).doesNotThrowAnyException();
  }

  @Test
  void aRunThatGoesOnAfterAReleaseIsFoundOut() {
    twin.tellsInstead(
        new Deaf(twin.finder) {
          @Override
          public void charged(int node, Demand demand, int sign) {
            if (sign > 0) {
              super.charged(node, demand, sign);
            } else {
              finder.keeper.constraints.resourceRows.charged(node, demand, sign);
            }
          }
        });
    assertThatThrownBy(this::livesThroughRuns).isInstanceOf(AssertionError.class);
  }

  @Test
  void aRunThatGoesOnAfterANodeWasOpenedIsFoundOut() {
    twin.tellsInstead(
        new Deaf(twin.finder) {
          @Override
          public void cordonChanged(int node) {
            super.cordonChanged(node);
            twin.keepBounds();
          }
        });
    assertThatThrownBy(this::livesThroughRuns).isInstanceOf(AssertionError.class);
  }

  @Test
  void rowsThatAreNotToldOfTheRestOfARunAreFoundOut() {
    twin.tellsInstead(
        new Deaf(twin.finder) {
          private int last = -1;

          @Override
          public void charged(int node, Demand demand, int sign) {
            if (sign < 0 || node != last) {
              super.charged(node, demand, sign);
            }
            last = node;
          }
        });
    assertThatThrownBy(this::livesThroughRuns).isInstanceOf(AssertionError.class);
  }

  private void livesThroughRuns() {
    Batch open = Batch.open(twin.ledger, batch);
    twin.finder.expect(open);
    for (int i = 0; i < batch.size(); i++) {
      Workload workload = batch.get(i);
      switch (workload.name()) {
        case "large-20" -> release("large-3");
        case "large-30" -> cordon(0, 20, true);
        case "large-40", "small-20" -> cordon(0, 20, false);
        case "small-12" -> cordon(2, 9, true); // Node 5 has just been filled.
        case "middle-10" -> release("large-7");
        default -> {}
      }
      demand = open.demand(i);
      int node = twin.first(workload, demand, 0);
      if (node >= 0) {
        twin.ledger.place(open.entry(i), twin.slot(node), demand);
        twin.naive.place(workload, node);
      }
    }
    open.close();
    twin.commit();
    twin.checkState();
    theRowsAreThoseOfTheAccounts();
  }

  private void release(String workload) {
    twin.ledger.release(new int[] {twin.ledger.placements().entryOf(workload)});
    twin.naive.release(workload);
  }

  private void cordon(int from, int to, boolean closed) {
    for (int node = from; node < to; node++) {
      twin.ledger.nodeChanges().cordon(node, closed);
      twin.naive.cordon(node, closed);
    }
  }

  private void theRowsAreThoseOfTheAccounts() {
    Levels levels = Twin.levels(twin.finder);
    int cpu = twin.ledger.resources().resourceId("cpu");
    int dimension = levels.dimension(cpu);
    for (int node = 0; node < NODES; node++) {
      long left = twin.ledger.accounts().left(node, twin.ledger.accounts().layout(node).slot(cpu));
      assertThat(levels.height(dimension, node))
          .as("the level of node %d", node)
          .isEqualTo(levels.level(dimension, left));
    }
  }
}

package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Bounds;
import io.lighthouse.core.oracle.ProblemMaker;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** No answer beats the bounds, with immunities, aversion groups, and workloads that give. */
class BoundsProperties {
  @Property(shrinking = ShrinkingMode.OFF)
  void noAnswerBeatsTheBounds(@ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int nodes) {
    ProblemMaker maker = new ProblemMaker(seed);
    Distributor fleet = Distributors.of(LivingFleet.roundRobin()).build();
    for (int i = 0; i < nodes; i++) {
      fleet.addNode(maker.node());
    }
    for (int round = 0; round < 8; round++) {
      List<Workload> batch = new ArrayList<>();
      for (int i = maker.random.nextInt(4); i >= 0; i--) {
        batch.add(maker.workload());
      }
      Bounds bounds = fleet.advisor().bounds(batch);
      int placed = fleet.assign(batch).placedCount();
      assertThat(placed).isLessThanOrEqualTo(bounds.mostPlaced());
      if (placed == batch.size()) {
        long inUse =
            fleet.snapshot().nodes().stream().filter(node -> !node.workloads().isEmpty()).count();
        assertThat(inUse).isGreaterThanOrEqualTo(bounds.fewestNodes());
      }
    }
  }
}

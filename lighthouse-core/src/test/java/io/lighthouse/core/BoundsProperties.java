package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Bounds;
import io.lighthouse.core.oracle.ProblemMaker;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** No answer beats the bounds, with immunities, aversion groups, and workloads that give. */
class BoundsProperties {
  private static final int SEEDS = 200;

  @Property(shrinking = ShrinkingMode.OFF)
  void noAnswerBeatsTheBounds(@ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int nodes) {
    assertThat(isBeaten(seed, nodes, 0, 0)).isFalse();
  }

  @Example
  void boundsThatAreTooCloseAreBeaten() {
    assertThat(LongStream.range(0, SEEDS).anyMatch(seed -> isBeaten(seed, 4, 1, 0))).isTrue();
    assertThat(LongStream.range(0, SEEDS).anyMatch(seed -> isBeaten(seed, 4, 0, 1))).isTrue();
  }

  /**
   * Whether an answer beats its bounds.
   *
   * @param fewer taken off the most workloads that can be placed
   * @param more added to the fewest nodes
   */
  private static boolean isBeaten(long seed, int nodes, int fewer, int more) {
    ProblemMaker maker = new ProblemMaker(seed);
    Distributor fleet = Distributors.of(LivingFleet.roundRobin()).build();
    for (int i = 0; i < nodes; i++) {
      fleet.addNode(maker.node());
    }
    boolean isBeaten = false;
    for (int round = 0; round < 8; round++) {
      List<Workload> batch = new ArrayList<>();
      for (int i = maker.random.nextInt(4); i >= 0; i--) {
        batch.add(maker.workload());
      }
      Bounds bounds = fleet.advisor().bounds(batch);
      int placed = fleet.assign(batch).placedCount();
      long inUse =
          fleet.snapshot().nodes().stream().filter(node -> !node.workloads().isEmpty()).count();
      isBeaten |= placed > bounds.mostPlaced() - fewer;
      isBeaten |= placed == batch.size() && inUse < bounds.fewestNodes() + more;
    }
    return isBeaten;
  }
}

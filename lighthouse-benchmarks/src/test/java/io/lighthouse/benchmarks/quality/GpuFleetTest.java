package io.lighthouse.benchmarks.quality;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Workload;
import io.lighthouse.core.Distributors;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GpuFleetTest {
  @Test
  void hasTheSizeOfTheTrace() {
    GpuFleet fleet = GpuFleet.generate(1, 1, 1);

    assertThat(fleet.domains()).hasSize(1_213);
    assertThat(fleet.nodes()).hasSize(6_212);
  }

  @Test
  void isEqualForEqualArguments() {
    assertThat(GpuFleet.generate(20, 100, 7)).isEqualTo(GpuFleet.generate(20, 100, 7));
    assertThat(GpuFleet.generate(20, 100, 7)).isNotEqualTo(GpuFleet.generate(20, 100, 8));
  }

  @Test
  void itsFrequenciesAreOfTenThousand() {
    assertThat(Stream.of(GpuFleet.TASKS).mapToInt(GpuFleet.TaskShape::frequency).sum())
        .isEqualTo(10_000);
  }

  @Test
  void aTaskOfSeveralGpusStaysOnOneMachine() {
    GpuFleet fleet = GpuFleet.generate(20, 100, 7);
    Distributor distributor =
        Distributors.of(new FragmentationGradient())
            .domains(fleet.domains())
            .nodes(fleet.nodes())
            .build();

    int several = 0;
    for (List<Workload> task : fleet.tasks()) {
      Assignments answer = distributor.assign(task);
      if (answer.allPlaced() && task.size() > 1) {
        several++;
        Stream<String> machines =
            IntStream.range(0, task.size())
                .mapToObj(member -> answer.node(member).orElseThrow())
                .map(node -> node.substring(0, node.indexOf("-gpu-")));
        assertThat(machines.distinct()).hasSize(1);
      }
    }
    assertThat(several).isPositive();
  }
}

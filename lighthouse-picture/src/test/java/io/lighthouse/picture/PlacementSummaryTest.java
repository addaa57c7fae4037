package io.lighthouse.picture;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.Distributors;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacementSummaryTest {
  private static Workload of(String name, int cpu) {
    return Workload.of(name, Resources.of("cpu", cpu));
  }

  @Test
  void countsWhatWasThereWhatCameAndWhatWasRefused() {
    Distributor fleet =
        Distributors.installed()
            .strategy("prioritized")
            .nodes(Node.of("a", Resources.of("cpu", 4)), Node.of("b", Resources.of("cpu", 1)))
            .build();
    fleet.assign(List.of(of("old-1", 1), of("old-2", 1)));
    Assignments batch = fleet.assign(List.of(of("new-1", 1), of("huge-1", 9), of("huge-2", 9)));

    PlacementSummary summary = PlacementSummary.of(fleet.snapshot(), batch);

    assertThat(summary).isEqualTo(new PlacementSummary(2, 1, 2, 1, 2));
    assertThat(summary.words("prioritized"))
        .isEqualTo("2 placed before, 1 placed now, 2 refused by prioritized; 1 of 2 nodes in use");
  }

  @ParameterizedTest
  @CsvSource({
    "2, 3, 1, 66.7",
    "1, 3, 1, 33.3",
    "1, 2000, 1, 0.1",
    "999999, 1000000, 1, 100.0",
    "1, 8, 0, 13",
    "5, 2, 1, 250.0",
    "0, 7, 3, 0.000"
  })
  void percentagesAreRoundedHalfUp(BigDecimal part, BigDecimal whole, int digits, String percent) {
    assertThat(FleetText.percent(part, whole, digits)).hasToString(percent);
  }
}

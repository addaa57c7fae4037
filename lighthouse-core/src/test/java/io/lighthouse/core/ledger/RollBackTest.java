package io.lighthouse.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.demand.Batch;
import java.util.List;
import org.junit.jupiter.api.Test;

class RollBackTest {
  private final Ledger ledger = new Ledger();

  private static Workload one(String name) {
    return Workload.of(name, Resources.of("cpu", 1));
  }

  @Test
  void restoresTheListOfANodeWhereAWorkloadWasMovedAwayAndPlacedElsewhere() {
    ledger
        .nodeChanges()
        .add(
            List.of(
                Node.of("n1", Resources.of("cpu", 10)), Node.of("n2", Resources.of("cpu", 10))));
    Batch batch = Batch.open(ledger, List.of(one("a"), one("b"), one("c"), one("d")));
    Demand demand;
    for (int i = 0; i < 3; i++) {
      demand = batch.demand(i);
      ledger.place(batch.entry(i), 0, demand);
    }
    demand = batch.demand(3);
    ledger.place(batch.entry(3), 1, demand);
    int mark = ledger.savepoint();

    demand = batch.demand(1);
    ledger.remove(batch.entry(1), demand);
    demand = batch.demand(1);
    ledger.place(batch.entry(1), 1, demand);
    ledger.rollBack(mark);

    assertThat(ledger.placements().workloads(0))
        .extracting(Workload::name)
        .containsExactly("a", "b", "c");
    assertThat(ledger.placements().workloads(1)).extracting(Workload::name).containsExactly("d");
  }
}

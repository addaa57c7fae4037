package io.lighthouse.core.demand;

import io.lighthouse.api.Workload;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import java.util.List;

/** A batch of one workload, opened and closed again, for tests that have no strategy. */
public final class BatchOfOne {
  private BatchOfOne() {}

  /** What a workload needs, valid while no scale changes. */
  public static Demand demand(Ledger ledger, Workload workload) {
    Batch batch = Batch.open(ledger, List.of(workload));
    Demand demand = batch.demand(0);
    batch.close();
    ledger.commit();
    return demand;
  }

  /** Places the workload on a node. */
  public static void place(Ledger ledger, Workload workload, int node) {
    Batch batch = Batch.open(ledger, List.of(workload));
    ledger.putBack(batch.entry(0), node, batch.demand(0));
    batch.close();
    ledger.commit();
  }
}

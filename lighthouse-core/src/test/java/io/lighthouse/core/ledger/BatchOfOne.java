package io.lighthouse.core.ledger;

import io.lighthouse.api.Workload;
import java.util.List;

/** A batch of one workload, opened and closed again, for tests that have no strategy. */
public final class BatchOfOne {
  private BatchOfOne() {}

  /** Fills a demand, which is good as long as no scale changes; answers it. */
  public static Demand load(Ledger ledger, Workload workload, Demand demand) {
    Batch batch = ledger.open(List.of(workload));
    batch.load(0, demand);
    batch.close();
    ledger.commit();
    return demand;
  }

  /** Places the workload on a node. */
  public static void place(Ledger ledger, Workload workload, int node, Demand demand) {
    Batch batch = ledger.open(List.of(workload));
    batch.load(0, demand);
    ledger.putBack(batch.entry(0), node, demand);
    batch.close();
    ledger.commit();
  }
}

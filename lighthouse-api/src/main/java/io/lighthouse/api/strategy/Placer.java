package io.lighthouse.api.strategy;

import io.lighthouse.api.Workload;

/** Chooses the node of one workload at a time. Pure: it keeps no state of its own. */
@FunctionalInterface
public interface Placer {
  /**
   * Chooses among the nodes that fit. Asked only where at least one does.
   *
   * @param workload the workload whose turn it is
   * @param candidates the nodes that fit it; only friendly ones while there are any
   * @return one of the candidates, or {@link Candidates#decline} where the strategy may decline
   */
  FleetNode choose(Workload workload, Candidates candidates);

  /**
   * The order in which the workloads of a batch take their turns.
   *
   * @return as given, by default; asked once for each batch
   */
  default BatchOrder order() {
    return BatchOrder.asGiven();
  }
}

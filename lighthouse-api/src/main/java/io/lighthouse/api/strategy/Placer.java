package io.lighthouse.api.strategy;

import io.lighthouse.api.Choice;
import io.lighthouse.api.Workload;
import java.util.List;

/** Chooses the node of one workload at a time. Pure: it keeps no state of its own. */
@FunctionalInterface
public interface Placer {
  /**
   * Takes the first candidate (first fit). An engine need not ask this very object: it knows what
   * it would answer, and places a run of workloads that require the same, as replicas do, node by
   * node. What comes of it is the same as of any other placer that answers {@link
   * Candidates#first}.
   */
  Placer FIRST = (workload, candidates) -> candidates.first();

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

  /**
   * What of a node counts for this strategy, for people who ask why it chose: what counts most
   * first, and with a sign such that the smaller value comes first. It decides nothing. Asked only
   * for a {@link Choice}, after the choice and in the same state, of every node that the workload
   * fits, also where another one is friendlier or preferred.
   *
   * @param workload the workload whose turn it is
   * @param node a node that it fits
   * @return the terms, the same ones for every node; none by default
   */
  default List<Choice.Term> terms(Workload workload, FleetNode node) {
    return List.of();
  }
}

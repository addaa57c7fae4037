package io.lighthouse.api.strategy;

import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Choice;
import java.util.List;

/** Chooses the node of one workload at a time. Pure: it keeps no state of its own. */
@FunctionalInterface
public interface Placer {
  /**
   * Takes the first candidate (first fit). The engine recognises this object and need not call it.
   * It places a run of workloads with equal requirements, such as replicas, node by node. The
   * result is the same as with any other placer that returns {@link Candidates#first}.
   */
  Placer FIRST = (workload, candidates) -> candidates.first();

  /**
   * Chooses among the nodes that fit. Called only if at least one fits.
   *
   * @param workload the workload whose turn it is
   * @param candidates the nodes that it fits: the friendly ones if there are any, else all
   * @return one of the candidates, or {@link Candidates#decline} where the strategy may decline
   */
  FleetNode choose(Workload workload, Candidates candidates);

  /**
   * The order in which the workloads of a batch take their turns.
   *
   * @return as given, by default; called once for each batch
   */
  default BatchOrder order() {
    return BatchOrder.asGiven();
  }

  /**
   * The criteria by which this strategy compares nodes, for people who want to know why it chose
   * one. The most important comes first. Signs are such that the smaller value is better. The terms
   * do not influence placement. Called only to build a {@link Choice}, after the choice and in the
   * same state. It is called for every node that the workload fits, even if another node is
   * friendlier or preferred.
   *
   * @param workload the workload whose turn it is
   * @param node a node that it fits
   * @return the terms, with the same names for every node; none by default
   */
  default List<Choice.Term> terms(Workload workload, FleetNode node) {
    return List.of();
  }
}

package io.lighthouse.api;

/** What an assignment may do beyond placing. */
public enum AssignOption {
  /**
   * If any workload of the batch finds no node, the state stays exactly as before and no workload
   * gets a node. This is not a search: a refusal is no proof that the batch cannot be placed.
   */
  ALL_OR_NOTHING,

  /**
   * Every refusal comes with its reasons ({@link Assignments#refusals}). Cost: a pass over all
   * nodes for each refused workload.
   */
  EXPLAIN
}

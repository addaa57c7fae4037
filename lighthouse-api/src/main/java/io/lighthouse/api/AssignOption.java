package io.lighthouse.api;

/** What a caller may ask of an assignment beyond the ordinary. */
public enum AssignOption {
  /**
   * If any workload of the batch finds no node, the state stays exactly as before and every
   * workload answers none. It is no search: a no is no proof.
   */
  ALL_OR_NOTHING,

  /**
   * Every refusal says why ({@link Assignments#refusals}). Costs a look at every node for each
   * refused workload.
   */
  EXPLAIN
}

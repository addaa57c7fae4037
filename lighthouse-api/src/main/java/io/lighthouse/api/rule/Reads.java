package io.lighthouse.api.rule;

/**
 * What a rule reads of the fleet besides the workload. The less it reads, the less often it is
 * evaluated.
 */
public enum Reads {
  /**
   * A node's name, domains and capacity, which placing never changes. Evaluated once for each pair
   * of node and shape of workload.
   */
  NODE,

  /** What is left on the node. */
  ACCOUNTS,

  /** The workloads placed on the node. */
  PLACED,

  /** What is left in the node's domains. */
  DOMAIN_ACCOUNTS,

  /** The workloads placed in the node's domains. */
  DOMAIN_PLACED,

  /** The whole fleet. Evaluated again after every change. */
  FLEET
}

package io.lighthouse.api.rule;

/**
 * What a rule reads of the fleet besides the workload. All else is hidden from it, but for what
 * {@link #NODE} stands for.
 */
public enum Reads {
  /**
   * A node's name, domains and capacity, which placing never changes. A hard rule that reads
   * nothing else is evaluated once for each pair of node and shape of workload. The name of the
   * workload is no part of its shape: it is hidden from the rule, which sees the name {@code
   * workload}.
   */
  NODE,

  /** What is left on the node. */
  ACCOUNTS,

  /** The workloads placed on the node. */
  PLACED,

  /** What is left in the node's domains. */
  DOMAIN_ACCOUNTS,

  /**
   * The nodes of the node's domains, and how many members of a group are there. What is left on
   * these nodes, and the workloads there, are {@link #ACCOUNTS} and {@link #PLACED}.
   */
  DOMAIN_PLACED,

  /** The whole fleet, with all of the above. */
  FLEET
}

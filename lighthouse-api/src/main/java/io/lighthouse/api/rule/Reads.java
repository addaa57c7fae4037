package io.lighthouse.api.rule;

/**
 * What a rule reads of the fleet beside the workload. It decides how often the rule is asked: the
 * less it reads, the less.
 */
public enum Reads {
  /**
   * A node's name, domains and capacity: nothing that placing changes. Asked once a node and shape.
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

  /** All of the fleet. Asked anew after every change. */
  FLEET
}

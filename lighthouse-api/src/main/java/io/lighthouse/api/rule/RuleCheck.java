package io.lighthouse.api.rule;

import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.FleetNode;

/**
 * A rule with its settings, for one fleet. The result depends only on the workload, the node and
 * what the rule has declared to read. A check keeps no state, and uses neither clock nor random
 * numbers.
 */
@FunctionalInterface
public interface RuleCheck {
  /**
   * Judges a workload on a node.
   *
   * @param workload the workload, which is not placed
   * @param node the node; shows only what the rule has declared to read
   * @return the judgement, never null
   */
  Judgement judge(Workload workload, FleetNode node);
}

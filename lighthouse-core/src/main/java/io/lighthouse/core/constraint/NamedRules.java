package io.lighthouse.core.constraint;

import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.api.rule.Judgement;

/** The rules of plug-ins as the constraints use them: by name and settings. */
public interface NamedRules {
  /** No rules; every lookup fails. */
  NamedRules NONE =
      rule -> {
        throw new IllegalStateException("no rule '" + rule.rule() + "' here");
      };

  /** One rule with its settings. */
  interface Check {
    /**
     * Evaluates a workload on a node.
     *
     * @return the judgement of the rule; its excess is not negative
     * @throws io.lighthouse.api.rule.RuleException if the rule fails
     */
    Judgement judge(Workload workload, int node);

    /**
     * Evaluates the rule again and again on a node, where its judgements seem to differ.
     *
     * @throws io.lighthouse.api.rule.RuleException if they differ
     */
    void verify(Workload workload, int node);

    /**
     * Whether the rule reads nothing that placements change, so that its answers hold until the
     * fleet changes.
     */
    boolean isStatic();
  }

  /** The check of a rule, which must be known. */
  Check check(Rule.Named rule);
}

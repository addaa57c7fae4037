package io.lighthouse.core.feasibility;

import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.api.rule.Judgement;

/** The rules of plug-ins, as the constraints ask them: by name and settings. */
public interface NamedRules {
  /** No rules: nobody asks for one. */
  NamedRules NONE =
      rule -> {
        throw new IllegalStateException("no rule '" + rule.rule() + "' here");
      };

  /** One rule with its settings. */
  interface Check {
    /**
     * Judges a workload on a node.
     *
     * @param workload the workload
     * @param node the slot of a node
     * @return what the rule says; its excess is not negative
     * @throws io.lighthouse.api.rule.RuleException if the rule fails
     */
    Judgement judge(Workload workload, int node);

    /**
     * Whether it reads nothing that placing changes.
     *
     * @return true if its answers hold until the fleet changes
     */
    boolean isStatic();

    /**
     * Whether placing can only make it stricter.
     *
     * @return true if so
     */
    boolean lasting();
  }

  /**
   * The check of a rule.
   *
   * @param rule the rule, which is known
   * @return its check
   */
  Check check(Rule.Named rule);
}

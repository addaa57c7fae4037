package io.lighthouse.core.view;

import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.rule.Judgement;
import io.lighthouse.api.rule.Reads;
import io.lighthouse.api.rule.RuleCheck;
import io.lighthouse.api.rule.RuleException;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.constraint.NamedRules;
import io.lighthouse.core.registry.InstalledRule;
import io.lighthouse.core.registry.RuleRegistry;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The rules of plug-ins for one fleet: each with its settings has one check, made at its first use.
 */
final class RuleViews implements NamedRules {
  /** The name of a workload for rules that read nothing but nodes. */
  private static final String UNNAMED = "workload";

  /** How many checks are kept; one more evicts the oldest. */
  static final int MOST_CHECKS = 1_024;

  private final FleetView fleet;
  private final RuleRegistry registry;
  private final Map<Rule.Named, InstalledCheck> checks = new LinkedHashMap<>();

  RuleViews(FleetView fleet, RuleRegistry registry) {
    this.fleet = fleet;
    this.registry = registry;
  }

  /**
   * Makes the check of a rule, or reports its error.
   *
   * @throws InvalidInputException if the rule or a setting is unknown, or a setting is wrong
   */
  @Override
  public Check check(Rule.Named rule) {
    InstalledCheck check = checks.get(rule);
    if (check == null) {
      check = new InstalledCheck(registry.find(rule.rule()), rule);
      checks.put(rule, check);
      if (checks.size() > MOST_CHECKS) {
        checks.remove(checks.keySet().iterator().next());
      }
    }
    return check;
  }

  private final class InstalledCheck implements Check {
    private final InstalledRule installed;
    private final RuleCheck check;
    private final boolean isStatic;
    private final RuleFleet shown;

    InstalledCheck(InstalledRule installed, Rule.Named rule) {
      this.installed = installed;
      Settings with = Settings.of(installed.description().settings(), rule.with());
      isStatic = installed.description().reads().stream().allMatch(read -> read == Reads.NODE);
      shown = new RuleFleet(fleet, installed.description().reads());
      try {
        check = installed.rule().newCheck(shown, with);
      } catch (InvalidInputException wrongSettings) {
        throw wrongSettings;
      } catch (RuntimeException | LinkageError | StackOverflowError thrown) {
        throw failure("threw when asked for a check: " + thrown, thrown);
      }
      if (check == null) {
        throw failure("answered null for a check", null);
      }
    }

    @Override
    public Judgement judge(Workload workload, int node) {
      Judgement judgement;
      try {
        // Its answer is kept for all workloads of this shape, whatever their names.
        judgement = check.judge(isStatic ? workload.named(UNNAMED) : workload, shown.at(node));
      } catch (RuntimeException | LinkageError | StackOverflowError thrown) {
        throw failure("threw for workload '" + workload.name() + "': " + thrown, thrown);
      }
      if (judgement == null || judgement.excess() < 0) {
        throw failure(
            "answered "
                + (judgement == null ? "null" : "the excess " + judgement.excess())
                + " for workload '"
                + workload.name()
                + "'",
            null);
      }
      return judgement;
    }

    @Override
    public boolean isStatic() {
      return isStatic;
    }

    @Override
    public boolean monotone() {
      return installed.description().lasting();
    }

    private RuleException failure(String fault, Throwable thrown) {
      return new RuleException(
          installed.description().name(), installed.description().origin(), fault, thrown);
    }
  }
}

package io.lighthouse.core.view;

import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.InvalidInputException.Thing;
import io.lighthouse.api.rule.Judgement;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.api.rule.Reads;
import io.lighthouse.api.rule.RuleCheck;
import io.lighthouse.api.rule.RuleDescription;
import io.lighthouse.api.rule.RuleException;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.constraint.NamedRules;
import io.lighthouse.core.registry.Installed;
import io.lighthouse.core.registry.Registry;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rules of plug-ins for one fleet: each with its settings has one check, made at its first use.
 */
final class RuleViews implements NamedRules {
  /** The name of a workload for rules that read nothing but nodes. */
  private static final String UNNAMED = "workload";

  /** How many checks are kept; one more evicts the oldest. */
  static final int MOST_CHECKS = 1_024;

  /** How often a rule is evaluated again where it may judge differently each time. */
  private static final int TIMES_EVALUATED_AGAIN = 64;

  private final FleetView fleet;
  private final Registry<PlacementRule, RuleDescription> registry;
  private final Map<Rule.Named, InstalledCheck> checks = new LinkedHashMap<>();

  /** By what a rule reads: the fleet as it sees it. */
  private final Map<Set<Reads>, RuleFleet> shownFleets = new HashMap<>();

  /** Whether code of a rule is running. */
  private boolean running;

  /** The first thing that the code must not do and has done since it began; null for nothing. */
  private IllegalStateException fault;

  RuleViews(FleetView fleet, Registry<PlacementRule, RuleDescription> registry) {
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
      check = new InstalledCheck(installed(rule.rule()), rule);
      checks.put(rule, check);
      if (checks.size() > MOST_CHECKS) {
        checks.remove(checks.keySet().iterator().next());
      }
    }
    return check;
  }

  private Installed<PlacementRule, RuleDescription> installed(String name) {
    return registry
        .find(name)
        .orElseThrow(
            () ->
                new InvalidInputException(
                    Thing.rule(name),
                    "name",
                    "'" + name + "', which is not installed",
                    registry.names().isEmpty()
                        ? "none, no rule is installed"
                        : "one of " + String.join(", ", registry.names())));
  }

  /** Whether code of a rule is running. */
  boolean isRunning() {
    return running;
  }

  /**
   * What a rule must not do, to be thrown into its code. Its call fails with it, whatever the code
   * makes of that.
   */
  IllegalStateException fault(String what) {
    IllegalStateException thrown = new IllegalStateException(what);
    if (running && fault == null) {
      fault = thrown;
    }
    return thrown;
  }

  private void begin() {
    running = true;
    fault = null;
  }

  private final class InstalledCheck implements Check {
    private final Installed<PlacementRule, RuleDescription> installed;
    private final RuleCheck check;
    private final boolean isStatic;
    private final RuleFleet shown;

    InstalledCheck(Installed<PlacementRule, RuleDescription> installed, Rule.Named rule) {
      this.installed = installed;
      isStatic = installed.description().reads().stream().allMatch(read -> read == Reads.NODE);
      shown =
          shownFleets.computeIfAbsent(
              installed.description().reads(),
              reads -> new RuleFleet(fleet, reads, RuleViews.this::fault));
      Settings with = settings(rule);
      begin();
      try {
        check = installed.provider().newCheck(shown, with);
      } catch (InvalidInputException wrongSettings) {
        throw ofTheRule(rule, wrongSettings, wrongSettings.allowed());
      } catch (Throwable thrown) {
        throw thrown("when asked for a check", thrown);
      } finally {
        running = false;
      }
      checkFaultless("when asked for a check");
      if (check == null) {
        throw failure("answered null for a check", null);
      }
    }

    private Settings settings(Rule.Named rule) {
      List<Setting> declared = installed.description().settings();
      try {
        return Settings.of(declared, rule.with());
      } catch (InvalidInputException unknown) {
        throw ofTheRule(
            rule,
            unknown,
            declared.isEmpty() ? "no setting, the rule has none" : unknown.allowed());
      }
    }

    /**
     * A mistake in the settings of the rule, and not in those of the strategy. Where the rule does
     * not give the setting, the default is wrong.
     */
    private InvalidInputException ofTheRule(
        Rule.Named rule, InvalidInputException mistake, String allowed) {
      if (!mistake.subject().equals("settings")) {
        return mistake;
      }
      String setting = mistake.field().replaceFirst("(?s)^'(.*)'$", "$1");
      boolean isDefault =
          !rule.with().containsKey(setting)
              && installed.description().settings().stream()
                  .anyMatch(one -> one.name().equals(setting));
      return new InvalidInputException(
          Thing.rule(rule.rule(), rule.with()),
          "with." + setting,
          (isDefault ? "the default " : "") + mistake.found(),
          allowed);
    }

    @Override
    public Judgement judge(Workload workload, int node) {
      Judgement judgement;
      begin();
      try {
        // Its answer is kept for all workloads of this shape, whatever their names.
        judgement = check.judge(isStatic ? workload.named(UNNAMED) : workload, shown.at(node));
      } catch (Throwable thrown) {
        throw thrown("for " + text(workload), thrown);
      } finally {
        running = false;
      }
      if (fault != null) {
        checkFaultless("for " + text(workload));
      }
      if (judgement == null || judgement.excess() < 0) {
        throw failure(
            "answered "
                + (judgement == null ? "null" : "the excess " + judgement.excess())
                + " for "
                + text(workload),
            null);
      }
      return judgement;
    }

    @Override
    public void verify(Workload workload, int node) {
      long excess = judge(workload, node).excess();
      for (int i = 0; i < TIMES_EVALUATED_AGAIN; i++) {
        if (judge(workload, node).excess() != excess) {
          throw failure(
              "answers differently each time, for " + text(workload) + " on " + fleet.at(node),
              null);
        }
      }
    }

    private static String text(Workload workload) {
      return "workload '" + workload.name() + "'";
    }

    private void checkFaultless(String when) {
      if (fault != null) {
        throw failure("failed " + when + ": " + fault.getMessage(), fault);
      }
    }

    /** The failure of a rule whose code threw something. */
    private RuleException thrown(String when, Throwable thrown) {
      if (thrown instanceof VirtualMachineError error && !(thrown instanceof StackOverflowError)) {
        throw error;
      }
      checkFaultless(when);
      return failure("threw " + when + ": " + thrown, thrown);
    }

    @Override
    public boolean isStatic() {
      return isStatic;
    }

    private RuleException failure(String fault, Throwable thrown) {
      return new RuleException(installed.name(), installed.origin(), fault, thrown);
    }
  }
}

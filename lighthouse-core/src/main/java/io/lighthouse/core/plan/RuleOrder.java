package io.lighthouse.core.plan;

import io.lighthouse.api.Rule;
import io.lighthouse.core.budget.StepBudget;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.HolderBounds;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Members;
import io.lighthouse.core.ledger.Topology;
import io.lighthouse.core.plan.GroupWaves.Counted;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * The waves that the rules of workloads leave to each step. {@link GroupWaves} counts the members
 * of a group. A rule of a plug-in may read anything, so the step is in a wave of its own.
 */
final class RuleOrder {
  private final Ledger ledger;
  private final Map<Counted, GroupWaves> groups = new LinkedHashMap<>();

  /** By index of a step: what it is for the groups that count its workload. */
  private final Map<Integer, List<GroupWaves.Part>> parts = new HashMap<>();

  /** The indexes of the steps with a rule of a plug-in. */
  private final BitSet plugins = new BitSet();

  /** The first wave after the last one of these steps. */
  private int afterPlugins;

  /** A step with what its workload may be counted in, or counts. */
  private record Related(PlanSession.Step step, Demand demand, Set<Counted> counted) {}

  /**
   * Reads the rules.
   *
   * @param session the accounts after all steps
   * @param demands what the workloads need, by entry
   * @param steps none where no rule holds
   * @param budget what may be read for waves before a new one
   */
  RuleOrder(
      PlanSession session,
      IntFunction<Demand> demands,
      List<PlanSession.Step> steps,
      StepBudget budget) {
    ledger = session.ledger;
    List<Related> all = new ArrayList<>();
    for (PlanSession.Step step : steps) {
      Demand demand = demands.apply(step.entry());
      plugins.set(all.size(), demand.hardRules().stream().anyMatch(Rule.Named.class::isInstance));
      Set<Counted> counted = ofRules(demand);
      Set<Counted> ofMember = ofMember(demand);
      Stream.concat(counted.stream(), ofMember.stream().filter(this::isBounded))
          .forEach(of -> groups.computeIfAbsent(of, any -> new GroupWaves(session, any, budget)));
      counted.addAll(ofMember);
      all.add(new Related(step, demand, counted));
    }
    for (Related of : all) {
      List<GroupWaves.Part> ofStep =
          of.counted.stream()
              .filter(groups::containsKey)
              .map(counted -> groups.get(counted).add(of.step, of.demand))
              .toList();
      parts.put(parts.size(), ofStep);
    }
    groups.values().forEach(GroupWaves::takeBack);
  }

  /** What the rules of a workload count. */
  private Set<Counted> ofRules(Demand demand) {
    Set<Counted> counted = new LinkedHashSet<>();
    for (Rule rule : demand.hardRules()) {
      if (rule instanceof Rule.OfGroup of) {
        counted.add(Counted.of(ledger, of));
      }
    }
    counted.removeIf(of -> of.level() == Topology.NO_LEVEL);
    return counted;
  }

  /** What a workload may be counted in. */
  private Set<Counted> ofMember(Demand demand) {
    Set<String> names = new LinkedHashSet<>(demand.terms().groups());
    names.addAll(demand.workload().aversionGroups());
    Set<Counted> counted = new LinkedHashSet<>();
    for (String group : names) {
      for (int level = Members.NODE; level < ledger.topology().levelCount(); level++) {
        counted.add(new Counted(group, level));
      }
    }
    return counted;
  }

  /** Whether a placed workload bounds the members. */
  private boolean isBounded(Counted counted) {
    int group = ledger.members().find(counted.group());
    return ledger.members().bounds().least(group, counted.level()) != HolderBounds.UNBOUNDED;
  }

  /**
   * The first wave that a step may be in; it may also be in all later ones.
   *
   * @param from no earlier one is tried
   * @param end the number of waves that there are; a new wave is always possible
   */
  int earliest(int step, int from, int end) {
    int earliest = plugins.get(step) ? end : Math.max(from, afterPlugins);
    for (GroupWaves.Part part : parts(step)) {
      earliest = part.earliest(earliest, end);
    }
    return earliest;
  }

  private List<GroupWaves.Part> parts(int step) {
    return parts.getOrDefault(step, List.of());
  }

  /** Notes that a step is in a wave now. */
  void add(int step, int wave) {
    if (plugins.get(step)) {
      afterPlugins = wave + 1;
    }
    parts(step).forEach(part -> part.join(wave));
  }

  /** Whether the steps may be taken in another order, as far as rules of plug-ins matter. */
  boolean mayReorder() {
    return plugins.isEmpty();
  }

  /** Whether each step keeps the rules that count groups after those before it. */
  boolean isFeasible() {
    return groups.values().stream().allMatch(GroupWaves::isFeasible);
  }
}

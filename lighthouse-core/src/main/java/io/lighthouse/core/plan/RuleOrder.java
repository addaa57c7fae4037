package io.lighthouse.core.plan;

import io.lighthouse.api.Rule;
import io.lighthouse.core.index.PossibleNodes;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.HolderBounds;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Members;
import io.lighthouse.core.ledger.Topology;
import io.lighthouse.core.plan.GroupWaves.Counted;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The waves that the rules of workloads leave to each step. {@link GroupWaves} counts the members
 * of a group. A rule of a plug-in may read anything, so the step is in a wave of its own.
 */
final class RuleOrder {
  private final Ledger ledger;
  private final Map<Counted, GroupWaves> groups = new LinkedHashMap<>();
  private final GroupWaves.Reads reads = new GroupWaves.Reads();

  /** By index of a step: what it is for the groups. */
  private final List<List<GroupWaves.Part>> parts = new ArrayList<>();

  /** The indexes of the steps with a rule of a plug-in. */
  private final BitSet plugins = new BitSet();

  /** The first wave after the last one of these steps. */
  private int afterPlugins;

  /**
   * Reads the rules.
   *
   * @param ledger the accounts after all steps
   * @param possible the nodes that are possible for the workloads
   */
  RuleOrder(Ledger ledger, PossibleNodes possible, List<PlanSession.Step> steps) {
    this.ledger = ledger;
    for (int i = 0; i < steps.size(); i++) {
      Demand demand = ledger.demand(steps.get(i).entry());
      plugins.set(i, demand.hardRules().stream().anyMatch(Rule.Named.class::isInstance));
      Set<Counted> counted = ofRules(demand);
      ofMember(demand).stream().filter(this::isBounded).forEach(counted::add);
      counted.forEach(
          of -> groups.computeIfAbsent(of, any -> new GroupWaves(ledger, possible, any, reads)));
    }
    for (PlanSession.Step step : steps) {
      Demand demand = ledger.demand(step.entry());
      Set<Counted> related = ofRules(demand);
      related.addAll(ofMember(demand));
      parts.add(
          related.stream()
              .map(groups::get)
              .filter(Objects::nonNull)
              .map(group -> group.add(step, demand))
              .toList());
    }
    groups.values().forEach(GroupWaves::takeBack);
  }

  /** No rules, for a number of steps. */
  RuleOrder(Ledger ledger, int steps) {
    this.ledger = ledger;
    parts.addAll(Collections.nCopies(steps, List.of()));
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
    for (GroupWaves.Part part : parts.get(step)) {
      earliest = part.earliest(earliest, end);
    }
    return earliest;
  }

  /** Notes that a step is in a wave now. */
  void add(int step, int wave) {
    if (plugins.get(step)) {
      afterPlugins = wave + 1;
    }
    parts.get(step).forEach(part -> part.join(wave));
  }

  /** About how much was read for all steps. */
  long reads() {
    return reads.count();
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

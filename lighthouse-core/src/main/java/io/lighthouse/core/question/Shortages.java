package io.lighthouse.core.question;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Names;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Remedies.Kind;
import io.lighthouse.api.advice.Remedies.Remedy;
import io.lighthouse.api.advice.Shortage;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.budget.StepBudget;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Groups refused workloads by what they lack, and grows nodes until each group is placed. */
public final class Shortages {
  /** The steps of a question: trials, for all workloads together. */
  public static final long MOST_STEPS = 1_000_000;

  private Shortages() {}

  /**
   * A remedy that lets a workload in by growth.
   *
   * @param more how much more there is of each resource then
   */
  private record Growth(RatedRemedy rated, Map<String, Quantity> more) {}

  /**
   * A shortage for each set of resources that refused workloads lack, the one with the most
   * workloads first. The caller brings the fleet back to what it was.
   */
  public static List<Shortage> answer(
      Distributor fleet, List<Workload> refused, StepBudget budget) {
    requireFreeNames(fleet.snapshot(), refused);
    Map<List<String>, List<Workload>> groups = new LinkedHashMap<>();
    for (Workload workload : refused) {
      if (budget.isOver()) {
        break;
      }
      budget.spend(1);
      if (!fleet.fitting(workload).isEmpty()) {
        continue;
      }
      growth(fleet, workload, budget)
          .ifPresent(
              growth ->
                  groups
                      .computeIfAbsent(List.copyOf(growth.more.keySet()), key -> new ArrayList<>())
                      .add(workload));
    }
    List<Shortage> shortages = new ArrayList<>();
    groups.forEach(
        (resources, workloads) ->
            shortages.add(
                fleet.tryOut(List.of(), tried -> placed(tried, resources, workloads, budget))));
    shortages.removeIf(shortage -> shortage.workloads().isEmpty()); // The budget ended before.
    shortages.sort((a, b) -> Integer.compare(b.workloads().size(), a.workloads().size()));
    return shortages;
  }

  private static void requireFreeNames(Snapshot fleet, List<Workload> refused) {
    Set<String> names = new HashSet<>();
    for (Workload workload : refused) {
      String name = workload.name();
      Optional<String> node = fleet.nodeOf(name);
      if (node.isPresent() || !names.add(name)) {
        throw new InvalidInputException(
            "workload '" + name + "'",
            "name",
            node.map(on -> "placed on node '" + on + "'").orElse("given twice in the batch"),
            "a name that is not in use");
      }
    }
  }

  /** Places each in turn: where it fits by now, else where the least growth lets it in. */
  private static Shortage placed(
      Distributor fleet, List<String> resources, List<Workload> workloads, StepBudget budget) {
    Map<String, Quantity> all = new TreeMap<>(Names.order());
    List<Change> changes = new ArrayList<>();
    List<String> placed = new ArrayList<>();
    for (Workload workload : workloads) {
      if (budget.isOver()) {
        break;
      }
      budget.spend(1);
      List<String> nodes = fleet.fitting(workload);
      if (nodes.isEmpty()) {
        Optional<Growth> growth = growth(fleet, workload, budget);
        if (growth.isEmpty()) {
          continue;
        }
        growth.get().more.forEach((name, more) -> all.merge(name, more, Quantity::plus));
        Remedy remedy = growth.get().rated.remedy();
        changes.addAll(remedy.changes());
        fleet.apply(remedy.changes());
        nodes = List.of(remedy.node());
      }
      Change assign = new Change.Assign(workload, nodes.get(0));
      fleet.apply(assign);
      changes.add(assign);
      placed.add(workload.name());
    }
    return new Shortage(resources, placed, Resources.of(all), changes);
  }

  private static Optional<Growth> growth(Distributor fleet, Workload given, StepBudget budget) {
    if (budget.isOver()) {
      return Optional.empty();
    }
    budget.spend(1);
    // A gang is no matter of a single node.
    Workload workload = given.withTerms(given.terms().withoutGang());
    Growth best = null;
    for (NodeVerdict verdict : fleet.explain(workload).nodes()) {
      if (budget.isOver()) {
        break;
      }
      NodeRepair repair = new NodeRepair(fleet, workload, verdict);
      for (Kind kind : List.of(Kind.TAG, Kind.GROW)) {
        Optional<RatedRemedy> rated = repair.of(kind);
        if (rated.isPresent()
            && rated.get().isBetterThan(best == null ? null : best.rated)
            && !budget.isOver()
            && rated.get().works(fleet, budget)) {
          best = new Growth(rated.get(), repair.more(kind));
        }
      }
    }
    return Optional.ofNullable(best);
  }
}

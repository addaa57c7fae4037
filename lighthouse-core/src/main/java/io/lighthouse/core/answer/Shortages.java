package io.lighthouse.core.answer;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Names;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Remedies.Kind;
import io.lighthouse.api.advice.Remedies.Remedy;
import io.lighthouse.api.advice.Shortage;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.budget.StepBudget;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Groups refused workloads by what they lack, and grows nodes until each group is placed. */
public final class Shortages {
  /** Trials at most, for all workloads together. */
  private static final long MOST_STEPS = 1_000_000;

  private Shortages() {}

  /**
   * Answers.
   *
   * @param fleet the fleet, which the caller brings back to what it was
   * @param refused workloads that find no node
   * @return a shortage for each set of resources, the one with the most workloads first
   */
  public static List<Shortage> answer(Distributor fleet, List<Workload> refused) {
    return answer(fleet, refused, new StepBudget(MOST_STEPS));
  }

  static List<Shortage> answer(Distributor fleet, List<Workload> refused, StepBudget budget) {
    Map<List<String>, List<Workload>> groups = new LinkedHashMap<>();
    for (Workload workload : refused) {
      growth(fleet, workload, budget)
          .ifPresent(
              remedy ->
                  groups
                      .computeIfAbsent(
                          List.copyOf(more(fleet, remedy).keySet()), key -> new ArrayList<>())
                      .add(workload));
    }
    List<Shortage> shortages = new ArrayList<>();
    groups.forEach(
        (resources, workloads) ->
            shortages.add(
                fleet.tryOut(List.of(), tried -> placed(tried, resources, workloads, budget))));
    shortages.sort((a, b) -> Integer.compare(b.workloads().size(), a.workloads().size()));
    return shortages;
  }

  /** Each in turn: where it fits by now, else where the least growth lets it in. */
  private static Shortage placed(
      Distributor fleet, List<String> resources, List<Workload> workloads, StepBudget budget) {
    Map<String, Quantity> all = new TreeMap<>(Names.order());
    List<Change> changes = new ArrayList<>();
    List<String> placed = new ArrayList<>();
    for (Workload workload : workloads) {
      List<String> nodes = fleet.fitting(workload);
      if (nodes.isEmpty()) {
        Optional<Remedy> remedy = growth(fleet, workload, budget);
        if (remedy.isEmpty()) {
          continue;
        }
        more(fleet, remedy.get()).forEach((name, more) -> all.merge(name, more, Quantity::plus));
        changes.addAll(remedy.get().changes());
        fleet.apply(remedy.get().changes());
        nodes = List.of(remedy.get().node());
      }
      Change assign = new Change.Assign(workload, nodes.get(0));
      fleet.apply(assign);
      changes.add(assign);
      placed.add(workload.name());
    }
    return new Shortage(resources, placed, Resources.of(all), changes);
  }

  private static Optional<Remedy> growth(Distributor fleet, Workload workload, StepBudget budget) {
    if (budget.isOver()) {
      return Optional.empty();
    }
    budget.spend(1);
    Remedy least = null;
    BigDecimal leastShare = null;
    for (NodeVerdict verdict : fleet.explain(workload).nodes()) {
      for (Kind kind : List.of(Kind.TAG, Kind.GROW)) {
        NodeRepair repair = new NodeRepair(fleet, workload, verdict);
        Optional<Remedy> remedy = repair.of(kind);
        if (remedy.isEmpty()) {
          continue;
        }
        int order = least == null ? -1 : remedy.get().cost().compareTo(least.cost());
        boolean better = order < 0 || order == 0 && repair.share().compareTo(leastShare) < 0;
        if (better && !budget.isOver() && RemedySearch.works(fleet, remedy.get(), budget)) {
          least = remedy.get();
          leastShare = repair.share();
        }
      }
    }
    return Optional.ofNullable(least);
  }

  /** How much more there is of what, when a remedy has been carried out. */
  private static Map<String, Quantity> more(Distributor fleet, Remedy remedy) {
    Map<String, Quantity> more = new TreeMap<>(Names.order());
    for (Change change : remedy.changes()) {
      if (change instanceof Change.Resize resize) {
        add(more, fleet.node(resize.node()).capacity(), resize.capacity(), "");
      } else if (change instanceof Change.ResizeDomain resize) {
        Resources before = fleet.domain(resize.level(), resize.domain()).capacity();
        add(more, before, resize.capacity(), "@" + resize.level());
      }
    }
    return more;
  }

  private static void add(
      Map<String, Quantity> more, Resources before, Resources after, String suffix) {
    for (int i = 0; i < after.size(); i++) {
      Optional<Quantity> was = before.get(after.name(i));
      if (was.isEmpty() || !was.get().equals(after.quantity(i))) {
        Quantity grown = was.map(after.quantity(i)::minus).orElse(after.quantity(i));
        more.merge(after.name(i) + suffix, grown, Quantity::plus);
      }
    }
  }
}

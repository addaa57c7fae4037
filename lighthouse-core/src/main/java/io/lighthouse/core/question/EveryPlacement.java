package io.lighthouse.core.question;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.InvalidChangeException;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.core.budget.StepBudget;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An exhaustive search for a placement of a small batch of plain workloads, to prove that there is
 * none. Equal workloads take nodes in order, and of empty nodes that are alike one is tried.
 */
final class EveryPlacement {
  /** Larger batches are not searched. */
  private static final int MOST = 40;

  private final List<Workload> batch;
  private final List<String> nodes;

  /** By node: the kind that was added, or -1 for one that was there. */
  private final int[] kinds;

  /** By node: how many workloads of the batch are there. */
  private final int[] held;

  private final StepBudget budget;

  /** Whether the budget ended before all placements were tried. */
  private boolean over;

  private EveryPlacement(List<Workload> batch, List<String> nodes, int[] kinds, StepBudget budget) {
    this.batch = batch;
    this.nodes = nodes;
    this.kinds = kinds;
    this.held = new int[nodes.size()];
    this.budget = budget;
  }

  /**
   * Whether every placement was tried, and none is possible.
   *
   * @param kinds by node, its kind; nodes of one kind are alike; -1 for one of its own
   */
  static boolean isImpossible(
      Distributor fleet, List<Workload> batch, List<String> nodes, int[] kinds, StepBudget budget) {
    if (batch.size() > MOST || !isPlain(fleet, batch)) {
      return false;
    }
    // Equal ones beside each other, in the order of their first.
    Map<List<Object>, List<Workload>> shapes = new LinkedHashMap<>();
    for (Workload workload : batch) {
      shapes.computeIfAbsent(shape(workload), any -> new ArrayList<>()).add(workload);
    }
    List<Workload> sorted = shapes.values().stream().flatMap(List::stream).toList();
    EveryPlacement search = new EveryPlacement(sorted, nodes, kinds, budget);
    return !search.places(fleet, 0, 0) && !search.over;
  }

  private static List<Object> shape(Workload workload) {
    return List.of(workload.requirements(), workload.aversionGroups());
  }

  /** Whether it matters neither when nor in which order a batch is placed. */
  static boolean isPlain(Distributor fleet, List<Workload> batch) {
    return fleet.rules().isEmpty() && batch.stream().allMatch(EveryPlacement::isPlain);
  }

  /** Whether it matters neither where nor when such workloads are placed. */
  static boolean isPlain(Workload workload) {
    return workload.immunities().isEmpty()
        && workload.terms().equals(Terms.NONE)
        && !Deficits.gives(workload);
  }

  /** Whether the workloads from an index on have room beside those before it. */
  private boolean places(Distributor fleet, int index, int from) {
    if (index == batch.size()) {
      return true;
    }
    Workload workload = batch.get(index);
    boolean likeNext =
        index + 1 < batch.size() && shape(batch.get(index + 1)).equals(shape(workload));
    for (int node = from; node < nodes.size() && !over; node++) {
      if (isLikeAnEmptyOneBefore(node)) {
        continue;
      }
      boolean isLast = budget.isOver();
      budget.spend(1);
      int next = likeNext ? node : 0;
      held[node]++;
      try {
        if (fleet.tryOut(
            List.of(new Change.Assign(workload, nodes.get(node))),
            tried -> places(tried, index + 1, next))) {
          return true;
        }
      } catch (InvalidChangeException doesNotFit) {
        // So it is tried on the next node.
      }
      held[node]--;
      over |= isLast;
    }
    return false;
  }

  private boolean isLikeAnEmptyOneBefore(int node) {
    return node > 0
        && kinds[node] >= 0
        && held[node] == 0
        && kinds[node - 1] == kinds[node]
        && held[node - 1] == 0;
  }
}

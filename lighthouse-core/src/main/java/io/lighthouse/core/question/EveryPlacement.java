package io.lighthouse.core.question;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.InvalidChangeException;
import io.lighthouse.api.Workload;
import io.lighthouse.core.budget.StepBudget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An exhaustive search for a placement of a small batch of plain workloads, to prove that there is
 * none. Equal workloads take nodes in order, and of empty nodes that are alike one is tried.
 */
final class EveryPlacement {
  /** Larger batches are not searched. */
  private static final int MOST = 40;

  private final Distributor fleet;
  private final List<Workload> batch;
  private final List<String> nodes;

  /** By node: the kind that was added, or -1 for one that was there. */
  private final int[] kinds;

  private final int[] held;
  private final StepBudget budget;

  /** Whether the budget ended before all placements were tried. */
  private boolean over;

  private EveryPlacement(
      Distributor fleet, List<Workload> batch, List<String> nodes, int[] kinds, StepBudget budget) {
    this.fleet = fleet;
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
    Map<List<Object>, List<Workload>> shapes = new HashMap<>();
    List<List<Workload>> order = new ArrayList<>();
    for (Workload workload : batch) {
      List<Object> shape = List.of(workload.requirements(), workload.aversionGroups());
      List<Workload> alike = shapes.get(shape);
      if (alike == null) {
        alike = new ArrayList<>();
        shapes.put(shape, alike);
        order.add(alike);
      }
      alike.add(workload);
    }
    List<Workload> sorted = new ArrayList<>();
    order.forEach(sorted::addAll);
    EveryPlacement search = new EveryPlacement(fleet, sorted, nodes, kinds, budget);
    return !search.places(0, 0) && !search.over;
  }

  /** Whether it matters neither when nor in which order a batch is placed. */
  static boolean isPlain(Distributor fleet, List<Workload> batch) {
    return fleet.rules().isEmpty() && batch.stream().allMatch(Headrooms::isPlain);
  }

  private boolean places(int index, int from) {
    if (index == batch.size()) {
      return true;
    }
    Workload workload = batch.get(index);
    boolean likeNext =
        index + 1 < batch.size()
            && batch.get(index + 1).requirements().equals(workload.requirements())
            && batch.get(index + 1).aversionGroups().equals(workload.aversionGroups());
    for (int node = from; node < nodes.size() && !over; node++) {
      if (isLikeAnEmptyOneBefore(node)) {
        continue;
      }
      over = budget.isOver();
      budget.spend(1);
      int here = node;
      boolean found;
      try {
        found =
            fleet.tryOut(
                List.of(new Change.Assign(workload, nodes.get(node))),
                tried -> searchOn(tried, here, index + 1, likeNext ? here : 0));
      } catch (InvalidChangeException doesNotFit) {
        found = false;
      }
      if (found) {
        return true;
      }
    }
    return false;
  }

  /** Goes on within a trial. */
  private boolean searchOn(Distributor tried, int node, int index, int from) {
    EveryPlacement deeper = new EveryPlacement(tried, batch, nodes, kinds, budget);
    System.arraycopy(held, 0, deeper.held, 0, held.length);
    deeper.held[node]++;
    boolean found = deeper.places(index, from);
    over = deeper.over;
    return found;
  }

  private boolean isLikeAnEmptyOneBefore(int node) {
    return node > 0
        && kinds[node] >= 0
        && held[node] == 0
        && kinds[node - 1] == kinds[node]
        && held[node - 1] == 0;
  }
}

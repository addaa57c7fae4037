package io.lighthouse.core.question;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.InvalidChangeException;
import io.lighthouse.api.Workload;
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
  private final long most;
  private long steps;
  private boolean over;

  private EveryPlacement(
      Distributor fleet, List<Workload> batch, List<String> nodes, int[] kinds, long most) {
    this.fleet = fleet;
    this.batch = batch;
    this.nodes = nodes;
    this.kinds = kinds;
    this.held = new int[nodes.size()];
    this.most = most;
  }

  /** What was found within the number of steps given here. */
  record Verdict(boolean impossible, long steps) {}

  /**
   * Searches.
   *
   * @param kinds by node, its kind; nodes of one kind are alike; -1 for one of its own
   */
  static Verdict of(
      Distributor fleet, List<Workload> batch, List<String> nodes, int[] kinds, long most) {
    if (batch.size() > MOST || !isPlain(fleet, batch)) {
      return new Verdict(false, 0);
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
    EveryPlacement search = new EveryPlacement(fleet, sorted, nodes, kinds, most);
    boolean found = search.places(0, 0);
    return new Verdict(!found && !search.over, search.steps);
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
      over = ++steps > most;
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
    EveryPlacement deeper = new EveryPlacement(tried, batch, nodes, kinds, most);
    System.arraycopy(held, 0, deeper.held, 0, held.length);
    deeper.held[node]++;
    deeper.steps = steps;
    boolean found = deeper.places(index, from);
    steps = deeper.steps;
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

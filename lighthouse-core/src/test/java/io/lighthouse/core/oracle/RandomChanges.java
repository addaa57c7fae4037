package io.lighthouse.core.oracle;

import io.lighthouse.api.Change;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Makes random changes for a fleet in a given state. */
public final class RandomChanges {
  private final ProblemMaker maker;

  public RandomChanges(ProblemMaker maker) {
    this.maker = maker;
  }

  /** Some changes that may be carried out one after the other, or not: one in six goes wrong. */
  public List<Change> some(NaiveFleet fleet) {
    NaiveFleet now = fleet.copy();
    List<Change> changes = new ArrayList<>();
    for (int i = maker.random.nextInt(6); i >= 0; i--) {
      Change change = any(now);
      boolean possible = now.carryOutPossible(List.of(change)) == 1;
      if (possible || maker.chance(6)) {
        changes.add(change);
      }
    }
    return changes;
  }

  private Change any(NaiveFleet fleet) {
    List<String> placed = fleet.placedNames();
    String workload = placed.isEmpty() ? "none" : placed.get(below(placed.size()));
    String node = name(fleet);
    return switch (maker.random.nextInt(12)) {
      case 0 -> new Change.AddNode(maker.node());
      case 1 -> new Change.RemoveNode(node);
      case 2 -> resize(fleet);
      case 3 -> new Change.Cordon(node);
      case 4 -> new Change.Uncordon(node);
      case 5, 6 -> new Change.Release(workload);
      case 7, 8 -> new Change.Move(workload, nodeOf(workload, fleet), node);
      default -> assign(fleet);
    };
  }

  private Change resize(NaiveFleet fleet) {
    if (fleet.size() == 0) {
      return new Change.Resize("nowhere", Resources.none());
    }
    int node = below(fleet.size());
    Set<String> inUse = new HashSet<>();
    fleet.workloads(node).forEach(w -> inUse.addAll(w.requirements().names()));
    return new Change.Resize(fleet.name(node), maker.capacity(fleet.capacities(node), inUse));
  }

  private Change assign(NaiveFleet fleet) {
    Workload workload = maker.workload();
    int fitting =
        fleet.size() == 0 ? NaiveFleet.NONE : fleet.next(workload, below(fleet.size()), false);
    return new Change.Assign(
        workload, fitting == NaiveFleet.NONE ? name(fleet) : fleet.name(fitting));
  }

  private static String nodeOf(String workload, NaiveFleet fleet) {
    int node = fleet.nodeOf(workload);
    return node < 0 ? "nowhere" : fleet.name(node);
  }

  private String name(NaiveFleet fleet) {
    return fleet.size() == 0 ? "nowhere" : fleet.name(below(fleet.size()));
  }

  private int below(int bound) {
    return maker.random.nextInt(bound);
  }
}

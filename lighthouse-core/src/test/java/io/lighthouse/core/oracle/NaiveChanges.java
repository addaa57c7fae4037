package io.lighthouse.core.oracle;

import io.lighthouse.api.Change;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Changes as values on the oracle: random ones, whether one goes, and what it does. */
public final class NaiveChanges {
  private final ProblemMaker maker;

  public NaiveChanges(ProblemMaker maker) {
    this.maker = maker;
  }

  /** Some changes that may be carried out one after the other, or not: one in six goes wrong. */
  public List<Change> some(NaiveFleet fleet) {
    NaiveFleet now = fleet.copy();
    List<Change> changes = new ArrayList<>();
    for (int i = maker.random.nextInt(6); i >= 0; i--) {
      Change change = any(now);
      if (goes(change, now)) {
        carryOut(change, now);
        changes.add(change);
      } else if (maker.chance(6)) {
        changes.add(change);
      }
    }
    return changes;
  }

  private Change any(NaiveFleet fleet) {
    List<String> placed = fleet.placedNames();
    String somebody = placed.isEmpty() ? "nobody" : placed.get(below(placed.size()));
    String somewhere = name(fleet);
    return switch (maker.random.nextInt(12)) {
      case 0 -> new Change.AddNode(maker.node());
      case 1 -> new Change.RemoveNode(somewhere);
      case 2 -> resize(fleet);
      case 3 -> new Change.Cordon(somewhere);
      case 4 -> new Change.Uncordon(somewhere);
      case 5, 6 -> new Change.Release(somebody);
      case 7, 8 -> new Change.Move(somebody, whereabouts(somebody, fleet), somewhere);
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

  private static String whereabouts(String workload, NaiveFleet fleet) {
    int node = fleet.nodeOf(workload);
    return node < 0 ? "nowhere" : fleet.name(node);
  }

  private String name(NaiveFleet fleet) {
    return fleet.size() == 0 ? "nowhere" : fleet.name(below(fleet.size()));
  }

  private int below(int bound) {
    return maker.random.nextInt(bound);
  }

  /** The index of the first of them that does not go, or that of none: their number. */
  public static int firstThatDoesNotGo(List<Change> changes, NaiveFleet fleet) {
    NaiveFleet now = fleet.copy();
    for (int step = 0; step < changes.size(); step++) {
      if (!goes(changes.get(step), now)) {
        return step;
      }
      carryOut(changes.get(step), now);
    }
    return changes.size();
  }

  /** Whether a change can be carried out now. */
  public static boolean goes(Change change, NaiveFleet fleet) {
    if (change instanceof Change.AddNode add) {
      return fleet.find(add.node().name()) < 0
          && add.node().workloads().stream().allMatch(w -> fleet.nodeOf(w.name()) < 0);
    } else if (change instanceof Change.RemoveNode remove) {
      int node = fleet.find(remove.node());
      return node >= 0 && fleet.workloads(node).isEmpty();
    } else if (change instanceof Change.Resize resize) {
      int node = fleet.find(resize.node());
      return node >= 0
          && fleet.workloads(node).stream()
              .allMatch(w -> resize.capacity().names().containsAll(w.requirements().names()));
    } else if (change instanceof Change.Cordon cordon) {
      return fleet.find(cordon.node()) >= 0;
    } else if (change instanceof Change.Uncordon uncordon) {
      return fleet.find(uncordon.node()) >= 0;
    } else if (change instanceof Change.Assign assign) {
      int node = fleet.find(assign.node());
      return node >= 0
          && fleet.nodeOf(assign.workload().name()) < 0
          && fleet.fits(node, assign.workload());
    } else if (change instanceof Change.Move move) {
      int from = fleet.find(move.from());
      int to = fleet.find(move.to());
      if (from < 0 || to < 0 || from == to || fleet.nodeOf(move.workload()) != from) {
        return false;
      }
      NaiveFleet without = fleet.copy();
      Workload moved = workload(move.workload(), from, fleet);
      without.release(move.workload());
      return without.fits(to, moved);
    } else {
      return fleet.nodeOf(((Change.Release) change).workload()) >= 0;
    }
  }

  /** Carries out a change that goes. */
  public static void carryOut(Change change, NaiveFleet fleet) {
    if (change instanceof Change.AddNode add) {
      fleet.add(add.node());
    } else if (change instanceof Change.RemoveNode remove) {
      fleet.remove(fleet.find(remove.node()));
    } else if (change instanceof Change.Resize resize) {
      fleet.resize(fleet.find(resize.node()), resize.capacity());
    } else if (change instanceof Change.Cordon cordon) {
      fleet.cordon(fleet.find(cordon.node()), true);
    } else if (change instanceof Change.Uncordon uncordon) {
      fleet.cordon(fleet.find(uncordon.node()), false);
    } else if (change instanceof Change.Assign assign) {
      fleet.place(assign.workload(), fleet.find(assign.node()));
    } else if (change instanceof Change.Move move) {
      int from = fleet.find(move.from());
      fleet.move(workload(move.workload(), from, fleet), fleet.find(move.to()));
    } else {
      fleet.release(((Change.Release) change).workload());
    }
  }

  private static Workload workload(String name, int node, NaiveFleet fleet) {
    return fleet.workloads(node).stream().filter(w -> w.name().equals(name)).findFirst().get();
  }
}

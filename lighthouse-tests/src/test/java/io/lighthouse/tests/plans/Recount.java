package io.lighthouse.tests.plans;

import io.lighthouse.api.NodeState;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.quantity.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Comparator;
import java.util.List;

/** The figures of a fleet, counted from a snapshot. */
final class Recount {
  /** Loads that differ by less are equal to a planner that rounds shares. */
  private static final BigDecimal ROUNDED = new BigDecimal("0.000000003");

  /** Loads above it are equal to a planner, which counts shares in fixed point. */
  private static final BigDecimal MOST = BigDecimal.valueOf(1 << 20);

  /** The digits of a figure, and digits with which two loads are equal only if they really are. */
  private static final int FIGURE = 9;

  private static final int EXACT = 40;

  private Recount() {}

  static Plan.Figures of(Snapshot fleet) {
    int placed = 0;
    int inUse = 0;
    int averse = 0;
    BigDecimal fullest = BigDecimal.ZERO;
    for (NodeState node : fleet.nodes()) {
      placed += node.workloads().size();
      inUse += node.workloads().isEmpty() ? 0 : 1;
      averse += (int) node.workloads().stream().filter(one -> averse(node, one)).count();
      fullest = fullest.max(load(node, FIGURE));
    }
    return new Plan.Figures(placed, inUse, Quantity.of(fullest), averse);
  }

  /** The share in use of a node's fullest resource, rounded up. */
  private static BigDecimal load(NodeState node, int digits) {
    BigDecimal fullest = BigDecimal.ZERO;
    for (String resource : node.capacity().names()) {
      Quantity capacity = node.capacity().get(resource).orElseThrow();
      if (capacity.signum() > 0 && !capacity.isInfinite()) {
        BigDecimal all = capacity.toBigDecimal();
        BigDecimal used = all.subtract(node.left().get(resource).orElseThrow().toBigDecimal());
        fullest = fullest.max(used.divide(all, digits, RoundingMode.CEILING));
      }
    }
    return fullest;
  }

  /** Whether a node is less full than another, as far as a planner tells. */
  static boolean isLower(NodeState one, NodeState other) {
    return load(other, EXACT).min(MOST).subtract(load(one, EXACT)).compareTo(ROUNDED) > 0;
  }

  /**
   * Compares the loads of two fleets, the fullest nodes first: the first that differs decides. What
   * a planner takes for lower is lower, however little: it rounds all shares down.
   */
  static int compareLoads(Snapshot one, Snapshot other) {
    List<BigDecimal> of = loads(one);
    List<BigDecimal> than = loads(other);
    for (int i = 0; i < of.size(); i++) {
      int difference = of.get(i).compareTo(than.get(i));
      if (difference != 0) {
        return difference;
      }
    }
    return 0;
  }

  private static List<BigDecimal> loads(Snapshot fleet) {
    return fleet.nodes().stream()
        .map(node -> load(node, EXACT))
        .sorted(Comparator.reverseOrder())
        .toList();
  }

  static boolean averse(NodeState node, Workload workload) {
    return node.workloads().stream()
        .filter(other -> !other.name().equals(workload.name()))
        .anyMatch(
            other -> other.aversionGroups().stream().anyMatch(workload.aversionGroups()::contains));
  }

  /** The names for which a goal is not reached, as a plan reports them. */
  static List<String> unmet(PlanGoal goal, Snapshot fleet) {
    return goal.match(
        new PlanGoal.Cases<>() {
          @Override
          public List<String> place(PlanGoal.Place place) {
            return place.workloads().stream()
                .map(Workload::name)
                .filter(name -> fleet.nodeOf(name).isEmpty())
                .toList();
          }

          @Override
          public List<String> drain(PlanGoal.Drain drain) {
            return inUse(drain.nodes());
          }

          @Override
          public List<String> consolidate(PlanGoal.Consolidate consolidate) {
            return List.of();
          }

          @Override
          public List<String> rebalance(PlanGoal.Rebalance rebalance) {
            return List.of();
          }

          @Override
          public List<String> evacuate(PlanGoal.Evacuate evacuate) {
            return inUse(evacuate.nodes());
          }

          @Override
          public List<String> repair(PlanGoal.Repair repair) {
            return fleet.nodes().stream()
                .flatMap(node -> node.workloads().stream().filter(one -> averse(node, one)))
                .map(Workload::name)
                .toList();
          }

          private List<String> inUse(List<String> nodes) {
            return fleet.nodes().stream()
                .filter(node -> !node.workloads().isEmpty() && nodes.contains(node.name()))
                .map(NodeState::name)
                .toList();
          }
        });
  }
}

package io.lighthouse.cli.command;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.cli.page.Reasons;
import io.lighthouse.picture.FleetText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds what keeps a plan from its goal: workloads that stay where they are, or without a node,
 * with the reason of each. A workload is explained by itself, on the fleet as it is after the plan,
 * with the workloads of its node taken off it. So a reason does not depend on a strategy, nor on
 * where another workload might go.
 */
final class PlanObstacles implements PlanGoal.Cases<List<PlanObstacles.Obstacle>> {
  /** How many obstacles are listed; as many workloads are explained, and one more. */
  static final int MOST_LISTED = 100;

  /** Reasons of nodes that a workload fits, where it went to another. */
  private static final Set<Reason.Kind> OF_FITTING =
      EnumSet.of(Reason.Kind.AVERSE, Reason.Kind.WORSE, Reason.Kind.LATER, Reason.Kind.DECLINED);

  private static final String PINNED = "it may not be moved";

  private static final String NO_MOVES =
      "it fits another node, but the search found no moves within its limits";

  private final Distributor fleet;
  private final Plan plan;
  private final PlanLimits limits;

  /** By name, the placed workloads and the nodes that they are on. */
  private final Map<String, Workload> placed = new HashMap<>();

  private final Map<String, String> nodes = new HashMap<>();
  private final Map<String, Quantity> moved = new HashMap<>();
  private final List<Obstacle> all = new ArrayList<>();

  /**
   * A workload that keeps a plan from its goal.
   *
   * @param workload its name
   * @param node the node that it stays on; empty where it has none
   * @param why the reason, with its numbers
   * @param refusal what the other nodes lack; empty where something else is the reason
   */
  record Obstacle(String workload, Optional<String> node, String why, Optional<Refusal> refusal) {}

  private PlanObstacles(Distributor fleet, Plan plan, PlanLimits limits) {
    this.fleet = fleet;
    this.plan = plan;
    this.limits = limits;
    fleet
        .snapshot()
        .nodes()
        .forEach(
            node ->
                node.workloads()
                    .forEach(
                        one -> {
                          placed.put(one.name(), one);
                          nodes.put(one.name(), node.name());
                        }));
  }

  /**
   * The obstacles of a plan; none where it reaches its goal.
   *
   * @param fleet the fleet that the plan was made for; it is left as it is
   * @return at most one more than {@link #MOST_LISTED}
   */
  static List<Obstacle> of(Distributor fleet, Plan plan, PlanLimits limits) {
    return plan.unmet().isEmpty()
        ? List.of()
        : fleet.tryOut(
            plan.changes(), after -> plan.goal().match(new PlanObstacles(after, plan, limits)));
  }

  /** Adds an obstacle, as long as there are few enough. */
  private void add(Obstacle obstacle) {
    if (isOpen()) {
      all.add(obstacle);
    }
  }

  private void stays(Workload workload, String node, String why) {
    add(new Obstacle(workload.name(), Optional.of(node), why, Optional.empty()));
  }

  private boolean isOpen() {
    return all.size() <= MOST_LISTED;
  }

  @Override
  public List<Obstacle> place(PlanGoal.Place goal) {
    Set<String> unmet = Set.copyOf(plan.unmet());
    fleet.tryOut(
        List.of(),
        trial -> {
          close(trial, List.of());
          for (Workload one : goal.workloads()) {
            if (isOpen() && unmet.contains(one.name()) && !explain(trial, one, Optional.empty())) {
              String why = one.terms().gang().isPresent() ? ofGang(one) : NO_MOVES;
              add(new Obstacle(one.name(), Optional.empty(), why, Optional.empty()));
            }
          }
          return null;
        });
    return all;
  }

  private static String ofGang(Workload one) {
    return "it fits a node, but its gang '"
        + one.terms().gang().orElseThrow().name()
        + "' was not placed as a whole";
  }

  @Override
  public List<Obstacle> drain(PlanGoal.Drain goal) {
    for (String node : plan.unmet()) {
      if (!isOpen()) {
        break;
      }
      List<Workload> held = fleet.node(node).workloads();
      List<Workload> pinned = held.stream().filter(this::isPinned).toList();
      String limit = limit(held, true);
      if (!pinned.isEmpty()) {
        pinned.forEach(one -> stays(one, node, PINNED));
      } else if (!limit.isEmpty()) {
        held.forEach(one -> stays(one, node, limit));
      } else if (explain(held, node, goal.nodes()).isEmpty()) {
        held.forEach(one -> stays(one, node, NO_MOVES));
      }
    }
    return all;
  }

  @Override
  public List<Obstacle> evacuate(PlanGoal.Evacuate goal) {
    for (String node : plan.unmet()) {
      if (!isOpen()) {
        break;
      }
      List<Workload> free = new ArrayList<>();
      for (Workload one : fleet.node(node).workloads()) {
        String limit = isPinned(one) ? PINNED : limit(List.of(one), false);
        if (limit.isEmpty()) {
          free.add(one);
        } else {
          stays(one, node, limit);
        }
      }
      Set<String> explained = explain(free, node, goal.nodes());
      free.stream()
          .filter(one -> !explained.contains(one.name()))
          .forEach(one -> stays(one, node, NO_MOVES));
    }
    return all;
  }

  @Override
  public List<Obstacle> repair(PlanGoal.Repair goal) {
    for (String name : plan.unmet()) {
      if (!isOpen()) {
        break;
      }
      Workload workload = placed.get(name);
      String node = nodes.get(name);
      String limit = isPinned(workload) ? PINNED : limit(List.of(workload), false);
      stays(workload, node, limit.isEmpty() ? besideItsLike(workload, node) : limit);
    }
    return all;
  }

  @Override
  public List<Obstacle> consolidate(PlanGoal.Consolidate goal) {
    return List.of();
  }

  @Override
  public List<Obstacle> rebalance(PlanGoal.Rebalance goal) {
    return List.of();
  }

  // ---- limits ----

  private boolean isPinned(Workload workload) {
    return limits.pinned().contains(workload.name());
  }

  /**
   * Why the limits of the plan do not let some workloads move together; empty where they do.
   *
   * @param wholeNode whether these are all workloads of a node; else it is one workload
   */
  private String limit(List<Workload> together, boolean wholeNode) {
    long left = limits.mostMoves() - plan.moves();
    if (together.size() > left) {
      String of = left + " of at most " + limits.mostMoves();
      return wholeNode
          ? "its node needs "
              + FleetText.plural(together.size(), "move")
              + ", and "
              + of
              + " are left"
          : "none of at most " + limits.mostMoves() + " moves is left";
    }
    Resources most = limits.mostMoved();
    for (int i = 0; i < most.size(); i++) {
      String name = most.name(i);
      Quantity wanted = Quantity.ZERO;
      for (Workload one : together) {
        wanted = wanted.plus(required(one, name));
      }
      Quantity rest = most.quantity(i).minus(moved(name));
      if (wanted.compareTo(rest) > 0) {
        return (wholeNode ? "emptying its node takes " : "moving it takes ")
            + wanted
            + " "
            + name
            + ", and "
            + rest
            + " of at most "
            + most.quantity(i)
            + " are left";
      }
    }
    return "";
  }

  /** How much of a resource the plan moves. */
  private Quantity moved(String resource) {
    return moved.computeIfAbsent(
        resource,
        name -> {
          Quantity sum = Quantity.ZERO;
          for (Change change : plan.changes()) {
            if (change instanceof Change.Move move) {
              sum = sum.plus(required(placed.get(move.workload()), name));
            }
          }
          return sum;
        });
  }

  private static Quantity required(Workload workload, String resource) {
    Quantity required = workload.requirements().get(resource).orElse(Quantity.ZERO);
    return required.signum() > 0 ? required : Quantity.ZERO;
  }

  // ---- nodes that refuse ----

  /** Closes the nodes that take nothing: those that workloads leave, and those to be avoided. */
  private void close(Distributor trial, List<String> leaving) {
    for (String node : leaving) {
      if (trial.node(node).workloads().isEmpty()) {
        trial.removeNode(node); // So that no reason names it.
      } else {
        trial.cordon(node);
      }
    }
    for (String node : limits.avoided()) {
      if (!leaving.contains(node)) {
        trial.cordon(node);
      }
    }
  }

  /** Adds the workloads of a node that no other node takes; returns their names. */
  private Set<String> explain(List<Workload> held, String node, List<String> leaving) {
    List<Change> released = new ArrayList<>();
    held.forEach(one -> released.add(new Change.Release(one.name())));
    Set<String> refused = new HashSet<>();
    fleet.tryOut(
        released,
        trial -> {
          close(trial, leaving);
          for (Workload one : held) {
            if (isOpen() && explain(trial, one, Optional.of(node))) {
              refused.add(one.name());
            }
          }
          return null;
        });
    return refused;
  }

  /** Adds a workload that no node takes by itself; returns whether it is one. */
  private boolean explain(Distributor trial, Workload workload, Optional<String> node) {
    Explanation explanation = explanation(trial, workload);
    if (explanation.nodes().stream().anyMatch(NodeVerdict::fits)) {
      return false;
    }
    Refusal refusal = explanation.summary();
    add(new Obstacle(workload.name(), node, why(refusal, workload), Optional.of(refusal)));
    return true;
  }

  /** Explains a workload without its gang, whose members move one by one. */
  private static Explanation explanation(Distributor trial, Workload workload) {
    return trial.explain(workload.withTerms(workload.terms().withoutGang()));
  }

  /** Why no friendly node takes a workload, of those that it may go to. */
  private String besideItsLike(Workload workload, String node) {
    Explanation explanation =
        fleet.tryOut(
            List.of(new Change.Release(workload.name())),
            trial -> {
              close(trial, List.of());
              return explanation(trial, workload);
            });
    List<NodeVerdict> others =
        explanation.nodes().stream()
            .filter(verdict -> verdict.fits() && !verdict.node().equals(node))
            .toList();
    long averse = others.stream().filter(verdict -> isAverse(verdict.node(), workload)).count();
    if (averse < others.size()) {
      return "a friendly node takes it, but the search found no moves within its limits";
    }
    Refusal summary = explanation.summary();
    List<ReasonCount> against =
        summary.counts().stream().filter(count -> !OF_FITTING.contains(count.kind())).toList();
    String refusals =
        counted(new Refusal(summary.workload(), summary.nodes(), against, summary.nearest()));
    List<String> words = new ArrayList<>();
    if (averse > 0) {
      words.add("averse on " + FleetText.plural(averse, "more node"));
    }
    if (!refusals.isEmpty()) {
      words.add(refusals);
    }
    return words.isEmpty()
        ? "there is no other node"
        : "no friendly node takes it: " + String.join("; ", words);
  }

  private boolean isAverse(String node, Workload workload) {
    return fleet.node(node).workloads().stream()
        .anyMatch(one -> !Collections.disjoint(one.aversionGroups(), workload.aversionGroups()));
  }

  private static String why(Refusal refusal, Workload workload) {
    String everywhere = Reasons.everywhere(refusal, workload);
    return everywhere.isEmpty() ? counted(refusal) : everywhere;
  }

  /** How many nodes refuse for which reason, and the nearest of those that are open. */
  private static String counted(Refusal refusal) {
    List<String> words = new ArrayList<>(Reasons.counts(refusal));
    refusal.nearest().stream()
        .filter(near -> !near.fits())
        .filter(near -> near.reasons().stream().noneMatch(Reason.Cordoned.class::isInstance))
        .findFirst()
        .ifPresent(near -> words.add("nearest " + near.node() + ": " + Reasons.of(near)));
    return String.join("; ", words);
  }
}

package io.lighthouse.tests.contract;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Change;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.tests.referee.Call;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which of the interesting cases a scenario has met, so that laws are not kept by never mattering.
 */
final class Sightings {
  /** Cases that need no more than generators that do their work. */
  static final Set<String> OF_FLEETS =
      Set.of(
          "a cordoned node",
          "an infinite quantity",
          "a quantity finer than nine digits",
          "a node that brings workloads",
          "a node added",
          "a node removed",
          "a node resized",
          "several changes at once",
          "a workload moved",
          "a node chosen");

  /** Cases that need a strategy that places what fits. */
  static final Set<String> OF_PLACEMENTS =
      Set.of(
          "a workload placed",
          "a workload refused",
          "a workload released",
          "an averse node used",
          "an aversion group kept apart",
          "a quantity driven below zero by an immune workload",
          "a ward overcome by an immunity",
          "a shortcoming repaid or a resource given",
          "a semaphore taken",
          "a batch undone");

  private final Set<String> seen = new TreeSet<>();

  Set<String> seen() {
    return seen;
  }

  /** Looks at one call, its answer and the state after it. */
  void look(Call call, Object answer, Snapshot after) {
    see("a cordoned node", after.nodes().stream().anyMatch(NodeState::cordoned));
    see("a workload released", call instanceof Call.Release);
    if (call instanceof Call.ShortForm form) {
      see("a node removed", form.change() instanceof Change.RemoveNode);
      see("a node resized", form.change() instanceof Change.Resize);
      see("a node added", form.change() instanceof Change.AddNode);
    }
    if (call instanceof Call.Apply apply) {
      see("several changes at once", apply.changes().size() > 1);
      see("a workload moved", apply.changes().stream().anyMatch(Change.Move.class::isInstance));
      see("a node chosen", apply.changes().stream().anyMatch(Change.Assign.class::isInstance));
    }
    for (NodeState node : after.nodes()) {
      see(
          "an infinite quantity",
          node.capacity().asMap().values().stream().anyMatch(Quantity::isInfinite));
      see(
          "a node that brings workloads",
          node.workloads().stream().anyMatch(load -> load.name().startsWith("with ")));
    }
    if (call instanceof Call.Assign assign) {
      look(assign, (Assignments) answer, after);
    }
  }

  private void look(Call.Assign assign, Assignments answer, Snapshot after) {
    see("a workload refused", answer.refusedCount() > 0);
    see("a batch undone", assign.allOrNothing() && !answer.allPlaced());
    for (Workload workload : assign.batch()) {
      see(
          "a quantity finer than nine digits",
          workload.requirements().asMap().values().stream()
              .anyMatch(quantity -> quantity.scale() > Quantity.LEDGER_DIGITS));
      String name = answer.nodeOf(workload.name()).orElse("");
      after.nodes().stream()
          .filter(node -> node.name().equals(name))
          .forEach(node -> look(workload, node, after));
    }
  }

  private void look(Workload workload, NodeState node, Snapshot after) {
    see("a workload placed", true);
    see("an averse node used", rivals(workload, node));
    see(
        "an aversion group kept apart",
        !rivals(workload, node)
            && after.nodes().stream().anyMatch(other -> rivals(workload, other)));
    for (String name : workload.immunities()) {
      node.left()
          .get(name)
          .filter(left -> left.signum() < 0)
          .ifPresent(
              left ->
                  see(
                      left.isInfinite()
                          ? "a ward overcome by an immunity"
                          : "a quantity driven below zero by an immune workload",
                      true));
    }
    see(
        "a shortcoming repaid or a resource given",
        workload.requirements().asMap().values().stream().anyMatch(need -> need.signum() < 0));
    see("a semaphore taken", workload.requirements().has("seat"));
  }

  private static boolean rivals(Workload workload, NodeState node) {
    return node.workloads().stream()
        .filter(other -> !other.name().equals(workload.name()))
        .anyMatch(
            other -> other.aversionGroups().stream().anyMatch(workload.aversionGroups()::contains));
  }

  private void see(String sight, boolean seenNow) {
    if (seenNow) {
      seen.add(sight);
    }
  }
}

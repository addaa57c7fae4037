package io.lighthouse.tests.contract;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Change;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.tests.contract.ScenarioRun.Answered;
import io.lighthouse.tests.referee.Call;
import io.lighthouse.tests.referee.Cases;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/** The interesting cases that a scenario has met. A law that never met its case proves nothing. */
final class Sightings {
  /** Cases that need good generators only: every kind of change besides. */
  private static final Set<String> OF_FLEETS =
      Set.of(
          "a cordoned node",
          "an infinite quantity",
          "a quantity finer than nine digits",
          "a node that brings workloads",
          "several changes at once");

  /** Cases that need a strategy that places what fits. */
  private static final Set<String> OF_PLACEMENTS =
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
          "a batch undone",
          "a batch placed",
          "a gang placed",
          "a gang refused",
          "a gang beside an aversion group",
          "a gang beside a rule",
          "a change refused",
          "CORDONED at a domain",
          "MISSING at a domain",
          "SHORT at a domain",
          "WARD at a domain",
          "UNIT",
          "NO_DOMAIN",
          "NOT_SELECTED",
          "CROWDED",
          "ALONE",
          "SKEWED");

  /** What shows a call's interesting cases, given its answer and the state after it. */
  private final Cases<Call, BiConsumer<Object, Snapshot>> looks =
      Cases.<Call, BiConsumer<Object, Snapshot>>of(Call.class)
          .on(
              Call.Assign.class,
              assign -> (answer, after) -> look(assign, (Assignments) answer, after))
          .on(Call.Release.class, release -> (answer, after) -> see("a workload released", true))
          .on(Call.Apply.class, apply -> (answer, after) -> look(apply))
          .on(Call.Attempt.class, attempt -> (answer, after) -> look(attempt, (boolean) answer))
          .on(Call.Explain.class, explain -> (answer, after) -> look((Explanation) answer))
          .others(call -> (answer, after) -> {})
          .complete();

  private final Set<String> seen = new TreeSet<>();

  Set<String> seen() {
    return seen;
  }

  /** The cases that scenarios have to meet, for a strategy that may decline or may not. */
  static Set<String> wanted(boolean mayDecline) {
    Set<String> wanted = new TreeSet<>(OF_FLEETS);
    Cases.kinds(Change.class).forEach(kind -> wanted.add(kind.getSimpleName()));
    wanted.addAll(mayDecline ? Set.of() : OF_PLACEMENTS);
    return wanted;
  }

  /** Notes the cases of one call, its answer and the state after it. */
  void look(Answered one, Snapshot after) {
    see("a cordoned node", after.nodes().stream().anyMatch(NodeState::cordoned));
    for (NodeState node : after.nodes()) {
      see(
          "an infinite quantity",
          node.capacity().asMap().values().stream().anyMatch(Quantity::isInfinite));
      see(
          "a node that brings workloads",
          node.workloads().stream().anyMatch(load -> load.name().startsWith("with ")));
    }
    looks.apply(one.call()).accept(one.answer(), after);
  }

  private void look(Change change) {
    see(change.getClass().getSimpleName(), true);
  }

  private void look(Call.Apply apply) {
    see("several changes at once", apply.changes().size() > 1);
    apply.changes().forEach(this::look);
  }

  private void look(Call.Attempt attempt, boolean done) {
    see("a change refused", !done);
    if (done) {
      look(attempt.change());
    }
  }

  private void look(Explanation answer) {
    for (NodeVerdict verdict : answer.nodes()) {
      for (Reason reason : verdict.reasons()) {
        see(reason.kind() + (reason instanceof Reason.At ? " at a domain" : ""), true);
      }
    }
  }

  private void look(Call.Assign assign, Assignments answer, Snapshot after) {
    see("a workload refused", answer.refusedCount() > 0);
    see("a batch undone", assign.allOrNothing() && !answer.allPlaced());
    see("a batch placed", assign.batch().size() > 1 && answer.placedCount() > 0);
    List<Workload> batch = assign.batch();
    boolean hasGang = batch.stream().anyMatch(one -> one.terms().gang().isPresent());
    see(
        "a gang beside an aversion group",
        hasGang && batch.stream().anyMatch(one -> !one.aversionGroups().isEmpty()));
    see(
        "a gang beside a rule",
        hasGang && batch.stream().anyMatch(one -> !one.terms().rules().isEmpty()));
    for (Workload workload : batch) {
      boolean placed = answer.nodeOf(workload.name()).isPresent();
      see(placed ? "a gang placed" : "a gang refused", workload.terms().gang().isPresent());
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

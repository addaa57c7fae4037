package io.lighthouse.tests.contract;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.DomainState;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.Gang;
import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.tests.generate.ClusterDice;
import io.lighthouse.tests.generate.RandomFleet;
import io.lighthouse.tests.referee.ClusterReferee;
import io.lighthouse.tests.referee.Conduct;
import io.lighthouse.tests.referee.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One life of a fleet with domains, rules and gangs before its referee, up to the first finding.
 */
final class ClusterTrial {
  private static final int STEPS = 14;

  private final ClusterDice dice;
  private final Distributor fleet;
  private final ClusterReferee referee;
  private final Minutes minutes;
  private final Map<String, Integer> seen;
  private final List<Finding> findings = new ArrayList<>();

  ClusterTrial(
      ClusterDice dice,
      RandomFleet cluster,
      Distributor fleet,
      Conduct conduct,
      Minutes minutes,
      Map<String, Integer> seen) {
    this.dice = dice;
    this.fleet = fleet;
    this.minutes = minutes;
    this.seen = seen;
    minutes.begin(cluster);
    referee = new ClusterReferee(cluster.nodes(), cluster.domains(), cluster.rules(), conduct);
  }

  /** Lives; answers what was found at the first step at which anything was. */
  List<Finding> run() {
    findings.addAll(referee.judge(fleet.snapshot()));
    for (int step = 0; findings.isEmpty() && step < STEPS; step++) {
      step();
      findings.addAll(referee.judge(fleet.snapshot()));
    }
    return findings;
  }

  private void step() {
    switch (dice.below(16)) {
      case 0 -> placed().ifPresent(one -> change("released", new Change.Release(one.name())));
      case 1 -> change("a node added", new Change.AddNode(dice.nodeWithWorkloads(declared())));
      case 2 -> resizeOrClose(anyNode());
      case 3 -> anyDomain().ifPresent(this::ofADomain);
      case 4 -> change("a domain declared", new Change.Declare(dice.domain()));
      case 5 ->
          placed()
              .ifPresent(one -> change("regrouped", new Change.Regroup(one.name(), dice.groups())));
      case 6 -> placed().ifPresent(this::move);
      case 7 -> change("sent to a node", new Change.Assign(dice.workload(), anyNode().name()));
      case 8, 9 -> assign("a batch", dice.batch());
      case 10, 11 -> assign("a gang", gang());
      default -> alone(dice.chance(2) ? dice.workload() : averse(dice.workload()));
    }
  }

  private NodeState anyNode() {
    return dice.one(fleet.snapshot().nodes());
  }

  private Optional<DomainState> anyDomain() {
    List<DomainState> domains = fleet.snapshot().domains();
    return domains.isEmpty() ? Optional.empty() : Optional.of(dice.one(domains));
  }

  private Optional<Workload> placed() {
    List<Workload> placed =
        fleet.snapshot().nodes().stream().flatMap(node -> node.workloads().stream()).toList();
    return placed.isEmpty() ? Optional.empty() : Optional.of(dice.one(placed));
  }

  private List<Domain> declared() {
    return fleet.snapshot().domains().stream()
        .map(state -> Domain.of(state.level(), state.name(), state.capacity()))
        .toList();
  }

  private void resizeOrClose(NodeState node) {
    if (dice.chance(2)) {
      change("a node resized", new Change.Resize(node.name(), dice.capacity()));
    } else if (node.cordoned()) {
      change("a node opened", new Change.Uncordon(node.name()));
    } else {
      change("a node closed", new Change.Cordon(node.name()));
    }
  }

  private void ofADomain(DomainState domain) {
    String level = domain.level();
    switch (dice.below(3)) {
      case 0 -> change("a domain undeclared", new Change.Undeclare(level, domain.name()));
      case 1 ->
          change(
              "a domain resized",
              new Change.ResizeDomain(level, domain.name(), dice.capacityOfDomain()));
      default ->
          change(
              "a domain closed or opened",
              new Change.CordonDomain(level, domain.name(), !domain.cordoned()));
    }
  }

  private void move(Workload workload) {
    String from = fleet.snapshot().nodeOf(workload.name()).orElseThrow();
    String to = anyNode().name();
    if (!from.equals(to)) {
      change("moved", new Change.Move(workload.name(), from, to));
    }
  }

  private void change(String what, Change change) {
    boolean done = true;
    try {
      fleet.apply(change);
    } catch (InvalidInputException refused) {
      done = false;
    }
    minutes.add((done ? "" : "refused: ") + change);
    see(done ? what : "a change refused");
    findings.addAll(referee.judge(change, done));
  }

  /** Several members of one kind, and nobody else. */
  private List<Workload> gang() {
    Workload one = dice.workload();
    Gang gang = Gang.of("of-" + one.name());
    gang = dice.chance(3) ? gang : gang.within(dice.one(List.of("rack", "zone", Rule.NODE)));
    Terms terms = one.terms().inGang(gang);
    return one.withTerms(terms).replicas(2 + dice.below(3));
  }

  /** Aversion and preferences have to meet. */
  private Workload averse(Workload workload) {
    return workload.withAversionGroups(dice.one(List.of("a", "b")));
  }

  private void assign(String what, List<Workload> batch) {
    Assignments answer = assigned(batch);
    if (findings.isEmpty()) {
      boolean ganged = batch.stream().anyMatch(one -> one.terms().gang().isPresent());
      see(what + (answer.placedCount() > 0 ? " placed" : " refused") + (ganged ? ", ganged" : ""));
    }
  }

  private void alone(Workload workload) {
    Explanation said = fleet.explain(workload);
    findings.addAll(referee.judge(workload, said));
    said.nodes()
        .forEach(
            verdict ->
                verdict
                    .reasons()
                    .forEach(reason -> see("reason " + reason.kind() + above(reason))));
    see(assigned(List.of(workload)).allPlaced() ? "placed" : "refused");
  }

  private static String above(Reason reason) {
    return reason instanceof Reason.At ? " at a domain" : "";
  }

  private Assignments assigned(List<Workload> batch) {
    minutes.add("assign " + batch);
    Assignments answer = fleet.assign(batch, AssignOption.EXPLAIN);
    minutes.add("answered " + answer);
    findings.addAll(referee.judge(batch, answer));
    return answer;
  }

  private void see(String what) {
    seen.merge(what, 1, Integer::sum);
  }
}

package io.lighthouse.tests.referee;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Gang;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.tests.referee.Books.Entry;
import io.lighthouse.tests.referee.Books.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Judges a batch that was placed as a whole, by its end. Each node holds its workloads in some
 * order, no domain is overcommitted, no lasting reason stands against a placement, and every bound
 * is kept. The answer does not show the moments at which {@code least} and {@code skew} held.
 */
final class WholeBatchJudge {
  private final Books books;
  private final boolean mayDecline;
  private final Findings findings;

  WholeBatchJudge(Books books, boolean mayDecline, Findings findings) {
    this.books = books;
    this.mayDecline = mayDecline;
    this.findings = findings;
  }

  /** Judges an answer and enters it; returns the true refusals of those without a gang. */
  List<Refusal> judge(List<Workload> batch, Assignments answer) {
    Map<Place, Resources> before = leftOfDomains();
    for (Entry node : books.entries) {
      fill(
          node,
          batch.stream()
              .filter(one -> answer.nodeOf(one.name()).equals(Optional.of(node.name)))
              .toList());
    }
    judgeGangs(batch, answer);
    judgeDomains(batch, before);
    boolean plain = batch.stream().allMatch(one -> one.terms().equals(Terms.NONE));
    List<Refusal> refusals = new ArrayList<>();
    for (Workload workload : batch) {
      Fit fit = new Fit(books, workload);
      Optional<Entry> node = answer.nodeOf(workload.name()).map(books::entry);
      if (node.isPresent()) {
        judgeEnd(workload, node.get());
        if (plain && couldLeave(workload, node.get(), batch)) {
          TurnJudge.judgeAversion(fit, node.get(), any -> true, findings);
        }
      } else if (workload.terms().gang().isEmpty()) {
        TurnJudge.refused(fit, mayDecline, findings);
        refusals.add(Refusals.of(fit));
      }
    }
    return refusals;
  }

  private void fill(Entry node, List<Workload> batch) {
    List<Workload> waiting = new ArrayList<>(batch);
    if (!fillInSomeOrder(node, waiting, new HashSet<>())) {
      for (Workload workload : batch) {
        new Fit(books, workload)
            .reasonsOfNode(node)
            .forEach(reason -> findings.misplaced(workload, node.name, reason));
        node.placed.add(workload);
      }
    }
  }

  /**
   * Adds the waiting workloads to a node in some order in which its own account allows each; false,
   * with nothing added, where there is none.
   *
   * @param dead the sets of waiting workloads that were tried in vain
   */
  private boolean fillInSomeOrder(Entry node, List<Workload> waiting, Set<Set<Workload>> dead) {
    if (waiting.isEmpty()) {
      return true;
    }
    for (Workload next : List.copyOf(waiting)) {
      if (new Fit(books, next).reasonsOfNode(node).isEmpty()) {
        node.placed.add(next);
        waiting.remove(next);
        if (!dead.contains(Set.copyOf(waiting)) && fillInSomeOrder(node, waiting, dead)) {
          return true;
        }
        node.placed.remove(next);
        waiting.add(next);
      }
    }
    dead.add(Set.copyOf(waiting));
    return false;
  }

  /** Whether the others of the batch on a node could stand there, in some order, without one. */
  private boolean couldLeave(Workload workload, Entry node, List<Workload> batch) {
    if (new Fit(books, workload).sharedGroups(node).isEmpty()) {
      return true;
    }
    List<Workload> placed = List.copyOf(node.placed);
    List<Workload> others = new ArrayList<>(placed);
    others.retainAll(batch);
    others.remove(workload);
    node.placed.removeAll(batch);
    boolean could = fillInSomeOrder(node, others, new HashSet<>());
    node.placed.clear();
    node.placed.addAll(placed);
    return could;
  }

  private void judgeGangs(List<Workload> batch, Assignments answer) {
    Map<Gang, List<Workload>> gangs = new LinkedHashMap<>();
    for (Workload workload : batch) {
      workload
          .terms()
          .gang()
          .ifPresent(gang -> gangs.computeIfAbsent(gang, none -> new ArrayList<>()).add(workload));
    }
    gangs.forEach((gang, members) -> TurnJudge.judgePlaced(gang, members, books, answer, findings));
  }

  /** Judges what must be so of a placed workload when its batch is through. */
  private void judgeEnd(Workload workload, Entry node) {
    Fit fit = new Fit(books, workload);
    List<Reason> reasons =
        books.without(
            workload,
            () -> {
              List<Reason> rest = new ArrayList<>(fit.reasons(node));
              rest.removeAll(fit.reasonsOfNode(node));
              return rest;
            });
    for (Reason reason : reasons) {
      if (Fit.isLasting(reason.kind())) {
        findings.misplaced(workload, node.name, reason);
      }
    }
    judgeBounds(workload, node);
  }

  /** Every bound that the workload holds, or that is held where it is a member, is kept. */
  private void judgeBounds(Workload workload, Entry node) {
    for (Entry other : books.entries) {
      for (Workload holder : other.placed) {
        for (RuleJudge rule : books.rules(holder)) {
          rule.bound(holder)
              .filter(most -> holder == workload || most.isFor(workload))
              .ifPresent(
                  most ->
                      most.place(node)
                          .filter(place -> place.holds(other))
                          .ifPresent(place -> judgeBound(workload, place, holder, most)));
        }
      }
    }
  }

  private void judgeBound(Workload workload, Place place, Workload holder, RuleJudge.AtMost bound) {
    int members = books.members(bound.group(), place);
    if (members > bound.rule().most()) {
      findings.find(
          Law.MOST,
          workload,
          "at most " + bound.rule().most() + " of " + bound.group() + " in " + place,
          members + ", against the rule of '" + holder.name() + "'");
    }
  }

  /** No batch overdraws a resource of a domain that none of its placed workloads is immune to. */
  private void judgeDomains(List<Workload> batch, Map<Place, Resources> before) {
    leftOfDomains()
        .forEach(
            (place, left) -> {
              for (String name : left.names()) {
                Quantity now = left.get(name).orElseThrow();
                boolean immune =
                    batch.stream()
                        .filter(one -> books.entryOf(one.name()).isPresent())
                        .anyMatch(one -> one.immunities().contains(name));
                if (now.signum() < 0
                    && now.compareTo(before.get(place).get(name).orElseThrow()) < 0
                    && !immune) {
                  findings.find(
                      Law.ROOM,
                      "the batch",
                      "nothing overcommitted",
                      now + " left of " + name + " of " + place);
                }
              }
            });
  }

  private Map<Place, Resources> leftOfDomains() {
    Map<Place, Resources> left = new HashMap<>();
    books.declared.forEach((place, account) -> left.put(place, books.leftOfAll(account, place)));
    return left;
  }
}

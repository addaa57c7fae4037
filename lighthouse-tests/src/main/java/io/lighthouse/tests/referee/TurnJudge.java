package io.lighthouse.tests.referee;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Gang;
import io.lighthouse.api.GangRefusal;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Workload;
import io.lighthouse.tests.referee.Books.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Judges a batch whose workloads take turns: each at its turn, in the state that those before it
 * left. The members of a gang take their turns when the first of them does.
 */
final class TurnJudge {
  private final Books books;
  private final boolean mayDecline;
  private final Assignments answer;
  private final Findings findings;
  private final List<Refusal> refusals = new ArrayList<>();

  TurnJudge(Books books, boolean mayDecline, Assignments answer, Findings findings) {
    this.books = books;
    this.mayDecline = mayDecline;
    this.answer = answer;
    this.findings = findings;
  }

  /** Judges the turns and enters them; returns the true refusals of those without a gang. */
  List<Refusal> judge(List<Workload> turns) {
    Set<String> gangs = new HashSet<>();
    for (Workload workload : turns) {
      Optional<Gang> gang = workload.terms().gang();
      if (gang.isEmpty()) {
        turn(workload, node -> true, true);
      } else if (gangs.add(gang.get().name())) {
        gang(gang.get(), turns.stream().filter(other -> isIn(other, gang.get().name())).toList());
      }
    }
    return refusals;
  }

  private static boolean isIn(Workload workload, String gang) {
    return workload.terms().gang().map(Gang::name).equals(Optional.of(gang));
  }

  private void turn(Workload workload, Predicate<Entry> among, boolean judgeChoice) {
    Fit fit = new Fit(books, workload);
    Optional<Entry> node = answer.nodeOf(workload.name()).map(books::entry);
    if (node.isEmpty()) {
      refused(fit, mayDecline, findings);
      refusals.add(Refusals.of(fit));
      return;
    }
    fit.reasons(node.get())
        .forEach(reason -> findings.misplaced(workload, node.get().name, reason));
    if (judgeChoice && fit.fits(node.get())) {
      judgeChoice(fit, node.get(), among);
    }
    books.place(workload, node.get());
  }

  /** A refused workload fits nowhere, unless the strategy may decline. */
  static void refused(Fit fit, boolean mayDecline, Findings findings) {
    List<Entry> fitting = mayDecline ? List.of() : fit.fitting();
    if (!fitting.isEmpty()) {
      List<String> names = fitting.stream().map(entry -> entry.name).toList();
      findings.find(Law.REFUSAL, fit.workload(), "a node, for it fits " + names, "none");
    }
  }

  private void judgeChoice(Fit fit, Entry node, Predicate<Entry> among) {
    judgeAversion(fit, node, among, findings);
    Map<Entry, Reason> passedOver = new HashMap<>();
    List<String> candidates =
        fit.candidates(among, passedOver).stream().map(entry -> entry.name).toList();
    if (!candidates.contains(node.name)) {
      findings.find(
          Law.BEST, fit.workload(), "one of the best candidates " + candidates, node.name);
    }
  }

  /** A workload is beside its rivals only where no friendly node fits. */
  static void judgeAversion(Fit fit, Entry node, Predicate<Entry> among, Findings findings) {
    List<String> friendly =
        fit.books().entries.stream()
            .filter(among)
            .filter(other -> fit.sharedGroups(other).isEmpty() && fit.fits(other))
            .map(other -> other.name)
            .toList();
    if (!fit.sharedGroups(node).isEmpty() && !friendly.isEmpty()) {
      findings.find(
          Law.AVERSION,
          fit.workload(),
          "one of the friendly nodes " + friendly,
          "placed on '" + node.name + "' beside " + fit.sharedGroups(node));
    }
  }

  private void gang(Gang gang, List<Workload> members) {
    List<Entry> nodes = judgePlaced(gang, members, books, answer, findings);
    if (nodes.isEmpty()) {
      refusedGang(gang, members);
      return;
    }
    Optional<Optional<String>> domain = gang.within().map(level -> nodes.get(0).at(level));
    Predicate<Entry> among =
        node -> domain.isEmpty() || node.at(gang.within().get()).equals(domain.get());
    for (Workload member : members) {
      if (answer.nodeOf(member.name()).isPresent()) {
        // Which domains were tried before the first member's is not known, and so neither are the
        // nodes that it could choose from.
        turn(member, among, domain.isEmpty() || member != members.get(0));
      }
    }
  }

  /** All members of a gang are placed, in one domain of its level, or none; returns their nodes. */
  static List<Entry> judgePlaced(
      Gang gang, List<Workload> members, Books books, Assignments answer, Findings findings) {
    List<Entry> nodes =
        members.stream()
            .flatMap(member -> answer.nodeOf(member.name()).map(books::entry).stream())
            .toList();
    if (!nodes.isEmpty()) {
      String about = "gang '" + gang.name() + "': ";
      findings.expect(Law.GANG, about + "members placed", members.size(), nodes.size());
      gang.within()
          .ifPresent(
              level -> {
                Set<Optional<String>> domains = new HashSet<>();
                nodes.forEach(node -> domains.add(node.at(level)));
                findings.expect(Law.GANG, about + "domains of " + level, 1, domains.size());
                findings.expect(
                    Law.GANG,
                    about + "a node is in no " + level,
                    false,
                    domains.contains(Optional.<String>empty()));
              });
    }
    return nodes;
  }

  /** What the refusals, where they are explained, report of the gang: its size, what was tried. */
  private void refusedGang(Gang gang, List<Workload> members) {
    if (answer.refusals().isEmpty()) {
      return;
    }
    String about = "gang '" + gang.name() + "'";
    Fit first = new Fit(books, members.get(0));
    for (Workload member : members) {
      Optional<GangRefusal> reported =
          answer.refusals().stream()
              .filter(refusal -> refusal.workload().equals(member.name()))
              .findFirst()
              .flatMap(Refusal::gang);
      findings.expect(
          Law.GANG,
          about + ": members reported to '" + member.name() + "'",
          Optional.of(members.size()),
          reported.map(GangRefusal::members));
      gang.within()
          .filter(level -> !mayDecline)
          .ifPresent(
              level ->
                  findings.expect(
                      Law.GANG,
                      about + ": domains tried",
                      Optional.of(domainsOf(level, first.fitting())),
                      reported.map(GangRefusal::tried)));
    }
  }

  private static int domainsOf(String level, List<Entry> nodes) {
    return (int) nodes.stream().flatMap(node -> node.at(level).stream()).distinct().count();
  }
}

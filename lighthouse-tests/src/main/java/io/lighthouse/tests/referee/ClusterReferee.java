package io.lighthouse.tests.referee;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Change;
import io.lighthouse.api.Domain;
import io.lighthouse.api.DomainState;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.Gang;
import io.lighthouse.api.GangRefusal;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BatchOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Judges one distributor with domains, rules and gangs from outside, call by call; {@link Referee}
 * knows the first part of the semantics, this the second.
 *
 * <p><b>Assumes</b> that it is told every call that changes the distributor, in order. It believes
 * an answer as far as its books go. A workload alone is judged at its turn, by all that is said of
 * one; a batch of several by what must be so at its end. Cost of a call: the batch times the nodes
 * times all that is placed.
 */
public final class ClusterReferee {
  private final ClusterBooks books;
  private final Conduct conduct;
  private List<Finding> findings = new ArrayList<>();

  /** The round-robin position, where it is known; null where the next snapshot says it. */
  private Optional<String> position;

  /**
   * A referee of a new distributor.
   *
   * @param nodes the nodes that it was made from
   * @param domains the domains declared at the start
   * @param rules the rules at the top
   * @param conduct how its strategy goes about a batch
   */
  public ClusterReferee(List<Node> nodes, List<Domain> domains, List<Rule> rules, Conduct conduct) {
    this.conduct = conduct;
    books = new ClusterBooks(nodes, domains, rules);
  }

  /**
   * Judges what is said of a workload that could come now.
   *
   * @param workload a workload whose name is not in use, in no gang
   * @param said what was answered
   * @return the findings
   */
  public List<Finding> judge(Workload workload, Explanation said) {
    findings = new ArrayList<>();
    Map<String, List<Reason>> expected = new LinkedHashMap<>();
    books
        .berths
        .values()
        .forEach(berth -> expected.put(berth.name, books.against(workload, berth)));
    Map<String, List<Reason>> found = new LinkedHashMap<>();
    for (NodeVerdict verdict : said.nodes()) {
      found.put(verdict.node(), verdict.fits() ? List.of() : verdict.reasons());
    }
    expect(Law.REASONS, "what stands against '" + workload.name() + "'", expected, found);
    return findings;
  }

  /**
   * Judges the answer to a batch, and keeps the books.
   *
   * @param batch the workloads
   * @param answer the answer, with refusals explained
   * @return the findings
   */
  public List<Finding> judge(List<Workload> batch, Assignments answer) {
    findings = new ArrayList<>();
    if (batch.size() == 1 && batch.get(0).terms().gang().isEmpty()) {
      judgeTurn(batch.get(0), answer.node(0));
      position = answer.node(0).isPresent() ? answer.node(0) : position;
      return findings;
    }
    // Who of several was placed last depends on the strategy.
    position = answer.placedCount() > 0 ? null : position;
    Set<Gang> gangs = new LinkedHashSet<>();
    batch.forEach(workload -> workload.terms().gang().ifPresent(gangs::add));
    for (Gang gang : gangs) {
      List<Workload> members =
          batch.stream()
              .filter(
                  workload ->
                      workload.terms().gang().map(Gang::name).equals(Optional.of(gang.name())))
              .toList();
      judgeGang(gang, members, members.size() == batch.size(), answer);
    }
    Map<String, Amount> before = lowest();
    List<Workload> placed = new ArrayList<>();
    for (Workload workload : batch) {
      answer
          .nodeOf(workload.name())
          .ifPresent(
              node -> {
                books.berths.get(node).placed.add(workload);
                placed.add(workload);
              });
    }
    placed.forEach(this::judgeAtTheEnd);
    judgeRoom(placed, before);
    return findings;
  }

  /** A workload alone: all that is said of one at its turn. */
  private void judgeTurn(Workload workload, Optional<String> node) {
    List<String> fitting =
        books.berths.values().stream()
            .filter(berth -> books.fits(workload, berth))
            .map(berth -> berth.name)
            .toList();
    if (node.isEmpty()) {
      if (!conduct.mayDecline() && !fitting.isEmpty()) {
        find(Law.REFUSAL, workload, "a node, for it fits " + fitting, "none");
      }
      return;
    }
    ClusterBooks.Berth berth = books.berths.get(node.get());
    judgeFit(workload, berth);
    List<String> candidates = books.candidates(workload);
    if (conduct.order().isPresent()
        && fitting.contains(berth.name)
        && !candidates.contains(berth.name)) {
      find(Law.BEST, workload, "one of the best candidates " + candidates, berth.name);
    }
    berth.placed.add(workload);
  }

  private void judgeFit(Workload workload, ClusterBooks.Berth berth) {
    for (Reason reason : books.against(workload, berth)) {
      find(lawOf(reason), workload, "a node that it fits", "on '" + berth.name + "': " + reason);
    }
  }

  private static Law lawOf(Reason reason) {
    boolean above = reason instanceof Reason.At;
    return switch (reason.kind()) {
      case CORDONED -> above ? Law.DOMAIN_CLOSED : Law.CORDON;
      case MISSING -> above ? Law.DOMAIN_ROOM : Law.NAMES;
      case SHORT -> above ? Law.DOMAIN_ROOM : Law.ROOM;
      case SHORTCOMING -> above ? Law.DOMAIN_ROOM : Law.NEGATIVES;
      case WARD -> above ? Law.DOMAIN_WARD : Law.NEGATIVES;
      case UNIT -> Law.UNITS;
      case NOT_SELECTED -> Law.SELECTION;
      case CROWDED -> Law.MOST;
      case ALONE -> Law.LEAST;
      case SKEWED -> Law.SKEW;
      default -> Law.DOMAIN_ROOM;
    };
  }

  /** All of a gang or none; in one domain; and where it is alone in the batch, every one tried. */
  private void judgeGang(Gang gang, List<Workload> members, boolean alone, Assignments answer) {
    List<String> nodes =
        members.stream().flatMap(one -> answer.nodeOf(one.name()).stream()).toList();
    String about = "gang '" + gang.name() + "'";
    if (!nodes.isEmpty()) {
      expect(Law.GANG, about + ": members placed", members.size(), nodes.size());
      gang.within()
          .ifPresent(
              level ->
                  expect(
                      Law.GANG,
                      about + ": number of domains of " + level,
                      1L,
                      nodes.stream()
                          .map(node -> books.berths.get(node).at(level))
                          .distinct()
                          .count()));
      return;
    }
    if (conduct.order().isEmpty()) {
      return; // What a strategy for whole batches left out, it did not try to place.
    }
    for (Workload member : members) {
      Optional<GangRefusal> said =
          answer.refusals().stream()
              .filter(refusal -> refusal.workload().equals(member.name()))
              .findFirst()
              .flatMap(Refusal::gang);
      expect(
          Law.GANG,
          about + ": members told to '" + member.name() + "'",
          Optional.of(members.size()),
          said.map(GangRefusal::members));
      if (alone
          && gang.within().isPresent()
          && !conduct.mayDecline()
          && conduct.order().equals(Optional.of(BatchOrder.asGiven()))) {
        String level = gang.within().get();
        int open =
            (int)
                books.berths.values().stream()
                    .filter(berth -> berth.at(level).isPresent())
                    .filter(berth -> books.fits(members.get(0), berth))
                    .map(berth -> berth.at(level))
                    .distinct()
                    .count();
        expect(
            Law.GANG, about + ": domains tried", Optional.of(open), said.map(GangRefusal::tried));
      }
    }
  }

  /** What must be so of a placed workload when its batch is through. */
  private void judgeAtTheEnd(Workload workload) {
    ClusterBooks.Berth berth = books.berthOf(workload.name());
    books.remove(workload.name());
    for (Reason reason : books.against(workload, berth)) {
      switch (reason.kind()) {
        case CORDONED, MISSING, WARD, UNIT, NOT_SELECTED, NO_DOMAIN ->
            find(
                lawOf(reason),
                workload,
                "a node that it fits",
                "on '" + berth.name + "': " + reason);
        default -> {
          // Others of the batch may have come later, and those he lived beside may be gone.
        }
      }
    }
    berth.placed.add(workload);
    judgeBounds(workload, berth);
  }

  /** Nothing is overdrawn by a batch of which nobody is immune to it. */
  private void judgeRoom(List<Workload> placed, Map<String, Amount> before) {
    lowest()
        .forEach(
            (where, now) -> {
              Amount then = before.getOrDefault(where, Amount.ZERO);
              String resource = where.substring(where.indexOf('/') + 1);
              boolean immune = placed.stream().anyMatch(one -> one.immunities().contains(resource));
              if (now.infinity() == 0 && now.signum() < 0 && now.compareTo(then) < 0 && !immune) {
                find(
                    where.startsWith(Rule.NODE + " ") ? Law.ROOM : Law.DOMAIN_ROOM,
                    "the batch",
                    "nothing overcommitted",
                    now.toQuantity() + " left at " + where);
              }
            });
  }

  /** Every bound that a newcomer holds, or that is held where he is a member, is kept. */
  private void judgeBounds(Workload workload, ClusterBooks.Berth berth) {
    for (ClusterBooks.Berth other : books.berths.values()) {
      for (Workload holder : other.placed) {
        for (Rule rule : books.rules(holder)) {
          if (rule instanceof Rule.Most most
              && (holder == workload || ClusterBooks.belongs(workload, most.group()))
              && berth.at(most.level()).isPresent()
              && berth.at(most.level()).equals(other.at(most.level()))) {
            var spot = new ClusterBooks.Spot(most.level(), berth.at(most.level()).get());
            int members = books.members(most.group(), spot);
            if (members > most.most()) {
              find(
                  Law.MOST,
                  workload,
                  "at most " + most.most() + " of " + most.group() + " in " + spot,
                  members + ", as '" + holder.name() + "' says");
            }
          }
        }
      }
    }
  }

  /** What is left of everything, by where it is. */
  private Map<String, Amount> lowest() {
    Map<String, Amount> lowest = new LinkedHashMap<>();
    books
        .berths
        .values()
        .forEach(
            berth ->
                lowest.putAll(left(berth.ground, new ClusterBooks.Spot(Rule.NODE, berth.name))));
    books.declared.forEach((spot, ground) -> lowest.putAll(left(ground, spot)));
    return lowest;
  }

  private Map<String, Amount> left(ClusterBooks.Ground ground, ClusterBooks.Spot spot) {
    Map<String, Amount> left = new LinkedHashMap<>();
    for (String resource : ground.capacity.keySet()) {
      left.put(
          spot.level() + " " + spot.domain() + "/" + resource, books.left(ground, spot, resource));
    }
    return left;
  }

  /**
   * Judges whether a change was carried out, and keeps the books.
   *
   * @param change a change that names what there is
   * @param done whether it was carried out
   * @return the findings
   */
  public List<Finding> judge(Change change, boolean done) {
    findings = new ArrayList<>();
    if (change instanceof Change.Assign assign) {
      position = done ? Optional.of(assign.node()) : position;
      comes(assign.workload(), assign.node(), done);
    } else if (change instanceof Change.Move move) {
      ClusterBooks.Berth from = books.berths.get(move.from());
      int place = from.placed.indexOf(named(move));
      Workload moved = books.remove(move.workload());
      comes(moved, move.to(), done);
      if (!done) {
        from.placed.add(place, moved);
      }
    } else if (done) {
      follow(change);
    }
    return findings;
  }

  private Workload named(Change.Move move) {
    return books.berths.get(move.from()).placed.stream()
        .filter(one -> one.name().equals(move.workload()))
        .findFirst()
        .orElseThrow();
  }

  private void comes(Workload workload, String node, boolean done) {
    ClusterBooks.Berth berth = books.berths.get(node);
    if (done) {
      judgeFit(workload, berth);
      berth.placed.add(workload);
    } else if (books.fits(workload, berth)) {
      find(Law.REFUSAL, workload, "on '" + node + "', for it fits", "refused");
    }
  }

  private void follow(Change change) {
    if (change instanceof Change.AddNode add) {
      books.open(add.node());
    } else if (change instanceof Change.RemoveNode remove) {
      books.berths.remove(remove.node());
      position = null;
    } else if (change instanceof Change.Resize resize) {
      books.berths.get(resize.node()).ground.resize(resize.capacity());
    } else if (change instanceof Change.Cordon cordon) {
      books.berths.get(cordon.node()).ground.closed = true;
    } else if (change instanceof Change.Uncordon uncordon) {
      books.berths.get(uncordon.node()).ground.closed = false;
    } else if (change instanceof Change.Release release) {
      books.remove(release.workload());
    } else if (change instanceof Change.Declare declare) {
      books.declare(declare.domain());
    } else if (change instanceof Change.Undeclare undeclare) {
      books.declared.remove(new ClusterBooks.Spot(undeclare.level(), undeclare.domain()));
    } else if (change instanceof Change.ResizeDomain resize) {
      ground(resize.level(), resize.domain()).resize(resize.capacity());
    } else if (change instanceof Change.CordonDomain cordon) {
      ground(cordon.level(), cordon.domain()).closed = cordon.cordoned();
    } else if (change instanceof Change.Regroup regroup) {
      books
          .berthOf(regroup.workload())
          .placed
          .replaceAll(
              one ->
                  one.name().equals(regroup.workload())
                      ? one.withTerms(one.terms().inGroups(regroup.groups()))
                      : one);
    } else {
      throw new IllegalArgumentException("this referee knows nothing of: " + change);
    }
  }

  private ClusterBooks.Ground ground(String level, String domain) {
    return books.declared.get(new ClusterBooks.Spot(level, domain));
  }

  /**
   * Compares the whole state with the books.
   *
   * @param snapshot the state of the distributor now
   * @return the findings
   */
  public List<Finding> judge(Snapshot snapshot) {
    findings = new ArrayList<>();
    List<String> names = List.copyOf(books.berths.keySet());
    expect(Law.BOOKS, "nodes", names, snapshot.nodes().stream().map(NodeState::name).toList());
    if (!findings.isEmpty()) {
      return findings;
    }
    for (NodeState state : snapshot.nodes()) {
      ClusterBooks.Berth berth = books.berths.get(state.name());
      var spot = new ClusterBooks.Spot(Rule.NODE, berth.name);
      String node = "node '" + berth.name + "' ";
      expect(
          Law.BOOKS, node + "capacity", ClusterBooks.capacityOfAll(berth.ground), state.capacity());
      expect(Law.BOOKS, node + "left", books.leftOfAll(berth.ground, spot), state.left());
      expect(Law.BOOKS, node + "cordoned", berth.ground.closed, state.cordoned());
      expect(Law.BOOKS, node + "domains", berth.domains, state.domains());
      expect(Law.BOOKS, node + "workloads", sorted(berth.placed), sorted(state.workloads()));
    }
    position = position == null ? snapshot.lastPlaced() : position;
    if (conduct.order().isPresent()) {
      expect(Law.POSITION, "position", position, snapshot.lastPlaced());
    }
    expect(Law.DOMAIN_BOOKS, "number of domains", books.declared.size(), snapshot.domains().size());
    for (DomainState state : snapshot.domains()) {
      var spot = new ClusterBooks.Spot(state.level(), state.name());
      ClusterBooks.Ground ground = books.declared.get(spot);
      String domain = state.level() + " '" + state.name() + "' ";
      if (ground == null) {
        find(Law.DOMAIN_BOOKS, domain, "nothing", "declared");
        continue;
      }
      expect(
          Law.DOMAIN_BOOKS,
          domain + "capacity",
          ClusterBooks.capacityOfAll(ground),
          state.capacity());
      expect(Law.DOMAIN_BOOKS, domain + "left", books.leftOfAll(ground, spot), state.left());
      expect(Law.DOMAIN_BOOKS, domain + "cordoned", ground.closed, state.cordoned());
    }
    return findings;
  }

  private static List<Workload> sorted(List<Workload> workloads) {
    return workloads.stream().sorted(Comparator.comparing(Workload::name)).toList();
  }

  private void find(Law law, Workload workload, String expected, String found) {
    find(law, "workload '" + workload.name() + "'", expected, found);
  }

  private void find(Law law, String about, String expected, String found) {
    findings.add(new Finding(law, about, expected, found));
  }

  private void expect(Law law, String about, Object expected, Object found) {
    if (!expected.equals(found)) {
      find(law, about, expected.toString(), found.toString());
    }
  }
}

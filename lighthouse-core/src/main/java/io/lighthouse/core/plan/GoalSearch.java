package io.lighthouse.core.plan;

import io.lighthouse.api.Gang;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Placements;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The moves for each goal, made one after the other in the session, and a bound on what could be
 * reached at best. The node with the fewest workloads is drained first, and its largest workload is
 * moved first. Each workload goes to the node in use on which it leaves the least. Where none fits,
 * room is made first by moving others ({@link Ejections}).
 */
final class GoalSearch implements PlanGoal.Cases<GoalSearch.Limit> {
  private final Ledger ledger;
  private final Placements placements;
  private final PlanLimits limits;
  private final PlanSession session;
  private final Ejections ejections;
  private final PlanMoves moves;

  /** The batch of the goal; null where it has none. */
  private final Batch batch;

  /** The names of nodes or workloads for which the goal is not reached. */
  private final List<String> unmet = new ArrayList<>();

  GoalSearch(PlanSession session, PlanLimits limits, Batch batch) {
    this.session = session;
    this.limits = limits;
    this.batch = batch;
    ledger = session.ledger;
    placements = ledger.placements();
    int[] newcomers =
        batch == null ? new int[0] : IntStream.range(0, batch.size()).map(batch::entry).toArray();
    ejections = new Ejections(session, newcomers);
    moves = new PlanMoves(session, ejections);
  }

  List<String> unmet() {
    return unmet;
  }

  /** What could be reached at best, and what was reached where the figures do not show it. */
  record Limit(String figure, Quantity best, long count) {
    Quantity reached(Plan.Figures after) {
      return switch (figure) {
        case "nodesInUse" -> Quantity.of(after.nodesInUse());
        case "fullest" -> after.fullest();
        case "averse" -> Quantity.of(after.averse());
        default -> Quantity.of(count);
      };
    }
  }

  private int[] nodes(List<String> names) {
    return names.stream().mapToInt(ledger.nodes()::node).toArray();
  }

  @Override
  public Limit drain(PlanGoal.Drain goal) {
    int[] nodes = nodes(goal.nodes());
    Set<Integer> leaving = set(nodes);
    long most = emptiable(nodes);
    for (int node : byHeld(nodes)) {
      moves.drain(node, leaving, false, Ejections.LONG_CHAINS);
    }
    long emptied = 0;
    for (int node : nodes) {
      if (placements.count(node) == 0) {
        emptied++;
      } else {
        unmet.add(ledger.nodes().nodeName(node));
      }
    }
    return new Limit("emptied", Quantity.of(most), emptied);
  }

  @Override
  public Limit evacuate(PlanGoal.Evacuate goal) {
    int[] nodes = nodes(goal.nodes());
    Set<Integer> leaving = set(nodes);
    long all = 0;
    for (int node : nodes) {
      for (int entry : placements.entries(node)) {
        all += session.isPinned(entry) ? 0 : 1;
      }
    }
    long left = 0;
    for (int node : byHeld(nodes)) {
      if (session.isOver()) {
        break;
      }
      for (int entry : session.largestFirst(node)) {
        left += moves.leave(entry, leaving) ? 1 : 0;
      }
    }
    for (int node : nodes) {
      if (placements.count(node) > 0) {
        unmet.add(ledger.nodes().nodeName(node));
      }
    }
    return new Limit("moved", Quantity.of(Math.min(all, limits.mostMoves())), left);
  }

  @Override
  public Limit consolidate(PlanGoal.Consolidate goal) {
    int[] inUse =
        IntStream.range(0, ledger.nodes().slotCount())
            .filter(node -> ledger.nodes().alive(node) && placements.count(node) > 0)
            .toArray();
    long fewest = inUse.length - emptiable(inUse);
    if (mayPass() && !PlanFigures.overdrawn(ledger)) {
      fewest = Math.max(fewest, LowerBounds.fewestNodes(ledger, null, session.budget));
    }
    moves.consolidate();
    return new Limit("nodesInUse", Quantity.of(Math.max(0, fewest)), 0);
  }

  @Override
  public Limit rebalance(PlanGoal.Rebalance goal) {
    Quantity before = PlanFigures.fullest(ledger);
    Quantity best = mayPass() ? PlanFigures.leastFullest(ledger) : Quantity.ZERO;
    best = limits.mostMoves() == 0 ? before : best;
    best = best.compareTo(before) > 0 ? Quantity.ZERO : best;
    new LoadMoves(session).rebalance();
    return new Limit("fullest", best, 0);
  }

  @Override
  public Limit repair(PlanGoal.Repair goal) {
    long fewest = mayPass() ? PlanFigures.leastAverse(ledger) : 0;
    moves.repair();
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      for (int entry : placements.entries(node)) {
        if (session.averse(entry)) {
          unmet.add(placements.workload(entry).name());
        }
      }
    }
    return new Limit("averse", Quantity.of(fewest), 0);
  }

  @Override
  public Limit place(PlanGoal.Place goal) {
    long most = LowerBounds.mostPlaced(ledger, batch, session.budget);
    long placed = 0;
    Integer[] order = new Integer[batch.size()];
    long[] sizes = new long[batch.size()];
    for (int i = 0; i < order.length; i++) {
      order[i] = i;
      sizes[i] = session.size(batch.entry(i));
    }
    Arrays.sort(order, (a, b) -> Long.compare(sizes[b], sizes[a]));
    Map<String, List<Integer>> gangs = new HashMap<>();
    for (int i : order) {
      gang(i)
          .ifPresent(gang -> gangs.computeIfAbsent(gang.name(), none -> new ArrayList<>()).add(i));
    }
    List<Integer> waiting = new ArrayList<>();
    for (int i : order) {
      Optional<Gang> gang = gang(i);
      if (gang.isPresent()) {
        List<Integer> members = gangs.remove(gang.get().name());
        placed += members == null ? 0 : placeGang(members, gang.get());
      } else if (moves.place(batch.entry(i), node -> true, Ejections.SETS)) {
        placed++;
      } else {
        waiting.add(i);
      }
    }
    placed += placeWaiting(waiting);
    if (placed == 0 && !batch.hasGangs() && !ejections.anyMoves()) {
      most = 0; // A plan has to begin with something.
    }
    for (int i = 0; i < order.length; i++) {
      if (placements.nodeOf(batch.entry(i)) < 0) {
        unmet.add(batch.names()[i]);
      }
    }
    return new Limit("placed", Quantity.of(most), placed);
  }

  /** Places more by longer chains, as long as that places any; returns how many. */
  private int placeWaiting(List<Integer> waiting) {
    int all = waiting.size();
    int before = all + 1;
    while (waiting.size() < before && !session.isOver()) {
      before = waiting.size();
      for (int effort = Ejections.CHAINS; effort <= Ejections.LONG_CHAINS; effort++) {
        int most = effort;
        waiting.removeIf(i -> moves.place(batch.entry(i), node -> true, most));
      }
    }
    return all - before;
  }

  private Optional<Gang> gang(int index) {
    return batch.workload(index).terms().gang();
  }

  /**
   * Places all members of a gang or none, in one domain where it wants one; they stay there.
   * Answers how many.
   */
  private int placeGang(List<Integer> members, Gang gang) {
    if (gang.within().isEmpty()) {
      return placeAll(members, node -> true);
    }
    if (!session.mayRead(ledger.nodes().slotCount())) {
      return 0;
    }
    int level = ledger.topology().levelIndex(gang.within().get());
    Set<Integer> tried = new HashSet<>(Set.of(NodeTable.NONE));
    for (int node = 0; node < ledger.nodes().slotCount() && !session.isOver(); node++) {
      int domain = ledger.topology().domainOf(level, node);
      if (ledger.nodes().alive(node) && tried.add(domain)) {
        int placed = placeAll(members, other -> ledger.topology().domainOf(level, other) == domain);
        if (placed > 0) {
          return placed;
        }
      }
    }
    return 0;
  }

  private int placeAll(List<Integer> members, IntPredicate allowed) {
    PlanSession.Mark before = session.mark();
    for (int member : members) {
      if (!moves.place(batch.entry(member), allowed, Ejections.LONG_CHAINS)) {
        session.rollBack(before);
        return 0;
      }
    }
    members.forEach(member -> session.pin(batch.entry(member)));
    return members.size();
  }

  /** Whether a pass over all nodes and their workloads may begin, to find a bound. */
  private boolean mayPass() {
    return session.mayRead((long) ledger.nodes().slotCount() + placements.placedCount());
  }

  /** The number of the given nodes that can be emptied at most: those with the fewest workloads. */
  private long emptiable(int[] nodes) {
    if (!mayPass()) {
      return nodes.length;
    }
    long needed = 0;
    long count = 0;
    for (int node : byHeld(nodes)) {
      boolean pinned = Arrays.stream(placements.entries(node)).anyMatch(session::isPinned);
      needed += pinned ? 0 : placements.count(node);
      if (!pinned && needed <= limits.mostMoves()) {
        count++;
      }
    }
    return count;
  }

  /** The one with the fewest workloads first; equal ones in the order of nodes. */
  private int[] byHeld(int[] nodes) {
    return Arrays.stream(nodes)
        .boxed()
        .sorted(
            (a, b) ->
                placements.count(a) != placements.count(b)
                    ? Integer.compare(placements.count(a), placements.count(b))
                    : Integer.compare(a, b))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private static Set<Integer> set(int[] nodes) {
    Set<Integer> set = new HashSet<>();
    Arrays.stream(nodes).forEach(set::add);
    return set;
  }
}

package io.lighthouse.core.plan;

import io.lighthouse.api.Gang;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.bound.LowerBounds;
import io.lighthouse.core.bound.Overdraft;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Placements;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The moves for each goal, made one after the other in the session, and a bound on what could be
 * reached at best. The node with the fewest workloads is drained first, and its largest workload is
 * moved first. Each workload goes to the node in use on which it leaves the least. Where none fits,
 * room is made first by moving others ({@link Ejections}).
 */
final class GoalSearch implements PlanGoal.Cases<Plan.Bound> {
  /** The attempts to place a batch beside the first: the second gathers room, the third shifts. */
  private static final int ATTEMPTS = 3;

  private static final IntPredicate ANYWHERE = node -> true;

  private final Ledger ledger;
  private final Placements placements;
  private final PlanLimits limits;
  private final PlanSession session;
  private final NeedTable needs;
  private final OtherNodes otherNodes;
  private final Ejections ejections;
  private final PlanMoves moves;

  /** The batch of the goal; null where it has none. */
  private final Batch batch;

  /** The entries of the batch. */
  private final int[] newcomers;

  /** The names of nodes or workloads for which the goal is not reached. */
  private final List<String> unmet = new ArrayList<>();

  GoalSearch(PlanSession session, Batch batch) {
    this.session = session;
    limits = session.limits;
    this.batch = batch;
    ledger = session.ledger;
    placements = ledger.placements();
    newcomers =
        batch == null ? new int[0] : IntStream.range(0, batch.size()).map(batch::entry).toArray();
    needs = new NeedTable(session, newcomers);
    otherNodes = new OtherNodes(session, needs);
    ejections = new Ejections(session, needs, otherNodes);
    moves = new PlanMoves(session, ejections);
  }

  List<String> unmet() {
    return unmet;
  }

  /** What could be reached at best, and whether it is. */
  private static Plan.Bound bound(String figure, long best, long reached) {
    return new Plan.Bound(figure, Quantity.of(best), reached == best);
  }

  /** Whether the limits let a workload be moved at all. */
  private boolean mayMove(int entry) {
    return limits.mostMoves() > 0 && !session.isPinned(entry);
  }

  private int[] nodes(List<String> names) {
    return names.stream().mapToInt(ledger.nodes()::node).toArray();
  }

  @Override
  public Plan.Bound drain(PlanGoal.Drain goal) {
    int[] nodes = nodes(goal.nodes());
    Set<Integer> leaving = set(nodes);
    long most = emptiable(nodes);
    for (int node : byHeld(nodes)) {
      moves.drain(node, leaving, false, Ejections.LONG_CHAINS);
    }
    addHolding(nodes);
    return bound("emptied", most, nodes.length - unmet.size());
  }

  @Override
  public Plan.Bound evacuate(PlanGoal.Evacuate goal) {
    int[] nodes = nodes(goal.nodes());
    Set<Integer> leaving = set(nodes);
    long all =
        IntStream.of(nodes)
            .flatMap(node -> IntStream.of(placements.entries(node)))
            .filter(entry -> !session.isPinned(entry))
            .count();
    long left = 0;
    for (int node : byHeld(nodes)) {
      if (session.isOver()) {
        break;
      }
      for (int entry : session.largestFirst(placements.entries(node))) {
        left += moves.leave(entry, leaving) ? 1 : 0;
      }
    }
    addHolding(nodes);
    return bound("moved", Math.min(all, limits.mostMoves()), left);
  }

  /** The nodes that still hold workloads are unmet. */
  private void addHolding(int[] nodes) {
    for (int node : nodes) {
      if (placements.count(node) > 0) {
        unmet.add(ledger.nodes().nodeName(node));
      }
    }
  }

  @Override
  public Plan.Bound consolidate(PlanGoal.Consolidate goal) {
    int[] inUse = inUse();
    long fewest = inUse.length - emptiable(inUse);
    if (mayPass() && !Overdraft.any(ledger)) {
      int proven = LowerBounds.fewestNodes(ledger, this::mayMove, session.budget);
      fewest = Math.max(fewest, proven);
    }
    moves.consolidate();
    return bound("nodesInUse", Math.max(0, fewest), inUse().length);
  }

  @Override
  public Plan.Bound rebalance(PlanGoal.Rebalance goal) {
    Quantity before = PlanFigures.fullest(ledger);
    Quantity best = mayPass() ? PlanFigures.leastFullest(ledger) : Quantity.ZERO;
    best = limits.mostMoves() == 0 ? before : best;
    best = best.compareTo(before) > 0 ? Quantity.ZERO : best;
    PlanSession.Mark begin = session.mark();
    boolean mayGoOn = true;
    while (mayGoOn
        && session.mayRead((long) PlanSession.READS_OF_A_NODE * ledger.nodes().slotCount())
        && new LoadMoves(session, needs, ejections).rebalance()) {
      int made = session.stepsSince(begin).size();
      moves.moveAtOnce(begin, true);
      mayGoOn = limitsMoves() && session.stepsSince(begin).size() < made;
    }
    return new Plan.Bound("fullest", best, PlanFigures.fullest(ledger).equals(best));
  }

  private int[] inUse() {
    return IntStream.range(0, ledger.nodes().slotCount())
        .filter(node -> placements.count(node) > 0)
        .toArray();
  }

  /** Whether a plan may end because of what it has moved. */
  private boolean limitsMoves() {
    return limits.mostMoves() < Integer.MAX_VALUE || !limits.mostMoved().isEmpty();
  }

  @Override
  public Plan.Bound repair(PlanGoal.Repair goal) {
    long fewest = mayPass() ? PlanFigures.leastAverse(ledger) : 0;
    moves.repair();
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      for (int entry : placements.entries(node)) {
        if (session.averse(entry)) {
          unmet.add(placements.workload(entry).name());
        }
      }
    }
    return bound("averse", fewest, unmet.size());
  }

  /**
   * Places the batch in several attempts, and keeps the plan of the first that places the most. The
   * largest workloads first suits a batch that can be placed; the smallest first suits one that
   * cannot. Where both leave some out, room is gathered first.
   */
  @Override
  public Plan.Bound place(PlanGoal.Place goal) {
    long most = LowerBounds.mostPlaced(ledger, newcomers, this::mayMove, session.budget);
    int[] largestFirst =
        IntStream.of(session.largestFirst(newcomers)).map(batch::indexOf).toArray();
    int last = largestFirst.length - 1;
    int[] smallestFirst = IntStream.rangeClosed(0, last).map(i -> largestFirst[last - i]).toArray();
    PlanSession.Mark before = session.mark();
    int placed = place(largestFirst, Ejections.SETS, session.budget.left() / 2);
    boolean gathered = false;
    for (int attempt = 0; attempt < ATTEMPTS && mayImprove(placed); attempt++) {
      List<PlanSession.Step> steps = session.stepsSince(before);
      session.rollBack(before);
      int otherwise = attempt == 0 || otherNodes.hasAny() ? attempt(attempt, smallestFirst) : 0;
      if (otherwise > placed) {
        placed = otherwise;
        gathered = attempt > 0;
      } else {
        session.redo(before, steps);
      }
    }
    if (gathered) {
      moves.moveAtOnce(before, false);
    }
    if (placed == 0 && !batch.hasGangs() && !otherNodes.hasAnyNow()) {
      most = 0; // A plan has to begin with something.
    }
    for (int i = 0; i < batch.size(); i++) {
      if (placements.nodeOf(batch.entry(i)) < 0) {
        unmet.add(batch.names()[i]);
      }
    }
    return bound("placed", most, placed);
  }

  private boolean mayImprove(int placed) {
    return placed < batch.size() && !session.isOver();
  }

  /** Makes an attempt with its share of the steps left; returns how many are placed. */
  private int attempt(int attempt, int[] order) {
    long share = session.budget.left() / (ATTEMPTS - attempt);
    long kept = session.budget.left() - share;
    if (attempt > 0) {
      long all = session.budget.leftWithReads();
      gather(attempt - 1, all - all / (2 * (ATTEMPTS - attempt)));
    }
    return place(order, Ejections.ONE, kept);
  }

  /**
   * Gathers room.
   *
   * @param kept the steps that must be left, with their reads
   */
  private void gather(int shifts, long kept) {
    if (!session.mayRead(newcomers.length)) {
      return;
    }
    RoomMoves rooms = new RoomMoves(session, needs, newcomers, kept);
    rooms.gather();
    for (int shift = 0; shift < shifts; shift++) {
      rooms.shift();
      rooms.gather();
    }
  }

  /**
   * Places what can be placed of the batch, in passes over what is left, each with more effort.
   *
   * @param order the indexes of the batch
   * @param first the effort of the first pass
   * @param kept the steps that must be left
   * @return how many are placed
   */
  private int place(int[] order, int first, long kept) {
    int placed = 0;
    Map<String, List<Integer>> gangs = batch.gangs(order);
    List<Integer> waiting = new ArrayList<>();
    int left = order.length;
    for (int i : order) {
      keepForOthers(left--, kept);
      Optional<Gang> gang = batch.workload(i).terms().gang();
      if (gang.isPresent()) {
        List<Integer> members = gangs.remove(gang.get().name());
        placed += members == null ? 0 : placeGang(members, gang.get());
      } else if (moves.place(batch.entry(i), ANYWHERE, ANYWHERE, first)) {
        placed++;
      } else {
        waiting.add(i);
      }
    }
    int before = waiting.size() + 1;
    while (waiting.size() < before && session.budget.left() > kept && !session.isOver()) {
      before = waiting.size();
      for (int effort = first + 1; effort <= Ejections.LONG_CHAINS; effort++) {
        placed += placeWaiting(waiting, effort, kept);
      }
    }
    ejections.keep(0);
    return placed;
  }

  /** Places more of those that wait, and removes them; returns how many. */
  private int placeWaiting(List<Integer> waiting, int effort, long kept) {
    int all = waiting.size();
    int[] left = {all};
    waiting.removeIf(
        i -> {
          keepForOthers(left[0]--, kept);
          return session.budget.left() > kept
              && moves.place(batch.entry(i), ANYWHERE, ANYWHERE, effort);
        });
    return all - waiting.size();
  }

  /** Lets the search for one of some workloads take its share of half of the steps left. */
  private void keepForOthers(int workloads, long kept) {
    long left = session.budget.left();
    ejections.keep(left - Math.max(0, left - kept) / (2L * workloads));
  }

  /**
   * Places all members of a gang or none, in one domain where it wants one; they stay there. Room
   * is made by moves within the domain. If that helps for no domain, others may leave it. Answers
   * how many.
   */
  private int placeGang(List<Integer> members, Gang gang) {
    if (gang.within().isEmpty()) {
      return placeAll(members, ANYWHERE, false);
    }
    if (!session.mayRead(ledger.nodes().slotCount())) {
      return 0;
    }
    int level = ledger.topology().levelIndex(gang.within().get());
    for (boolean mayLeave : new boolean[] {false, true}) {
      Set<Integer> tried = new HashSet<>(Set.of(NodeTable.NONE));
      for (int node = 0; node < ledger.nodes().slotCount() && !session.isOver(); node++) {
        int domain = ledger.topology().domainOf(level, node);
        if (ledger.nodes().alive(node) && tried.add(domain)) {
          IntPredicate inside = other -> ledger.topology().domainOf(level, other) == domain;
          int placed = placeAll(members, inside, mayLeave);
          if (placed > 0) {
            return placed;
          }
        }
      }
    }
    return 0;
  }

  /**
   * Places all members on some nodes, or none.
   *
   * @param mayLeave whether others may leave these nodes; members that are placed stay then
   */
  private int placeAll(List<Integer> members, IntPredicate allowed, boolean mayLeave) {
    PlanSession.Mark before = session.mark();
    IntPredicate others = mayLeave ? ANYWHERE : allowed;
    for (int member : members) {
      if (!moves.place(batch.entry(member), allowed, others, Ejections.LONG_CHAINS)) {
        session.rollBack(before);
        members.forEach(each -> session.pin(batch.entry(each), false));
        return 0;
      }
      session.pin(batch.entry(member), mayLeave);
    }
    members.forEach(member -> session.pin(batch.entry(member), true));
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
            Comparator.<Integer>comparingInt(placements::count)
                .thenComparing(Comparator.naturalOrder()))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private static Set<Integer> set(int[] nodes) {
    return Arrays.stream(nodes).boxed().collect(Collectors.toSet());
  }
}

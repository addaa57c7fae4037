package io.lighthouse.core.plan;

import io.lighthouse.api.Change;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.core.account.Layout;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.budget.StepBudget;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.search.Finder;
import io.lighthouse.core.share.FleetCapacities;
import io.lighthouse.core.share.Mean;
import io.lighthouse.core.share.Share;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntPredicate;

/** The ledger with the moves made so far for a plan, and what the limits still allow. */
final class PlanSession {
  /** Sizes, and shares in use, count in parts of two to the power of this. */
  static final int SHARE_BITS = 30;

  /** The load of a node of which nothing is left. */
  static final long FULL = 1L << SHARE_BITS;

  /** The reads that a look at a node counts as, before anything is checked there. */
  static final int READS_OF_A_NODE = 8;

  /** What is left over counts in parts of two to the power of this, so that squares fit. */
  private static final int REST_BITS = 14;

  final Ledger ledger;
  final StepBudget budget;

  /** What the first order of the changes may cost, beside the search. */
  final StepBudget firstOrder = new StepBudget(Waves.MOST_STEPS);

  /** What other orders may cost. */
  final StepBudget otherOrders;

  /** What the obstacles may cost. */
  final StepBudget obstacles = new StepBudget(PlanObstacles.MOST_STEPS);

  final Finder finder;
  final PlanLimits limits;
  private final Set<Integer> pinned = new HashSet<>();
  private final Set<Integer> avoided = new HashSet<>();

  /** By resource id the mean capacity of a node. */
  private final Mean[] means;

  /** What may still be moved of each limited resource. */
  private final Map<String, BigDecimal> movable = new TreeMap<>();

  /** The changes made so far. */
  final List<Step> done = new ArrayList<>();

  /** The nodes that a workload has left, moved or taken back, in that order. */
  final List<Integer> left = new ArrayList<>();

  private int moves;

  /** A move; a placement where {@code from} is {@link NodeTable#NONE}. */
  record Step(int entry, int from, int to) {}

  /** A state that can be restored. */
  record Mark(int savepoint, int steps) {}

  PlanSession(Ledger ledger, Finder finder, PlanLimits limits, StepBudget budget) {
    this.ledger = ledger;
    this.budget = budget;
    otherOrders = new StepBudget(Math.min(Waves.MOST_STEPS, budget.left()));
    this.finder = finder;
    this.limits = limits;
    limits.pinned().forEach(name -> pinned.add(ledger.placements().entryOf(name)));
    limits.avoided().forEach(name -> avoided.add(ledger.nodes().node(name)));
    Resources most = limits.mostMoved();
    for (int i = 0; i < most.size(); i++) {
      if (!most.quantity(i).isInfinite()) {
        movable.put(most.name(i), most.quantity(i).toBigDecimal());
      }
    }
    means = FleetCapacities.means(ledger);
  }

  int movesLeft() {
    return limits.mostMoves() - moves;
  }

  /** Lets a workload stay where it is from now on, or no longer. */
  void pin(int entry, boolean stays) {
    if (stays) {
      pinned.add(entry);
    } else {
      pinned.remove(entry);
    }
  }

  boolean isPinned(int entry) {
    return pinned.contains(entry);
  }

  /** Whether the limits let a workload be moved once more. */
  boolean mayMove(int entry) {
    return movesLeft() > 0
        && !pinned.contains(entry)
        && !isOver()
        && (movable.isEmpty()
            || movable.entrySet().stream()
                .allMatch(of -> required(entry, of.getKey()).compareTo(of.getValue()) <= 0));
  }

  /**
   * Whether the search must end with what it has found: its budget is over, or its thread is
   * interrupted.
   */
  boolean isOver() {
    if (Thread.currentThread().isInterrupted()) {
      budget.end();
    }
    return budget.isOver();
  }

  /** Whether a pass of that many reads may begin. If not, the search is over. */
  boolean mayRead(long reads) {
    return budget.mayRead(reads) && !isOver();
  }

  /** The load of a node: the share in use of its fullest resource; also with one more, if any. */
  long load(int node, Demand added) {
    return FleetCapacities.fullest(ledger, node, added, SHARE_BITS);
  }

  /** What may still be moved of a resource that the limits name. */
  BigDecimal movable(String resource) {
    return movable.get(resource);
  }

  /** What a workload requires of a resource, 0 or more. */
  BigDecimal required(int entry, String resource) {
    return ledger
        .placements()
        .workload(entry)
        .requirements()
        .get(resource)
        .map(quantity -> quantity.toBigDecimal().max(BigDecimal.ZERO))
        .orElse(BigDecimal.ZERO);
  }

  private void spend(int entry, int sign) {
    moves += sign;
    movable.replaceAll(
        (resource, left) ->
            left.subtract(required(entry, resource).multiply(BigDecimal.valueOf(sign))));
  }

  /** Whether a node takes workloads. */
  boolean takes(int node) {
    return ledger.nodes().alive(node)
        && !ledger.accounts().cordoned(node)
        && !avoided.contains(node);
  }

  /** Whether a workload that is nowhere fits a node. */
  boolean fits(int node, Demand demand) {
    budget.spend(1);
    return finder.fits(node, demand);
  }

  /** Whether the workload of a query fits a node. */
  boolean fits(Query query, int node) {
    budget.spend(1);
    return query.fits(node);
  }

  /** Whether a node is averse to the workload of a demand. */
  boolean averse(int node, Demand demand) {
    return demand.hasAversionGroups() && finder.averse(node, demand);
  }

  /**
   * What holds while a workload is on no node: it is removed, as rules of domains would count it
   * where it is.
   */
  <T> T whileAway(int entry, Function<Demand, T> question) {
    int before = ledger.savepoint();
    if (ledger.placements().nodeOf(entry) >= 0) {
      ledger.remove(entry, ledger.demand(entry));
    }
    T answer = question.apply(ledger.demand(entry));
    ledger.rollBack(before);
    return answer;
  }

  /** Whether a placed workload may go to another node and fits there once it is away. */
  boolean moves(int entry, int to) {
    return mayMove(entry)
        && ledger.placements().nodeOf(entry) != to
        && whileAway(entry, demand -> fits(to, demand));
  }

  /** Moves a workload, or places one that is nowhere. */
  void move(int entry, int to) {
    int from = ledger.placements().nodeOf(entry);
    int position = ledger.lastPlaced();
    if (from >= 0) {
      ledger.remove(entry, ledger.demand(entry));
      spend(entry, 1);
    }
    ledger.place(entry, to, ledger.demand(entry));
    if (from >= 0) {
      ledger.lastPlaced(position);
      left.add(from);
    }
    done.add(new Step(entry, from < 0 ? NodeTable.NONE : from, to));
  }

  Mark mark() {
    return new Mark(ledger.savepoint(), done.size());
  }

  /** The changes made since a mark. */
  List<Step> stepsSince(Mark mark) {
    return List.copyOf(done.subList(mark.steps, done.size()));
  }

  void rollBack(Mark mark) {
    ledger.rollBack(mark.savepoint);
    while (done.size() > mark.steps) {
      Step last = done.remove(done.size() - 1);
      left.add(last.to);
      if (last.from != NodeTable.NONE) {
        spend(last.entry, -1);
      }
    }
  }

  /** Makes other changes in place of those since a mark. */
  void redo(Mark mark, List<Step> steps) {
    rollBack(mark);
    steps.forEach(step -> move(step.entry, step.to));
  }

  /**
   * The node on which a workload leaves the load the lowest: a friendly one, unless it is on an
   * averse one. {@link NodeTable#NONE} where it may not move, or fits no other node.
   */
  int emptiest(int entry) {
    int here = ledger.placements().nodeOf(entry);
    boolean isAverse = averse(entry);
    boolean mayMove =
        mayMove(entry) && mayRead((long) READS_OF_A_NODE * ledger.nodes().slotCount());
    return mayMove
        ? whileAway(entry, demand -> emptiestFor(demand, here, isAverse))
        : NodeTable.NONE;
  }

  private int emptiestFor(Demand demand, int here, boolean mayBeAverse) {
    int found = NodeTable.NONE;
    long least = Long.MAX_VALUE;
    try (Query query = finder.bind(demand)) {
      for (int node = 0; node < ledger.nodes().slotCount(); node++) {
        long load = node == here || !takes(node) ? Long.MAX_VALUE : load(node, demand);
        if (load < least && fits(query, node) && (mayBeAverse || !query.averse(node))) {
          least = load;
          found = node;
        }
      }
    }
    return found;
  }

  /**
   * The node that a workload fits with the least left over, by the squares of the shares of a mean
   * node: a friendly one while there is any.
   *
   * @param entry the workload
   * @param allowed which nodes are checked
   * @param friendly whether only friendly ones will do
   */
  int tightest(int entry, IntPredicate allowed, boolean friendly) {
    int here = ledger.placements().nodeOf(entry);
    return isOver()
        ? NodeTable.NONE
        : whileAway(entry, demand -> tightestFor(demand, here, allowed, friendly));
  }

  private int tightestFor(Demand demand, int here, IntPredicate allowed, boolean friendly) {
    int found = NodeTable.NONE;
    boolean foundAverse = true;
    long least = Long.MAX_VALUE;
    budget.mayRead((long) READS_OF_A_NODE * ledger.nodes().slotCount());
    try (Query query = finder.bind(demand)) {
      for (int node = 0; node < ledger.nodes().slotCount(); node++) {
        if (node == here || !takes(node) || !allowed.test(node) || !fits(query, node)) {
          continue;
        }
        boolean averse = query.averse(node);
        if (averse && (friendly || !foundAverse)) {
          continue;
        }
        long rest = rest(node, demand);
        if (rest < least || (foundAverse && !averse)) {
          least = rest;
          found = node;
          foundAverse = averse;
        }
      }
    }
    return found;
  }

  /** The squares of what the demand would leave, as shares of a mean node. */
  private long rest(int node, Demand demand) {
    Layout layout = ledger.accounts().layout(node);
    long sum = 0;
    for (int at = 0; at < layout.size(); at++) {
      long capacity = ledger.accounts().capacity(node, at);
      int id = layout.id(at);
      if (Share.measurable(capacity)) {
        int required = demand.indexOf(id);
        long left = ledger.accounts().left(node, at) - (required < 0 ? 0 : demand.need(required));
        long part = Math.min(1L << 20, means[id].share(left, REST_BITS));
        sum += part * part;
      }
    }
    return sum;
  }

  /** How large a workload is: the sum of its shares of a mean node. */
  long size(Demand demand) {
    long sum = 0;
    for (int i = 0; i < demand.size(); i++) {
      sum += Math.min(1L << 40, means[demand.id(i)].share(demand.need(i), SHARE_BITS));
    }
    return sum;
  }

  /** Workloads, the largest first; equal ones in their order. */
  int[] largestFirst(int[] entries) {
    long[] sizes = new long[entries.length];
    Integer[] order = new Integer[entries.length];
    for (int i = 0; i < entries.length; i++) {
      sizes[i] = size(ledger.demand(entries[i]));
      order[i] = i;
    }
    Arrays.sort(order, (a, b) -> Long.compare(sizes[b], sizes[a]));
    return Arrays.stream(order).mapToInt(i -> entries[i]).toArray();
  }

  /** Whether a workload is on a node with another one of a group of its own. */
  boolean averse(int entry) {
    return PlanFigures.isAverse(ledger, entry);
  }

  Change change(Step step) {
    Workload workload = ledger.placements().workload(step.entry);
    String to = ledger.nodes().nodeName(step.to);
    return step.from == NodeTable.NONE
        ? new Change.Assign(workload, to)
        : new Change.Move(workload.name(), ledger.nodes().nodeName(step.from), to);
  }
}

package io.lighthouse.core.plan;

import io.lighthouse.api.Gang;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.Plan.Obstacle;
import io.lighthouse.api.advice.Plan.Obstacle.Cause;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.error.Plural;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Placements;
import io.lighthouse.core.search.Explainer;
import io.lighthouse.core.search.Finder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Finds what keeps a plan from its goal: workloads that stay where they are, or without a node,
 * with the reason of each. A workload is explained by itself, on the fleet as it is after the plan,
 * with the workloads of its node taken off it. So a reason does not depend on a strategy, nor on
 * where another workload might go.
 *
 * <p>A step is a node that is explained for a workload. Where the budget is spent, or the thread is
 * interrupted, no more obstacles are added.
 */
final class PlanObstacles implements PlanGoal.Cases<List<Obstacle>> {
  /** The steps of the budget: a hundred workloads on 100,000 nodes, some seconds of one thread. */
  static final long MOST_STEPS = 10_000_000;

  private static final String NO_MOVES =
      "it fits another node, but the search found no moves within its limits";

  private static final String NOT_PLACED =
      "it fits a node, but the search ended before it was placed";

  private final PlanSession session;
  private final PlanLimits limits;
  private final Batch batch;
  private final List<String> unmet;
  private final Ledger ledger;
  private final Placements placements;
  private final Finder finder;
  private final Explainer explainer;
  private final List<Obstacle> all = new ArrayList<>();

  /**
   * Prepares the search.
   *
   * @param session the ledger as it is after the plan
   * @param batch the batch of the goal; null if it has none
   * @param unmet the names for which the goal is not reached
   */
  PlanObstacles(PlanSession session, Batch batch, List<String> unmet) {
    this.session = session;
    finder = session.finder;
    limits = session.limits;
    this.batch = batch;
    this.unmet = unmet;
    ledger = session.ledger;
    placements = ledger.placements();
    explainer = new Explainer(finder);
  }

  /** The obstacles; those that were found by then if the search for them has to end. */
  List<Obstacle> of(PlanGoal goal) {
    return unmet.isEmpty() ? List.of() : goal.match(this);
  }

  private boolean isOpen() {
    return mayAdd() && !session.obstacles.isOver();
  }

  private boolean mayAdd() {
    return all.size() < Plan.MOST_OBSTACLES && !Thread.currentThread().isInterrupted();
  }

  /** Whether a pass over all nodes may begin. */
  private boolean mayPass() {
    return session.obstacles.mayRead(ledger.nodes().slotCount()) && isOpen();
  }

  /** Adds an obstacle as long as there are few enough; the node is null for none. */
  private void add(int entry, String node, Cause cause, String why, Refusal refusal) {
    if (mayAdd()) {
      all.add(
          new Obstacle(
              placements.workload(entry),
              Optional.ofNullable(node),
              cause,
              why,
              Optional.ofNullable(refusal)));
    }
  }

  // ---- goals ----

  @Override
  public List<Obstacle> place(PlanGoal.Place goal) {
    for (int i = 0; i < batch.size() && isOpen(); i++) {
      int entry = batch.entry(i);
      if (placements.nodeOf(entry) >= 0 || addIfRefused(entry, batch.demand(i), null, Set.of())) {
        continue;
      }
      Optional<Gang> gang = batch.workload(i).terms().gang();
      if (gang.isPresent()) {
        String why =
            "it fits a node, but its gang '" + gang.get().name() + "' was not placed as a whole";
        add(entry, null, Cause.GANG, why, null);
      } else {
        add(entry, null, Cause.NOT_FOUND, NOT_PLACED, null);
      }
    }
    return all;
  }

  @Override
  public List<Obstacle> drain(PlanGoal.Drain goal) {
    Set<Integer> leaving = nodes(goal.nodes());
    for (String name : unmet) {
      if (!isOpen()) {
        break;
      }
      int[] held = placements.entries(ledger.nodes().node(name));
      int[] pinned = IntStream.of(held).filter(session::isPinned).toArray();
      String limit = limit(held, true);
      if (pinned.length > 0) {
        IntStream.of(pinned).forEach(entry -> addIfLimited(entry, name));
      } else if (!limit.isEmpty()) {
        IntStream.of(held).forEach(entry -> add(entry, name, Cause.LIMIT, limit, null));
      } else if (addRefused(held, name, leaving).isEmpty()) {
        IntStream.of(held).forEach(entry -> add(entry, name, Cause.NOT_FOUND, NO_MOVES, null));
      }
    }
    return all;
  }

  @Override
  public List<Obstacle> evacuate(PlanGoal.Evacuate goal) {
    Set<Integer> leaving = nodes(goal.nodes());
    for (String name : unmet) {
      if (!isOpen()) {
        break;
      }
      List<Integer> free = new ArrayList<>();
      for (int entry : placements.entries(ledger.nodes().node(name))) {
        if (!addIfLimited(entry, name)) {
          free.add(entry);
        }
      }
      int[] held = free.stream().mapToInt(Integer::intValue).toArray();
      Set<Integer> refused = addRefused(held, name, leaving);
      free.stream()
          .filter(entry -> !refused.contains(entry))
          .forEach(entry -> add(entry, name, Cause.NOT_FOUND, NO_MOVES, null));
    }
    return all;
  }

  @Override
  public List<Obstacle> repair(PlanGoal.Repair goal) {
    for (String name : unmet) {
      if (!isOpen()) {
        break;
      }
      int entry = placements.entryOf(name);
      String node = ledger.nodes().nodeName(placements.nodeOf(entry));
      if (!addIfLimited(entry, node)) {
        addAverse(entry, node);
      }
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

  private Set<Integer> nodes(List<String> names) {
    Set<Integer> nodes = new HashSet<>();
    names.forEach(name -> nodes.add(ledger.nodes().node(name)));
    return nodes;
  }

  // ---- limits ----

  private boolean addIfLimited(int entry, String node) {
    if (session.isPinned(entry)) {
      add(entry, node, Cause.PINNED, "it may not be moved", null);
      return true;
    }
    String limit = limit(new int[] {entry}, false);
    if (!limit.isEmpty()) {
      add(entry, node, Cause.LIMIT, limit, null);
    }
    return !limit.isEmpty();
  }

  /**
   * Why the limits of the plan do not let some workloads move together; empty where they do.
   *
   * @param wholeNode whether these are all workloads of a node; else it is one workload
   */
  private String limit(int[] together, boolean wholeNode) {
    if (together.length > session.movesLeft()) {
      return wholeNode
          ? "its node needs %s, and %s of at most %s are left"
              .formatted(
                  Plural.of(together.length, "move"), session.movesLeft(), limits.mostMoves())
          : "none of at most " + Plural.of(limits.mostMoves(), "move") + " is left";
    }
    Resources most = limits.mostMoved();
    for (int i = 0; i < most.size(); i++) {
      String name = most.name(i);
      if (most.quantity(i).isInfinite()) {
        continue;
      }
      Quantity wanted = Quantity.ZERO;
      for (int entry : together) {
        wanted = wanted.plus(Quantity.of(session.required(entry, name)));
      }
      Quantity rest = Quantity.of(session.movable(name));
      if (wanted.compareTo(rest) > 0) {
        return "%s takes %s %s, and %s of at most %s are left"
            .formatted(
                wholeNode ? "emptying its node" : "moving it",
                wanted,
                name,
                rest,
                most.quantity(i));
      }
    }
    return "";
  }

  // ---- nodes that refuse ----

  /** Adds the workloads of a node that no other node takes; returns their entries. */
  private Set<Integer> addRefused(int[] held, String node, Set<Integer> leaving) {
    int before = ledger.savepoint();
    for (int entry : held) {
      ledger.remove(entry, ledger.demand(entry));
    }
    Set<Integer> refused = new HashSet<>();
    for (int entry : held) {
      if (addIfRefused(entry, ledger.demand(entry), node, leaving)) {
        refused.add(entry);
      }
    }
    ledger.rollBack(before);
    return refused;
  }

  /**
   * Adds a workload that is nowhere if no node takes it by itself; returns whether it is so. True,
   * too, if the search for obstacles has to end: then nothing else is to be added.
   */
  private boolean addIfRefused(int entry, Demand demand, String node, Set<Integer> leaving) {
    if (!mayPass()) {
      return true;
    }
    try (Query query = finder.bind(demand)) {
      if (isTaken(query, leaving, false)) {
        return false;
      }
      String why = node == null ? "no node takes it" : "no other node takes it";
      Refusal refusal = explainer.remembered(query, () -> refusal(query, leaving));
      add(entry, node, Cause.NO_NODE, why, refusal);
      return true;
    }
  }

  /** Whether a node, or a friendly one, takes a workload that is nowhere, by itself. */
  private boolean isTaken(Query query, Set<Integer> leaving, boolean friendlyOnly) {
    int node = finder.next(query, 0, friendlyOnly);
    while (node >= 0 && !takes(node, leaving)) {
      node = finder.next(query, node + 1, friendlyOnly);
    }
    return node >= 0;
  }

  private boolean takes(int node, Set<Integer> leaving) {
    return session.takes(node) && !leaving.contains(node);
  }

  /**
   * The refusal of a workload that is nowhere, by the nodes that it does not fit. The nodes that
   * take nothing are cordoned in it, but not on the ledger: for the floor of a skew, the search
   * counts them. No reason names an empty node that workloads leave.
   */
  private Refusal refusal(Query query, Set<Integer> leaving) {
    session.obstacles.spend(ledger.nodes().nodeCount());
    if (leaving.isEmpty() && limits.avoided().isEmpty()) {
      return explainer.fresh(query, false);
    }
    List<NodeVerdict> verdicts = new ArrayList<>();
    int leftOut = 0;
    for (int i = 0; i < ledger.nodes().nodeCount(); i++) {
      int node = ledger.nodes().slot(i);
      boolean isLeftOut = leaving.contains(node) && placements.count(node) == 0;
      leftOut += isLeftOut ? 1 : 0;
      List<Reason> broken = isLeftOut ? List.of() : broken(query, node, takes(node, leaving));
      // A verdict without a reason is of a chosen node, and is left out.
      verdicts.add(new NodeVerdict(ledger.nodes().nodeName(node), broken.isEmpty(), broken));
    }
    Refusal all = explainer.summary(query, verdicts, Optional.empty());
    return new Refusal(all.workload(), all.nodes() - leftOut, all.counts(), all.nearest());
  }

  private List<Reason> broken(Query query, int node, boolean takes) {
    List<Reason> broken = explainer.broken(node, query);
    if (!takes && !ledger.accounts().cordoned(node)) {
      broken.add(0, new Reason.Cordoned());
    }
    return broken;
  }

  /** Adds a workload that stays on an averse node, with the reason. */
  private void addAverse(int entry, String node) {
    if (!mayPass()) {
      return;
    }
    int own = placements.nodeOf(entry);
    int before = ledger.savepoint();
    ledger.remove(entry, ledger.demand(entry));
    try (Query query = finder.bind(ledger.demand(entry))) {
      if (isTaken(query, Set.of(), true)) {
        String why = "a friendly node takes it, but the search found no moves within its limits";
        add(entry, node, Cause.NOT_FOUND, why, null);
      } else {
        addAverse(entry, node, own, query);
      }
    }
    ledger.rollBack(before);
  }

  private void addAverse(int entry, String node, int own, Query query) {
    Refusal refusal = refusal(query, Set.of());
    session.obstacles.spend(ledger.nodes().nodeCount());
    long averse =
        IntStream.range(0, ledger.nodes().slotCount())
            .filter(other -> other != own && session.takes(other) && query.fits(other))
            .count();
    String more = averse == 0 ? "" : ": averse on " + Plural.of(averse, "more node");
    String why =
        averse == 0 && refusal.counts().isEmpty()
            ? "there is no other node"
            : "no friendly node takes it" + more;
    add(entry, node, Cause.AVERSION, why, refusal.counts().isEmpty() ? null : refusal);
  }
}

package io.lighthouse.core.session;

import io.lighthouse.api.Gang;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.constraint.Within;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Topology;
import io.lighthouse.core.view.FleetView;
import io.lighthouse.core.view.Interruption;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Completes and judges what a strategy that places whole batches has left behind. Where the budget
 * was over, the state is first completed to an answer.
 *
 * <p>A workload that gave something may have been taken away from a node. The batch's workloads on
 * that node then get an order in which each fits at its turn, if they do not have one already. So a
 * listener can repeat the placements one by one. Where there are rules that are judged at the turn
 * alone, the same is done for the batch as a whole. A workload that fits at no turn is placed again
 * ({@link ReplayOrder}).
 */
public final class BatchSettlement {
  private final FleetView fleet;
  private final Ledger ledger;
  private final Batch batch;
  private final SessionView session;

  /** Whether the strategy may refuse what fits. */
  private final boolean mayDecline;

  private final ReplayOrder replay;

  /** Whether there are rules that are judged at the turn alone. */
  private final boolean ofTheTurn;

  /** The members of gangs that were taken away. */
  private final Set<Integer> undone = new TreeSet<>();

  /**
   * Judges the batch of a session, which the strategy has left. {@code mayDecline}: whether the
   * strategy may refuse what fits.
   */
  public BatchSettlement(FleetView fleet, Batch batch, SessionView session, boolean mayDecline) {
    this.fleet = fleet;
    this.batch = batch;
    this.session = session;
    this.mayDecline = mayDecline;
    ledger = fleet.ledger();
    replay = new ReplayOrder(fleet, batch, session.base());
    ofTheTurn = replay.matters();
  }

  /**
   * Completes the state where the budget was over, undoes broken gangs, and judges the result.
   * Returns what the strategy did wrong; null for nothing.
   */
  public String settle(boolean over) {
    if (over) {
      finish();
    }
    String wrong = complete();
    return wrong == null ? judge() : wrong;
  }

  /**
   * Undoes broken gangs, and puts the placements into an order in which they can be repeated.
   * Returns what the strategy did wrong; null for nothing.
   */
  String complete() {
    if (batch.hasGangs()) {
      undoBrokenGangs();
    }
    String wrong = judgeOrders();
    if (wrong == null) {
      makeRepeatable(session.ended() || !undone.isEmpty());
    }
    return wrong;
  }

  // ---- when the budget is over ----

  /**
   * Completes what a search had found when its budget was over to an answer. It starts from the
   * state that the search kept. Workloads that have no node there, do not fit, or are on an averse
   * node while a friendly one fits are placed by first fit.
   */
  private void finish() {
    restoreKept();
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      if (session.tookGiver(node) && order(node) == null) {
        placeAgain(node);
      }
    }
    improve();
  }

  /**
   * Places by first fit each workload that has no node, or is on an averse one while a friendly one
   * fits, until none is left. A workload whose gifts others depend on leaves them at most once.
   * Each other turn places one more workload, or moves one to a friendly node, so the loop
   * terminates.
   */
  private void improve() {
    boolean[] left = new boolean[batch.size()];
    boolean better = true;
    while (better) {
      better = false;
      for (int i = 0; i < batch.size(); i++) {
        Interruption.check();
        if (!undone.contains(i)) {
          boolean placed = nodeOf(i) >= 0;
          better |= placed ? leaveAverseNode(i, left) : placeSomewhere(i);
        }
      }
    }
  }

  private void restoreKept() {
    int[] kept = session.kept();
    if (kept == null) {
      return;
    }
    for (int i = 0; i < kept.length; i++) {
      int node = nodeOf(i);
      if (node >= 0 && node != kept[i]) {
        remove(i, node);
      }
    }
    for (int i = 0; i < kept.length; i++) {
      if (kept[i] >= 0 && nodeOf(i) < 0) {
        put(i, kept[i]);
        // Their order there may differ from that of their placements.
        session.noteTaken(kept[i], batch.demand(i));
      }
    }
  }

  private boolean placeSomewhere(int index) {
    Demand demand = batch.demand(index);
    int found = first(demand);
    if (found != NodeTable.NONE) {
      ledger.place(batch.entry(index), found, demand);
    }
    return found != NodeTable.NONE;
  }

  private boolean leaveAverseNode(int index, boolean[] left) {
    int node = nodeOf(index);
    int friendly = friendlier(index, node, !left[index]);
    if (friendly == NodeTable.NONE) {
      return false;
    }
    int before = ledger.savepoint();
    remove(index, node);
    Demand demand = batch.demand(index);
    ledger.place(batch.entry(index), friendly, demand);
    if (ofTheTurn) { // Others may be placed because of it.
      boolean whole = replay.run();
      if (!whole) {
        ledger.rollBack(before);
      }
      return whole;
    }
    if (demand.hasNegativeNeed() && order(node) == null) {
      left[index] = true;
      placeAgain(node);
    }
    return true;
  }

  /** Places the batch's workloads on a node again; those that no longer fit are without a node. */
  private void placeAgain(int node) {
    int[] members = ReachableOrder.members(ledger, batch, node);
    for (int index : members) {
      remove(index, node);
    }
    for (int index : members) {
      Demand demand = batch.demand(index);
      if (fleet.finder().fits(node, demand)) {
        ledger.place(batch.entry(index), node, demand);
      }
    }
  }

  /**
   * Puts all into an order in which each fits at its turn. A workload that fits at none is placed
   * again, on the first node that it fits. So is a workload that has lost its place, or whose node
   * is friendly no more.
   *
   * @param touched whether the state is not the strategy's own any more
   */
  private void makeRepeatable(boolean touched) {
    if (!ofTheTurn || !session.tookAny()) {
      return;
    }
    boolean again = !replay.run() || touched;
    while (again) { // Ends, for each further time some gang has been undone.
      int gone = undone.size();
      undoBrokenGangs();
      improve();
      undoBrokenGangs();
      again = undone.size() > gone && !replay.run();
    }
  }

  // ---- gangs ----

  /**
   * Takes away the gangs that are there in part, or in more than one domain, and gives their room
   * to the others. Workloads that depended on a member are placed again, which may break their
   * gangs. The members of undone gangs are not judged.
   */
  private void undoBrokenGangs() {
    Collection<List<Integer>> gangs = batch.gangs(null).values();
    boolean again = true;
    while (again) {
      again = false;
      for (List<Integer> members : gangs) {
        if (!undone.containsAll(members) && !isWhole(members)) {
          undone.addAll(members);
          members.forEach(this::takeAway);
          again = true;
        }
      }
      if (again) {
        improve();
      }
    }
  }

  private void takeAway(int index) {
    int node = nodeOf(index);
    if (node < 0) {
      return;
    }
    boolean given = batch.demand(index).hasNegativeNeed() && order(node) != null;
    remove(index, node);
    if (given && order(node) == null) {
      placeAgain(node);
    }
  }

  /** Whether all members of a gang have a node, and are in one domain if they have to. */
  private boolean isWhole(List<Integer> members) {
    Optional<String> within = batch.workload(members.get(0)).terms().gang().orElseThrow().within();
    int level = within.map(ledger.topology()::levelIndex).orElse(Topology.NO_LEVEL);
    int domain = NodeTable.NONE;
    for (int index : members) {
      int node = nodeOf(index);
      if (node < 0) {
        return false;
      }
      int in = ledger.topology().domainOf(level, node);
      if (within.isPresent()
          && (in == NodeTable.NONE || (domain != NodeTable.NONE && in != domain))) {
        return false;
      }
      domain = in;
    }
    return true;
  }

  // ---- the judgement ----

  /** What the strategy did wrong, by the final state; null where all is lawful. */
  private String judge() {
    for (int i = 0; i < batch.size(); i++) {
      Interruption.check();
      if (undone.contains(i)) {
        continue;
      }
      String wrong = nodeOf(i) < 0 ? judgeRefused(i) : judgePlaced(i);
      if (wrong != null) {
        return wrong;
      }
    }
    return null;
  }

  /** Checks that those on each node could be placed one by one; puts them into such an order. */
  private String judgeOrders() {
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      if (session.tookGiver(node)) {
        Interruption.check();
        int[] members = ReachableOrder.members(ledger, batch, node);
        int[] order = ReachableOrder.find(ledger, batch, members, node);
        if (order == null) {
          return "left workload "
              + Arrays.stream(members)
                  .mapToObj(index -> "'" + batch.names()[index] + "'")
                  .collect(Collectors.joining(", "))
              + " on "
              + fleet.at(node)
              + ", which it does not fit without one that was taken away again";
        }
        if (!Arrays.equals(order, members)) {
          for (int index : order) {
            remove(index, node);
          }
          for (int index : order) {
            put(index, node);
          }
        }
      }
    }
    return null;
  }

  private String judgeRefused(int index) {
    Demand demand = batch.demand(index);
    if (mayDecline || demand.requiresMissingResource()) {
      return null;
    }
    int fitting = first(demand);
    return fitting == NodeTable.NONE
        ? null
        : "refused " + subject(index) + ", which fits " + fleet.at(fitting);
  }

  private String judgePlaced(int index) {
    int node = nodeOf(index);
    int friendly = friendlier(index, node, false);
    return friendly == NodeTable.NONE
        ? null
        : "left "
            + subject(index)
            + " on the averse "
            + fleet.at(node)
            + " while the friendly "
            + fleet.at(friendly)
            + " fits";
  }

  /**
   * A friendly node for a workload that is on an averse one; none where there is no such node. None
   * either where others on its node depend on what it gives and it must not leave them. Changes
   * nothing.
   */
  private int friendlier(int index, int node, boolean leavesOthers) {
    Demand demand = batch.demand(index);
    if (!demand.hasAversionGroups()) {
      return NodeTable.NONE;
    }
    int before = ledger.savepoint();
    Optional<String> within = batch.workload(index).terms().gang().flatMap(Gang::within);
    Within domains = within.map(level -> domainOf(level, node)).orElse(Within.FLEET);
    ledger.remove(batch.entry(index), demand);
    int better = friendly(demand, node, domains);
    boolean friendly =
        better != NodeTable.NONE
            && (ofTheTurn
                ? isRepeatableOn(index, better)
                : leavesOthers || !demand.hasNegativeNeed() || order(node) != null);
    ledger.rollBack(before);
    return friendly ? better : NodeTable.NONE;
  }

  /** Whether all can be repeated with a workload on another node, which it fits. */
  private boolean isRepeatableOn(int index, int node) {
    ledger.place(batch.entry(index), node, batch.demand(index));
    return replay.run();
  }

  /** The first node that a demand fits. */
  private int first(Demand demand) {
    try (Query query = fleet.finder().bind(demand)) {
      return fleet.finder().first(query, 0);
    }
  }

  /** The first friendly node that a demand fits, if a node is averse to it. */
  private int friendly(Demand demand, int node, Within domains) {
    try (Query query = fleet.finder().bind(demand, domains)) {
      int first = query.averse(node) ? fleet.finder().first(query, 0) : NodeTable.NONE;
      return first != NodeTable.NONE && !query.averse(first) ? first : NodeTable.NONE;
    }
  }

  /** A gang that is to be in one domain stays in the one that it is in. */
  private Within domainOf(String level, int node) {
    int domain = ledger.topology().domainOf(ledger.topology().levelIndex(level), node);
    return domain == NodeTable.NONE ? Within.FLEET : new Within(level, domain, new boolean[0]);
  }

  private String subject(int index) {
    return "workload '" + batch.names()[index] + "'";
  }

  // ---- both ----

  private int nodeOf(int index) {
    return ledger.placements().nodeOf(batch.entry(index));
  }

  private int[] order(int node) {
    return ReachableOrder.find(ledger, batch, node);
  }

  private void remove(int index, int node) {
    Demand demand = batch.demand(index);
    session.noteTaken(node, demand);
    ledger.remove(batch.entry(index), demand);
  }

  private void put(int index, int node) {
    ledger.putBack(batch.entry(index), node, batch.demand(index));
  }
}

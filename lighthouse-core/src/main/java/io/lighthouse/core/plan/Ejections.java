package io.lighthouse.core.plan;

import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Placements;
import io.lighthouse.core.plan.CheapestSet.Leaving;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Makes room for a workload on a node by moving up to {@link CheapestSet#LARGEST} others away. Each
 * moves to a node that it fits, or to one where room is made for it in the same way. These are
 * ejection chains (Glover 1996), every move of which is feasible at its turn. No workload is
 * without a node meanwhile, so chains are found from the far end: the last workload of the chain is
 * moved first.
 *
 * <p>Sets of workloads are chosen by what they need and what a node has left; the finder decides
 * whether one fits in the end. The search counts the nodes and sets that it checks, and reads no
 * clock.
 */
final class Ejections {
  /** One workload gets out of the way of another; then sets do; then chains of two and of three. */
  static final int ONE = 1;

  static final int SETS = 2;
  static final int CHAINS = 3;
  static final int LONG_CHAINS = 4;

  /** The search for one workload may take this fraction (1 / {@code PARTS}) of the steps left. */
  private static final int PARTS = 8;

  /** The number of nodes that are checked before the best sets found there are tried. */
  private static final int NODES_AT_ONCE = 256;

  /** The number of those sets that are tried, by depth: the smallest first. */
  private static final int[] TRIED = {0, 32, 12, 6};

  private final PlanSession session;
  private final Ledger ledger;
  private final Placements placements;
  private final NeedTable needs;
  private final OtherNodes otherNodes;
  private final CheapestSet sets;

  /** Nodes that a workload waits for; no workload is moved to them. */
  private final boolean[] awaited;

  /** What is left of the steps when the search for one workload ends: it takes only a share. */
  private long reserve;

  /** What later workloads need of the steps. */
  private long floor;

  /** How many may leave a node at once. */
  private int largestSet = CheapestSet.LARGEST;

  /** Where the next search begins. */
  private int start;

  Ejections(PlanSession session, NeedTable needs, OtherNodes otherNodes) {
    this.session = session;
    this.needs = needs;
    this.otherNodes = otherNodes;
    ledger = session.ledger;
    placements = ledger.placements();
    sets = new CheapestSet(session, needs);
    awaited = new boolean[ledger.nodes().slotCount()];
  }

  /** Makes room, where others may go to the same nodes as the workload. */
  boolean makeRoom(int entry, IntPredicate allowed, int effort) {
    return makeRoom(entry, allowed, allowed, effort);
  }

  /**
   * Moves a workload to a node, or places it there, after others have left that node for others.
   *
   * @param entry the workload
   * @param allowed nodes that it may go to
   * @param others nodes that others may go to
   * @param effort from {@link #ONE}, which is tried first, to {@link #LONG_CHAINS}
   */
  boolean makeRoom(int entry, IntPredicate allowed, IntPredicate others, int effort) {
    int nodes = ledger.nodes().slotCount();
    boolean placed = placements.nodeOf(entry) >= 0;
    reserve = Math.max(floor, session.budget.left() - session.budget.left() / PARTS);
    for (int tried = ONE;
        tried <= effort && session.movesLeft() > 0 && otherNodes.hasAny();
        tried++) {
      largestSet = tried == ONE ? 1 : CheapestSet.LARGEST;
      int depth = Math.max(1, tried - 1);
      int atOnce = tried == ONE ? 1 : NODES_AT_ONCE;
      for (int seen = 0; seen < nodes && hasShare(); seen += atOnce) {
        int from = (int) (((long) start + seen) % nodes);
        if (chain(entry, allowed, others, depth, from, Math.min(atOnce, nodes - seen))) {
          start = placed ? 0 : from; // Where some leave, those that stay fill up in order.
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Keeps steps for later workloads.
   *
   * @param steps what must be left when the search for a workload ends
   */
  void keep(long steps) {
    floor = steps;
  }

  /** Whether the search may go on. */
  private boolean hasShare() {
    return session.budget.left() > reserve;
  }

  private boolean chain(
      int entry, IntPredicate allowed, IntPredicate others, int depth, int from, int count) {
    List<Leaving> choices = new ArrayList<>();
    int here = placements.nodeOf(entry);
    int nodes = ledger.nodes().slotCount();
    session.budget.spend(count);
    for (int i = 0; i < count && !session.isOver(); i++) {
      int node = from + i < nodes ? from + i : from + i - nodes;
      if (node != here && !awaited[node] && session.takes(node) && allowed.test(node)) {
        Leaving choice = cheapest(entry, node, depth == 1);
        if (choice != null) {
          choices.add(choice);
        }
      }
    }
    choices.sort(Comparator.comparingLong(Leaving::cost));
    int tried = Math.min(choices.size(), TRIED[depth]);
    for (int i = 0; i < tried && hasShare(); i++) {
      if (carryOut(entry, choices.get(i), others, depth)) {
        return true;
      }
    }
    return false;
  }

  private boolean carryOut(int entry, Leaving cheapest, IntPredicate others, int depth) {
    boolean placed = placements.nodeOf(entry) >= 0;
    int node = cheapest.node();
    int own = placed ? 1 : 0;
    if (session.movesLeft() < 1 + own) {
      return false;
    }
    Leaving choice =
        opens(entry, node, cheapest.entries())
            ? cheapest
            : anyOne(entry, node, leaving(node, needs.lack(entry, node), depth == 1, 1));
    if (choice == null || session.movesLeft() < choice.entries().length + own) {
      return false;
    }
    PlanSession.Mark before = session.mark();
    awaited[node] = true;
    boolean open = true;
    for (int i = choice.entries().length - 1; open && i >= 0; i--) {
      open = goesAway(choice.entries()[i], others, depth);
    }
    awaited[node] = false;
    if (open && (placed ? session.moves(entry, node) : session.fits(node, ledger.demand(entry)))) {
      session.move(entry, node);
      return true;
    }
    session.rollBack(before);
    return false;
  }

  private boolean goesAway(int entry, IntPredicate allowed, int depth) {
    if (!session.mayMove(entry)) {
      return false;
    }
    int to =
        session.tightest(
            entry, at -> !awaited[at] && allowed.test(at) && needs.hasRoom(entry, at), true);
    if (to != NodeTable.NONE) {
      session.move(entry, to);
      return true;
    }
    int nodes = ledger.nodes().slotCount();
    return depth > 1
        && chain(entry, allowed, allowed, depth - 1, start, Math.min(NODES_AT_ONCE, nodes));
  }

  /** Whether a workload fits a friendly node once some have left it. */
  private boolean opens(int entry, int node, int[] leaving) {
    return session.whileAway(
        entry,
        demand -> {
          for (int other : leaving) {
            ledger.remove(other, ledger.demand(other));
          }
          return needs.hasRoom(entry, node)
              && session.fits(node, demand)
              && !session.averse(node, demand);
        });
  }

  // ---- what leaves ----

  /**
   * The cheapest set that, once moved away, leaves what a workload needs; null for none.
   *
   * @param only whether only workloads are considered that fit another node as it is
   */
  private Leaving cheapest(int entry, int node, boolean only) {
    long[] lack = needs.lack(entry, node);
    if (lack == null) {
      return null;
    }
    boolean lacks = Arrays.stream(lack).anyMatch(amount -> amount > 0);
    int[] members = leaving(node, lack, only, lacks ? largestSet : 1);
    return lacks ? sets.find(node, lack, members, largestSet) : anyOne(entry, node, members);
  }

  /**
   * The workloads of a node that may be in a set that leaves it; none where the budget is over.
   *
   * @param lack by dimension, what the node lacks
   * @param only whether only those count that fit another node as it is
   * @param largest the size of the set at most
   */
  private int[] leaving(int node, long[] lack, boolean only, int largest) {
    if (!session.mayRead(placements.count(node))) {
      return new int[0];
    }
    int[] members = placements.entries(node);
    int count = 0;
    for (int member : members) {
      if (session.mayMove(member)
          && sets.mayHelp(member, lack, largest)
          && (!only || otherNodes.has(member))) {
        members[count++] = member;
      }
    }
    return Arrays.copyOf(members, count);
  }

  /** Rules are in the way of a workload, too: the smallest that it fits without; null for none. */
  private Leaving anyOne(int entry, int node, int[] members) {
    Leaving best = null;
    for (int member : members) {
      if (session.isOver()) {
        break;
      }
      long cost = sets.cost(member);
      if ((best == null || cost < best.cost()) && opens(entry, node, new int[] {member})) {
        best = new Leaving(cost, node, new int[] {member});
      }
    }
    return best;
  }
}

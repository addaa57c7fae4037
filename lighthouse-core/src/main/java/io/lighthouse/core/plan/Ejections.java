package io.lighthouse.core.plan;

import io.lighthouse.core.fleet.Share;
import io.lighthouse.core.ledger.Layout;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Placements;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Makes room for a workload on a node by moving up to three others away. Each moves to a node that
 * it fits, or to one where room is made for it in the same way. These are ejection chains (Glover
 * 1996), every move of which is feasible at its turn. No workload is without a node meanwhile, so
 * chains are found from the far end: the last workload of the chain is moved first.
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

  private static final int LARGEST_SET = 3;

  private static final int MOST_DIMENSIONS = 8;

  /** The number of nodes that are checked before the best sets found there are tried. */
  private static final int NODES_AT_ONCE = 256;

  /** The number of those sets that are tried, by depth: the smallest first. */
  private static final int[] TRIED = {0, 32, 12, 6};

  /**
   * The number of workloads of a node that are searched for pairs; {@code TRIPLED} limits triples.
   */
  private static final int PAIRED = 32;

  private static final int TRIPLED = 12;

  /** What a move costs beside the size of what is moved: an eighth of a mean node. */
  private static final long MOVE = 1L << (Shares.BITS - 3);

  private static final long NOT_ASKED = Long.MIN_VALUE;

  private final Desk desk;
  private final Ledger ledger;
  private final Placements placements;

  /** The ids of the resources that are checked. */
  private final int[] ids;

  private final int dims;

  /** By entry and resource what it takes; by entry its size, 0 where it has not been read. */
  private long[] needs = {};

  private long[] sizes = {};

  /**
   * By entry: the node that it was last found to fit beside its own. Where it fitted none, the
   * complement of the number of nodes that had been left then; 0 where that is not known.
   */
  private int[] ways = {};

  /** Nodes that a workload waits for; no workload is moved to them. */
  private final boolean[] awaited;

  /** What is left of the steps when the search for one workload ends: it takes only a share. */
  private long reserve;

  /** How many may leave a node at once. */
  private int largestSet = LARGEST_SET;

  /** Where the next search begins. */
  private int start;

  Ejections(Desk desk, int[] newcomers) {
    this.desk = desk;
    ledger = desk.ledger;
    placements = ledger.placements();
    ids = chooseResources(newcomers);
    dims = ids.length;
    awaited = new boolean[ledger.nodes().slotCount()];
  }

  /** The measurable resources that most newcomers ask for, or most nodes have. */
  private int[] chooseResources(int[] newcomers) {
    int[] counts = new int[ledger.resources().resourceIds()];
    boolean[] measurable = new boolean[counts.length];
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      Layout layout = ledger.accounts().layout(node);
      for (int at = 0; at < layout.size(); at++) {
        if (Share.measurable(ledger.accounts().capacity(node, at))) {
          measurable[layout.id(at)] = true;
          counts[layout.id(at)]++;
        }
      }
    }
    for (int entry : newcomers) {
      ledger.load(entry, desk.demand);
      for (int i = 0; i < desk.demand.size(); i++) {
        counts[desk.demand.id(i)] += ledger.nodes().slotCount();
      }
    }
    return IntStream.range(0, counts.length)
        .filter(id -> measurable[id])
        .boxed()
        .sorted(Comparator.comparingInt((Integer id) -> -counts[id]))
        .limit(MOST_DIMENSIONS)
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /**
   * Moves a workload to a node, or places it there, after others have left that node for others.
   *
   * @param entry the workload
   * @param allowed nodes that it and others may go to
   * @param effort from {@link #ONE}, which is tried first, to {@link #LONG_CHAINS}
   */
  boolean makeRoom(int entry, IntPredicate allowed, int effort) {
    int nodes = ledger.nodes().slotCount();
    boolean placed = placements.nodeOf(entry) >= 0;
    reserve = desk.budget.left() - desk.budget.left() / PARTS;
    for (int tried = ONE; tried <= effort && desk.movesLeft() > 0 && anyMoves(); tried++) {
      largestSet = tried == ONE ? 1 : LARGEST_SET;
      int depth = Math.max(1, tried - 1);
      int atOnce = tried == ONE ? 1 : NODES_AT_ONCE;
      for (int seen = 0; seen < nodes && hasShare(); seen += atOnce) {
        int from = (int) (((long) start + seen) % nodes);
        if (chain(entry, allowed, depth, from, Math.min(atOnce, nodes - seen))) {
          start = placed ? 0 : from; // Where some leave, those that stay fill up in order.
          return true;
        }
      }
    }
    return false;
  }

  /** Whether the search for the current workload may go on. */
  private boolean hasShare() {
    return desk.budget.left() > reserve;
  }

  /** Whether any workload that may move fits another node than its own. */
  boolean anyMoves() {
    for (int node = 0; node < ledger.nodes().slotCount() && !desk.isOver(); node++) {
      for (int entry : placements.entries(node)) {
        if (desk.mayMove(entry) && goesSomewhere(entry)) {
          return true;
        }
      }
    }
    return desk.isOver();
  }

  /** A set of workloads that are to leave a node. */
  private record Choice(long cost, int node, int[] leaving) {}

  private boolean chain(int entry, IntPredicate allowed, int depth, int from, int count) {
    List<Choice> choices = new ArrayList<>();
    int here = placements.nodeOf(entry);
    int nodes = ledger.nodes().slotCount();
    desk.budget.spend(count);
    for (int i = 0; i < count && !desk.isOver(); i++) {
      int node = from + i < nodes ? from + i : from + i - nodes;
      if (node != here && !awaited[node] && desk.takes(node) && allowed.test(node)) {
        Choice choice = cheapest(entry, node, depth == 1);
        if (choice != null) {
          choices.add(choice);
        }
      }
    }
    choices.sort(Comparator.comparingLong(Choice::cost));
    int tried = Math.min(choices.size(), TRIED[depth]);
    for (int i = 0; i < tried && hasShare(); i++) {
      if (carryOut(entry, choices.get(i), allowed, depth)) {
        return true;
      }
    }
    return false;
  }

  private boolean carryOut(int entry, Choice choice, IntPredicate allowed, int depth) {
    boolean placed = placements.nodeOf(entry) >= 0;
    int node = choice.node;
    if (desk.movesLeft() < choice.leaving.length + (placed ? 1 : 0)
        || !opens(entry, node, choice.leaving)) {
      return false;
    }
    Desk.Mark before = desk.mark();
    awaited[node] = true;
    boolean open = true;
    for (int i = choice.leaving.length - 1; open && i >= 0; i--) {
      open = goesAway(choice.leaving[i], allowed, depth);
    }
    awaited[node] = false;
    if (open && (placed ? desk.moves(entry, node) : desk.fits(entry, node))) {
      desk.move(entry, node);
      return true;
    }
    desk.back(before);
    return false;
  }

  /**
   * Whether a placed workload fits another node, as far as is known from when it was last asked and
   * the nodes that have been left since.
   */
  private boolean goesSomewhere(int entry) {
    read(entry);
    int here = placements.nodeOf(entry);
    int way = ways[entry];
    if (way > 0 && way - 1 != here && takes(entry, way - 1)) {
      return true;
    }
    int known = way < 0 ? ~way : -1;
    if (known < 0) {
      for (int node = 0; node < awaited.length && !desk.isOver(); node++) {
        if (node != here && takes(entry, node)) {
          ways[entry] = node + 1;
          return true;
        }
      }
    } else {
      for (int i = known; i < desk.leftCount() && !desk.isOver(); i++) {
        if (desk.left(i) != here && takes(entry, desk.left(i))) {
          ways[entry] = desk.left(i) + 1;
          return true;
        }
      }
    }
    if (!desk.isOver()) {
      ways[entry] = ~desk.leftCount();
    }
    return false;
  }

  private boolean takes(int entry, int node) {
    desk.budget.spend(1);
    return hasRoom(entry, node) && desk.takes(node) && desk.moves(entry, node);
  }

  private boolean goesAway(int entry, IntPredicate allowed, int depth) {
    if (!desk.mayMove(entry)) {
      return false;
    }
    int to =
        desk.tightest(entry, at -> !awaited[at] && allowed.test(at) && hasRoom(entry, at), true);
    if (to != Desk.NOWHERE) {
      desk.move(entry, to);
      return true;
    }
    int nodes = ledger.nodes().slotCount();
    return depth > 1 && chain(entry, allowed, depth - 1, start, Math.min(NODES_AT_ONCE, nodes));
  }

  /** Whether a workload fits a friendly node once some have left it. */
  private boolean opens(int entry, int node, int[] leaving) {
    Desk.Mark before = desk.mark();
    if (placements.nodeOf(entry) >= 0) {
      ledger.remove(entry, ledger.load(entry, desk.demand));
    }
    for (int other : leaving) {
      ledger.remove(other, ledger.load(other, desk.demand));
    }
    boolean opens = desk.fits(entry, node) && !desk.averse(node, desk.demand);
    desk.back(before);
    return opens;
  }

  // ---- what leaves ----

  /**
   * The cheapest set of up to three that, once moved away, leaves what a workload needs; null for
   * none.
   *
   * @param only whether only workloads are considered that fit another node as it is
   */
  private Choice cheapest(int entry, int node, boolean only) {
    long[] lack = new long[dims];
    boolean lacks = false;
    read(entry);
    Layout layout = ledger.accounts().layout(node);
    for (int d = 0; d < dims; d++) {
      long need = needs[entry * dims + d];
      if (need != NOT_ASKED && need > 0) {
        int at = layout.slot(ids[d]);
        if (at < 0) {
          return null;
        }
        long left = ledger.accounts().left(node, at);
        if (left == Long.MIN_VALUE || need > ledger.accounts().capacity(node, at)) {
          return null;
        }
        lack[d] = need > left ? need - left : 0;
        lacks |= lack[d] > 0;
      }
    }
    int[] members = placements.entries(node);
    int count = 0;
    for (int member : members) {
      read(member);
      if (desk.mayMove(member)
          && (!lacks || mayHelp(member, lack))
          && (!only || goesSomewhere(member))) {
        members[count++] = member;
      }
    }
    return lacks ? cheapestSet(node, lack, members, count) : anyOne(entry, node, members, count);
  }

  /** Rules, not resources, are in the way of a workload: the smallest that it fits without. */
  private Choice anyOne(int entry, int node, int[] members, int count) {
    Choice best = null;
    for (int i = 0; i < count && !desk.isOver(); i++) {
      long cost = sizes[members[i]] + MOVE;
      if ((best == null || cost < best.cost) && opens(entry, node, new int[] {members[i]})) {
        best = new Choice(cost, node, new int[] {members[i]});
      }
    }
    return best;
  }

  private Choice cheapestSet(int node, long[] lack, int[] members, int count) {
    long best = Long.MAX_VALUE;
    int one = -1;
    int two = -1;
    int three = -1;
    int some = 0;
    for (int i = 0; i < count; i++) {
      long cost = sizes[members[i]] + MOVE;
      if (covers(members[i], -1, -1, lack)) {
        if (cost < best) {
          best = cost;
          one = members[i];
        }
      } else {
        members[some++] = members[i];
      }
    }
    int paired = largestSet < 2 ? 0 : Math.min(some, PAIRED);
    for (int i = 0; i < paired; i++) {
      for (int j = i + 1; j < paired; j++) {
        long cost = sizes[members[i]] + sizes[members[j]] + 2 * MOVE;
        if (cost < best && covers(members[i], members[j], -1, lack)) {
          best = cost;
          one = members[i];
          two = members[j];
        }
      }
    }
    desk.budget.spend(paired * paired >> 3);
    int tripled = largestSet < LARGEST_SET || some > TRIPLED ? 0 : some;
    for (int i = 0; i < tripled; i++) {
      for (int j = i + 1; j < tripled; j++) {
        long cost = sizes[members[i]] + sizes[members[j]] + 3 * MOVE;
        for (int k = j + 1; cost < best && k < tripled; k++) {
          long all = cost + sizes[members[k]];
          if (all < best && covers(members[i], members[j], members[k], lack)) {
            best = all;
            one = members[i];
            two = members[j];
            three = members[k];
          }
        }
      }
    }
    if (one < 0) {
      return null;
    }
    int[] leaving = {one, two, three};
    int size = three >= 0 ? 3 : two >= 0 ? 2 : 1;
    return new Choice(best, node, smallestFirst(Arrays.copyOf(leaving, size)));
  }

  private int[] smallestFirst(int[] entries) {
    return Arrays.stream(entries)
        .boxed()
        .sorted(Comparator.comparingLong((Integer entry) -> sizes[entry]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private boolean mayHelp(int member, long[] lack) {
    if (largestSet == 1) {
      return covers(member, -1, -1, lack);
    }
    for (int d = 0; d < dims; d++) {
      if (lack[d] > 0 && amount(member, d) > 0) {
        return true;
      }
    }
    return false;
  }

  private boolean covers(int one, int two, int three, long[] lack) {
    for (int d = 0; d < dims; d++) {
      if (lack[d] > 0) {
        long sum = amount(one, d);
        sum += two < 0 ? 0 : amount(two, d);
        sum += three < 0 ? 0 : amount(three, d);
        if (sum < lack[d]) {
          return false;
        }
      }
    }
    return true;
  }

  // ---- what is needed and left ----

  private long amount(int entry, int d) {
    long need = needs[entry * dims + d];
    return need == NOT_ASKED ? 0 : need;
  }

  /** Whether a node has room for a workload, as far as amounts say; a no is sure. */
  private boolean hasRoom(int entry, int node) {
    read(entry);
    Layout layout = ledger.accounts().layout(node);
    for (int d = 0; d < dims; d++) {
      long need = needs[entry * dims + d];
      if (need > 0) {
        int at = layout.slot(ids[d]);
        if (at < 0 || ledger.accounts().left(node, at) < need) {
          return false;
        }
      }
    }
    return true;
  }

  /** Reads once what a workload takes; nothing of what it is immune to the lack of. */
  private void read(int entry) {
    if (entry >= sizes.length) {
      int length = Math.max(entry + 1, sizes.length + (sizes.length >> 1) + 16);
      sizes = Arrays.copyOf(sizes, length);
      ways = Arrays.copyOf(ways, length);
      needs = Arrays.copyOf(needs, length * dims);
    }
    if (sizes[entry] > 0) {
      return;
    }
    sizes[entry] = Math.max(1, desk.size(entry)); // Loads the demand.
    for (int d = 0; d < dims; d++) {
      int at = desk.demand.indexOf(ids[d]);
      needs[entry * dims + d] =
          at < 0 || desk.demand.isImmuneTo(ids[d]) ? NOT_ASKED : desk.demand.need(at);
    }
  }
}

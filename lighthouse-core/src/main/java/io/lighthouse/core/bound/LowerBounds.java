package io.lighthouse.core.bound;

import io.lighthouse.api.advice.Bounds;
import io.lighthouse.core.budget.StepBudget;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.share.FleetCapacities;
import io.lighthouse.core.share.Mean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Bounds that no answer can beat.
 *
 * <p>Fewest nodes: any weighted sum of resources turns the nodes into one capacity each, of which
 * the largest must cover the demand (a surrogate relaxation, Glover 1968). Every weighting is a
 * bound, and some are tried. Another bound is the greedy clique of workloads no two of which have
 * room on one node. For few kinds of nodes and workloads, {@link FillingBound} is closer. Plans do
 * without it.
 *
 * <p>Most placed: for each resource the smallest demands that what is left can hold.
 *
 * <p>A workload that is immune to a resource needs none of it here, and what workloads give counts
 * as capacity. A resource that a movable workload gives is left out: the workload can make room on
 * several nodes in turn, and what it leaves behind stays there. So a bound may be loose, and is
 * never wrong. Where the budget ends, the passes that were made give the bound.
 */
public final class LowerBounds {
  /** A mean node's capacity is two to the power of this, in parts. */
  private static final int PART_BITS = 20;

  /** No share has more parts; such a one may be larger. */
  private static final long MOST_PARTS = 1L << 2 * PART_BITS;

  private static final int MOST_DIMENSIONS = 6;
  private static final int MOST_CLIQUE_TRIES = 4000;

  /** The most common resources count in fillings, up to this number. */
  private static final int MOST_FILLED = 16;

  /** With more kinds of nodes or of workloads, no fillings are tried. */
  private static final int MOST_NODE_KINDS = 128;

  private static final int MOST_WORKLOAD_KINDS = 512;

  /** The steps of a budget that fillings may take: mostly below a second of one thread. */
  private static final long FILLING_STEPS = 2_000_000;

  /** Weightings of a pair of resources that are tried. */
  private static final int RATIOS = 16;

  private final Ledger ledger;
  private final StepBudget budget;

  /** Entries that are to have a node. */
  private final int[] entries;

  /** By resource id what a mean node has. */
  private final Mean[] means;

  /** Which placed workloads and entries may be moved. */
  private final IntPredicate mayMove;

  /**
   * Ids of resources of which no node has an endless amount, some workload needs some, and none
   * that may move gives any.
   */
  private final int[] ids;

  /** In parts of a mean node, rounded up; [dimension][node]. */
  private final long[][] capacities;

  /** In parts of a mean node, rounded down; below 0 for what it gives; [dimension][entry]. */
  private final long[][] needs;

  private LowerBounds(Ledger ledger, int[] entries, IntPredicate mayMove, StepBudget budget) {
    this.ledger = ledger;
    this.entries = entries;
    this.mayMove = mayMove;
    this.budget = budget;
    boolean begins = mayPass(entries.length);
    means = begins ? FleetCapacities.means(ledger) : new Mean[0];
    int[] common =
        begins ? FleetCapacities.mostCommon(ledger, countNeeds(), MOST_DIMENSIONS) : new int[0];
    capacities = new long[common.length][];
    needs = new long[common.length][];
    int[] kept = new int[common.length];
    int count = 0;
    for (int read = 0; read < common.length && mayPass(entries.length); read++) {
      needs[count] = needs(common[read], entries);
      if (givesTooMuch(needs[count], entries)) {
        continue;
      }
      capacities[count] = capacities(common[read]);
      if (LongStream.of(capacities[count]).allMatch(parts -> parts <= MOST_PARTS)) {
        kept[count++] = common[read];
      }
    }
    ids = Arrays.copyOf(kept, count);
  }

  /** Whether an entry that may move gives some, or any gives more than can be counted. */
  private boolean givesTooMuch(long[] needs, int[] of) {
    return IntStream.range(0, needs.length)
        .anyMatch(i -> needs[i] < 0 && (mayMove.test(of[i]) || -needs[i] > MOST_PARTS));
  }

  /** Whether a pass over all nodes and some workloads may begin. */
  private boolean mayPass(int workloads) {
    return budget.mayRead((long) ledger.nodes().slotCount() + workloads);
  }

  /** By resource id how many need it; 0 where some node has an endless amount, or none has any. */
  private int[] countNeeds() {
    boolean[] endless = FleetCapacities.endless(ledger);
    int[] counts = new int[means.length];
    for (int entry : entries) {
      Demand demand = ledger.demand(entry);
      for (int i = 0; i < demand.size(); i++) {
        int id = demand.id(i);
        boolean isCounted =
            demand.need(i) > 0 && !demand.isImmune(i) && !endless[id] && means[id] != Mean.NONE;
        counts[id] += isCounted ? 1 : 0;
      }
    }
    return counts;
  }

  private long[] capacities(int id) {
    long[] parts = new long[ledger.nodes().slotCount()];
    for (int node = 0; node < parts.length; node++) {
      int at = ledger.nodes().alive(node) ? ledger.accounts().layout(node).slot(id) : -1;
      if (at >= 0 && ledger.accounts().capacity(node, at) > 0) {
        parts[node] = parts(ledger.accounts().capacity(node, at), id) + 1;
      }
    }
    return parts;
  }

  private long[] needs(int id, int[] of) {
    long[] parts = new long[of.length];
    for (int i = 0; i < parts.length; i++) {
      Demand demand = ledger.demand(of[i]);
      int at = demand.indexOf(id);
      if (at >= 0 && demand.need(at) < 0) {
        parts[i] = -(parts(-demand.need(at), id) + 1);
      } else if (at >= 0 && !demand.isImmune(at)) {
        parts[i] = parts(demand.need(at), id);
      }
    }
    return parts;
  }

  private long parts(long amount, int id) {
    return means[id].share(amount, PART_BITS);
  }

  // ---- fewest nodes ----

  /**
   * The fewest nodes that can hold all that is placed.
   *
   * @param ledger the accounts
   * @param mayMove which workloads may be moved, by entry
   * @param budget what the passes may read
   * @return 0 or more; more than there are nodes where not all can be placed
   */
  public static int fewestNodes(Ledger ledger, IntPredicate mayMove, StepBudget budget) {
    LowerBounds bounds = new LowerBounds(ledger, placed(ledger).toArray(), mayMove, budget);
    return Math.max(bounds.byWeights(), bounds.byClique());
  }

  /** The entries of all placed workloads. */
  private static IntStream placed(Ledger ledger) {
    return IntStream.range(0, ledger.nodes().slotCount())
        .flatMap(node -> IntStream.of(ledger.placements().entries(node)));
  }

  private int byWeights() {
    int best = entries.length > 0 ? 1 : 0;
    long[] weights = new long[ids.length];
    for (int d = 0; d < ids.length; d++) {
      Arrays.fill(weights, 0);
      weights[d] = 1;
      best = Math.max(best, covering(weights));
      for (int e = 0; e < d; e++) {
        for (int ratio = 1; ratio < RATIOS; ratio++) {
          weights[d] = ratio;
          weights[e] = RATIOS - ratio;
          best = Math.max(best, covering(weights));
        }
        weights[e] = 0;
        weights[d] = 1;
      }
    }
    Arrays.fill(weights, 1);
    return ids.length == 0 ? best : Math.max(best, covering(weights));
  }

  /**
   * The nodes that cover what is needed by some weights; one more than there are where all together
   * do not. 0 where the budget ends.
   */
  private int covering(long[] weights) {
    long wanted = 0;
    long[] sizes = new long[ledger.nodes().slotCount()];
    for (int d = 0; d < ids.length; d++) {
      if (weights[d] > 0) {
        if (!mayPass(entries.length)) {
          return 0;
        }
        for (long need : needs[d]) {
          wanted += weights[d] * need;
        }
        for (int node = 0; node < sizes.length; node++) {
          sizes[node] += weights[d] * capacities[d][node];
        }
      }
    }
    Arrays.sort(sizes);
    int count = 0;
    for (int at = sizes.length - 1; wanted > 0; at--) {
      if (at < 0 || sizes[at] == 0) {
        return ledger.nodes().nodeCount() + 1;
      }
      count++;
      wanted -= sizes[at];
    }
    return count;
  }

  /** A greedy clique of workloads that have no room beside each other on any node. */
  private int byClique() {
    if (!budget.mayRead((long) ids.length * entries.length)) {
      return 0;
    }
    long[] largest = new long[ids.length];
    for (int d = 0; d < ids.length; d++) {
      largest[d] = Arrays.stream(capacities[d]).max().orElse(0);
      for (long need : needs[d]) {
        if (need < 0) { // It gives, and so may make room for two.
          largest[d] = Long.MAX_VALUE >> 1;
        }
      }
    }
    Integer[] order = new Integer[entries.length];
    long[] sizes = new long[entries.length];
    for (int i = 0; i < order.length; i++) {
      order[i] = i;
      for (int d = 0; d < ids.length; d++) {
        sizes[i] = Math.max(sizes[i], largest[d] > MOST_PARTS ? 0 : needs[d][i]);
      }
    }
    Arrays.sort(order, (a, b) -> Long.compare(sizes[b], sizes[a]));
    List<Integer> clique = new ArrayList<>();
    int tries = Math.min(order.length, MOST_CLIQUE_TRIES);
    for (int i = 0; i < tries && budget.mayRead(clique.size() + 1); i++) {
      int next = order[i];
      if (clique.stream().allMatch(member -> conflict(member, next, largest))) {
        clique.add(next);
      }
    }
    return clique.size();
  }

  /**
   * The fewest nodes by {@link FillingBound}, where there are few enough kinds of nodes and
   * workloads; else 0. Kinds differ in amounts of common resources only. What is returned reads no
   * ledger.
   */
  private IntSupplier byFillings() {
    IntSupplier none = () -> 0;
    if (ids.length == 0 || !mayPass(entries.length)) {
      return none;
    }
    int[] filled = FleetCapacities.mostCommon(ledger, countNeeds(), MOST_FILLED);
    long reads = (long) entries.length + ledger.nodes().slotCount();
    if (!budget.mayRead(reads * filled.length)) {
      return none;
    }
    NavigableMap<long[], Integer> workloads = new TreeMap<>(Arrays::compare);
    for (int entry : entries) {
      Demand demand = ledger.demand(entry);
      workloads.merge(amounts(demand, filled), 1, Integer::sum);
      if (demand.hasNegativeNeed() || workloads.size() > MOST_WORKLOAD_KINDS) {
        return none;
      }
    }
    NavigableMap<long[], Integer> nodes = new TreeMap<>(Arrays::compare);
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      if (ledger.nodes().alive(node)) {
        nodes.merge(amounts(node, filled), 1, Integer::sum);
      }
      if (nodes.size() > MOST_NODE_KINDS) {
        return none;
      }
    }
    StepBudget rest = new StepBudget(Math.min(FILLING_STEPS, budget.left()));
    return () ->
        FillingBound.fewestNodes(
            nodes.keySet().toArray(long[][]::new),
            nodes.values().stream().mapToInt(Integer::intValue).toArray(),
            workloads.keySet().toArray(long[][]::new),
            workloads.values().stream()
                .mapToInt(count -> Math.min(count, FillingPricing.MOST_COPIES))
                .toArray(),
            rest);
  }

  private static long[] amounts(Demand demand, int[] of) {
    long[] needs = new long[of.length];
    for (int d = 0; d < of.length; d++) {
      int at = demand.indexOf(of[d]);
      needs[d] = at < 0 || demand.isImmune(at) ? 0 : demand.need(at);
    }
    return needs;
  }

  private long[] amounts(int node, int[] of) {
    long[] capacities = new long[of.length];
    for (int d = 0; d < of.length; d++) {
      int at = ledger.accounts().layout(node).slot(of[d]);
      capacities[d] = at < 0 ? 0 : Math.max(0, ledger.accounts().capacity(node, at));
    }
    return capacities;
  }

  private boolean conflict(int one, int other, long[] largest) {
    return IntStream.range(0, ids.length)
        .filter(d -> needs[d][one] >= 0 && needs[d][other] >= 0)
        .anyMatch(d -> needs[d][one] + needs[d][other] > largest[d]);
  }

  // ---- most placed ----

  /**
   * The most workloads of a batch that can be placed.
   *
   * @param ledger the accounts
   * @param newcomers the entries of an open batch of which nothing is placed
   * @param mayMove which workloads may be moved, by entry
   * @param budget what the passes may read
   * @return from 0 to the size of the batch
   */
  public static int mostPlaced(
      Ledger ledger, int[] newcomers, IntPredicate mayMove, StepBudget budget) {
    return new LowerBounds(ledger, newcomers, mayMove, budget).mostPlaced();
  }

  private int mostPlaced() {
    int most = entries.length;
    int[] placed = ids.length == 0 ? new int[0] : placed(ledger).toArray();
    for (int d = 0; d < ids.length && mayPass(placed.length + entries.length); d++) {
      long[] taken = needs(ids[d], placed);
      long room = 0;
      boolean known = !givesTooMuch(taken, placed);
      for (int node = 0; node < ledger.nodes().slotCount() && known; node++) {
        int at = ledger.nodes().alive(node) ? ledger.accounts().layout(node).slot(ids[d]) : -1;
        if (at >= 0) {
          known = !Overdraft.at(ledger, node, at);
          room += capacities[d][node];
        }
      }
      if (known) {
        most = Math.min(most, count(d, room - Arrays.stream(taken).sum()));
      }
    }
    return most;
  }

  private int count(int dimension, long room) {
    long[] sorted = needs[dimension].clone();
    long all = room;
    for (int i = 0; i < sorted.length; i++) {
      if (sorted[i] < 0) {
        all -= sorted[i];
        sorted[i] = 0;
      }
    }
    Arrays.sort(sorted);
    int count = 0;
    while (count < sorted.length && (sorted[count] == 0 || sorted[count] <= all)) {
      all -= sorted[count++];
    }
    return count;
  }

  /**
   * What is proven of a batch. The fewest nodes hold for answers that place all of it. Where a node
   * is overdrawn, and not by immune workloads alone, they are the nodes in use.
   *
   * @param ledger the accounts
   * @param batch an open batch of which nothing is placed
   * @param budget what the passes may read
   * @return the bounds; most of the work is left to it, and it reads no ledger
   */
  public static Supplier<Bounds> bounds(Ledger ledger, Batch batch, StepBudget budget) {
    int inUse = 0;
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      inUse += ledger.placements().count(node) > 0 ? 1 : 0;
    }
    IntPredicate none = entry -> false;
    int[] newcomers = IntStream.range(0, batch.size()).map(batch::entry).toArray();
    int most = mostPlaced(ledger, newcomers, none, budget);
    if (Overdraft.any(ledger)) {
      Bounds loose = new Bounds(most, inUse);
      return () -> loose;
    }
    int[] everything = IntStream.concat(placed(ledger), IntStream.of(newcomers)).toArray();
    LowerBounds all = new LowerBounds(ledger, everything, none, budget);
    int fewest = Math.max(inUse, Math.max(all.byWeights(), all.byClique()));
    IntSupplier closer = all.byFillings();
    return () -> new Bounds(most, Math.max(fewest, closer.getAsInt()));
  }
}

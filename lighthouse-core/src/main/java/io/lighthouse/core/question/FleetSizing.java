package io.lighthouse.core.question;

import io.lighthouse.api.Budget;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Offer;
import io.lighthouse.api.advice.Sizing;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.budget.StepBudget;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds a cheap list of nodes to add, and a bound. Lists are found in three ways: by one kind at a
 * time, by giving each workload the kind that costs it least, and by removing and exchanging nodes
 * of the best list. Each list is tried out with the fleet's strategy.
 *
 * <p>Workloads that fit no empty node of a kind are left out at first. They may have a node all the
 * same, once others are placed elsewhere. So the largest list is tried, too, unless these workloads
 * are proven to fit nowhere. The cheapest list is then searched again, among those that leave as
 * few workloads as the largest.
 *
 * <p>Cheaper lists than the best are then searched in the order of price, unless there are too
 * many. Each is tried, and else proven to hold no placement, as far as the budget allows. For one
 * use, in one thread.
 */
public final class FleetSizing {
  private final Distributor fleet;
  private final List<Workload> batch;
  private final List<Offer> offers;
  private final TriedLists lists;
  private final StepBudget budget;

  /** Of the lists that are searched for; knows nothing of them where they may leave workloads. */
  private CoverBound bound;

  /** By name of a workload: the kinds that it fits when they are empty. */
  private Map<String, BitSet> kinds = Map.of();

  private int[] best;
  private BigDecimal bestPrice;

  private FleetSizing(Distributor fleet, List<Workload> batch, List<Offer> offers, Budget budget) {
    this.fleet = fleet;
    this.batch = batch;
    this.offers = offers;
    this.budget = new StepBudget(budget.steps(), budget.time());
    this.bound = new CoverBound(offers, this.budget);
    lists = new TriedLists(fleet, batch, offers, this.budget);
  }

  /** The cheapest list that was found. The caller brings the fleet back to what it was. */
  public static Sizing answer(
      Distributor fleet, List<Workload> batch, List<Offer> offers, Budget budget) {
    Set<String> names = new HashSet<>();
    for (Offer offer : offers) {
      if (!names.add(offer.name())) {
        throw new InvalidInputException(
            "offer '" + offer.name() + "'", "name", "given twice", "each name once");
      }
    }
    check(fleet, offers.stream().filter(offer -> offer.limit() > 0).toList());
    return new FleetSizing(fleet, batch, offers, budget).answer();
  }

  /** Adds a node of each kind, so that an offer that the fleet cannot hold is refused by name. */
  private static void check(Distributor fleet, List<Offer> offers) {
    Set<String> taken = new HashSet<>();
    fleet.snapshot().nodes().forEach(node -> taken.add(node.name()));
    for (Offer offer : offers) {
      List<Node> nodes = SupposedFleet.copies(offer.like(), 1, taken);
      try {
        fleet.tryOut(
            List.of(),
            with -> {
              nodes.forEach(with::addNode);
              return null;
            });
      } catch (InvalidInputException wrong) {
        throw new InvalidInputException(
            "offer '" + offer.name() + "'", wrong.field(), wrong.found(), wrong.allowed());
      }
    }
  }

  private Sizing answer() {
    int[] none = new int[offers.size()];
    Set<String> refused = lists.unplaced(none);
    if (refused.isEmpty()) {
      return sizing(none, BigDecimal.ZERO, true, refused);
    }
    // From here on, one of limit 0 is tried, too.
    check(fleet, offers.stream().filter(offer -> offer.limit() == 0).toList());
    kinds = lists.kinds();
    if (budget.isOver()) {
      return unfinished();
    }
    Set<String> never = new LinkedHashSet<>();
    for (String name : refused) {
      if (kinds.get(name).isEmpty()) {
        never.add(name);
      }
    }
    addConditions(never);
    oneKind(refused, never);
    eachItsCheapest(refused, never);
    improve(never);
    BigDecimal lowest = bound.lowest();
    if (best == null || !lists.unplaced(best).isEmpty() && !isHopeless(never)) {
      lowest = leavingAsFew(refused, lowest);
    }
    if (best == null) {
      return unfinished();
    }
    Set<String> left = lists.unplaced(best);
    if (!left.isEmpty()) {
      return sizing(best, lowest, false, left);
    }
    lowest = lowest.max(proven(lowest));
    return sizing(best, lowest, lowest.compareTo(bestPrice) == 0, Set.of());
  }

  /**
   * Searches anew, unless the best list leaves as few workloads as any that was tried.
   *
   * @return the bound: the closer one of the whole batch, where a list places it
   */
  private BigDecimal leavingAsFew(Set<String> refused, BigDecimal lowest) {
    if (budget.isOver()) {
      return lowest;
    }
    int[] largest = new int[offers.size()];
    for (int kind = 0; kind < largest.length; kind++) {
      largest[kind] = most(kind, refused);
    }
    lists.unplaced(largest);
    BigDecimal closer = lowest;
    Set<String> left = lists.unplaced(lists.leavingFewest());
    if (best != null && lists.unplaced(best).size() == left.size()) {
      bound = new CoverBound(offers, budget); // A cheaper list may leave as many others.
      improve(left);
      left = lists.unplaced(lists.leavingFewest());
    }
    while (!budget.isOver() && (best == null || left.size() < lists.unplaced(best).size())) {
      best = null;
      bound = new CoverBound(offers, budget);
      if (left.isEmpty()) {
        addConditions(left);
        closer = bound.lowest();
      }
      if (left.size() == refused.size()) {
        offer(new int[offers.size()]);
        return closer;
      }
      oneKind(refused, left);
      eachItsCheapest(refused, left);
      if (best == null) {
        offer(lists.leavingFewest());
      }
      improve(left);
      left = lists.unplaced(lists.leavingFewest());
    }
    return closer;
  }

  private Sizing sizing(int[] counts, BigDecimal lowest, boolean optimal, Set<String> unplaced) {
    return new Sizing(
        counts(counts),
        Quantity.of(bound.price(counts)),
        Quantity.of(lowest),
        optimal,
        List.copyOf(unplaced),
        budget.spent());
  }

  /** The budget ended before a list was found: of those tried, the one that leaves the fewest. */
  private Sizing unfinished() {
    int[] list = lists.leavingFewest();
    return sizing(list, bound.lowest(), false, lists.unplaced(list));
  }

  /** The most nodes of a kind that a list has: as many as its limit, and one for each refused. */
  private int most(int kind, Set<String> refused) {
    return Math.min(offers.get(kind).limit(), refused.size());
  }

  private List<Sizing.Count> counts(int[] counts) {
    List<Sizing.Count> list = new ArrayList<>();
    for (int kind = 0; kind < counts.length; kind++) {
      list.add(new Sizing.Count(offers.get(kind).name(), counts[kind]));
    }
    return list;
  }

  /** Whether a list leaves no more workloads than are accepted. */
  private boolean serves(int[] counts, Set<String> accepted) {
    return lists.unplaced(counts).size() <= accepted.size();
  }

  /** Keeps a list that is cheaper; of equally cheap ones the first. */
  private void offer(int[] counts) {
    BigDecimal price = bound.price(counts);
    if (best == null || price.compareTo(bestPrice) < 0) {
      best = counts.clone();
      bestPrice = price;
    }
  }

  /** What a list needs so that all have a node except these. */
  private void addConditions(Set<String> never) {
    List<Workload> placeable =
        batch.stream().filter(workload -> !never.contains(workload.name())).toList();
    Map<String, BigDecimal> needs = Deficits.needs(placeable);
    for (Workload workload : batch) {
      if (never.contains(workload.name())) { // It may have a node all the same, and what it gives.
        Map<String, BigDecimal> gifts = Deficits.needs(List.of(workload));
        gifts.values().removeIf(need -> need.signum() >= 0);
        gifts.forEach((name, need) -> needs.merge(name, need, BigDecimal::add));
      }
    }
    bound.addLacking(needs, Deficits.of(fleet.snapshot()));
    addHomeless(placeable);
  }

  /**
   * What fits no node that is there can only be on new ones; surely so where the batch is plain.
   */
  private void addHomeless(List<Workload> placeable) {
    if (!EveryPlacement.isPlain(fleet, batch)) {
      return;
    }
    List<Workload> homeless = new ArrayList<>();
    List<BitSet> sets = new ArrayList<>();
    for (Workload workload : placeable) {
      if (!lists.mayFitNow(workload)) {
        break;
      }
      if (!lists.fitsNow(workload)) {
        homeless.add(workload);
        sets.add(kinds.get(workload.name()));
      }
    }
    bound.addHomeless(homeless, sets);
  }

  /**
   * Whether workloads that fit no empty node of a kind are proven to have no node with any list.
   * Where nothing is given and no rule asks for others, what is placed only takes room from them.
   */
  private boolean isHopeless(Set<String> never) {
    if (never.isEmpty()) {
      return true;
    }
    if (!fleet.rules().isEmpty() || batch.stream().anyMatch(Deficits::gives)) {
      return false;
    }
    for (Workload workload : batch) {
      if (never.contains(workload.name())
          && (!EveryPlacement.isPlain(workload)
              || lists.mayFitNow(workload) && lists.fitsNow(workload))) {
        return false;
      }
    }
    return true;
  }

  // ---- finding lists ----

  /** The fewest of each kind alone, by doubling and halving. */
  private void oneKind(Set<String> refused, Set<String> accepted) {
    for (int kind = 0; kind < offers.size() && !budget.isOver(); kind++) {
      int most = most(kind, refused);
      int[] counts = new int[offers.size()];
      int fails = 0; // The most nodes that the bound excludes.
      for (int upTo = most; fails < upTo; ) {
        counts[kind] = fails + (upTo - fails + 1) / 2;
        if (bound.allows(counts)) {
          upTo = counts[kind] - 1;
        } else {
          fails = counts[kind];
        }
      }
      int serves = most + 1; // As long as no number is known to serve.
      for (int step = 1; fails < Math.min(most, serves - 1) && !budget.isOver(); step *= 2) {
        counts[kind] = serves > most ? Math.min(most, fails + step) : (serves + fails) >>> 1;
        if (serves(counts, accepted)) {
          serves = counts[kind];
        } else {
          fails = counts[kind];
        }
      }
      if (serves <= most) {
        counts[kind] = serves;
        offer(counts);
      }
    }
  }

  /**
   * Each refused workload takes its share of the kind that costs it least, until all are placed. No
   * kind gets more nodes than there are refused workloads, so this ends without a budget, too.
   */
  private void eachItsCheapest(Set<String> refused, Set<String> accepted) {
    Map<String, Workload> byName = new LinkedHashMap<>();
    batch.forEach(workload -> byName.put(workload.name(), workload));
    int[] counts = new int[offers.size()];
    Set<String> waiting = new LinkedHashSet<>(refused);
    waiting.removeAll(accepted);
    while (!waiting.isEmpty() && budget.mayRead((long) waiting.size() * offers.size())) {
      BigDecimal[] shares = new BigDecimal[offers.size()];
      Arrays.fill(shares, BigDecimal.ZERO);
      boolean more = false;
      for (String name : waiting) {
        if (kinds.get(name).isEmpty()) {
          continue; // Has a node only where others are placed elsewhere, or first.
        }
        more = true;
        int kind = cheapest(byName.get(name), counts, refused);
        if (kind < 0) {
          return;
        }
        shares[kind] = shares[kind].add(share(byName.get(name), kind));
      }
      if (!more) {
        return;
      }
      for (int kind = 0; kind < counts.length; kind++) {
        if (shares[kind].signum() > 0) {
          long nodes = Math.max(1, shares[kind].setScale(0, RoundingMode.FLOOR).longValue());
          long room = (long) most(kind, refused) - counts[kind];
          counts[kind] += (int) Math.min(Math.min(nodes, waiting.size()), room);
        }
      }
      waiting = new LinkedHashSet<>(lists.unplaced(counts));
      waiting.removeAll(accepted);
    }
    if (waiting.isEmpty()) {
      offer(counts);
    }
  }

  private int cheapest(Workload workload, int[] counts, Set<String> refused) {
    int cheapest = -1;
    BigDecimal least = null;
    BitSet fits = kinds.get(workload.name());
    for (int kind = fits.nextSetBit(0); kind >= 0; kind = fits.nextSetBit(kind + 1)) {
      BigDecimal price = share(workload, kind).multiply(offers.get(kind).price().toBigDecimal());
      if (counts[kind] < most(kind, refused) && (least == null || price.compareTo(least) < 0)) {
        least = price;
        cheapest = kind;
      }
    }
    return cheapest;
  }

  /** The largest share that a workload takes of any resource of a node; a little, where of none. */
  private BigDecimal share(Workload workload, int kind) {
    BigDecimal largest = BigDecimal.ONE.movePointLeft(9);
    Resources needs = workload.requirements();
    for (int i = 0; i < needs.size(); i++) {
      Quantity need = needs.quantity(i);
      Quantity has = offers.get(kind).like().resources().get(needs.name(i)).orElse(Quantity.ZERO);
      if (need.signum() > 0 && has.signum() > 0 && !has.isInfinite()) {
        largest =
            largest.max(need.toBigDecimal().divide(has.toBigDecimal(), 18, RoundingMode.CEILING));
      }
    }
    return largest;
  }

  /** Takes nodes away, and exchanges one for one of a cheaper kind, as long as it serves. */
  private void improve(Set<String> accepted) {
    boolean better = best != null;
    while (better && !budget.isOver()) {
      better = false;
      for (int from = 0; from < offers.size() && !better; from++) {
        for (int to = -1; to < offers.size() && !better && !budget.isOver(); to++) {
          if (best[from] == 0 || to == from) {
            continue;
          }
          int[] counts = best.clone();
          counts[from]--;
          if (to >= 0) {
            counts[to]++;
          }
          if ((to < 0 || counts[to] <= offers.get(to).limit())
              && bound.price(counts).compareTo(bestPrice) < 0
              && bound.allows(counts)
              && serves(counts, accepted)) {
            offer(counts);
            better = true;
          }
        }
      }
    }
  }

  // ---- proving ----

  /** The price up to which no list can hold the batch; a cheaper list that serves is kept. */
  private BigDecimal proven(BigDecimal lowest) {
    if (lowest.compareTo(bestPrice) >= 0) {
      return bestPrice;
    }
    Optional<List<int[]>> cheaper = bound.cheaperThan(bestPrice, batch.size());
    if (cheaper.isEmpty()) {
      return lowest;
    }
    BigDecimal proven = null;
    for (int[] counts : cheaper.get()) {
      if (budget.isOver()) {
        return proven == null ? bound.price(counts) : proven;
      }
      if (lists.unplaced(counts).isEmpty()) {
        offer(counts);
        break;
      }
      if (proven == null && !lists.isImpossible(counts)) {
        proven = bound.price(counts);
      }
    }
    return proven == null ? bestPrice : proven;
  }
}

package io.lighthouse.core.question;

import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Offer;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.budget.StepBudget;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What lists of offered nodes have to cover, whatever the strategy. Each condition is a sum over a
 * set of kinds. The number of nodes of each kind, weighted by what such a node has, must reach a
 * minimum.
 *
 * <p>There is one condition for each resource of which the fleet has too little. There are more for
 * each set of kinds that some workloads cannot do without. One of these covers what those workloads
 * need of each resource. Another counts those that can share no node, because each needs more than
 * half of one (Martello and Toth, 1990, bound L2 with the largest threshold).
 */
final class CoverBound {
  private static final BigDecimal TWO = BigDecimal.valueOf(2);

  /** Weightings of a pair of conditions that are tried. */
  private static final int RATIOS = 16;

  /** Lists that are collected at most. */
  private static final int MOST_LISTS = 20_000;

  /** The most numbers that all lists have together: some 80 MB. */
  private static final int MOST_COUNTS = 20_000_000;

  /** Digits of a weight or a ratio, rounded so that the bound is never too high. */
  private static final int DIGITS = 30;

  /**
   * A condition.
   *
   * @param has by kind: what one counts; null for endless, 0 where the kind does not count
   * @param least the sum that is needed, above 0
   */
  record Condition(BigDecimal[] has, BigDecimal least) {
    boolean holds(int[] counts) {
      BigDecimal sum = BigDecimal.ZERO;
      for (int kind = 0; kind < counts.length; kind++) {
        if (counts[kind] > 0) {
          if (has[kind] == null) {
            return true;
          }
          sum = sum.add(has[kind].multiply(BigDecimal.valueOf(counts[kind])));
        }
      }
      return sum.compareTo(least) >= 0;
    }
  }

  private final List<Offer> offers;
  private final StepBudget budget;
  private final List<Condition> conditions = new ArrayList<>();

  /** What all prices are whole multiples of; 0 where all are 0. */
  private final BigDecimal unit;

  CoverBound(List<Offer> offers, StepBudget budget) {
    this.offers = offers;
    this.budget = budget;
    int scale = 0;
    for (Offer offer : offers) {
      scale = Math.max(scale, offer.price().toBigDecimal().scale());
    }
    BigInteger common = BigInteger.ZERO;
    for (Offer offer : offers) {
      common = common.gcd(offer.price().toBigDecimal().setScale(scale).unscaledValue());
    }
    unit = new BigDecimal(common, scale);
  }

  /** What a batch lacks on the fleet as it is. */
  void addLacking(Map<String, BigDecimal> needs, Deficits fleet) {
    needs.forEach(
        (resource, need) -> {
          if (!fleet.isEndless(resource)) {
            add(resource, need.subtract(fleet.left(resource)), null);
          }
        });
  }

  /**
   * What workloads need that can only be on new nodes, and on these kinds only. Where the budget
   * ends, fewer conditions are known.
   *
   * @param kinds for each workload, the kinds that it fits
   */
  void addHomeless(List<Workload> homeless, List<BitSet> kinds) {
    Set<BitSet> sets = new LinkedHashSet<>(kinds); // The budget may end before the last.
    for (BitSet set : sets) {
      if (!budget.mayRead(homeless.size())) {
        return;
      }
      List<Workload> within = new ArrayList<>();
      for (int i = 0; i < homeless.size(); i++) {
        BitSet outside = (BitSet) kinds.get(i).clone();
        outside.andNot(set);
        if (outside.isEmpty()) {
          within.add(homeless.get(i));
        }
      }
      Map<String, BigDecimal> needs = Deficits.needs(within);
      needs.forEach((resource, need) -> add(resource, need, set));
      BigDecimal apart = BigDecimal.ONE;
      for (String resource : needs.keySet()) {
        if (!budget.mayRead(within.size())) {
          break;
        }
        apart = apart.max(BigDecimal.valueOf(apart(within, resource, set)));
      }
      BigDecimal[] ones = new BigDecimal[offers.size()];
      for (int kind = 0; kind < ones.length; kind++) {
        ones[kind] = set.get(kind) ? BigDecimal.ONE : BigDecimal.ZERO;
      }
      conditions.add(new Condition(ones, apart));
    }
  }

  /** How many of them need more than half of the largest of these kinds. */
  private long apart(List<Workload> workloads, String resource, BitSet kinds) {
    BigDecimal largest = BigDecimal.ZERO;
    for (int kind = kinds.nextSetBit(0); kind >= 0; kind = kinds.nextSetBit(kind + 1)) {
      BigDecimal has = has(kind, resource);
      if (has == null) {
        return 0;
      }
      largest = largest.max(has);
    }
    long count = 0;
    for (Workload workload : workloads) {
      BigDecimal need = Deficits.needs(List.of(workload)).get(resource);
      count += need != null && need.multiply(TWO).compareTo(largest) > 0 ? 1 : 0;
    }
    return count;
  }

  private void add(String resource, BigDecimal least, BitSet kinds) {
    if (least.signum() > 0) {
      BigDecimal[] has = new BigDecimal[offers.size()];
      for (int kind = 0; kind < has.length; kind++) {
        boolean counts = kinds == null || kinds.get(kind);
        has[kind] = counts ? has(kind, resource) : BigDecimal.ZERO;
      }
      conditions.add(new Condition(has, least));
    }
  }

  /** What a kind has of a resource, 0 or more; null for endless. */
  private BigDecimal has(int kind, String resource) {
    Quantity has = offers.get(kind).like().resources().get(resource).orElse(Quantity.ZERO);
    if (has.signum() <= 0) {
      return BigDecimal.ZERO;
    }
    return has.isInfinite() ? null : has.rounded(RoundingMode.FLOOR).toBigDecimal();
  }

  /** Whether nothing is known against a list, and the budget goes on. */
  boolean allows(int[] counts) {
    return budget.mayRead((long) conditions.size() * counts.length)
        && conditions.stream().allMatch(condition -> condition.holds(counts));
  }

  BigDecimal price(int[] counts) {
    BigDecimal price = BigDecimal.ZERO;
    for (int kind = 0; kind < counts.length; kind++) {
      BigDecimal one = offers.get(kind).price().toBigDecimal();
      price = price.add(one.multiply(BigDecimal.valueOf(counts[kind])));
    }
    return price;
  }

  /** A list of nodes, by kind, with its price. */
  private record Priced(int[] counts, BigDecimal price) {}

  /**
   * The lists below a price that nothing is known against, the cheapest first; none where there are
   * too many, or the budget ends.
   *
   * @param below the price, above 0
   * @param most the most nodes of a kind
   */
  Optional<List<int[]>> cheaperThan(BigDecimal below, int most) {
    List<Priced> cheaper = new ArrayList<>();
    int[] counts = new int[offers.size()];
    int limit = Math.min(MOST_LISTS, MOST_COUNTS / Math.max(1, counts.length));
    BigDecimal price = BigDecimal.ZERO;
    do {
      if (allows(counts)) {
        cheaper.add(new Priced(counts.clone(), price));
      }
      budget.spend(1);
      if (cheaper.size() > limit || !budget.mayRead(counts.length)) {
        return Optional.empty();
      }
      price = next(counts, price, below, most);
    } while (price.compareTo(below) < 0);
    cheaper.sort(
        Comparator.comparing(Priced::price)
            .thenComparing((one, other) -> Arrays.compare(other.counts, one.counts)));
    return Optional.of(cheaper.stream().map(Priced::counts).toList());
  }

  /**
   * Turns a list into the next one below a price, as the digits of a number count up.
   *
   * @return its price; {@code below} after the last list
   */
  private BigDecimal next(int[] counts, BigDecimal price, BigDecimal below, int most) {
    BigDecimal left = price;
    for (int kind = counts.length - 1; kind >= 0; kind--) {
      BigDecimal one = offers.get(kind).price().toBigDecimal();
      BigDecimal more = left.add(one);
      if (counts[kind] < Math.min(offers.get(kind).limit(), most) && more.compareTo(below) < 0) {
        counts[kind]++;
        return more;
      }
      left = left.subtract(one.multiply(BigDecimal.valueOf(counts[kind])));
      counts[kind] = 0;
    }
    return below;
  }

  /**
   * A lower bound on the price of any list of nodes that allows everything. It uses each condition,
   * and weighted sums of pairs of conditions (surrogate relaxation, Glover 1968). The bound of each
   * is the price of covering it with its cheapest kind, rounded up to what prices can add up to. No
   * pairs are weighted once the budget is over.
   */
  BigDecimal lowest() {
    BigDecimal lowest = BigDecimal.ZERO;
    for (int i = 0; i < conditions.size(); i++) {
      lowest = lowest.max(lowest(conditions.get(i)));
      for (int j = 0; j < i && budget.mayRead((long) RATIOS * offers.size()); j++) {
        for (int part = 1; part < RATIOS; part++) {
          lowest = lowest.max(lowest(sum(conditions.get(i), conditions.get(j), part)));
        }
      }
    }
    return lowest;
  }

  private static Condition sum(Condition one, Condition other, int part) {
    // Each in parts of its own sum, so that a weighting means the same whatever the units.
    BigDecimal first = BigDecimal.valueOf(part).multiply(other.least);
    BigDecimal second = BigDecimal.valueOf(RATIOS - (long) part).multiply(one.least);
    BigDecimal[] has = new BigDecimal[one.has.length];
    for (int kind = 0; kind < has.length; kind++) {
      boolean endless = one.has[kind] == null || other.has[kind] == null;
      has[kind] =
          endless ? null : one.has[kind].multiply(first).add(other.has[kind].multiply(second));
    }
    return new Condition(has, one.least.multiply(first).add(other.least.multiply(second)));
  }

  private BigDecimal lowest(Condition condition) {
    BigDecimal best = null;
    for (int kind = 0; kind < offers.size(); kind++) {
      BigDecimal has = condition.has[kind];
      BigDecimal price = offers.get(kind).price().toBigDecimal();
      BigDecimal cost = null;
      if (has == null) {
        cost = price;
      } else if (has.signum() > 0) {
        cost = condition.least.multiply(price).divide(has, DIGITS, RoundingMode.FLOOR);
      }
      if (cost != null && (best == null || cost.compareTo(best) < 0)) {
        best = cost;
      }
    }
    if (best == null || unit.signum() == 0) {
      return BigDecimal.ZERO;
    }
    return best.divide(unit, 0, RoundingMode.CEILING).multiply(unit);
  }
}

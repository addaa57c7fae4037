package io.lighthouse.core.question;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Offer;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.Distributors;
import io.lighthouse.core.budget.StepBudget;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The lists of nodes below a price, against every list. */
class CoverBoundProperties {
  private static Offer offer(int kind, int cpu, int price, int limit) {
    return new Offer(Node.of("kind" + kind, Resources.of("cpu", cpu)), Quantity.of(price), limit);
  }

  /** What lists must hold. */
  private static CoverBound lacking(List<Offer> offers, int cpu, StepBudget budget) {
    CoverBound bound = new CoverBound(offers, budget);
    Deficits none =
        Deficits.of(
            Distributors.of("first", (workload, candidates) -> candidates.first())
                .build()
                .snapshot());
    bound.addLacking(Map.of("cpu", BigDecimal.valueOf(cpu)), none);
    return bound;
  }

  @Property(tries = 300)
  void findsEveryListBelowAPriceTheCheapestFirst(@ForAll long seed) {
    Random random = new Random(seed);
    List<Offer> offers = new ArrayList<>();
    for (int kind = random.nextInt(4); kind >= 0; kind--) {
      int limit = random.nextBoolean() ? random.nextInt(4) : Integer.MAX_VALUE;
      offers.add(offer(kind, random.nextInt(4), random.nextInt(5), limit));
    }
    int cpu = random.nextInt(6);
    int below = 1 + random.nextInt(9);
    int most = 1 + random.nextInt(3);
    CoverBound bound = lacking(offers, cpu, new StepBudget(Long.MAX_VALUE));

    List<int[]> found = bound.cheaperThan(BigDecimal.valueOf(below), most).orElseThrow();

    List<int[]> all = new ArrayList<>();
    addAll(offers, cpu, below, most, new int[offers.size()], 0, all);
    all.sort(
        (one, other) -> {
          int order = Integer.compare(price(offers, one), price(offers, other));
          return order == 0 ? Arrays.compare(other, one) : order;
        });
    assertThat(found.stream().map(Arrays::toString).toList())
        .isEqualTo(all.stream().map(Arrays::toString).toList());
  }

  private static void addAll(
      List<Offer> offers, int cpu, int below, int most, int[] list, int kind, List<int[]> into) {
    if (kind == list.length) {
      int has = 0;
      for (int i = 0; i < list.length; i++) {
        has += list[i] * amount(offers.get(i).like().resources().get("cpu").orElseThrow());
      }
      if (has >= cpu && price(offers, list) < below) {
        into.add(list.clone());
      }
      return;
    }
    for (int count = 0; count <= Math.min(most, offers.get(kind).limit()); count++) {
      list[kind] = count;
      addAll(offers, cpu, below, most, list, kind + 1, into);
    }
    list[kind] = 0;
  }

  private static int price(List<Offer> offers, int[] list) {
    int price = 0;
    for (int i = 0; i < list.length; i++) {
      price += list[i] * amount(offers.get(i).price());
    }
    return price;
  }

  private static int amount(Quantity quantity) {
    return quantity.toBigDecimal().intValueExact();
  }

  /** Where the budget ends, the first conditions count: no hash decides which. */
  @Example
  void whereTheBudgetEndsTheFirstWorkloadsCount() {
    List<Offer> offers = List.of(offer(0, 1, 5, 9), offer(1, 1, 1, 9));
    List<Workload> homeless = Workload.of("w", Resources.none()).replicas(2);
    List<BitSet> kinds = List.of(BitSet.valueOf(new long[] {1}), BitSet.valueOf(new long[] {2}));
    for (List<BitSet> each : List.of(kinds, List.of(kinds.get(1), kinds.get(0)))) {
      StepBudget budget = new StepBudget(1);
      budget.mayRead(2 * StepBudget.READS_PER_STEP - 1 - homeless.size());
      CoverBound bound = new CoverBound(offers, budget);
      bound.addHomeless(homeless, each);
      assertThat(budget.isOver()).isTrue();
      assertThat(bound.lowest()).isEqualByComparingTo(each == kinds ? "5" : "1");
    }
  }

  /** In that order, they become conditions. */
  @Example
  void needsAreInTheOrderOfTheBatch() {
    Resources one = Resources.of("mem", 1, "cpu", 1, "disk", 1, "net", 1, "gpu", 1);
    Resources other = Resources.of("zone-licence", 1, "ports", 1, "cpu", 1, "bandwidth", 1);
    List<String> names = new ArrayList<>(one.names());
    other.names().stream().filter(name -> !names.contains(name)).forEach(names::add);
    List<Workload> batch = List.of(Workload.of("v", one), Workload.of("w", other));
    assertThat(Deficits.needs(batch).keySet()).containsExactlyElementsOf(names);
  }

  /** A cloud has thousands of kinds of nodes. */
  @Example
  void manyKindsDoNotExhaustTheStack() {
    List<Offer> offers = new ArrayList<>();
    for (int kind = 0; kind < 50_000; kind++) {
      offers.add(offer(kind, 1, 3, Integer.MAX_VALUE));
    }
    CoverBound bound = lacking(offers, 0, new StepBudget(Long.MAX_VALUE));

    assertThat(bound.cheaperThan(BigDecimal.ONE, 1).orElseThrow()).hasSize(1);
    assertThat(lacking(offers, 0, new StepBudget(100)).cheaperThan(BigDecimal.TEN, 1))
        .isEqualTo(Optional.empty());
  }
}

package io.lighthouse.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Counts are those of a sorted map; and each way of counting wrongly is found out. */
class SortedCountsProperties {
  /** What counts, rightly or not. */
  private interface Counting {
    void add(SortedCounts counts, int number, int more);
  }

  @Property(tries = 10, shrinking = ShrinkingMode.OFF)
  void countsAreThoseOfASortedMap(@ForAll long seed) {
    livesThroughAddsAndRemovals(new SplittableRandom(seed), SortedCounts::add);
  }

  /** The same for bounds that are set with domains. */
  @Property(tries = 10, shrinking = ShrinkingMode.OFF)
  void boundsByDomainAreThoseOfAMap(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int numbers = 1 + random.nextInt(400);
    LevelBounds bounds = new LevelBounds();
    TreeMap<Integer, TreeMap<Integer, Integer>> oracle = new TreeMap<>();
    for (int step = 0; step < 1_200; step++) {
      int bound = random.nextInt(4);
      int number = random.nextInt(numbers);
      TreeMap<Integer, Integer> of = oracle.computeIfAbsent(bound, any -> new TreeMap<>());
      int sign = of.containsKey(number) && random.nextInt(5) < 2 ? -1 : 1;
      add(of, number, sign);
      oracle.values().removeIf(TreeMap::isEmpty);
      bounds.add(bound, number, numbers, sign);
      assertThat(bounds.least())
          .isEqualTo(oracle.isEmpty() ? HolderBounds.UNBOUNDED : oracle.firstKey());
      if (step % 200 == 199) {
        LevelBounds copied = new LevelBounds(bounds);
        bounds.add(random.nextInt(4), number, numbers, 1);
        bounds = copied;
      }
    }
    for (int number = 0; number <= numbers; number++) {
      int asked = number;
      assertThat(bounds.in(number))
          .isEqualTo(
              oracle.keySet().stream()
                  .filter(bound -> oracle.get(bound).containsKey(asked))
                  .findFirst()
                  .orElse(HolderBounds.UNBOUNDED));
    }
  }

  @Example
  void countsThatForgetOneToGoAreFoundOut() {
    isFoundOut(
        (counts, number, more) -> {
          if (more > 0 || counts.of(number) > 1) {
            counts.add(number, more);
          }
        });
  }

  @Example
  void countsThatKeepOnlyOneOfANumberAreFoundOut() {
    isFoundOut(
        (counts, number, more) -> {
          if (more < 0 || counts.of(number) == 0) {
            counts.add(number, more);
          }
        });
  }

  @Example
  void countsOfTheNeighbourAreFoundOut() {
    isFoundOut((counts, number, more) -> counts.add(counts.size() > 6 ? number ^ 1 : number, more));
  }

  /** The floor of a skew is read off the entries, so that none may have a count of 0. */
  @Example
  void anEntryWithoutACountIsFoundOut() {
    isFoundOut(
        (counts, number, more) -> {
          if (counts.of(number) + more > 0) {
            counts.add(number, more);
          } else {
            counts.add(number, more);
            counts.add(number + 1_000, 1);
          }
        });
  }

  private static void isFoundOut(Counting wrong) {
    assertThatThrownBy(() -> livesThroughAddsAndRemovals(new SplittableRandom(3), wrong))
        .isInstanceOf(AssertionError.class);
  }

  private static void livesThroughAddsAndRemovals(SplittableRandom random, Counting counting) {
    SortedCounts counts = new SortedCounts();
    TreeMap<Integer, Integer> oracle = new TreeMap<>();
    int numbers = 1 + random.nextInt(40) + 8;
    for (int step = 0; step < 300; step++) {
      int number = random.nextInt(numbers);
      int more =
          oracle.containsKey(number) && random.nextBoolean()
              ? -1 - random.nextInt(oracle.get(number))
              : random.nextInt(3);
      counting.add(counts, number, more);
      add(oracle, number, more);
      isAs(counts, oracle, numbers);
      SortedCounts copy = new SortedCounts(counts);
      copy.add(number, 1);
      isAs(counts, oracle, numbers);
    }
  }

  private static void add(TreeMap<Integer, Integer> oracle, int number, int more) {
    oracle.merge(number, more, Integer::sum);
    oracle.values().removeIf(count -> count == 0);
  }

  private static void isAs(SortedCounts counts, TreeMap<Integer, Integer> oracle, int numbers) {
    List<Integer> entries = new ArrayList<>();
    List<Integer> values = new ArrayList<>();
    for (int i = 0; i < counts.size(); i++) {
      entries.add(counts.number(i));
      values.add(counts.count(i));
    }
    assertThat(entries).containsExactlyElementsOf(oracle.keySet());
    assertThat(values).containsExactlyElementsOf(oracle.values());
    for (int number = -1; number <= numbers; number++) {
      assertThat(counts.of(number)).isEqualTo(oracle.getOrDefault(number, 0));
    }
  }
}

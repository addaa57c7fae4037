package io.lighthouse.strategies.packing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fillings among which a choice that covers everything is hidden. */
class SetCoveringTest {
  private static final int PARTS = 20;
  private static final int PART = 3;
  private static final int DECOYS = 600;

  private final long[] sizes = new long[PARTS * PART];

  /** Random fillings, and those of a division of all workloads into {@link #PARTS} parts. */
  private int[][] sets(long seed) {
    Random random = new Random(seed);
    List<Integer> loads = new ArrayList<>(IntStream.range(0, sizes.length).boxed().toList());
    List<int[]> sets = new ArrayList<>();
    Collections.shuffle(loads, random);
    for (int part = 0; part < PARTS; part++) {
      sets.add(first(loads.subList(part * PART, part * PART + PART)));
    }
    for (int decoy = 0; decoy < DECOYS; decoy++) {
      Collections.shuffle(loads, random);
      sets.add(first(loads));
    }
    Collections.shuffle(sets, random);
    Arrays.setAll(sizes, load -> 1 + random.nextInt(100));
    return sets.toArray(int[][]::new);
  }

  private static int[] first(List<Integer> loads) {
    return loads.stream().limit(PART).mapToInt(load -> load).toArray();
  }

  /** The size of the workloads that are in no chosen filling, counted anew. */
  private long uncovered(int[][] sets, int[] chosen) {
    boolean[] covered = new boolean[sizes.length];
    for (int set : chosen) {
      for (int load : sets[set]) {
        covered[load] = true;
      }
    }
    return IntStream.range(0, sizes.length).filter(i -> !covered[i]).mapToLong(i -> sizes[i]).sum();
  }

  private int[] chosen(int[][] sets, int count, long turns) {
    return new SetCovering(sets, sizes, new Chance(1))
        .choose(count, turns, Long.MAX_VALUE, () -> {});
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void theHiddenChoiceIsFound(long seed) {
    int[][] sets = sets(seed);
    assertThat(uncovered(sets, chosen(sets, PARTS, 0))).as("by the greedy choice").isPositive();
    assertThat(uncovered(sets, chosen(sets, PARTS, 5_000))).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void noMoreTurnsLeaveMoreUncovered(long seed) {
    int[][] sets = sets(seed);
    long before = Long.MAX_VALUE;
    for (long turns : new long[] {0, 1, 10, 100, 1_000}) {
      int[] chosen = chosen(sets, PARTS - 1, turns);
      assertThat(chosen).hasSize(PARTS - 1).doesNotHaveDuplicates();
      assertThat(uncovered(sets, chosen)).isPositive().isLessThanOrEqualTo(before);
      before = uncovered(sets, chosen);
    }
  }

  /** A choice that does not look at what others cover already leaves a third or so. */
  @Test
  void aChoiceByWhatIsInEachFillingAloneIsCaught() {
    int[][] sets = sets(1);
    int[] largest =
        IntStream.range(0, sets.length)
            .boxed()
            .sorted(Collections.reverseOrder((a, b) -> Long.compare(size(sets[a]), size(sets[b]))))
            .limit(PARTS)
            .mapToInt(set -> set)
            .toArray();
    assertThat(uncovered(sets, largest)).isGreaterThan(uncovered(sets, chosen(sets, PARTS, 0)));
  }

  private long size(int[] set) {
    return Arrays.stream(set).mapToLong(load -> sizes[load]).sum();
  }

  @Test
  void fewerFillingsThanAskedForAreAllChosen() {
    Arrays.fill(sizes, 1);
    assertThat(chosen(new int[][] {{0, 1}, {1, 2}}, 5, 10)).containsExactlyInAnyOrder(0, 1);
    assertThat(chosen(new int[0][], 5, 10)).isEmpty();
    assertThat(chosen(new int[][] {{0, 1}, {1, 2, 3}}, 1, 10)).containsExactly(1);
  }

  /** One filling fewer than would cover all, so the search never ends by itself. */
  @ParameterizedTest
  @ValueSource(longs = {0, 20_000, 100_000, 1_000_000})
  void noTurnBeginsOnceTheLimitIsReached(long limit) {
    int[][] sets = sets(1);
    SetCovering covering = new SetCovering(sets, sizes, new Chance(1));
    long start = covering.examined();
    int[] chosen = covering.choose(PARTS - 1, Long.MAX_VALUE, limit, () -> {});
    long turn = 2L * sets.length + 4L * Arrays.stream(sets).mapToInt(set -> set.length).sum();
    assertThat(covering.examined()).isBetween(limit, Math.max(start, limit + turn));
    assertThat(chosen).hasSize(limit < start ? 0 : PARTS - 1).doesNotHaveDuplicates();
  }

  /** A budget that ends throws. */
  @Test
  void aPauseEndsTheSearch() {
    int[][] sets = sets(1);
    AtomicInteger pauses = new AtomicInteger();
    Runnable ends =
        () -> {
          if (pauses.incrementAndGet() == 10) {
            throw new IllegalStateException("over");
          }
        };
    SetCovering covering = new SetCovering(sets, sizes, new Chance(1));
    assertThatThrownBy(() -> covering.choose(PARTS - 1, Long.MAX_VALUE, Long.MAX_VALUE, ends))
        .hasMessage("over");
  }
}

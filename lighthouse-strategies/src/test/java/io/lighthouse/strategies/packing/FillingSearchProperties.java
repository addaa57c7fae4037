package io.lighthouse.strategies.packing;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** The best filling of a node beside the best of all, which is found by trying every filling. */
class FillingSearchProperties {
  private static final long AMPLE = 1_000_000;

  /** As large as the size of a workload: a smaller one would make all bounds loose. */
  private static final long ONE = 1_000_000;

  private static final int SEEDS = 300;

  /** A node with 100 of one resource and some of another, and a few kinds of workloads. */
  private static final class Problem {
    final int[] license;
    final int[] cpu;
    final int[] counts;
    final long[] worth;
    final int licenses;
    final Board board;

    Problem(Random random) {
      int kinds = 1 + random.nextInt(5);
      license = new int[kinds];
      cpu = new int[kinds];
      counts = new int[kinds];
      worth = new long[kinds];
      licenses = random.nextInt(20);
      List<Workload> batch = new ArrayList<>();
      for (int kind = 0; kind < kinds; kind++) {
        license[kind] = random.nextInt(10);
        cpu[kind] = random.nextInt(60);
        counts[kind] = random.nextInt(6);
        worth[kind] = ONE * (1 + random.nextInt(100));
        batch.add(EqualNodes.workload(cpu[kind], license[kind]));
      }
      Arrays.sort(worth);
      for (int low = 0, high = kinds - 1; low < high; low++, high--) {
        long swapped = worth[low];
        worth[low] = worth[high];
        worth[high] = swapped;
      }
      board = EqualNodes.board(1, licenses, batch);
    }

    /** The most that a filling is worth, by trying all numbers of each kind from one on. */
    long most(int kind, int cpuLeft, int licenseLeft) {
      if (kind == counts.length) {
        return 0;
      }
      long most = 0;
      for (int count = 0;
          count <= counts[kind]
              && count * cpu[kind] <= cpuLeft
              && count * license[kind] <= licenseLeft;
          count++) {
        long rest =
            most(kind + 1, cpuLeft - count * cpu[kind], licenseLeft - count * license[kind]);
        most = Math.max(most, count * worth[kind] + rest);
      }
      return most;
    }

    long most() {
      return most(0, 100, licenses);
    }

    /** What a search finds, after a check that the filling fits and is worth that. */
    long found(long mostExamined) {
      int[] samples = new int[counts.length];
      Arrays.setAll(samples, kind -> kind);
      FillingSearch search = new FillingSearch(board, samples, worth, mostExamined);
      long found = search.search(0, counts);
      int[] filling = search.best();
      long sum = 0;
      int cpus = 0;
      int taken = 0;
      for (int kind = 0; kind < filling.length; kind++) {
        assertThat(filling[kind]).isBetween(0, counts[kind]);
        sum += filling[kind] * worth[kind];
        cpus += filling[kind] * cpu[kind];
        taken += filling[kind] * license[kind];
      }
      assertThat(found).isEqualTo(sum);
      assertThat(cpus).isLessThanOrEqualTo(100);
      assertThat(taken).isLessThanOrEqualTo(licenses);
      return found;
    }
  }

  @Property
  void findsTheBestFilling(@ForAll long seed) {
    Problem problem = new Problem(new Random(seed));
    assertThat(problem.found(AMPLE)).isEqualTo(problem.most());
  }

  /** The wrong search that the law above must catch: it only descends once, as a greedy rule. */
  @Example
  void oneDescentIsNotEnough() {
    Random random = new Random(1);
    int worse = 0;
    int equal = 0;
    for (int i = 0; i < SEEDS; i++) {
      Problem problem = new Problem(random);
      long most = problem.most();
      long found = problem.found(0);
      assertThat(found).isLessThanOrEqualTo(most);
      worse += found < most ? 1 : 0;
      equal += found == most ? 1 : 0;
    }
    assertThat(worse).as("fillings that one descent misses").isGreaterThan(SEEDS / 20);
    assertThat(equal).as("fillings that one descent finds").isGreaterThan(SEEDS / 20);
  }

  /** A search that is cut off has charged what it may examine, and one descent more at most. */
  @Property
  void chargesItsReads(@ForAll long seed, @ForAll @IntRange(max = 20) int mostExamined) {
    Problem problem = new Problem(new Random(seed));
    long before = problem.board.steps;
    problem.found(mostExamined);
    long most = mostExamined + 4L * problem.counts.length;
    assertThat(before - problem.board.steps).isBetween(1L, 1 + most / FillingSearch.KINDS_PER_STEP);
  }

  /** A node with 20 times the mean of a resource, as if 19 others had none of it. */
  @Example
  void fillsANodeFarAboveTheMean() {
    List<Workload> batch = List.of(EqualNodes.workload(1, 7), EqualNodes.workload(1, 4));
    Board board = EqualNodes.board(1, 40, batch);
    board.mean[1] = board.left[1] / 20;
    for (int load = 0; load < batch.size(); load++) {
      board.parts[2 * load + 1] = (int) Units.parts(board.need[2 * load + 1], board.mean[1]);
    }
    FillingSearch search =
        new FillingSearch(board, new int[] {0, 1}, new long[] {10 * ONE, 9 * ONE}, AMPLE);
    assertThat(search.search(0, new int[] {10, 10})).isEqualTo(90 * ONE);
  }
}

package io.lighthouse.strategies.packing;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.Amounts;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Fillings of equal nodes, of which few are kept. */
class PatternsTest {
  private static final int MOST = 3;

  /** Workloads of which two fill a node. */
  private final Board board =
      EqualNodes.board(8, 1_000, Collections.nCopies(8, EqualNodes.workload(50, 1)));

  private final Patterns patterns = new Patterns(board, MOST);

  /** Puts two workloads on a node, and adds what is there. */
  private void add(int one, int other, int node) {
    board.place(one, node);
    board.place(other, node);
    patterns.add(node);
    board.take(one);
    board.take(other);
  }

  @Test
  void aFillingIsKeptOnce() {
    add(0, 1, 0);
    add(0, 1, 5);
    add(1, 0, 2);
    assertThat(patterns.sets()).isDeepEqualTo(new int[][] {{0, 1}});
  }

  @Test
  void theOldestIsForgottenAndCanBeFoundAgain() {
    add(0, 1, 0);
    add(2, 3, 1);
    add(4, 5, 2);
    add(6, 7, 3);
    assertThat(patterns.sets()).isDeepEqualTo(new int[][] {{2, 3}, {4, 5}, {6, 7}});
    add(4, 5, 0);
    assertThat(patterns.sets()).hasDimensions(MOST, 2);
    add(0, 1, 0);
    assertThat(patterns.sets()).isDeepEqualTo(new int[][] {{4, 5}, {6, 7}, {0, 1}});
    add(2, 3, 0);
    assertThat(patterns.sets()).isDeepEqualTo(new int[][] {{6, 7}, {0, 1}, {2, 3}});
  }

  @Test
  void whatElseFitsIsAddedAndLittleIsNotKept() {
    board.place(3, 0);
    patterns.add(0);
    assertThat(patterns.sets()).isDeepEqualTo(new int[][] {{3, 0}});
    Board one = EqualNodes.board(2, 1_000, Collections.nCopies(4, EqualNodes.workload(50, 1)));
    one.place(0, 0);
    Patterns none = new Patterns(one, MOST);
    none.add(0);
    assertThat(none.sets()).isEmpty();
  }

  /** What an immune workload takes of a ward leaves the ward as it is. */
  @Test
  void aWardStaysInfinite() {
    Workload immune = EqualNodes.workload(40, 1).withImmunities("license");
    Board warded =
        EqualNodes.board(
            9, Amounts.NEGATIVE_INFINITY, List.of(immune, immune, EqualNodes.workload(20, 1)));
    warded.place(0, 0);
    Patterns found = new Patterns(warded, MOST);
    found.add(0);
    assertThat(found.sets()).isDeepEqualTo(new int[][] {{0, 1}});
  }
}

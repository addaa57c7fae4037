package io.lighthouse.strategies.packing;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When nodes are filled with the best of few kinds; {@code PackStartsTest} has what it wins. */
class BestFillingTest {
  private static final long PLENTY = 1_000_000_000;

  private static BestFilling rule(Board board) {
    return BestFilling.of(board, prices(board)).orElseThrow();
  }

  private static long[] prices(Board board) {
    long[] prices = new long[board.nodes];
    Arrays.fill(prices, 1);
    return prices;
  }

  private static List<Workload> batch(int... cpus) {
    List<Workload> batch = new ArrayList<>();
    for (int cpu : cpus) {
      batch.add(EqualNodes.workload(cpu, 1));
    }
    return batch;
  }

  private static Board filled(Board board) {
    assertThat(rule(board).fill()).isTrue();
    return board;
  }

  @Test
  void fillsToTheLastUnit() {
    Board board = filled(EqualNodes.board(4, PLENTY, batch(70, 60, 50, 50, 40, 30)));
    assertThat(board.held).containsExactly(2, 2, 2, 0);
    assertThat(board.home[0]).isEqualTo(board.home[5]);
    assertThat(board.home[1]).isEqualTo(board.home[4]);
    assertThat(board.home[2]).isEqualTo(board.home[3]);
  }

  /** Five of 20 fill a node as well as one of 100, which fits only where nothing else is. */
  @Test
  void largeWorkloadsGoFirst() {
    Board board = filled(EqualNodes.board(1, PLENTY, batch(20, 20, 20, 20, 20, 100)));
    assertThat(board.home[5]).isZero();
  }

  @Test
  void leavesOutClosedNodes() {
    Board board = EqualNodes.board(3, PLENTY, batch(60, 40, 100));
    board.close(node -> node == 0);
    filled(board);
    assertThat(board.held).containsExactly(0, 1, 2);
  }

  @Test
  void cheapNodesComeFirst() {
    Board board = EqualNodes.board(3, PLENTY, batch(60, 40));
    assertThat(BestFilling.of(board, new long[] {3, 2, 3}).orElseThrow().fill()).isTrue();
    assertThat(board.held).containsExactly(0, 2, 0);
  }

  /** Many workloads of one group come before the only one without a group. */
  @Test
  void rivalsDoNotHideOthersOfTheirKind() {
    List<Workload> batch = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      batch.add(EqualNodes.workload(50, 1).withAversionGroups("rivals"));
    }
    batch.add(EqualNodes.workload(50, 1));
    Board board = filled(EqualNodes.board(2, PLENTY, batch));
    assertThat(board.home[40]).isZero();
    assertThat(board.held).containsExactly(2, 1);
  }

  @Test
  void stopsAtHalfOfTheSteps() {
    Board board =
        EqualNodes.board(100, PLENTY, Collections.nCopies(200, EqualNodes.workload(50, 1)));
    board.steps = 100;
    assertThat(rule(board).fill()).isFalse();
    assertThat(board.steps).isBetween(40L, 50L);
  }

  @Test
  void suitsFewKindsThatTakeOnly() {
    List<Workload> kinds = new ArrayList<>();
    for (int i = 1; i <= 512; i++) {
      kinds.add(EqualNodes.workload(1, i));
    }
    Board most = EqualNodes.board(1, PLENTY, kinds);
    assertThat(BestFilling.of(most, prices(most))).isPresent();
    kinds.add(EqualNodes.workload(1, 513));
    assertThat(BestFilling.of(EqualNodes.board(1, PLENTY, kinds), prices(most))).isEmpty();
    Workload giver = Workload.of("giver", Resources.of("cpu", -1, "license", 1));
    assertThat(BestFilling.of(EqualNodes.board(1, PLENTY, List.of(giver)), prices(most))).isEmpty();
    Workload immune = EqualNodes.workload(1, 1).withImmunities("cpu");
    assertThat(BestFilling.of(EqualNodes.board(1, PLENTY, List.of(immune)), prices(most)))
        .isEmpty();
  }
}

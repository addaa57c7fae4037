package io.lighthouse.strategies.packing;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.strategy.Amounts;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** When a search begins anew from fillings. */
class RecombinationTest {
  private static final int NODES = 5;

  /** One workload for each node, which leaves another to be emptied. */
  private static Board board(int cpu, long license) {
    Board board =
        EqualNodes.board(
            NODES + 1, license, Collections.nCopies(NODES, EqualNodes.workload(cpu, 1)));
    for (int load = 0; load < NODES; load++) {
      board.place(load, load);
    }
    board.close(node -> node > NODES - 1);
    return board;
  }

  private static Recombination recombination(Board board) {
    return new Recombination(board, new Ejection(board, new Chance(1), true));
  }

  @Test
  void nearlyFullNodesAreDue() {
    Recombination full = recombination(board(95, 1_000));
    assertThat(full.isDue()).as("before a filling is known").isFalse();
    full.remember(0);
    assertThat(full.isDue()).isTrue();
    Recombination half = recombination(board(50, 1_000));
    half.remember(0);
    assertThat(half.isDue()).isFalse();
  }

  @Test
  void aResourceWithoutEndFillsNoNode() {
    Recombination half = recombination(board(50, Amounts.INFINITY));
    half.remember(0);
    assertThat(half.isDue()).isFalse();
  }

  @Test
  void nothingIsRememberedOnceTheSessionHasRefused() {
    Board board = board(95, 1_000);
    Recombination full = recombination(board);
    board.followInSession();
    full.remember(0);
    board.goAhead();
    assertThat(full.isDue()).isFalse();
  }
}

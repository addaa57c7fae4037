package io.lighthouse.strategies.packing;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One-pass rules, on fleets with tags. */
class FillingTest {
  private static final int NODES = 10;
  private static final int TAGGED = 400;

  @Test
  void workloadsWhoseTagANodeLacksAreNotComparedForIt() {
    Workload tagged = Workload.of("w", Resources.of("cpu", 50, "license", 1, "tag", 0));
    List<Workload> batch = new ArrayList<>(Collections.nCopies(TAGGED, tagged));
    batch.addAll(Collections.nCopies(NODES, EqualNodes.workload(80, 1)));
    Board board = EqualNodes.board(NODES, 1_000, batch);
    long before = board.steps;
    new Filling(board, Long.MAX_VALUE).fillPart(Filling.Score.ALIGNED);
    assertThat(board.held).containsOnly(1);
    assertThat(before - board.steps).isLessThan((long) NODES * batch.size());
  }
}

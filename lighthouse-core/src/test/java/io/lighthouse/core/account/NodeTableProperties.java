package io.lighthouse.core.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** The places of nodes against a list of booleans by slot. */
class NodeTableProperties {
  private NodeTable nodes;
  private List<Boolean> oracle;

  /** How many names were given again. */
  private int again;

  @Property(shrinking = ShrinkingMode.OFF)
  void rankAndSelectAreThoseOfAPlainList(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    nodes = new NodeTable();
    nodes.reserve(300);
    oracle = new ArrayList<>();
    int most = 1 + random.nextInt(300);
    for (int step = 0; step < 400; step++) {
      int count = oracle.size();
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3, 4 -> {
          if (count < most) {
            nodes.takeName(count, "n" + step);
            nodes.append();
            oracle.add(true);
          }
        }
        case 5, 6, 7, 8 -> {
          if (count > 0) {
            turn(random.nextInt(count));
          }
        }
        case 9 -> {
          if (count > 0 && !oracle.get(count - 1)) {
            nodes.dropLast();
            oracle.remove(count - 1);
          }
        }
        case 10 -> {
          nodes.trim();
          while (!oracle.isEmpty() && !oracle.get(oracle.size() - 1)) {
            oracle.remove(oracle.size() - 1);
          }
        }
        default -> {
          if (random.nextInt(4) == 0) {
            close();
          } else {
            nodes = new NodeTable(nodes);
          }
        }
      }
      agree();
    }
  }

  private void turn(int slot) {
    if (oracle.get(slot)) {
      nodes.revive(slot, nodes.nodeName(slot)); // As where a removal ended before it had begun.
      nodes.kill(slot);
    } else {
      nodes.revive(slot, "again-" + again++);
    }
    oracle.set(slot, !oracle.get(slot));
  }

  private void close() {
    int[] moved = nodes.renumber();
    int next = 0;
    assertThat(moved).hasSize(oracle.size());
    for (int slot = 0; slot < moved.length; slot++) {
      assertThat(moved[slot]).isEqualTo(oracle.get(slot) ? next++ : -1);
    }
    oracle.removeIf(live -> !live);
  }

  private void agree() {
    assertThat(nodes.slotCount()).isEqualTo(oracle.size());
    int rank = 0;
    int last = -1;
    for (int slot = 0; slot < oracle.size(); slot++) {
      assertThat(nodes.nodeBefore(slot)).isEqualTo(last);
      assertThat(nodes.alive(slot)).isEqualTo(oracle.get(slot));
      if (oracle.get(slot)) {
        assertThat(nodes.index(slot)).isEqualTo(rank);
        assertThat(nodes.slot(rank)).isEqualTo(slot);
        rank++;
        last = slot;
      }
    }
    assertThat(nodes.nodeBefore(oracle.size())).isEqualTo(last);
    assertThat(nodes.nodeCount()).isEqualTo(rank);
  }
}

package io.lighthouse.core.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Rank and select against a list of booleans. */
class SlotsProperties {
  private Slots slots;
  private List<Boolean> oracle;

  @Property(shrinking = ShrinkingMode.OFF)
  void rankAndSelectAreThoseOfAPlainList(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    slots = new Slots();
    oracle = new ArrayList<>();
    int most = 1 + random.nextInt(300);
    for (int step = 0; step < 400; step++) {
      int count = oracle.size();
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3, 4 -> {
          if (count < most) {
            slots.append();
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
            slots.dropLast();
            oracle.remove(count - 1);
          }
        }
        case 10 -> {
          slots.trim();
          while (!oracle.isEmpty() && !oracle.get(oracle.size() - 1)) {
            oracle.remove(oracle.size() - 1);
          }
        }
        default -> {
          if (random.nextInt(4) == 0) {
            close();
          } else {
            slots = new Slots(slots);
          }
        }
      }
      agree();
    }
  }

  private void turn(int slot) {
    if (oracle.get(slot)) {
      slots.die(slot);
    } else {
      slots.revive(slot);
    }
    oracle.set(slot, !oracle.get(slot));
  }

  private void close() {
    int[] moved = slots.close();
    int next = 0;
    assertThat(moved).hasSize(oracle.size());
    for (int slot = 0; slot < moved.length; slot++) {
      assertThat(moved[slot]).isEqualTo(oracle.get(slot) ? next++ : -1);
    }
    oracle.removeIf(live -> !live);
  }

  private void agree() {
    assertThat(slots.count()).isEqualTo(oracle.size());
    int rank = 0;
    int last = -1;
    for (int slot = 0; slot < oracle.size(); slot++) {
      assertThat(slots.last(slot)).isEqualTo(last);
      assertThat(slots.isLive(slot)).isEqualTo(oracle.get(slot));
      if (oracle.get(slot)) {
        assertThat(slots.rank(slot)).isEqualTo(rank);
        assertThat(slots.select(rank)).isEqualTo(slot);
        rank++;
        last = slot;
      }
    }
    assertThat(slots.last(oracle.size())).isEqualTo(last);
    assertThat(slots.liveCount()).isEqualTo(rank);
  }
}

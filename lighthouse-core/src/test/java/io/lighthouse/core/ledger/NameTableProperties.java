package io.lighthouse.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

class NameTableProperties {
  private static final String[] STEMS = {"", "a", "node-", "\u00e9", "\ud83d\ude80"};

  @Property(tries = 150, shrinking = ShrinkingMode.OFF)
  void answersLikeAHashMapThroughAnyRunOfAddsSetsAndRemovals(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int names = 4 + random.nextInt(300);
    NameTable table = new NameTable();
    Map<String, Integer> oracle = new HashMap<>();
    for (int step = 0; step < 800; step++) {
      String name = name(random.nextInt(names));
      switch (random.nextInt(7)) {
        case 0, 1, 2 ->
            assertThat(table.add(name, step)).isEqualTo(oracle.putIfAbsent(name, step) == null);
        case 3, 4 -> {
          if (oracle.remove(name) != null) {
            table.remove(name);
          }
        }
        case 5 -> {
          if (oracle.replace(name, -step - 2) != null) {
            table.set(name, -step - 2);
          }
        }
        default -> table.reserve(random.nextInt(50));
      }
      assertThat(table.get(name)).isEqualTo(oracle.getOrDefault(name, NameTable.NONE));
    }
    holdsExactly(table, oracle, names);
  }

  /**
   * Removing from the front, the back and the middle of runs of names that probe past each other.
   */
  @Property(tries = 100, shrinking = ShrinkingMode.OFF)
  void losesNobodyWhenARunOfNamesIsRemovedInAnyOrder(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    NameTable table = new NameTable();
    Map<String, Integer> oracle = new HashMap<>();
    List<String> all = new ArrayList<>();
    int names = 10 + random.nextInt(160); // Up to two thirds full: the longest runs there are.
    for (int i = 0; i < names; i++) {
      table.add(name(i), i);
      oracle.put(name(i), i);
      all.add(name(i));
    }
    while (!all.isEmpty()) {
      String gone = all.remove(random.nextInt(all.size()));
      table.remove(gone);
      oracle.remove(gone);
      holdsExactly(table, oracle, names);
    }
  }

  @Property(tries = 50, shrinking = ShrinkingMode.OFF)
  void aCopyAndItsOriginalGoTheirOwnWays(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    NameTable table = new NameTable();
    Map<String, Integer> oracle = new HashMap<>();
    for (int i = 0; i < 40; i++) {
      table.add(name(i), i);
      oracle.put(name(i), i);
    }
    NameTable copy = table.copy();
    Map<String, Integer> copyOracle = new HashMap<>(oracle);
    for (int i = 0; i < 40; i++) {
      if (random.nextBoolean()) {
        table.remove(name(i));
        oracle.remove(name(i));
      } else {
        copy.set(name(i), 1000 + i);
        copyOracle.put(name(i), 1000 + i);
      }
      copy.add(name(50 + i), i);
      copyOracle.put(name(50 + i), i);
    }
    holdsExactly(table, oracle, 100);
    holdsExactly(copy, copyOracle, 100);
  }

  @Example
  void tellsNamesApartThatDifferInOneCharacterOnly() {
    NameTable table = new NameTable();
    assertThat(table.add("\u00e9", 1)).isTrue();
    assertThat(table.add("e\u0301", 2)).isTrue();
    assertThat(table.add("A", 3)).isTrue();
    assertThat(table.add("a", 4)).isTrue();
    assertThat(table.get("\u00e9")).isEqualTo(1);
    assertThat(table.get("e\u0301")).isEqualTo(2);
    assertThat(table.get("A")).isEqualTo(3);
    assertThat(table.get("a")).isEqualTo(4);
  }

  private static void holdsExactly(NameTable table, Map<String, Integer> oracle, int names) {
    for (int i = 0; i < names; i++) {
      assertThat(table.get(name(i))).isEqualTo(oracle.getOrDefault(name(i), NameTable.NONE));
    }
  }

  private static String name(int i) {
    return STEMS[i % STEMS.length] + i;
  }
}

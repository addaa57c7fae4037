package io.lighthouse.core.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.ledger.Renumbering;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

class NameTableProperties {
  private static final String[] STEMS = {"", "a", "node-", "\u00e9", "\ud83d\ude80"};

  /** A table and a map that own the same names by the same numbers. */
  private static final class Owner {
    final List<String> owned = new ArrayList<>();
    final Map<String, Integer> oracle = new HashMap<>();
    final NameTable table;

    Owner() {
      table = new NameTable(owned::get);
    }

    Owner(Owner other) {
      owned.addAll(other.owned);
      oracle.putAll(other.oracle);
      table = other.table.copy(owned::get);
    }

    void add(String name) {
      owned.add(name);
      boolean fresh = oracle.putIfAbsent(name, owned.size() - 1) == null;
      assertThat(table.add(name, owned.size() - 1)).isEqualTo(fresh);
    }

    void remove(String name) {
      if (oracle.remove(name) != null) {
        table.remove(name);
      }
    }

    /** Numbers above an unused number move down. */
    void closeGap(int number) {
      if (!oracle.containsValue(number)) {
        int[] renumbered = Renumbering.without(number, owned.size());
        owned.remove(number);
        oracle.replaceAll((name, own) -> own > number ? own - 1 : own);
        table.renumber(renumbered);
      }
    }

    void holdsExactly(List<String> names) {
      for (String name : names) {
        assertThat(table.get(name)).isEqualTo(oracle.getOrDefault(name, NameTable.NONE));
      }
    }
  }

  private static List<String> names(int count) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add(STEMS[i % STEMS.length] + i);
    }
    return names;
  }

  /** Names that all have one hash code: every two letters are Aa or BB. */
  private static List<String> colliding(int bits) {
    List<String> names = new ArrayList<>(List.of(""));
    for (int i = 0; i < bits; i++) {
      List<String> longer = new ArrayList<>();
      for (String name : names) {
        longer.add(name + "Aa");
        longer.add(name + "BB");
      }
      names = longer;
    }
    return names;
  }

  private static void live(Owner owner, List<String> names, SplittableRandom random, int steps) {
    for (int step = 0; step < steps; step++) {
      String name = names.get(random.nextInt(names.size()));
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> owner.add(name);
        case 3, 4, 5 -> owner.remove(name);
        case 6 -> {
          if (!owner.owned.isEmpty()) {
            owner.closeGap(random.nextInt(owner.owned.size()));
          }
        }
        default -> owner.table.reserve(random.nextInt(50));
      }
      assertThat(owner.table.get(name)).isEqualTo(owner.oracle.getOrDefault(name, -1));
    }
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void answersLikeAHashMapThroughAnyRunOfAddsRemovalsAndClosedGaps(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> names = names(4 + random.nextInt(300));
    Owner owner = new Owner();
    live(owner, names, random, 800);
    owner.holdsExactly(names);
  }

  /**
   * Removing from the front, the back and the middle of runs of names that probe past each other.
   */
  @Property(shrinking = ShrinkingMode.OFF)
  void losesNobodyWhenARunOfNamesIsRemovedInAnyOrder(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> names =
        random.nextBoolean() ? names(10 + random.nextInt(160)) : colliding(1 + random.nextInt(6));
    Owner owner = new Owner();
    names.forEach(owner::add);
    List<String> left = new ArrayList<>(names);
    while (!left.isEmpty()) {
      owner.remove(left.remove(random.nextInt(left.size())));
      owner.holdsExactly(names);
    }
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void aCopyAndItsOriginalGoTheirOwnWays(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> names = random.nextBoolean() ? names(60) : colliding(11);
    Owner owner = new Owner();
    live(owner, names, random, 600);
    Owner copy = new Owner(owner);
    live(owner, names, random, 200);
    live(copy, names, random, 200);
    owner.holdsExactly(names);
    copy.holdsExactly(names);
  }

  @Example
  void holdsThousandsOfNamesThatWereChosenToCollide() {
    List<String> names = colliding(12);
    Set<Integer> hashes = new HashSet<>();
    names.forEach(name -> hashes.add(name.hashCode()));
    assertThat(hashes).as("the planted names do collide").hasSize(1);

    Owner owner = new Owner();
    names.forEach(owner::add);
    assertThat(owner.table.size()).isEqualTo(4096);
    owner.holdsExactly(names);
    live(owner, names, new SplittableRandom(7), 4000);
    owner.holdsExactly(names);
  }

  /** The search for a place reads each name at most once, and the change of the hash again. */
  @Example
  void losesNoNameWhereTheStackEndsWhileTheHashChanges() {
    List<String> names = colliding(12);
    int[] left = {Integer.MAX_VALUE};
    NameTable table =
        new NameTable(
            number -> {
              if (left[0]-- == 0) {
                throw new StackOverflowError("planted");
              }
              return names.get(number);
            });
    int added = 0;
    boolean ended = false;
    while (!ended) {
      left[0] = added;
      try {
        table.add(names.get(added), added);
        added++;
      } catch (StackOverflowError planted) {
        ended = true;
      }
    }
    left[0] = Integer.MAX_VALUE;
    assertThat(table.size()).isEqualTo(added);
    for (int number = 0; number <= added; number++) {
      assertThat(table.get(names.get(number))).isEqualTo(number < added ? number : NameTable.NONE);
    }
    assertThat(table.add(names.get(added), added)).isTrue();
  }

  /**
   * The table reads a name where hashes are equal, and all names where it takes them for chosen.
   */
  @Example
  void doesNotTakeMillionsOfNumberedNamesForChosenOnes() {
    int count = 2_500_000;
    long[] read = new long[1];
    NameTable table =
        new NameTable(
            number -> {
              read[0]++;
              return numbered(number);
            });
    for (int i = 0; i < count; i++) {
      table.add(numbered(i), i);
    }
    assertThat(table.size()).isEqualTo(count);
    assertThat(read[0]).as("names read again").isLessThan(count / 10);
  }

  /** As a caller may name the workloads of batches of a million. */
  private static String numbered(int number) {
    return number / 1_000_000 + "-" + number % 1_000_000;
  }

  @Example
  void tellsNamesApartThatLookAlike() {
    Owner owner = new Owner();
    List<String> names = List.of("\u00e9", "e\u0301", "A", "a", "Aa", "BB", "");
    names.forEach(owner::add);
    assertThat(owner.table.size()).isEqualTo(7);
    owner.holdsExactly(names);
  }
}

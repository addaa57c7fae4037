package io.lighthouse.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.core.account.NameTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Names with numbers behind them answer like a map, whether they came as runs or one by one. */
class WorkloadNamesProperties {
  /** Stems that end in digits, in zeros, in nothing, in letters beyond the first plane. */
  private static final String[] STEMS = {
    "", "w", "web-", "web-0", "web-1", "w10", "x00", "\ud83d\ude80", "y12345678", "z1234567890"
  };

  /** The names and a map that own the same ones. */
  private static class Owner {
    final List<String> owned = new ArrayList<>();
    final Map<String, Integer> oracle = new HashMap<>();
    final WorkloadNames names;
    int runs;

    Owner() {
      names = new WorkloadNames(owned::get);
    }

    Owner(Owner other) {
      owned.addAll(other.owned);
      oracle.putAll(other.oracle);
      names = new WorkloadNames(other.names, owned::get);
    }

    void add(String name) {
      owned.add(name);
      boolean fresh = oracle.putIfAbsent(name, owned.size() - 1) == null;
      assertThat(names.add(name, owned.size() - 1)).isEqualTo(fresh);
    }

    void remove(String name) {
      if (oracle.remove(name) != null) {
        names.remove(name);
      }
    }

    void addRun(String[] run) {
      int[] entries = new int[run.length];
      int count = addRun(run, entries);
      for (int i = 0; i < count; i++) {
        assertThat(oracle.put(run[i], entries[i])).as(run[i]).isNull();
      }
      runs += count > 0 ? 1 : 0;
    }

    int addRun(String[] run, int[] entries) {
      return names.addRun(run, 0, run.length, fresh(run), entries);
    }

    /** An entry for each name of a run. */
    final IntSupplier fresh(String[] run) {
      int began = owned.size();
      return () -> {
        owned.add(run[owned.size() - began]);
        return owned.size() - 1;
      };
    }

    int get(String name) {
      return names.get(name);
    }

    void holdsExactly(Iterable<String> asked) {
      for (String name : asked) {
        assertThat(get(name)).as(name).isEqualTo(oracle.getOrDefault(name, NameTable.NONE));
      }
    }
  }

  /** A run of names from a number on; now and then one that breaks the run. */
  private static String[] run(SplittableRandom random) {
    String stem = STEMS[random.nextInt(STEMS.length)];
    int first = random.nextInt(4) == 0 ? 999_999_900 : random.nextInt(120);
    String[] run =
        IntStream.range(0, random.nextInt(2 * WorkloadNames.LEAST_RUN))
            .mapToObj(i -> stem + (first + i))
            .toArray(String[]::new);
    if (run.length > 0 && random.nextInt(4) == 0) {
      run[random.nextInt(run.length)] = stem + "0" + random.nextInt(200);
    }
    return run;
  }

  private static List<String> asked() {
    List<String> names = new ArrayList<>();
    for (String stem : STEMS) {
      for (int i = 0; i < 130; i++) {
        names.add(stem + i);
      }
      names.addAll(List.of(stem, stem + "00", stem + "01", stem + "012", stem + "1a"));
      names.addAll(List.of(stem + 999_999_950, stem + 1_000_000_000, stem + "5000000000"));
    }
    return names;
  }

  private static void live(Owner owner, SplittableRandom random, int steps) {
    List<String> asked = asked();
    for (int step = 0; step < steps; step++) {
      String name = asked.get(random.nextInt(asked.size()));
      switch (random.nextInt(12)) {
        case 0 -> owner.addRun(run(random));
        case 1 -> owner.names.reserve(random.nextInt(50));
        case 2, 3, 4 -> owner.add(name);
        default -> owner.remove(name);
      }
      if (random.nextInt(20) == 0) {
        // A whole stem goes, so that it may come as a run again.
        String stem = STEMS[random.nextInt(STEMS.length)];
        List.copyOf(owner.oracle.keySet()).stream()
            .filter(one -> one.startsWith(stem))
            .forEach(owner::remove);
      }
      assertThat(owner.get(name)).isEqualTo(owner.oracle.getOrDefault(name, -1));
    }
  }

  @Property(tries = 50, shrinking = ShrinkingMode.OFF)
  void answersLikeAHashMapThroughAnyRuns(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Owner owner = new Owner();
    live(owner, random, 400);
    owner.holdsExactly(asked());
    owner.holdsExactly(List.copyOf(owner.oracle.keySet()));
    Owner copy = new Owner(owner);
    live(owner, random, 100);
    live(copy, random, 100);
    owner.holdsExactly(asked());
    copy.holdsExactly(asked());
  }

  @Example
  void aRunIsOneOnlyWhereItIsLongUnbrokenAndNew() {
    Owner owner = new Owner();
    owner.addRun(numbered("web-", 1, WorkloadNames.LEAST_RUN - 1));
    assertThat(owner.runs).as("too few").isZero();
    owner.add("web-30");
    owner.addRun(numbered("web-", 1, 100));
    assertThat(owner.runs).as("one is there already").isZero();
    owner.remove("web-30");
    owner.addRun(numbered("web-", 1, 100));
    assertThat(owner.runs).isEqualTo(1);
    owner.addRun(numbered("web-", 101, 100));
    assertThat(owner.runs).as("the stem has a run").isEqualTo(1);
    owner.addRun(numbered("y12345678", 1, 100));
    assertThat(owner.runs).as("from the tenth on a digit more is of the stem").isEqualTo(1);
    owner.addRun(numbered("y12345678", 10, 80));
    assertThat(owner.runs).as("y1 and nine digits").isEqualTo(2);
    owner.holdsExactly(asked());
  }

  @Example
  void aRunOfWhichFewNamesAreLeftIsGivenUp() {
    Owner owner = new Owner();
    owner.addRun(numbered("web-", 0, 100));
    for (int i = 0; i < 93; i++) {
      owner.remove("web-" + i);
    }
    owner.addRun(numbered("web-", 100, 100));
    assertThat(owner.runs).as("the stem has a run").isEqualTo(1);
    owner.remove("web-93");
    owner.addRun(numbered("web-", 100, 100));
    assertThat(owner.runs).as("the names left are single ones").isEqualTo(2);
    owner.holdsExactly(asked());
    owner.holdsExactly(List.copyOf(owner.oracle.keySet()));
  }

  private static String[] numbered(String stem, int first, int count) {
    return IntStream.range(first, first + count).mapToObj(i -> stem + i).toArray(String[]::new);
  }

  @Example
  void runsThatDoNotLookForTheNamesThatCameBeforeAreFoundOut() {
    Owner careless =
        new Owner() {
          private final WorkloadNames runsAlone = new WorkloadNames(owned::get);

          @Override
          int addRun(String[] run, int[] entries) {
            return runsAlone.addRun(run, 0, run.length, fresh(run), entries);
          }

          @Override
          int get(String name) {
            return Math.max(names.get(name), runsAlone.get(name));
          }
        };
    isFoundOut(careless);
  }

  @Example
  void aNameThatIsReadWithoutItsZerosIsFoundOut() {
    Owner careless =
        new Owner() {
          @Override
          int get(String name) {
            return super.get(name.replaceFirst("0+([1-9]+)$", "$1"));
          }
        };
    isFoundOut(careless);
  }

  private static void isFoundOut(Owner careless) {
    assertThatThrownBy(
            () -> {
              live(careless, new SplittableRandom(5), 400);
              careless.holdsExactly(asked());
            })
        .isInstanceOf(AssertionError.class);
  }
}

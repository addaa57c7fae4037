package io.lighthouse.core.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.core.oracle.NaiveFleet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Every sort orders as the library's stable sort of boxed indexes does. */
class IndexSortTest {
  private static final int[] LENGTHS = {0, 1, 2, 3, 7, 63, 64, 65, 300, 1_023, 1_024, 2_500};

  private final SplittableRandom random = new SplittableRandom(5);

  /** Indexes from 0 in no order, so that a place is not its index. */
  private int[] shuffled(int length) {
    int[] indexes = IntStream.range(0, length).toArray();
    for (int i = length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int index = indexes[i];
      indexes[i] = indexes[other];
      indexes[other] = index;
    }
    return indexes;
  }

  private static int[] boxed(int[] indexes, Comparator<Integer> order) {
    return Arrays.stream(indexes).boxed().sorted(order).mapToInt(Integer::intValue).toArray();
  }

  @Nested
  class ByKey {
    private interface Sort {
      void sort(int[] indexes, long[] keys);
    }

    private void check(Sort sort, long... keys) {
      int[] indexes = shuffled(keys.length);
      Integer[] places = IntStream.range(0, keys.length).boxed().toArray(Integer[]::new);
      Arrays.sort(places, (a, b) -> Long.compareUnsigned(keys[a], keys[b]));
      int[] expected = Arrays.stream(places).mapToInt(place -> indexes[place]).toArray();
      int[] sorted = indexes.clone();
      long[] keysOfSorted = keys.clone();
      sort.sort(sorted, keysOfSorted);
      assertThat(sorted).isEqualTo(expected);
      assertThat(keysOfSorted)
          .as("the keys go with them")
          .isEqualTo(Arrays.stream(places).mapToLong(place -> keys[place]).toArray());
    }

    private long[] keys(int length, long mask) {
      return random.longs(length).map(key -> key & mask).toArray();
    }

    @Test
    void isUnsignedAndStable() {
      for (int length : LENGTHS) {
        check(IndexSort::byKey, keys(length, -1L));
        check(IndexSort::byKey, keys(length, 7));
        check(IndexSort::byKey, keys(length, 0));
        check(IndexSort::byKey, keys(length, 1L << 63 | 1));
      }
      check(IndexSort::byKey, -1, 0, Long.MIN_VALUE, Long.MAX_VALUE, 1, -1, 0, Long.MIN_VALUE);
    }

    @Test
    void looksAtEveryBit() {
      for (int bit = 0; bit < 64; bit++) {
        for (int length : new int[] {40, 100, 1_100}) {
          check(IndexSort::byKey, keys(length, 1L << bit));
          check(IndexSort::byKey, keys(length, 1L << bit | 1L << bit / 2));
          check(IndexSort::byKey, oneOf(length, 1L << bit, 0));
        }
      }
    }

    @Test
    void takesDigitsThatAreAllOnesAndKeysThatShareTheirBits() {
      for (int length : new int[] {40, 100, 1_100}) {
        check(IndexSort::byKey, oneOf(length, 0b11111111111, 0b11111111110, 0, 1));
        check(IndexSort::byKey, oneOf(length, 0b11111111, 0b11111110, 0, 1));
        check(IndexSort::byKey, oneOf(length, -1, -2, -2048, -2047, -1L << 55, -1L << 44));
        long[] alike = keys(length, 0xFF00FF00FF00FF00L);
        for (int i = 0; i < alike.length; i++) {
          alike[i] |= 0x0055_0055_0055_0055L;
        }
        check(IndexSort::byKey, alike);
      }
    }

    private long[] oneOf(int length, long... values) {
      return random.ints(length, 0, values.length).mapToLong(i -> values[i]).toArray();
    }

    @Test
    void wouldNotPassIfItWereSignedOrNotStable() {
      Sort signed =
          (indexes, keys) -> {
            long[] turned = Arrays.stream(keys).map(key -> key ^ Long.MIN_VALUE).toArray();
            IndexSort.byKey(indexes, turned);
            Arrays.setAll(keys, i -> turned[i] ^ Long.MIN_VALUE);
          };
      assertThatThrownBy(() -> check(signed, -1, 0, 1)).isInstanceOf(AssertionError.class);
      assertThatThrownBy(() -> check(signed, keys(100, -1L))).isInstanceOf(AssertionError.class);
      Sort unstable =
          (indexes, keys) -> {
            reverse(indexes, keys);
            IndexSort.byKey(indexes, keys);
          };
      assertThatThrownBy(() -> check(unstable, 3, 3, 2)).isInstanceOf(AssertionError.class);
      assertThatThrownBy(() -> check(unstable, keys(100, 3))).isInstanceOf(AssertionError.class);
    }

    private void reverse(int[] indexes, long[] keys) {
      int[] indexesBefore = indexes.clone();
      long[] keysBefore = keys.clone();
      Arrays.setAll(indexes, i -> indexesBefore[indexes.length - 1 - i]);
      Arrays.setAll(keys, i -> keysBefore[keys.length - 1 - i]);
    }
  }

  @Nested
  class ByName {
    private interface Sort {
      void sort(int[] indexes, int start, int end, IntFunction<String> names);
    }

    /** Sorts a part in the middle and finds the rest as it was. */
    private void check(Sort sort, List<String> names) {
      int[] indexes = shuffled(names.size());
      int start = names.size() < 5 ? 0 : random.nextInt(3);
      int end = names.size() - (names.size() < 5 ? 0 : random.nextInt(3));
      int[] part =
          boxed(
              Arrays.copyOfRange(indexes, start, end),
              (a, b) -> NaiveFleet.compareNames(names.get(a), names.get(b)));
      int[] expected = indexes.clone();
      System.arraycopy(part, 0, expected, start, part.length);
      sort.sort(indexes, start, end, names::get);
      assertThat(indexes)
          .as("%d names such as %s", names.size(), names.isEmpty() ? "none" : names.get(0))
          .isEqualTo(expected);
    }

    /** Names of a prefix and up to {@code most} of the letters, which stand for any text. */
    private List<String> names(int count, String prefix, int most, String... letters) {
      List<String> names = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        StringBuilder name = new StringBuilder(prefix);
        for (int left = random.nextInt(most + 1); left > 0; left--) {
          name.append(letters[random.nextInt(letters.length)]);
        }
        names.add(name.toString());
      }
      return names;
    }

    private void checkAll(String prefix, int most, String... letters) {
      for (int length : LENGTHS) {
        check(IndexSort::byName, names(length, prefix, most, letters));
      }
    }

    @Test
    void ofNumberedNamesBehindASharedPrefix() {
      checkAll("node-", 4, "0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
      checkAll("", 4, "0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
    }

    @Test
    void thatDifferOnlyBehindTheEighthCharacterPastThePrefix() {
      checkAll("rack-", 14, "a", "b");
      checkAll("rack-aaaaaaaaaaaaaaaa", 3, "a", "b");
      for (int length : LENGTHS) {
        List<String> names = names(length, "abcdefgh", 3, "x", "y");
        names.replaceAll(name -> random.nextInt(9) == 0 ? "b" + name : "a" + name);
        check(IndexSort::byName, names);
      }
    }

    @Test
    void thatAreEmptyOrHoldTheCharacterZero() {
      checkAll("", 3, "\0", "a");
      checkAll("a", 10, "\0");
      checkAll("", 0, "unused");
    }

    @Test
    void ofAnyCharacterOfAByteAndTheFirstBeyondIt() {
      checkAll("", 3, "\1", "\177", "\200", "\377");
      checkAll("x", 3, "\376", "\377", "\u0100");
    }

    @Test
    void ofEveryScriptByCodePoint() {
      String rocket = "\ud83d\ude80";
      checkAll("", 3, "a", "\uff5e", rocket, "\u6f22");
      checkAll("a" + rocket, 2, "b", rocket, "\ud83d\ude81");
      for (int length : LENGTHS) {
        List<String> names = names(length, "", 9, "a", "b");
        names.replaceAll(name -> name + "abcdefgh");
        names.replaceAll(name -> name + (random.nextBoolean() ? rocket : "\uff5e"));
        check(IndexSort::byName, names);
      }
    }

    @Test
    void whateverTheFirstOfThemIs() {
      List<String> names = names(200, "prefix-", 3, "a", "b", "c");
      for (String odd : new String[] {"", "p", "prefix-", "prefix-aaaaaaaaaaaaaaaaaaa", "z"}) {
        names.set(random.nextInt(names.size()), odd);
        for (int i = 0; i < 20; i++) {
          check(IndexSort::byName, names);
        }
      }
    }

    @Test
    void areNotMovedWhereTheyAreInOrder() {
      List<String> names = names(500, "n", 5, "a", "b", "c");
      names.sort(NaiveFleet::compareNames);
      int[] indexes = IntStream.range(0, 500).toArray();
      int[] asked = new int[1];
      IndexSort.byName(
          indexes,
          0,
          500,
          index -> {
            asked[0]++;
            return names.get(index);
          });
      assertThat(indexes).isEqualTo(IntStream.range(0, 500).toArray());
      assertThat(asked[0]).as("each neighbour is looked at once").isEqualTo(2 * 499);
    }

    @Test
    void ofALongPartAreLookedAtAFewTimesEach() {
      int[] indexes = shuffled(2_000);
      int[] asked = new int[1];
      IndexSort.byName(
          indexes,
          0,
          2_000,
          index -> {
            asked[0]++;
            return "rack-12-node-" + (10_000 + index);
          });
      assertThat(indexes).isEqualTo(IntStream.range(0, 2_000).toArray());
      assertThat(asked[0]).as("by comparing them it would be some 40,000").isLessThan(3 * 2_000);
    }

    @Test
    void wouldNotPassInTheOrderOfStringsOrUnstable() {
      Sort byString =
          (indexes, start, end, names) -> {
            int[] part = Arrays.copyOfRange(indexes, start, end);
            IndexSort.by(part, (a, b) -> names.apply(a).compareTo(names.apply(b)));
            System.arraycopy(part, 0, indexes, start, part.length);
          };
      assertThatThrownBy(() -> check(byString, List.of("\uff5e", "\ud83d\ude80")))
          .isInstanceOf(AssertionError.class);
      Sort unstable =
          (indexes, start, end, names) -> {
            Arrays.sort(indexes, start, end);
            IndexSort.byName(indexes, start, end, names);
          };
      assertThatThrownBy(() -> check(unstable, Collections.nCopies(100, "alike")))
          .isInstanceOf(AssertionError.class);
      assertThatThrownBy(() -> check(unstable, names(100, "", 1, "a", "b")))
          .isInstanceOf(AssertionError.class);
    }
  }

  @Nested
  class ByAnyOrder {
    @Test
    void isStableAtEveryLength() {
      for (int length = 0; length < 140; length++) {
        int values = 1 + random.nextInt(12);
        int[] value = random.ints(length, 0, values).toArray();
        int[] indexes = shuffled(length);
        int[] expected = boxed(indexes, Comparator.comparing(index -> value[index]));
        IndexSort.by(indexes, (a, b) -> Integer.compare(value[a], value[b]));
        assertThat(indexes).isEqualTo(expected);
      }
    }

    @Test
    void comparesNeighboursOnlyWhereAllIsInOrder() {
      for (int alike : new int[] {1, 3, 2_000}) {
        int[] indexes = IntStream.range(0, 1_000).toArray();
        int[] compared = new int[1];
        IndexSort.by(
            indexes,
            (a, b) -> {
              compared[0]++;
              return Integer.compare(a / alike, b / alike);
            });
        assertThat(indexes).isEqualTo(IntStream.range(0, 1_000).toArray());
        assertThat(compared[0]).isEqualTo(999);
      }
    }

    @Test
    void comparesNoMoreThanTheLogarithmForEach() {
      int[] indexes = shuffled(1_024);
      int[] compared = new int[1];
      IndexSort.by(
          indexes,
          (a, b) -> {
            compared[0]++;
            return Integer.compare(a, b);
          });
      assertThat(indexes).isEqualTo(IntStream.range(0, 1_024).toArray());
      assertThat(compared[0]).isLessThanOrEqualTo(1_024 * 10);
    }
  }
}

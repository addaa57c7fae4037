package io.lighthouse.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionTest {
  @ParameterizedTest
  @CsvSource({
    "bin_pack, bin-pack",
    "binpak, bin-pack",
    "CPU, cpu",
    "remove, remove-node",
    "spraed, spread",
    "drian, drain",
    "ardin,",
    "cpx,",
    "xpu,",
    "spred-out,",
    "bin-pack-more,",
  })
  void isTheNearestKnownWord(String typed, String meant) {
    assertThat(Suggestion.of(typed, List.of("bin-pack", "spread", "drain", "cpu", "remove-node")))
        .isEqualTo(Optional.ofNullable(meant));
  }

  /** Of a name and a word for it that differ in style alone. */
  @ParameterizedTest
  @CsvSource({
    "bin-pak, bin-pack",
    "BinPak, BinPack",
    "binPck, BinPack",
    "bin-pck, bin-pack",
    "Bin-Pack, BinPack",
    "roundrobin, round-robin",
    "RoundRobbin, RoundRobin",
    "Prioritised, Prioritized",
    "prioritised, prioritized",
  })
  void isWrittenAsItWasTyped(String typed, String meant) {
    List<String> words =
        List.of("Prioritized", "RoundRobin", "BinPack", "bin-pack", "prioritized", "round-robin");
    assertThat(Suggestion.of(typed, words)).contains(meant);
    List<String> reversed = new ArrayList<>(words);
    Collections.reverse(reversed);
    assertThat(Suggestion.of(typed, reversed)).contains(meant);
  }

  /** All pairs of words of up to seven letters a and b, beside the whole table of distances. */
  @Test
  void theBandOfTheTableDecidesAsTheWholeTable() {
    List<String> words = new ArrayList<>(List.of(""));
    for (int i = 0; words.get(i).length() < 7; i++) {
      words.add(words.get(i) + "a");
      words.add(words.get(i) + "b");
    }
    for (String typed : words) {
      int allowed = typed.length() < 4 ? 0 : typed.length() < 6 ? 1 : 2;
      for (String known : words) {
        assertThat(Suggestion.of(typed, List.of(known)).isPresent())
            .as("%s for %s", known, typed)
            .isEqualTo(distance(typed, known) <= allowed);
      }
    }
  }

  private static int distance(String from, String to) {
    int[][] table = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        if (i == 0 || j == 0) {
          table[i][j] = i + j;
        } else {
          int replaced = table[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
          table[i][j] = Math.min(replaced, 1 + Math.min(table[i - 1][j], table[i][j - 1]));
          if (i > 1 && j > 1 && from.substring(i - 2, i).equals(swapped(to.substring(j - 2, j)))) {
            table[i][j] = Math.min(table[i][j], 1 + table[i - 2][j - 2]);
          }
        }
      }
    }
    return table[from.length()][to.length()];
  }

  private static String swapped(String two) {
    return new StringBuilder(two).reverse().toString();
  }
}

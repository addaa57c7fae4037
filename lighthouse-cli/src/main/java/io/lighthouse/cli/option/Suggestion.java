package io.lighthouse.cli.option;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** The word that was probably meant. */
final class Suggestion {
  /** Most letters that may be wrong. */
  private static final int MOST = 2;

  private Suggestion() {}

  /** The known word that is nearest to a typed one, whatever its case, hyphens and blanks. */
  static Optional<String> of(String typed, Collection<String> known) {
    String best = null;
    int least = MOST + 1;
    for (String word : known) {
      int wrong = distance(plain(typed), plain(word));
      if (wrong < least) {
        least = wrong;
        best = word;
      }
    }
    return Optional.ofNullable(best);
  }

  private static String plain(String word) {
    return word.toLowerCase(Locale.ROOT).replaceAll("[-_ ]", "");
  }

  /** The Levenshtein distance: letters to be put in, left out or replaced. */
  private static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}

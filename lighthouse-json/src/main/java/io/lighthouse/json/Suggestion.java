package io.lighthouse.json;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The word that was probably meant. */
public final class Suggestion {
  /** From this length on, one letter may be wrong; from the next, two. */
  private static final int ONE_WRONG = 4;

  private static final int TWO_WRONG = 6;

  /** The distance with case, hyphens and blanks from which on words count as equally near. */
  private static final int MAX_STYLE = 16;

  private Suggestion() {}

  /**
   * The known word that is nearest to a typed one, whatever its case, hyphens and blanks. Of short
   * words hardly a letter may be wrong. Among words that are equally near, the nearest with case,
   * hyphens and blanks is chosen, so that {@code bin-pak} means {@code bin-pack} and not {@code
   * BinPack}; and of these the first. A typed word may also be the first part of one known word, as
   * {@code remove} is of {@code remove-node}.
   *
   * @param typed what was typed
   * @param known the words that are known
   * @return the word; nothing where none is near
   */
  public static Optional<String> of(String typed, Collection<String> known) {
    return begunBy(typed, known).or(() -> nearest(typed, known));
  }

  private static Optional<String> nearest(String typed, Collection<String> known) {
    String plain = plain(typed);
    String best = null;
    int least = plain.length() < ONE_WRONG ? 0 : plain.length() < TWO_WRONG ? 1 : 2;
    int style = 0;
    for (String word : known) {
      int wrong = distance(plain, plain(word), least + 1);
      if (wrong > least) {
        continue;
      }
      boolean nearer = best == null || wrong < least;
      int asTyped = distance(typed, word, nearer ? MAX_STYLE : style);
      if (nearer || asTyped < style) {
        least = wrong;
        style = asTyped;
        best = word;
      }
    }
    return Optional.ofNullable(best);
  }

  /**
   * The same as the end of a sentence.
   *
   * @param typed what was typed
   * @param known the words that are known
   * @return such as {@code ; did you mean bin-pack?}; empty where no word is near
   */
  public static String question(String typed, Collection<String> known) {
    return of(typed, known).map(word -> "; did you mean " + word + "?").orElse("");
  }

  /**
   * The name that a message quotes.
   *
   * @param found what was found, such as {@code 'n9'}
   * @return the name without the quotes; the text itself where it begins with none
   */
  public static String unquoted(String found) {
    return found.replaceFirst("^'(.*)'.*$", "$1");
  }

  /** The only known word whose first part was typed. */
  private static Optional<String> begunBy(String typed, Collection<String> known) {
    String first = typed.toLowerCase(Locale.ROOT) + "-";
    List<String> begun = known.stream().filter(word -> word.startsWith(first)).toList();
    return begun.size() == 1 ? Optional.of(begun.get(0)) : Optional.empty();
  }

  private static String plain(String word) {
    return word.toLowerCase(Locale.ROOT).replaceAll("[-_ ]", "");
  }

  /**
   * The optimal string alignment distance: letters to be put in, left out, replaced or swapped with
   * the next. It is exact below the bound, and otherwise the bound or more: so only a band of the
   * table is computed, and the cost is linear in the lengths.
   */
  private static int distance(String from, String to, int bound) {
    if (Math.abs(from.length() - to.length()) >= bound) {
      return bound;
    }
    int[] earlier = new int[to.length() + 1];
    int[] before = new int[to.length() + 1];
    int[] row = new int[to.length() + 1];
    Arrays.setAll(row, j -> j);
    for (int i = 1; i <= from.length(); i++) {
      int[] free = earlier;
      earlier = before;
      before = row;
      row = free;
      int first = Math.max(1, i - bound);
      int last = Math.min(to.length(), i + bound);
      Arrays.fill(row, first - 1, Math.min(row.length, last + 2), bound);
      row[0] = i;
      for (int j = first; j <= last; j++) {
        boolean same = from.charAt(i - 1) == to.charAt(j - 1);
        row[j] = Math.min(before[j - 1] + (same ? 0 : 1), 1 + Math.min(before[j], row[j - 1]));
        if (i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1)) {
          row[j] = Math.min(row[j], 1 + earlier[j - 2]);
        }
      }
    }
    return row[to.length()];
  }
}

package io.lighthouse.server.http;

import io.lighthouse.json.Suggestion;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Finds the path that was probably meant, for requests at paths without a route. */
final class NearestPath {
  /** Longer paths have no nearest one, and longer words are similar to none. */
  private static final int MOST_SEGMENTS = 8;

  private static final int LONGEST_WORD = 40;

  /** The cost of a segment that the known path does not have. */
  private static final int TOO_MANY = 2;

  /** The cost of a segment that only the known path has. */
  private static final int MISSING = 1;

  private NearestPath() {}

  /**
   * The known path with the fewest differences, of those that have a word in common. Words that are
   * similar count as common, and so do parts: {@code explain} of {@code explain-workload}.
   *
   * @param path the path of a request
   * @param known the paths of the routes, with names in braces where any segment may stand
   * @return the first of the nearest paths; empty where no word is common
   */
  static Optional<String> of(String path, Collection<String> known) {
    List<String> given = segments(path);
    if (given.size() > MOST_SEGMENTS) {
      return Optional.empty();
    }
    String nearest = null;
    int least = Integer.MAX_VALUE;
    for (String candidate : known) {
      List<String> words = segments(candidate);
      if (given.stream().anyMatch(one -> words.stream().anyMatch(word -> isSimilar(one, word)))) {
        int cost = cost(given, words);
        nearest = cost < least ? candidate : nearest;
        least = Math.min(cost, least);
      }
    }
    return Optional.ofNullable(nearest);
  }

  private static List<String> segments(String path) {
    return Arrays.stream(path.split("/")).filter(segment -> !segment.isEmpty()).toList();
  }

  private static boolean isSimilar(String given, String word) {
    return given.length() <= LONGEST_WORD
        && !word.startsWith("{")
        && (List.of(word.split("-")).contains(given)
            || Suggestion.of(given, List.of(word)).isPresent());
  }

  /** The edit distance of two lists of segments. */
  private static int cost(List<String> given, List<String> words) {
    int[] row = new int[words.size() + 1];
    for (int j = 1; j <= words.size(); j++) {
      row[j] = row[j - 1] + MISSING;
    }
    for (String segment : given) {
      int diagonal = row[0];
      row[0] += TOO_MANY;
      for (int j = 1; j <= words.size(); j++) {
        int replaced = diagonal + difference(segment, words.get(j - 1));
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j] + TOO_MANY, row[j - 1] + MISSING));
      }
    }
    return row[words.size()];
  }

  private static int difference(String given, String word) {
    if (word.equals(given)) {
      return 0;
    }
    return word.startsWith("{") || isSimilar(given, word) ? 1 : TOO_MANY + MISSING;
  }
}

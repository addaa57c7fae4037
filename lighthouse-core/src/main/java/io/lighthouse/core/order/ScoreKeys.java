package io.lighthouse.core.order;

import java.util.Arrays;

/**
 * Keys of a kept order, side by side: a score of 128 bits or more, then the label of a name ({@link
 * NameOrder}). Equal keys belong to the same node. A batch is sorted by the scores alone.
 */
public final class ScoreKeys {
  /** The upper 64 bits of each score, signed, and the next 64 bits, unsigned. */
  private long[] high;

  private long[] low;

  /** The words below these, the higher first; [key * lowerWords + word]. */
  private long[] lower;

  private final int lowerWords;
  private long[] label;

  /**
   * Makes keys of scores.
   *
   * @param lowerWords how many words a score has beyond the upper two
   */
  public ScoreKeys(int count, int lowerWords) {
    this.lowerWords = lowerWords;
    high = new long[count];
    low = new long[count];
    lower = new long[count * lowerWords];
    label = new long[count];
  }

  void grow(int count) {
    high = Arrays.copyOf(high, count);
    low = Arrays.copyOf(low, count);
    lower = Arrays.copyOf(lower, count * lowerWords);
    label = Arrays.copyOf(label, count);
  }

  public long high(int at) {
    return high[at];
  }

  public long low(int at) {
    return low[at];
  }

  long label(int at) {
    return label[at];
  }

  /** Stores the score computed last; returns whether it differs from the one before. */
  public boolean score(int at, Scores scores) {
    boolean same = high[at] == scores.high() && low[at] == scores.low();
    high[at] = scores.high();
    low[at] = scores.low();
    for (int word = 0; word < lowerWords; word++) {
      int in = at * lowerWords + word;
      same &= lower[in] == scores.lower(word);
      lower[in] = scores.lower(word);
    }
    return !same;
  }

  void label(int at, long of) {
    label[at] = of;
  }

  /** Sets a key that no other is below. */
  void lowest(int at) {
    fill(at, Long.MIN_VALUE, 0, Long.MIN_VALUE);
  }

  /** Sets a key that no other is above. */
  void highest(int at) {
    fill(at, Long.MAX_VALUE, -1, Long.MAX_VALUE);
  }

  private void fill(int at, long highest, long others, long labelled) {
    high[at] = highest;
    low[at] = others;
    Arrays.fill(lower, at * lowerWords, (at + 1) * lowerWords, others);
    label[at] = labelled;
  }

  void copy(int at, ScoreKeys other, int from) {
    high[at] = other.high[from];
    low[at] = other.low[from];
    System.arraycopy(other.lower, from * lowerWords, lower, at * lowerWords, lowerWords);
    label[at] = other.label[from];
  }

  /** Moves a run of keys to another place among these. */
  void move(int from, int to, int count) {
    System.arraycopy(high, from, high, to, count);
    System.arraycopy(low, from, low, to, count);
    System.arraycopy(lower, from * lowerWords, lower, to * lowerWords, count * lowerWords);
    System.arraycopy(label, from, label, to, count);
  }

  public int compareScores(int at, ScoreKeys other, int with) {
    int compared = Scores.compare(high[at], low[at], other.high[with], other.low[with]);
    for (int word = 0; word < lowerWords && compared == 0; word++) {
      compared =
          Long.compareUnsigned(
              lower[at * lowerWords + word], other.lower[with * lowerWords + word]);
    }
    return compared;
  }

  int compare(int at, ScoreKeys other, int with) {
    int compared = compareScores(at, other, with);
    return compared != 0 ? compared : Long.compare(label[at], other.label[with]);
  }
}

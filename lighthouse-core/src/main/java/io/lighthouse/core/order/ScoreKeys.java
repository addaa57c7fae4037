package io.lighthouse.core.order;

import java.util.Arrays;

/**
 * Keys of a kept order, side by side: a score of 128 bits or more, then the label of a name ({@link
 * NameOrder}). Equal keys belong to the same node. A batch is sorted by the scores alone.
 */
public final class ScoreKeys {
  /** The scores, the highest word first: that one signed, the others not; [key * words + word]. */
  private long[] scores;

  private final int words;
  private long[] label;

  /**
   * Makes keys of scores.
   *
   * @param words how many words a score has
   */
  public ScoreKeys(int count, int words) {
    this.words = words;
    scores = new long[count * words];
    label = new long[count];
  }

  void grow(int count) {
    scores = Arrays.copyOf(scores, count * words);
    label = Arrays.copyOf(label, count);
  }

  /** The upper 64 bits of a score, signed. */
  public long high(int at) {
    return scores[at * words];
  }

  /** The next 64 bits of a score, unsigned. */
  public long low(int at) {
    return scores[at * words + 1];
  }

  long label(int at) {
    return label[at];
  }

  /** Stores the score computed last; returns whether it differs from the one before. */
  public boolean score(int at, Scores scores) {
    boolean same = true;
    for (int word = 0, in = at * words; word < words; word++, in++) {
      same &= this.scores[in] == scores.word(word);
      this.scores[in] = scores.word(word);
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
    Arrays.fill(scores, at * words, (at + 1) * words, others);
    scores[at * words] = highest;
    label[at] = labelled;
  }

  void copy(int at, ScoreKeys other, int from) {
    System.arraycopy(other.scores, from * words, scores, at * words, words);
    label[at] = other.label[from];
  }

  /** Moves a run of keys to another place among these. */
  void move(int from, int to, int count) {
    System.arraycopy(scores, from * words, scores, to * words, count * words);
    System.arraycopy(label, from, label, to, count);
  }

  public int compareScores(int at, ScoreKeys other, int with) {
    long[] others = other.scores;
    int in = at * words;
    int from = with * words;
    int compared = Long.compare(scores[in], others[from]);
    if (compared == 0) {
      compared = Long.compareUnsigned(scores[in + 1], others[from + 1]);
    }
    for (int word = 2; word < words && compared == 0; word++) {
      compared = Long.compareUnsigned(scores[in + word], others[from + word]);
    }
    return compared;
  }

  int compare(int at, ScoreKeys other, int with) {
    int compared = compareScores(at, other, with);
    return compared != 0 ? compared : Long.compare(label[at], other.label[with]);
  }
}

package io.lighthouse.core.feasibility;

import io.lighthouse.api.Rubric;
import io.lighthouse.core.ledger.Ledger;

/** The order of the nodes of one ledger by score, then name. */
public final class ScoreOrder {
  private final Rubric rubric;
  private final Ledger ledger;

  /** Null where stale. */
  private Scores scores;

  ScoreOrder(Rubric rubric, Ledger ledger) {
    this.rubric = rubric;
    this.ledger = ledger;
  }

  /**
   * Compares two nodes.
   *
   * @param a the index of a node
   * @param b the index of another
   * @param descending whether the higher score stands first; names always ascend
   * @return negative if {@code a} stands first; 0 only for the same node
   */
  public int compare(int a, int b, boolean descending) {
    return scores().compareNodes(a, b, descending);
  }

  Rubric rubric() {
    return rubric;
  }

  Scores scores() {
    if (scores == null) {
      scores = new Scores(rubric, ledger);
    }
    return scores;
  }

  void reshaped() {
    scores = null;
  }
}

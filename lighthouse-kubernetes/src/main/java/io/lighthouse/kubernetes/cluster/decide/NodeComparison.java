package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.api.advice.Choice;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/**
 * A node that another scheduler chose for a pod, beside the node that Lighthouse would choose.
 * Immutable.
 *
 * @param kind how the two compare
 * @param node the name of the node that Lighthouse would choose; empty where it has none
 * @param by the filter, the preference or the strategy that decides; empty where nothing does. One
 *     of few texts, so that they can be counted
 * @param reason why, for people; empty where the nodes are the same
 */
public record NodeComparison(Kind kind, String node, String by, String reason) {
  /** How two nodes compare. */
  public enum Kind {
    /** Lighthouse chooses the same node. */
    SAME,
    /** Lighthouse chooses the same node, the only one that the pod fits. */
    ONLY,
    /** Lighthouse chooses another node, which is equal by all preferences and by the score. */
    EQUAL,
    /** Lighthouse ranks another node better. */
    RANKED,
    /** Lighthouse refuses the node, and would choose another one. */
    REFUSED,
    /** Lighthouse finds no node for the pod. */
    NO_NODE,
    /** The pod needs what Lighthouse does not support. */
    UNSUPPORTED
  }

  /** The parts of a share in {@link Choice.Order#FULLEST}. */
  private static final BigDecimal PARTS = BigDecimal.valueOf(1L << 30);

  static NodeComparison unsupported(String what) {
    return new NodeComparison(Kind.UNSUPPORTED, "", "not supported", "not supported: " + what);
  }

  /**
   * Compares two nodes that a pod fits.
   *
   * @param best the node that Lighthouse would choose
   * @param other the other node
   * @param preferences what those of the pod are, the most important first
   */
  static NodeComparison of(
      Choice choice,
      Choice.Candidate best,
      Choice.Candidate other,
      List<String> preferences,
      String strategy) {
    String node = best.node();
    if (node.equals(other.node())) {
      return new NodeComparison(
          choice.candidates().size() == 1 ? Kind.ONLY : Kind.SAME, node, "", "");
    }
    for (int i = 0; i < best.excess().size(); i++) {
      long ours = best.excess().get(i);
      long theirs = other.excess().get(i);
      if (ours != theirs) {
        String by = preferences.get(i);
        return new NodeComparison(
            Kind.RANKED,
            node,
            by,
            ("preference " + (i + 1) + " of " + preferences.size() + ": ")
                + (node + " exceeds it by " + ours + ", " + other.node() + " by " + theirs));
      }
    }
    if (isEqual(choice.order(), best, other)) {
      return new NodeComparison(Kind.EQUAL, node, "", "equal by the strategy " + strategy);
    }
    String by = "strategy " + strategy;
    return new NodeComparison(Kind.RANKED, node, by, scores(choice, best, other));
  }

  /** Whether no more than the order of nodes is between them. */
  private static boolean isEqual(
      Choice.Order order, Choice.Candidate best, Choice.Candidate other) {
    return switch (order) {
      case SCORE, FULLEST, VARIANCE -> best.score().equals(other.score());
      case STRATEGY -> !best.terms().isEmpty() && best.terms().equals(other.terms());
      case NODES, TURN, COMPARATOR, BATCH -> false;
    };
  }

  private static String scores(Choice choice, Choice.Candidate best, Choice.Candidate other) {
    return switch (choice.order()) {
      case FULLEST ->
          "fullest resource in use after it: " + pair(best, share(best), other, share(other));
      case SCORE, VARIANCE -> "score: " + pair(best, score(best), other, score(other));
      case NODES -> "the first node that fits, in the order of nodes";
      case TURN -> "the next node of its round";
      case COMPARATOR, STRATEGY, BATCH -> "its own order";
    };
  }

  private static String pair(
      Choice.Candidate best, String ours, Choice.Candidate other, String theirs) {
    return best.node() + " " + ours + ", " + other.node() + " " + theirs;
  }

  private static String score(Choice.Candidate candidate) {
    return candidate.score().map(Object::toString).orElse("none");
  }

  private static String share(Choice.Candidate candidate) {
    return candidate
        .score()
        .map(
            parts ->
                parts
                        .toBigDecimal()
                        .movePointRight(2)
                        .divide(PARTS, 2, RoundingMode.HALF_UP)
                        .toPlainString()
                    + " %")
        .orElse("none");
  }
}

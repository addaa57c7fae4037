package io.lighthouse.api;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Why a workload goes to one node and not to the next: the nodes that it fits, in the order of its
 * strategy. Immutable and thread-safe.
 *
 * <p>Friendly nodes stand before averse ones, of these the ones with the least excess of the first
 * preference, then of the next, and only then counts what the strategy asked for.
 *
 * @param workload the name of the workload
 * @param order what the strategy asked for: the last question of it that was answered with the node
 *     it chose
 * @param descending whether the highest score stands first
 * @param placed whether the first candidate takes it; false where the strategy declines all
 * @param candidates the nodes that the workload fits, the chosen one first; empty where there is
 *     none
 * @param decider the first thing in which the chosen one and the next differ
 * @param detail of a preference its number, from 1; of a term its name; else empty
 */
public record Choice(
    String workload,
    Order order,
    boolean descending,
    boolean placed,
    List<Candidate> candidates,
    Decider decider,
    String detail) {
  /** Copies. */
  public Choice {
    Objects.requireNonNull(workload, "workload");
    Objects.requireNonNull(order, "order");
    Objects.requireNonNull(decider, "decider");
    Objects.requireNonNull(detail, "detail");
    candidates = List.copyOf(candidates);
  }

  /**
   * The node that the workload goes to.
   *
   * @return its name, or nothing where no node takes it
   */
  public Optional<String> chosen() {
    return placed ? Optional.of(candidates.get(0).node()) : Optional.empty();
  }

  /** In which order the candidates stand; the lowest score first, unless it is descending. */
  public enum Order {
    /** The order of nodes. Score: the place, from 1. */
    NODES,
    /** From just behind a node, wrapping round. Score: how many nodes behind it. */
    TURN,
    /** By a rubric, equal ones by name. Score: the sum of weight times what is left. */
    SCORE,
    /**
     * By the fullest resource with the workload on the node, equal ones in the order of nodes.
     * Score: the largest share in use, in parts of 2^30; see {@code Candidates.emptiest}.
     */
    FULLEST,
    /**
     * By how evenly the resources are then in use, equal ones in the order of nodes. Score: the
     * variance of the shares, in parts of 2^22; see {@code Candidates.mostEven}.
     */
    VARIANCE,
    /**
     * By a comparator of the strategy, equal ones in the order of nodes; what is no candidate for
     * it, since another is friendlier or preferred, in the order of nodes. No score.
     */
    COMPARATOR,
    /**
     * The strategy looked at the candidates by itself. The chosen one is followed by the others by
     * the strategy's own terms, the smallest first, equal ones in the order of nodes. No score.
     * Also where it was not asked, since no node fits.
     */
    STRATEGY,
    /**
     * The strategy places whole batches at once, so it has no order for one workload. The chosen
     * one is followed by the others in the order of nodes, at the end of the batch. No score.
     */
    BATCH
  }

  /** The first thing in which the chosen node and the next differ. */
  public enum Decider {
    /** There is no other node that it fits, or it goes nowhere. */
    NOTHING,
    /** The next one is averse to it. */
    AVERSION,
    /** The next one has more excess of a preference. */
    PREFERENCE,
    /** The score. */
    SCORE,
    /** Equal scores, so the name. */
    NAME,
    /** The order of nodes; of round robin, from the node behind the last. */
    NODES,
    /** The strategy's comparator. */
    COMPARATOR,
    /** A term that the strategy tells. */
    TERM,
    /** The strategy, which does not tell. */
    STRATEGY
  }

  /**
   * A node that the workload fits.
   *
   * @param node its name
   * @param averse whether it holds somebody of an aversion group of the workload
   * @param excess of each preference of the workload, in their order, by how much the node is off;
   *     0 where it meets it
   * @param score what the order compares; nothing where it has no score
   * @param terms what the score is made of, by resource in the order of names, then the strategy's
   *     own
   */
  public record Candidate(
      String node, boolean averse, List<Long> excess, Optional<Quantity> score, List<Term> terms) {
    /** Copies. */
    public Candidate {
      Objects.requireNonNull(node, "node");
      Objects.requireNonNull(score, "score");
      excess = List.copyOf(excess);
      terms = List.copyOf(terms);
    }
  }

  /**
   * What one resource, or anything else that counts, contributes.
   *
   * @param name of a resource, or of what counts
   * @param amount for {@link Order#SCORE} what is left; for a share what is in use with the
   *     workload; else the value
   * @param of for {@link Order#SCORE} the weight; for a share the capacity; else 1
   * @param value for {@link Order#SCORE} their product; for a share the share, rounded down to a
   *     whole number of parts: of 2^30 for {@link Order#FULLEST}, of 2^24 for {@link
   *     Order#VARIANCE}
   */
  public record Term(String name, Quantity amount, Quantity of, Quantity value) {
    /** Checks that nothing is null. */
    public Term {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(amount, "amount");
      Objects.requireNonNull(of, "of");
      Objects.requireNonNull(value, "value");
    }

    /**
     * A term of a strategy.
     *
     * @param name what counts
     * @param value how much
     * @return the term
     */
    public static Term of(String name, Quantity value) {
      return new Term(name, value, Quantity.ONE, value);
    }
  }
}

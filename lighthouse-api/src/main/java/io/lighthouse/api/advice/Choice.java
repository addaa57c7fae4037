package io.lighthouse.api.advice;

import io.lighthouse.api.quantity.Quantity;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Why a workload is placed on one node and not on the next best: the nodes that it fits, in the
 * order of its strategy. Immutable and thread-safe.
 *
 * <p>Friendly nodes come before averse ones. Equally friendly nodes are sorted by the excess of the
 * first preference, then of the second, and so on, and last by the strategy's own order.
 *
 * @param workload the name of the workload
 * @param order the strategy's order: the last of its queries that returned the chosen node
 * @param descending whether the highest score comes first
 * @param placed whether it is placed on the first candidate; false if the strategy declines all, or
 *     its gang is not placed
 * @param candidates the nodes that the workload fits, the chosen one first; empty if it fits none
 * @param decider the first criterion by which the chosen node and the next differ
 * @param detail for a preference its number, from 1; for a term its name; else empty
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
   * The chosen node.
   *
   * @return its name; empty if no node takes the workload
   */
  public Optional<String> chosen() {
    return placed ? Optional.of(candidates.get(0).node()) : Optional.empty();
  }

  /** The order of the candidates: the lowest score first, unless it is descending. */
  public enum Order {
    /** The order of nodes. Score: the place, from 1. */
    NODES,
    /** From just after a node, wrapping round. Score: the distance from that node, in nodes. */
    TURN,
    /** By a rubric, equal ones by name. Score: the sum of each weight times the amount left. */
    SCORE,
    /**
     * By the fullest resource with the workload on the node, equal ones in the order of nodes.
     * Score: the largest share in use, in parts of 2^30; see {@code Candidates.emptiest}.
     */
    FULLEST,
    /**
     * By how evenly the resources are in use with the workload on the node, equal ones in the order
     * of nodes. Score: the variance of the shares, in parts of 2^22; see {@code
     * Candidates.mostEven}.
     */
    VARIANCE,
    /**
     * By a comparator of the strategy, equal ones in the order of nodes. Nodes that were not
     * offered to it, because others are friendlier or preferred, come in the order of nodes. No
     * score.
     */
    COMPARATOR,
    /**
     * The strategy examined the candidates itself. The chosen node comes first. The others follow
     * by the strategy's own terms, the smallest first, equal ones in the order of nodes. No score.
     * This is also the order if no node fits and the strategy was not called.
     */
    STRATEGY,
    /**
     * The strategy places whole batches at once, so it has no order for one workload. The chosen
     * node comes first, and the others follow in the order of nodes. The state is that at the end
     * of the batch. No score.
     */
    BATCH
  }

  /** The first criterion by which the chosen node and the next differ. */
  public enum Decider {
    /** The workload fits no other node, or is not placed. */
    NOTHING,
    /** The next node is averse to the workload. */
    AVERSION,
    /** The next node has more excess of a preference. */
    PREFERENCE,
    /** The score. */
    SCORE,
    /** The name, since the scores are equal. */
    NAME,
    /** The order of nodes; for round robin, starting after the last used node. */
    NODES,
    /** The strategy's comparator. */
    COMPARATOR,
    /** A term that the strategy reports. */
    TERM,
    /** The strategy, which reports no terms. */
    STRATEGY
  }

  /**
   * A node that the workload fits.
   *
   * @param node its name
   * @param averse whether it holds a workload that shares an aversion group with this one
   * @param excess for each preference of the workload, in their order, by how much the node
   *     violates it; 0 if it meets the preference
   * @param score the value that the order compares; empty if the order has no score
   * @param terms the parts of the score, by resource in the order of names, then the strategy's own
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
   * The contribution of one resource, or of another criterion, to a score.
   *
   * @param name the name of the resource or criterion
   * @param amount for {@link Order#SCORE} the amount left; for a share the amount in use with the
   *     workload; else the value
   * @param of for {@link Order#SCORE} the weight; for a share the capacity; else 1
   * @param value for {@link Order#SCORE} the product of the two; for a share the share, rounded
   *     down to a whole number of parts: of 2^30 for {@link Order#FULLEST}, of 2^24 for {@link
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
     * @param name the name of the criterion
     * @param value its value
     * @return the term
     */
    public static Term of(String name, Quantity value) {
      return new Term(name, value, Quantity.ONE, value);
    }
  }
}

package io.lighthouse.api;

import java.util.Objects;

/**
 * A kind of node that can be had at a price. Immutable and thread-safe.
 *
 * @param like what each such node is, without workloads; its name is that of the kind, and nodes of
 *     the kind are named as it with {@code -1}, {@code -2} and so on behind it
 * @param price what one costs, 0 or more, finite
 * @param limit how many there are at most, 0 or more; {@link Integer#MAX_VALUE} for as many as are
 *     wanted
 */
public record Offer(Node like, Quantity price, int limit) {
  /**
   * Checks.
   *
   * @throws InvalidInputException if the price is below 0 or infinite, the limit below 0, or the
   *     node brings workloads
   */
  public Offer {
    Objects.requireNonNull(like, "like");
    String subject = "offer '" + like.name() + "'";
    if (price.isInfinite() || price.signum() < 0) {
      throw new InvalidInputException(
          subject, "price", price.toString(), "a finite decimal, 0 or more");
    }
    if (limit < 0) {
      throw new InvalidInputException(
          subject, "limit", String.valueOf(limit), "a whole number from 0");
    }
    if (!like.workloads().isEmpty()) {
      throw new InvalidInputException(
          subject, "workloads", like.workloads().size() + " on the node", "nodes that are empty");
    }
  }

  /**
   * The name of the kind.
   *
   * @return the name
   */
  public String name() {
    return like.name();
  }
}

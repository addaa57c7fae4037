package io.lighthouse.api.advice;

import io.lighthouse.api.Node;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import java.util.Objects;

/**
 * A kind of node that can be added at a price. Immutable and thread-safe.
 *
 * @param like the model of each such node, without workloads. Its name is that of the kind. The
 *     nodes of the kind are named after it, with {@code -1}, {@code -2} and so on appended
 * @param price the price of one node, 0 or more, finite
 * @param limit how many nodes there are at most, 0 or more; {@link Integer#MAX_VALUE} for no limit
 */
public record Offer(Node like, Quantity price, int limit) {
  /**
   * Checks.
   *
   * @throws InvalidInputException if the price is below 0 or infinite, the limit is below 0, or the
   *     node brings workloads along
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

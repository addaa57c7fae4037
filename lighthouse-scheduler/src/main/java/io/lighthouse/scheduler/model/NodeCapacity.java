package io.lighthouse.scheduler.model;

import io.lighthouse.api.Resources;
import io.lighthouse.api.error.InvalidInputException;

/**
 * What a node has, at the start of a pass. Immutable.
 *
 * <p>Quantities are from 0 to 1e900. The {@link io.lighthouse.scheduler.port.CapacityBook} keeps to
 * that range: only an infinite quantity in use is refused here.
 *
 * @param offered what can be used now: the sum of its open offers
 * @param inUse what our running tasks use; finite quantities
 * @param watermark the most that was seen on it recently, offered and in use together; it names
 *     every resource that {@code offered} names, with 0 where it was not given
 * @param total what it has in all, where that is known; empty where it is not. The watermark may be
 *     too high where it is not: what is freed may be offered before its task is known to have ended
 */
public record NodeCapacity(
    Resources offered, Resources inUse, Resources watermark, Resources total) {
  /** Nothing at all: the capacity of a node that nothing is known of. */
  public static final NodeCapacity NONE =
      new NodeCapacity(Resources.none(), Resources.none(), Resources.none());

  /**
   * The capacity of a node whose total is not known.
   *
   * @param offered what can be used now
   * @param inUse what our running tasks use
   * @param watermark the most that was seen on it recently
   * @throws InvalidInputException if an infinite quantity is in use
   */
  public NodeCapacity(Resources offered, Resources inUse, Resources watermark) {
    this(offered, inUse, watermark, Resources.none());
  }

  /**
   * Checks, and completes the watermark.
   *
   * @throws InvalidInputException if an infinite quantity is in use
   */
  public NodeCapacity {
    for (int i = 0; i < inUse.size(); i++) {
      if (inUse.quantity(i).isInfinite()) {
        throw new InvalidInputException(
            "node capacity", "inUse." + inUse.name(i), inUse.quantity(i).toString(), "a decimal");
      }
    }
    for (int i = 0; i < offered.size(); i++) {
      if (!watermark.has(offered.name(i))) {
        watermark = watermark.with(offered.name(i), 0);
      }
    }
  }
}

package io.lighthouse.scheduler.model;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.api.error.InvalidInputException;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;

/**
 * A lease: an agent lends us resources. It is used once, may be rescinded at any time, and must be
 * accepted or declined. Immutable.
 *
 * @param id unique among the offers of a session
 * @param agent the agent that lends
 * @param session the session of the scheduler that it was made to
 * @param resources quantities from 0 to 1e900; rounded down to nine digits after the point
 * @param received when it came
 */
public record ResourceOffer(
    String id, String agent, String session, Resources resources, Instant received) {
  /** The oldest first; of one time by id. */
  public static final Comparator<ResourceOffer> OLDEST_FIRST =
      Comparator.comparing(ResourceOffer::received).thenComparing(ResourceOffer::id, Names.order());

  /**
   * Checks.
   *
   * @throws InvalidInputException if an id is empty or ill-formed, or a quantity is negative or
   *     above 1e900
   */
  public ResourceOffer {
    Names.require(id, "offer", "id");
    Names.require(agent, "offer '" + id + "'", "agent");
    Names.require(session, "offer '" + id + "'", "session");
    resources = ResourceVectors.offered(resources, "offer '" + id + "'");
    Objects.requireNonNull(received, "received");
  }
}

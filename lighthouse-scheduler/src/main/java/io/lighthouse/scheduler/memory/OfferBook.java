package io.lighthouse.scheduler.memory;

import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.model.Amounts;
import io.lighthouse.scheduler.model.NodeCapacity;
import io.lighthouse.scheduler.model.Offer;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.CapacityBook;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The book of a cluster manager that makes offers. Offers may come and be rescinded at any time,
 * from any thread; they are filed at the next refresh.
 *
 * <p>The <em>watermark</em> of an agent is the most that was seen on it recently, offered and in
 * use together. It is reset every five minutes to the peak since the last reset, so a peak is
 * remembered for five to ten minutes; the first refresh resets too. What an agent has in all, where
 * it is known, caps it.
 *
 * <p>Thread-safe: one lock.
 */
public final class OfferBook implements CapacityBook {
  /** How long an offer is held before it is given back by the next allocation, needed or not. */
  public static final Duration HOLD_LIMIT = Duration.ofSeconds(10);

  /** How long a watermark holds before it is reset to the peak since the last reset. */
  public static final Duration WATERMARK_PERIOD = Duration.ofMinutes(5);

  private final int mostOffers;

  /** Offers not filed yet, by id, in the order in which they came. */
  private final Map<String, Offer> inbox = new LinkedHashMap<>();

  /** By agent. */
  private final Map<String, AgentBook> books = new TreeMap<>(Names.order());

  /** The agent of each filed offer, by the offer's id. */
  private final Map<String, String> agentOf = new HashMap<>();

  /** When the watermarks were last reset; null before. */
  private Instant lastReset;

  /** A book that holds at most 100,000 offers. */
  public OfferBook() {
    this(100_000);
  }

  /**
   * A book.
   *
   * @param mostOffers how many open offers it holds at most; 1 or more
   * @throws InvalidInputException if that is less than 1
   */
  public OfferBook(int mostOffers) {
    if (mostOffers < 1) {
      throw new InvalidInputException(
          "offer book", "mostOffers", Integer.toString(mostOffers), "1 or more");
    }
    this.mostOffers = mostOffers;
  }

  /**
   * Offers came in. One whose id is known already is ignored.
   *
   * @param offers the offers
   * @return those for which there is no room, to be declined by the caller
   */
  public synchronized List<Offer> offer(Collection<Offer> offers) {
    List<Offer> refused = new ArrayList<>();
    for (Offer offer : offers) {
      if (inbox.containsKey(offer.id()) || agentOf.containsKey(offer.id())) {
        continue;
      }
      if (inbox.size() + agentOf.size() >= mostOffers) {
        refused.add(offer);
      } else {
        inbox.put(offer.id(), offer);
      }
    }
    return refused;
  }

  /**
   * Offers were taken back by the cluster manager. Unknown ones are ignored.
   *
   * @param ids the ids of the offers
   */
  public synchronized void rescind(Collection<String> ids) {
    for (String id : ids) {
      inbox.remove(id);
      String agent = agentOf.remove(id);
      if (agent != null) {
        books.get(agent).remove(id);
      }
    }
  }

  /**
   * An agent is gone, and all its offers with it.
   *
   * @param agent the agent
   */
  public synchronized void agentLost(String agent) {
    inbox.values().removeIf(offer -> offer.agent().equals(agent));
    agentOf.values().removeIf(agent::equals);
    books.remove(agent);
  }

  /**
   * What an agent has in all has become known. Forgotten when the agent is lost.
   *
   * @param agent the agent
   * @param total finite quantities of 0 or more; rounded down to nine digits after the point
   * @throws InvalidInputException if a quantity is negative or infinite
   */
  public synchronized void total(String agent, Resources total) {
    book(agent).setTotal(Amounts.offered(total, "agent '" + agent + "'"));
  }

  /**
   * Forgets all offers, as after a change of session.
   *
   * @return the number of offers forgotten
   */
  public synchronized int clearOffers() {
    int count = inbox.size() + agentOf.size();
    inbox.clear();
    agentOf.clear();
    books.values().forEach(AgentBook::takeAll);
    return count;
  }

  @Override
  public synchronized Map<String, NodeCapacity> refresh(Collection<Task> current, Instant when) {
    for (Offer offer : inbox.values()) {
      book(offer.agent()).file(offer);
      agentOf.put(offer.id(), offer.agent());
    }
    inbox.clear();
    Map<String, Resources> inUse = InUse.byAgent(current);
    Map<String, NodeCapacity> capacities = new LinkedHashMap<>();
    books.forEach(
        (agent, book) -> {
          book.refresh(inUse.getOrDefault(agent, Resources.none()));
          capacities.put(agent, book.capacity());
        });
    if (lastReset == null || Duration.between(lastReset, when).compareTo(WATERMARK_PERIOD) > 0) {
      books.values().forEach(AgentBook::resetWatermark);
      lastReset = when;
    }
    return Collections.unmodifiableMap(capacities);
  }

  @Override
  public synchronized Map<String, List<Offer>> allocate(
      Map<String, Resources> wanted, Instant when) {
    Map<String, List<Offer>> allocated = new LinkedHashMap<>();
    books.forEach(
        (agent, book) -> {
          Resources asked = wanted.get(agent);
          List<Offer> taken =
              book.allocate(
                  asked == null ? Resources.none() : asked, asked != null, when, HOLD_LIMIT);
          taken.forEach(offer -> agentOf.remove(offer.id()));
          if (!taken.isEmpty()) {
            allocated.put(agent, taken);
          }
        });
    return allocated;
  }

  @Override
  public synchronized List<Offer> takeUnallocated() {
    List<Offer> rest = new ArrayList<>();
    books.values().forEach(book -> rest.addAll(book.takeAll()));
    agentOf.clear();
    rest.sort(Offer.OLDEST_FIRST);
    return rest;
  }

  @Override
  public synchronized Resources largestPerResource() {
    Resources largest = Resources.none();
    for (AgentBook book : books.values()) {
      largest = Amounts.max(largest, book.most());
    }
    return largest;
  }

  @Override
  public synchronized Resources clusterTotal() {
    Resources total = Resources.none();
    for (AgentBook book : books.values()) {
      total = Amounts.plus(total, book.most());
    }
    return total;
  }

  private AgentBook book(String agent) {
    return books.computeIfAbsent(agent, name -> new AgentBook());
  }
}

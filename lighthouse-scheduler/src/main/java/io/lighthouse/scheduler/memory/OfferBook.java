package io.lighthouse.scheduler.memory;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.scheduler.model.NodeCapacity;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.ResourceVectors;
import io.lighthouse.scheduler.model.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The book of a cluster manager that makes offers. Offers may come and be rescinded at any time,
 * from any thread; they are filed at the next refresh, and forgotten when the session changes.
 *
 * <p>The <em>watermark</em> of an agent is the most that was seen on it recently, offered and in
 * use together. It is reset every five minutes to the peak since the last reset, so a peak is
 * remembered for five to ten minutes; the first refresh resets too. What an agent has in all, where
 * it is known, caps it.
 *
 * <p>Thread-safe: one lock.
 */
public final class OfferBook implements LocalBook {
  /** How long an offer is held before it is given back by the next allocation, needed or not. */
  public static final Duration HOLD_LIMIT = Duration.ofSeconds(10);

  /** How long a watermark holds before it is reset to the peak since the last reset. */
  public static final Duration WATERMARK_PERIOD = Duration.ofMinutes(5);

  /** Of how many sessions that were left late offers are known to be void. */
  private static final int MOST_SESSIONS = 100;

  private final int mostOffers;

  /** Offers not filed yet: by session, and by id in the order in which they came. */
  private final Map<String, Map<String, ResourceOffer>> inbox = new LinkedHashMap<>();

  /** By agent, in the order of names. */
  private final Map<String, AgentBook> books = new TreeMap<>(Names.order());

  /**
   * The most of each resource on any agent, and the sum over all agents; see {@link #updateSums}.
   */
  private Resources largest = Resources.none();

  private Resources total = Resources.none();
  private int summedBooks;

  /** The agent of each filed offer, by the offer's id. */
  private final Map<String, String> agentOf = new HashMap<>();

  /** The session of the last refresh; null before the first. */
  private String session;

  /** Sessions that were left, the last ones: their offers are void. */
  private final Set<String> left = new LinkedHashSet<>();

  /** Sessions that had made offers when the last refresh was over, other than its own. */
  private Set<String> waiting = Set.of();

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
   * Offers came in. One whose id its session has already is ignored.
   *
   * <p>{@link io.lighthouse.scheduler.port.ClusterClient#session} must name a session no later than
   * its first offers come in here. If the next pass is of another session, these offers are void.
   *
   * @param offers the offers
   * @return those for which there is no room, to be declined by the caller
   */
  public synchronized List<ResourceOffer> offer(Collection<ResourceOffer> offers) {
    List<ResourceOffer> refused = new ArrayList<>();
    for (ResourceOffer offer : offers) {
      if (isKnown(offer)) {
        continue;
      }
      if (count() >= mostOffers) {
        refused.add(offer);
      } else {
        inbox
            .computeIfAbsent(offer.session(), name -> new LinkedHashMap<>())
            .put(offer.id(), offer);
      }
    }
    return refused;
  }

  private boolean isKnown(ResourceOffer offer) {
    // What is filed is of the session of the last refresh.
    return offer.session().equals(session) && agentOf.containsKey(offer.id())
        || inbox.getOrDefault(offer.session(), Map.of()).containsKey(offer.id());
  }

  /** How many offers are open. */
  private int count() {
    return agentOf.size() + inbox.values().stream().mapToInt(Map::size).sum();
  }

  /**
   * Offers were taken back by the cluster manager. Unknown ones are ignored.
   *
   * @param ids the ids of the offers
   */
  public synchronized void rescind(Collection<String> ids) {
    Map<String, List<String>> filed = new HashMap<>();
    for (String id : ids) {
      inbox.values().forEach(offers -> offers.remove(id));
      String agent = agentOf.remove(id);
      if (agent != null) {
        filed.computeIfAbsent(agent, name -> new ArrayList<>()).add(id);
      }
    }
    filed.forEach((agent, gone) -> books.get(agent).removeAll(gone));
  }

  @Override
  public synchronized void agentLost(String agent) {
    inbox.values().forEach(offers -> offers.values().removeIf(o -> o.agent().equals(agent)));
    agentOf.values().removeIf(agent::equals);
    books.remove(agent);
  }

  /**
   * What an agent has in all has become known. Forgotten when the agent is lost.
   *
   * @param agent the agent
   * @param total quantities from 0 to 1e900; rounded down to nine digits after the point
   * @throws InvalidInputException if a name is ill-formed or a quantity is negative or above 1e900
   */
  public synchronized void total(String agent, Resources total) {
    Names.require(agent, "offer book", "agent");
    book(agent).setTotal(ResourceVectors.offered(total, "agent '" + agent + "'"));
  }

  /**
   * Forgets all offers. Not needed after a change of session: the next refresh drops those of the
   * one before.
   *
   * @return the number of offers forgotten
   */
  public synchronized int clearOffers() {
    int count = count();
    inbox.clear();
    agentOf.clear();
    books.values().forEach(AgentBook::takeAll);
    return count;
  }

  @Override
  public synchronized Map<String, NodeCapacity> refresh(
      String session, Collection<Task> current, Instant when) {
    changeSession(session);
    inbox.keySet().removeAll(left);
    // What stays is of a session that has begun since the pass asked: the next one files it.
    Map<String, ResourceOffer> mine = inbox.remove(session);
    waiting = Set.copyOf(inbox.keySet());
    if (mine != null) {
      for (ResourceOffer offer : mine.values()) {
        book(offer.agent()).file(offer);
        agentOf.put(offer.id(), offer.agent());
      }
    }
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
  public synchronized Map<String, List<ResourceOffer>> allocate(
      Map<String, Resources> wanted, Instant when) {
    Map<String, List<ResourceOffer>> allocated = new LinkedHashMap<>();
    books.forEach(
        (agent, book) -> {
          List<ResourceOffer> taken = book.allocate(Optional.ofNullable(wanted.get(agent)), when);
          taken.forEach(offer -> agentOf.remove(offer.id()));
          if (!taken.isEmpty()) {
            allocated.put(agent, taken);
          }
        });
    return allocated;
  }

  @Override
  public synchronized List<ResourceOffer> takeUnallocated() {
    List<ResourceOffer> rest = new ArrayList<>();
    books.values().forEach(book -> rest.addAll(book.takeAll()));
    agentOf.clear();
    rest.sort(ResourceOffer.OLDEST_FIRST);
    return rest;
  }

  @Override
  public synchronized Resources largestPerResource() {
    updateSums();
    return largest;
  }

  @Override
  public synchronized Resources clusterTotal() {
    updateSums();
    return total;
  }

  /**
   * Computes the maximum and the sum anew, if any agent has another most than when that was done.
   */
  private void updateSums() {
    boolean same = books.size() == summedBooks;
    for (AgentBook book : books.values()) {
      same &= book.summed == book.most();
    }
    if (same) {
      return;
    }
    largest = Resources.none();
    total = Resources.none();
    summedBooks = books.size();
    for (AgentBook book : books.values()) {
      book.summed = book.most();
      largest = ResourceVectors.max(largest, book.most());
      total = ResourceVectors.plus(total, book.most());
    }
  }

  private void changeSession(String next) {
    // They began before the pass asked for its session, and no pass saw them.
    left.addAll(waiting);
    left.remove(next);
    if (next.equals(session)) {
      return;
    }
    if (session != null) {
      left.add(session);
    }
    while (left.size() > MOST_SESSIONS) {
      left.remove(left.iterator().next());
    }
    session = next;
    books.values().forEach(book -> book.dropOtherSessions(next).forEach(agentOf::remove));
  }

  private AgentBook book(String agent) {
    return books.computeIfAbsent(agent, name -> new AgentBook());
  }
}

package io.lighthouse.scheduler.memory;

import io.lighthouse.api.Names;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.QueueOrder;
import io.lighthouse.scheduler.port.PendingQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A bounded queue of work that waits, kept in order. Adding, cancelling and removing cost the
 * logarithm of its length; reading its head, the entries walked over. Thread-safe: one lock.
 */
public final class InMemoryQueue implements PendingQueue {
  private final int capacity;
  private final Map<String, PendingExecution> entries = new HashMap<>();
  private final Map<QueueOrder, NavigableSet<PendingExecution>> orders = new TreeMap<>();

  /** The cancelled ones. */
  private final NavigableSet<PendingExecution> cancelled = new TreeSet<>(QueueOrder.FIFO);

  /** A queue of at most a million entries. */
  public InMemoryQueue() {
    this(1_000_000);
  }

  /**
   * A queue.
   *
   * @param capacity the most entries that it holds; 1 or more
   * @throws InvalidInputException if that is less than 1
   */
  public InMemoryQueue(int capacity) {
    if (capacity < 1) {
      throw new InvalidInputException("queue", "capacity", "" + capacity, "1 or more");
    }
    this.capacity = capacity;
    for (QueueOrder order : QueueOrder.values()) {
      orders.put(order, new TreeSet<>(order));
    }
  }

  /**
   * Adds work.
   *
   * @param entry the work
   * @return false if the queue is full: then nothing changes
   * @throws InvalidInputException if an entry of that id is there
   */
  public synchronized boolean add(PendingExecution entry) {
    if (entries.containsKey(entry.id())) {
      throw new InvalidInputException(
          "execution '" + entry.id() + "'", "id", "in the queue already", "an id of its own");
    }
    if (entries.size() == capacity) {
      return false;
    }
    entries.put(entry.id(), entry);
    if (entry.cancelled()) {
      cancelled.add(entry);
    } else {
      orders.values().forEach(order -> order.add(entry));
    }
    return true;
  }

  /** Adds an entry again; returns false if the queue is full or has an entry of that id. */
  synchronized boolean putBack(PendingExecution entry) {
    return !entries.containsKey(entry.id()) && add(entry);
  }

  /**
   * Marks an entry as cancelled; the next pass takes it out.
   *
   * @param id its id
   * @return false if it is not there, or cancelled already
   */
  public synchronized boolean cancel(String id) {
    PendingExecution entry = entries.get(id);
    if (entry == null || entry.cancelled()) {
      return false;
    }
    remove(id);
    add(entry.asCancelled());
    return true;
  }

  /**
   * Takes an entry out: for a store that commits.
   *
   * @param id its id
   * @return the entry as it was; nothing if it is not there
   */
  public synchronized Optional<PendingExecution> remove(String id) {
    PendingExecution entry = entries.remove(id);
    if (entry == null) {
      return Optional.empty();
    }
    cancelled.remove(entry);
    orders.values().forEach(order -> order.remove(entry));
    return Optional.of(entry);
  }

  /**
   * An entry.
   *
   * @param id its id
   * @return the entry; nothing if it is not there
   */
  public synchronized Optional<PendingExecution> get(String id) {
    return Optional.ofNullable(entries.get(id));
  }

  /**
   * The ids of all entries.
   *
   * @return a copy, in the order of names
   */
  public synchronized Set<String> ids() {
    Set<String> ids = new TreeSet<>(Names.order());
    ids.addAll(entries.keySet());
    return ids;
  }

  /**
   * The number of entries, cancelled ones too.
   *
   * @return 0 or more
   */
  public synchronized int size() {
    return entries.size();
  }

  /**
   * How many entries of each job type wait, without cancelled ones.
   *
   * @return a copy, in the order of names
   */
  public synchronized Map<String, Integer> countByType() {
    Map<String, Integer> counts = new TreeMap<>(Names.order());
    for (PendingExecution entry : entries.values()) {
      if (!entry.cancelled()) {
        counts.merge(entry.jobType(), 1, Integer::sum);
      }
    }
    return counts;
  }

  @Override
  public synchronized List<PendingExecution> cancelled(int limit) {
    return first(cancelled, Set.of(), limit);
  }

  @Override
  public synchronized List<PendingExecution> head(
      QueueOrder order, Set<String> excluded, int limit) {
    return first(orders.get(order), excluded, limit);
  }

  private static List<PendingExecution> first(
      Set<PendingExecution> entries, Set<String> excluded, int limit) {
    List<PendingExecution> first = new ArrayList<>();
    for (PendingExecution entry : entries) {
      if (first.size() == limit) {
        break;
      }
      if (!excluded.contains(entry.jobType())) {
        first.add(entry);
      }
    }
    return first;
  }
}

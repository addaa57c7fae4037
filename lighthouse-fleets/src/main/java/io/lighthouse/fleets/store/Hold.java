package io.lighthouse.fleets.store;

import java.util.List;
import java.util.Optional;

/**
 * The turn of one fleet, held: an exclusive write lock on the fleet until it is closed. It ends by
 * itself where its process dies. In a shared store it also ends where its process is stopped and
 * {@link #keep} is not called; other calls on it fail then. A read that the store refuses, such as
 * of a malformed page, does not end it. For one thread at a time, except {@link #keep} and {@link
 * #close}, which any thread may call.
 */
public interface Hold extends EarlierFleets, AutoCloseable {
  /**
   * The fleet's head, which does not change while the turn is held.
   *
   * @return its head; empty where there is no such fleet
   * @throws StoreException if the store fails, or what it holds was altered
   */
  Optional<Head> head() throws StoreException;

  /**
   * Some entries of its log, limited as by {@link Journal#entries}.
   *
   * @param after entries of later generations than this
   * @param most how many at most
   * @return the first of them, in order
   * @throws StoreException if the store fails
   */
  List<Entry> entries(long after, int most) throws StoreException;

  /**
   * The entry that a call with a key made.
   *
   * @param token identifies the caller's token
   * @param key the key
   * @return the entry; empty where there is none, or none any more
   * @throws StoreException if the store fails
   */
  Optional<Entry> byKey(String token, String key) throws StoreException;

  /**
   * Appends entries to the log. They are durable when it returns; the hold cannot be used
   * afterwards.
   *
   * @param before the head of the fleet as the caller knows it
   * @param entries the entries, at least one, each chained to the one before
   * @param after the head of the fleet afterwards
   * @throws StoreException if the store fails, the hold has ended, or the fleet is not at {@code
   *     before}
   */
  void append(Head before, List<Entry> entries, Head after) throws StoreException;

  /** Shows the store that the process is alive. Does nothing where the store does not need it. */
  void keep();

  /** Releases the turn. A second call does nothing. */
  @Override
  void close();
}

package io.lighthouse.fleets.store;

import java.util.List;
import java.util.Optional;

/**
 * The turn of one fleet, held: nobody else writes to the fleet until it is closed. It ends by
 * itself where its process dies, and in a shared store also where its process is stopped and nobody
 * calls {@link #keep}; what is asked of it then fails. For one thread at a time, but for {@link
 * #keep} and {@link #close}, which any thread may call.
 */
public interface Hold extends AutoCloseable {
  /**
   * The fleet as it is, and stays while this is held.
   *
   * @return its head; nothing where there is no such fleet
   * @throws StoreException if the store fails, or what it holds was altered
   */
  Optional<Head> head() throws StoreException;

  /**
   * Some entries of its log.
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
   * @param token who called
   * @param key the key
   * @return the entry; nothing where there is none, or no more
   * @throws StoreException if the store fails
   */
  Optional<Entry> byKey(String token, String key) throws StoreException;

  /**
   * Puts entries behind the log. Durable when it returns; nothing else can be asked afterwards.
   *
   * @param before the head of the fleet as the caller knows it
   * @param entries the entries, at least one, each chained to the one before
   * @param after the head of the fleet afterwards
   * @throws StoreException if the store fails, the hold has ended, or the fleet is not at {@code
   *     before}
   */
  void append(Head before, List<Entry> entries, Head after) throws StoreException;

  /** Tells the store that its process is alive. Does nothing where the store does not ask. */
  void keep();

  /** Gives it back. A second time does nothing. */
  @Override
  void close();
}

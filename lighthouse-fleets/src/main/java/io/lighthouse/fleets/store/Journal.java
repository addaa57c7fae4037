package io.lighthouse.fleets.store;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Where the logs of fleets are kept: the port to a store. {@link Stores} opens those there are.
 *
 * <p>What a store promises. When {@link #append} returns, the group is durable: it is there after a
 * power cut. A group is there wholly or not at all, in the order of its entries, and behind what
 * was there. When a call throws {@link StoreException}, what it wrote may be there or not, unless
 * {@link StoreException#nothingWritten}; {@link #settled} reports which. A store that has failed
 * opens what it needs anew, and never goes on with what failed. All calls are thread-safe.
 *
 * <p>A store is for one process, or it is shared ({@link #isShared}). A process that changes a
 * fleet of a shared store holds it from before it decides to the end of its commit ({@link #hold}).
 * So no decision is made on what another process has changed meanwhile.
 */
public interface Journal extends AutoCloseable {
  /**
   * Every fleet that ever was.
   *
   * @return their heads, in the order of their numbers
   * @throws StoreException if the store fails, or what it holds was altered
   */
  List<Head> heads() throws StoreException;

  /**
   * One fleet.
   *
   * @param fleet its number
   * @return its head; nothing where there is no such fleet
   * @throws StoreException if the store fails, or what it holds was altered
   */
  Optional<Head> head(long fleet) throws StoreException;

  /**
   * Whether other processes may write to it at the same time.
   *
   * @return false where this one is alone with it
   */
  default boolean isShared() {
    return false;
  }

  /**
   * Why nothing is written to it any more: a commit has failed, and what the store shows does not
   * prove whether it is durable. Reading goes on with what was durable before. Only opening the
   * store again, by another process, ends that.
   *
   * @return the reason; empty while the effect of every commit is known
   */
  default Optional<String> doubt() {
    return Optional.empty();
  }

  /**
   * The fleet of a name.
   *
   * @param name the name
   * @return its head; nothing where no fleet of that name is there that is not gone
   * @throws StoreException if the store fails, or what it holds was altered
   */
  default Optional<Head> named(String name) throws StoreException {
    return heads().stream().filter(head -> !head.gone() && head.name().equals(name)).findFirst();
  }

  /**
   * One fleet as it is when whatever was begun to be written to it has ended, also what has failed
   * here and may still be under way in the store. All that is reported is durable.
   *
   * @param fleet its number
   * @return its head; nothing where there is no such fleet
   * @throws StoreException if the store fails, what it holds was altered, or what the store shows
   *     does not prove what is durable ({@link #doubt})
   */
  default Optional<Head> settled(long fleet) throws StoreException {
    return head(fleet);
  }

  /**
   * Takes the turn of a fleet, and waits until it is free. While it is held, no other thread and no
   * other process writes to that fleet.
   *
   * @param fleet its number
   * @param known the generation up to which the caller knows the log
   * @param keys the keys that the caller will look up; a remote store reads their entries, and
   *     those after {@code known}, in the same round trip
   * @return the turn
   * @throws StoreException if the store fails, or it was not free in time
   */
  default Hold hold(long fleet, long known, Collection<CallKey> keys) throws StoreException {
    return new SoleHold(this, fleet);
  }

  /**
   * Appends entries to a log. They are durable when it returns.
   *
   * @param before the head of the fleet as the caller knows it; null where the fleet is new
   * @param entries the entries, at least one, each chained to the one before
   * @param after the head of the fleet afterwards
   * @throws StoreException if the store fails, or the fleet is not at {@code before}
   */
  void append(Head before, List<Entry> entries, Head after) throws StoreException;

  /**
   * Some entries of a log.
   *
   * @param fleet the number of the fleet
   * @param after entries of later generations than this
   * @param most how many at most
   * @return the first of them, in order
   * @throws StoreException if the store fails
   */
  List<Entry> entries(long fleet, long after, int most) throws StoreException;

  /**
   * A page of a log for its followers, limited in entries and in bytes. It has at least one entry
   * where there is one.
   *
   * @param fleet the number of the fleet
   * @param after entries of later generations than this
   * @param most how many at most
   * @param bytes most bytes of all effects; an only entry that has more comes without its effect
   * @return the first of them, in order
   * @throws StoreException if the store fails
   */
  List<LogEvent> events(long fleet, long after, int most, long bytes) throws StoreException;

  /**
   * The entry that a call with a key made.
   *
   * @param fleet the number of the fleet
   * @param token identifies the caller's token
   * @param key the key
   * @return the entry; nothing where there is none, or no more
   * @throws StoreException if the store fails
   */
  Optional<Entry> byKey(long fleet, String token, String key) throws StoreException;

  /**
   * The first generation that the log still has.
   *
   * @param fleet the number of the fleet
   * @return from 1; nothing where the log has none
   * @throws StoreException if the store fails
   */
  Optional<Long> oldest(long fleet) throws StoreException;

  /**
   * The snapshots of a fleet.
   *
   * @param fleet the number of the fleet
   * @return at most two, the newest first
   * @throws StoreException if the store fails
   */
  List<Saved> snapshots(long fleet) throws StoreException;

  /**
   * The generation of the newest snapshot of a fleet.
   *
   * @param fleet the number of the fleet
   * @return from 1; nothing where there is none
   * @throws StoreException if the store fails
   */
  default Optional<Long> newestSnapshot(long fleet) throws StoreException {
    return snapshots(fleet).stream().findFirst().map(Saved::generation);
  }

  /**
   * Keeps a snapshot beside the one before it, and lets go older ones, and entries that neither
   * needs and that may go.
   *
   * @param snapshot the snapshot
   * @param retention which entries may go
   * @throws StoreException if the store fails
   */
  void save(Saved snapshot, Retention retention) throws StoreException;

  /**
   * Lets go the log and the snapshots of a fleet that is gone. Its head stays.
   *
   * @param fleet the number of the fleet
   * @throws StoreException if the store fails
   */
  void forget(long fleet) throws StoreException;

  /**
   * Looks for what no hash covers: an index that does not agree with its table, a page twice in
   * use.
   *
   * @return what was found, in words; empty where all is well
   * @throws StoreException if the store fails
   */
  List<String> check() throws StoreException;

  /**
   * Writes all that is there at one moment into a new file, while others go on.
   *
   * @param file a file that is not there yet
   * @throws StoreException if the store fails, or the file is there
   */
  void backup(Path file) throws StoreException;

  @Override
  void close();
}

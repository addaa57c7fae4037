package io.lighthouse.fleets.store;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The port to a store, which keeps the logs of fleets. {@link Stores} opens stores.
 *
 * <p>What a store promises. When {@link #append} returns, the group is durable: it is there after a
 * power cut. A group is written as a whole or not at all, in the order of its entries, and after
 * all earlier entries. When a call throws {@link StoreException}, its data may be written or not,
 * unless {@link StoreException#nothingWritten} is true; {@link #settled} reports which. After a
 * failure a store opens a new connection. It uses the failed one again only after a malformed page,
 * a lock timeout, a failed write to a file, or a read of a turn that the server refuses. All calls
 * are thread-safe.
 *
 * <p>A store is for one process, or it is shared ({@link #isShared}). A process that changes a
 * fleet of a shared store holds it from before it decides to the end of its commit ({@link #hold}).
 * So no decision is made on a fleet that another process has changed meanwhile.
 */
public interface Journal extends EarlierFleets, AutoCloseable {
  /** Most bytes of the effects and answers of entries that are read at a time. */
  long PAGE_BYTES = 4 << 20;

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
   * @return its head; empty where there is no such fleet
   * @throws StoreException if the store fails, or what it holds was altered
   */
  Optional<Head> head(long fleet) throws StoreException;

  /**
   * Some fleets, in one round trip to a remote store.
   *
   * @param fleets their numbers
   * @return the heads of those that are there; a fleet whose row was altered may be missing
   * @throws StoreException if the store fails
   */
  default List<Head> heads(Collection<Long> fleets) throws StoreException {
    return heads().stream().filter(head -> fleets.contains(head.fleet())).toList();
  }

  /**
   * Whether other processes may write to it at the same time.
   *
   * @return false where only this process writes
   */
  default boolean isShared() {
    return false;
  }

  /**
   * Why nothing is written to the store any more: a commit has failed, and the store cannot prove
   * whether it is durable, or its files were moved. Reads still return what was durable before.
   * Only opening the store again, by another process, ends that.
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
   * @return its head; empty where there is no fleet of that name that is not gone
   * @throws StoreException if the store fails, or what it holds was altered
   */
  default Optional<Head> named(String name) throws StoreException {
    return heads().stream().filter(head -> !head.gone() && head.name().equals(name)).findFirst();
  }

  @Override
  default boolean isFirst(String name, long fleet) throws StoreException {
    return heads().stream().noneMatch(head -> head.fleet() < fleet && head.name().equals(name));
  }

  /**
   * One fleet after all writes to it have ended, also those that have failed here and may still be
   * under way in the store. All that is reported is durable.
   *
   * @param fleet its number
   * @return its head; empty where there is no such fleet
   * @throws StoreException if the store fails, what it holds was altered, or the store cannot prove
   *     what is durable ({@link #doubt})
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
   * Some entries of a log. There is at least one where the log has one, and together they have at
   * most {@value #PAGE_BYTES} bytes, except for a first one that has more.
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
   * @param bytes most bytes of all effects; a single entry that has more comes without its effect
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
   * @return the entry; empty where there is none, or none any more
   * @throws StoreException if the store fails
   */
  Optional<Entry> byKey(long fleet, String token, String key) throws StoreException;

  /**
   * Whether {@link #byKey} finds the entries after a generation. In an SQLite file it uses an
   * index, which no hash covers.
   *
   * @param fleet the number of the fleet
   * @param after entries of later generations than this
   * @return what is wrong with the index and how it is mended, in words; empty where all are found
   * @throws StoreException if the store fails
   */
  default Optional<String> hidden(long fleet, long after) throws StoreException {
    return Optional.empty();
  }

  /**
   * The first generation that the log still has.
   *
   * @param fleet the number of the fleet
   * @return from 1; empty where the log has none
   * @throws StoreException if the store fails
   */
  Optional<Long> oldest(long fleet) throws StoreException;

  /**
   * The snapshots of a fleet.
   *
   * @param fleet the number of the fleet
   * @return at most two, the newest first; one that cannot be read is not {@link Saved#isSound
   *     sound}
   * @throws StoreException if the store fails
   */
  List<Saved> snapshots(long fleet) throws StoreException;

  /**
   * The generation of the newest snapshot of a fleet.
   *
   * @param fleet the number of the fleet
   * @return from 1; empty where there is none
   * @throws StoreException if the store fails
   */
  default Optional<Long> newestSnapshot(long fleet) throws StoreException {
    return snapshots(fleet).stream().findFirst().map(Saved::generation);
  }

  /**
   * Keeps a snapshot and the one before it. Deletes older snapshots, and the entries that neither
   * of the two needs and {@code retention} lets go. A snapshot with a malformed page stays, and so
   * do the entries where one of them has such a page. A snapshot whose entry is not in the log is
   * not kept: the store has gone back.
   *
   * @param snapshot the snapshot
   * @param retention which entries may be deleted
   * @throws StoreException if the store fails
   */
  void save(Saved snapshot, Retention retention) throws StoreException;

  /**
   * Deletes the log and the snapshots of a fleet, if it is gone. Its head stays.
   *
   * @param fleet the number of the fleet
   * @throws StoreException if the store fails
   */
  void forget(long fleet) throws StoreException;

  /**
   * Checks what no hash covers, such as an index that does not match its table, or a page that is
   * used twice.
   *
   * @return the findings, in words; empty if there are none
   * @throws StoreException if the store fails
   */
  List<String> check() throws StoreException;

  /**
   * Writes the state of the store at one moment into a new file. Other processes go on meanwhile;
   * other calls of this journal wait.
   *
   * @param file a file that does not exist yet
   * @throws StoreException if the store fails, or the file exists
   */
  void backup(Path file) throws StoreException;

  @Override
  void close();
}

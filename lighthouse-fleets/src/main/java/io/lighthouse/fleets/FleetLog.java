package io.lighthouse.fleets;

import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.store.Entry;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.Journal;
import io.lighthouse.fleets.store.StoreException;
import java.util.List;

/** The log of one fleet, to be read and followed. Thread-safe. */
public final class FleetLog {
  private final LiveFleet fleet;

  FleetLog(LiveFleet fleet) {
    this.fleet = fleet;
  }

  /**
   * The generation of its newest entry.
   *
   * @return from 1
   */
  public long newest() {
    try {
      return fleet.fleets().journal().head(fleet.id()).map(Head::generation).orElse(0L);
    } catch (StoreException failed) {
      throw failed(failed);
    }
  }

  /**
   * How often a shared store was found to have lost what it had said was durable.
   *
   * @return from 0; what was read before it rose may never have been
   */
  public int rewinds() {
    return fleet.rewinds();
  }

  /**
   * Some of the log.
   *
   * @param after entries of later generations than this
   * @param most how many at most
   * @return the first of them, in order, all durable; empty where there are none yet
   * @throws FleetException if the log does not go back so far, the fleet is not at that generation
   *     yet, or the store fails
   */
  public List<Entry> entries(long after, int most) {
    Journal journal = fleet.fleets().journal();
    try {
      List<Entry> found = journal.entries(fleet.id(), after, most);
      if (!found.isEmpty() && found.get(0).generation() == after + 1) {
        return found;
      }
      long newest = newest();
      if (after > newest) {
        throw new FleetException(
                Kind.STALE, "the fleet is at generation " + newest + ", which is before " + after)
            .at(newest);
      }
      if (after < newest) {
        long oldest = journal.oldest(fleet.id()).orElse(newest + 1);
        if (oldest <= after + 1) {
          return journal.entries(fleet.id(), after, most); // They have come meanwhile.
        }
        throw new FleetException(
                Kind.GONE,
                "the log begins at generation "
                    + oldest
                    + "; take the whole fleet, and go on from its generation")
            .at(newest);
      }
      return found;
    } catch (StoreException failed) {
      throw failed(failed);
    }
  }

  private FleetException failed(StoreException failed) {
    fleet.fleets().observer().storeFailed();
    return new FleetException(Kind.STORE, failed.getMessage());
  }

  /**
   * Has somebody told whenever there is more to read, and when the fleets are closed.
   *
   * @param watcher told in the fleet's turn: must not block
   * @return ends that
   */
  public Runnable watch(Runnable watcher) {
    fleet.watch(watcher);
    return () -> fleet.watchNoMore(watcher);
  }
}

package io.lighthouse.fleets;

import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.store.Entry;
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
    return fleet.known().head().generation();
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
    long newest = newest();
    if (after > newest) {
      throw new FleetException(
              Kind.STALE, "the fleet is at generation " + newest + ", which is before " + after)
          .at(newest);
    }
    Journal journal = fleet.fleets().journal();
    try {
      List<Entry> found = journal.entries(fleet.id(), after, most);
      boolean hole = found.isEmpty() ? after < newest : found.get(0).generation() != after + 1;
      if (hole) {
        long oldest = journal.oldest(fleet.id()).orElse(newest + 1);
        throw new FleetException(
                Kind.GONE,
                "the log begins at generation "
                    + oldest
                    + "; take the whole fleet, and go on from its generation")
            .at(newest);
      }
      return found;
    } catch (StoreException failed) {
      fleet.fleets().observer().storeFailed();
      throw new FleetException(Kind.STORE, failed.getMessage());
    }
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

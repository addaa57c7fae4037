package io.lighthouse.fleets.live;

import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.LogPlace;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.LogEvent;
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
   * @return from 1; 0 where a shared store has lost the fleet
   */
  public long newest() {
    return fleet
        .fleets()
        .read(
            () ->
                fleet
                    .fleets()
                    .journal()
                    .head(fleet.id())
                    .filter(head -> head.name().equals(fleet.name()))
                    .map(Head::generation)
                    .orElse(0L));
  }

  /**
   * The life of its fleet.
   *
   * @return as {@link Answer#life}
   */
  public long life() {
    return fleet.fleets().read(fleet::life);
  }

  /**
   * How many times a shared store was found to have lost durable entries.
   *
   * @return from 0; when it rises, entries that were read before may not exist any more
   */
  public int rewinds() {
    return fleet.stored().rewinds();
  }

  /**
   * A page of the log, limited in entries and in bytes. It has at least one entry where there is
   * one.
   *
   * @param place where to continue: entries of later generations than that
   * @param most how many at most
   * @param bytes most bytes of all effects; a single entry that has more comes without its effect
   * @return the first of them, in order, all durable; empty where there are none yet
   * @throws FleetException if the log does not go back so far, the fleet is not at that generation
   *     yet or has another entry there, or the store fails
   */
  public List<LogEvent> page(LogPlace place, int most, long bytes) {
    return fleet
        .fleets()
        .read(
            () -> {
              List<LogEvent> found = behind(place.generation(), most, bytes);
              if (!place.mark().isEmpty()) {
                entryAt(place, 0); // After the page is read: the store may change in between.
              } else if (!found.isEmpty()) {
                requireReached(found.get(found.size() - 1).generation());
              }
              return found;
            });
  }

  /**
   * Checks that the fleet is at a generation or later. A store that has lost the fleet may have
   * entries of another one under its number.
   */
  private void requireReached(long generation) throws StoreException {
    if (newest() < generation) {
      throw elsewhere(generation);
    }
  }

  /** Reads the entry of a place once more. The store may have another one there by now. */
  private LogEvent entryAt(LogPlace place, long bytes) throws StoreException {
    long generation = place.generation();
    List<LogEvent> found = read(generation - 1, 1, bytes);
    if (found.isEmpty() || found.get(0).generation() != generation) {
      throw elsewhere(generation);
    }
    if (!LogPlace.of(found.get(0)).equals(place)) {
      long newest = newest();
      throw new FleetException(
              Kind.STALE,
              "the fleet has another entry at generation "
                  + generation
                  + " than the one that was read; it is at "
                  + newest)
          .at(newest, fleet.life());
    }
    return found.get(0);
  }

  /**
   * The effect of an entry, however large it is.
   *
   * @param event the entry, as a page had it
   * @return its effect, as JSON
   * @throws FleetException if the log does not have that entry any more, or the store fails
   */
  public byte[] effect(LogEvent event) {
    return fleet
        .fleets()
        .read(() -> entryAt(LogPlace.of(event), Long.MAX_VALUE).body().orElseThrow());
  }

  private List<LogEvent> read(long after, int most, long bytes) throws StoreException {
    return fleet.fleets().journal().events(fleet.id(), after, most, bytes);
  }

  /** Entries after a generation whose mark is not known. */
  private List<LogEvent> behind(long after, int most, long bytes) throws StoreException {
    List<LogEvent> found = read(after, most, bytes);
    if (!found.isEmpty() && found.get(0).generation() == after + 1) {
      return found;
    }
    long newest = newest();
    if (after == newest) {
      return found;
    }
    if (after < newest && oldest(newest) <= after + 1) {
      return read(after, most, bytes); // New entries were written meanwhile.
    }
    throw elsewhere(after);
  }

  /** Why the log cannot be read from a generation on. */
  private FleetException elsewhere(long after) throws StoreException {
    long newest = newest();
    return after > newest
        ? new FleetException(
                Kind.STALE, "the fleet is at generation " + newest + ", which is before " + after)
            .at(newest, fleet.life())
        : new FleetException(
                Kind.GONE,
                "the log begins at generation "
                    + oldest(newest)
                    + "; take the whole fleet, and go on from its generation")
            .at(newest, fleet.life());
  }

  private long oldest(long newest) throws StoreException {
    return fleet.fleets().journal().oldest(fleet.id()).orElse(newest + 1);
  }

  /**
   * Calls a watcher whenever there is more to read, and when the fleets are closed.
   *
   * @param watcher called in the fleet's turn or in another thread; must not block
   * @return stops the calls
   */
  public Runnable watch(Runnable watcher) {
    fleet.watchers().add(watcher);
    return () -> fleet.watchers().remove(watcher);
  }
}

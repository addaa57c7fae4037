package io.lighthouse.fleets.live;

import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.StoreException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The watchers of one fleet. They are called after every turn that wrote something, and when other
 * processes wrote. Thread-safe.
 */
final class Watchers {
  private static final System.Logger LOG = System.getLogger("io.lighthouse.fleets");

  private final LiveFleet fleet;
  private final List<Runnable> all = new CopyOnWriteArrayList<>();

  /** The head of the fleet in a shared store when a poll last called the watchers. */
  private Head seen;

  Watchers(LiveFleet fleet) {
    this.fleet = fleet;
  }

  void add(Runnable watcher) {
    all.add(watcher);
  }

  void remove(Runnable watcher) {
    all.remove(watcher);
  }

  /** Calls all watchers. */
  void call() {
    for (Runnable watcher : all) {
      try {
        watcher.run();
      } catch (RuntimeException | Error broken) { // The other watchers are called all the same.
        LOG.log(System.Logger.Level.WARNING, "a watcher of a fleet failed", broken);
      }
    }
  }

  /** Whether there are any. */
  boolean areThere() {
    return !all.isEmpty();
  }

  /** Checks whether other processes have written to a shared store. For one thread at a time. */
  void poll() {
    try {
      Optional<Head> head = fleet.fleets().journal().head(fleet.id());
      boolean moved = head.isPresent() && (seen == null || !head.get().isAt(seen));
      seen = head.orElse(seen);
      if (moved) {
        call();
      }
    } catch (StoreException away) {
      LOG.log(System.Logger.Level.DEBUG, "fleet ''{0}'' could not be polled", fleet.name());
    }
  }
}

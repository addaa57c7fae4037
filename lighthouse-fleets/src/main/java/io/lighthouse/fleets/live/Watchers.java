package io.lighthouse.fleets.live;

import io.lighthouse.fleets.store.Head;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The watchers of one fleet. They are called after every turn that wrote something, and when other
 * processes wrote. Thread-safe.
 */
final class Watchers {
  private static final System.Logger LOG = System.getLogger("io.lighthouse.fleets");

  private final List<Runnable> all = new CopyOnWriteArrayList<>();

  /** The head of the fleet in a shared store when a poll last called the watchers. */
  private Head seen;

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

  /** Calls them where other processes have written to a shared store. For one thread at a time. */
  void poll(Head head) {
    if (seen == null || !head.isAt(seen)) {
      call();
      seen = head; // Last, so that the next poll calls them again where this one breaks off.
    }
  }
}

package io.lighthouse.fleets.live;

import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.StoreException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Checks the deadlines of all fleets, again and again. One that fails delays no other. Also has the
 * watched fleets of a shared store polled, all in one query and by one thread: a store that is away
 * keeps no more.
 */
final class FleetDeadlines {
  private static final System.Logger LOG = System.getLogger("io.lighthouse.fleets");

  /** In a shared store, every {@value}th check also polls the watched fleets. */
  static final int POLL = 4;

  private final Fleets fleets;
  private final FleetCreation creation;
  private final OldLogs oldLogs;

  /** The number of checks so far; used only by the thread that checks. */
  private int checks;

  /** Whether a thread polls. */
  private final AtomicBoolean polling = new AtomicBoolean();

  /** Made in advance, as memory may be lacking when it is needed. */
  private final Runnable poll = this::pollAll;

  FleetDeadlines(Fleets fleets, FleetCreation creation, OldLogs oldLogs) {
    this.fleets = fleets;
    this.creation = creation;
    this.oldLogs = oldLogs;
  }

  /** Checks all deadlines once. */
  void check() {
    long now = System.nanoTime();
    boolean watched = false;
    for (LiveFleet fleet : fleets.live().values()) {
      watched |= fleet.watchers().areThere();
      try {
        fleet.checkDeadlines(now);
      } catch (RuntimeException | Error bug) {
        complain("the deadlines of a fleet could not be checked", bug);
      }
    }
    try {
      creation.checkDeadlines(now);
    } catch (RuntimeException | Error bug) {
      complain("the deadlines of creations could not be checked", bug);
    }
    try {
      oldLogs.deleteWhereDue();
    } catch (RuntimeException | Error bug) {
      complain("the age of the logs of deleted fleets could not be checked", bug);
    }
    boolean polls = fleets.journal().isShared() && ++checks % POLL == 0;
    if (polls && watched && polling.compareAndSet(false, true) && !fleets.threads().begin(poll)) {
      polling.set(false);
    }
  }

  private void pollAll() {
    try {
      Map<Long, LiveFleet> watched = new HashMap<>();
      for (LiveFleet fleet : fleets.live().values()) {
        if (fleet.watchers().areThere()) {
          watched.put(fleet.id(), fleet);
        }
      }
      if (watched.isEmpty()) {
        return; // Their watchers have left since the check.
      }
      for (Head head : fleets.journal().heads(watched.keySet())) {
        try {
          watched.get(head.fleet()).watchers().poll(head);
        } catch (RuntimeException | Error bug) {
          complain("a fleet could not be polled", bug);
        }
      }
    } catch (StoreException away) {
      LOG.log(System.Logger.Level.DEBUG, "the watched fleets could not be polled", away);
    } catch (RuntimeException | Error bug) {
      complain("the watched fleets could not be polled", bug);
    } finally {
      polling.set(false);
    }
  }

  private static void complain(String what, Throwable bug) {
    LOG.log(System.Logger.Level.ERROR, what, bug);
  }
}

package io.lighthouse.fleets.live;

import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.Journal;
import io.lighthouse.fleets.store.Saved;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.json.Problem;

/** Writes the snapshots of one fleet beside its turns, one at a time. */
final class SnapshotWriter {
  private static final System.Logger LOG = System.getLogger("io.lighthouse.fleets");

  private final LiveFleet fleet;

  /** A snapshot is being written. */
  private volatile boolean writing;

  SnapshotWriter(LiveFleet fleet) {
    this.fleet = fleet;
  }

  /** Begins a snapshot where the log has grown enough since the last one. In the fleet's turn. */
  void beginWhereDue(FleetState at) {
    if (writing || at.bytes <= Math.max(fleet.fleets().snapshotAfter(), at.snapshotBytes)) {
      return;
    }
    try {
      begin(at);
    } catch (RuntimeException | Error failed) { // The commit before it is durable all the same.
      LOG.log(System.Logger.Level.WARNING, "no snapshot of a fleet was begun", failed);
    }
  }

  private void begin(FleetState at) {
    Head head = at.head;
    Problem problem = Problem.of(at.distributor);
    long bytes = at.bytes;
    long last = at.snapshot;
    Runnable work = () -> write(head, problem, at, last); // First, as memory may be lacking for it.
    writing = true;
    at.bytes = 0;
    at.snapshot = head.generation();
    if (!fleet.fleets().threads().begin(work)) {
      writing = false;
      at.bytes = bytes;
      at.snapshot = last;
    }
  }

  private void write(Head head, Problem problem, FleetState at, long last) {
    Fleets fleets = fleet.fleets();
    Journal journal = fleets.journal();
    try {
      if (journal.isShared() && journal.newestSnapshot(fleet.id()).orElse(0L) > last) {
        return; // Another process has written a newer one.
      }
      Recovery.Written written = Recovery.write(problem);
      journal.save(
          Saved.of(fleet.id(), head.generation(), head.hash(), written.gzip()), fleets.retention());
      at.snapshotBytes = written.plain();
      fleets.observer().saved();
    } catch (StoreException failed) {
      fleets.observer().storeFailed();
      LOG.log(System.Logger.Level.WARNING, notWritten() + ": " + failed.getMessage());
    } catch (RuntimeException | Error broken) {
      fleets.observer().storeFailed();
      LOG.log(System.Logger.Level.WARNING, notWritten(), broken);
    } finally {
      writing = false;
    }
  }

  private String notWritten() {
    return "no snapshot of fleet '" + fleet.name() + "' was written, and its log stays whole";
  }
}

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

  /**
   * Begins a snapshot where the log has grown enough since the last one. In the fleet's turn. One
   * that cannot begin is counted as a failure, and the next turn tries again.
   */
  void beginWhereDue(FleetState at) {
    if (writing || at.bytes <= Math.max(fleet.fleets().snapshotAfter(), at.snapshotBytes)) {
      return;
    }
    try {
      if (!begin(at)) {
        fleet.fleets().observer().storeFailed(); // That there is no thread is logged already.
      }
    } catch (RuntimeException | Error failed) { // The commit before it is durable all the same.
      notWritten("", failed);
    }
  }

  /** Returns false where there is no thread for it. */
  private boolean begin(FleetState at) {
    Head head = at.head;
    Problem problem = Problem.of(at.distributor);
    long bytes = at.bytes;
    long last = at.snapshot;
    Runnable work = () -> write(head, problem, at, last); // First, as memory may be lacking for it.
    writing = true;
    at.bytes = 0;
    at.snapshot = head.generation();
    boolean begun = fleet.fleets().threads().begin(work);
    if (!begun) {
      writing = false;
      at.bytes = bytes;
      at.snapshot = last;
    }
    return begun;
  }

  private void write(Head head, Problem problem, FleetState at, long last) {
    boolean written;
    try {
      written = saveUnlessNewer(head, problem, at, last);
    } catch (StoreException failed) {
      notWritten(": " + failed.getMessage(), null);
      return;
    } catch (RuntimeException | Error broken) {
      notWritten("", broken);
      return;
    } finally {
      writing = false;
    }
    if (written) {
      fleet.fleets().observer().saved(); // Here, as the snapshot is there also where this throws.
    }
  }

  /** Saves it; returns false where another process has saved a newer one. */
  private boolean saveUnlessNewer(Head head, Problem problem, FleetState at, long last)
      throws StoreException {
    Journal journal = fleet.fleets().journal();
    if (journal.isShared() && journal.newestSnapshot(fleet.id()).orElse(0L) > last) {
      return false;
    }
    Recovery.Written written = Recovery.write(problem);
    journal.save(
        Saved.of(fleet.id(), head.generation(), head.hash(), written.gzip()),
        fleet.fleets().retention());
    at.snapshotBytes = written.plain();
    return true;
  }

  private void notWritten(String why, Throwable thrown) {
    fleet.fleets().observer().storeFailed();
    LOG.log(
        System.Logger.Level.WARNING,
        "no snapshot of fleet '" + fleet.name() + "' was written, and its log stays whole" + why,
        thrown);
  }
}

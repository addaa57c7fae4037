package io.lighthouse.core;

import io.lighthouse.api.Change;
import io.lighthouse.api.ChangeListener;
import io.lighthouse.api.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Notifies listeners of committed calls: in their order, by one thread at a time, and outside of
 * the lock of the distributor. A thread leaves its own notice to another thread that is notifying.
 */
final class ChangeNotifier {
  private static final System.Logger LOG = System.getLogger(ChangeNotifier.class.getName());

  /** The changes of a call. It links to the next one, so that to queue it needs no memory. */
  static final class Notice {
    private final long generation;
    private final List<Change> changes;

    /** Those at the moment when it is queued. */
    private List<Subscriber> subscribers;

    private Notice next;

    private Notice(long generation, List<Change> changes) {
      this.generation = generation;
      this.changes = changes;
    }
  }

  /** Never changed, but replaced: so a notice keeps its subscribers without a copy. */
  private volatile List<Subscriber> subscribers = List.of();

  /** The queue: filled under the lock of the distributor, so in the order of generations. */
  private volatile Notice first;

  private Notice last;

  private final AtomicBoolean notifying = new AtomicBoolean();

  Subscription subscribe(ChangeListener listener) {
    Subscriber subscriber = new Subscriber(listener);
    replace(subscriber, true);
    return () -> replace(subscriber, false);
  }

  private synchronized void replace(Subscriber subscriber, boolean there) {
    List<Subscriber> others = new ArrayList<>(subscribers);
    others.remove(subscriber);
    if (there) {
      others.add(subscriber);
    }
    subscribers = List.copyOf(others);
  }

  /** Whether there are any listeners. */
  boolean hasListeners() {
    return !subscribers.isEmpty();
  }

  /** The notice of a call, for {@link #add}; null where there is nothing to report. */
  Notice notice(long generation, List<Change> changes) {
    return hasListeners() && !changes.isEmpty() ? new Notice(generation, changes) : null;
  }

  /** Queues a notice, if there is one; listeners are notified once the lock is free. */
  synchronized void add(Notice notice) {
    if (notice == null) {
      return;
    }
    notice.subscribers = subscribers;
    if (first == null) {
      first = notice;
    } else {
      last.next = notice;
    }
    last = notice;
  }

  private synchronized Notice poll() {
    Notice next = first;
    first = next == null ? null : next.next;
    if (first == null) {
      last = null; // The changes of a call and its listeners are kept no longer than that.
    }
    return next;
  }

  /** Sends all notices, unless another thread does, or this one further up its stack. */
  void notifyListeners() {
    while (first != null && notifying.compareAndSet(false, true)) {
      try {
        for (Notice next = poll(); next != null; next = poll()) {
          for (int i = 0; i < next.subscribers.size(); i++) { // An iterator may find no memory.
            next.subscribers.get(i).receive(next);
          }
        }
      } finally {
        notifying.set(false);
      }
    }
  }

  /** One subscription; compared by identity, since a listener may have several. */
  private static final class Subscriber {
    private final ChangeListener listener;

    Subscriber(ChangeListener listener) {
      this.listener = listener;
    }

    void receive(Notice notice) {
      try {
        listener.changed(notice.generation, notice.changes);
      } catch (RuntimeException | Error thrown) {
        LOG.log(
            System.Logger.Level.ERROR,
            "a listener threw when told of generation " + notice.generation,
            thrown);
      }
    }
  }
}

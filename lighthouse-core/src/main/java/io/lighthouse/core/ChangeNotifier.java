package io.lighthouse.core;

import io.lighthouse.api.Change;
import io.lighthouse.api.ChangeListener;
import io.lighthouse.api.Subscription;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Notifies listeners of committed calls: in their order, by one thread at a time, and outside of
 * the lock of the distributor. A thread leaves its own notice to another thread that is notifying.
 */
final class ChangeNotifier {
  private static final System.Logger LOG = System.getLogger(ChangeNotifier.class.getName());

  private record Notice(long generation, List<Change> changes, List<Subscriber> subscribers) {}

  private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();

  /** Filled under the lock of the distributor, so in the order of generations. */
  private final Queue<Notice> queue = new ConcurrentLinkedQueue<>();

  private final AtomicBoolean notifying = new AtomicBoolean();

  Subscription subscribe(ChangeListener listener) {
    Subscriber subscriber = new Subscriber(listener);
    subscribers.add(subscriber);
    return () -> subscribers.remove(subscriber);
  }

  /** Whether there are any listeners. */
  boolean hasListeners() {
    return !subscribers.isEmpty();
  }

  /** Queues the changes of a call; listeners are notified once the lock is free. */
  void add(long generation, List<Change> changes) {
    if (hasListeners() && !changes.isEmpty()) {
      queue.add(new Notice(generation, changes, List.copyOf(subscribers)));
    }
  }

  /** Sends all notices, unless another thread does, or this one further up its stack. */
  void notifyListeners() {
    while (!queue.isEmpty() && notifying.compareAndSet(false, true)) {
      try {
        for (Notice next = queue.poll(); next != null; next = queue.poll()) {
          for (Subscriber subscriber : next.subscribers) {
            subscriber.receive(next);
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

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
 * Tells listeners of committed calls: in their order, by one thread at a time, and outside of the
 * lock of the distributor. A thread that finds another one telling leaves its own announcement to
 * it.
 */
final class Announcements {
  private static final System.Logger LOG = System.getLogger(Announcements.class.getName());

  private record Announcement(
      long generation, List<Change> changes, List<Subscriber> subscribers) {}

  private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();

  /** Filled under the lock of the distributor, so in the order of generations. */
  private final Queue<Announcement> queue = new ConcurrentLinkedQueue<>();

  private final AtomicBoolean telling = new AtomicBoolean();

  Subscription subscribe(ChangeListener listener) {
    Subscriber subscriber = new Subscriber(listener);
    subscribers.add(subscriber);
    return () -> subscribers.remove(subscriber);
  }

  /** Whether there are any listeners. */
  boolean wanted() {
    return !subscribers.isEmpty();
  }

  /** Queues the changes of a call; listeners are notified once the lock is free. */
  void add(long generation, List<Change> changes) {
    if (wanted() && !changes.isEmpty()) {
      queue.add(new Announcement(generation, changes, List.copyOf(subscribers)));
    }
  }

  /**
   * Tells all that has been added, unless another thread does, or this one further up its stack.
   */
  void tell() {
    while (!queue.isEmpty() && telling.compareAndSet(false, true)) {
      try {
        for (Announcement next = queue.poll(); next != null; next = queue.poll()) {
          for (Subscriber subscriber : next.subscribers) {
            subscriber.hear(next);
          }
        }
      } finally {
        telling.set(false);
      }
    }
  }

  /** One subscription; compared by identity, since a listener may have several. */
  private static final class Subscriber {
    private final ChangeListener listener;

    Subscriber(ChangeListener listener) {
      this.listener = listener;
    }

    void hear(Announcement announcement) {
      try {
        listener.changed(announcement.generation, announcement.changes);
      } catch (RuntimeException | Error thrown) {
        LOG.log(
            System.Logger.Level.ERROR,
            "a listener threw when told of generation " + announcement.generation,
            thrown);
      }
    }
  }
}

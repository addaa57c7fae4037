package io.lighthouse.kubernetes.watch;

import io.lighthouse.kubernetes.client.ClusterAccess;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.config.SchedulerSettings;
import io.lighthouse.kubernetes.monitor.ClusterService;
import io.lighthouse.kubernetes.monitor.DaemonThreads;
import io.lighthouse.kubernetes.monitor.TermFailure;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A service that follows a cluster in a thread of its own until it is stopped. When a watch or a
 * follower fails, it begins anew after a pause, with fresh lists and another follower. It writes
 * nothing to the cluster. Thread-safe.
 */
public final class ClusterLoop implements ClusterService.Work, AutoCloseable {
  /** Why nothing is known yet. */
  public static final String LISTED = "the cluster is being listed";

  private static final int INBOX = 8_192;

  /** The largest number of messages that are taken in one round. */
  private static final int ROUND = 256;

  /** The longest wait for a message, in milliseconds, before failed threads are looked for. */
  private static final long LONGEST_WAIT = 200;

  private final ClusterService service;
  private final SchedulerSettings settings;
  private final Set<Resource> resources;
  private final Supplier<Follower> followers;
  private final Runnable end;
  private final Thread thread;

  /** Null while there are none. */
  private volatile Watches watches;

  /** What knows the cluster from one start of the watches to their end. For the loop's thread. */
  public interface Follower extends ClusterFeed.Listener {
    /**
     * A round of the loop, at least every 200 ms.
     *
     * @param news hands the news of this round to the listener, when it is run; runs once
     */
    void round(Runnable news);

    /** Whether what it knows can be used. */
    default boolean isReady() {
      return true;
    }

    /** The last call: the follower has failed, or a watch has, or the loop is stopped. */
    void end();
  }

  /**
   * A loop that has not begun.
   *
   * @param name the name of its thread
   * @param resources what is followed
   * @param sink takes the lines of the log
   * @param followers makes each follower, in the loop's thread
   * @param end runs once the loop is over, in its thread
   */
  public ClusterLoop(
      String name,
      Set<Resource> resources,
      ClusterAccess access,
      SchedulerSettings settings,
      Consumer<String> sink,
      Supplier<Follower> followers,
      Runnable end) {
    this.resources = resources;
    service = new ClusterService(access, settings, sink, Clock.systemUTC(), this);
    this.settings = settings;
    this.followers = followers;
    this.end = end;
    thread = new DaemonThreads(name, service::crash).newThread(this::run);
  }

  /** The frame of the service. */
  public ClusterService service() {
    return service;
  }

  /** Begins. */
  public void start() {
    thread.start();
  }

  /** Whether the whole cluster is known at this moment, and the follower is ready. */
  public boolean isSynced() {
    Watches present = watches;
    return present != null && present.feed.isSynced() && present.follower.isReady();
  }

  /**
   * Whether the cluster is known, and all watches run. Where one has failed, this is false from
   * then on, also before the loop has its next turn and the follower ends.
   */
  public boolean isFollowing() {
    Watches present = watches;
    return present != null && !present.failure.isPresent() && isSynced();
  }

  @Override
  public String health() {
    if (!service.crashed().isEmpty()) {
      return service.crashed();
    }
    return thread.isAlive() ? "" : "the loop has ended";
  }

  @Override
  public String ready() {
    return isFollowing() ? health() : LISTED;
  }

  @Override
  public void stop() {
    thread.interrupt();
  }

  private void run() {
    try {
      while (true) {
        try (Watches now = new Watches(followers.get())) {
          watches = now;
          now.follow();
        } catch (RuntimeException failed) {
          service.termFailed(failed);
        }
        Thread.sleep(settings.binding().timeout().toMillis());
      }
    } catch (InterruptedException stopped) {
      // Asked for.
    } finally {
      end.run();
    }
  }

  /** The watches of one follower, from their start to their end. */
  private final class Watches implements AutoCloseable {
    private final Follower follower;
    private final BlockingQueue<WatchEvent> inbox = new LinkedBlockingQueue<>(INBOX);
    private final TermFailure failure = new TermFailure(service::crash);
    private final ClusterFeed feed;

    Watches(Follower follower) {
      this.follower = follower;
      feed =
          new ClusterFeed(
              resources,
              service.server(),
              settings.queue().listAgain(),
              inbox::put,
              service.metrics(),
              service.log(),
              follower,
              failure);
    }

    /** Takes messages until something fails. */
    void follow() throws InterruptedException {
      List<WatchEvent> messages = new ArrayList<>();
      while (true) {
        failure.throwIfPresent();
        WatchEvent first = inbox.poll(LONGEST_WAIT, TimeUnit.MILLISECONDS);
        if (first != null) {
          messages.add(first);
          inbox.drainTo(messages, ROUND);
        }
        follower.round(() -> messages.forEach(this::take));
        messages.clear();
      }
    }

    private void take(WatchEvent message) {
      if (feed.take(message)) {
        service
            .log()
            .info("synced", "nodes", feed.size(Resource.NODES), "pods", feed.size(Resource.PODS));
      }
    }

    @Override
    public void close() {
      try {
        follower.end();
      } finally {
        watches = null;
        feed.close();
      }
    }
  }

  /** Ends the loop, waits for it up to three time limits of a call, and closes the service. */
  @Override
  public void close() {
    stop();
    try {
      thread.join(settings.binding().timeout().toMillis() * 3);
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
    service.close();
  }
}

package io.lighthouse.kubernetes.watch;

import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.client.ChangeStream;
import io.lighthouse.kubernetes.client.Pause;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.monitor.JsonLog;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import java.io.IOException;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/**
 * Reports one resource to the loop: it lists the resource, follows its changes, and goes on where a
 * stream ended. It lists again when the server has forgotten the version, and from time to time.
 * Its events are in the order of the server's versions. It has a thread of its own. The inbox is
 * bounded, so a loop that falls behind slows the stream down.
 */
public final class Reflector implements Runnable, AutoCloseable {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final ApiServer server;
  private final Resource resource;
  private final WatchEvent.Inbox inbox;
  private final Duration listAgain;
  private final SchedulerMetrics metrics;
  private final JsonLog log;
  private volatile boolean closed;
  private volatile ChangeStream watch;

  Reflector(
      ApiServer server,
      Resource resource,
      WatchEvent.Inbox inbox,
      Duration listAgain,
      SchedulerMetrics metrics,
      JsonLog log) {
    this.server = server;
    this.resource = resource;
    this.inbox = inbox;
    this.listAgain = listAgain;
    this.metrics = metrics;
    this.log = log;
  }

  @Override
  public void run() {
    Pause pause = new Pause(FIRST_PAUSE, LONGEST_PAUSE);
    String reached = "";
    try {
      while (!closed) {
        try {
          String version = list(false);
          if (ChangeStream.isOlder(version, reached)) {
            log.warning(
                "versions-went-back", "resource", resource.word(), "from", reached, "to", version);
            version = list(true);
          }
          reached = follow(version, System.nanoTime(), pause);
        } catch (IOException failed) {
          if (!closed) {
            metrics.failures.labelValues("list").inc();
            log.warning("list-failed", "resource", resource.word(), "error", failed.getMessage());
            pause.sleep(failed);
          }
        }
      }
    } catch (InterruptedException stopped) {
      // The term is over.
    }
  }

  private String list(boolean wentBack) throws IOException, InterruptedException {
    inbox.put(new WatchEvent.ListBegun(resource, wentBack));
    try {
      String version =
          server.list(resource.path(), item -> put(new WatchEvent.Seen(resource, item)));
      inbox.put(new WatchEvent.ListEnded(resource, version));
      metrics.lists.labelValues(resource.word()).inc();
      return version;
    } catch (Stopped stopped) {
      throw new InterruptedException();
    }
  }

  /** Follows until the version has expired, or it is time for a list; answers the last version. */
  private String follow(String version, long listed, Pause pause) throws InterruptedException {
    ChangeStream following = new ChangeStream(server, resource.path(), version, listAgain);
    watch = following;
    long lasting = Math.min(LONGEST_PAUSE.toNanos(), listAgain.toNanos() / 2);
    String cause = "";
    while (!closed
        && !cause.equals("expired")
        && System.nanoTime() - listed < listAgain.toNanos()) {
      int asked = 0;
      String before = following.version();
      long opened = System.nanoTime();
      try {
        following.run(this::take);
        cause = "closed";
      } catch (ApiException refused) {
        cause = refused.isExpired() ? "expired" : "refused";
        asked = refused.retryAfter();
        if (refused.isExpired()) {
          log.info("watch-expired", "resource", resource.word(), "version", following.version());
        } else {
          logEnd(refused);
        }
      } catch (Stopped stopped) {
        throw new InterruptedException();
      } catch (IOException broken) {
        cause = "cut";
        logEnd(broken);
      }
      metrics.watchEnds.labelValues(resource.word(), cause).inc();
      boolean lasted = System.nanoTime() - opened > lasting;
      if (lasted || !following.version().equals(before)) {
        pause.reset();
      }
      if (!closed) {
        pause.sleep(asked);
      }
    }
    return following.version();
  }

  private void logEnd(IOException cause) {
    if (!closed) {
      log.warning("watch-ended", "resource", resource.word(), "error", cause.getMessage());
    }
  }

  private void take(String type, JsonNode object) {
    metrics.changes.labelValues(resource.word()).inc();
    put(
        type.equals("DELETED")
            ? new WatchEvent.Gone(resource, object)
            : new WatchEvent.Seen(resource, object));
  }

  private void put(WatchEvent message) {
    try {
      inbox.put(message);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new Stopped();
    }
  }

  @Override
  public void close() {
    closed = true;
    ChangeStream open = watch;
    if (open != null) {
      open.close();
    }
  }

  /** The thread was interrupted in the middle of a list or stream. */
  private static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Stopped() {
      super(null, null, false, false);
    }
  }
}

package io.lighthouse.kubernetes.extender;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.kubernetes.client.ClusterAccess;
import io.lighthouse.kubernetes.client.Kubeconfig;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.volume.StorageKind;
import io.lighthouse.kubernetes.config.SchedulerSettings;
import io.lighthouse.kubernetes.extender.ExtenderServer.NotNowException;
import io.lighthouse.kubernetes.extender.ExtenderServer.Verb;
import io.lighthouse.kubernetes.monitor.ClusterService;
import io.lighthouse.kubernetes.monitor.DaemonThreads;
import io.lighthouse.kubernetes.monitor.JsonLog;
import io.lighthouse.kubernetes.monitor.MonitorServer;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import io.lighthouse.kubernetes.watch.ClusterFeed;
import io.lighthouse.kubernetes.watch.Resource;
import io.lighthouse.kubernetes.watch.WatchEvent;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/**
 * Answers the stock scheduler's questions until it is stopped: an extender of it, for those who
 * will not replace it. It follows the cluster by lists and watches and writes nothing to it; it
 * needs no lease, and every replica answers. Thread-safe.
 */
public final class KubernetesExtender implements AutoCloseable {
  private static final String LISTED = "the cluster is being listed";
  private static final int INBOX = 8_192;

  /** Messages that are taken at a time, so that questions need not wait long. */
  private static final int ROUND = 256;

  /** The longest wait for a message, in milliseconds, before failed threads are looked for. */
  private static final long LONGEST_WAIT = 200;

  private final ClusterService service;
  private final JsonLog log;
  private final SchedulerMetrics metrics;
  private final SchedulerSettings settings;
  private final Duration limit;

  /** Fair, so that neither news nor questions starve. */
  private final ReentrantLock lock = new ReentrantLock(true);

  /** What is known of the cluster; null while there is nothing to answer from. */
  private volatile Mirror mirror;

  private final Thread loop;
  private final ExtenderServer door;

  private KubernetesExtender(
      ClusterAccess access, SchedulerSettings settings, Consumer<String> sink) {
    service = new ClusterService(access, settings, sink, Clock.systemUTC(), new Work());
    log = service.log();
    metrics = service.metrics();
    this.settings = settings;
    loop = new DaemonThreads("lighthouse-extender-feed", service::crash).newThread(this::follow);
    limit = settings.extender().timeout();
    service.engine(settings.first().strategy()).build();
    String address = settings.extender().address();
    int port = settings.extender().port();
    try {
      InetSocketAddress at = new InetSocketAddress(address, port);
      door = new ExtenderServer(at, this::ask, metrics, log, service::crash);
    } catch (IOException | IllegalArgumentException busy) {
      throw MonitorServer.cannotListen("extender", address, port, busy);
    }
    try {
      service.listen(settings.monitor());
    } catch (InvalidInputException busy) {
      door.close();
      throw busy;
    }
    loop.start();
    log.info("answers", "server", server(), "extender", door.uri());
  }

  /**
   * Starts one.
   *
   * @param kubeconfig the kubeconfig file; empty inside a pod
   * @param context the context; that of the file where it is empty
   * @param settings how it works: strategy, queue.listAgain, binding.timeout, monitor and extender
   * @param log takes lines of JSON; called from several threads
   * @return the extender, whose threads run
   * @throws InvalidInputException if the file is not usable, there is no such strategy, its
   *     settings are wrong, or an address cannot be listened on
   */
  public static KubernetesExtender start(
      Optional<Path> kubeconfig,
      Optional<String> context,
      SchedulerSettings settings,
      Consumer<String> log) {
    return start(Kubeconfig.access(kubeconfig, context), settings, log);
  }

  static KubernetesExtender start(
      ClusterAccess access, SchedulerSettings settings, Consumer<String> log) {
    return new KubernetesExtender(access, settings, log);
  }

  /** The cluster from one start of the watches to their end. */
  private final class Mirror implements ClusterFeed.Listener, AutoCloseable {
    /** Guarded by the lock. */
    private final Cluster cluster = new Cluster(service.engine(settings.first().strategy()));

    private final BlockingQueue<WatchEvent> inbox = new LinkedBlockingQueue<>(INBOX);

    /** What a watch ended by; null while all run. */
    private volatile RuntimeException broken;

    private final ClusterFeed feed =
        new ClusterFeed(
            service.server(),
            settings.queue().listAgain(),
            inbox::put,
            metrics,
            log,
            this,
            (thread, cause) -> {
              if (cause instanceof RuntimeException) {
                broken = new IllegalStateException(thread.getName() + " has ended", cause);
              } else {
                service.crash(thread, cause);
              }
            });

    @Override
    public void changed(Resource resource, String key, JsonNode object, boolean isNew) {
      switch (resource) {
        case NODES -> cluster.nodeChanged(object);
        case NAMESPACES -> cluster.namespaceChanged(object);
        case PODS -> cluster.podChanged(object);
        default -> cluster.storageChanged(kind(resource), object);
      }
    }

    @Override
    public void gone(Resource resource, String key) {
      switch (resource) {
        case NODES -> cluster.nodeGone(key);
        case NAMESPACES -> cluster.namespaceGone(key);
        case PODS -> cluster.podGone(key);
        default -> cluster.storageGone(kind(resource), key);
      }
    }

    private static StorageKind kind(Resource resource) {
      return StorageKind.of(resource.kind()).orElseThrow();
    }

    /** Takes messages until something fails. */
    void follow() throws InterruptedException {
      List<WatchEvent> messages = new ArrayList<>();
      while (broken == null) {
        WatchEvent first = inbox.poll(LONGEST_WAIT, TimeUnit.MILLISECONDS);
        if (first != null) {
          messages.add(first);
          inbox.drainTo(messages, ROUND);
          takeAll(messages);
          messages.clear();
        }
      }
      throw broken;
    }

    /** A mirror that is half applied answers no question. */
    private void takeAll(List<WatchEvent> messages) {
      lock.lock();
      try {
        messages.forEach(this::take);
      } catch (RuntimeException failed) {
        mirror = null;
        throw failed;
      } finally {
        lock.unlock();
      }
    }

    private void take(WatchEvent message) {
      try {
        boolean before = feed.isSynced();
        feed.take(message);
        if (!before && feed.isSynced()) {
          log.info("synced", "nodes", feed.size(Resource.NODES), "pods", feed.size(Resource.PODS));
        }
      } catch (InvalidInputException unreadable) {
        log.error("message-failed", unreadable);
        metrics.failures.labelValues("message").inc();
      }
    }

    @Override
    public void close() {
      feed.close();
    }
  }

  /** Follows the cluster; after a failure anew, with fresh lists. */
  private void follow() {
    try {
      while (true) {
        try (Mirror now = new Mirror()) {
          mirror = now;
          now.follow();
        } catch (RuntimeException broken) {
          log.error("term-failed", broken);
          metrics.failures.labelValues("term").inc();
        } finally {
          mirror = null;
        }
        Thread.sleep(settings.binding().timeout().toMillis());
      }
    } catch (InterruptedException stopped) {
      // Asked for.
    }
  }

  private JsonNode ask(Verb verb, JsonNode args) throws NotNowException, InterruptedException {
    Extender.Question question = Extender.question(args);
    Mirror asked = mirror;
    if (!isSynced(asked)) {
      throw new NotNowException(LISTED);
    }
    if (!lock.tryLock(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new NotNowException("no turn within " + limit.toMillis() + "ms");
    }
    try {
      if (mirror != asked) {
        throw new NotNowException(LISTED);
      }
      return switch (verb) {
        case FILTER -> Extender.filter(asked.cluster, question);
        case PRIORITIZE -> Extender.prioritize(asked.cluster, question);
      };
    } catch (IllegalStateException halfApplied) {
      mirror = null;
      asked.broken = halfApplied;
      throw halfApplied;
    } finally {
      lock.unlock();
    }
  }

  private static boolean isSynced(Mirror mirror) {
    return mirror != null && mirror.feed.isSynced();
  }

  /** Passes the cluster to a reader, under the lock. */
  void look(Consumer<Cluster> with) {
    lock.lock();
    try {
      with.accept(mirror.cluster);
    } finally {
      lock.unlock();
    }
  }

  /** How the extender fares, and how it ends. */
  private final class Work implements ClusterService.Work {
    @Override
    public String health() {
      if (!service.crashed().isEmpty()) {
        return service.crashed();
      }
      return loop.isAlive() ? "" : "the loop has ended";
    }

    @Override
    public String ready() {
      return isSynced(mirror) ? health() : LISTED;
    }

    @Override
    public void stop() {
      loop.interrupt();
    }
  }

  /**
   * The address of the monitor, which serves metrics and health.
   *
   * @return the address, or nothing where there is no monitor
   */
  public Optional<URI> monitor() {
    return service.monitor();
  }

  /**
   * The address of the API server.
   *
   * @return the address
   */
  public URI server() {
    return service.server().uri();
  }

  /**
   * Waits until it has stopped.
   *
   * @throws InterruptedException if the thread is interrupted
   * @throws IllegalStateException if it stopped because a thread failed
   */
  public void awaitStop() throws InterruptedException {
    service.awaitStop();
  }

  /**
   * Where it answers: the {@code urlPrefix} of the stock scheduler's configuration.
   *
   * @return the address
   */
  public URI uri() {
    return door.uri();
  }

  /** Stops: answers nothing more, and ends the watches. */
  @Override
  public void close() {
    door.close();
    loop.interrupt();
    try {
      loop.join(settings.binding().timeout().toMillis() * 3);
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
    service.close();
  }
}

package io.lighthouse.kubernetes.extender;

import static io.lighthouse.kubernetes.extender.ExtenderServer.NOT_NOW;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.kubernetes.client.ClusterAccess;
import io.lighthouse.kubernetes.client.Kubeconfig;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.config.SchedulerSettings;
import io.lighthouse.kubernetes.extender.ExtenderServer.RefusedException;
import io.lighthouse.kubernetes.extender.ExtenderServer.Verb;
import io.lighthouse.kubernetes.monitor.ClusterService;
import io.lighthouse.kubernetes.monitor.MonitorServer;
import io.lighthouse.kubernetes.profile.ProfiledCluster;
import io.lighthouse.kubernetes.watch.ClusterLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
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
  private final ClusterService service;
  private final SchedulerSettings settings;
  private final Duration limit;

  /** Fair, so that neither news nor questions starve. */
  final ReentrantLock lock = new ReentrantLock(true);

  /** What is known of the cluster; null while there is nothing to answer from. */
  private volatile Mirror mirror;

  private final ClusterLoop loop;
  private final ExtenderServer door;

  KubernetesExtender(ClusterAccess access, SchedulerSettings settings, Consumer<String> sink) {
    this.settings = settings;
    loop =
        new ClusterLoop(
            "lighthouse-extender-feed",
            Resource.OF_PLACEMENT,
            access,
            settings,
            sink,
            Mirror::new,
            () -> {});
    service = loop.service();
    limit = settings.extender().timeout();
    ProfiledCluster.forExtender(service, settings); // Checks the settings.
    String address = settings.extender().address();
    int port = settings.extender().port();
    try {
      InetSocketAddress at = new InetSocketAddress(address, port);
      door = new ExtenderServer(at, this::ask, service.metrics(), service.log(), service::crash);
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
    service.log().info("answers", "server", server(), "extender", door.uri());
  }

  /**
   * Starts one.
   *
   * @param kubeconfig the kubeconfig file; empty inside a pod
   * @param context the context; that of the file where it is empty
   * @param settings how it works: strategy, imageLocality, queue.listAgain, binding.timeout,
   *     monitor and extender
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
    return new KubernetesExtender(Kubeconfig.access(kubeconfig, context), settings, log);
  }

  /** The cluster from one start of the watches to their end. */
  private final class Mirror implements ClusterLoop.Follower {
    /** Guarded by the lock. */
    private final Cluster cluster = ProfiledCluster.forExtender(service, settings);

    /** Where a question found the cluster half applied; else null. */
    private volatile RuntimeException broken;

    Mirror() {
      mirror = this;
    }

    @Override
    public void changed(Resource resource, String key, JsonNode object, boolean isNew) {
      cluster.changed(resource, object);
    }

    @Override
    public void gone(Resource resource, String key) {
      cluster.gone(resource, key);
    }

    /** A mirror that is half applied answers no question. */
    @Override
    public void round(Runnable news) {
      if (broken != null) {
        throw broken;
      }
      lock.lock();
      try {
        news.run();
      } catch (RuntimeException failed) {
        mirror = null;
        throw failed;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public boolean isReady() {
      return mirror == this;
    }

    @Override
    public void end() {
      mirror = null;
    }
  }

  private JsonNode ask(Verb verb, JsonNode args) throws RefusedException, InterruptedException {
    Extender.Question question = Extender.question(args);
    Mirror asked = mirror;
    if (asked == null || !loop.isFollowing()) {
      throw new RefusedException(NOT_NOW, ClusterLoop.LISTED);
    }
    if (!lock.tryLock(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new RefusedException(NOT_NOW, "no turn within " + limit.toMillis() + "ms");
    }
    try {
      if (mirror != asked) {
        throw new RefusedException(NOT_NOW, ClusterLoop.LISTED);
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
    loop.close();
  }
}

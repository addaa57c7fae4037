package io.lighthouse.kubernetes.monitor;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.client.ClusterAccess;
import io.lighthouse.kubernetes.config.SchedulerSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * The frame of a service that works for one API server until it is stopped: the connection, the
 * log, the metrics, the monitor, and the end. Thread-safe.
 */
public final class ClusterService implements AutoCloseable {
  private final ApiServer server;
  private final JsonLog log;
  private final SchedulerMetrics metrics = new SchedulerMetrics();

  /** By the folder of plug-ins, the installed strategies, plug-ins among them. */
  private final Map<Optional<Path>, Distributors> installed = new HashMap<>();

  private final Work work;
  private final CountDownLatch ended = new CountDownLatch(1);

  /** Why it ended without a call of {@link #close}; null while there is no such reason. */
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  private Optional<MonitorServer> monitor = Optional.empty();

  /** What the service does. */
  public interface Work {
    /** What is wrong; empty for nothing. */
    String health();

    /** Why it is not ready; empty if it is. */
    String ready();

    /** Ends the threads soon. Called once a thread has failed; returns at once. */
    void stop();
  }

  /**
   * A service that does not listen yet.
   *
   * @param sink takes the lines of the log
   * @param wall the clock of the log
   */
  public ClusterService(
      ClusterAccess access,
      SchedulerSettings settings,
      Consumer<String> sink,
      Clock wall,
      Work work) {
    this.work = work;
    log = new JsonLog(sink, wall);
    server = new ApiServer(access, settings.binding().timeout());
    for (SchedulerSettings.Profile profile : settings.profiles()) {
      installed.computeIfAbsent(profile.strategy().plugins(), this::install);
    }
    if (access.trust().unchecked()) {
      log.warning("server-unchecked", "error", "insecure-skip-tls-verify: any server is trusted");
    }
  }

  public ApiServer server() {
    return server;
  }

  public JsonLog log() {
    return log;
  }

  public SchedulerMetrics metrics() {
    return metrics;
  }

  private Distributors install(Optional<Path> plugins) {
    Distributors found = plugins.map(Distributors::installed).orElseGet(Distributors::installed);
    found.faults().forEach(fault -> log.warning("plug-in", "error", fault));
    return found;
  }

  /** A new engine with one strategy, and no nodes. */
  public Distributors.Builder engine(SchedulerSettings.Strategy strategy) {
    Distributors.Builder builder =
        installed.get(strategy.plugins()).strategy(strategy.name()).settings(strategy.settings());
    strategy.rubric().ifPresent(builder::rubric);
    return builder;
  }

  /**
   * An installed strategy.
   *
   * @throws InvalidInputException if there is none of that name
   */
  public PlacementStrategy find(SchedulerSettings.Strategy strategy) {
    return installed.get(strategy.plugins()).find(strategy.name());
  }

  /**
   * Starts the monitor. The work must be able to report its health.
   *
   * @param pages more pages that it serves
   * @throws InvalidInputException if the address cannot be listened on
   */
  public void listen(SchedulerSettings.Monitor settings, MonitorServer.Page... pages) {
    monitor = MonitorServer.of(settings, metrics, List.of(pages), work::health, work::ready);
  }

  /** The address of the monitor, or nothing where there is none. */
  public Optional<URI> monitor() {
    return monitor.map(MonitorServer::uri);
  }

  /**
   * Ends the service because one of its threads ended by something that it does not handle. {@link
   * #awaitStop} throws then, so that the process ends with a code other than 0. Serves as the
   * uncaught exception handler of the threads.
   */
  public void crash(Thread thread, Throwable cause) {
    if (failure.compareAndSet(null, cause)) {
      try {
        log.error("thread-failed", cause, "thread", thread.getName());
      } finally {
        work.stop();
        ended.countDown();
      }
    }
  }

  /** Logs and counts that a term has failed. Another one begins. */
  public void termFailed(RuntimeException cause) {
    log.error("term-failed", cause);
    metrics.failures.labelValues("term").inc();
  }

  /** What a thread of the service ended by; empty while there is no such thing. */
  public String crashed() {
    Throwable cause = failure.get();
    return cause == null ? "" : "a thread has failed: " + cause;
  }

  /** Reports that the work is done: {@link #awaitStop} returns. */
  public void ended() {
    ended.countDown();
  }

  /**
   * Waits until the service has stopped.
   *
   * @throws InterruptedException if the thread is interrupted
   * @throws IllegalStateException if it stopped because a thread failed
   */
  public void awaitStop() throws InterruptedException {
    ended.await();
    Throwable cause = failure.get();
    if (cause != null) {
      throw new IllegalStateException("lighthouse has stopped: " + cause, cause);
    }
  }

  /** Stops the monitor, and keeps no connection from now on. */
  @Override
  public void close() {
    ended();
    monitor.ifPresent(MonitorServer::close);
    server.close();
  }
}

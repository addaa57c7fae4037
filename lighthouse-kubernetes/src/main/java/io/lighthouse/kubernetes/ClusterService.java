package io.lighthouse.kubernetes;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.client.ClusterAccess;
import java.net.URI;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Consumer;

/** What works for one API server until it is stopped, and tells how it fares. Thread-safe. */
abstract class ClusterService implements AutoCloseable {
  final ApiServer server;
  final JsonLog log;
  final SchedulerMetrics metrics = new SchedulerMetrics();

  /** The strategies that there are, plug-ins among them. */
  final Distributors installed;

  private Optional<MonitorServer> monitor = Optional.empty();

  ClusterService(
      ClusterAccess access, SchedulerSettings settings, Consumer<String> sink, Clock wall) {
    log = new JsonLog(sink, wall);
    server = new ApiServer(access, settings.binding().timeout());
    installed = settings.strategy().installed();
    installed.faults().forEach(fault -> log.warning("plug-in", "error", fault));
  }

  /** Begins to answer about its health; to be called when there is some. */
  final void listen(SchedulerSettings.Monitor settings) {
    monitor = MonitorServer.of(settings, metrics, this::health, this::ready);
  }

  /** What is wrong; empty for nothing. */
  abstract String health();

  /** Why it is not ready; empty if it is. */
  abstract String ready();

  /**
   * Where metrics and health are told.
   *
   * @return the address, or nothing where they are not told
   */
  public final Optional<URI> monitor() {
    return monitor.map(MonitorServer::uri);
  }

  /**
   * The server that it works for.
   *
   * @return its address
   */
  public final URI server() {
    return server.uri();
  }

  /**
   * Waits until it has stopped.
   *
   * @throws InterruptedException if the thread is interrupted
   * @throws IllegalStateException if it has stopped without being asked to
   */
  public abstract void awaitStop() throws InterruptedException;

  /** Stops. */
  @Override
  public void close() {
    monitor.ifPresent(MonitorServer::close);
    server.close();
  }
}

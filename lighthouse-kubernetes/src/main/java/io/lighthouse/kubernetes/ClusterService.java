package io.lighthouse.kubernetes;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.client.ClusterAccess;
import java.net.URI;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** What works for one API server until it is stopped, and tells how it fares. Thread-safe. */
abstract class ClusterService implements AutoCloseable {
  final ApiServer server;
  final JsonLog log;
  final SchedulerMetrics metrics = new SchedulerMetrics();

  /** The strategies that there are, plug-ins among them. */
  final Distributors installed;

  private final CountDownLatch ended = new CountDownLatch(1);

  /** Why it ended without a call of {@link #close}; null while there is no such reason. */
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

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
   * Ends the service because one of its threads ended by something that it does not handle. {@link
   * #awaitStop} throws then, so that the process ends with a code other than 0. Serves as the
   * uncaught exception handler of the threads.
   */
  final void crash(Thread thread, Throwable cause) {
    if (failure.compareAndSet(null, cause)) {
      try {
        log.error("thread-failed", cause, "thread", thread.getName());
      } finally {
        stopWorking();
        ended.countDown();
      }
    }
  }

  /** What a thread of the service ended by; empty while there is no such thing. */
  final String crashed() {
    Throwable cause = failure.get();
    return cause == null ? "" : "a thread has failed: " + cause;
  }

  /** Nothing is to be done any more: {@link #awaitStop} returns. */
  final void ended() {
    ended.countDown();
  }

  /** Ends its threads soon. Called once a thread has failed; returns at once. */
  abstract void stopWorking();

  /**
   * Waits until it has stopped.
   *
   * @throws InterruptedException if the thread is interrupted
   * @throws IllegalStateException if it has stopped without being asked to
   */
  public final void awaitStop() throws InterruptedException {
    ended.await();
    Throwable cause = failure.get();
    if (cause != null) {
      throw new IllegalStateException("lighthouse has stopped: " + cause, cause);
    }
  }

  /** Stops. */
  @Override
  public void close() {
    ended();
    monitor.ifPresent(MonitorServer::close);
    server.close();
  }
}

package io.lighthouse.server.monitor;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.Refusal;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.live.Fleets;
import io.lighthouse.server.http.ByteBudget;
import io.lighthouse.server.http.Connections;
import io.lighthouse.server.http.Router;
import io.lighthouse.server.http.Watchdog;
import io.lighthouse.server.placement.Culprit;
import io.lighthouse.server.placement.DecisionPool;
import io.lighthouse.server.placement.Observer;
import io.lighthouse.server.placement.StrategyCatalog;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.function.DoubleSupplier;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Response;

/** Counts what the service does, for Prometheus. Thread-safe. */
public final class ServiceMetrics implements RequestLog, Observer {
  /** The media type of the metrics. */
  public static final String MEDIA_TYPE = "text/plain";

  /** The reason of refusals without a requested explanation. */
  private static final String NOT_ASKED = "not_asked";

  private static final double[] SIZES = {1, 10, 100, 1_000, 10_000, 100_000};

  private final Meters meters = new Meters(new PrometheusRegistry());
  private final Counter requests =
      meters.counter("lighthouse_requests", "Requests answered.", "route", "method", "status");
  private final Histogram latency =
      meters.seconds(
          14,
          "lighthouse_request_seconds",
          "Time from the first byte of a request to the last byte of its answer.",
          "route");
  private final Counter placements =
      meters.counter("lighthouse_placements", "Workloads that were given a node.");
  private final Counter refusals =
      meters.counter(
          "lighthouse_refusals",
          "Workloads that found no node, by the reason that most nodes had; not_asked where the"
              + " caller did not want it explained, or BinPack misses a name of the rubric.",
          "reason");
  private final Histogram fleet =
      meters.sizes("lighthouse_fleet_nodes", "Nodes of a problem.", SIZES);
  private final Histogram batch =
      meters.sizes("lighthouse_batch_workloads", "Workloads of a problem.", SIZES);
  private final Counter phases =
      meters.counter(
          "lighthouse_decision_cpu_seconds",
          "Processor time of decisions: to read problems, to place them, to write answers.",
          "phase");
  private final Counter turnedAway =
      meters.counter(
          "lighthouse_decisions_turned_away", "Requests that waited too long for their turn.");
  private final Counter overTime =
      meters.counter("lighthouse_decisions_over_time", "Decisions that took longer than allowed.");

  private final Counter failures =
      meters.counter(
          "lighthouse_decision_failures",
          "Decisions that failed through no fault of the caller, by who is broken: the strategy,"
              + " a rule of a plug-in, or Lighthouse itself (internal).",
          "type");

  /** Registers everything except the gauges. */
  public ServiceMetrics() {
    JvmMetrics.builder().register(meters.registry());
    for (String phase : new String[] {"read", "place", "write"}) {
      phases.initLabelValues(phase);
    }
    for (Culprit culprit : Culprit.values()) {
      failures.initLabelValues(culprit.type());
    }
  }

  /**
   * Adds the gauges of the parts of the service.
   *
   * @param connections the open connections
   * @param budget the bytes in flight
   * @param pool the decisions
   * @param catalog the strategies
   * @param watchdog the threads
   */
  public void watch(
      Connections connections,
      ByteBudget budget,
      DecisionPool pool,
      StrategyCatalog catalog,
      Watchdog watchdog) {
    meters.gauge(
        "lighthouse_threads_stuck",
        "Threads of the service that have not moved on for too long; more than 0 is a bug, or a"
            + " log that nobody takes.",
        () -> watchdog.stuck().size());
    meters.gauge("lighthouse_connections", "Open connections.", connections::count);
    meters.gauge(
        "lighthouse_bytes_in_flight", "Bytes of bodies and answers in memory.", budget::used);
    meters.gauge("lighthouse_decisions_running", "Decisions that are being made.", pool::running);
    meters.gauge(
        "lighthouse_decisions_waiting", "Requests that wait for their turn.", pool::waiting);
    meters.gauge(
        "lighthouse_threads_abandoned",
        "Threads of strategies that did not end, and still run.",
        pool::abandoned);
    meters.gauge(
        "lighthouse_strategies_refused",
        "Strategies that are refused because they did not end.",
        catalog::refusedCount);
  }

  /**
   * Registers the metrics of fleets; without this call there are none. Called at most once.
   *
   * @return the observer that counts the events of the fleets
   */
  public FleetObserver ofFleets() {
    return new FleetMetrics(meters);
  }

  /**
   * Adds the gauges of the fleets of a store.
   *
   * @param fleets the fleets
   * @param followers returns the number of clients that follow a fleet
   */
  public void watch(Fleets fleets, DoubleSupplier followers) {
    meters.gauge("lighthouse_fleets", "Fleets there are.", () -> fleets.list(true).size());
    meters.gauge(
        "lighthouse_fleet_calls_waiting", "Calls that wait for their turn.", fleets::waiting);
    meters.gauge("lighthouse_fleet_followers", "Clients that follow a fleet.", followers);
  }

  @Override
  public void log(Request request, Response response) {
    Object known = request.getAttribute(Router.ROUTE);
    String route = known == null ? "none" : (String) known;
    requests.labelValues(route, method(request), Integer.toString(response.getStatus())).inc();
    latency
        .labelValues(route)
        .observe((System.nanoTime() - request.getBeginNanoTime()) * Meters.NANO);
  }

  @Override
  public void placed(int nodes, Assignments assignments, long reading, long placing, long writing) {
    fleet.observe(nodes);
    batch.observe(assignments.size());
    placements.inc(assignments.placedCount());
    phases.labelValues("read").inc(reading * Meters.NANO);
    phases.labelValues("place").inc(placing * Meters.NANO);
    phases.labelValues("write").inc(writing * Meters.NANO);
    if (assignments.refusals().isEmpty()) {
      if (assignments.refusedCount() > 0) {
        refusals.labelValues(NOT_ASKED).inc(assignments.refusedCount());
      }
      return;
    }
    for (Refusal refusal : assignments.refusals()) {
      refusals.labelValues(reason(refusal)).inc();
    }
  }

  @Override
  public void turnedAway() {
    turnedAway.inc();
  }

  @Override
  public void overTime() {
    overTime.inc();
  }

  @Override
  public void failed(Culprit culprit) {
    failures.labelValues(culprit.type()).inc();
  }

  /**
   * All metrics, in Prometheus' text format.
   *
   * @return UTF-8
   */
  public ByteBuffer toText() {
    ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 14);
    try {
      PrometheusTextFormatWriter.create()
          .write(out, meters.registry().scrape(), EscapingScheme.UNDERSCORE_ESCAPING);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return ByteBuffer.wrap(out.toByteArray());
  }

  /** The reason that most nodes had; the first one in the order of reasons. */
  private static String reason(Refusal refusal) {
    ReasonCount most = null;
    for (ReasonCount count : refusal.counts()) {
      most = most == null || count.nodes() > most.nodes() ? count : most;
    }
    return most == null ? "no_nodes" : most.kind().name().toLowerCase(Locale.ROOT);
  }

  /** Clients choose the method: only known ones become labels. */
  private static String method(Request request) {
    return switch (request.getMethod()) {
      case "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS" -> request.getMethod();
      default -> "other";
    };
  }
}

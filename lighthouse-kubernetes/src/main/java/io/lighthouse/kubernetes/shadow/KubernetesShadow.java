package io.lighthouse.kubernetes.shadow;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.kubernetes.client.ClusterAccess;
import io.lighthouse.kubernetes.client.Kubeconfig;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.config.SchedulerSettings;
import io.lighthouse.kubernetes.monitor.ClusterService;
import io.lighthouse.kubernetes.monitor.JsonLog;
import io.lighthouse.kubernetes.monitor.MonitorServer;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import io.lighthouse.kubernetes.profile.ProfiledCluster;
import io.lighthouse.kubernetes.watch.ClusterLoop;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;
import tools.jackson.databind.JsonNode;

/**
 * Follows a cluster that another scheduler schedules, decides about each of its pods, and reports
 * where the two differ, until it is stopped. It lists and watches, and writes nothing: no binding,
 * status, event or lease. Thread-safe.
 *
 * <p>One thread, the loop, owns the models of the cluster; the others read {@link ShadowFindings}.
 */
public final class KubernetesShadow implements AutoCloseable {
  /** The time between two writings of the report, in nanoseconds. */
  private static final long REPORT_EVERY = TimeUnit.SECONDS.toNanos(30);

  private static final double THOUSAND = 1_000;

  private final ClusterService service;
  private final JsonLog log;
  private final SchedulerMetrics metrics;
  private final SchedulerSettings settings;
  private final Watched watched;
  private final Comparisons.Limits limits;
  private final Optional<ReportFile> file;
  private final ShadowFindings findings;

  /** The waiting pods that were reported, by uid, also before the watches began anew. */
  private final Set<String> reported = new HashSet<>();

  private final ClusterLoop loop;
  private long writtenAt;

  /**
   * What is followed, and where the report goes.
   *
   * @param scheduler pods with this {@code spec.schedulerName} are compared
   * @param report the file that gets the report: JSON where its name ends so, else HTML
   */
  public record Watched(String scheduler, Optional<Path> report) {
    /** The scheduler of pods that name none. */
    public static final String STOCK = "default-scheduler";

    /** Checks the name. */
    public Watched {
      if (scheduler.isBlank()) {
        throw new InvalidInputException(
            "shadow", "scheduler", "'" + scheduler + "'", "the schedulerName of some pods");
      }
    }
  }

  KubernetesShadow(
      ClusterAccess access,
      SchedulerSettings settings,
      Watched watched,
      Comparisons.Limits limits,
      Consumer<String> sink) {
    this.settings = settings;
    this.watched = watched;
    this.limits = limits;
    file = watched.report.map(ReportFile::new);
    loop =
        new ClusterLoop(
            "lighthouse-shadow",
            ProfiledCluster.resources(settings.profiles()),
            access,
            settings,
            sink,
            Following::new,
            this::write);
    service = loop.service();
    log = service.log();
    metrics = service.metrics();
    empty();
    findings = new ShadowFindings(log, metrics, Clock.systemUTC(), System::nanoTime);
    gauges();
    service.listen(
        settings.monitor(),
        new MonitorServer.Page(
            "/report", "text/html; charset=utf-8", () -> ReportPage.of(report())),
        new MonitorServer.Page("/report.json", "application/json", () -> ReportJson.of(report())));
    loop.start();
    log.info(
        "shadows", "server", server(), "scheduler_name", watched.scheduler, "strategy", strategy());
  }

  /**
   * Starts one.
   *
   * @param kubeconfig the kubeconfig file; empty inside a pod
   * @param context the context; that of the file where it is empty
   * @param settings how it works: strategy, queue.listAgain, binding.timeout and monitor
   * @param watched what is followed, and where the report goes
   * @param log takes lines of JSON; called from several threads
   * @return the shadow, whose threads run
   * @throws InvalidInputException if a file is not usable, there is no such strategy, its settings
   *     are wrong, or an address cannot be listened on
   */
  public static KubernetesShadow start(
      Optional<Path> kubeconfig,
      Optional<String> context,
      SchedulerSettings settings,
      Watched watched,
      Consumer<String> log) {
    return new KubernetesShadow(
        Kubeconfig.access(kubeconfig, context),
        settings,
        watched,
        Comparisons.Limits.STANDARD,
        log);
  }

  /** The strategy of the pods that are compared: of their own profile, else of the first. */
  private String strategy() {
    return settings.profiles().stream()
        .filter(profile -> profile.schedulerName().equals(watched.scheduler))
        .findFirst()
        .orElse(settings.first())
        .strategy()
        .name();
  }

  /** A cluster that decides by the profiles of the settings. */
  private Cluster empty() {
    return ProfiledCluster.forShadow(service, settings);
  }

  private void gauges() {
    gauge("nodes_used", "Nodes with a pod that belongs to no daemon set.", Figures::used);
    gauge(
        "fullest_node_ratio",
        "Share of cpu or memory that is requested on the fullest node.",
        figures -> figures.fullest() / THOUSAND);
    gauge("pods_waiting", "Refused pods that wait.", Figures::waiting);
    gauge("pods_refused", "Pods that were ever refused.", Figures::refused);
  }

  /** A figure of the cluster as it is, and as it would be. */
  private void gauge(String name, String help, ToDoubleFunction<Figures> value) {
    Map<String, DoubleSupplier> values = new LinkedHashMap<>();
    values.put("there", () -> value.applyAsDouble(findings.there()));
    values.put("ours", () -> value.applyAsDouble(findings.ours()));
    metrics.gauge("lighthouse_kubernetes_shadow_" + name, help, "cluster", values);
  }

  /** The cluster from one start of the watches to their end. */
  private final class Following implements ClusterLoop.Follower {
    private final ClusterPair pair = new ClusterPair(KubernetesShadow.this::empty);
    private final Comparisons comparisons =
        new Comparisons(pair, watched.scheduler, findings, reported, limits, System::nanoTime);

    @Override
    public void changed(Resource resource, String key, JsonNode object, boolean isNew) {
      if (resource == Resource.PODS) {
        comparisons.podChanged(key, object, isNew, loop.isSynced());
      } else if (resource == Resource.NODES) {
        comparisons.nodeChanged(object);
      } else if (pair.changed(resource, object)) {
        comparisons.changed();
      }
    }

    @Override
    public void gone(Resource resource, String key) {
      if (resource == Resource.PODS) {
        comparisons.podGone(key);
      } else if (pair.gone(resource, key)) {
        comparisons.changed();
      }
    }

    @Override
    public void round(Runnable news) {
      news.run();
      if (loop.isSynced()) {
        comparisons.turn();
        writeNowAndThen();
      }
    }

    @Override
    public void end() {
      if (loop.isSynced()) {
        comparisons.end();
      }
    }
  }

  private void writeNowAndThen() {
    long now = System.nanoTime();
    if (writtenAt == 0 || now - writtenAt >= REPORT_EVERY) {
      write();
      writtenAt = now;
    }
  }

  private void write() {
    file.ifPresent(
        to -> {
          try {
            to.write(report());
          } catch (IOException failed) {
            log.error("report-failed", failed);
            metrics.failures.labelValues("report").inc();
          }
        });
  }

  /** A copy of what was found so far. */
  ShadowReport report() {
    return findings.report(server().toString(), watched.scheduler, strategy());
  }

  /**
   * The address of the monitor, which serves the report, metrics and health.
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

  /** Stops: ends the watches, and writes the report a last time. */
  @Override
  public void close() {
    loop.close();
  }
}

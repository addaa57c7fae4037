package io.lighthouse.kubernetes.schedule;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.kubernetes.client.ClusterAccess;
import io.lighthouse.kubernetes.client.Kubeconfig;
import io.lighthouse.kubernetes.client.LeaderElection;
import io.lighthouse.kubernetes.config.SchedulerSettings;
import io.lighthouse.kubernetes.monitor.ClusterService;
import io.lighthouse.kubernetes.monitor.DaemonThreads;
import io.lighthouse.kubernetes.monitor.JsonLog;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import io.lighthouse.kubernetes.profile.ProfiledCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * A scheduler for Kubernetes that runs until it is stopped. While it leads (or leads alone), it
 * places the pods that name it; otherwise it waits for the lease. Thread-safe.
 */
public final class KubernetesScheduler implements AutoCloseable {
  /** A loop without a turn for this time is stuck; in seconds. */
  private static final long STUCK = 60;

  /** A process that waits for the lease is ready for this many leases without an answer. */
  private static final int MOST_SILENT_LEASES = 3;

  private final ClusterService service;
  private final JsonLog log;
  private final SchedulerMetrics metrics;
  private final SchedulerSettings settings;
  private final Clock wall;
  private final String identity;
  private final Thread leading;
  private volatile boolean stopping;

  /** Whether this process waits for the lease, and so has no cluster to know. */
  private volatile boolean standby;

  /** When the server last answered a call about the lease. */
  private volatile long leaseAnsweredAt = System.nanoTime();

  /** The present term; null while this process does not lead. */
  private volatile Term term;

  private KubernetesScheduler(
      ClusterAccess access, SchedulerSettings settings, Consumer<String> sink, Clock wall) {
    service = new ClusterService(access, settings, sink, wall, new Work());
    log = service.log();
    metrics = service.metrics();
    this.settings = settings;
    this.wall = wall;
    ProfiledCluster.forScheduler(service, settings);
    this.identity = host() + "_" + UUID.randomUUID();
    this.standby = settings.election().enabled();
    gauges();
    this.leading = new Thread(this::lead, "lighthouse-lead");
    this.leading.setUncaughtExceptionHandler(service::crash);
    service.listen(settings.monitor());
  }

  /**
   * Starts a scheduler.
   *
   * @param kubeconfig the kubeconfig file; empty inside a pod
   * @param context the context; that of the file where it is empty
   * @param settings how it works
   * @param log takes lines of JSON; called from several threads
   * @return the scheduler, whose threads run
   * @throws InvalidInputException if the file is not usable, there is no such strategy, its
   *     settings are wrong, or the address of the monitor cannot be listened on
   */
  public static KubernetesScheduler start(
      Optional<Path> kubeconfig,
      Optional<String> context,
      SchedulerSettings settings,
      Consumer<String> log) {
    return start(Kubeconfig.access(kubeconfig, context), settings, log);
  }

  static KubernetesScheduler start(
      ClusterAccess access, SchedulerSettings settings, Consumer<String> log) {
    return start(access, settings, log, Clock.systemUTC());
  }

  /** The same with another wall clock, which is used only for timestamps. */
  static KubernetesScheduler start(
      ClusterAccess access, SchedulerSettings settings, Consumer<String> log, Clock wall) {
    KubernetesScheduler scheduler = new KubernetesScheduler(access, settings, log, wall);
    scheduler.leading.start();
    return scheduler;
  }

  private static String host() {
    String name = System.getenv().getOrDefault("HOSTNAME", "");
    if (!name.isEmpty()) {
      return name;
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "lighthouse";
    }
  }

  private void gauges() {
    gauge("lighthouse_kubernetes_leads", "Whether this process leads.", now -> 1);
    gauge("lighthouse_kubernetes_pods_waiting", "Pods without a node.", now -> now.queue().size());
    gauge(
        "lighthouse_kubernetes_bindings_in_flight",
        "Decisions that are not yet bound.",
        Term::inFlight);
    gauge(
        "lighthouse_kubernetes_preemptions_in_flight",
        "Preemptions whose victims are not yet all evicted.",
        Term::preemptionsInFlight);
    gauge(
        "lighthouse_kubernetes_reports_waiting",
        "Conditions and events that are not yet written.",
        Term::reportsWaiting);
  }

  private void gauge(String name, String help, ToDoubleFunction<Term> value) {
    metrics.gauge(
        name,
        help,
        () -> {
          Term now = term;
          return now == null ? 0 : value.applyAsDouble(now);
        });
  }

  private void lead() {
    try {
      log.info(
          "started",
          "server",
          server(),
          "scheduler_name",
          words(SchedulerSettings.Profile::schedulerName),
          "strategy",
          words(profile -> profile.strategy().name()),
          "identity",
          identity);
      if (settings.election().enabled()) {
        elect();
      } else {
        serve(() -> !stopping);
      }
    } catch (InterruptedException stopped) {
      // Asked for.
    }
    service.ended();
  }

  private String words(Function<SchedulerSettings.Profile, String> part) {
    return settings.profiles().stream().map(part).collect(Collectors.joining(", "));
  }

  private void elect() throws InterruptedException {
    Duration lease = settings.election().duration();
    LeaderElection election =
        new LeaderElection(
            service.server(),
            settings.election().namespace(),
            settings.election().name(),
            identity,
            lease,
            settings.binding().timeout(),
            wall);
    long pause = Math.max(1, lease.toMillis() / 8);
    Thread renewing =
        new DaemonThreads("lighthouse-lease", service::crash)
            .newThread(() -> renew(election, pause));
    renewing.start();
    try {
      while (!stopping) {
        if (election.mayAct()) {
          log.info("leads", "identity", identity);
          standby = false;
          BooleanSupplier tenure = election.tenure();
          serve(() -> !stopping && tenure.getAsBoolean());
          standby = true;
          log.info("leads-no-more", "identity", identity);
        } else {
          Thread.sleep(Math.min(pause, 100));
        }
      }
    } finally {
      renewing.interrupt();
      // The interrupt that asked for the end must not cut the calls that give the lease up.
      boolean interrupted = Thread.interrupted();
      election.release();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void renew(LeaderElection election, long pause) {
    while (!stopping) {
      try {
        election.attempt();
        leaseAnsweredAt = System.nanoTime();
      } catch (IOException failed) {
        metrics.failures.labelValues("lease").inc();
        log.warning("lease-failed", "error", failed.getMessage());
      }
      try {
        TimeUnit.MILLISECONDS.sleep(pause);
      } catch (InterruptedException stopped) {
        return;
      }
    }
  }

  /**
   * Leads as long as the lease allows. If the loop or a thread of the term fails, the cluster in
   * memory may be wrong. Once the calls under way have ended, a new term begins with fresh lists.
   */
  private void serve(BooleanSupplier mayAct) throws InterruptedException {
    while (mayAct.getAsBoolean()) {
      try (Term now = new Term(service, settings, identity, mayAct, wall)) {
        term = now;
        now.run();
        continue;
      } catch (RuntimeException broken) {
        if (stopping) {
          return;
        }
        service.termFailed(broken);
      } finally {
        term = null;
      }
      Thread.sleep(settings.binding().timeout().toMillis());
    }
  }

  /** The state of the scheduler for health checks. */
  private final class Work implements ClusterService.Work {
    @Override
    public String health() {
      Term now = term;
      if (now != null && now.secondsSinceLastTurn() > STUCK) {
        return "the loop has not turned for " + now.secondsSinceLastTurn() + " s";
      }
      if (!service.crashed().isEmpty()) {
        return service.crashed();
      }
      boolean runs = leading.isAlive() || leading.getState() == Thread.State.NEW;
      return runs ? "" : "the loop has ended";
    }

    /** One that waits for the lease is ready, as long as the server answers about it. */
    @Override
    public String ready() {
      Term now = term;
      boolean knows = now == null ? standby : now.isSynced();
      if (!knows) {
        return "the cluster is being listed";
      }
      long silent = System.nanoTime() - leaseAnsweredAt;
      if (standby && silent > MOST_SILENT_LEASES * settings.election().duration().toNanos()) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(silent);
        return "the server has not answered about the lease for " + seconds + " s";
      }
      return health();
    }

    @Override
    public void stop() {
      stopping = true;
      leading.interrupt();
    }
  }

  /** The present term; null while there is none. */
  Term term() {
    return term;
  }

  /** The metrics. */
  SchedulerMetrics metrics() {
    return metrics;
  }

  /**
   * The address of the monitor, which serves metrics and health.
   *
   * @return the address; empty where there is no monitor
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
   * Stops: decides no more, and releases the lease once no binding, nomination, eviction or write
   * of a claim takes effect any more. Waits for that, but for three time limits of a call at most.
   */
  @Override
  public void close() {
    stopping = true;
    leading.interrupt();
    try {
      leading.join(settings.binding().timeout().toMillis() * 3);
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
    service.close();
  }
}

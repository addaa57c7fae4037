package io.lighthouse.server.monitor;

import io.lighthouse.fleets.FleetObserver;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** Counts what the fleets of a store do. Thread-safe. */
final class FleetMetrics implements FleetObserver {
  private static final double NANO = 1e-9;

  private final Histogram turns;
  private final Counter entries;
  private final Histogram deciding;
  private final Histogram committing;
  private final Counter replays;
  private final Counter conflicts;
  private final Counter failures;
  private final Counter recoveries;
  private final Counter recoverySeconds;
  private final Counter recovered;
  private final Counter caughtUp;
  private final Counter rewinds;
  private final Counter snapshots;

  FleetMetrics(PrometheusRegistry registry) {
    turns =
        Histogram.builder()
            .name("lighthouse_fleet_turn_calls")
            .help("Calls on a fleet that were decided and made durable together.")
            .classicOnly()
            .classicUpperBounds(1, 4, 16, 64, 256, 1_024)
            .register(registry);
    deciding = seconds(registry, "lighthouse_fleet_decide_seconds", "Time to decide a turn.");
    committing =
        seconds(registry, "lighthouse_fleet_commit_seconds", "Time to make a turn durable.");
    entries = counter(registry, "lighthouse_fleet_entries", "Entries written to logs of fleets.");
    replays =
        counter(
            registry,
            "lighthouse_fleet_replays",
            "Calls that came again with their Idempotency-Key, and were answered as before.");
    conflicts =
        counter(
            registry,
            "lighthouse_fleet_conflicts",
            "Calls refused because of what the fleet is like now (409 and 412).");
    failures = counter(registry, "lighthouse_fleet_store_failures", "Failures of the store.");
    recoveries =
        counter(registry, "lighthouse_fleet_recoveries", "Fleets recovered from the store.");
    recoverySeconds =
        counter(registry, "lighthouse_fleet_recovery_seconds", "Time to recover fleets.");
    recovered =
        counter(registry, "lighthouse_fleet_recovered_entries", "Entries carried out to recover.");
    caughtUp =
        counter(
            registry,
            "lighthouse_fleet_caught_up_entries",
            "Entries of other services that were carried out.");
    rewinds =
        counter(
            registry,
            "lighthouse_fleet_rewinds",
            "How often the store had lost what it had said was durable.");
    snapshots = counter(registry, "lighthouse_fleet_snapshots", "Snapshots of fleets written.");
  }

  private static Counter counter(PrometheusRegistry registry, String name, String help) {
    return Counter.builder().name(name).help(help).register(registry);
  }

  private static Histogram seconds(PrometheusRegistry registry, String name, String help) {
    return Histogram.builder()
        .name(name)
        .help(help)
        .classicOnly()
        .classicExponentialUpperBounds(0.0001, 2.5, 12)
        .register(registry);
  }

  @Override
  public void turn(int commands, int written, long decide, long commit) {
    turns.observe(commands);
    entries.inc(written);
    deciding.observe(decide * NANO);
    if (written > 0) {
      committing.observe(commit * NANO);
    }
  }

  @Override
  public void replayed() {
    replays.inc();
  }

  @Override
  public void conflict() {
    conflicts.inc();
  }

  @Override
  public void storeFailed() {
    failures.inc();
  }

  @Override
  public void recovered(int carriedOut, long nanos) {
    recoveries.inc();
    recovered.inc(carriedOut);
    recoverySeconds.inc(nanos * NANO);
  }

  @Override
  public void caughtUp(int carriedOut) {
    caughtUp.inc(carriedOut);
  }

  @Override
  public void rewound() {
    rewinds.inc();
  }

  @Override
  public void saved() {
    snapshots.inc();
  }
}

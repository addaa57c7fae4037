package io.lighthouse.server.monitor;

import io.lighthouse.fleets.FleetObserver;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;

/** Counts what the fleets of a store do. Thread-safe. */
final class FleetMetrics implements FleetObserver {
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

  FleetMetrics(Meters meters) {
    turns =
        meters.sizes(
            "lighthouse_fleet_turn_calls",
            "Calls on a fleet that were decided and made durable together.",
            1,
            4,
            16,
            64,
            256,
            1_024);
    deciding = meters.seconds(12, "lighthouse_fleet_decide_seconds", "Time to decide a turn.");
    committing =
        meters.seconds(12, "lighthouse_fleet_commit_seconds", "Time to make a turn durable.");
    entries = meters.counter("lighthouse_fleet_entries", "Entries written to logs of fleets.");
    replays =
        meters.counter(
            "lighthouse_fleet_replays",
            "Calls that came again with their Idempotency-Key, and were answered as before.");
    conflicts =
        meters.counter(
            "lighthouse_fleet_conflicts",
            "Calls refused because of what the fleet is like now (409 and 412).");
    failures =
        meters.counter(
            "lighthouse_fleet_store_failures",
            "Failures of the store, and snapshots that were not written.");
    recoveries = meters.counter("lighthouse_fleet_recoveries", "Fleets recovered from the store.");
    recoverySeconds =
        meters.counter("lighthouse_fleet_recovery_seconds", "Time to recover fleets.");
    recovered =
        meters.counter("lighthouse_fleet_recovered_entries", "Entries carried out to recover.");
    caughtUp =
        meters.counter(
            "lighthouse_fleet_caught_up_entries",
            "Entries of other services that were carried out.");
    rewinds =
        meters.counter(
            "lighthouse_fleet_rewinds",
            "How often the store had lost what it had said was durable.");
    snapshots = meters.counter("lighthouse_fleet_snapshots", "Snapshots of fleets written.");
  }

  @Override
  public void turn(int commands, int written, long decide, long commit) {
    turns.observe(commands);
    entries.inc(written);
    deciding.observe(decide * Meters.NANO);
    if (written > 0) {
      committing.observe(commit * Meters.NANO);
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
    recoverySeconds.inc(nanos * Meters.NANO);
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

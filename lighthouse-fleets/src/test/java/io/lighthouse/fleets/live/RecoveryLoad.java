package io.lighthouse.fleets.live;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetCommands;
import io.lighthouse.fleets.FleetLimits;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.SqliteJournal;
import io.lighthouse.json.Problem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures how long a fleet is recovered from its file, for docs/lab/fleets.md: a program for hand
 * use, no test. Arguments: a folder, how many nodes, how many workloads. Where the folder has no
 * file yet, one is filled, in batches of 1,000, with snapshots as the service writes them.
 */
final class RecoveryLoad {
  private static final int BATCH = 1_000;
  private static final int ROUNDS = 4;

  private RecoveryLoad() {}

  /** Fills, or recovers and measures. */
  public static void main(String[] arguments) throws Exception {
    Path file = Path.of(arguments[0], "fleets.db");
    if (!Files.exists(file)) {
      fill(file, Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
      System.out.printf("filled %s: %,d bytes%n", file, Files.size(file));
      return;
    }
    for (int i = 0; i < ROUNDS; i++) {
      try (SqliteJournal journal = SqliteJournal.openToRead(file)) {
        Head head = journal.heads().get(0);
        final long cpu = processorMillis();
        final long began = System.nanoTime();
        Recovery.Found found = Recovery.recover(journal, head, Engine::of);
        System.out.printf(
            "%s in this JVM: %.2f s by the clock, %.2f s of processor time; snapshot at %d, %,d"
                + " bytes, and %d entries of %,d bytes%n",
            i == 0 ? "first" : "again",
            (System.nanoTime() - began) / 1e9,
            (processorMillis() - cpu) / 1e3,
            found.snapshot(),
            found.snapshotBytes(),
            found.entries(),
            found.bytes());
      }
    }
  }

  private static long processorMillis() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis();
  }

  private static void fill(Path file, int nodes, int workloads) throws Exception {
    StringBuilder fleet = new StringBuilder("{'strategy':'round-robin','nodes':[");
    for (int i = 0; i < nodes; i++) {
      fleet.append(i == 0 ? "" : ",").append("{'name':'node-").append(i);
      fleet.append("','resources':{'cpu':64,'mem':256}}");
    }
    Problem problem = Engine.problem(fleet.append("],'workloads':[]}").toString());
    FleetLimits wide =
        FleetLimits.STANDARD.withSizes(1, nodes, workloads).withTurns(1, 10, Duration.ofMinutes(5));
    try (Fleets fleets =
        Fleets.open(
            SqliteJournal.open(file),
            Engine::of,
            wide,
            FleetObserver.NONE,
            Clock.systemUTC(),
            Runnable::run)) {
      fleets.create("f", problem, "", false).join();
      for (int i = 0; i < workloads; i += BATCH) {
        List<Workload> batch = new ArrayList<>();
        for (int j = i; j < i + BATCH; j++) {
          batch.add(Workload.of("vm-" + j, Resources.of("cpu", 1 + j % 4, "mem", 2 + j % 7)));
        }
        fleets.submit("f", FleetCall.of(FleetCommands.assign(batch))).join();
      }
    }
  }
}

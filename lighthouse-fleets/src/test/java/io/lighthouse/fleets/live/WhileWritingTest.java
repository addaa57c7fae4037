package io.lighthouse.fleets.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetCommands;
import io.lighthouse.fleets.FleetLimits;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.Outcome;
import io.lighthouse.fleets.store.Journal;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.fleets.store.Stores;
import io.lighthouse.json.Problem;
import io.lighthouse.postgres.PostgresServer;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read from a store, copied from it and brought into it while others write to it. */
class WhileWritingTest {
  private static final int ROUNDS = 5;

  @TempDir private Path folder;

  private static Fleets open(String store) throws StoreException {
    return Fleets.open(
        Stores.open(store),
        Engine::of,
        FleetLimits.STANDARD,
        FleetObserver.NONE,
        Clock.systemUTC(),
        Runnable::run);
  }

  private static Problem problem() {
    return Engine.problem(
        "{'strategy':'round-robin','nodes':[{'name':'n1','resources':{'cpu':100000}},"
            + "{'name':'n2','resources':{'cpu':100000}}],'workloads':[]}");
  }

  private interface Work {
    void with(Journal reading, int round) throws StoreException;
  }

  /** Does some work again and again while a fleet is written to; answers how much was written. */
  private int whileWriting(String store, Work work) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger written = new AtomicInteger();
    try (Fleets fleets = open(store)) {
      fleets.create("f", problem(), "", false).join();
      Thread writer =
          new Thread(
              () -> {
                while (!over.get()) {
                  Workload next = Workload.of("w" + written.get(), Resources.of("cpu", 1));
                  fleets.submit("f", FleetCall.of(FleetCommands.assign(List.of(next)))).join();
                  written.incrementAndGet();
                }
              });
      writer.start();
      try {
        for (int round = 0; round < ROUNDS; round++) {
          int before = written.get();
          while (written.get() < before + 20) {
            Thread.onSpinWait();
          }
          try (Journal reading = Stores.openToRead(store)) {
            work.with(reading, round);
          }
        }
      } finally {
        over.set(true);
        writer.join();
      }
    }
    return written.get();
  }

  private static int workloads(Problem problem) {
    return problem.nodes().stream().mapToInt(node -> node.workloads().size()).sum();
  }

  @Test
  void aFileIsVerifiedExportedAndBackedUp() throws Exception {
    String store = folder.resolve("fleets.db").toString();
    int[] last = new int[1];
    int written =
        whileWriting(
            store,
            (reading, round) -> {
              Verification live = new Verification(reading, Engine::of);
              assertThat(live.verify()).allSatisfy(f -> assertThat(f.faults()).isEmpty());
              int exported = workloads(live.export("f"));
              assertThat(exported).isGreaterThan(last[0]);
              Path copy = folder.resolve("copy" + round + ".db");
              reading.backup(copy);
              try (Journal journal = Stores.openToRead(copy.toString())) {
                Verification copied = new Verification(journal, Engine::of);
                assertThat(copied.verify()).allSatisfy(f -> assertThat(f.faults()).isEmpty());
                last[0] = workloads(copied.export("f"));
                assertThat(last[0]).isGreaterThanOrEqualTo(exported);
                assertThat(journal.check()).isEmpty();
              }
            });
    try (Journal journal = Stores.openToRead(store)) {
      Problem whole = new Verification(journal, Engine::of).export("f");
      assertThat(workloads(whole)).isEqualTo(written).isGreaterThan(last[0]);
    }
  }

  @Test
  void aDatabaseIsVerifiedExportedAndImportedInto() throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      String store = server.database();
      int[] last = new int[1];
      int written =
          whileWriting(
              store,
              (reading, round) -> {
                Verification live = new Verification(reading, Engine::of);
                assertThat(live.verify()).allSatisfy(f -> assertThat(f.faults()).isEmpty());
                Problem exported = live.export("f");
                assertThat(workloads(exported)).isGreaterThan(last[0]);
                last[0] = workloads(exported);
                try (Fleets other = open(store)) {
                  String name = "import" + round;
                  assertThat(other.create(name, exported, "", false).join().outcome())
                      .isEqualTo(Outcome.CREATED);
                }
                assertThat(live.export("import" + round)).isEqualTo(exported);
              });
      try (Journal journal = Stores.openToRead(store)) {
        assertThat(workloads(new Verification(journal, Engine::of).export("f"))).isEqualTo(written);
        assertThat(journal.heads()).hasSize(ROUNDS + 1);
      }
    }
  }
}

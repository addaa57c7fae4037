package io.lighthouse.fleets.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetCommands;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetLimits;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.NodeCommands;
import io.lighthouse.fleets.Outcome;
import io.lighthouse.fleets.store.SqliteJournal;
import io.lighthouse.fleets.store.Watched;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Fleets in a file of SQLite: what a process leaves that ends anywhere, and calls around deletions.
 */
class FilesTest extends OnFile {
  @Test
  void aProcessMayEndBeforeAndAfterEveryStatement() throws Exception {
    Path file = folder.resolve("fleets.db");
    List<Moment> moments = new ArrayList<>();
    List<String> answers = new ArrayList<>();
    try (Fleets fleets =
        Engine.fleets(
            Watched.open(
                file,
                step ->
                    moments.add(
                        new Moment(
                            step,
                            bytes(file),
                            bytes(folder.resolve("fleets.db-wal")),
                            List.copyOf(answers)))),
            600)) {
      fleets.create("f", problem(), "", false).join();
      answers.add("created");
      for (int i = 0; i < 12; i++) {
        answers.add(assign(fleets, "w" + i));
      }
      Node more = Node.of("n3", Resources.of("cpu", 5));
      fleets.submit("f", FleetCall.of(NodeCommands.put(more))).join();
      answers.add("put");
    }
    assertThat(moments).hasSizeGreaterThan(100);
    assertThat(moments).extracting(Moment::step).contains("after INSERT snapshot");
    int place = 0;
    for (Moment moment : moments) {
      Path there = moment.in(folder.resolve("moment" + place++));
      try (Fleets fleets = Engine.fleets(SqliteJournal.open(there), 600)) {
        List<String> told = moment.answers();
        if (told.isEmpty()) {
          assertThat(fleets.list().size()).as(moment.step()).isLessThanOrEqualTo(1);
          continue;
        }
        long generation = fleets.list().get(0).generation();
        assertThat(generation).as(moment.step()).isBetween((long) told.size(), told.size() + 1L);
        for (int i = 0; i < 12; i++) {
          String again = assign(fleets, "w" + i);
          if (i + 1 < told.size()) {
            assertThat(again).as("after %s", moment.step()).isEqualTo(told.get(i + 1));
          }
        }
        assertThat(fleets.list().get(0).workloads()).isEqualTo(12);
      }
      try (SqliteJournal journal = SqliteJournal.openToRead(there)) {
        assertThat(new Verification(journal, Engine::of).verify())
            .allSatisfy(found -> assertThat(found.faults()).isEmpty());
      }
    }
  }

  /** What is written to a file without a name ends with the process. */
  @ParameterizedTest
  @CsvSource({
    "fleets.db, false",
    "fleets.db, true",
    "fleets.db-wal, false",
    "fleets.db-wal, true",
    "fleets.db-lock, false",
    "fleets.db-lock, true"
  })
  void nothingIsWrittenToAFileThatHasLostItsName(String lost, boolean replaced) throws Exception {
    Path file = folder.resolve("fleets.db");
    try (SqliteJournal journal = SqliteJournal.open(file);
        Fleets fleets = Engine.fleets(journal, 1 << 20)) {
      fleets.create("f", problem(), "", false).join();
      assign(fleets, "w1");
      Files.move(folder.resolve(lost), folder.resolve("moved"));
      if (replaced) {
        Files.copy(folder.resolve("moved"), folder.resolve(lost));
      }
      assertThatThrownBy(() -> assign(fleets, "w2"))
          .hasMessageContaining("nothing has changed")
          .hasMessageContaining("was moved, deleted or replaced");
      assertThat(fleets.doubt()).isPresent();
      assertThat(fleets.list()).containsExactly(new Fleets.Listed("f", 2, 2, 1));
      Files.move(
          folder.resolve("moved"), folder.resolve(lost), StandardCopyOption.REPLACE_EXISTING);
    }
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      assertThat(assign(fleets, "w1")).endsWith("\"generation\":2}");
    }
  }

  /** The fleet is used while its creator recovers it; everything runs in the calling thread. */
  @Test
  void aCallOnAFleetThatIsBeingCreatedIsSeenByAllLaterOnes() throws Exception {
    Path file = folder.resolve("fleets.db");
    AtomicReference<Fleets> users = new AtomicReference<>();
    List<CompletableFuture<Answer>> early = new ArrayList<>();
    FleetCall call = FleetCall.of(FleetCommands.put(workload("early")));
    FleetObserver observer =
        new FleetObserver() {
          @Override
          public void recovered(int entries, long nanos) {
            Fleets fleets = users.getAndSet(null);
            if (fleets != null) {
              early.add(fleets.submit("f", call));
            }
          }
        };
    try (Fleets fleets =
        new Fleets(
            SqliteJournal.open(file),
            Engine::of,
            FleetLimits.STANDARD,
            observer,
            Clock.systemUTC(),
            Runnable::run,
            1 << 20)) {
      users.set(fleets);
      fleets.create("f", problem(), "", false).join();
      assertThat(early.get(0).join().generation()).isEqualTo(2);
      assertThat(whole(fleets)).contains("early");
      assertThat(fleets.list()).containsExactly(new Fleets.Listed("f", 2, 2, 1));
      assertThat(assign(fleets, "late")).endsWith("\"generation\":3}");
    }
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      assertThat(whole(fleets)).contains("early", "late");
    }
  }

  private static FleetCall delete(String key) {
    return FleetCall.of(NodeCommands.deleteFleet())
        .withKey(key, key.getBytes(StandardCharsets.UTF_8));
  }

  private static boolean isReplayed(Fleets fleets, FleetCall call) {
    Answer answer = fleets.submit("f", call).join();
    assertThat(answer.outcome()).isEqualTo(Outcome.EMPTY);
    assertThat(answer.generation()).isEqualTo(2);
    return answer.replayed();
  }

  @Test
  void aRepeatedDeletionHasOneAnswerAndDeletesNoLaterFleet() throws Exception {
    Path file = folder.resolve("fleets.db");
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      fleets.create("f", problem(), "", false).join();
      assertThat(isReplayed(fleets, delete("k1").at(1))).isFalse();
      assertThat(isReplayed(fleets, delete("k1").at(1))).isTrue();
      for (FleetCall other :
          List.of(
              delete("k2"),
              delete("k1").withKey("k1", new byte[] {7}),
              delete("k1").asDryRun(),
              FleetCall.of(FleetCommands.release("w")).withKey("k1", "k1".getBytes()))) {
        assertThatThrownBy(() -> fleets.submit("f", other))
            .isInstanceOfSatisfying(
                FleetException.class,
                none -> assertThat(none.kind()).isEqualTo(FleetException.Kind.NO_SUCH_FLEET));
      }
      fleets.create("f", problem(), "", false).join();
      assertThat(isReplayed(fleets, delete("k1"))).isTrue();
      assertThat(fleets.list()).containsExactly(new Fleets.Listed("f", 1, 2, 0));
      assertThat(isReplayed(fleets, delete("k2").at(1, 2))).isFalse();
      assertThat(fleets.list()).isEmpty();
    }
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      assertThat(isReplayed(fleets, delete("k1"))).isTrue();
      assertThat(isReplayed(fleets, delete("k2"))).isTrue();
    }
  }
}

package io.lighthouse.fleets.live;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetCommands;
import io.lighthouse.fleets.FleetQuestions;
import io.lighthouse.fleets.store.SqliteJournal;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.json.PlacedWorkload;
import io.lighthouse.json.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

/** Tests of fleets in a file of SQLite. */
abstract class OnFile {
  @TempDir Path folder;

  static Problem problem() {
    return Engine.problem(
        "{'strategy':'round-robin','nodes':[{'name':'n1','resources':{'cpu':80}},"
            + "{'name':'n2','resources':{'cpu':80}}],'workloads':[]}");
  }

  static String assign(Fleets fleets, String name) {
    FleetCall call =
        FleetCall.of(FleetCommands.assign(List.of(Workload.of(name, Resources.of("cpu", 1)))))
            .withKey("key-" + name, name.getBytes(StandardCharsets.UTF_8));
    return new String(fleets.submit("f", call).join().body(), StandardCharsets.UTF_8);
  }

  static PlacedWorkload workload(String name) {
    return new PlacedWorkload(Workload.of(name, Resources.of("cpu", 1)), Optional.empty());
  }

  static long put(Fleets fleets, String fleet, String name) {
    return fleets
        .submit(fleet, FleetCall.of(FleetCommands.put(workload(name))))
        .join()
        .generation();
  }

  static String whole(Fleets fleets) {
    Problem[] taken = new Problem[1];
    fleets.submit("f", FleetCall.of(FleetQuestions.problem(problem -> taken[0] = problem))).join();
    return new String(Recovery.json(taken[0]), StandardCharsets.UTF_8);
  }

  /** What is on the disk at one moment, and what was answered by then. */
  record Moment(String step, byte[] main, byte[] log, List<String> answers) {
    Path in(Path place) throws IOException {
      Files.createDirectories(place);
      Path file = place.resolve("fleets.db");
      Files.write(file, main);
      Files.write(place.resolve("fleets.db-wal"), log);
      Files.deleteIfExists(place.resolve("fleets.db-shm"));
      return file;
    }
  }

  static Moment moment(Path file, String state) {
    Path log = file.resolveSibling("fleets.db-wal");
    return new Moment("", bytes(file), bytes(log), List.of(state));
  }

  static byte[] bytes(Path file) {
    try {
      return Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** A file with a log, two snapshots and keys, all in the main file. */
  Path filled() throws StoreException {
    Path file = folder.resolve("filled.db");
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1_500)) {
      fleets.create("f", problem(), "", false).join();
      for (int i = 0; i < 30; i++) {
        assign(fleets, "w" + i);
      }
    }
    return file;
  }

  /** Fleet f, whose calls have keys, and fleet g, whose calls have none; each has some pages. */
  Path two() throws StoreException {
    Path file = folder.resolve("two.db");
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      fleets.create("f", problem(), "", false).join();
      fleets.create("g", problem(), "", false).join();
      for (int i = 0; i < 30; i++) {
        assign(fleets, "w" + i);
        put(fleets, "g", "v" + i);
      }
    }
    return file;
  }
}

package io.lighthouse.fleets.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetCommands;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetLimits;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.FleetQuestions;
import io.lighthouse.fleets.NodeCommands;
import io.lighthouse.fleets.Outcome;
import io.lighthouse.fleets.store.Entry;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.Journal;
import io.lighthouse.fleets.store.MemoryJournal;
import io.lighthouse.fleets.store.Saved;
import io.lighthouse.fleets.store.Sql;
import io.lighthouse.fleets.store.SqliteJournal;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.fleets.store.Watched;
import io.lighthouse.json.PlacedWorkload;
import io.lighthouse.json.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteErrorCode;

/**
 * Fleets in a file of SQLite's: what a process leaves that ends anywhere, and files that are
 * damaged.
 */
class FilesTest {
  private static final int FLIPS = 600;

  @TempDir private Path folder;

  private static Problem problem() {
    return Engine.problem(
        "{'strategy':'round-robin','nodes':[{'name':'n1','resources':{'cpu':80}},"
            + "{'name':'n2','resources':{'cpu':80}}],'workloads':[]}");
  }

  private static String assign(Fleets fleets, String name) {
    FleetCall call =
        FleetCall.of(FleetCommands.assign(List.of(Workload.of(name, Resources.of("cpu", 1)))))
            .withKey("key-" + name, name.getBytes(StandardCharsets.UTF_8));
    return new String(fleets.submit("f", call).join().body(), StandardCharsets.UTF_8);
  }

  private static PlacedWorkload workload(String name) {
    return new PlacedWorkload(Workload.of(name, Resources.of("cpu", 1)), Optional.empty());
  }

  private static String whole(Fleets fleets) {
    Problem[] taken = new Problem[1];
    fleets.submit("f", FleetCall.of(FleetQuestions.problem(problem -> taken[0] = problem))).join();
    return new String(Recovery.json(taken[0]), StandardCharsets.UTF_8);
  }

  /** What is on the disk at one moment, and what was answered by then. */
  private record Moment(String step, byte[] main, byte[] log, List<String> answers) {
    Path in(Path place) throws IOException {
      Files.createDirectories(place);
      Path file = place.resolve("fleets.db");
      Files.write(file, main);
      Files.write(place.resolve("fleets.db-wal"), log);
      Files.deleteIfExists(place.resolve("fleets.db-shm"));
      return file;
    }
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

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

  /** A file with a log, two snapshots and keys, all in the main file. */
  private Path filled() throws StoreException {
    Path file = folder.resolve("filled.db");
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1_500)) {
      fleets.create("f", problem(), "", false).join();
      for (int i = 0; i < 30; i++) {
        assign(fleets, "w" + i);
      }
    }
    return file;
  }

  /** All that a journal says of fleet 1, by which two can be compared. */
  private static String said(Journal journal) throws StoreException {
    StringBuilder said = new StringBuilder();
    for (Head head : journal.heads()) {
      said.append(head.name()).append(HexFormat.of().formatHex(head.digest()));
    }
    for (Entry entry : journal.entries(1, 0, 1_000)) {
      said.append(HexFormat.of().formatHex(entry.hash())).append(entry.key()).append(entry.at());
      said.append(Arrays.toString(entry.body())).append(Arrays.toString(entry.answer()));
    }
    for (Saved saved : journal.snapshots(1)) {
      said.append(saved.generation()).append(HexFormat.of().formatHex(saved.digest()));
    }
    for (int i = 0; i < 30; i++) {
      said.append(journal.byKey(1, "", "key-w" + i).map(Entry::generation).orElse(-1L));
    }
    return said.append(new Verification(journal, Engine::of).export("f")).toString();
  }

  @Test
  void aFlippedBitIsFoundOrChangesNothing() throws Exception {
    Path file = filled();
    byte[] sound = Files.readAllBytes(file);
    String before;
    try (SqliteJournal journal = SqliteJournal.openToRead(file)) {
      before = said(journal);
    }
    Random dice = new Random(1);
    int found = 0;
    int harmless = 0;
    for (int i = 0; i < FLIPS; i++) {
      byte[] flipped = sound.clone();
      int bit = dice.nextInt(8 * sound.length);
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      Path there = folder.resolve("flipped" + i % 4 + ".db");
      Files.deleteIfExists(folder.resolve("flipped" + i % 4 + ".db-wal"));
      Files.deleteIfExists(folder.resolve("flipped" + i % 4 + ".db-shm"));
      Files.write(there, flipped);
      if (isFound(there)) {
        found++;
      } else {
        try (SqliteJournal journal = SqliteJournal.openToRead(there)) {
          assertThat(said(journal)).as("bit %s, unseen", bit).isEqualTo(before);
        }
        harmless++;
      }
    }
    assertThat(found).isGreaterThan(FLIPS / 10);
    assertThat(harmless).isGreaterThan(0);
  }

  private static boolean isFound(Path file) {
    try (SqliteJournal journal = SqliteJournal.openToRead(file)) {
      List<Verification.Found> found = new Verification(journal, Engine::of).verify();
      return found.isEmpty()
          || found.stream().anyMatch(fleet -> !fleet.faults().isEmpty())
          || !journal.check().isEmpty();
    } catch (StoreException | FleetException damaged) {
      return true;
    }
  }

  @Test
  void aDamagedFleetIsNamedAndTheOthersGoOn() throws Exception {
    Path file = filled();
    String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    int at = text.lastIndexOf("\"name\":\"w29\"");
    byte[] altered = text.getBytes(StandardCharsets.ISO_8859_1);
    altered[at + 8] = 'x';
    Path there = folder.resolve("altered.db");
    Files.write(there, altered);
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(there), 1 << 20)) {
      assertThatThrownBy(() -> fleets.submit("f", FleetCall.of(FleetQuestions.summary())).join())
          .isInstanceOf(CompletionException.class)
          .hasMessageContaining("its entry 31 was altered");
      assertThat(fleets.create("g", problem(), "", false).join().outcome())
          .isEqualTo(Outcome.CREATED);
      assertThat(fleets.submit("g", FleetCall.of(FleetQuestions.summary())).join().outcome())
          .isEqualTo(Outcome.DONE);
    }
  }

  @Test
  void anAnswerThatWasAlteredIsNotRepeated() throws Exception {
    Path file = filled();
    try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = db.createStatement()) {
      statement.execute("UPDATE entry SET answer = replace(answer, 'n', 'm') WHERE generation = 9");
    }
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      assertThatThrownBy(() -> assign(fleets, "w7"))
          .hasMessageContaining("its entry 9 or the one before it was altered");
      assertThat(assign(fleets, "w6")).contains("w6", "\"generation\":8");
      assertThat(assign(fleets, "w8")).contains("w8", "\"generation\":10");
    }
  }

  /** SQLite itself deletes the log of an empty file. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLogWhoseFileIsMissingOrEmptyIsRefusedAndStays(boolean isThere) throws Exception {
    Path file = folder.resolve("fleets.db");
    Moment moment;
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      fleets.create("f", problem(), "", false).join();
      byte[] log = bytes(folder.resolve("fleets.db-wal"));
      moment = new Moment("", new byte[0], log, List.of());
    }
    Path there = moment.in(folder.resolve("other"));
    if (!isThere) {
      Files.delete(there);
    }
    assertThatThrownBy(() -> SqliteJournal.openToRead(there)).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> SqliteJournal.open(there))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("fleets.db-wal has " + moment.log().length + " bytes");
    assertThat(folder.resolve("other/fleets.db-wal")).hasBinaryContent(moment.log());
    assertThat(Files.exists(there)).isEqualTo(isThere);
  }

  /** As where the copy gets the name of a file whose process was killed. */
  @Test
  void aLogIsNotAppliedToACopyOfItsFile() throws Exception {
    Path file = folder.resolve("fleets.db");
    Path copy = folder.resolve("copy.db");
    Moment moment;
    try (SqliteJournal journal = SqliteJournal.open(file);
        Fleets fleets = Engine.fleets(journal, 1 << 20)) {
      fleets.create("f", problem(), "", false).join();
      journal.backup(copy);
      assign(fleets, "w");
      moment = new Moment("", bytes(copy), bytes(folder.resolve("fleets.db-wal")), List.of());
    }
    Path there = moment.in(folder.resolve("restored"));
    assertThatThrownBy(() -> SqliteJournal.open(there))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("a copy, and the log fleets.db-wal has");
    Files.delete(folder.resolve("restored/fleets.db-wal"));
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(there), 1 << 20)) {
      assertThat(fleets.list()).containsExactly(new Fleets.Listed("f", 1, 2, 0));
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

  /** A bit of an index may flip as one of a table may, and no hash covers it. */
  @Test
  void anIndexThatHidesTheCallsThatMayBeRepeatedIsFound() throws Exception {
    Path file = folder.resolve("fleets.db");
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      fleets.create("f", problem(), "", false).join();
      assign(fleets, "w1");
      assign(fleets, "w2");
      fleets.create("g", problem(), "", false).join();
    }
    byte[] bytes = Files.readAllBytes(file);
    // In the index a fleet's number, the token and the key follow each other; here for entry 3.
    String key = "key-w2" + (char) 3;
    int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(key);
    bytes[at + 5] = '7';
    Files.write(file, bytes);
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      assertThatThrownBy(() -> assign(fleets, "w2"))
          .hasMessageContaining(
              "the index 'entry_key' does not have its entry 3; stop the service");
      assertThat(fleets.submit("g", FleetCall.of(FleetQuestions.summary())).join().outcome())
          .isEqualTo(Outcome.DONE);
    }
    try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = db.createStatement()) {
      statement.execute("REINDEX entry_key");
    }
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      assertThat(assign(fleets, "w2")).endsWith("\"generation\":3}");
    }
  }

  /** Makes the page malformed that has a byte of the file. */
  private static void malform(Path file, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[at / 4_096 * 4_096] = -1;
    Files.write(file, bytes);
  }

  /** Where the index of keys begins. */
  private static int keys(Path file) {
    String root = "SELECT rootpage FROM sqlite_master WHERE name = 'entry_key'";
    return ((int) Sql.number("jdbc:sqlite:" + file, root) - 1) * 4_096;
  }

  @Test
  void aFleetWhoseIndexOfKeysIsMalformedIsDamagedAndCanBeDeleted() throws Exception {
    Path file = filled();
    malform(file, keys(file));
    try (SqliteJournal journal = SqliteJournal.openToRead(file)) {
      Problem exported = new Verification(journal, Engine::of).export("f");
      assertThat(new String(Recovery.json(exported), StandardCharsets.UTF_8)).contains("w0", "w29");
    }
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      assertThatThrownBy(() -> fleets.submit("f", FleetCall.of(FleetQuestions.summary())).join())
          .hasMessageContaining(
              "fleet 'f' is not used: cannot look keys up in the index 'entry_key'")
          .hasMessageContaining("malformed")
          .hasMessageEndingWith("and repair the file or start on a backup");
      fleets.submit("f", FleetCall.of(NodeCommands.deleteFleet())).join();
      assertThat(fleets.list()).isEmpty();
    }
  }

  private static long put(Fleets fleets, String fleet, String name) {
    return fleets
        .submit(fleet, FleetCall.of(FleetCommands.put(workload(name))))
        .join()
        .generation();
  }

  /** Fleet f, whose calls have keys, and fleet g, whose calls have none; each has some pages. */
  private Path two() throws StoreException {
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

  @ParameterizedTest
  @CsvSource({"w12, f, g", "v29, g, f"})
  void aMalformedPageOfALogIsDamageToItsFleetAlone(String on, String damaged, String sound)
      throws Exception {
    Path file = two();
    String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    malform(file, text.lastIndexOf("\"name\":\"" + on + "\""));
    try (SqliteJournal journal = SqliteJournal.openToRead(file)) {
      for (Verification.Found found : new Verification(journal, Engine::of).verify()) {
        assertThat(found.generation()).isEqualTo(31);
        assertThat(String.join("", found.faults()).contains("malformed"))
            .as("%s", found)
            .isEqualTo(found.name().equals(damaged));
        assertThat(found.faults()).noneMatch(fault -> fault.contains("fleets verify"));
      }
      assertThatThrownBy(() -> new Verification(journal, Engine::of).export(damaged))
          .isInstanceOfSatisfying(
              FleetException.class,
              why -> assertThat(why.kind()).isEqualTo(FleetException.Kind.DAMAGED))
          .hasMessageContaining(
              "fleet '" + damaged + "' is not used: cannot read a log in " + file);
      assertThat(new Verification(journal, Engine::of).export(sound)).isNotNull();
    }
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      assertThatThrownBy(() -> put(fleets, damaged, "more"))
          .hasMessageContaining("fleet '" + damaged + "' is not used: cannot read a log in " + file)
          .hasMessageContaining("malformed");
      assertThat(put(fleets, sound, "more")).isEqualTo(32);
      if (on.equals("w12")) { // The page has not the end of the log, where the deletion goes.
        fleets.submit(damaged, FleetCall.of(NodeCommands.deleteFleet())).join();
        assertThat(fleets.list()).extracting(Fleets.Listed::name).containsExactly(sound);
      }
    }
  }

  /** Without its row the name of a fleet is not known: it would be answered as if it were not. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE fleet SET name = 'h' WHERE id = 1",
        "UPDATE fleet SET gone = 1 WHERE id = 2",
        "DELETE FROM fleet WHERE id = 1",
        "DELETE FROM fleet WHERE id = 2"
      })
  void aFileWithoutTheSoundRowOfAFleetIsRefused(String damage) throws Exception {
    Path file = two();
    Sql.execute("jdbc:sqlite:" + file, damage);
    try (SqliteJournal journal = SqliteJournal.open(file)) {
      String number = damage.substring(damage.length() - 1);
      assertThatThrownBy(() -> Engine.fleets(journal, 1 << 20))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(file + " is damaged: the row of fleet number " + number);
    }
  }

  /** As where the disk has lost a block of the newest snapshot. */
  @Test
  void aSnapshotWithAMalformedPageIsPassedOver() throws Exception {
    Path file = folder.resolve("snapshots.db");
    String before;
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1)) {
      fleets.create("f", problem(), "", false).join();
      Random dice = new Random(3);
      for (int i = 0; i < 40; i++) {
        byte[] name = new byte[1_000];
        dice.nextBytes(name);
        put(fleets, "f", HexFormat.of().formatHex(name));
      }
      before = whole(fleets);
    }
    Saved newest;
    try (SqliteJournal journal = SqliteJournal.openToRead(file)) {
      newest = journal.snapshots(1).get(0);
    }
    lose(file, newest.body());
    try (SqliteJournal journal = SqliteJournal.openToRead(file)) {
      assertThat(journal.snapshots(1)).extracting(Saved::isSound).containsExactly(false, true);
      assertThat(journal.snapshots(1).get(0).body()).isNull();
      assertThat(new Verification(journal, Engine::of).verify().get(0).faults())
          .containsExactly("the snapshot at generation " + newest.generation() + " was altered");
    }
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      assertThat(whole(fleets)).isEqualTo(before);
    }
  }

  /** Sets a page to zeros that has a part of a snapshot, and is not its last one. */
  private static void lose(Path file, byte[] snapshot) throws IOException {
    int place = snapshot.length * 3 / 4;
    assertThat(snapshot.length - place).isGreaterThan(4_096);
    byte[] bytes = Files.readAllBytes(file);
    String all = new String(bytes, StandardCharsets.ISO_8859_1);
    String part = new String(snapshot, place, 16, StandardCharsets.ISO_8859_1);
    int at = all.indexOf(part) / 4_096 * 4_096;
    assertThat(all.indexOf(part)).isPositive().isEqualTo(all.lastIndexOf(part));
    Arrays.fill(bytes, at, at + 4_096, (byte) 0);
    Files.write(file, bytes);
  }

  /** The keys of all fleets are in one index. */
  @Test
  void aMalformedIndexOfKeysLeavesOtherFleetsTheCallsWithoutAKeyAndCanBeMadeAnew()
      throws Exception {
    Path file = two();
    malform(file, keys(file));
    FleetCall keyed =
        FleetCall.of(FleetCommands.put(workload("keyed"))).withKey("key", new byte[] {1});
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      assertThatThrownBy(() -> put(fleets, "f", "more")).hasMessageContaining("is not used");
      assertThat(put(fleets, "g", "more")).isEqualTo(32);
      assertThatThrownBy(() -> fleets.submit("g", keyed).join())
          .cause()
          .isInstanceOfSatisfying(
              FleetException.class,
              why -> assertThat(why.kind()).isEqualTo(FleetException.Kind.STORE))
          .hasMessageContaining("nothing has changed: cannot look a key up in " + file)
          .hasMessageEndingWith("and repair the file or start on a backup");
      assertThat(put(fleets, "g", "last")).isEqualTo(33);
    }
    try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = db.createStatement()) {
      for (String repair :
          List.of( // As in docs/fleets-operations.md.
              "PRAGMA writable_schema = ON",
              "DELETE FROM sqlite_master WHERE name = 'entry_key'",
              "PRAGMA writable_schema = RESET",
              "VACUUM",
              "CREATE UNIQUE INDEX entry_key ON entry (fleet, token, key) WHERE key IS NOT NULL")) {
        statement.execute(repair);
      }
    }
    assertThat(isFound(file)).isFalse();
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      assertThat(assign(fleets, "w12")).endsWith("\"generation\":14}");
      assertThat(fleets.submit("g", keyed).join().generation()).isEqualTo(34);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"token", "body", "hash"})
  void aFleetWhoseEntryHasLostAPartIsDamagedAndCanBeDeleted(String part) throws Exception {
    Path file = filled();
    try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = db.createStatement()) {
      statement.execute("PRAGMA writable_schema = ON");
      statement.execute(
          "UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '') WHERE name = 'entry'");
      statement.execute("PRAGMA writable_schema = RESET");
      statement.execute("UPDATE entry SET " + part + " = NULL WHERE generation = 31");
    }
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      assertThatThrownBy(() -> fleets.submit("f", FleetCall.of(FleetQuestions.summary())).join())
          .hasMessageContaining("its entry 31 was altered");
      fleets.submit("f", FleetCall.of(NodeCommands.deleteFleet())).join();
      assertThat(fleets.list()).isEmpty();
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

  @Test
  void aLogThatIsCutAnywhereLeavesABeginningOfIt() throws Exception {
    Path file = folder.resolve("fleets.db");
    Moment[] last = new Moment[1];
    List<String> states = new ArrayList<>();
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      fleets.create("f", problem(), "", false).join();
      states.add(whole(fleets));
      for (int i = 0; i < 6; i++) {
        assign(fleets, "w" + i);
        states.add(whole(fleets));
      }
      last[0] = new Moment("end", bytes(file), bytes(folder.resolve("fleets.db-wal")), List.of());
    }
    byte[] log = last[0].log();
    assertThat(log.length).isGreaterThan(10_000);
    int seen = -1;
    for (int cut = 0; cut <= log.length; cut += 293) {
      Moment moment = new Moment("cut", last[0].main(), Arrays.copyOf(log, cut), List.of());
      Path there = moment.in(folder.resolve("cut"));
      try (Fleets fleets = Engine.fleets(SqliteJournal.open(there), 1 << 20)) {
        int state = fleets.list().isEmpty() ? -1 : states.indexOf(whole(fleets));
        assertThat(fleets.list().isEmpty() || state >= 0).as("cut at %s", cut).isTrue();
        assertThat(state).isGreaterThanOrEqualTo(seen);
        seen = state;
      }
    }
    assertThat(seen).isGreaterThanOrEqualTo(states.size() - 2);
  }

  /** A process was killed that had made nine commits. */
  @Test
  void aLogWithAFlippedBitIsRefusedUnlessItMayHaveBeenBrokenOff() throws Exception {
    Path file = folder.resolve("fleets.db");
    Moment[] last = new Moment[1];
    List<Integer> ends = new ArrayList<>();
    List<String> states = new ArrayList<>();
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      fleets.create("f", problem(), "", false).join();
      for (int i = 0; i < 6; i++) {
        assign(fleets, "w" + i);
        ends.add(bytes(folder.resolve("fleets.db-wal")).length);
        states.add(whole(fleets));
      }
      last[0] = new Moment("end", bytes(file), bytes(folder.resolve("fleets.db-wal")), List.of());
    }
    byte[] log = last[0].log();
    Random dice = new Random(2);
    int copies = 0;
    for (int i = 0; i < FLIPS; i++) {
      int bit = i < 256 ? i : dice.nextInt(8 * log.length);
      byte[] flipped = log.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      Path there = new Moment("", last[0].main(), flipped, List.of()).in(folder.resolve("flip"));
      Path kept = folder.resolve("flip/fleets.db-wal");
      List<String> found = List.of();
      try (SqliteJournal reading = SqliteJournal.openToRead(there)) {
        found = reading.check();
      } catch (StoreException nothing) {
        assertThat(nothing)
            .hasMessageContaining("holds no fleets")
            .hasMessageContaining("its log fleets.db-wal was damaged at ")
            .hasMessageEndingWith("may be lost; start on a backup");
        found = List.of("");
      }
      if (found.isEmpty()) {
        assertThat(bit / 8).as("bit %s, unseen", bit).isGreaterThan(ends.get(3));
        continue;
      }
      assertThatThrownBy(() -> SqliteJournal.open(there))
          .as("bit %s", bit)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("its log fleets.db-wal was damaged at ")
          .hasMessageContaining(found.get(0))
          .hasMessageEndingWith(
              found.get(0).isEmpty()
                  ? "may be lost; start on a backup"
                  : "run 'fleets verify' on the copy before it is used");
      assertThat(kept).hasBinaryContent(flipped);
      if (!found.get(0).isEmpty() && i % 9 == 0) {
        Path copy = folder.resolve("flip" + i + ".db");
        try (SqliteJournal reading = SqliteJournal.openToRead(there)) {
          reading.backup(copy);
        }
        assertThat(kept).hasBinaryContent(flipped);
        try (Fleets fleets = Engine.fleets(SqliteJournal.open(copy), 1 << 20)) {
          assertThat(fleets.list().isEmpty() || states.indexOf(whole(fleets)) < 5).isTrue();
        }
        copies++;
      }
    }
    assertThat(copies).isPositive();
  }

  /** As where the process was killed after SQLite had written all of the log into the file. */
  @Test
  void aDamagedLogOfWhichTheFileHasAllIsRefusedAndNotNeeded() throws Exception {
    Path file = folder.resolve("fleets.db");
    Moment last;
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      fleets.create("f", problem(), "", false).join();
      for (int i = 0; i < 6; i++) {
        assign(fleets, "w" + i);
      }
      Sql.execute("jdbc:sqlite:" + file, "PRAGMA wal_checkpoint(PASSIVE)");
      last = moment(file, whole(fleets));
    }
    byte[] log = last.log().clone();
    log[5_000] ^= 1;
    Path there = new Moment("", last.main(), log, List.of()).in(folder.resolve("damaged"));
    assertThatThrownBy(() -> SqliteJournal.open(there))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("was damaged at frame 2, and calls that were answered may be lost");
    Path alone = Files.write(folder.resolve("alone.db"), last.main());
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(alone), 1 << 20)) {
      assertThat(last.answers()).containsExactly(whole(fleets));
    }
  }

  /** A block that a disk has lost. The sum over a header of zeros is zero, too. */
  @ParameterizedTest
  @ValueSource(ints = {32, 512, 4_096})
  void aLogThatBeginsWithZerosIsRefused(int zeros) throws Exception {
    Path file = folder.resolve("fleets.db");
    Moment last;
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      fleets.create("f", problem(), "", false).join();
      for (int i = 0; i < 3; i++) {
        assign(fleets, "w" + i);
      }
      last = moment(file, "");
    }
    byte[] log = last.log().clone();
    Arrays.fill(log, 0, zeros, (byte) 0);
    Path there = new Moment("", last.main(), log, List.of()).in(folder.resolve("zeros"));
    assertThatThrownBy(() -> SqliteJournal.open(there))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("its log fleets.db-wal was damaged at its header");
    assertThat(folder.resolve("zeros/fleets.db-wal")).hasBinaryContent(log);
  }

  /** Power cuts in a row: after each, the log also has what the one before has left. */
  @ParameterizedTest
  @ValueSource(ints = {512, 4_096})
  void aCommitThatAPowerCutBrokeOffIsNoDamage(int block) throws Exception {
    Random dice = new Random(block);
    for (int life = 0; life < 25; life++) {
      Path file = Files.createDirectories(folder.resolve("life" + life)).resolve("fleets.db");
      for (int cut = 0; cut < 4; cut++) {
        List<Moment> moments = new ArrayList<>();
        try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
          if (cut == 0) {
            fleets.create("f", problem(), "", false).join();
          }
          moments.add(moment(file, whole(fleets)));
          for (int i = 0; i < 1 + dice.nextInt(2); i++) {
            assign(fleets, "w" + cut + "-" + i + "x".repeat(9_000 * dice.nextInt(3)));
            moments.add(moment(file, whole(fleets)));
          }
        }
        Moment before = moments.get(moments.size() - 2);
        Moment after = moments.get(moments.size() - 1);
        byte[] log = partly(before.log(), after.log(), block, dice);
        Moment found = new Moment("", before.main(), log, List.of());
        try (SqliteJournal reading = SqliteJournal.openToRead(found.in(folder.resolve("read")))) {
          assertThat(reading.check()).isEmpty();
        }
        Path copy = found.in(folder.resolve("copy"));
        try (Fleets fleets = Engine.fleets(SqliteJournal.open(copy), 1 << 20)) {
          assertThat(List.of(whole(fleets))).isIn(before.answers(), after.answers());
        }
        file = found.in(folder.resolve("life" + life + "-" + cut));
      }
    }
  }

  private static Moment moment(Path file, String state) {
    Path log = file.resolveSibling("fleets.db-wal");
    return new Moment("", bytes(file), bytes(log), List.of(state));
  }

  /** What a disk has that was given a file of which some blocks were not yet written. */
  private static byte[] partly(byte[] before, byte[] after, int block, Random dice) {
    byte[] mixed = Arrays.copyOf(before, after.length);
    for (int at = 0; at < after.length; at += block) {
      if (dice.nextBoolean()) {
        System.arraycopy(after, at, mixed, at, Math.min(block, after.length - at));
      }
    }
    return mixed;
  }

  @Test
  @Timeout(120)
  void theLogOfADeletedFleetGoesWithoutARestart() throws Exception {
    Path file = folder.resolve("fleets.db");
    AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-23T00:00:00Z"));
    Clock clock = mock(now);
    try (SqliteJournal journal = SqliteJournal.open(file);
        Fleets fleets =
            Fleets.open(journal, Engine::of, FleetLimits.STANDARD, FleetObserver.NONE, clock)) {
      fleets.create("f", problem(), "", false).join();
      fleets.submit("f", FleetCall.of(NodeCommands.deleteFleet())).join();
      assertThat(journal.entries(1, 0, 9)).hasSize(2);
      now.set(now.get().plus(FleetLimits.STANDARD.retention()).plusSeconds(4_000));
      while (!journal.entries(1, 0, 9).isEmpty()) {
        Thread.onSpinWait();
      }
      assertThat(journal.heads()).hasSize(1);
    }
  }

  /** As where the disk is full. */
  @Test
  void aStoreThatCannotDeleteAnOldLogIsOpened() throws Exception {
    MemoryJournal journal =
        new MemoryJournal() {
          @Override
          public synchronized void forget(long fleet) throws StoreException {
            throw new StoreException("planned", null);
          }
        };
    assertThat(reopenedLater(journal).list()).containsExactly(new Fleets.Listed("f", 1, 2, 0));
  }

  @Test
  void anOldLogWithAMalformedPageStaysAlone() throws Exception {
    MemoryJournal journal =
        new MemoryJournal() {
          @Override
          public synchronized void forget(long fleet) throws StoreException {
            if (fleet == 1) {
              int malformed = SQLiteErrorCode.SQLITE_CORRUPT.code;
              throw new StoreException("planned", new SQLException("planned", null, malformed));
            }
            super.forget(fleet);
          }
        };
    Fleets before = Engine.fleets(journal, 1 << 20);
    for (int i = 0; i < 2; i++) {
      before.create("f", problem(), "", false).join();
      before.submit("f", FleetCall.of(NodeCommands.deleteFleet())).join();
    }
    reopenedLater(journal);
    assertThat(journal.entries(1, 0, 9)).hasSize(2);
    assertThat(journal.entries(2, 0, 9)).isEmpty();
  }

  /** As where its synchronisation fails. */
  @Test
  void aStoreThatCanNotBeWrittenAnyMoreAfterThatIsNotOpened() {
    MemoryJournal journal =
        new MemoryJournal() {
          private boolean failed;

          @Override
          public synchronized void forget(long fleet) throws StoreException {
            failed = true;
            throw new StoreException("planned", null);
          }

          @Override
          public Optional<String> doubt() {
            return failed ? Optional.of("planned doubt") : Optional.empty();
          }
        };
    assertThatThrownBy(() -> reopenedLater(journal))
        .isInstanceOf(StoreException.class)
        .hasMessage("planned");
  }

  /** A store that has the log of a deleted fleet, opened when that log is old. */
  private static Fleets reopenedLater(MemoryJournal journal) throws StoreException {
    Fleets before = Engine.fleets(journal, 1 << 20);
    before.create("f", problem(), "", false).join();
    before.submit("f", FleetCall.of(NodeCommands.deleteFleet())).join();
    before.create("f", problem(), "", false).join();
    Instant later = Instant.now().plus(FleetLimits.STANDARD.retention()).plusSeconds(4_000);
    Clock clock = Clock.fixed(later, ZoneOffset.UTC);
    return new Fleets(
        journal,
        Engine::of,
        FleetLimits.STANDARD,
        FleetObserver.NONE,
        clock,
        Runnable::run,
        1 << 20);
  }

  private static Clock mock(AtomicReference<Instant> now) {
    return new Clock() {
      @Override
      public Instant instant() {
        return now.get();
      }

      @Override
      public ZoneId getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(ZoneId zone) {
        return this;
      }
    };
  }
}

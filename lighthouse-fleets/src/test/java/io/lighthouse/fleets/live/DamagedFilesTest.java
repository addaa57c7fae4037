package io.lighthouse.fleets.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetCommands;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetQuestions;
import io.lighthouse.fleets.NodeCommands;
import io.lighthouse.fleets.Outcome;
import io.lighthouse.fleets.store.Entry;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.Journal;
import io.lighthouse.fleets.store.Saved;
import io.lighthouse.fleets.store.Sql;
import io.lighthouse.fleets.store.SqliteJournal;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.fleets.store.Watched;
import io.lighthouse.json.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Damage to a file of SQLite: it is found, and keeps to what needs the damaged part. */
class DamagedFilesTest extends OnFile {
  private static final int FLIPS = 600;

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

  /** As by {@code cp copy.db fleets.db}. SQLite notices nothing, and goes on with its own pages. */
  @Test
  void aFileThatIsOverwrittenInPlaceAndWrittenOnIsFoundWhenItIsOpenedAgain() throws Exception {
    Path file = folder.resolve("fleets.db");
    Path copy = folder.resolve("copy.db");
    try (SqliteJournal journal = SqliteJournal.open(file);
        Fleets fleets = Engine.fleets(journal, 1 << 20)) {
      fleets.create("f", problem(), "", false).join();
      for (int i = 0; i < 60; i++) {
        assign(fleets, "w" + i);
        if (i == 20) {
          journal.backup(copy);
        }
      }
      Watched.checkpoint(journal);
      Files.write(file, Files.readAllBytes(copy)); // Into the same file, from its beginning.
      assertThat(assign(fleets, "late")).contains("\"generation\":62}");
    }
    assertThat(isFound(file)).isTrue();
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

  /** Where an index begins. */
  private static int root(Path file, String index) {
    String root = "SELECT rootpage FROM sqlite_master WHERE name = '" + index + "'";
    return ((int) Sql.number("jdbc:sqlite:" + file, root) - 1) * 4_096;
  }

  @Test
  void aFleetWhoseIndexOfKeysIsMalformedIsDamagedAndCanBeDeleted() throws Exception {
    Path file = filled();
    malform(file, root(file, "entry_key"));
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
    malform(file, root(file, "entry_key"));
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

  /** Each call of each fleet updates the row of its fleet. */
  @ParameterizedTest
  @ValueSource(strings = {"fleet_name", "fleet_names"})
  void aMalformedIndexOfNamesFailsOnlyWhatAddsAName(String index) throws Exception {
    Path file = two();
    malform(file, root(file, index));
    try (Fleets fleets = Engine.fleets(SqliteJournal.open(file), 1 << 20)) {
      assertThat(assign(fleets, "more")).endsWith("\"generation\":32}");
      assertThat(put(fleets, "g", "more")).isEqualTo(32);
      assertThatThrownBy(() -> fleets.create("h", problem(), "", false).join())
          .hasMessageContaining("nothing has changed")
          .hasMessageContaining("malformed");
      assertThat(put(fleets, "g", "last")).isEqualTo(33);
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
}

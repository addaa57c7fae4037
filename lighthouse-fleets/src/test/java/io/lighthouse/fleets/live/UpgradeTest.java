package io.lighthouse.fleets.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.Command;
import io.lighthouse.fleets.DomainCommands;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetCommands;
import io.lighthouse.fleets.FleetLimits;
import io.lighthouse.fleets.FleetObserver;
import io.lighthouse.fleets.NodeCommands;
import io.lighthouse.fleets.store.Head;
import io.lighthouse.fleets.store.Journal;
import io.lighthouse.fleets.store.Retention;
import io.lighthouse.fleets.store.Saved;
import io.lighthouse.fleets.store.Sql;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.fleets.store.Stores;
import io.lighthouse.json.Limits;
import io.lighthouse.json.read.FleetReader;
import io.lighthouse.postgres.PostgresServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Opens, verifies, replays and continues stores that earlier versions of Lighthouse wrote, one
 * folder for each format: an SQLite file, and the {@code pg_dump} of a database. Each store has
 * three fleets with the same history. The fleet {@code entries} has only entries. The fleet {@code
 * snapshot} has a snapshot at its end, and no entries before its previous snapshot. The fleet
 * {@code both} has a snapshot and entries after it. The folder also has the last state, as the
 * version that wrote the store exported it.
 *
 * <p>The folder of a new format is written by {@code -Dlighthouse.fleets.write=FOLDER}; what is
 * there is never written again.
 */
class UpgradeTest {
  private static final Path STORES =
      Path.of(System.getProperty("lighthouse.root"), "lighthouse-fleets/src/test/stores");
  private static final List<String> FLEETS = List.of("entries", "snapshot", "both");
  private static final Retention ALL_MAY_GO = new Retention(Long.MAX_VALUE, 1, Long.MAX_VALUE);
  private static final FleetReader READER = new FleetReader(Limits.STANDARD);
  private static final String VM_1 =
      "{'workloads':[{'id':'vm-1','requirements':{'cpu':0.1,'mem':1}}]}";

  private static final String SQLITE = "fleets.db";
  private static final String POSTGRES = "fleets.sql";

  private static PostgresServer server;

  @TempDir private Path folder;

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  static Stream<Path> written() throws IOException {
    try (Stream<Path> all = Files.walk(STORES)) {
      return all
          .filter(file -> Set.of(SQLITE, POSTGRES).contains(file.getFileName().toString()))
          .sorted()
          .toList()
          .stream();
    }
  }

  /** Where a store of this kind may be made. */
  private String empty(String kind) {
    if (kind.equals(SQLITE)) {
      return folder.resolve(SQLITE).toString();
    }
    if (server == null) {
      server = PostgresServer.start();
    }
    return server.database();
  }

  private static Fleets open(Journal journal) throws StoreException {
    return new Fleets(
        journal,
        Engine::of,
        FleetLimits.STANDARD,
        FleetObserver.NONE,
        Clock.fixed(Instant.parse("2026-11-22T12:00:00Z"), ZoneOffset.UTC),
        Runnable::run,
        Long.MAX_VALUE);
  }

  private static InputStream json(String text) {
    return new ByteArrayInputStream(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static Answer ask(Fleets fleets, String fleet, Command command) {
    return fleets.submit(fleet, FleetCall.of(command)).join();
  }

  private static Answer assign(Fleets fleets, String fleet, String batch) throws IOException {
    byte[] body = batch.getBytes(StandardCharsets.UTF_8);
    Command command = FleetCommands.assign(READER.batch(json(batch)).problem().workloads());
    return fleets.submit(fleet, FleetCall.of(command).withKey("key-1", body)).join();
  }

  private static String exported(Journal journal, String fleet) throws StoreException {
    byte[] whole = Recovery.json(new Verification(journal, Engine::of).export(fleet));
    return new String(whole, StandardCharsets.UTF_8);
  }

  /** A store that holds what another does that was kept. */
  private String copy(Path kept) throws IOException {
    String store = empty(kept.getFileName().toString());
    if (kept.endsWith(SQLITE)) {
      Files.copy(kept, Path.of(store));
    } else {
      Sql.execute(store, Files.readString(kept));
    }
    return store;
  }

  @ParameterizedTest
  @MethodSource("written")
  void whatAVersionWroteIsReadAndContinued(Path kept) throws Exception {
    String store = copy(kept);
    try (Journal journal = Stores.openToRead(store)) {
      assertThat(new Verification(journal, Engine::of).verify())
          .hasSize(FLEETS.size())
          .allSatisfy(found -> assertThat(found.faults()).as(found.name()).isEmpty());
      for (String fleet : FLEETS) {
        assertThat(exported(journal, fleet))
            .as(fleet)
            .isEqualTo(Files.readString(kept.resolveSibling("fleet.json")));
      }
    }
    try (Fleets fleets = open(Stores.open(store))) {
      for (String fleet : FLEETS) {
        String batch =
            "{'workloads':[{'id':'new','requirements':{'cpu':1,'mem':0.5},'tolerations':['spiders']}]}";
        ask(fleets, fleet, FleetCommands.assign(READER.batch(json(batch)).problem().workloads()));
        ask(fleets, fleet, FleetCommands.release("vm-2"));
      }
      // The key of the second entry is known where that entry is, and decides nothing anew.
      for (String fleet : List.of("entries", "both")) {
        Answer again = assign(fleets, fleet, VM_1);
        assertThat(again.replayed()).isTrue();
        assertThat(new String(again.body(), StandardCharsets.UTF_8))
            .isEqualTo(Files.readString(kept.resolveSibling("answer.json")));
      }
    }
    try (Journal journal = Stores.openToRead(store)) {
      assertThat(new Verification(journal, Engine::of).verify())
          .allSatisfy(found -> assertThat(found.faults()).isEmpty());
      assertThat(exported(journal, "snapshot"))
          .isEqualTo(exported(journal, "entries"))
          .isEqualTo(exported(journal, "both"))
          .contains("\"new\"")
          .doesNotContain("\"vm-2\"");
    }
  }

  @ParameterizedTest
  @MethodSource("written")
  void theStoresAreOfTheThreeKinds(Path kept) throws Exception {
    try (Journal journal = Stores.openToRead(copy(kept))) {
      for (Head head : journal.heads()) {
        List<Long> snapshots =
            journal.snapshots(head.fleet()).stream().map(Saved::generation).toList();
        long oldest = journal.oldest(head.fleet()).orElseThrow();
        switch (head.name()) {
          case "entries" -> assertThat(snapshots).isEmpty();
          case "both" -> assertThat(snapshots.get(0)).isBetween(2L, head.generation() - 2);
          default -> {
            assertThat(snapshots.get(0)).isEqualTo(head.generation());
            assertThat(oldest).isGreaterThan(2);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("written")
  void oneOfAFormatThatIsNotKnownYetIsRefusedAndLeftAsItIs(Path kept) throws Exception {
    String store = copy(kept);
    boolean file = kept.endsWith(SQLITE);
    Sql.execute(
        file ? "jdbc:sqlite:" + store : store,
        file ? "PRAGMA user_version = 99" : "UPDATE lighthouse_schema SET version = 99");
    byte[] before = bytes(store);
    assertThatThrownBy(() -> open(Stores.open(store)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(store.replaceAll("\\?.*", ""))
        .hasMessageContaining("a newer Lighthouse wrote it (version 99)");
    assertThatThrownBy(() -> Stores.openToRead(store))
        .hasMessageContaining("a newer Lighthouse wrote it (version 99)");
    assertThat(bytes(store)).isEqualTo(before);
  }

  /** All that a store holds, as bytes. */
  private static byte[] bytes(String store) throws IOException {
    return store.startsWith("jdbc:") ? dump(store) : Files.readAllBytes(Path.of(store));
  }

  /** A database as statements. Newer versions of the tool add commands of psql's, which go. */
  private static byte[] dump(String database) throws IOException {
    Process process =
        new ProcessBuilder(
                "pg_dump", "--inserts", "--no-owner", "-d", database.replace("jdbc:", ""))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(text).contains("PostgreSQL database dump complete");
    return text.replaceAll("(?m)^(\\\\.*|--.*|)\n", "").getBytes(StandardCharsets.UTF_8);
  }

  /** The life: every kind of entry that a call can make. */
  private static void firstHalf(Fleets fleets, String fleet) throws IOException {
    fleets
        .create(
            fleet,
            Engine.problem(
                "{'strategy':'bin-pack','rubric':{'cpu':1,'mem':0.5},"
                    + "'domains':[{'level':'rack','name':'r1','resources':{'power':9.5}}],"
                    + "'nodes':[{'id':'n1','domains':{'rack':'r1'},'resources':{'cpu':8,'mem':32,"
                    + "'ssd':0}},{'id':'n2','resources':{'cpu':8.000000000000000001,'mem':16,"
                    + "'spiders':-inf,'licence':inf}}],'workloads':[]}"),
            "",
            false)
        .join();
    assign(fleets, fleet, VM_1);
    String batch =
        "{'workloads':[{'id':'vm-2','requirements':{'cpu':2,'mem':3},'aversion_groups':['a']},"
            + "{'id':'vm-3','requirements':{'cpu':1,'mem':1,'ssd':0},'groups':['web'],"
            + "'shared':{'rack':{'power':0.25}}}]}";
    ask(fleets, fleet, FleetCommands.assign(READER.batch(json(batch)).problem().workloads()));
    ask(
        fleets,
        fleet,
        NodeCommands.put(READER.node(json("{'resources':{'cpu':4,'mem':8}}"), "n3")));
    ask(
        fleets,
        fleet,
        FleetCommands.move(
            READER.moves(json("{'moves':[{'workload':'vm-1'," + "'from':'n1','to':'n3'}]}"))));
  }

  private static void secondHalf(Fleets fleets, String fleet) throws IOException {
    String wanted = "{'requirements':{'cpu':1,'mem':1},'tolerations':['spiders'],'node':'n2'}";
    ask(fleets, fleet, FleetCommands.put(READER.workload(json(wanted), "vm-4")));
    ask(fleets, fleet, FleetCommands.release("vm-1"));
    String resized = "{'resources':{'cpu':16,'mem':8},'cordoned':true}";
    ask(fleets, fleet, NodeCommands.put(READER.node(json(resized), "n3")));
    ask(fleets, fleet, NodeCommands.remove("n3"));
    String shared = "{'resources':{'power':12},'cordoned':true}";
    ask(fleets, fleet, DomainCommands.put(READER.domain(json(shared), "rack", "r1")));
    ask(
        fleets,
        fleet,
        DomainCommands.put(READER.domain(json("{'resources':{'x':1}}"), "room", "o")));
    ask(fleets, fleet, DomainCommands.remove("room", "o"));
    ask(fleets, fleet, DomainCommands.regroup("vm-3", Set.of("db")));
  }

  private static void snapshot(Journal journal, String name) throws StoreException {
    for (Head head : journal.heads()) {
      if (head.name().equals(name)) {
        byte[] body = Recovery.write(new Verification(journal, Engine::of).export(name)).gzip();
        journal.save(
            Saved.of(head.fleet(), head.generation(), head.hash(), body),
            name.equals("snapshot") ? ALL_MAY_GO : new Retention(0, Long.MAX_VALUE, 0));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {SQLITE, POSTGRES})
  @EnabledIfSystemProperty(named = "lighthouse.fleets.write", matches = ".+")
  void writeTheFolderOfThisFormat(String kind) throws Exception {
    Path stores =
        Files.createDirectories(STORES.resolve(System.getProperty("lighthouse.fleets.write")));
    assumeFalse(Files.exists(stores.resolve(kind)), "what is there is never written again");
    String store = empty(kind);
    try (Fleets fleets = open(Stores.open(store))) {
      for (String fleet : FLEETS) {
        firstHalf(fleets, fleet);
      }
    }
    try (Journal journal = Stores.open(store)) {
      snapshot(journal, "snapshot");
      snapshot(journal, "both");
    }
    try (Fleets fleets = open(Stores.open(store))) {
      for (String fleet : FLEETS) {
        secondHalf(fleets, fleet);
      }
      keep(stores.resolve("answer.json"), assign(fleets, "entries", VM_1).body());
    }
    try (Journal journal = Stores.open(store)) {
      snapshot(journal, "snapshot");
      keep(
          stores.resolve("fleet.json"),
          exported(journal, "entries").getBytes(StandardCharsets.UTF_8));
      if (kind.equals(SQLITE)) {
        journal.backup(stores.resolve(kind));
      } else {
        Files.write(stores.resolve(kind), dump(store));
      }
    }
  }

  /** What one store says the other says too. */
  private static void keep(Path file, byte[] bytes) throws IOException {
    if (Files.exists(file)) {
      assertThat(bytes).isEqualTo(Files.readAllBytes(file));
    } else {
      Files.write(file, bytes);
    }
  }
}

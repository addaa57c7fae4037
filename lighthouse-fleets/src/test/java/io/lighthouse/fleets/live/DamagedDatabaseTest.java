package io.lighthouse.fleets.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetCommands;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.FleetQuestions;
import io.lighthouse.fleets.NodeCommands;
import io.lighthouse.fleets.Outcome;
import io.lighthouse.fleets.store.PostgresJournal;
import io.lighthouse.fleets.store.Sql;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damage to a database of PostgreSQL. */
class DamagedDatabaseTest extends SharedStore {
  /** The entries of fleet 1 cannot be read any more, as where their page cannot be verified. */
  private static final String DAMAGE = damage("fleet = 1");

  private static final String REPAIR = "DROP VIEW entry; ALTER TABLE sound RENAME TO entry";

  /** Entries that cannot be read any more. */
  private static String damage(String condition) {
    return "ALTER TABLE entry RENAME TO sound;"
        + " CREATE FUNCTION is_sound(boolean) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN"
        + " IF NOT $1 THEN RAISE 'invalid page' USING ERRCODE = 'data_corrupted'; END IF;"
        + " RETURN true; END $$;"
        + (" CREATE VIEW entry AS SELECT * FROM sound WHERE is_sound(NOT (" + condition + "))");
  }

  @Test
  void aMalformedPageOfALogIsDamageToItsFleetAloneUntilThePageIsSound() throws Exception {
    Fleets before = replica();
    for (String fleet : new String[] {"f", "g"}) {
      before.create(fleet, problem(), "", false).join();
      ask(before, fleet, assign("a"));
    }
    Sql.execute(url, DAMAGE);
    Fleets fleets = replica();
    assertThat(kind(fleets, "f", assign("b"))).isEqualTo(Kind.DAMAGED);
    assertThat(ask(fleets, "g", assign("b"))).endsWith("\"generation\":3}");
    try (PostgresJournal journal = PostgresJournal.openToRead(url)) {
      Verification verification = new Verification(journal, Engine::of);
      assertThat(verification.verify())
          .extracting(found -> found.faults().isEmpty())
          .containsExactly(false, true);
      assertThatThrownBy(() -> verification.export("f"))
          .isInstanceOf(FleetException.class)
          .hasMessageContaining("fleet 'f' is not used: cannot read")
          .hasMessageContaining("invalid page");
    }
    Sql.execute(url, REPAIR);
    assertThat(ask(fleets, "f", assign("b"))).endsWith("\"generation\":3}");
  }

  /** The entry of one call, or the one before that, cannot be read; all are decided in one turn. */
  @ParameterizedTest
  @ValueSource(strings = {"key = 'key-a'", "generation = 1"})
  void aMalformedPageThatOneCallNeedsFailsNoOtherCallOfItsTurn(String entry) throws Exception {
    Steps steps = new Steps();
    replica().create("f", problem(), "", false).join();
    try (Fleets fleets = Engine.fleets(PostgresJournal.open(url), steps, 1 << 20)) {
      fleets.submit("f", assign("a"));
      steps.go();
      Sql.execute(url, damage(entry));
      CompletableFuture<Answer> before = fleets.submit("f", assign("b"));
      CompletableFuture<Answer> repeated = fleets.submit("f", assign("a"));
      CompletableFuture<Answer> behind = fleets.submit("f", assign("c"));
      steps.go();
      assertThat(before.join().generation()).isEqualTo(3);
      assertThatThrownBy(repeated::join)
          .hasMessageContaining("nothing has changed: cannot ")
          .hasMessageContaining("invalid page");
      assertThat(behind.join().generation()).isEqualTo(4);
      Sql.execute(url, REPAIR);
      CompletableFuture<Answer> again = fleets.submit("f", assign("a"));
      steps.go();
      assertThat(again.join().replayed()).isTrue();
    }
    judge(4);
  }

  /** Else each call on it, also its deletion, would get 503 for ever. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFleetWhoseNewEntryHasAMalformedPageIsDamagedAlsoWhereItWasInUse(boolean readFirst) {
    Fleets one = replica();
    one.create("f", problem(), "", false).join();
    ask(one, "f", assign("a"));
    ask(replica(), "f", assign("b"));
    Sql.execute(url, DAMAGE);
    FleetCall read = FleetCall.of(FleetQuestions.summary());
    assertThat(kind(one, "f", readFirst ? read : assign("c"))).isEqualTo(Kind.DAMAGED);
    assertThat(kind(one, "f", readFirst ? assign("c") : read)).isEqualTo(Kind.DAMAGED);
    one.submit("f", FleetCall.of(NodeCommands.deleteFleet())).join();
    assertThat(one.list()).isEmpty();
    assertThat(one.create("f", problem(), "", false).join().outcome()).isEqualTo(Outcome.CREATED);
  }

  /** Pages that the server itself refuses; those of an index are sound. */
  @Test
  void aFleetWithAMalformedPageCanBeDeletedUnlessThePageIsNeededForThat() throws Exception {
    Fleets before = replica();
    for (String fleet : List.of("f", "g")) {
      before.create(fleet, problem(), "", false).join();
      for (int i = 0; i < 70; i++) {
        Workload large = Workload.of(i + "w".repeat(1_000), Resources.of("cpu", 0));
        ask(before, fleet, FleetCall.of(FleetCommands.assign(List.of(large))));
      }
    }
    String indexed = url + "&options=-c%20enable_seqscan=off"; // Else it reads a small table whole.
    malform(1);
    Fleets fleets = replica(indexed, step -> {}, 1 << 20);
    assertThat(kind(fleets, "f", assign("a"))).isEqualTo(Kind.DAMAGED);
    assertThat(ask(fleets, "g", assign("a"))).endsWith("\"generation\":72}");
    fleets.submit("f", FleetCall.of(NodeCommands.deleteFleet())).join();
    assertThat(fleets.list()).extracting(Fleets.Listed::name).containsExactly("g");
    malform(Integer.MAX_VALUE);
    Fleets later = replica(indexed, step -> {}, 1 << 20);
    assertThat(kind(later, "g", assign("b"))).isEqualTo(Kind.DAMAGED);
    assertThatThrownBy(() -> later.submit("g", FleetCall.of(NodeCommands.deleteFleet())).join())
        .hasMessageContaining("nothing has changed: cannot write in")
        .hasMessageContaining("invalid page")
        .hasMessageEndingWith(
            "promote a standby whose page is sound, or repair or restore the" + " database");
  }

  /** The first pages of the entries are malformed from now on, and the server is started anew. */
  private void malform(int pages) throws Exception {
    Sql.execute(url, "CHECKPOINT");
    Path file =
        Path.of(Sql.text(url, "SHOW data_directory"))
            .resolve(Sql.text(url, "SELECT pg_relation_filepath('entry')"));
    byte[] bytes = Files.readAllBytes(file);
    for (int at = 0, page = 0; at < bytes.length && page < pages; at += 8_192, page++) {
      Arrays.fill(bytes, at, at + 24, (byte) -1);
    }
    Files.write(file, bytes, StandardOpenOption.WRITE);
    killAndStart();
  }

  /** Without the snapshot the fleet cannot be recovered: its first entry was deleted in time. */
  @Test
  void aMalformedPageOfASnapshotIsDamageUntilThePageIsSound() throws Exception {
    Fleets before = replica(step -> {}, 1);
    before.create("f", problem(), "", false).join();
    ask(before, "f", assign("a"));
    Sql.execute(url, "DELETE FROM entry WHERE generation = 1");
    Sql.execute(
        url,
        "ALTER TABLE snapshot RENAME TO sound;"
            + " CREATE FUNCTION page(bytea) RETURNS bytea IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN"
            + " RAISE 'invalid page' USING ERRCODE = 'data_corrupted'; END $$;"
            + " CREATE VIEW snapshot AS"
            + " SELECT fleet, generation, entry_hash, page(body) AS body, digest FROM sound");
    Fleets fleets = replica();
    assertThat(kind(fleets, "f", assign("b"))).isEqualTo(Kind.DAMAGED);
    Sql.execute(url, "DROP VIEW snapshot; ALTER TABLE sound RENAME TO snapshot");
    assertThat(ask(fleets, "f", assign("b"))).endsWith("\"generation\":3}");
  }
}

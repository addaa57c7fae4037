package io.lighthouse.fleets.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.store.PostgresJournal;
import io.lighthouse.fleets.store.Sql;
import org.junit.jupiter.api.Test;

/** Damage to a database of PostgreSQL. */
class DamagedDatabaseTest extends SharedStore {
  /** The entries of fleet 1 cannot be read any more, as where their page cannot be verified. */
  private static final String DAMAGE =
      "ALTER TABLE entry RENAME TO sound;"
          + " CREATE FUNCTION is_sound(bigint) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN"
          + " IF $1 = 1 THEN RAISE 'invalid page' USING ERRCODE = 'data_corrupted'; END IF;"
          + " RETURN true; END $$;"
          + " CREATE VIEW entry AS SELECT * FROM sound WHERE is_sound(fleet)";

  private static final String REPAIR = "DROP VIEW entry; ALTER TABLE sound RENAME TO entry";

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

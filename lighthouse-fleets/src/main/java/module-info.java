/**
 * Fleets that live on between calls and survive whatever ends the process: each is a distributor
 * and a log of what every call did to it, and no call is answered before its part of the log is
 * durable.
 *
 * <p>Start at {@link io.lighthouse.fleets.Fleets}. Where the log is kept stands behind {@link
 * io.lighthouse.fleets.store.Journal}; {@link io.lighthouse.fleets.store.SqliteJournal} keeps it in
 * one file.
 */
module io.lighthouse.fleets {
  requires transitive io.lighthouse.json;
  requires java.management;
  requires java.sql;
  requires org.xerial.sqlitejdbc;

  exports io.lighthouse.fleets;
  exports io.lighthouse.fleets.store;
}

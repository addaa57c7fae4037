/**
 * Fleets that are kept between calls and survive the end of the process. Each fleet is a
 * distributor and a log of what every call changed. A call is answered only when its part of the
 * log is durable.
 *
 * <p>Start at {@link io.lighthouse.fleets.live.Fleets}. The store of the log is a {@link
 * io.lighthouse.fleets.store.Journal}; {@link io.lighthouse.fleets.store.SqliteJournal} keeps all
 * logs in one file, {@link io.lighthouse.fleets.store.PostgresJournal} in a database that several
 * processes share.
 */
module io.lighthouse.fleets {
  requires transitive io.lighthouse.json;
  requires java.management;
  requires java.sql;
  requires org.xerial.sqlitejdbc;

  exports io.lighthouse.fleets;
  exports io.lighthouse.fleets.live;
  exports io.lighthouse.fleets.store;
}

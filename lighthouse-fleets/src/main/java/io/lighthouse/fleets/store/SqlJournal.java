package io.lighthouse.fleets.store;

import io.lighthouse.fleets.store.Statements.Ask;
import io.lighthouse.fleets.store.Statements.Change;
import java.util.List;
import java.util.Optional;

/** A journal in a database that has our {@link Tables}: what SQLite and PostgreSQL do alike. */
abstract class SqlJournal implements Journal {
  private static final System.Logger LOG = System.getLogger("io.lighthouse.fleets");

  final Tables tables;

  /** A journal in a database that messages call by this name. */
  SqlJournal(String name) {
    tables = new Tables(name);
  }

  /** Reads from the database; an error names what was tried. */
  abstract <T> T read(String what, Ask<T> ask) throws StoreException;

  /** Changes the database in one transaction; an error names what was tried. */
  abstract void change(String what, Change change) throws StoreException;

  /** Reports a step of a transaction to the listener. */
  abstract void reportStep(String step);

  @Override
  public List<Head> heads() throws StoreException {
    return read("read the fleets", tables::heads);
  }

  @Override
  public Optional<Head> head(long fleet) throws StoreException {
    return read("read a fleet", db -> tables.head(db, fleet, ""));
  }

  @Override
  public Optional<Head> named(String name) throws StoreException {
    return read("read a fleet", db -> tables.named(db, name));
  }

  /** Where the index of names is malformed, the rows of all fleets are read. */
  @Override
  public boolean isFirst(String name, long fleet) throws StoreException {
    try {
      return read("read the fleets", db -> tables.isFirst(db, name, fleet));
    } catch (StoreException failed) {
      if (!failed.isDamage()) {
        throw failed;
      }
      return Journal.super.isFirst(name, fleet);
    }
  }

  @Override
  public List<Entry> entries(long fleet, long after, int most) throws StoreException {
    return read("read a log", db -> tables.entries(db, fleet, after, most));
  }

  @Override
  public List<LogEvent> events(long fleet, long after, int most, long bytes) throws StoreException {
    return read("read a log", db -> tables.events(db, fleet, after, most, bytes));
  }

  @Override
  public Optional<Entry> byKey(long fleet, String token, String key) throws StoreException {
    return read("look a key up", db -> tables.byKey(db, fleet, token, key));
  }

  @Override
  public Optional<Entry> byKeyOfGone(String name, String token, String key, byte[] request)
      throws StoreException {
    return read("look a key up", db -> tables.byKeyOfGone(db, name, token, key, request));
  }

  @Override
  public Optional<Long> oldest(long fleet) throws StoreException {
    return read("read a log", db -> tables.oldest(db, fleet));
  }

  @Override
  public Optional<Long> newestSnapshot(long fleet) throws StoreException {
    return read("read snapshots", db -> tables.newestSnapshot(db, fleet));
  }

  @Override
  public List<Saved> snapshots(long fleet) throws StoreException {
    return read("read snapshots", db -> tables.snapshots(db, fleet));
  }

  @Override
  public void save(Saved snapshot, Retention retention) throws StoreException {
    String what = "write a snapshot";
    try {
      change(
          what,
          db -> {
            tables.deleteLost(db, snapshot.fleet());
            tables.insert(db, snapshot);
            reportStep("after INSERT snapshot");
            tables.trim(db, snapshot, retention);
            reportStep("after DELETE entries");
          });
    } catch (StoreException failed) {
      if (!failed.isDamage()) {
        throw failed;
      }
      // Without it, no snapshot could be written any more, and each start would read a longer log.
      change(what, db -> tables.insert(db, snapshot));
      LOG.log(
          System.Logger.Level.WARNING,
          "a snapshot of fleet number {0} was written, but not all before it can be deleted: {1}",
          snapshot.fleet(),
          failed.getMessage());
      deleteOlder(snapshot);
    }
  }

  /** Deletes all snapshots except two, each separately; one with a malformed page stays. */
  private void deleteOlder(Saved snapshot) throws StoreException {
    long fleet = snapshot.fleet();
    List<Long> there =
        read(
            "read snapshots",
            db -> tables.generations(db, fleet, snapshot.generation(), Integer.MAX_VALUE));
    for (long older : there.stream().skip(2).toList()) {
      try {
        change("delete a snapshot", db -> tables.delete(db, fleet, older));
      } catch (StoreException failed) {
        if (!failed.isDamage()) {
          throw failed;
        }
      }
    }
  }

  @Override
  public void forget(long fleet) throws StoreException {
    change("forget a fleet", db -> tables.forget(db, fleet));
  }
}

package io.lighthouse.fleets.store;

import java.sql.SQLException;

/**
 * Waits for the locks of fleets in a PostgreSQL database, in a few attempts. After each failed
 * attempt, terminates the sessions that hold such a lock and are stalled. Thread-safe.
 */
final class LockWait {
  private static final System.Logger LOG = System.getLogger("io.lighthouse.fleets");

  /** How long one attempt waits for a fleet whose turn another process has. */
  static final int MILLIS = 2_500;

  private static final int TRIES = 2;

  /** The SQLSTATE of a lock timeout. */
  private static final String LOCK_TIMEOUT = "55P03";

  /**
   * Terminates the service's sessions whose turn is stalled in the middle of a statement: the
   * server waits for the rest of the statement, or for the process to read the result. The server
   * does not count that as idle.
   */
  private static final String TERMINATE_STALLED =
      "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity AS one"
          + " WHERE datname = current_database() AND usename = current_user"
          + " AND pid <> pg_backend_pid() AND state = 'active'"
          + " AND wait_event IN ('ClientRead', 'ClientWrite')"
          + " AND state_change < clock_timestamp() - interval '"
          + PostgresJournal.IDLE_MILLIS
          + " ms' AND EXISTS (SELECT FROM pg_locks AS its WHERE its.pid = one.pid AND granted"
          + " AND mode = 'RowShareLock'"
          + " AND relation IN ('fleet'::regclass, 'lighthouse_schema'::regclass))";

  private final PostgresDatabase database;

  LockWait(PostgresDatabase database) {
    this.database = database;
  }

  /** An operation that may wait for a lock. */
  interface Attempt<T> {
    T go() throws StoreException;
  }

  /**
   * Makes at most {@value #TRIES} attempts. Where stalled sessions were terminated after the last
   * one, makes one more.
   */
  <T> T unblocked(Attempt<T> attempt) throws StoreException {
    for (int tries = 1; true; tries++) {
      try {
        return attempt.go();
      } catch (StoreException failed) {
        if (!(failed.getCause() instanceof SQLException why && isTimeout(why)) || tries > TRIES) {
          throw failed;
        }
        boolean ended = terminateStalledSessions();
        if (tries == TRIES && !ended) {
          throw failed;
        }
      }
    }
  }

  /** Whether a lock was not free in time. */
  static boolean isTimeout(SQLException failed) {
    return LOCK_TIMEOUT.equals(failed.getSQLState());
  }

  /** Terminates stalled sessions; returns whether there were any. */
  private boolean terminateStalledSessions() {
    try {
      boolean ended =
          database.call("end a turn", db -> Statements.number(db, TERMINATE_STALLED)).orElse(0L)
              > 0;
      if (ended) {
        LOG.log(
            System.Logger.Level.WARNING,
            "the turn of another service in {0} was ended: it stood still in the middle of a"
                + " statement",
            database.name());
      }
      return ended;
    } catch (StoreException failed) {
      return false; // The caller reports the lock timeout.
    }
  }
}

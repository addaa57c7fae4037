package io.lighthouse.fleets.store;

import io.lighthouse.postgres.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** Tests with a real PostgreSQL: a server for a class of tests, a new database for each of them. */
public abstract class OnPostgres {
  private static PostgresServer server;

  /** The database of the test. */
  protected String url;

  protected OnPostgres() {}

  @BeforeAll
  static void start() {
    server = PostgresServer.start();
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  /** Kills the server, and starts it again: it has nothing in memory any more. */
  protected static void killAndStart() {
    server.killAndStart();
  }

  /** The server is a hot standby from now on, until {@code pg_promote()}. */
  static void startAsStandby() {
    server.startAsStandby();
  }

  @BeforeEach
  final void create() {
    url = server.database();
  }
}

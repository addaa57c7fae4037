package io.lighthouse.fleets.store;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server of PostgreSQL for tests, on a port and in a folder of its own. Where PostgreSQL is not
 * installed, the tests that ask for it are skipped, and say so.
 */
public final class PostgresServer implements AutoCloseable {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final Process process;
  private final int port;

  private PostgresServer(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts one. */
  public static PostgresServer start() {
    try {
      int port = freePort();
      Path script =
          Path.of(
              System.getProperty("lighthouse.root"), "lighthouse-fleets/src/test/postgres/server");
      Process process =
          new ProcessBuilder("bash", script.toString(), Integer.toString(port))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      BufferedReader words =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      String word = words.readLine();
      assumeTrue(
          !"missing".equals(word),
          "PostgreSQL is not installed (apt-get install postgresql): not tested");
      if (!"ready".equals(word)) {
        throw new IOException("PostgreSQL did not start: " + word);
      }
      return new PostgresServer(process, port);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** A new database, as a store is named. */
  public String database() {
    String name = "fleets" + NUMBER.incrementAndGet();
    execute(url("postgres", port), "CREATE DATABASE " + name);
    return url(name, port);
  }

  /** A database by way of a port, which may be another's. */
  public static String url(String name, int port) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + name + "?user=lighthouse";
  }

  /** Says something to a database. */
  public static void execute(String url, String sql) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException failed) {
      throw new IllegalStateException(sql, failed);
    }
  }

  /** Asks a database for a number. */
  public static long number(String url, String sql) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    } catch (SQLException failed) {
      throw new IllegalStateException(sql, failed);
    }
  }

  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      process.waitFor();
    } catch (IOException | InterruptedException hurry) {
      process.destroy();
    }
  }
}

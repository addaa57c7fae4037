package io.lighthouse.postgres;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server of PostgreSQL for tests, on a port and in a folder of its own. Where PostgreSQL is not
 * installed, the tests that ask for it are skipped, and say so. The tests of several modules are
 * compiled with this file.
 */
public final class PostgresServer implements AutoCloseable {
  private final Process process;
  private final BufferedReader words;
  private final int port;
  private final AtomicInteger number = new AtomicInteger();

  private PostgresServer(Process process, int port) {
    this.process = process;
    this.words =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    this.port = port;
  }

  /** Starts one. */
  public static PostgresServer start() {
    try {
      int port = freePort();
      Path script =
          Path.of(
              System.getProperty("lighthouse.root"), "lighthouse-fleets/src/test/postgres/server");
      PostgresServer started =
          new PostgresServer(
              new ProcessBuilder("bash", script.toString(), Integer.toString(port))
                  .redirectError(ProcessBuilder.Redirect.INHERIT)
                  .start(),
              port);
      String word = started.words.readLine();
      assumeTrue(
          !"missing".equals(word),
          "PostgreSQL is not installed (apt-get install postgresql): not tested");
      if (!"ready".equals(word)) {
        throw new IOException("PostgreSQL did not start: " + word);
      }
      return started;
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
    String name = "fleets" + number.incrementAndGet();
    say("create " + name);
    return url(name, port);
  }

  /** A database by way of a port, which may be another's. */
  public static String url(String name, int port) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + name + "?user=lighthouse";
  }

  /** Kills it with SIGKILL, and starts it again. */
  public void killAndStart() {
    say("kill");
  }

  /** Kills it with SIGKILL, and starts it as a hot standby, until {@code pg_promote()}. */
  public void startAsStandby() {
    say("standby");
  }

  private void say(String word) {
    try {
      process.getOutputStream().write((word + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
      if (!"ready".equals(words.readLine())) {
        throw new IOException("PostgreSQL did not do: " + word);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
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

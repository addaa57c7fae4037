package io.lighthouse.server;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server of PostgreSQL, on a port and in a folder of its own. Where PostgreSQL is not installed,
 * the tests that ask for it are skipped, and say so.
 */
final class PostgresServer implements AutoCloseable {
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

  static PostgresServer start() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
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
  }

  /** A new database, as a store is named. */
  String database() throws IOException {
    String name = "fleets" + number.incrementAndGet();
    say("create " + name);
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + name + "?user=lighthouse";
  }

  /** Kills it with SIGKILL, and starts it again. */
  void killAndStart() throws IOException {
    say("kill");
  }

  private void say(String word) throws IOException {
    process.getOutputStream().write((word + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
    if (!"ready".equals(words.readLine())) {
      throw new IOException("PostgreSQL did not do: " + word);
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

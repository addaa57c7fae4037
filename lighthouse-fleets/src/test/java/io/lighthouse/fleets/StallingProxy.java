package io.lighthouse.fleets;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Stands between a service and its database, and stops passing on in the middle of what is sent to
 * the database, as a process does that is stopped there.
 */
final class StallingProxy implements AutoCloseable {
  private static final Pattern PORT = Pattern.compile("(?<=//127[.]0[.]0[.]1:)[0-9]+");

  private final ServerSocket listening;
  private final String url;
  private final int database;

  /** So many bytes are passed on before it stops. Guarded by this. */
  private long budget = Long.MAX_VALUE;

  private boolean stalled;

  /** Before a database. */
  StallingProxy(String url) {
    Matcher port = PORT.matcher(url);
    if (!port.find()) {
      throw new IllegalArgumentException(url);
    }
    this.url = url;
    this.database = Integer.parseInt(port.group());
    try {
      listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    daemon(this::accept);
  }

  /** The database by way of this. */
  String url() {
    return PORT.matcher(url).replaceFirst(Integer.toString(listening.getLocalPort()));
  }

  /** Stops after so many bytes more. */
  synchronized void stallAfter(int bytes) {
    budget = bytes;
  }

  /** Waits until it has stopped. */
  synchronized void awaitStall() throws InterruptedException {
    while (!stalled) {
      wait();
    }
  }

  /** Passes on again. */
  synchronized void goOn() {
    budget = Long.MAX_VALUE;
    notifyAll();
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "stalling-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), database);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        daemon(() -> pass(client, server, true));
        daemon(() -> pass(server, client, false));
      } catch (IOException closed) {
        // The proxy is closed, or the database is away: the client sees its connection end.
      }
    }
  }

  private void pass(Socket from, Socket to, boolean stalls) {
    byte[] piece = new byte[8_192];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
        int passed = 0;
        while (passed < n) {
          int now = stalls ? granted(n - passed) : n;
          out.write(piece, passed, now);
          passed += now;
        }
      }
    } catch (IOException | InterruptedException ended) {
      // Ended by either side: both are closed.
    }
  }

  /** How much of that may be passed on; waits until it is something. */
  private synchronized int granted(int wanted) throws InterruptedException {
    while (budget == 0) {
      stalled = true;
      notifyAll();
      wait();
    }
    int now = (int) Math.min(wanted, budget);
    budget -= now;
    return now;
  }

  @Override
  public void close() throws IOException {
    listening.close();
    goOn();
  }
}

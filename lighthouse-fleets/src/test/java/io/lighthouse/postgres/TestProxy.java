package io.lighthouse.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * Stands between clients and a service, or between a service and its database, and passes bytes on.
 * It cuts connections, or stops passing on in the middle of what is sent, as a process does that is
 * stopped there. The tests of several modules are compiled with this file.
 */
public final class TestProxy implements AutoCloseable {
  private static final int NO_END = Integer.MAX_VALUE;

  /**
   * What the kernel takes from a service before a stall holds the service up. Where it may choose,
   * it sometimes takes megabytes.
   */
  private static final int RECEIVE_BUFFER = 1 << 16;

  private final ServerSocket listening;
  private final InetSocketAddress service;
  private final Map<Socket, Socket> open = new ConcurrentHashMap<>();
  private final AtomicInteger cuts = new AtomicInteger();
  private final Valve toService = new Valve();
  private final Valve toClients = new Valve();

  /** How many bytes each new connection may answer before it is cut. */
  private final IntSupplier budgets;

  private volatile boolean away;

  /** The clients that receive nothing more, though their connections stay open. */
  private final Set<Socket> hushed = ConcurrentHashMap.newKeySet();

  private TestProxy(URI service, IntSupplier budgets) {
    this.service = new InetSocketAddress(service.getHost(), service.getPort());
    this.budgets = budgets;
    try {
      listening = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    daemon(this::accept);
  }

  /** A proxy that cuts connections only on demand. */
  public static TestProxy before(URI service) {
    return new TestProxy(service, () -> NO_END);
  }

  /** A proxy that also cuts each connection after a budget of bytes from the service. */
  public static TestProxy before(URI service, IntSupplier budgets) {
    return new TestProxy(service, budgets);
  }

  /** A proxy before the database of a JDBC URL that cuts connections only on demand. */
  public static TestProxy before(String database) {
    return before(withoutScheme(database));
  }

  private static URI withoutScheme(String database) {
    return URI.create(database.substring("jdbc:".length()));
  }

  /** Where clients find the service through this. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + port() + "/");
  }

  /** The same database as this URL names, by way of this. */
  public String url(String database) {
    return database.replace(":" + withoutScheme(database).getPort() + "/", ":" + port() + "/");
  }

  private int port() {
    return listening.getLocalPort();
  }

  /** Connections that were cut while they were open. */
  public int cuts() {
    return cuts.get();
  }

  /** Cuts all that are open now. */
  public void cut() {
    open.forEach(this::cut);
  }

  /**
   * Passes on nothing more to the clients that are connected now, and keeps their connections open.
   */
  public void hush() {
    hushed.addAll(open.keySet());
  }

  /** With true, cuts all connections and accepts none until it is called with false. */
  public void away(boolean now) {
    away = now;
    if (now) {
      cut();
    }
  }

  /** What passes on what clients send. */
  public Valve toService() {
    return toService;
  }

  /** What passes on what the service sends. */
  public Valve toClients() {
    return toClients;
  }

  /** Passes all on again, both ways. */
  public void goOn() {
    toService.goOn();
    toClients.goOn();
  }

  /** One direction of all connections, which can be stalled after a number of bytes. */
  public static final class Valve {
    /**
     * The number of bytes that are passed on before it stalls. Guarded by this, as is the next
     * field.
     */
    private long left = Long.MAX_VALUE;

    private boolean stalled;

    private Valve() {}

    /** Stalls after {@code bytes} more bytes. */
    public synchronized void stallAfter(int bytes) {
      left = bytes;
    }

    /** Waits, for a minute at most, until it has stopped, and more has come. */
    public synchronized void awaitStall() throws InterruptedException {
      long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
      while (!stalled) {
        if (System.nanoTime() > until) {
          throw new AssertionError("no stall: " + left + " bytes may still pass");
        }
        TimeUnit.SECONDS.timedWait(this, 1);
      }
    }

    /** Passes on again. */
    public synchronized void goOn() {
      left = Long.MAX_VALUE;
      stalled = false;
      notifyAll();
    }

    /** How much of that may be passed on; waits until it is something. */
    private synchronized int granted(int wanted) throws InterruptedException {
      while (left == 0) {
        stalled = true;
        notifyAll();
        wait();
      }
      int now = (int) Math.min(wanted, left);
      left -= now;
      return now;
    }

    private void write(OutputStream out, byte[] bytes, int length)
        throws IOException, InterruptedException {
      int passed = 0;
      while (passed < length) {
        int now = granted(length - passed);
        out.write(bytes, passed, now);
        passed += now;
      }
    }
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "test-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        if (away) {
          client.close();
          continue;
        }
        Socket server = new Socket();
        server.setReceiveBufferSize(RECEIVE_BUFFER); // Has an effect only before it connects.
        server.connect(service);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        open.put(client, server);
        daemon(() -> pass(client, server, client, NO_END));
        int budget = budgets.getAsInt();
        daemon(() -> pass(server, client, client, budget));
      } catch (IOException closed) {
        // The proxy is closed, or the service is away: the client sees its connection end.
      }
    }
  }

  private void pass(Socket from, Socket to, Socket client, int budget) {
    byte[] piece = new byte[8_192];
    int left = budget;
    Valve valve = to == client ? toClients : toService;
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
        if (to == client && hushed.contains(client)) {
          continue;
        }
        valve.write(out, piece, Math.min(n, left));
        if (budget != NO_END) {
          left -= n;
          if (left <= 0) {
            break;
          }
        }
      }
    } catch (IOException | InterruptedException ended) {
      // Cut, or ended by either side: both ends are closed below.
    }
    if (left <= 0) {
      cut(client, to == client ? from : to);
    } else {
      close(client);
    }
  }

  private void cut(Socket client, Socket server) {
    if (close(client)) {
      cuts.incrementAndGet();
    }
  }

  private boolean close(Socket client) {
    Socket server = open.remove(client);
    if (server == null) {
      return false;
    }
    try (server;
        client) {
      return true;
    } catch (IOException already) {
      return true;
    }
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    cut();
    goOn();
  }
}

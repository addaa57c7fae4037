package io.lighthouse.server;

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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/** Stands between clients and a service, passes bytes on, and cuts connections. */
final class CuttingProxy implements AutoCloseable {
  private final ServerSocket listening;
  private final InetSocketAddress service;
  private final Map<Socket, Socket> open = new ConcurrentHashMap<>();
  private final AtomicInteger cuts = new AtomicInteger();

  /** How many bytes each new connection may answer before it is cut. */
  private final IntSupplier budgets;

  private volatile boolean away;

  /** Those who are told nothing more, though their connections stay open. */
  private final Set<Socket> hushed = ConcurrentHashMap.newKeySet();

  private CuttingProxy(URI service, IntSupplier budgets) {
    this.service = new InetSocketAddress(service.getHost(), service.getPort());
    this.budgets = budgets;
    try {
      listening = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    daemon(this::accept);
  }

  /** One that cuts only when it is told to. */
  static CuttingProxy before(URI service) {
    return new CuttingProxy(service, () -> Integer.MAX_VALUE);
  }

  /** One that also cuts each connection after so many bytes from the service. */
  static CuttingProxy before(URI service, IntSupplier budgets) {
    return new CuttingProxy(service, budgets);
  }

  /** Where clients find the service through this. */
  URI uri() {
    return URI.create("http://127.0.0.1:" + port() + "/");
  }

  /** The port on 127.0.0.1 that this listens on. */
  int port() {
    return listening.getLocalPort();
  }

  /** Connections that were cut while they were open. */
  int cuts() {
    return cuts.get();
  }

  /** Cuts all that are open now. */
  void cut() {
    open.forEach(this::cut);
  }

  /** Passes on nothing more to those who are connected now, and lets their connections be. */
  void hush() {
    hushed.addAll(open.keySet());
  }

  /** Cuts all, and lets nobody through until it is told otherwise. */
  void away(boolean now) {
    away = now;
    if (now) {
      cut();
    }
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "cutting-proxy");
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
        server.connect(service);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        open.put(client, server);
        daemon(() -> pass(client, server, client, Integer.MAX_VALUE));
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
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
        if (to == client && hushed.contains(client)) {
          continue;
        }
        out.write(piece, 0, Math.min(n, left));
        left -= n;
        if (left <= 0) {
          break;
        }
      }
    } catch (IOException ended) {
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
  }
}

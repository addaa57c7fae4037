package io.lighthouse.kubernetes.control;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Stands between the scheduler and the server, and does to connections what networks do: cuts them,
 * holds answers back, lets nothing through. It knows nothing of what it carries, so TLS and HTTP/2
 * stay whole.
 */
public final class FaultyProxy implements AutoCloseable {
  private final ServerSocket door;
  private final URI behind;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;
  private final Set<Socket> silent = ConcurrentHashMap.newKeySet();
  private volatile boolean holdsAnswers;
  private volatile long delay;

  /** Before this server. */
  public FaultyProxy(URI behind) throws IOException {
    this.behind = behind;
    door = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    thread(this::accept);
  }

  /** Where to connect instead. */
  public URI uri() {
    return URI.create(behind.getScheme() + "://127.0.0.1:" + door.getLocalPort());
  }

  /** A kubeconfig file of the scheduler that leads through the proxy. */
  public Path kubeconfig(ControlPlane plane, Path folder) throws IOException {
    String direct = Files.readString(plane.kubeconfig());
    return Files.writeString(
        folder.resolve("proxy.conf"),
        direct.replace(plane.admin().uri().toString(), uri().toString()));
  }

  /** Ends all connections in the middle of whatever they carry. */
  public void cut() {
    for (Socket socket : open) {
      quietly(socket);
    }
  }

  /** From now on nothing comes back, though requests arrive; or it comes again. */
  public void holdAnswers(boolean hold) {
    holdsAnswers = hold;
  }

  /** The connections of now carry nothing any more and stay open; new ones work. */
  public void silence() {
    silent.addAll(open);
  }

  /** Every piece that comes back is so late, in milliseconds. */
  public void delay(long millis) {
    delay = millis;
  }

  private void accept() {
    while (!closed) {
      try {
        Socket client = door.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), behind.getPort());
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        open.add(client);
        open.add(server);
        thread(() -> carry(client, server, false));
        thread(() -> carry(server, client, true));
      } catch (IOException refused) {
        pause(20);
      }
    }
  }

  private void carry(Socket from, Socket to, boolean answers) {
    byte[] piece = new byte[1 << 14];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
        while ((answers && holdsAnswers || silent.contains(from)) && !closed) {
          pause(5);
        }
        if (answers && delay > 0) {
          pause(delay);
        }
        out.write(piece, 0, count);
        out.flush();
      }
    } catch (IOException cut) {
      // The other side learns it as its connection ends.
    } finally {
      open.remove(from);
      open.remove(to);
    }
  }

  private static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static void thread(Runnable task) {
    Thread thread = new Thread(task, "faulty-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private static void quietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException already) {
      // That is what was wanted.
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    door.close();
    cut();
  }
}

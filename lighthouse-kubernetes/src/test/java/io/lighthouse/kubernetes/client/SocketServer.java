package io.lighthouse.kubernetes.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server on loopback that serves each connection in a thread of its own. */
final class SocketServer implements AutoCloseable {
  /** The connections, in the order in which they came. */
  final List<Socket> sockets = new CopyOnWriteArrayList<>();

  private final ServerSocket door = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());

  /** What a thread does until a connection ends. */
  interface Task {
    void run() throws IOException;
  }

  /** Serves a connection until it ends. */
  interface Service {
    void serve(Socket socket) throws IOException;
  }

  SocketServer(Service service) throws IOException {
    inBackground(
        () -> {
          while (true) {
            Socket socket = door.accept();
            sockets.add(socket);
            inBackground(() -> service.serve(socket));
          }
        });
  }

  static void inBackground(Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (IOException closed) {
                // At the end, and where a client mistrusts.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  int port() {
    return door.getLocalPort();
  }

  /** Ends the connections. */
  void cut() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  @Override
  public void close() throws IOException {
    door.close();
    cut();
  }
}

package io.lighthouse.kubernetes.client;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A proxy by CONNECT and by SOCKS 5. It connects every caller to one server, whatever name the
 * caller gives, and keeps the heads of the requests.
 */
final class TestProxy implements AutoCloseable {
  private final SocketServer server;
  private final int target;
  private final String answer;
  private final List<String> requests = new CopyOnWriteArrayList<>();

  /**
   * Listens.
   *
   * @param target the port of the server
   * @param answer the first line of the answer to CONNECT
   */
  TestProxy(int target, String answer) throws IOException {
    this.target = target;
    this.answer = answer;
    server = new SocketServer(this::serve);
  }

  TestProxy(int target) throws IOException {
    this(target, "HTTP/1.1 200 Connection established");
  }

  String address() {
    return "127.0.0.1:" + server.port();
  }

  /** What the callers wanted. */
  List<String> requests() {
    return requests;
  }

  private void serve(Socket socket) throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    OutputStream out = socket.getOutputStream();
    int first = in.read();
    if (first == 5) {
      in.readFully(new byte[in.read()]);
      out.write(new byte[] {5, 0});
      in.readFully(new byte[4]);
      byte[] name = new byte[in.read()];
      in.readFully(name);
      requests.add(
          "SOCKS " + new String(name, StandardCharsets.US_ASCII) + ":" + in.readUnsignedShort());
      out.write(new byte[] {5, 0, 0, 1, 127, 0, 0, 1, 0, 1});
    } else {
      StringBuilder head = new StringBuilder().append((char) first);
      while (head.indexOf("\r\n\r\n") < 0) {
        head.append((char) in.read());
      }
      requests.add(head.toString());
      out.write((answer + "\r\nX: y\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      if (!answer.contains(" 200 ")) {
        socket.close();
        return;
      }
    }
    Socket behind = new Socket(InetAddress.getLoopbackAddress(), target);
    server.sockets.add(behind);
    SocketServer.inBackground(() -> pump(behind.getInputStream(), out, socket));
    pump(in, behind.getOutputStream(), behind);
  }

  private static void pump(InputStream from, OutputStream to, Socket other) throws IOException {
    try (other) {
      from.transferTo(to);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}

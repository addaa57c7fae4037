package io.lighthouse.server;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A connection on which a test says byte by byte what it wants. */
final class RawConnection implements AutoCloseable {
  /** When it was opened, no later than the service heard of it. */
  private final long opened = System.nanoTime();

  private final Socket socket;
  private final InputStream in;

  RawConnection(URI uri) throws IOException {
    socket = new Socket(uri.getHost(), uri.getPort());
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(60_000);
    in = new BufferedInputStream(socket.getInputStream());
  }

  RawConnection send(String text) throws IOException {
    out().write(text.getBytes(StandardCharsets.ISO_8859_1));
    out().flush();
    return this;
  }

  /** Begins a POST with a body of this announced length. */
  RawConnection post(String path, long length, String... headers) throws IOException {
    StringBuilder head = new StringBuilder("POST " + path + " HTTP/1.1\r\nHost: localhost\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    return send(head + "Content-Length: " + length + "\r\n\r\n");
  }

  OutputStream out() throws IOException {
    return socket.getOutputStream();
  }

  /**
   * The status of the next answer; 0 where the connection ends without one. The rest is read too.
   */
  int status() throws IOException {
    String text = answer();
    return text.isEmpty() ? 0 : Integer.parseInt(text.substring(9, 12));
  }

  /** The next answer, its head and body. */
  String answer() throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    int length = -1;
    while (length < 0) {
      int one = in.read();
      if (one < 0) {
        return text.toString(StandardCharsets.UTF_8);
      }
      text.write(one);
      String head = one == '\n' ? text.toString(StandardCharsets.UTF_8) : "";
      if (head.endsWith("\r\n\r\n")) {
        length = 0;
        for (String line : head.split("\r\n")) {
          if (line.startsWith("Content-Length: ")) {
            length = Integer.parseInt(line.substring("Content-Length: ".length()));
          }
        }
      }
    }
    text.write(in.readNBytes(length));
    return text.toString(StandardCharsets.UTF_8);
  }

  /** How long ago it was opened. */
  Duration age() {
    return Duration.ofNanos(System.nanoTime() - opened);
  }

  /** Waits for the end of the connection; answers whether it came in order, not as a reset. */
  boolean ends() throws IOException {
    return in.read() < 0;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

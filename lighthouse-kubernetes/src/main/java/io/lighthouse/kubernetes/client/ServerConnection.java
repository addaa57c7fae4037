package io.lighthouse.kubernetes.client;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * A connection to a server, for one call at a time: HTTP/1.1 (RFC 9112) by blocking reads and
 * writes, over TLS where the address says so. For one thread; {@link #cut} may come from any, and
 * ends whatever that thread does with it.
 */
final class ServerConnection {
  /** Longest head of an answer, in bytes. */
  private static final int LONGEST_HEAD = 1 << 16;

  /** Below TLS: to close it needs nobody's leave. */
  private final Socket socket = new Socket(Proxy.NO_PROXY);

  private InputStream in;
  private OutputStream out;
  private final byte[] buffer = new byte[1 << 14];

  /** What has been read and not taken: buffer[from, to). */
  private int from;

  private int to;

  /** Whether anything of an answer to the last call has come. */
  private boolean answering;

  /** Since when nobody has used it; for its keeper. */
  long idleSince;

  /** The head of an answer. The length is that of the body, or {@link #CHUNKED}. */
  record Head(int code, long length, boolean stays, boolean zipped, int retryAfter) {}

  private static final long CHUNKED = -1;

  /**
   * Connects.
   *
   * @param limit the longest that this may take without TLS, in milliseconds
   */
  void open(URI server, SSLContext tls, int limit) throws IOException {
    boolean secure = "https".equals(server.getScheme());
    String host = server.getHost().replaceAll("[\\[\\]]", "");
    int port = server.getPort() >= 0 ? server.getPort() : secure ? 443 : 80;
    socket.connect(new InetSocketAddress(host, port), limit);
    socket.setTcpNoDelay(true);
    Socket through = socket;
    if (secure) {
      SSLSocket over = (SSLSocket) tls.getSocketFactory().createSocket(socket, host, port, true);
      SSLParameters parameters = over.getSSLParameters();
      // Without this, any certificate of the authority would do, whoever's it is.
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      over.setSSLParameters(parameters);
      over.startHandshake();
      through = over;
    }
    in = through.getInputStream();
    out = through.getOutputStream();
  }

  /**
   * Whether the server has not ended it while nobody used it. Waits a millisecond for its end, or
   * for bytes that nobody asked for.
   */
  boolean isAlive() {
    try {
      socket.setSoTimeout(1);
      fill();
      return false;
    } catch (SocketTimeoutException silent) {
      return socketWaits();
    } catch (IOException broken) {
      return false;
    }
  }

  /** Has reads wait again for as long as it takes. */
  private boolean socketWaits() {
    try {
      socket.setSoTimeout(0);
      return true;
    } catch (IOException broken) {
      return false;
    }
  }

  /** Sends a request, head and body. */
  void send(byte[] request) throws IOException {
    answering = false;
    out.write(request);
    out.flush();
  }

  /** Whether anything of an answer to the last request has come. */
  boolean answering() {
    return answering;
  }

  /** Reads the head of the answer. */
  Head readHead() throws IOException {
    while (true) {
      Head head = readOneHead();
      if (head.code >= 200) {
        return head;
      }
      // 1xx: the answer itself follows.
    }
  }

  private Head readOneHead() throws IOException {
    int[] room = {LONGEST_HEAD};
    String status = line(room);
    if (!status.startsWith("HTTP/1.") || status.length() < 12) {
      throw new IOException("the answer is not HTTP/1.1");
    }
    int code = (int) number(status.substring(9, 12), 10);
    boolean stays = status.charAt(7) == '1';
    boolean zipped = false;
    boolean chunked = false;
    long length = code < 200 || code == 204 || code == 304 ? 0 : Long.MIN_VALUE;
    int wait = 0;
    for (String line = line(room); !line.isEmpty(); line = line(room)) {
      int colon = line.indexOf(':');
      if (colon < 0) {
        throw new IOException("the head of the answer has a line without a name");
      }
      String value = line.substring(colon + 1).strip();
      switch (line.substring(0, colon).toLowerCase(Locale.ROOT)) {
        case "content-length" -> length = length == 0 ? 0 : number(value, 10);
        case "transfer-encoding" -> chunked = "chunked".equalsIgnoreCase(value);
        case "content-encoding" -> zipped = "gzip".equalsIgnoreCase(value);
        case "connection" -> stays &= !"close".equalsIgnoreCase(value);
        case "retry-after" -> wait = value.matches("[0-9]{1,6}") ? Integer.parseInt(value) : 0;
        default -> {}
      }
    }
    if (chunked) {
      length = CHUNKED;
    } else if (length < 0) {
      throw new IOException("the answer does not say how long it is");
    }
    return new Head(code, length, stays, zipped, wait);
  }

  private static long number(String text, int radix) throws IOException {
    try {
      long number = Long.parseLong(text, radix);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException none) {
      // As below.
    }
    throw new IOException("the head of the answer says '" + text + "' where a number belongs");
  }

  /** The body that follows a head, as it comes. To close it cuts the connection. */
  InputStream body(Head head) {
    return new Body(head.length);
  }

  /** The whole body that follows a head. */
  byte[] wholeBody(Head head) throws IOException {
    if (head.length > Integer.MAX_VALUE) {
      throw new IOException("the answer is longer than " + Integer.MAX_VALUE);
    }
    InputStream body = body(head);
    return head.length == CHUNKED ? body.readAllBytes() : exactly(body, (int) head.length);
  }

  private static byte[] exactly(InputStream body, int length) throws IOException {
    byte[] bytes = new byte[length];
    body.readNBytes(bytes, 0, length);
    return bytes;
  }

  /** Ends it at once. */
  void cut() {
    try {
      socket.close();
    } catch (IOException already) {
      // That is what was wanted.
    }
  }

  // ---- bytes ----

  /** A line without its end; takes its length away from the room. */
  private String line(int[] room) throws IOException {
    StringBuilder before = null;
    while (true) {
      for (int i = from; i < to; i++) {
        if (buffer[i] == '\n') {
          take(room, i + 1 - from);
          String line = new String(buffer, from, i - from, StandardCharsets.ISO_8859_1);
          from = i + 1;
          line = before == null ? line : before.append(line).toString();
          return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
        }
      }
      take(room, to - from);
      before = before == null ? new StringBuilder() : before;
      before.append(new String(buffer, from, to - from, StandardCharsets.ISO_8859_1));
      from = to;
      if (!fill()) {
        throw new EOFException("the connection ended before the answer");
      }
    }
  }

  private static void take(int[] room, int count) throws IOException {
    room[0] -= count;
    if (room[0] < 0) {
      throw new IOException("the head of the answer is longer than " + LONGEST_HEAD);
    }
  }

  /** Reads what there is into the empty buffer; false at the end. */
  private boolean fill() throws IOException {
    int count = in.read(buffer, 0, buffer.length);
    from = 0;
    to = Math.max(0, count);
    answering |= count > 0;
    return count > 0;
  }

  /** A body of some length, or in chunks. */
  private final class Body extends InputStream {
    private final boolean chunked;

    /** Bytes that are left of it, or of the chunk. */
    private long left;

    private boolean begun;
    private boolean ended;

    Body(long length) {
      chunked = length == CHUNKED;
      left = Math.max(0, length);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (left == 0 && !nextChunk()) {
        return -1;
      }
      if (from == to && !fill()) {
        throw new EOFException("the connection ended in the middle of an answer");
      }
      int count = (int) Math.min(Math.min(length, left), to - from);
      System.arraycopy(buffer, from, bytes, offset, count);
      from += count;
      left -= count;
      return count;
    }

    private boolean nextChunk() throws IOException {
      if (!chunked || ended) {
        return false;
      }
      int[] room = {LONGEST_HEAD};
      if (begun && !line(room).isEmpty()) {
        throw new IOException("a chunk of the answer is longer than it says");
      }
      begun = true;
      String size = line(room);
      int extension = size.indexOf(';');
      left = number((extension < 0 ? size : size.substring(0, extension)).strip(), 16);
      if (left > 0) {
        return true;
      }
      ended = true;
      while (!line(room).isEmpty()) {
        // Fields behind the body, which nobody asked for.
      }
      return false;
    }

    @Override
    public void close() {
      cut();
    }
  }
}

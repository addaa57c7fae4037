package io.lighthouse.kubernetes.client;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.util.Timeout;

/**
 * The connections to a server, over which Apache HttpCore speaks HTTP/1.1: as many as there are
 * calls at a time, kept for the next ones for a while. The calling thread waits for the answer. An
 * alarm cuts the connection when the call's time is over or its thread is interrupted. Thread-safe.
 */
final class ServerConnections implements AutoCloseable {
  /** Unused for longer than this, one is closed: servers, and what is between, close such, too. */
  private static final long LONGEST_IDLE = TimeUnit.SECONDS.toNanos(20);

  /** Unused for longer than this, one is looked at before it is used, for two milliseconds. */
  private static final long FRESH = TimeUnit.MILLISECONDS.toNanos(20);

  private static final Timeout SHORTEST = Timeout.ofMilliseconds(1);

  /**
   * The period of the alarm, in milliseconds. A call may last longer than its limit by this time.
   */
  private static final long LOOKS = 100;

  /** The longest answer: what an array holds. */
  private static final int MOST_BYTES = Integer.MAX_VALUE - 8;

  /** The alarms of all; one thread. */
  private static final ScheduledExecutorService ALARMS =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "lighthouse-call-alarm");
            thread.setDaemon(true);
            return thread;
          });

  private static final HttpRequestExecutor EXCHANGE = new HttpRequestExecutor();

  private final Dialer dialer;
  private final Duration limit;

  /** The connections without a call, the last used first. */
  private final Deque<Connection> idle = new ArrayDeque<>();

  private final Set<Ongoing> ongoing = new HashSet<>();

  /** Null while there is neither a call nor a connection. */
  private ScheduledFuture<?> alarm;

  private boolean closed;

  /** An answer, as far as its code. */
  interface Status {
    int code();
  }

  /** An answer, its body as it was sent. */
  record Answer(int code, int retryAfter, boolean zipped, byte[] bytes) implements Status {
    /** The body, unpacked. */
    InputStream body() throws IOException {
      InputStream packed = new ByteArrayInputStream(bytes);
      return zipped ? new GZIPInputStream(packed, 1 << 13) : packed;
    }
  }

  /** An answer whose body comes by and by. To close the body cuts the connection. */
  record Opened(int code, int retryAfter, InputStream body) implements Status {}

  /** A connection, for one call at a time. */
  private static final class Connection {
    /** Below TLS: closing it takes no lock, and aborts what a thread does with it. */
    final Socket socket;

    /** Shown to the server when the connection was made; null for none. */
    final ClientCertificate certificate;

    HttpClientConnection http;
    long idleSince;

    Connection(Socket socket, ClientCertificate certificate) {
      this.socket = socket;
      this.certificate = certificate;
    }

    void cut() {
      try {
        socket.close();
      } catch (IOException already) {
        // That is what was wanted.
      }
    }
  }

  /** A call under way. */
  private static final class Ongoing {
    final Thread caller = Thread.currentThread();
    final long end;
    final boolean idempotent;
    volatile Connection connection;
    volatile boolean late;

    final HttpCoreContext context = HttpCoreContext.create();

    /** Whether the head of an answer has come. */
    boolean answering;

    Ongoing(long end, boolean idempotent) {
      this.end = end;
      this.idempotent = idempotent;
    }

    boolean isOver() {
      return late || System.nanoTime() - end >= 0;
    }
  }

  /**
   * No connection yet.
   *
   * @param limit the longest that a call may take, for messages
   */
  ServerConnections(Dialer dialer, Duration limit) {
    this.dialer = dialer;
    this.limit = limit;
  }

  /**
   * A request with its circumstances.
   *
   * @param name the call, for messages
   * @param http the request
   * @param certificate the caller's certificate; null for none
   * @param end when the call must be over, in {@link System#nanoTime}
   */
  record Call(String name, ClassicHttpRequest http, ClientCertificate certificate, long end) {}

  /**
   * Sends a request and waits for the whole answer.
   *
   * @param idempotent whether it may be sent again where a kept connection turns out to be dead.
   *     With any other request, the server gets what is left of the call's time as its own limit,
   *     which begins when the request arrives. After that it takes no effect any more
   * @throws IOException if there is no answer; whether the call took effect is then unknown
   */
  Answer call(Call call, boolean idempotent) throws IOException {
    return exchange(call, idempotent, this::whole);
  }

  /**
   * Sends an idempotent request, and waits for the head of the answer. An answer that is no success
   * is read whole.
   *
   * @param silence after how long without a byte a read of the body fails
   */
  Opened open(Call call, Duration silence) throws IOException {
    return exchange(
        call,
        true,
        (ongoing, connection, sent, response) ->
            begun(ongoing, connection, sent, response, silence));
  }

  /** Takes what follows the head of an answer. */
  private interface Rest<T> {
    T take(
        Ongoing call,
        Connection connection,
        ClassicHttpRequest request,
        ClassicHttpResponse response)
        throws IOException;
  }

  private <T> T exchange(Call request, boolean idempotent, Rest<T> rest) throws IOException {
    Ongoing call = begin(request, idempotent);
    try {
      Connection kept = alive(call, request.certificate);
      if (kept != null) {
        try {
          return converse(call, kept, request.http, rest);
        } catch (IOException | HttpException broken) {
          if (!call.idempotent || call.answering || call.isOver() || call.caller.isInterrupted()) {
            throw broken;
          }
        }
      }
      return converse(call, connected(call, request.certificate), request.http, rest);
    } catch (IOException | HttpException failed) {
      throw explained(request.name, call, failed);
    } finally {
      end(call, null);
    }
  }

  /**
   * A kept connection of the same caller, unless the server has ended it or sent what was not asked
   * for; null where there is none.
   */
  private Connection alive(Ongoing call, ClientCertificate certificate) {
    Connection kept = idle();
    if (kept != null && !Objects.equals(kept.certificate, certificate)) {
      // The server knows its caller by another certificate; so it does on those kept longer.
      broken(kept);
      return null;
    }
    if (kept == null || System.nanoTime() - kept.idleSince < FRESH) {
      return kept;
    }
    call.connection = kept;
    try {
      if (!kept.http.isStale() && !kept.http.isDataAvailable(SHORTEST)) {
        return kept;
      }
    } catch (IOException broken) {
      // As if it had been ended.
    }
    broken(kept);
    return null;
  }

  private <T> T converse(
      Ongoing call, Connection connection, ClassicHttpRequest request, Rest<T> rest)
      throws IOException, HttpException {
    boolean done = false;
    call.connection = connection;
    try {
      if (call.isOver()) {
        // Nothing is sent any more, so that nothing takes effect long after.
        call.late = true;
        throw new IOException("late");
      }
      if (!call.idempotent) {
        limit(request, call.end - System.nanoTime());
      }
      ClassicHttpResponse response = EXCHANGE.execute(request, connection.http, call.context);
      call.answering = true;
      T answer = rest.take(call, connection, request, response);
      done = true;
      return answer;
    } finally {
      if (!done) {
        broken(connection);
      }
    }
  }

  /** The server counts its limit from when the request arrives, so it is known only now. */
  private static void limit(ClassicHttpRequest request, long left) {
    String path = request.getPath();
    long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(left));
    request.setPath(path + (path.contains("?") ? "&" : "?") + "timeout=" + millis + "ms");
  }

  /** All of an answer; then the connection is free for the next call. */
  private Answer whole(
      Ongoing call, Connection connection, ClassicHttpRequest request, ClassicHttpResponse response)
      throws IOException {
    byte[] body = wholeBody(response.getEntity());
    if (EXCHANGE.keepAlive(request, response, connection.http, call.context)) {
      end(call, connection);
    } else {
      connection.cut();
    }
    Header packed = response.getFirstHeader(HttpHeaders.CONTENT_ENCODING);
    return new Answer(
        response.getCode(),
        retryAfter(response),
        packed != null && packed.getValue().equals("gzip"),
        body);
  }

  private static byte[] wholeBody(HttpEntity entity) throws IOException {
    long length = entity == null ? 0 : entity.getContentLength();
    if (length > MOST_BYTES) {
      throw new IOException("the answer is longer than " + MOST_BYTES);
    }
    if (length < 0) {
      return entity.getContent().readAllBytes();
    }
    byte[] bytes = new byte[(int) length];
    if (length > 0) {
      entity.getContent().readNBytes(bytes, 0, bytes.length);
    }
    return bytes;
  }

  private static int retryAfter(ClassicHttpResponse response) {
    Header wait = response.getFirstHeader(HttpHeaders.RETRY_AFTER);
    // A date is not from an API server.
    return wait != null && wait.getValue().matches("[0-9]{1,6}")
        ? Integer.parseInt(wait.getValue())
        : 0;
  }

  /** An answer that has begun well, or all of another. */
  private Opened begun(
      Ongoing call,
      Connection connection,
      ClassicHttpRequest request,
      ClassicHttpResponse response,
      Duration silence)
      throws IOException {
    if (response.getCode() >= 300) {
      Answer answer = whole(call, connection, request, response);
      return new Opened(answer.code(), answer.retryAfter(), answer.body());
    }
    end(call, null);
    if (call.late) {
      throw new IOException("late");
    }
    connection.http.setSocketTimeout(Timeout.of(silence));
    HttpEntity entity = response.getEntity();
    InputStream body = entity == null ? InputStream.nullInputStream() : entity.getContent();
    return new Opened(
        response.getCode(),
        0,
        new FilterInputStream(body) {
          @Override
          public void close() {
            connection.cut();
          }
        });
  }

  private Connection connected(Ongoing call, ClientCertificate certificate) throws IOException {
    Connection connection = new Connection(dialer.socket(), certificate);
    call.connection = connection;
    boolean connected = false;
    try {
      long left = TimeUnit.NANOSECONDS.toMillis(call.end - System.nanoTime());
      int most = (int) Math.max(1, Math.min(Integer.MAX_VALUE, left));
      connection.http = dialer.connect(connection.socket, certificate, most);
      connected = true;
      return connection;
    } finally {
      if (!connected) {
        broken(connection);
      }
    }
  }

  private IOException explained(String what, Ongoing call, Exception failed) {
    if (call.isOver()) {
      return new IOException(what + ": no answer within " + limit, failed);
    }
    if (call.caller.isInterrupted()) {
      InterruptedIOException interrupted = new InterruptedIOException(what + ": interrupted");
      interrupted.initCause(failed);
      return interrupted;
    }
    return new IOException(what + ": " + failed, failed);
  }

  // ---- what is shared ----

  private synchronized Ongoing begin(Call request, boolean idempotent) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException(request.name + ": interrupted");
    }
    Ongoing call = new Ongoing(request.end, idempotent);
    ongoing.add(call);
    if (alarm == null || alarm.isDone()) {
      // A task that has failed is not repeated, and calls would have no limit any more.
      alarm = ALARMS.scheduleWithFixedDelay(this::look, LOOKS, LOOKS, TimeUnit.MILLISECONDS);
    }
    return call;
  }

  /** The call is over; a connection that may be kept is, unless the alarm has cut it. */
  private synchronized void end(Ongoing call, Connection kept) {
    ongoing.remove(call);
    if (kept != null) {
      if (closed || call.late || call.caller.isInterrupted()) {
        kept.cut();
      } else {
        kept.idleSince = System.nanoTime();
        idle.addFirst(kept);
      }
    }
  }

  private synchronized Connection idle() {
    Connection kept = idle.pollFirst();
    if (kept != null && System.nanoTime() - kept.idleSince > LONGEST_IDLE) {
      broken(kept);
      return null;
    }
    return kept;
  }

  /** Cuts a connection. Where it broke, or no answer came, the others may be dead as well. */
  private void broken(Connection connection) {
    connection.cut();
    dropIdle();
  }

  private synchronized void dropIdle() {
    idle.forEach(Connection::cut);
    idle.clear();
  }

  private synchronized void look() {
    long now = System.nanoTime();
    for (Ongoing call : ongoing) {
      call.late |= now - call.end >= 0;
      Connection connection = call.connection;
      if (connection != null && (call.late || call.caller.isInterrupted())) {
        connection.cut();
      }
    }
    while (!idle.isEmpty() && now - idle.peekLast().idleSince > LONGEST_IDLE) {
      idle.pollLast().cut();
    }
    if (ongoing.isEmpty() && idle.isEmpty()) {
      alarm.cancel(false);
      alarm = null;
    }
  }

  /** Keeps no connection from now on. Calls under way go on, and there may be others. */
  @Override
  public synchronized void close() {
    closed = true;
    dropIdle();
  }
}

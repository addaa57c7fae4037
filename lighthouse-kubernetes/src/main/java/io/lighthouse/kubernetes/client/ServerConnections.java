package io.lighthouse.kubernetes.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLContext;

/**
 * The connections to a server: as many as there are calls at a time, kept for the next ones for a
 * while. Whoever calls waits for the answer on his own thread; an alarm cuts the connection when
 * the call's time is over or its thread is interrupted. Thread-safe.
 */
final class ServerConnections implements AutoCloseable {
  /** Unused for longer than this, one is closed: servers, and what is between, close such, too. */
  private static final long LONGEST_IDLE = TimeUnit.SECONDS.toNanos(20);

  /** Unused for longer than this, one is looked at before it is used. */
  private static final long FRESH = TimeUnit.MILLISECONDS.toNanos(20);

  /** How often the alarm looks, in milliseconds: so much longer than its limit a call may last. */
  private static final long LOOKS = 100;

  /** The alarms of all; one thread. */
  static final ScheduledExecutorService ALARMS =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "lighthouse-call-alarm");
            thread.setDaemon(true);
            return thread;
          });

  private final URI server;
  private final SSLContext tls;
  private final Duration limit;

  /** Those that nobody uses, the last used first. */
  private final Deque<ServerConnection> idle = new ArrayDeque<>();

  private final Set<Ongoing> ongoing = new HashSet<>();

  /** Null while there is neither a call nor a connection. */
  private ScheduledFuture<?> alarm;

  private boolean closed;

  /** An answer, its body as it was sent. */
  record Answer(int code, int retryAfter, boolean zipped, byte[] bytes) {
    /** The body, unpacked. */
    InputStream body() throws IOException {
      InputStream packed = new ByteArrayInputStream(bytes);
      return zipped ? new GZIPInputStream(packed, 1 << 13) : packed;
    }
  }

  /** An answer whose body comes by and by. */
  record Opened(int code, int retryAfter, InputStream body) {}

  /** A call under way. */
  private static final class Ongoing {
    final Thread caller = Thread.currentThread();
    final long end;
    volatile ServerConnection connection;
    volatile boolean late;

    Ongoing(Duration limit) {
      end = System.nanoTime() + limit.toNanos();
    }

    boolean isOver() {
      return late || System.nanoTime() - end >= 0;
    }
  }

  /**
   * No connection yet.
   *
   * @param limit the longest that a call may take, connecting included
   */
  ServerConnections(URI server, SSLContext tls, Duration limit) {
    this.server = server;
    this.tls = tls;
    this.limit = limit;
  }

  /**
   * Sends a request and waits for the whole answer.
   *
   * @param what the call, for messages
   * @param harmless whether it may be sent again where a kept connection turns out to be dead
   * @throws IOException if there is no answer; then nobody knows whether the call took effect
   */
  Answer call(String what, byte[] request, boolean harmless) throws IOException {
    Ongoing call = begin(what);
    try {
      ServerConnection kept = alive(call);
      if (kept != null) {
        try {
          return converse(call, kept, request);
        } catch (IOException broken) {
          if (!harmless || kept.answering() || call.isOver() || call.caller.isInterrupted()) {
            throw broken;
          }
        }
      }
      return converse(call, connected(call), request);
    } catch (IOException failed) {
      throw explained(what, call, failed);
    } finally {
      end(call, null);
    }
  }

  /** A kept connection, unless the server has ended it; null where there is none. */
  private ServerConnection alive(Ongoing call) {
    ServerConnection kept = idle();
    if (kept == null || System.nanoTime() - kept.idleSince < FRESH) {
      return kept;
    }
    call.connection = kept;
    if (kept.isAlive()) {
      return kept;
    }
    kept.cut();
    dropIdle();
    return null;
  }

  private Answer converse(Ongoing call, ServerConnection connection, byte[] request)
      throws IOException {
    boolean whole = false;
    call.connection = connection;
    try {
      send(call, connection, request);
      ServerConnection.Head head = connection.readHead();
      byte[] body = connection.wholeBody(head);
      whole = true;
      if (head.stays()) {
        end(call, connection);
      } else {
        connection.cut();
      }
      return new Answer(head.code(), head.retryAfter(), head.zipped(), body);
    } finally {
      if (!whole) {
        connection.cut();
        dropIdle();
      }
    }
  }

  /**
   * Sends a request on a connection of its own and waits for the head of the answer; of one that is
   * no success, for all of it.
   */
  Opened open(String what, byte[] request) throws IOException {
    Ongoing call = begin(what);
    ServerConnection connection = null;
    boolean opened = false;
    try {
      connection = connected(call);
      send(call, connection, request);
      ServerConnection.Head head = connection.readHead();
      if (head.code() >= 300) {
        byte[] body = connection.wholeBody(head);
        return new Opened(head.code(), head.retryAfter(), new ByteArrayInputStream(body));
      }
      end(call, null);
      opened = !call.late;
      if (!opened) {
        throw new IOException("late");
      }
      return new Opened(head.code(), 0, connection.body(head));
    } catch (IOException failed) {
      throw explained(what, call, failed);
    } finally {
      end(call, null);
      if (connection != null && !opened) {
        connection.cut();
      }
    }
  }

  private ServerConnection connected(Ongoing call) throws IOException {
    ServerConnection connection = new ServerConnection();
    call.connection = connection;
    boolean connected = false;
    try {
      connection.open(server, tls, (int) Math.min(Integer.MAX_VALUE, limit.toMillis()));
      connected = true;
      return connection;
    } finally {
      if (!connected) {
        connection.cut();
        dropIdle();
      }
    }
  }

  /** Nothing is sent when the time is over, so that nothing takes effect long after. */
  private static void send(Ongoing call, ServerConnection connection, byte[] request)
      throws IOException {
    if (call.isOver()) {
      call.late = true;
      throw new IOException("late");
    }
    connection.send(request);
  }

  private IOException explained(String what, Ongoing call, IOException failed) {
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

  private synchronized Ongoing begin(String what) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException(what + ": interrupted");
    }
    Ongoing call = new Ongoing(limit);
    ongoing.add(call);
    if (alarm == null) {
      alarm = ALARMS.scheduleWithFixedDelay(this::look, LOOKS, LOOKS, TimeUnit.MILLISECONDS);
    }
    return call;
  }

  /** The call is over; a connection that may be kept is, unless the alarm has cut it. */
  private synchronized void end(Ongoing call, ServerConnection kept) {
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

  private synchronized ServerConnection idle() {
    ServerConnection kept = idle.pollFirst();
    if (kept != null && System.nanoTime() - kept.idleSince > LONGEST_IDLE) {
      kept.cut();
      dropIdle();
      return null;
    }
    return kept;
  }

  /** Where one broke, or nobody answered, the others may be dead as well. */
  private synchronized void dropIdle() {
    idle.forEach(ServerConnection::cut);
    idle.clear();
  }

  private synchronized void look() {
    long now = System.nanoTime();
    for (Ongoing call : ongoing) {
      call.late |= now - call.end >= 0;
      ServerConnection connection = call.connection;
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

package io.lighthouse.server.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;

/**
 * The open connections and their deadlines. A connection without a request must send a whole head
 * in time, whether it is idle or trickles. A body must arrive in time, and an answer must be read
 * in time. Jetty's own idle timeout, which any trickle resets, is off. Thread-safe.
 */
public final class Connections implements Connection.Listener {
  /** How long after an answer the rest of an unread body is read and discarded. */
  private static final Duration LINGER = Duration.ofSeconds(2);

  private final Map<Connection, Open> open = new ConcurrentHashMap<>();
  private final Deadlines deadlines;
  private final long headerNanos;
  private final long bodyNanos;

  /**
   * Made before the connector, whose bean it becomes.
   *
   * @param deadlines checks the connections
   * @param header how long the head of a request may take
   * @param body how long a body, and how long an answer may take
   */
  public Connections(Deadlines deadlines, Duration header, Duration body) {
    this.deadlines = deadlines;
    headerNanos = header.toNanos();
    bodyNanos = body.toNanos();
  }

  @Override
  public void onOpened(Connection connection) {
    // Beneath TLS there is a second connection, which has no requests.
    if (connection instanceof ConnectionMetaData) {
      Open one = new Open(connection);
      one.allow(headerNanos, one::close);
      open.put(connection, one);
      deadlines.add(one);
    }
  }

  @Override
  public void onClosed(Connection connection) {
    Open one = open.remove(connection);
    if (one != null) {
      deadlines.remove(one);
    }
  }

  /**
   * The number of open connections.
   *
   * @return 0 or more
   */
  public int count() {
    return open.size();
  }

  /**
   * A body is being read.
   *
   * @param request the request
   * @param late what to do when it does not come in time
   */
  void reading(Request request, Runnable late) {
    of(request).allow(bodyNanos, late);
  }

  /**
   * The body has arrived, and the request is being decided; that time has its own limits.
   *
   * @param request the request
   */
  void working(Request request) {
    of(request).rest();
  }

  /**
   * An answer is being sent.
   *
   * @param request the request
   */
  void sending(Request request) {
    Open one = of(request);
    one.allow(bodyNanos, one::close);
  }

  /**
   * An answer was sent, and the rest of the body is being discarded.
   *
   * @param request the request
   */
  void lingering(Request request) {
    Open one = of(request);
    one.allow(LINGER.toNanos(), one::close);
  }

  /**
   * A request is finished; the next may arrive.
   *
   * @param request the request
   */
  void done(Request request) {
    Open one = of(request);
    one.allow(headerNanos, one::close);
  }

  private Open of(Request request) {
    Connection connection = request.getConnectionMetaData().getConnection();
    Open one = open.get(connection);
    return one != null ? one : new Open(connection); // It was closed meanwhile.
  }

  /** One connection and its deadline. */
  private static final class Open implements Deadlines.Waiting {
    /** A deadline and the action after it; null for none. */
    private final AtomicReference<Deadline> deadline = new AtomicReference<>();

    private final Connection connection;

    Open(Connection connection) {
      this.connection = connection;
    }

    void allow(long nanos, Runnable late) {
      deadline.set(new Deadline(System.nanoTime() + nanos, late));
    }

    void rest() {
      deadline.set(null);
    }

    void close() {
      connection.getEndPoint().close();
    }

    @Override
    public Runnable due(long now) {
      Deadline present = deadline.get();
      if (present == null || now - present.at < 0) {
        return null;
      }
      // Until what is done sets the next deadline, this one holds; unless the time was just in
      // time.
      Deadline next = new Deadline(now + LINGER.toNanos(), this::close);
      return deadline.compareAndSet(present, next) ? present.late : null;
    }
  }

  private record Deadline(long at, Runnable late) {}
}

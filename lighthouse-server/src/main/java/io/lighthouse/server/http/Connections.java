package io.lighthouse.server.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;

/**
 * The open connections and how long each may go on as it does. A connection without a request must
 * bring the whole head of one in time, whether it is idle or trickles; a body must come, and an
 * answer be taken, in time too. Jetty's own idle time-out, which any trickle resets, is off.
 * Thread-safe.
 */
public final class Connections implements Connection.Listener {
  /** How long after an answer the rest of an unread body is taken and thrown away. */
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
   * The body is here, and the answer is being found: others keep that time.
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
   * An answer is sent, and the rest of the body is being thrown away.
   *
   * @param request the request
   */
  void lingering(Request request) {
    Open one = of(request);
    one.allow(LINGER.toNanos(), one::close);
  }

  /**
   * A request is done with; the next may come.
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
    /** When something must have happened, and what is done if not. Null for never. */
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

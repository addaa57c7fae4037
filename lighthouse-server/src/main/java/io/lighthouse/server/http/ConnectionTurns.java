package io.lighthouse.server.http;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.LinkedList;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * One thread at a time works on a connection.
 *
 * <p>This works around a race in Jetty 12.1. When it reads what is not HTTP, another thread answers
 * it at once ({@code ThreadPool.executeImmediately}), while the first thread releases its read
 * buffer. If the second thread finishes first, it continues with the connection, reads into the
 * same buffer and releases it a second time. Then two connections share one buffer, and a stranger
 * could corrupt the requests of others. Therefore the tasks that a thread hands to the server's
 * threads during its turn with a connection start only after the turn.
 */
public final class ConnectionTurns {
  /** The tasks that wait for the end of this thread's turn; null outside a turn. */
  private static final ThreadLocal<Queue<Runnable>> WAITING = new ThreadLocal<>();

  private ConnectionTurns() {}

  /**
   * The threads of a server, not started yet.
   *
   * @param most the maximum number of threads
   * @return threads that start tasks handed to them within a turn only after that turn
   */
  public static QueuedThreadPool threads(int most) {
    return new Threads(most);
  }

  /**
   * A connector, not open yet, with one thread that accepts and one that selects.
   *
   * @param server the server, which uses the threads from {@link #threads}
   * @param factories what connections it makes, outermost first
   * @return the connector
   */
  public static ServerConnector connector(Server server, ConnectionFactory... factories) {
    return new Connector(server, factories);
  }

  /** Runs a task on one connection; within a turn, the task belongs to that turn. */
  static void run(Runnable work) {
    if (WAITING.get() != null) {
      work.run();
      return;
    }
    Queue<Runnable> waiting = new LinkedList<>(); // An ArrayDeque loses tasks where memory ends.
    WAITING.set(waiting);
    try {
      work.run();
    } finally {
      WAITING.remove();
      runAll(waiting);
    }
  }

  /** Runs each task, whatever others throw. Needs no memory, as it may be lacking here. */
  private static void runAll(Queue<Runnable> tasks) {
    RuntimeException bug = null;
    Error error = null;
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      try {
        task.run();
      } catch (RuntimeException thrown) {
        bug = thrown;
      } catch (Error thrown) {
        error = thrown;
      }
    }
    if (error != null) {
      throw error;
    }
    if (bug != null) {
      throw bug;
    }
  }

  private static Runnable turn(Runnable work) {
    return Invocable.from(Invocable.getInvocationType(work), () -> run(work));
  }

  private static final class Threads extends QueuedThreadPool {
    Threads(int most) {
      super(most);
    }

    @Override
    public void execute(Runnable task) {
      Queue<Runnable> waiting = WAITING.get();
      if (waiting == null) {
        super.execute(task);
      } else {
        waiting.add(() -> super.execute(task));
      }
    }

    @Override
    public boolean tryExecute(Runnable task) {
      Queue<Runnable> waiting = WAITING.get();
      return waiting == null ? super.tryExecute(task) : waiting.add(() -> super.execute(task));
    }
  }

  private static final class Connector extends ServerConnector {
    Connector(Server server, ConnectionFactory... factories) {
      super(server, executor(server.getThreadPool()), null, null, 1, 1, factories);
    }

    /** The executor of Jetty's tasks; an answering thread continues with its connection itself. */
    private static Executor executor(Executor threads) {
      return task -> {
        if (task instanceof Connection && AnsweringThread.isCurrent()) {
          ConnectionTurns.run(task);
        } else if (task instanceof Connection || task instanceof Invocable) {
          threads.execute(turn(task));
        } else {
          threads.execute(task); // Such as the selector loop, which is not a turn.
        }
      };
    }

    @Override
    protected SocketChannelEndPoint newEndPoint(
        SocketChannel channel, ManagedSelector selector, SelectionKey key) throws IOException {
      SocketChannelEndPoint endPoint =
          new SocketChannelEndPoint(channel, selector, key, getScheduler()) {
            @Override
            public Runnable onSelected() {
              Runnable work = super.onSelected();
              return work == null ? null : turn(work);
            }
          };
      endPoint.setIdleTimeout(getIdleTimeout());
      return endPoint;
    }
  }
}

package io.lighthouse.server.http;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A thread that works on one request after another, and answers them.
 *
 * <p>After an answer, the thread itself checks whether the next request of that connection has
 * arrived, and reads it. Jetty would use another thread: two thread switches, a third of the cost
 * of a small request. The thread only reads bodies, which other threads process. Requests that are
 * answered at once go from the {@link Router} to the server's own threads. Otherwise a client that
 * sends many of them could keep this thread from its work.
 */
public final class AnsweringThread extends Thread {
  /**
   * A thread, not started yet.
   *
   * @param work what it does
   * @param name its name
   */
  public AnsweringThread(Runnable work, String name) {
    super(work, name);
    setDaemon(true);
  }

  /**
   * A pool of such threads, as many as there is work for.
   *
   * @param name what their names begin with; a number follows
   * @return the pool
   */
  public static ExecutorService pool(String name) {
    AtomicInteger number = new AtomicInteger();
    return Executors.newCachedThreadPool(
        work -> new AnsweringThread(work, name + number.incrementAndGet()));
  }

  /**
   * Whether the present thread is one.
   *
   * @return true if so
   */
  static boolean isCurrent() {
    return Thread.currentThread() instanceof AnsweringThread;
  }
}

package io.lighthouse.server.http;

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
   * Whether the present thread is one.
   *
   * @return true if so
   */
  static boolean isCurrent() {
    return Thread.currentThread() instanceof AnsweringThread;
  }
}

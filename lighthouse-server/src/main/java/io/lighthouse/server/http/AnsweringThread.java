package io.lighthouse.server.http;

/**
 * A thread that works on one request after another, and answers them.
 *
 * <p>When it has answered, it looks itself whether the next request of that connection is there,
 * and takes it in. To have another thread do so, as Jetty would, costs two changes of threads, a
 * third of all that serving a small request takes. It takes in bodies only, which others will work
 * on: whatever is answered at once the {@link Router} gives to the server's own threads, or a
 * client that sends such requests without end could keep it from its work.
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

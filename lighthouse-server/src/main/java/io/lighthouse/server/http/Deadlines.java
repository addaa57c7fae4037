package io.lighthouse.server.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One thread that looks at everything that waits, some twenty times a second, and ends what has
 * waited too long. Thread-safe.
 */
public final class Deadlines implements AutoCloseable {
  private static final int TICK_MILLIS = 50;
  private static final System.Logger LOG = System.getLogger("io.lighthouse.server");

  /** Something with a deadline. */
  public interface Waiting {
    /**
     * Ends it if its time is over. Must not block.
     *
     * @param now the time, as {@link System#nanoTime}
     */
    void look(long now);
  }

  private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();
  private final Thread thread = new Thread(this::run, "lighthouse-deadlines");
  private volatile boolean closed;

  /** Starts the thread. */
  public Deadlines() {
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Looks at something from now on.
   *
   * @param one what waits
   */
  public void add(Waiting one) {
    waiting.add(one);
  }

  /**
   * Looks at it no more.
   *
   * @param one what waited
   */
  public void remove(Waiting one) {
    waiting.remove(one);
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }

  private void run() {
    while (!closed) {
      long now = System.nanoTime();
      for (Waiting one : waiting) {
        try {
          one.look(now);
        } catch (Throwable thrown) { // Whatever it is, the others have deadlines too.
          LOG.log(System.Logger.Level.WARNING, "a deadline could not be kept", thrown);
        }
      }
      try {
        Thread.sleep(TICK_MILLIS);
      } catch (InterruptedException told) {
        return;
      }
    }
  }
}

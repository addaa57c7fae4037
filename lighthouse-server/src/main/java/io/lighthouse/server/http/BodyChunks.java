package io.lighthouse.server.http;

import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;

/**
 * The only loop that reads from a client: takes the body of one request chunk by chunk, as it
 * comes, and holds no thread between. One thread at a time is in it.
 *
 * <p>It ends when the body ends, whatever the source does: every pass takes at least one byte of a
 * body of bounded length, or is the last one, or waits to be called again. A source that has been
 * empty {@value #MOST_EMPTY} times in a row without an end is broken.
 */
final class BodyChunks implements Runnable {
  /** Who takes the bytes. */
  interface Taker {
    /**
     * Takes all bytes of a chunk.
     *
     * @return whether more are wanted; else the rest of the body is thrown away
     */
    boolean take(ByteBuffer bytes);

    /** The body is here whole. */
    void whole();

    /** The body cannot be read further. */
    void failed(Throwable why);
  }

  private static final int MOST_EMPTY = 16;

  private final Content.Source source;
  private final Watchdog watchdog;
  private final Runnable ended;

  /** What runs when more is here. */
  private final Runnable more;

  /** Who takes the bytes; null where they are thrown away. */
  private Taker taker;

  /** How often in a row nothing was there, and no end. */
  private int empty;

  /**
   * A loop that has not begun.
   *
   * @param source the body
   * @param taker who takes the bytes; null to throw them away
   * @param blocking whether taking them takes its time: not on the thread that all connections
   *     share
   * @param watchdog who watches the steps
   * @param ended what is done behind the end of the body, or its failure, once
   */
  BodyChunks(
      Content.Source source, Taker taker, boolean blocking, Watchdog watchdog, Runnable ended) {
    this.source = source;
    this.taker = taker;
    this.watchdog = watchdog;
    this.ended = ended;
    more =
        Invocable.from(blocking ? InvocationType.BLOCKING : InvocationType.NON_BLOCKING, this::run);
  }

  /** A loop over the body of a request. */
  static BodyChunks of(
      Request request, Taker taker, boolean blocking, Watchdog watchdog, Runnable ended) {
    return new BodyChunks(request, taker, blocking, watchdog, ended);
  }

  @Override
  public void run() {
    ConnectionTurns.run(() -> watchdog.run(this::readOn));
  }

  private void readOn() {
    while (true) {
      Content.Chunk chunk = source.read();
      if (chunk == null) {
        source.demand(more);
        return;
      }
      if (Content.Chunk.isFailure(chunk)) {
        fail(chunk.getFailure());
        return;
      }
      empty = chunk.hasRemaining() ? 0 : empty + 1;
      boolean last = chunk.isLast();
      if (taker != null && chunk.hasRemaining() && !taker.take(chunk.getByteBuffer())) {
        taker = null;
      }
      chunk.release();
      if (last) {
        Taker whole = taker;
        taker = null;
        ended.run();
        if (whole != null) {
          whole.whole();
        }
        return;
      }
      if (empty == MOST_EMPTY) {
        fail(new IllegalStateException("no bytes, and no end"));
        return;
      }
    }
  }

  private void fail(Throwable why) {
    Taker failed = taker;
    taker = null;
    if (failed != null) {
      failed.failed(why);
    }
    ended.run();
  }
}

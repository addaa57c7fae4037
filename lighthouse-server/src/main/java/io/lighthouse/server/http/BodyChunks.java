package io.lighthouse.server.http;

import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;

/**
 * The only loop that reads from a client. It reads the body of one request chunk by chunk, as it
 * arrives, and holds no thread between chunks. One thread at a time runs it.
 *
 * <p>The loop always ends. Every pass takes at least one byte of a body of bounded length, or is
 * the last one, or waits to be called again. After {@value #MOST_CHUNKS} chunks another thread goes
 * on, so that no thread serves one client for long. A source that is empty {@value #MOST_EMPTY}
 * times in a row without an end is treated as broken.
 */
final class BodyChunks implements Runnable {
  /** Receives the bytes. */
  interface Taker {
    /**
     * Takes all bytes of a chunk.
     *
     * @return whether more are wanted; otherwise the rest of the body is discarded
     */
    boolean take(ByteBuffer bytes);

    /** The whole body has arrived. */
    void whole();

    /** The body cannot be read further. */
    void failed(Throwable why);
  }

  private static final int MOST_EMPTY = 16;

  /** The maximum number of chunks of one step; another thread goes on then. */
  private static final int MOST_CHUNKS = 1 << 14;

  private final Content.Source source;
  private final Watchdog watchdog;
  private final Executor threads;
  private final Runnable ended;
  private final Consumer<Throwable> broken;

  /** Runs when more bytes have arrived. */
  private final Runnable more;

  /** Receives the bytes; null where they are discarded. */
  private Taker taker;

  /** The number of times in a row that the source had neither bytes nor an end. */
  private int empty;

  /**
   * A loop that has not begun.
   *
   * @param source the body
   * @param taker receives the bytes; null to discard them
   * @param blocking whether the taker may block; it then does not run on the thread that all
   *     connections share
   * @param watchdog watches the steps
   * @param threads run the further steps of a body that arrives without a pause
   * @param ended runs once, after the end of the body or its failure
   * @param broken takes what a step has thrown; nothing is read afterwards
   */
  BodyChunks(
      Content.Source source,
      Taker taker,
      boolean blocking,
      Watchdog watchdog,
      Executor threads,
      Runnable ended,
      Consumer<Throwable> broken) {
    this.source = source;
    this.taker = taker;
    this.watchdog = watchdog;
    this.threads = threads;
    this.ended = ended;
    this.broken = broken;
    more =
        Invocable.from(blocking ? InvocationType.BLOCKING : InvocationType.NON_BLOCKING, this::run);
  }

  @Override
  public void run() {
    ConnectionTurns.run(() -> watchdog.run(this::step));
  }

  private void step() {
    try {
      readOn();
    } catch (Throwable thrown) { // Such as a lack of memory: the request must end all the same.
      taker = null;
      broken.accept(thrown);
    }
  }

  private void readOn() {
    for (int chunks = 0; chunks < MOST_CHUNKS; chunks++) {
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
      try {
        if (taker != null && chunk.hasRemaining() && !taker.take(chunk.getByteBuffer())) {
          taker = null;
        }
      } finally {
        chunk.release();
      }
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
    threads.execute(this);
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

package io.lighthouse.server.placement;

import io.lighthouse.server.http.Deadlines;
import io.lighthouse.server.http.Watchdog;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * Submits decisions while memory ends again and again, each until it is taken. Ends with {@link
 * #DONE} where each of them was decided once.
 */
final class FullPoolChild {
  static final int DONE = 7;

  private static final int MOST = 700;

  /** From this one on there is less memory than an array of their number needs. */
  private static final int SCARCE = 500;

  /** Memory that is freed piece by piece: room for a few decisions each. */
  private static final byte[][] SPARE = new byte[400][];

  private static final int SPARE_BYTES = 1 << 10;

  private static int freed;
  private static int refused;

  private FullPoolChild() {}

  /** Takes nothing. */
  public static void main(String[] args) throws Exception {
    Watchdog watchdog = new Watchdog();
    CountDownLatch begins = new CountDownLatch(1);
    Counted[] decisions = new Counted[MOST];
    for (int i = 0; i < MOST; i++) {
      decisions[i] = new Counted(begins);
    }
    ExecutorService threads = Executors.newCachedThreadPool();
    DecisionPool pool =
        new DecisionPool(
            new Deadlines(watchdog),
            watchdog,
            1,
            Duration.ofHours(1),
            Duration.ofHours(1),
            threads);
    for (int i = 0; i < SCARCE; i++) {
      pool.submit(decisions[i]);
    }
    withoutMemory(() -> submitRest(pool, decisions));
    int waiting = pool.waiting();
    begins.countDown();
    while (pool.running() > 0) {
      Thread.onSpinWait();
    }
    long once = Stream.of(decisions).filter(one -> one.count == 1).count();
    System.out.println("refused: " + refused + ", waiting: " + waiting + ", once: " + once);
    System.exit(refused > 0 && waiting == MOST - 1 && once == MOST ? DONE : 1);
  }

  /** Takes all memory, does something, and frees it. */
  private static void withoutMemory(Runnable meanwhile) {
    for (int i = 0; i < SPARE.length; i++) {
      SPARE[i] = new byte[SPARE_BYTES];
    }
    Object[] all = null;
    for (int size = 1 << 20; size >= 16; size /= 2) {
      try {
        while (true) {
          all = new Object[] {all, new byte[size]};
        }
      } catch (OutOfMemoryError full) {
        // Smaller pieces may fit.
      }
    }
    meanwhile.run();
    if (all == null) {
      throw new IllegalStateException("there was no memory at all");
    }
  }

  private static void submitRest(DecisionPool pool, Counted[] decisions) {
    for (int i = SCARCE; i < MOST; ) {
      try {
        pool.submit(decisions[i]);
        i++;
      } catch (OutOfMemoryError full) {
        refused++;
        SPARE[freed++] = null;
      }
    }
  }

  /** Counts how many times it is decided. */
  private static final class Counted implements DecisionPool.Decision {
    private final CountDownLatch begins;
    private int count;

    Counted(CountDownLatch begins) {
      this.begins = begins;
    }

    @Override
    public void decide() {
      try {
        begins.await();
      } catch (InterruptedException hurry) {
        throw new AssertionError(hurry);
      }
      count++;
    }

    @Override
    public void turnedAway() {
      throw new AssertionError("it had its turn");
    }

    @Override
    public boolean overTime() {
      throw new AssertionError("it has an hour");
    }

    @Override
    public boolean unending() {
      throw new AssertionError("it has an hour");
    }

    @Override
    public void lost(Throwable why) {
      throw new AssertionError(why);
    }
  }
}

package io.lighthouse.server.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.core.Distributors;
import io.lighthouse.server.http.Deadlines;
import io.lighthouse.server.http.Watchdog;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of decisions that are late, without a service around them. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DecisionPoolTest {
  private final Watchdog watchdog = new Watchdog();
  private final Deadlines deadlines = new Deadlines(watchdog);
  private final DecisionPool pool =
      new DecisionPool(deadlines, watchdog, 1, Duration.ofSeconds(100), Duration.ofMillis(50));

  @AfterEach
  void close() {
    pool.close();
    deadlines.close();
  }

  /**
   * Runs until it is released, or has had more interrupts than it ignores. Where it is not to be
   * abandoned, the question for that releases it. Uses its processor, or only waits.
   */
  private static class Late implements DecisionPool.Decision {
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicInteger answers = new AtomicInteger();
    private final AtomicInteger asked = new AtomicInteger();
    private final int ignores;
    private final boolean abandon;
    private final boolean waits;
    private volatile boolean released;

    /** Ignores {@code ignores} interrupts; {@code abandon} is its answer to {@link #unending}. */
    Late(int ignores, boolean abandon) {
      this(ignores, abandon, false);
    }

    Late(int ignores, boolean abandon, boolean waits) {
      this.ignores = ignores;
      this.abandon = abandon;
      this.waits = waits;
    }

    @Override
    public void decide() {
      int interrupts = 0;
      while (!released && interrupts <= ignores) {
        interrupts += Thread.interrupted() ? 1 : 0;
        if (waits) {
          LockSupport.parkNanos(10_000_000);
        } else {
          Thread.onSpinWait();
        }
      }
      ended.countDown();
    }

    @Override
    public void turnedAway() {
      throw new AssertionError("it had its turn");
    }

    @Override
    public void lost(Throwable why) {
      throw new AssertionError(why);
    }

    @Override
    public boolean overTime() {
      answers.incrementAndGet();
      return true;
    }

    @Override
    public boolean unending() {
      asked.incrementAndGet();
      released |= !abandon;
      return abandon;
    }
  }

  @Test
  void oneThatListensEndsAndLosesNoPlace() throws InterruptedException {
    Late late = new Late(0, true);
    Late next = new Late(0, true);
    pool.submit(late);
    pool.submit(next);
    late.ended.await();
    next.ended.await();
    assertThat(late.answers).hasValue(1);
    assertThat(late.asked).hasValue(0);
    assertThat(pool.abandoned()).isZero();
  }

  @Test
  void oneThatIsNotToBeAbandonedKeepsItsPlaceUntilItEnds() throws InterruptedException {
    Late slow = new Late(Integer.MAX_VALUE - 1, false);
    Late next = new Late(0, true);
    pool.submit(slow);
    pool.submit(next);
    slow.ended.await();
    next.ended.await();
    assertThat(slow.asked).hasValue(1);
    assertThat(pool.abandoned()).isZero();
  }

  /** On a busy machine it may be interrupted many times before it gets to its processor once. */
  @Test
  void oneThatTakesNoProcessorTimeIsNotGivenUpForTheNumberOfInterrupts()
      throws InterruptedException {
    Late waiting = new Late(30, true, true);
    Late next = new Late(0, true);
    pool.submit(waiting);
    pool.submit(next);
    waiting.ended.await();
    next.ended.await();
    assertThat(waiting.asked).hasValue(0);
    assertThat(pool.abandoned()).isZero();
  }

  @Test
  void aThreadThatCannotStartCostsNoPlace() throws InterruptedException {
    boolean[] none = {true};
    ExecutorService scarce =
        new ThreadPoolExecutor(0, 9, 1, TimeUnit.SECONDS, new SynchronousQueue<>()) {
          @Override
          public void execute(Runnable work) {
            if (none[0]) {
              throw new OutOfMemoryError("unable to create native thread");
            }
            super.execute(work);
          }
        };
    DecisionPool pool =
        new DecisionPool(
            deadlines, watchdog, 1, Duration.ofSeconds(100), Duration.ofMillis(50), scarce);
    CountDownLatch away = new CountDownLatch(1);
    pool.submit(
        new Late(0, true) {
          @Override
          public void turnedAway() {
            away.countDown();
          }
        });
    away.await();
    assertThat(pool.running()).isZero();
    none[0] = false;
    Late next = new Late(0, true);
    pool.submit(next);
    next.ended.await();
    pool.close();
  }

  @Test
  void oneThatEndsWithoutAnAnswerIsLost() throws InterruptedException {
    Error why = new OutOfMemoryError("planted");
    BlockingQueue<Throwable> lost = new LinkedBlockingQueue<>();
    pool.submit(
        new Late(0, true) {
          @Override
          public void decide() {
            throw why;
          }

          @Override
          public void lost(Throwable thrown) {
            lost.add(thrown);
          }
        });
    assertThat(lost.take()).isSameAs(why);
    Late next = new Late(0, true);
    pool.submit(next);
    next.ended.await();
  }

  /** As where there is no memory for the answer that it is late. */
  @Test
  void oneThatCannotBeToldThatItIsLateIsLost() throws InterruptedException {
    BlockingQueue<Throwable> lost = new LinkedBlockingQueue<>();
    Late late =
        new Late(0, true) {
          @Override
          public boolean overTime() {
            throw new OutOfMemoryError("planted");
          }

          @Override
          public void lost(Throwable thrown) {
            lost.add(thrown);
          }
        };
    pool.submit(late);
    assertThat(lost.take()).hasMessage("planted");
    late.ended.await();
  }

  @Test
  void aThreadThatCannotStartCostsNoPlaceWhereThatCannotBeLogged() {
    ExecutorService scarce =
        new ThreadPoolExecutor(0, 9, 1, TimeUnit.SECONDS, new SynchronousQueue<>()) {
          @Override
          public void execute(Runnable work) {
            throw new OutOfMemoryError("planted") {
              private static final long serialVersionUID = 1L;

              @Override
              public String toString() {
                throw this;
              }
            };
          }
        };
    DecisionPool pool =
        new DecisionPool(
            deadlines, watchdog, 1, Duration.ofSeconds(100), Duration.ofMillis(50), scarce);
    AtomicInteger away = new AtomicInteger();
    assertThatThrownBy(
            () ->
                pool.submit(
                    new Late(0, true) {
                      @Override
                      public void turnedAway() {
                        away.incrementAndGet();
                      }
                    }))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(away).hasValue(1);
    assertThat(pool.running()).isZero();
    pool.close();
  }

  /** Loses its request, and finds no memory to end it. */
  private static class Breaking extends Late {
    Breaking(int ignores) {
      super(ignores, true);
    }

    @Override
    public void decide() {
      super.decide();
      throw new OutOfMemoryError("planted");
    }

    @Override
    public boolean overTime() {
      throw new OutOfMemoryError("planted");
    }

    @Override
    public void lost(Throwable thrown) {
      throw new OutOfMemoryError("planted");
    }
  }

  @Test
  void oneThatCannotBeLostIsInterruptedAndItsPlaceIsUsed() throws InterruptedException {
    Late breaks = new Breaking(0);
    Late next = new Late(0, true);
    pool.submit(breaks);
    pool.submit(next);
    breaks.ended.await();
    next.ended.await();
  }

  @Test
  void anAbandonedThreadThatBreaksOffFreesNoPlaceOfAnother() throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(1);
    Late breaks =
        new Breaking(Integer.MAX_VALUE - 1) {
          @Override
          public void abandonedEnded() {
            ended.countDown();
            throw new OutOfMemoryError("planted: this error belongs to the test");
          }
        };
    pool.submit(breaks);
    while (pool.abandoned() == 0) {
      Thread.onSpinWait();
    }
    breaks.released = true;
    ended.await();
    Late next = new Late(Integer.MAX_VALUE - 1, false, true);
    pool.submit(next);
    while (next.answers.get() == 0) {
      Thread.onSpinWait();
    }
    assertThat(pool.running()).isEqualTo(1);
    next.released = true;
    next.ended.await();
    assertThat(pool.abandoned()).isZero();
  }

  @Test
  void oneThatNeverEndsIsReplacedAndNoThreadOfOursIsStuck() throws InterruptedException {
    Late looping = new Late(Integer.MAX_VALUE - 1, true);
    Late next = new Late(0, true);
    pool.submit(looping);
    pool.submit(next);
    next.ended.await();
    assertThat(pool.abandoned()).isEqualTo(1);
    assertThat(watchdog.stuck()).isEmpty();
    looping.released = true;
    while (pool.abandoned() > 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void theDecisionIsToldWhenItsAbandonedThreadHasEnded() throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(1);
    Late looping =
        new Late(Integer.MAX_VALUE - 1, true) {
          @Override
          public void abandonedEnded() {
            ended.countDown();
          }
        };
    Late next = new Late(0, true);
    pool.submit(looping);
    pool.submit(next);
    next.ended.await();
    assertThat(ended.getCount()).isEqualTo(1);
    looping.released = true;
    ended.await();
    assertThat(pool.abandoned()).isZero();
  }

  @Test
  void eachIsDecidedOnceWhereMemoryEndsWhileTheyWait(@TempDir Path folder) throws Exception {
    List<String> parts =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("lighthouse.build"), "test-classes").toString()));
    for (String property : List.of("jdk.module.path", "java.class.path")) {
      parts.add(System.getProperty(property, ""));
    }
    Path out = folder.resolve("out.txt");
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx16m",
                "-XX:+UseSerialGC",
                "-cp",
                String.join(File.pathSeparator, parts),
                FullPoolChild.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    try {
      assertThat(child.waitFor(100, TimeUnit.SECONDS)).as("the child ends").isTrue();
    } finally {
      child.destroyForcibly();
    }
    assertThat(child.exitValue()).as(Files.readString(out)).isEqualTo(FullPoolChild.DONE);
  }

  @Test
  void oursAreNeverRefusedHoweverLate() {
    StrategyCatalog catalog = new StrategyCatalog(Distributors.installed());
    for (String name : new String[] {"prioritized", "round-robin", "bin-pack"}) {
      assertThat(catalog.refuse(name)).isFalse();
      assertThat(catalog.isRefused(name)).isFalse();
    }
  }
}

package io.lighthouse.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No slow task delays the deadlines of others, and stuck threads are detected. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeadlinesTest {
  /** What is to be done once. */
  private static Deadlines.Waiting once(Runnable work) {
    AtomicBoolean done = new AtomicBoolean();
    return now -> done.compareAndSet(false, true) ? work : null;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void whatIsLateIsEndedOnAnotherThreadThanTheirs() throws Exception {
    Set<String> threads = ConcurrentHashMap.newKeySet();
    CountDownLatch done = new CountDownLatch(1);
    try (Deadlines deadlines = new Deadlines(new Watchdog())) {
      deadlines.add(
          once(
              () -> {
                threads.add(Thread.currentThread().getName());
                done.countDown();
              }));
      done.await();
    }
    assertThat(threads).allMatch(name -> name.startsWith("lighthouse-ending-"));
  }

  @Test
  void endingThatDoesNotEndKeepsNobodyElseAndIsSeen() throws Exception {
    Watchdog watchdog = new Watchdog(Duration.ofMillis(100));
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch others = new CountDownLatch(20);
    try (Deadlines deadlines = new Deadlines(watchdog)) {
      AtomicReference<String> stuck = new AtomicReference<>();
      deadlines.add(
          once(
              () -> {
                stuck.set(Thread.currentThread().getName());
                await(release);
              }));
      for (int i = 0; i < 20; i++) {
        deadlines.add(once(others::countDown));
      }
      others.await();
      // On a busy machine, other threads may seem stuck for a while.
      while (!watchdog.stuck().equals(Collections.singletonList(stuck.get()))) {
        Thread.onSpinWait();
      }
      assertThat(stuck.get()).contains("ending");
      release.countDown();
      while (!watchdog.stuck().isEmpty()) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void whatIsLateIsEndedAlsoWhereNoThreadCanBeStarted() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    ExecutorService none =
        new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              throw new OutOfMemoryError("unable to create native thread");
            });
    try (Deadlines deadlines = new Deadlines(new Watchdog(), none)) {
      deadlines.add(once(done::countDown));
      done.await();
    }
  }

  /** A watchdog that finds no memory for some steps. */
  private static Watchdog forgetful(Predicate<Thread> lacksMemory) throws Exception {
    Watchdog watchdog = new Watchdog();
    Field steps = Watchdog.class.getDeclaredField("steps");
    steps.setAccessible(true);
    steps.set(
        watchdog,
        new ConcurrentHashMap<Thread, Object>() {
          private static final long serialVersionUID = 1L;

          @Override
          public Object putIfAbsent(Thread thread, Object step) {
            if (lacksMemory.test(thread)) {
              throw new OutOfMemoryError("planted: this error belongs to the test");
            }
            return super.putIfAbsent(thread, step);
          }
        });
    return watchdog;
  }

  @Test
  void aLookThatCannotBeginEndsNoLaterOne() throws Exception {
    CountDownLatch failed = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    Watchdog watchdog =
        forgetful(
            thread -> {
              boolean first = failed.getCount() > 0;
              failed.countDown();
              return first;
            });
    try (Deadlines deadlines = new Deadlines(watchdog)) {
      failed.await();
      deadlines.add(once(done::countDown));
      done.await();
    }
    assertThat(watchdog.stuck()).isEmpty();
  }

  @Test
  void whatIsLateIsEndedAlsoWhereItCannotBeWatched() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    Watchdog watchdog = forgetful(thread -> thread.getName().startsWith("lighthouse-ending"));
    try (Deadlines deadlines = new Deadlines(watchdog)) {
      deadlines.add(once(done::countDown));
      done.await();
    }
  }

  @Test
  void oneThatThrowsWhenItIsLookedAtKeepsNobodyElse() throws Exception {
    CountDownLatch others = new CountDownLatch(3);
    try (Deadlines deadlines = new Deadlines(new Watchdog())) {
      deadlines.add(
          now -> {
            throw new AssertionError("planted: this warning belongs to the test");
          });
      deadlines.add(
          once(
              () -> {
                throw new AssertionError("planted: this warning belongs to the test");
              }));
      deadlines.add(now -> others::countDown);
      others.await();
    }
  }

  @Test
  void oneThatIsLookedAtForTooLongIsSeen() throws Exception {
    Watchdog watchdog = new Watchdog(Duration.ofMillis(100));
    CountDownLatch release = new CountDownLatch(1);
    try (Deadlines deadlines = new Deadlines(watchdog)) {
      deadlines.add(
          now -> {
            await(release);
            return null;
          });
      while (watchdog.stuck().isEmpty()) {
        Thread.onSpinWait();
      }
      assertThat(watchdog.stuck()).containsExactly("lighthouse-deadlines");
      release.countDown();
    }
  }

  @Test
  void aNeededThreadThatHasEndedIsSeen() throws Exception {
    Watchdog watchdog = new Watchdog();
    Thread needed = new Thread(() -> {}, "needed");
    needed.start();
    watchdog.need(needed);
    needed.join();
    assertThat(watchdog.stuck()).containsExactly("needed");
    watchdog.needNoMore(needed);
    assertThat(watchdog.stuck()).isEmpty();
  }

  @Test
  void aStepWithinAStepIsPartOfIt() {
    Watchdog watchdog = new Watchdog(Duration.ofNanos(1));
    watchdog.run(
        () -> {
          watchdog.run(() -> {});
          assertThat(watchdog.stuck()).hasSize(1);
        });
    assertThat(watchdog.stuck()).isEmpty();
  }

  @Test
  void aStepWithTimeOfItsOwnIsNotStuckBefore() {
    Watchdog watchdog = new Watchdog(Duration.ofNanos(1));
    assertThat(watchdog.begin(Duration.ofHours(1).toNanos())).isTrue();
    assertThat(watchdog.stuck()).isEmpty();
    watchdog.end();
  }
}

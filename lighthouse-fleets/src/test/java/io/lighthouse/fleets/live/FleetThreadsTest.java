package io.lighthouse.fleets.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class FleetThreadsTest {
  @Test
  void deadlinesAreCheckedAlsoAfterACheckThatFoundNoMemory() throws InterruptedException {
    FleetThreads threads = FleetThreads.ofTheirOwn(Runnable::run);
    CountDownLatch checks = new CountDownLatch(3);
    threads.checkDeadlines(
        () -> {
          checks.countDown();
          throw new OutOfMemoryError("planted");
        });
    assertThat(checks.await(20, TimeUnit.SECONDS)).isTrue();
    threads.close(Duration.ofSeconds(1));
  }

  /** Else it would show on standard error alone. */
  @Test
  void whatBreaksOffIsLogged() throws InterruptedException {
    FleetThreads threads = FleetThreads.ofTheirOwn(Runnable::run);
    BlockingQueue<LogRecord> logged = new LinkedBlockingQueue<>();
    Logger logger = Logger.getLogger("io.lighthouse.fleets");
    logger.setLevel(Level.WARNING);
    logger.setFilter(line -> !logged.add(line));
    try {
      threads.begin(
          () -> {
            throw new IllegalStateException("planted");
          });
      LogRecord line = logged.poll(1, TimeUnit.MINUTES);
      assertThat(line.getLevel()).isEqualTo(Level.SEVERE);
      assertThat(line.getThrown()).hasMessage("planted");
    } finally {
      logger.setFilter(null);
      logger.setLevel(null);
    }
    threads.close(Duration.ofSeconds(1));
  }

  /** Such as by what follows a refusal. */
  @Test
  void aCheckThatLeavesAnInterruptDoesNotEndTheNextPause() throws InterruptedException {
    FleetThreads threads = FleetThreads.ofTheirOwn(Runnable::run);
    BlockingQueue<Boolean> interrupted = new LinkedBlockingQueue<>();
    threads.checkDeadlines(
        () -> {
          interrupted.add(Thread.currentThread().isInterrupted());
          Thread.currentThread().interrupt();
        });
    for (int i = 0; i < 3; i++) {
      assertThat(interrupted.poll(20, TimeUnit.SECONDS)).isFalse();
    }
    threads.close(Duration.ofSeconds(1));
  }
}

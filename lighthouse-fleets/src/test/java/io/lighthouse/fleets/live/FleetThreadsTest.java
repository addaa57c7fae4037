package io.lighthouse.fleets.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
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

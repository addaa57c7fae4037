package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How the threads of a term hand over what they did, and how they end. */
class CallWorkersTest {
  /** Much longer than a test may last, so that a close that waits for it is noticed. */
  private static final Duration LIMIT = Duration.ofHours(1);

  private static final Message MESSAGE = term -> {};
  private static final int WORKS = 100;

  private final BlockingQueue<Message> inbox = new LinkedBlockingQueue<>(1);
  private final CallWorkers workers =
      new CallWorkers(
          "test", 2, LIMIT, inbox, () -> true, (thread, thrown) -> thrown.printStackTrace());

  private void submitAll() {
    for (int i = 0; i < WORKS; i++) {
      workers.submit(0, () -> MESSAGE);
    }
  }

  /** A term that ends does not read its inbox any more. */
  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aFullInboxDoesNotDelayTheEnd() {
    submitAll();
    workers.close();
    assertThat(workers.inFlight()).isZero();
    assertThat(inbox).hasSize(1);
  }

  /** Others wait for it, such as for devices that may be free. */
  @Test
  void workThatWasPutOffGoesBeforeUrgentWork() throws InterruptedException {
    CountDownLatch isDone = new CountDownLatch(1);
    for (int i = 0; i < 3; i++) { // More than there are threads: some always waits.
      submitAgainUntil(isDone);
    }
    workers.submitAfter(
        1,
        () -> {
          isDone.countDown();
          return null;
        });
    boolean wasDone = isDone.await(1, TimeUnit.MINUTES);
    isDone.countDown();
    workers.close();
    assertThat(wasDone).isTrue();
  }

  private void submitAgainUntil(CountDownLatch isDone) {
    workers.submit(
        1,
        () -> {
          if (isDone.getCount() > 0) {
            submitAgainUntil(isDone);
          }
          return null;
        });
  }

  @Test
  void aFullInboxLosesNoMessageBeforeTheEnd() throws InterruptedException {
    submitAll();
    for (int i = 0; i < WORKS; i++) {
      assertThat(inbox.poll(2, TimeUnit.MINUTES)).isSameAs(MESSAGE);
    }
    workers.close();
    assertThat(inbox).isEmpty();
  }
}

package io.lighthouse.server.http;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a thread hands to others during its turn with a connection. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectionTurnsTest {
  @Test
  void aTaskThatIsRefusedAfterATurnKeepsNoOtherFromItsStart() throws Exception {
    QueuedThreadPool refusing = ConnectionTurns.threads(8); // It is not started.
    QueuedThreadPool threads = ConnectionTurns.threads(8);
    threads.start();
    try {
      CountDownLatch ran = new CountDownLatch(1);
      Runnable turn =
          () -> {
            refusing.execute(() -> {});
            threads.execute(ran::countDown);
          };
      assertThatThrownBy(() -> ConnectionTurns.run(turn))
          .isInstanceOf(RejectedExecutionException.class);
      ran.await();
    } finally {
      threads.stop();
    }
  }
}

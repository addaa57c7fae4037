package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A thread of the service that does not move on shows, in the metrics and in readiness. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StuckThreadTest {
  private static final String[] TOKEN = {"Authorization", "Bearer secret"};

  @TempDir private Path folder;

  /** A pipe instead of the token file: a reader waits until a writer comes. */
  @Test
  void aTokenFileThatIsNeverReadToItsEndMakesTheServiceUnreadyAndNothingElse() throws Exception {
    Path file = Files.writeString(folder.resolve("tokens"), "secret\n");
    ServiceSettings settings =
        new ServiceSettings()
            .tokens(file)
            .limit(ServiceLimit.BODY_TIMEOUT, Duration.ofMillis(500))
            .stepTimeout(Duration.ofMillis(300));
    try (TestService service = TestService.start(settings)) {
      assertThat(service.get("/health/ready").status()).isEqualTo(200);
      makePipe(file);
      try {
        assertThat(becomes(service, 503)).isTrue();
        var ready = service.get("/health/ready");
        assertThat(ready.problem()).isEqualTo("stuck");
        assertThat(ready.at("/detail")).contains("lighthouse-ending");
        assertThat(comesToSay(service, "lighthouse_threads_stuck 1.0")).isTrue();
        // It serves all the same, and keeps its time limits; nor does a second thread get stuck.
        assertThat(service.get("/health/live").status()).isEqualTo(200);
        assertThat(service.assign("{\"nodes\":[],\"workloads\":[]}", TOKEN).status())
            .isEqualTo(200);
        for (int i = 0; i < 3; i++) {
          assertThat(statusOfATricklingBody(service)).isEqualTo(408);
        }
        assertThat(comesToSay(service, "lighthouse_threads_stuck 1.0")).isTrue();
      } finally {
        Files.writeString(file, "secret\n");
      }
      assertThat(becomes(service, 200)).isTrue();
      assertThat(comesToSay(service, "lighthouse_threads_stuck 0.0")).isTrue();
      Files.delete(file);
      Files.writeString(file, "secret\n");
    }
  }

  /** Such as a pipe that is full, or a terminal that is held. */
  @Test
  void aLogThatTakesNoLineDoesNotKeepTheServiceFromItsEnd() throws Exception {
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch read = new CountDownLatch(1);
    ServiceSettings settings =
        new ServiceSettings()
            .listenOn("127.0.0.1", 0)
            .limit(ServiceLimit.STOP_TIMEOUT, Duration.ofMillis(100))
            .stepTimeout(Duration.ofHours(1))
            .requestLog(
                line -> {
                  blocked.countDown();
                  awaitQuietly(read);
                });
    PlacementService service = PlacementService.start(settings);
    try (RawConnection raw = new RawConnection(service.uri())) {
      raw.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
      blocked.await();
      FutureTask<Boolean> stop = new FutureTask<>(service::stop);
      Thread stopping = new Thread(stop);
      stopping.setDaemon(true);
      stopping.start();
      assertThat(stop.get(1, TimeUnit.MINUTES)).as("all has ended").isFalse();
    } finally {
      read.countDown();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    boolean over = false;
    while (!over) {
      try {
        latch.await();
        over = true;
      } catch (InterruptedException stopping) {
        // A write to a pipe goes on, too.
      }
    }
  }

  private static int statusOfATricklingBody(TestService service) throws IOException {
    try (RawConnection raw = new RawConnection(service.uri())) {
      return raw.post("/assign-workloads", 10, "Authorization: Bearer secret").send("{").status();
    }
  }

  private static void makePipe(Path file) throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/mkfifo")), "there is no mkfifo here");
    Path pipe = file.resolveSibling("pipe");
    assertThat(new ProcessBuilder("/usr/bin/mkfifo", pipe.toString()).start().waitFor()).isZero();
    Files.move(pipe, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  private static boolean becomes(TestService service, int status) {
    return eventually(() -> service.get("/health/ready").status() == status);
  }

  /** On a busy machine a thread that only waits for its turn counts as stuck for a moment. */
  private static boolean comesToSay(TestService service, String metric) {
    return eventually(() -> service.get("/metrics", TOKEN).text().contains(metric));
  }

  private static boolean eventually(BooleanSupplier holds) {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      LockSupport.parkNanos(10_000_000);
    }
    return true;
  }
}

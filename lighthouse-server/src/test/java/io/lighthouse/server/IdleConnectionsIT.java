package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A thousand connections that do nothing, or trickle, disturb nobody, and are closed in time. */
class IdleConnectionsIT {
  private static final int CONNECTIONS = 1000;
  private static final int CALLS = 400;
  private static final Duration TIMEOUT = Duration.ofSeconds(15);

  @Test
  void aThousandOfThemTakeNoThreadAndAreClosedInTime() throws IOException {
    String problem = Load.problem(1, 100, 100);
    String right = Load.answer(problem);
    try (TestService service =
        TestService.start(new ServiceSettings().headerTimeout(TIMEOUT).bodyTimeout(TIMEOUT))) {
      measure(service, problem, right);
      long alone = measure(service, problem, right);
      int threads = Thread.activeCount();
      List<RawConnection> idle = new ArrayList<>();
      try {
        for (int i = 0; i < CONNECTIONS; i++) {
          RawConnection one = new RawConnection(service.uri());
          idle.add(one);
          switch (i % 4) {
            case 0 -> one.send("POST /assign-work");
            case 1 -> one.post("/assign-workloads", 1000).send("{\"nodes\":[");
            default -> {
              // Not a byte.
            }
          }
        }
        while (connections(service) < CONNECTIONS) {
          LockSupport.parkNanos(20_000_000); // They are accepted one after another.
        }
        long among = measure(service, problem, right);
        assertThat(Thread.activeCount() - threads).isLessThan(40);
        if (Boolean.getBoolean("lighthouse.figures")) {
          System.out.println(
              "p99 of a call alone "
                  + alone / 1000
                  + " us, among 1000 idle "
                  + among / 1000
                  + " us");
        }
        // Everybody is closed, those with half a body are told so before.
        for (int i = 0; i < CONNECTIONS; i++) {
          assertThat(idle.get(i).status()).isEqualTo(i % 4 == 1 ? 408 : 0);
        }
      } finally {
        for (RawConnection one : idle) {
          one.close();
        }
      }
      while (!service.get("/metrics").text().contains("lighthouse_bytes_in_flight 0.0")) {
        LockSupport.parkNanos(20_000_000);
      }
    }
  }

  private static double connections(TestService service) {
    return service
        .get("/metrics")
        .text()
        .lines()
        .filter(line -> line.startsWith("lighthouse_connections "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
        .sum();
  }

  /** The 99th percentile of calls one after another, in nanoseconds. */
  private static long measure(TestService service, String problem, String right)
      throws IOException {
    long[] times = new long[CALLS];
    try (RawConnection raw = new RawConnection(service.uri())) {
      for (int i = 0; i < CALLS; i++) {
        long began = System.nanoTime();
        raw.post("/try-assign-workloads", problem.length()).send(problem);
        assertThat(raw.answer()).endsWith(right);
        times[i] = System.nanoTime() - began;
      }
    }
    Arrays.sort(times);
    return times[CALLS * 99 / 100];
  }
}

package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * A thousand connections that are idle or trickle disturb no other client, and are closed in time.
 */
class IdleConnectionsIT {
  private static final int CONNECTIONS = 1000;
  private static final int CALLS = 400;
  private static final Duration TIMEOUT = Duration.ofSeconds(15);

  @Test
  void aThousandOfThemTakeNoThreadAndAreClosedInTime() throws IOException {
    try (TestService service =
        TestService.start(
            new ServiceSettings()
                .limit(ServiceLimit.HEADER_TIMEOUT, TIMEOUT)
                .limit(ServiceLimit.BODY_TIMEOUT, TIMEOUT))) {
      areServedAsEver(service);
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
        areServedAsEver(service);
        assertThat(Thread.activeCount() - threads).isLessThan(40);
        // All are closed; those with half a body get 408 before.
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

  /** They are served meanwhile; how fast, {@link IdleLoad} measures. */
  private static void areServedAsEver(TestService service) throws IOException {
    String problem = Load.problem(1, 100, 100);
    String right = Load.answer(problem);
    try (RawConnection raw = new RawConnection(service.uri())) {
      for (int i = 0; i < CALLS; i++) {
        raw.post("/try-assign-workloads", problem.length()).send(problem);
        assertThat(raw.answer()).endsWith(right);
      }
    }
  }
}

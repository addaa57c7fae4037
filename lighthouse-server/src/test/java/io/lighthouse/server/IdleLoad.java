package io.lighthouse.server;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What a call costs alone, and beside many connections that do little or nothing. Run by {@link
 * ServiceLoad}; no test.
 */
final class IdleLoad {
  private static final int IDLE = 1000;
  private static final int ROUNDS = 8;
  private static final Duration ROUND = Duration.ofMillis(2000);

  private IdleLoad() {}

  /** Measures in turns, so that both meet the same machine. */
  static String compare(URI service, String problem) throws IOException {
    Samples alone = new Samples();
    Samples beside = new Samples();
    calls(service, problem, new Samples());
    for (int round = 0; round < ROUNDS; round++) {
      calls(service, problem, alone);
      try (Crowd crowd = new Crowd()) {
        crowd.gather(service);
        calls(service, problem, beside);
      }
    }
    return String.format(
        Locale.ROOT,
        """
        Calls of 100 x 100, one after another, in %d turns of %d s each. Half of the connections \
        beside them are idle,
        and half send a byte a second:

        - alone: p50 %.2f ms, p99 %.2f ms
        - beside %,d connections: p50 %.2f ms, p99 %.2f ms, which is %.2f x""",
        ROUNDS,
        ROUND.toSeconds(),
        alone.percentile(50),
        alone.percentile(99),
        IDLE,
        beside.percentile(50),
        beside.percentile(99),
        beside.percentile(99) / alone.percentile(99));
  }

  private static void calls(URI service, String problem, Samples samples) throws IOException {
    try (RawConnection connection = new RawConnection(service)) {
      long end = System.nanoTime() + ROUND.toNanos();
      long began;
      while ((began = System.nanoTime()) < end) {
        connection.post(ServiceLoad.PATH, problem.length()).send(problem);
        if (connection.status() != 200) {
          throw new IOException("not answered well");
        }
        samples.add(System.nanoTime() - began);
      }
    }
  }

  /** Times of calls. */
  private static final class Samples {
    private long[] nanos = new long[1 << 10];
    private int size;

    void add(long time) {
      if (size == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * size);
      }
      nanos[size++] = time;
    }

    /** In milliseconds. */
    double percentile(int percent) {
      long[] sorted = Arrays.copyOf(nanos, size);
      Arrays.sort(sorted);
      return sorted[(int) ((long) size * percent / 100)] / 1e6;
    }
  }

  /** The connections: idle, in the middle of a head, in the middle of a body. */
  private static final class Crowd implements AutoCloseable {
    private final List<RawConnection> all = new ArrayList<>();
    private final Thread trickling = new Thread(this::trickle, "trickling");
    private volatile boolean over;

    /** Why it stopped trickling before its time; null where it did not. */
    private volatile Exception trouble;

    void gather(URI service) throws IOException {
      for (int i = 0; i < IDLE; i++) {
        RawConnection one = new RawConnection(service);
        all.add(one);
        if (i % 4 == 1) {
          one.send("POST " + ServiceLoad.PATH + " HTTP/1.1\r\nX: ");
        } else if (i % 4 == 3) {
          one.post(ServiceLoad.PATH, 1_000_000);
        }
      }
      trickling.setDaemon(true);
      trickling.start();
    }

    private void trickle() {
      try {
        for (int i = 1; !over; i = (i + 2) % IDLE) {
          all.get(i).send(" ");
          Thread.sleep(2);
        }
      } catch (IOException | InterruptedException end) {
        trouble = end;
      }
    }

    @Override
    public void close() throws IOException {
      over = true;
      try {
        trickling.join();
        for (RawConnection one : all) {
          one.close();
        }
        Thread.sleep(200); // So that the service has closed them, too.
      } catch (InterruptedException hurry) {
        Thread.currentThread().interrupt();
      }
      if (trouble != null) {
        throw new IOException("a connection was not kept open", trouble);
      }
    }
  }
}

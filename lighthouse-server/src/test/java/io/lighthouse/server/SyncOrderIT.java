package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Seen from outside, by strace: no change is answered before its part of the log is on the disk.
 */
class SyncOrderIT {
  private static final int CALLS = 25;

  @TempDir private Path folder;

  @Test
  void everyChangeIsSynchronisedBeforeItIsAnswered() throws Exception {
    Path out = folder.resolve("trace");
    try (ServiceProcess process =
        ServiceProcess.start("-Xmx256m", "-Dlighthouse.store=" + folder.resolve("fleets.db"))) {
      TestService service = TestService.at(process.uri());
      service.put(
          "/fleets/f",
          "{\"strategy\":\"RoundRobin\",\"nodes\":"
              + "[{\"id\":\"n\",\"resources\":{\"cpu\":1000}}]}");
      Process strace = strace(process.pid(), out);
      for (int i = 0; i < CALLS; i++) {
        String batch = "{\"workloads\":[{\"id\":\"w" + i + "\",\"requirements\":{\"cpu\":1}}]}";
        assertThat(service.post("/fleets/f/assign-workloads", batch).status()).isEqualTo(200);
      }
      strace.destroy(); // It lets the service go, and writes what it has.
      assertThat(strace.waitFor(20, TimeUnit.SECONDS)).isTrue();
    }
    List<String> lines = Files.readAllLines(out);
    SyncTrace seen = SyncTrace.of(lines);
    assertThat(seen.answers()).isEqualTo(CALLS);
    assertThat(seen.faults()).isEmpty();
    // The same lines without any synchronisation, and without the writes, are both found faulty.
    assertThat(SyncTrace.of(without(lines, line -> line.contains("sync"))).faults()).hasSize(CALLS);
    assertThat(SyncTrace.of(without(lines, line -> line.contains("pwrite"))).faults())
        .hasSize(CALLS);
  }

  private static List<String> without(List<String> lines, Predicate<String> what) {
    return lines.stream().filter(what.negate()).toList();
  }

  /** Attaches to a process; where that is not possible, the test is skipped, and says so. */
  private static Process strace(long pid, Path out) throws Exception {
    Process strace;
    try {
      strace =
          new ProcessBuilder(
                  "strace",
                  "-f",
                  "-y",
                  "-s",
                  "200",
                  "-e",
                  "trace=pwrite64,pwritev,write,writev,sendto,sendmsg,fsync,fdatasync",
                  "-o",
                  out.toString(),
                  "-p",
                  Long.toString(pid))
              .redirectErrorStream(true)
              .start();
    } catch (java.io.IOException missing) {
      return abort("SKIPPED: strace is not installed (apt-get install strace)");
    }
    // It names every thread that it has attached to, on its standard error.
    byte[] words = new byte[4096];
    int n = strace.getInputStream().read(words);
    String said =
        n < 0 ? "nothing" : new String(words, 0, n, java.nio.charset.StandardCharsets.UTF_8);
    assumeTrue(said.contains("attached"), "SKIPPED: strace may not attach: " + said);
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
    return strace;
  }
}

package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The service on a file of which a synchronisation fails, by a preloaded C library ({@code
 * faults.c} of the module of fleets). Skipped where none can be made.
 */
class FleetFaultsIT {
  private static final String FLEET =
      "{\"strategy\":\"RoundRobin\",\"nodes\":[{\"id\":\"n1\",\"resources\":{\"cpu\":9}}]}";

  @TempDir private Path folder;

  private static String assign(String name) {
    return "{\"workloads\":[{\"id\":\"" + name + "\",\"requirements\":{\"cpu\":1}}]}";
  }

  private String library() throws Exception {
    assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "not Linux: not tested");
    Path library = folder.resolve("faults.so");
    Path source =
        Path.of(
            System.getProperty("lighthouse.root"), "lighthouse-fleets/src/test/resources/faults.c");
    int code = 0;
    try {
      code =
          new ProcessBuilder(
                  "cc", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl")
              .inheritIO()
              .start()
              .waitFor();
    } catch (IOException missing) {
      abort("there is no C compiler (cc): not tested");
    }
    assertThat(code).isZero();
    return library.toString();
  }

  @Test
  void aFailedSynchronisationLeavesTheOutcomeUnknownUntilARestart() throws Exception {
    // The fifth synchronisation of the log is that of some assignment, whatever the start makes.
    Path place = Files.createDirectory(folder.resolve("fault-fsync-wal-5-1-5-"));
    List<String> options = new ArrayList<>(QuickStart.options());
    options.add("-Dlighthouse.store=" + place.resolve("fleets.db"));
    String unknown = null;
    try (ServiceProcess process =
        ServiceProcess.startWith(options, Map.of("LD_PRELOAD", library()))) {
      TestService service = TestService.at(process.uri());
      assertThat(service.put("/fleets/f", FLEET).status()).isEqualTo(201);
      int done = 0;
      for (int i = 0; i < 5 && unknown == null; i++) {
        TestService.Answer answer = service.post("/fleets/f/assign-workloads", assign("w" + i));
        if (answer.status() == 200) {
          done++;
        } else {
          unknown = "w" + i;
          assertThat(answer.text())
              .contains("problem:outcome-unknown", "\"generation\":" + (done + 1));
        }
      }
      assertThat(unknown).isNotNull();
      TestService.Answer later = service.post("/fleets/f/assign-workloads", assign("late"));
      assertThat(later.status()).isEqualTo(503);
      assertThat(later.text()).contains("problem:store", "not written to any more");
      assertThat(service.get("/fleets/f").text()).contains("\"generation\":" + (done + 1));
      assertThat(service.get("/health/live").status()).isEqualTo(200);
      TestService.Answer ready = service.get("/health/ready");
      assertThat(ready.status()).isEqualTo(503);
      assertThat(ready.text()).contains("not written to any more");
      process.kill();
    }
    try (ServiceProcess process =
        ServiceProcess.startQuickly("-Dlighthouse.store=" + place.resolve("fleets.db"))) {
      TestService service = TestService.at(process.uri());
      assertThat(service.get("/health/ready").status()).isEqualTo(200);
      assertThat(service.put("/fleets/f/workloads/" + unknown, "{\"requirements\":{\"cpu\":1}}"))
          .satisfies(answer -> assertThat(answer.status()).isBetween(200, 201));
      assertThat(service.get("/fleets/f/workloads/w0").status()).isEqualTo(200);
      assertThat(service.get("/fleets/f/workloads/late").status()).isEqualTo(404);
    }
  }
}

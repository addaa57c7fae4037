package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lighthouse.server.TestService.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A disk that is really full: a file system in memory of 3 MiB. Where mounting one is not allowed,
 * the test is skipped, and says so.
 */
class FullDiskIT {
  @TempDir private Path folder;
  private boolean mounted;

  @BeforeEach
  void mount() throws Exception {
    mounted = run("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", folder.toString()) == 0;
    assumeTrue(mounted, "no file system may be mounted here: a full disk is not tried");
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted) {
      assertThat(run("umount", folder.toString())).isZero();
    }
  }

  private static int run(String... command) throws IOException, InterruptedException {
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException missing) {
      return -1;
    }
  }

  private static Answer assign(TestService service, String name) {
    return service.post(
        "/fleets/f/assign-workloads",
        "{\"workloads\":[{\"id\":\"" + name + "\",\"requirements\":{\"cpu\":1}}]}",
        "Idempotency-Key",
        "k-" + name);
  }

  @Test
  void isToldReadingGoesOnAndSoDoesWritingWhenThereIsRoom() throws IOException {
    TreeMap<String, String> answered = new TreeMap<>();
    ServiceSettings settings = new ServiceSettings().store(folder.resolve("fleets.db"));
    Path filler = folder.resolve("filler");
    int refused = 0;
    try (TestService service = TestService.start(settings)) {
      String fleet = "{\"nodes\":[{\"id\":\"n\",\"resources\":{\"cpu\":100000}}]}";
      assertThat(service.put("/fleets/f", fleet).status()).isEqualTo(201);
      for (int round = 0; round < 5; round++) {
        byte[] piece = new byte[64 << 10];
        try {
          while (true) {
            Files.write(filler, piece, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
          }
        } catch (IOException full) {
          // As it is to be.
        }
        String name = null;
        Answer answer = null;
        for (int i = 0; i < 3_000 && (answer == null || answer.status() == 200); i++) {
          name = "w" + round + "-" + i;
          answer = assign(service, name);
          if (answer.status() == 200) {
            answered.put(name, answer.text());
          }
        }
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.problem()).isEqualTo("store");
        refused++;
        Answer summary = service.get("/fleets/f");
        assertThat(summary.at("/workloads")).isEqualTo(String.valueOf(answered.size()));
        Files.delete(filler);
        Answer again = assign(service, name);
        assertThat(again.status()).isEqualTo(200);
        answered.put(name, again.text());
      }
    }
    try (TestService service = TestService.start(settings)) {
      assertThat(service.get("/fleets/f").at("/workloads"))
          .isEqualTo(String.valueOf(answered.size()));
      answered.forEach((name, text) -> assertThat(assign(service, name).text()).isEqualTo(text));
    }
    assertThat(refused).isEqualTo(5);
  }
}

package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StrategiesCommandTest {
  @TempDir private Path plugins;

  @Test
  void listsEveryStrategyWithItsOrigin() {
    Run run = Run.of("strategies");

    assertThat(run.out())
        .startsWith("6 strategies\n\n  name         what it does\n  balance      the node whose")
        .contains("  bin-pack     the largest")
        .contains("  prioritized  the first node that fits")
        .contains("  round-robin  ")
        .contains("io.lighthouse.strategies.RoundRobin");
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
  }

  @Test
  void isThereForProgramsToo() {
    assertThat(Run.of("strategies", "--output", "json").out())
        .startsWith("{\"strategies\":[{\"name\":\"balance\",\"description\":\"")
        .contains("\"settings\":[],\"sequential\":false,\"may_decline\":false,\"origin\":\"")
        .endsWith("],\"faults\":[]}\n")
        .hasLineCount(1);
  }

  @Test
  void warnsOfBrokenPlugins() throws IOException {
    Path broken = Files.writeString(plugins.resolve("broken.jar"), "this is no jar");

    for (Run run :
        new Run[] {
          Run.of("strategies", "--plugins", plugins),
          Run.of("assign", "--plugins", plugins, Examples.file("fleet.json"))
        }) {
      assertThat(run.err()).startsWith("lighthouse: warning: ").contains(broken.toString());
      assertThat(run.err().lines()).hasSize(1);
      assertThat(run.code()).isLessThan(2);
      assertThat(run.out()).contains("bin-pack");
    }
  }
}

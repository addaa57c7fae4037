package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.rule.PlacementRule;
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
        .startsWith("7 strategies\n\n  name         what it does\n  balance      the node whose")
        .contains("  bin-pack     the largest")
        .contains("  devices      shares on devices in use")
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
        .endsWith("],\"rules\":[],\"faults\":[]}\n")
        .hasLineCount(1);
  }

  @Test
  void listsTheRulesOfPlugins() throws Exception {
    Path folder =
        PluginFolder.of(
            plugins,
            PlacementRule.class,
            "Never",
            """
            import io.lighthouse.api.rule.*;
            import io.lighthouse.api.strategy.*;
            import java.util.*;
            public class Never implements PlacementRule {
              public String name() { return "never"; }
              public String description() { return "no node at all"; }
              public List<Setting> settings() {
                return List.of(new Setting("often", "how often", "1"));
              }
              public Set<Reads> reads() { return Set.of(Reads.NODE); }
              public RuleCheck newCheck(Fleet fleet, Settings with) {
                return (workload, node) -> Judgement.broken(1, "no");
              }
            }
            """);

    assertThat(Run.of("strategies", "--plugins", folder).out())
        .startsWith("7 strategies and 1 rule\n")
        .containsPattern("rule +what it requires\n +never +no node at all\n")
        .contains("often=1 : how often", "from class Never from ");
    assertThat(Run.of("strategies", "--plugins", folder, "-o", "json").out())
        .contains("\"rules\":[{\"name\":\"never\",\"description\":\"no node at all\",")
        .contains("\"reads\":[\"node\"],\"origin\":\"class Never from ");
    assertThat(Run.of("strategies", "--plugins", folder, "-o", "csv").out())
        .startsWith("kind,name,description,origin\r\nstrategy,balance,")
        .contains("\r\nrule,never,no node at all,class Never from ");
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

package io.lighthouse.tests.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.tests.contract.RuleContract;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rule of {@code src/it/near-data}. */
class NearDataIT extends PlugInChecks {
  NearDataIT() {
    super(
        "near-data",
        "com.example.near.NearData",
        RuleContract.class,
        new Caller(
            "place-by-rule",
            "com.example.asker.PlaceByRule",
            List.of(),
            "{a: near, b: none, c: far}"));
  }

  @Test
  void isRegisteredAlikeInBothWays() throws IOException {
    String descriptor = Files.readString(project.resolve("src/main/java/module-info.java"));
    List<String> services =
        Files.readAllLines(
            project.resolve(
                "src/main/resources/META-INF/services/io.lighthouse.api.rule.PlacementRule"));

    assertThat(services).containsExactly("com.example.near.NearData");
    assertThat(descriptor)
        .contains("provides io.lighthouse.api.rule.PlacementRule with")
        .contains(services.get(0) + ";");
  }
}

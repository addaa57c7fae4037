package io.lighthouse.tests.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.tests.contract.RuleContract;
import io.lighthouse.tests.house.Houses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Property;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rule of {@code src/it/near-data}: depends on the api alone, and is found everywhere. */
class NearDataIT {
  private static final Path PLUGIN = Outside.project("near-data");
  private static final Path API = Houses.pathOf("io.lighthouse.api.quantity.Quantity");
  private static final Path CORE = Houses.pathOf("io.lighthouse.core.Distributors");
  private static final Path STRATEGIES = Houses.pathOf("io.lighthouse.strategies.Prioritized");
  private static final String CALLER = "com.example.asker.PlaceByRule";

  @TempDir private static Path folder;

  private static Path plugin;
  private static Path caller;

  @BeforeAll
  static void build() throws IOException {
    plugin = Outside.module(PLUGIN, folder, List.of(API));
    caller = Outside.module(Outside.project("place-by-rule"), folder, List.of(API, CORE));
  }

  @Test
  void isFoundOnTheModulePath() throws IOException, InterruptedException {
    String path = Outside.joined(List.of(API, CORE, STRATEGIES, caller, plugin));
    assertPlaced(
        Outside.java(List.of("-p", path, "-m", "com.example.asker/" + CALLER)), "com.example.near");
  }

  @Test
  void isFoundOnTheClassPath() throws IOException, InterruptedException {
    String path = Outside.joined(List.of(API, CORE, STRATEGIES, caller, plugin));
    assertPlaced(Outside.java(List.of("-cp", path, CALLER)), "near-data.jar");
  }

  @Test
  void isFoundInAPlugInDirectory() throws IOException, InterruptedException {
    String path = Outside.joined(List.of(API, CORE, STRATEGIES, caller));
    String plugins = plugin.getParent().toString();
    assertPlaced(
        Outside.java(List.of("-p", path, "-m", "com.example.asker/" + CALLER, plugins)),
        "com.example.near");
    assertPlaced(Outside.java(List.of("-cp", path, CALLER, plugins)), "com.example.near");
  }

  @Test
  void isMissedByNameWhereItIsNotInstalled() throws IOException, InterruptedException {
    String path = Outside.joined(List.of(API, CORE, STRATEGIES, caller));
    Outside.Run run = Outside.java(List.of("-cp", path, CALLER));

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.lines()).anyMatch(line -> line.contains("near-data"));
  }

  private static void assertPlaced(Outside.Run run, String origin) {
    assertThat(run.code()).as("%s", run.lines()).isZero();
    assertThat(run.lines()).hasSize(3).first().isEqualTo("{a: near, b: none, c: far}");
    assertThat(run.lines().get(1)).contains("com.example.near.NearData").contains(origin);
    assertThat(run.lines().get(2)).isEqualTo("faults: []");
  }

  @Test
  void keepsEveryLawInItsOwnContractTest() throws IOException, InterruptedException {
    Set<Path> path = new LinkedHashSet<>();
    path.add(plugin);
    path.addAll(Houses.LANDMARKS.stream().map(Houses::pathOf).toList());
    path.addAll(Outside.classPath());
    path.add(Houses.pathOf(ContractRun.class.getName()));
    path.add(
        Outside.compile(
            PLUGIN.resolve("src/test/java"), folder.resolve("plugin-tests"), "-cp", path));
    Outside.Run run =
        Outside.java(
            List.of(
                "-cp",
                Outside.joined(path),
                ContractRun.class.getName(),
                "com.example.near.NearDataContractTest",
                folder.resolve("jqwik-database").toString()));
    assertThat(run.code()).as("%s", String.join("\n", run.lines())).isZero();
    assertThat(run.lines()).contains("kept " + laws() + ", broken 0");
  }

  private static long laws() {
    return Arrays.stream(RuleContract.class.getDeclaredMethods())
        .filter(method -> method.isAnnotationPresent(Property.class))
        .count();
  }

  @Test
  void isRegisteredAlikeInBothWays() throws IOException {
    String descriptor = Files.readString(PLUGIN.resolve("src/main/java/module-info.java"));
    List<String> services =
        Files.readAllLines(
            PLUGIN.resolve(
                "src/main/resources/META-INF/services/io.lighthouse.api.rule.PlacementRule"));

    assertThat(services).containsExactly("com.example.near.NearData");
    assertThat(descriptor)
        .contains("provides io.lighthouse.api.rule.PlacementRule with")
        .contains(services.get(0) + ";");
  }

  @Test
  void saysInItsPomThatItCompilesWithTheApiAlone() throws IOException {
    String pom = Files.readString(PLUGIN.resolve("pom.xml"));
    String dependencies = pom.substring(pom.indexOf("</dependencyManagement>"));
    assertThat(dependencies.split("<dependency>")).hasSize(3);
    assertThat(dependencies.split("<dependency>")[1])
        .contains("<artifactId>lighthouse-api</artifactId>")
        .doesNotContain("<scope>");
  }
}

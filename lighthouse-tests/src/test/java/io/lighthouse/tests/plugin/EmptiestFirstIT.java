package io.lighthouse.tests.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.tests.contract.StrategyContract;
import io.lighthouse.tests.house.Houses;
import java.io.IOException;
import java.lang.reflect.Method;
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

/**
 * The plug-in of {@code src/it/emptiest-first}: depends on the api alone, and is found everywhere.
 */
class EmptiestFirstIT {
  private static final Path PLUGIN = Outside.project("emptiest-first");
  private static final Path API = Houses.pathOf("io.lighthouse.api.quantity.Quantity");
  private static final Path CORE = Houses.pathOf("io.lighthouse.core.Distributors");
  private static final String PLACED = "{a: large, b: large, c: medium}";

  @TempDir private static Path folder;

  private static Path plugin;
  private static Path caller;

  @BeforeAll
  static void build() throws IOException {
    plugin = Outside.module(PLUGIN, folder, List.of(API));
    caller = Outside.module(Outside.project("place-once"), folder, List.of(API, CORE));
  }

  @Test
  void isFoundOnTheModulePath() throws IOException, InterruptedException {
    Outside.Run run =
        Outside.java(
            List.of(
                "-p",
                Outside.joined(List.of(API, CORE, caller, plugin)),
                "-m",
                "com.example.caller/com.example.caller.PlaceOnce",
                "emptiest-first"));
    assertPlaced(run, "com.example.emptiest");
  }

  @Test
  void isFoundOnTheClassPath() throws IOException, InterruptedException {
    Outside.Run run =
        Outside.java(
            List.of(
                "-cp",
                Outside.joined(List.of(API, CORE, caller, plugin)),
                "com.example.caller.PlaceOnce",
                "emptiest-first"));
    assertPlaced(run, "emptiest-first.jar");
  }

  @Test
  void isFoundInAPlugInDirectory() throws IOException, InterruptedException {
    Outside.Run run =
        Outside.java(
            List.of(
                "-p",
                Outside.joined(List.of(API, CORE, caller)),
                "-m",
                "com.example.caller/com.example.caller.PlaceOnce",
                "emptiest-first",
                plugin.getParent().toString()));
    assertPlaced(run, "com.example.emptiest");
  }

  @Test
  void isFoundInAPlugInDirectoryFromTheClassPathToo() throws IOException, InterruptedException {
    Outside.Run run =
        Outside.java(
            List.of(
                "-cp",
                Outside.joined(List.of(API, CORE, caller)),
                "com.example.caller.PlaceOnce",
                "emptiest-first",
                plugin.getParent().toString()));
    assertPlaced(run, "com.example.emptiest");
  }

  @Test
  void isMissedByNameWhereItIsNotInstalled() throws IOException, InterruptedException {
    Outside.Run run =
        Outside.java(
            List.of(
                "-cp",
                Outside.joined(List.of(API, CORE, caller)),
                "com.example.caller.PlaceOnce",
                "emptiest-first"));
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.lines()).anyMatch(line -> line.contains("'emptiest-first'"));
  }

  private static void assertPlaced(Outside.Run run, String origin) {
    assertThat(run.code()).as("%s", run.lines()).isZero();
    assertThat(run.lines()).hasSize(3).first().isEqualTo(PLACED);
    assertThat(run.lines().get(1)).contains("com.example.emptiest.EmptiestFirst").contains(origin);
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
                "com.example.emptiest.EmptiestFirstContractTest",
                folder.resolve("jqwik-database").toString()));
    assertThat(run.code()).as("%s", String.join("\n", run.lines())).isZero();
    assertThat(run.lines()).contains("kept " + laws() + ", broken 0");
  }

  private static long laws() {
    return Arrays.stream(StrategyContract.class.getMethods())
        .filter((Method method) -> method.isAnnotationPresent(Property.class))
        .count();
  }

  @Test
  void saysInItsPomThatItCompilesWithTheApiAlone() throws IOException {
    String pom = Files.readString(PLUGIN.resolve("pom.xml"));
    String dependencies = pom.substring(pom.indexOf("</dependencyManagement>"));
    assertThat(dependencies.split("<dependency>")).hasSize(3);
    assertThat(dependencies.split("<dependency>")[1])
        .contains("<artifactId>lighthouse-api</artifactId>")
        .doesNotContain("<scope>");
    assertThat(dependencies.split("<dependency>")[2])
        .contains("<artifactId>lighthouse-tests</artifactId>")
        .contains("<scope>test</scope>");
  }
}

package io.lighthouse.tests.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.tests.house.Houses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Property;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What holds of a plug-in of {@code src/it}: it needs the api alone, and is found everywhere. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PlugInChecks {
  private static final Path API = Houses.pathOf("io.lighthouse.api.quantity.Quantity");
  private static final Path CORE = Houses.pathOf("io.lighthouse.core.Distributors");
  private static final Path STRATEGIES = Houses.pathOf("io.lighthouse.strategies.Prioritized");

  /** How often each law is tried; {@code ProjectsIT} tries those of the same projects, too. */
  private static final String TRIES = System.getProperty("lighthouse.plugins.tries", "10");

  @TempDir private static Path folder;

  /** The project of the plug-in. */
  final Path project;

  private final Caller caller;
  private final String type;
  private final Class<?> contract;
  private Path plugin;
  private Path calling;

  /**
   * A program that uses the plug-in.
   *
   * @param project its folder
   * @param type its main class, whose module is named as its package
   * @param arguments its arguments before the folder of plug-ins
   * @param answer what it prints first
   */
  record Caller(String project, String type, List<String> arguments, String answer) {
    String module() {
      return type.substring(0, type.lastIndexOf('.'));
    }
  }

  /** A plug-in by its project's name, its class, and the contract of its kind. */
  PlugInChecks(String project, String type, Class<?> contract, Caller caller) {
    this.project = Outside.project(project);
    this.type = type;
    this.contract = contract;
    this.caller = caller;
  }

  @BeforeAll
  void build() throws IOException {
    plugin = Outside.module(project, folder, List.of(API));
    calling = Outside.module(Outside.project(caller.project()), folder, List.of(API, CORE));
  }

  /** Runs the caller on a module path or a class path, with the plug-in on it or in a folder. */
  private Outside.Run run(String option, boolean installed, String... plugins)
      throws IOException, InterruptedException {
    List<Path> path = new ArrayList<>(List.of(API, CORE, STRATEGIES, calling));
    if (installed) {
      path.add(plugin);
    }
    List<String> command = new ArrayList<>(List.of(option, Outside.joined(path)));
    command.addAll(
        option.equals("-p")
            ? List.of("-m", caller.module() + "/" + caller.type())
            : List.of(caller.type()));
    command.addAll(caller.arguments());
    command.addAll(List.of(plugins));
    return Outside.java(command);
  }

  private void assertPlaced(Outside.Run run, String origin) {
    assertThat(run.code()).as("%s", run.lines()).isZero();
    assertThat(run.lines()).hasSize(3).first().isEqualTo(caller.answer());
    assertThat(run.lines().get(1)).contains(type).contains(origin);
    assertThat(run.lines().get(2)).isEqualTo("faults: []");
  }

  private String module() {
    return type.substring(0, type.lastIndexOf('.'));
  }

  @Test
  void isFoundOnTheModulePath() throws IOException, InterruptedException {
    assertPlaced(run("-p", true), module());
  }

  @Test
  void isFoundOnTheClassPath() throws IOException, InterruptedException {
    assertPlaced(run("-cp", true), plugin.getFileName().toString());
  }

  @Test
  void isFoundInAPlugInDirectory() throws IOException, InterruptedException {
    String plugins = plugin.getParent().toString();
    assertPlaced(run("-p", false, plugins), module());
    assertPlaced(run("-cp", false, plugins), module());
  }

  @Test
  void isMissedByNameWhereItIsNotInstalled() throws IOException, InterruptedException {
    Outside.Run run = run("-cp", false);
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.lines()).anyMatch(line -> line.contains("'" + project.getFileName() + "'"));
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
            project.resolve("src/test/java"), folder.resolve("plugin-tests"), "-cp", path));
    Outside.Run run =
        Outside.java(
            List.of(
                "-cp",
                Outside.joined(path),
                ContractRun.class.getName(),
                type + "ContractTest",
                folder.resolve("jqwik-database").toString(),
                TRIES));
    assertThat(run.code()).as("%s", String.join("\n", run.lines())).isZero();
    assertThat(run.lines()).contains("kept " + laws() + ", broken 0");
  }

  private long laws() {
    return Arrays.stream(contract.getMethods())
        .filter(method -> method.isAnnotationPresent(Property.class))
        .count();
  }

  @Test
  void saysInItsPomThatItCompilesWithTheApiAlone() throws IOException {
    String pom = Files.readString(project.resolve("pom.xml"));
    String[] dependencies =
        pom.substring(pom.indexOf("</dependencyManagement>")).split("<dependency>");
    assertThat(Stream.of(dependencies).skip(1)).hasSize(2);
    assertThat(dependencies[1])
        .contains("<artifactId>lighthouse-api</artifactId>")
        .doesNotContain("<scope>");
    assertThat(dependencies[2])
        .contains("<artifactId>lighthouse-tests</artifactId>")
        .contains("<scope>test</scope>");
  }
}

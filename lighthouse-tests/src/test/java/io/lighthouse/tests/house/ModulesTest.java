package io.lighthouse.tests.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What the modules show to others, pinned; and how their providers are registered. */
class ModulesTest {
  private static final Path ROOT = Path.of(System.getProperty("lighthouse.root")).normalize();

  /** What each module exports. A module that is not here, or shows more or less, fails. */
  private static final Map<String, Set<String>> EXPORTS =
      Map.ofEntries(
          Map.entry(
              "lighthouse-api",
              Set.of(
                  "io.lighthouse.api",
                  "io.lighthouse.api.advice",
                  "io.lighthouse.api.error",
                  "io.lighthouse.api.quantity",
                  "io.lighthouse.api.rule",
                  "io.lighthouse.api.strategy")),
          Map.entry("lighthouse-core", Set.of("io.lighthouse.core")),
          Map.entry("lighthouse-strategies", Set.of()),
          Map.entry(
              "lighthouse-json",
              Set.of(
                  "io.lighthouse.json",
                  "io.lighthouse.json.log",
                  "io.lighthouse.json.read",
                  "io.lighthouse.json.write")),
          Map.entry("lighthouse-cli", Set.of()),
          Map.entry(
              "lighthouse-tests",
              Set.of(
                  "io.lighthouse.tests.contract",
                  "io.lighthouse.tests.generate",
                  "io.lighthouse.tests.referee")),
          Map.entry(
              "lighthouse-fleets",
              Set.of(
                  "io.lighthouse.fleets",
                  "io.lighthouse.fleets.live",
                  "io.lighthouse.fleets.store")),
          Map.entry("lighthouse-picture", Set.of("io.lighthouse.picture")),
          Map.entry(
              "lighthouse-kubernetes",
              Set.of(
                  "io.lighthouse.kubernetes.config",
                  "io.lighthouse.kubernetes.export",
                  "io.lighthouse.kubernetes.extender",
                  "io.lighthouse.kubernetes.plan",
                  "io.lighthouse.kubernetes.schedule",
                  "io.lighthouse.kubernetes.shadow")),
          Map.entry("lighthouse-server", Set.of("io.lighthouse.server")),
          Map.entry(
              "lighthouse-scheduler",
              Set.of(
                  "io.lighthouse.scheduler",
                  "io.lighthouse.scheduler.contract",
                  "io.lighthouse.scheduler.manager",
                  "io.lighthouse.scheduler.memory",
                  "io.lighthouse.scheduler.model",
                  "io.lighthouse.scheduler.port",
                  "io.lighthouse.scheduler.simulation")));

  /** What is open to reflection, beyond its exports. */
  private static final Map<String, Set<String>> OPENS =
      Map.of(
          "lighthouse-cli",
              Set.of("io.lighthouse.cli", "io.lighthouse.cli.command", "io.lighthouse.cli.option"),
          "lighthouse-tests", Set.of("io.lighthouse.tests.contract"));

  /** The strategies that come with Lighthouse. */
  private static final Set<String> STRATEGIES =
      Set.of(
          "io.lighthouse.strategies.Prioritized",
          "io.lighthouse.strategies.RoundRobin",
          "io.lighthouse.strategies.BinPack",
          "io.lighthouse.strategies.Spread",
          "io.lighthouse.strategies.Balance",
          "io.lighthouse.strategies.Devices",
          "io.lighthouse.strategies.Pack");

  static final List<String> LANDMARKS = Houses.LANDMARKS;

  @Test
  void everyModuleExportsWhatIsPinnedAndNoMore() throws IOException {
    Map<String, Set<String>> exported = new TreeMap<>();
    Map<String, Set<String>> opened = new TreeMap<>();
    for (String module : modules()) {
      Path source = ROOT.resolve(module).resolve("src/main/java/module-info.java");
      if (Files.exists(source)) {
        exported.put(module, directives("exports", Files.readString(source)));
        opened.put(module, directives("opens", Files.readString(source)));
      }
    }
    assertThat(exported).hasSizeGreaterThanOrEqualTo(6);
    exported.forEach(
        (module, packages) -> assertThat(packages).as(module).isEqualTo(EXPORTS.get(module)));
    opened.forEach(
        (module, packages) ->
            assertThat(packages).as(module).isEqualTo(OPENS.getOrDefault(module, Set.of())));
  }

  /** The modules that the build knows. */
  private static List<String> modules() throws IOException {
    String pom = Files.readString(ROOT.resolve("pom.xml"));
    return Pattern.compile("<module>([^<]+)</module>")
        .matcher(pom)
        .results()
        .map(result -> result.group(1))
        .toList();
  }

  private static Set<String> directives(String word, String descriptor) {
    Matcher matcher = Pattern.compile("(?m)^ *" + word + "\\s+([\\w.]+)").matcher(descriptor);
    return matcher
        .results()
        .map(result -> result.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @ParameterizedTest
  @FieldSource("LANDMARKS")
  void bothRegistrationsOfEveryProviderAgree(String landmark) throws IOException {
    Path root = Houses.pathOf(landmark);
    ModuleDescriptor descriptor = ModuleFinder.of(root).findAll().iterator().next().descriptor();
    Map<String, Set<String>> provided = new TreeMap<>();
    for (ModuleDescriptor.Provides provides : descriptor.provides()) {
      provided.put(provides.service(), new TreeSet<>(provides.providers()));
    }
    assertThat(registered(root)).as(descriptor.name()).isEqualTo(provided);
    if (descriptor.name().equals("io.lighthouse.strategies")) {
      assertThat(provided)
          .containsEntry("io.lighthouse.api.strategy.PlacementStrategy", new TreeSet<>(STRATEGIES));
    }
  }

  /** What the class path would find, by service. */
  private static Map<String, Set<String>> registered(Path root) throws IOException {
    if (Files.isDirectory(root)) {
      return read(root.resolve("META-INF/services"));
    }
    try (FileSystem jar = FileSystems.newFileSystem(URI.create("jar:" + root.toUri()), Map.of())) {
      return read(jar.getPath("META-INF/services"));
    }
  }

  private static Map<String, Set<String>> read(Path services) throws IOException {
    Map<String, Set<String>> registered = new TreeMap<>();
    if (Files.isDirectory(services)) {
      List<Path> files;
      try (var listed = Files.list(services)) {
        files = listed.toList();
      }
      for (Path file : files) {
        Set<String> lines = new TreeSet<>(Files.readAllLines(file));
        lines.removeIf(line -> line.isBlank() || line.startsWith("#"));
        registered.put(file.getFileName().toString(), lines);
      }
    }
    return registered;
  }
}

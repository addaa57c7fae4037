package io.lighthouse.core.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.core.Distributors;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StrategyRegistryTest {
  @TempDir Path work;

  private Path plugins;
  private PluginJars jars;

  @BeforeEach
  void makeAnEmptyDirectory() throws IOException {
    plugins = Files.createDirectory(work.resolve("plugins"));
    jars = new PluginJars(work);
  }

  private static List<String> names(StrategyRegistry registry) {
    return registry.strategies().stream().map(StrategyDescription::name).toList();
  }

  private static boolean works(PlacementStrategy strategy) {
    return Distributors.of(strategy)
        .nodes(Node.of("n", Resources.of("cpu", 1)))
        .build()
        .assign(Workload.of("w", Resources.of("cpu", 1)))
        .allPlaced();
  }

  @Nested
  class ADirectoryOfPlugins {
    @Test
    void mayHoldPlainJarsModulesAndSubdirectoriesAndOtherFiles() throws IOException {
      jars.plain(plugins.resolve("a.jar"), "p.Plain", PluginJars.strategy("p.Plain", "plain"));
      jars.module(
          plugins.resolve("b.jar"),
          "stranger.module",
          Map.of("q.Modular", PluginJars.strategy("q.Modular", "modular")));
      Path folder = plugins.resolve("folder");
      // Two jars that need each other: the provider in one, what it extends in the other.
      jars.plain(
          folder.resolve("base.jar"),
          List.of(),
          Map.of("r.Base", PluginJars.strategy("r.Base", "in-a-folder")));
      jars.plain(
          folder.resolve("provider.jar"),
          List.of("s.InFolder"),
          Map.of("s.InFolder", PluginJars.strategy("s.InFolder", "in-a-folder")));
      Files.writeString(plugins.resolve("README.txt"), "not a jar");
      Files.createDirectory(plugins.resolve("empty-folder"));

      StrategyRegistry registry = StrategyRegistry.installed(plugins);
      assertThat(registry.faults()).isEmpty();
      assertThat(names(registry)).contains("plain", "modular", "in-a-folder").isSorted();
      for (String name : List.of("plain", "modular", "in-a-folder")) {
        assertThat(works(registry.find(name).provider())).isTrue();
        assertThat(registry.find(name).description().name()).isEqualTo(name);
      }
      assertThat(registry.find("plain").description().origin()).contains("class p.Plain", "a.jar");
      assertThat(registry.find("modular").description().origin()).contains("q.Modular", "b.jar");
      assertThat(registry.find("in-a-folder").description().origin()).contains("provider.jar");
    }

    @Test
    void thatFailsWhileItIsReadIsRefused() {
      Path failing = UnreadableDirectory.named("/mnt/plugins");
      assertThatThrownBy(() -> StrategyRegistry.installed(failing))
          .isInstanceOf(InvalidInputException.class)
          .hasMessage(
              "plug-ins: directory is '/mnt/plugins'; allowed: a directory that can be read");
    }

    @Test
    void saysForWhichJavaAPluginIsCompiled() throws IOException {
      int java = Runtime.version().feature();
      jars.newerPlain(plugins.resolve("a.jar"), "p.New", PluginJars.strategy("p.New", "new"));
      jars.newerModule(
          plugins.resolve("b.jar"), "q", Map.of("q.New", PluginJars.strategy("q.New", "other")));

      assertThat(StrategyRegistry.installed(plugins).faults())
          .isNotEmpty()
          .allSatisfy(
              fault ->
                  assertThat(fault)
                      .endsWith(
                          ".jar: compiled for Java %d, this is Java %d; compile it with --release %d"
                              .formatted(java + 1, java, java)));
      assertThat(StrategyRegistry.installed(plugins).faults().get(0)).contains("a.jar");
    }

    @Test
    void aPluginWithFeaturesInPreviewIsOfNoOtherJava() throws IOException {
      jars.previewPlain(plugins.resolve("a.jar"), "p.New", PluginJars.strategy("p.New", "new"));

      assertThat(StrategyRegistry.installed(plugins).faults())
          .singleElement()
          .asString()
          .contains("a.jar: ", "p/New")
          .containsIgnoringCase("preview features") // Java 17 and 25 say it in other words.
          .doesNotContain("compiled for");
    }

    @Test
    void keepsPluginsApartThatBringClassesOfOneName() throws IOException {
      jars.plain(plugins.resolve("a.jar"), "p.Same", PluginJars.strategy("p.Same", "first"));
      jars.plain(plugins.resolve("b.jar"), "p.Same", PluginJars.strategy("p.Same", "second"));
      StrategyRegistry registry = StrategyRegistry.installed(plugins);
      assertThat(registry.faults()).isEmpty();
      assertThat(names(registry)).contains("first", "second");
      assertThat(registry.find("first").provider().getClass())
          .isNotSameAs(registry.find("second").provider().getClass());
    }

    @Test
    void reportsABrokenJarAndGoesOn() throws IOException {
      Files.writeString(plugins.resolve("broken.jar"), "this is no zip");
      jars.plain(plugins.resolve("good.jar"), "p.Good", PluginJars.strategy("p.Good", "good"));
      StrategyRegistry registry = StrategyRegistry.installed(plugins);
      assertThat(works(registry.find("good").provider())).isTrue();
      // On a class path a broken jar is passed over in silence by the class loader.
      if (ProviderScan.class.getModule().isNamed()) {
        assertThat(registry.faults()).hasSize(1);
        assertThat(registry.faults().get(0)).contains("broken.jar");
      }
    }

    @Test
    void mayBeEmpty() {
      StrategyRegistry registry = StrategyRegistry.installed(plugins);
      assertThat(registry.faults()).isEmpty();
      assertThat(names(registry)).isEqualTo(names(StrategyRegistry.installed()));
    }

    @Test
    void hasToBeADirectory() throws IOException {
      Path missing = plugins.resolve("missing");
      assertThatThrownBy(() -> StrategyRegistry.installed(missing))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContainingAll("directory", missing.toString(), "that can be read");
      Path file = Files.writeString(work.resolve("file"), "");
      assertThatThrownBy(() -> Distributors.installed(file))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining(file.toString());
    }

    @Test
    void isSearchedInTheOrderOfFileNames() throws IOException {
      jars.plain(plugins.resolve("b.jar"), "p.Two", PluginJars.strategy("p.Two", "same"));
      jars.plain(plugins.resolve("a.jar"), "p.One", PluginJars.strategy("p.One", "same"));
      assertThatThrownBy(() -> StrategyRegistry.installed(plugins).find("same"))
          .isInstanceOf(LighthouseException.class)
          .hasMessageMatching("(?s).*p\\.One.*a\\.jar.*p\\.Two.*b\\.jar.*");
    }
  }

  @Nested
  class ABrokenProvider {
    /** Beside a good one; the fault names it, and the good one works. */
    private void isReported(List<String> providers, Map<String, String> sources, String... saying)
        throws IOException {
      jars.plain(plugins.resolve("broken-one.jar"), providers, sources);
      jars.plain(plugins.resolve("good.jar"), "p.Good", PluginJars.strategy("p.Good", "good"));
      StrategyRegistry registry = StrategyRegistry.installed(plugins);
      assertThat(registry.faults()).hasSize(1);
      assertThat(registry.faults().get(0)).contains(saying).contains("broken-one.jar");
      assertThat(works(registry.find("good").provider())).isTrue();
      assertThatThrownBy(() -> registry.find("bad"))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContainingAll("'bad'", "good", "broken", saying[0]);
    }

    private void isReported(String source, String... saying) throws IOException {
      isReported(List.of("p.Bad"), Map.of("p.Bad", source), saying);
    }

    @Test
    void whoseConstructorThrows() throws IOException {
      isReported(
          PluginJars.strategy(
              "p.Bad", "bad", "public Bad() { throw new IllegalStateException(\"no luck\"); }"),
          "p.Bad",
          "no luck");
    }

    @Test
    void whoseClassCannotBeInitialised() throws IOException {
      isReported(
          PluginJars.strategy("p.Bad", "bad", "static int x = Integer.parseInt(\"no number\");"),
          "p.Bad");
    }

    @Test
    void whoseNameIsIllFormed() throws IOException {
      isReported(PluginJars.strategy("p.Bad", "Bad Name"), "p.Bad", "'Bad Name'", "lower-case");
    }

    @Test
    void whoseNameIsNull() throws IOException {
      isReported(PluginJars.strategyNamed("p.Bad", "null"), "p.Bad", "'null'");
    }

    @Test
    void whoseNameThrows() throws IOException {
      isReported(
          PluginJars.strategyNamed("p.Bad", "String.valueOf(1 / Integer.parseInt(\"0\"))"),
          "p.Bad",
          "ArithmeticException");
    }

    @Test
    void whoseSettingsAreNull() throws IOException {
      isReported(
          PluginJars.strategy(
              "p.Bad", "bad", "@Override public List<Setting> settings() { return null; }"),
          "p.Bad",
          "null");
    }

    @Test
    void oneOfWhoseSettingsIsNull() throws IOException {
      isReported(
          PluginJars.strategy(
              "p.Bad",
              "bad",
              "@Override public List<Setting> settings() {"
                  + " return java.util.Arrays.asList((Setting) null); }"),
          "p.Bad",
          "null");
    }

    @Test
    void whoseDescriptionIsNull() throws IOException {
      isReported(
          PluginJars.strategy(
              "p.Bad", "bad", "@Override public String description() { return null; }"),
          "p.Bad",
          "null");
    }

    @Test
    void thatIsNoStrategy() throws IOException {
      isReported("package p; public class Bad {}", "p.Bad");
    }

    @Test
    void thatIsNotPublicOrAbstract() throws IOException {
      isReported(
          PluginJars.strategy("p.Bad", "bad").replace("public class", "public abstract class"),
          "p.Bad");
    }

    @Test
    void thatIsNamedButNotThere() throws IOException {
      isReported(List.of("p.Bad"), Map.of("p.Other", "package p; public class Other {}"), "p.Bad");
    }
  }

  @Nested
  class TwoOfOneName {
    @Test
    void areAnErrorOnlyWhenThatNameIsAskedFor() throws IOException {
      jars.plain(plugins.resolve("a.jar"), "p.A", PluginJars.strategy("p.A", "twice"));
      jars.module(
          plugins.resolve("b.jar"), "m.b", Map.of("q.B", PluginJars.strategy("q.B", "twice")));
      jars.plain(plugins.resolve("c.jar"), "r.C", PluginJars.strategy("r.C", "once"));
      Distributors installed = Distributors.installed(plugins);
      for (Supplier<?> asked :
          List.<Supplier<?>>of(() -> installed.find("twice"), () -> installed.strategy("twice"))) {
        assertThatThrownBy(asked::get)
            .isInstanceOf(LighthouseException.class)
            .isNotInstanceOf(InvalidInputException.class)
            .hasMessageContainingAll("'twice'", "p.A", "a.jar", "q.B", "b.jar", "remove all but");
      }
      assertThat(installed.strategies())
          .extracting(StrategyDescription::name)
          .contains("once")
          .doesNotContain("twice");
      assertThat(installed.faults()).hasSize(1);
      assertThat(installed.faults().get(0)).contains("'twice'", "a.jar", "b.jar");
      assertThat(works(installed.find("once"))).isTrue();
      assertThatThrownBy(() -> installed.find("thrice"))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContainingAll("strategy", "'thrice'", "once", "'twice'");
    }
  }

  @Nested
  class OnTheClassPath {
    /** Installs as a thread would that has these classes in its class loader. */
    private StrategyRegistry installed(Path... classes) throws IOException {
      URL[] urls = new URL[classes.length];
      for (int i = 0; i < urls.length; i++) {
        urls[i] = classes[i].toUri().toURL();
      }
      Thread thread = Thread.currentThread();
      ClassLoader before = thread.getContextClassLoader();
      try (URLClassLoader loader =
          new URLClassLoader(urls, PlacementStrategy.class.getClassLoader())) {
        thread.setContextClassLoader(loader);
        return StrategyRegistry.installed();
      } finally {
        thread.setContextClassLoader(before);
      }
    }

    @Test
    void brokenOnesHideNoOther() throws IOException {
      Path classes =
          jars.directory(
              List.of("p.First", "p.Missing", "p.Throws", "p.NoStrategy", "p.Last"),
              Map.of(
                  "p.First",
                  PluginJars.strategy("p.First", "first"),
                  "p.Throws",
                  PluginJars.strategy("p.Throws", "x", "public Throws() { throw new Error(); }"),
                  "p.NoStrategy",
                  "package p; public class NoStrategy {}",
                  "p.Last",
                  PluginJars.strategy("p.Last", "last")));
      StrategyRegistry registry = installed(classes);
      assertThat(names(registry)).contains("first", "last");
      assertThat(registry.faults()).hasSize(3);
      assertThat(String.join("\n", registry.faults()))
          .contains("p.Missing", "p.Throws", "p.NoStrategy");
    }

    @Test
    void aServicesFileThatCannotBeReadIsReportedOnceAndForAll() throws IOException {
      Path broken = jars.directory(List.of("this is no class name", "p.Never"), Map.of());
      Path good =
          jars.directory(
              List.of("p.Good"), Map.of("p.Good", PluginJars.strategy("p.Good", "good")));
      StrategyRegistry registry = installed(broken, good);
      assertThat(registry.faults()).isNotEmpty();
      assertThat(registry.faults().size()).isLessThanOrEqualTo(100);
      assertThat(names(registry)).contains("good");
    }
  }

  /** Prints what is installed where nothing is a module. */
  static final class OnAClassPath {
    private OnAClassPath() {}

    public static void main(String[] arguments) {
      StrategyRegistry registry = StrategyRegistry.installed(Path.of(arguments[0]));
      System.out.println(ProviderScan.class.getModule().isNamed());
      for (String name : names(registry)) {
        System.out.println(name + " works: " + works(registry.find(name).provider()));
      }
      registry.faults().forEach(System.out::println);
    }
  }

  @Test
  void findsTheSamePluginsWhereLighthouseItselfIsOnTheClassPath() throws Exception {
    jars.plain(plugins.resolve("a.jar"), "p.Plain", PluginJars.strategy("p.Plain", "plain"));
    jars.module(
        plugins.resolve("b.jar"),
        "stranger.module",
        Map.of("q.Modular", PluginJars.strategy("q.Modular", "modular")));
    jars.plain(
        plugins.resolve("folder").resolve("c.jar"),
        "r.InFolder",
        PluginJars.strategy("r.InFolder", "in-a-folder"));
    jars.plain(plugins.resolve("d.jar"), List.of("p.Missing"), Map.of());
    Path tests = Path.of(System.getProperty("lighthouse.build"), "test-classes");
    Path core = Path.of(System.getProperty("lighthouse.build"), "classes");
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                String.join(
                    File.pathSeparator,
                    core.toString(),
                    tests.toString(),
                    PluginJars.api().toString(),
                    System.getProperty("java.class.path")),
                OnAClassPath.class.getName(),
                plugins.toString())
            .redirectErrorStream(true)
            .start();
    List<String> lines =
        new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    assertThat(java.waitFor()).as(lines.toString()).isZero();
    assertThat(lines)
        .startsWith("false")
        .contains("plain works: true", "modular works: true", "in-a-folder works: true");
    assertThat(lines.get(lines.size() - 1)).contains("p.Missing", "d.jar");
  }

  @Nested
  class AStrategyAtHand {
    /** What a strategy declares of itself, part by part. */
    private record Saying(String name, String description, List<Setting> settings)
        implements PlacementStrategy {
      @Override
      public Placer newPlacer(Fleet fleet, Settings given) {
        return (workload, candidates) -> candidates.first();
      }
    }

    private void isBroken(PlacementStrategy strategy, String... saying) {
      assertThatThrownBy(() -> Distributors.of(strategy))
          .isInstanceOf(LighthouseException.class)
          .hasMessageContaining(strategy.getClass().getName())
          .hasMessageContainingAll(saying);
    }

    @Test
    void hasToHaveAProperName() {
      for (String name :
          Arrays.asList(null, "", "A", "1a", "-a", "a b", "a_b", "\u00e4", "a".repeat(101))) {
        isBroken(new Saying(name, "", List.of()), "'" + name + "'", "lower-case letters");
      }
      for (String name : List.of("a", "a-1", "bin-pack", "a".repeat(100))) {
        assertThat(works(new Saying(name, "", List.of()))).isTrue();
      }
      assertThatThrownBy(() -> Distributors.of("No", (workload, candidates) -> null))
          .isInstanceOf(LighthouseException.class)
          .hasMessageContaining("'No'");
    }

    @Test
    void hasToHaveADescriptionAndWholeSettings() {
      isBroken(new Saying("a", null, List.of()), "null");
      isBroken(new Saying("a", "", null), "null");
      isBroken(new Saying("a", "", Arrays.asList((Setting) null)), "null");
      isBroken(new Saying("a", "", List.of(new Setting(null, "", ""))), "null");
      isBroken(new Saying("a", "", List.of(new Setting("x", "", null))), "null");
    }

    @Test
    void isBrokenWhereSayingWhatItIsThrows() {
      isBroken(
          new PlacementStrategy() {
            @Override
            public String name() {
              throw new IllegalStateException("no name today");
            }

            @Override
            public Placer newPlacer(Fleet fleet, Settings settings) {
              return null;
            }
          },
          "no name today");
    }
  }

  @Test
  void saysSoWhereNoStrategyIsInstalled() {
    StrategyRegistry registry = StrategyRegistry.installed();
    if (registry.strategies().isEmpty()) {
      assertThatThrownBy(() -> registry.find("bin-pack"))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContainingAll("'bin-pack'", "no strategy is installed");
    }
  }

  @Test
  void doesNotChangeAfterwards() throws IOException {
    StrategyRegistry registry = StrategyRegistry.installed(plugins);
    jars.plain(plugins.resolve("late.jar"), "p.Late", PluginJars.strategy("p.Late", "late"));
    assertThat(names(registry)).doesNotContain("late");
    assertThatThrownBy(() -> registry.strategies().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> registry.faults().add(""))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(names(StrategyRegistry.installed(plugins))).contains("late");
  }
}

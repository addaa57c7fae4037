package io.lighthouse.tests.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import japicmp.cmp.JApiCmpArchive;
import japicmp.cmp.JarArchiveComparator;
import japicmp.cmp.JarArchiveComparatorOptions;
import japicmp.filter.JavadocLikePackageFilter;
import japicmp.model.JApiClass;
import japicmp.model.JApiCompatibility;
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs that were compiled with the last release run with this one: nothing that it exported is
 * gone or has another form. {@code -Dlighthouse.previous=CHECKOUT} names a built checkout of that
 * release. Before there is a release, there is nothing to compare.
 */
class ApiCompatibilityIT {
  @TempDir private Path folder;

  @Test
  void programsOfTheLastReleaseStillRun() throws IOException {
    String previous = System.getProperty("lighthouse.previous");
    assumeTrue(previous != null, "no checkout of the last release");
    int compared = 0;
    for (String landmark : Houses.LANDMARKS) {
      Path recent = Houses.pathOf(landmark);
      String module = recent.getFileName().toString().replaceFirst("-\\d.*", "");
      Path jars = Path.of(previous, module, "target");
      if (Files.isDirectory(jars)) {
        assertThat(incompatible(jar(jars, module), recent)).as(module).isEmpty();
        compared++;
      }
    }

    assertThat(compared).isPositive();
  }

  private static Path jar(Path folder, String module) throws IOException {
    try (Stream<Path> files = Files.walk(folder, 2)) {
      return files
          .filter(
              file -> file.getFileName().toString().matches(module + "-\\d[^-]*(-SNAPSHOT)?.jar"))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void findsWhatIsGoneFromAnExportedPackage() throws IOException {
    String circle = "package shapes; public class Circle { public int area() { return 3; } }";
    String hidden = "package shapes.hidden; public class Hidden {}";
    Path old = module("old", circle, hidden);
    String changed = circle.replace("int area()", "long area()");

    assertThat(incompatible(old, module("without", circle))).isEmpty();
    assertThat(incompatible(old, module("more", circle.replace("{ p", "{ int more; p")))).isEmpty();
    assertThat(incompatible(old, module("changed", changed)))
        .singleElement()
        .asString()
        .contains("shapes.Circle", "area", "METHOD_RETURN_TYPE_CHANGED");
    assertThat(incompatible(old, module("gone", "package shapes; public class Square {}")))
        .first()
        .asString()
        .contains("shapes.Circle", "CLASS_REMOVED");
  }

  /** A module in a jar that exports the package {@code shapes}. */
  private Path module(String name, String... types) throws IOException {
    Path sources = Files.createDirectory(folder.resolve(name));
    List<String> compile = new ArrayList<>(List.of("-d", sources.resolve("out").toString()));
    List<String> all = new ArrayList<>(List.of("module shapes { exports shapes; }"));
    all.addAll(List.of(types));
    for (String type : all) {
      String simple = type.replaceFirst(".*class (\\w+).*", "$1");
      Path file =
          sources.resolve(type.startsWith("module") ? "module-info.java" : simple + ".java");
      compile.add(Files.writeString(file, type).toString());
    }
    Path jar = folder.resolve(name + ".jar");
    run("javac", compile);
    run("jar", List.of("-c", "-f", jar.toString(), "-C", sources.resolve("out").toString(), "."));
    return jar;
  }

  private static void run(String tool, List<String> arguments) {
    String[] words = arguments.toArray(String[]::new);
    assertThat(ToolProvider.findFirst(tool).orElseThrow().run(System.out, System.err, words))
        .isZero();
  }

  /** What was in the exported packages of a jar, and is gone or changed so that callers break. */
  private static List<String> incompatible(Path old, Path recent) {
    Set<String> exported = new TreeSet<>();
    ModuleFinder.of(old).findAll().iterator().next().descriptor().exports().stream()
        .filter(export -> !export.isQualified())
        .map(Exports::source)
        .forEach(exported::add);
    if (exported.isEmpty()) {
      return List.of();
    }
    JarArchiveComparatorOptions options = new JarArchiveComparatorOptions();
    options.getIgnoreMissingClasses().setIgnoreAllMissingClasses(true);
    exported.forEach(
        name -> options.getFilters().getIncludes().add(new JavadocLikePackageFilter(name, true)));
    List<String> findings = new ArrayList<>();
    for (JApiClass type :
        new JarArchiveComparator(options)
            .compare(
                new JApiCmpArchive(old.toFile(), "old"),
                new JApiCmpArchive(recent.toFile(), "new"))) {
      Stream.<Stream<? extends JApiCompatibility>>of(
              Stream.of(type),
              type.getMethods().stream(),
              type.getConstructors().stream(),
              type.getFields().stream())
          .flatMap(parts -> parts)
          .flatMap(part -> broken(type, part))
          .forEach(findings::add);
    }
    return findings;
  }

  private static Stream<String> broken(JApiClass type, JApiCompatibility part) {
    return part.getCompatibilityChanges().stream()
        .filter(change -> !change.isBinaryCompatible())
        .map(change -> type.getFullyQualifiedName() + ": " + change.getType() + " " + part);
  }
}

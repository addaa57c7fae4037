package io.lighthouse.core.registry;

import io.lighthouse.api.strategy.PlacementStrategy;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/** Compiles sources and packs them as a plug-in jar, as a stranger would. */
final class PluginJars {
  private final Path work;
  private int made;

  PluginJars(Path work) {
    this.work = work;
  }

  /** The source of a strategy of a name, with more members where wanted. */
  static String strategy(String type, String name, String... members) {
    return strategyNamed(type, "\"" + name + "\"", members);
  }

  static String strategyNamed(String type, String nameExpression, String... members) {
    int dot = type.lastIndexOf('.');
    return "package "
        + type.substring(0, dot)
        + ";\nimport io.lighthouse.api.strategy.*;\nimport java.util.List;\npublic class "
        + type.substring(dot + 1)
        + " implements PlacementStrategy {\n"
        + "  @Override public String name() { return "
        + nameExpression
        + "; }\n"
        + "  @Override public Placer newPlacer(Fleet fleet, Settings settings) {\n"
        + "    return (workload, candidates) -> candidates.first(); }\n"
        + String.join("\n", members)
        + "}\n";
  }

  /** A jar that names its providers in META-INF/services. */
  void plain(Path jar, List<String> providers, Map<String, String> sources) throws IOException {
    Path classes = compile(sources, false);
    Path services = classes.resolve("META-INF/services").resolve(PlacementStrategy.class.getName());
    Files.createDirectories(services.getParent());
    Files.write(services, providers, StandardCharsets.UTF_8);
    pack(classes, jar);
  }

  void plain(Path jar, String provider, String source) throws IOException {
    plain(jar, List.of(provider), Map.of(provider, source));
  }

  /** A jar with a module descriptor that provides all its classes. */
  void module(Path jar, String module, Map<String, String> sources) throws IOException {
    pack(moduleClasses(module, sources), jar);
  }

  /** As {@link #module}, with class files of the next Java. */
  void newerModule(Path jar, String module, Map<String, String> sources) throws IOException {
    Path classes = moduleClasses(module, sources);
    renew(classes);
    pack(classes, jar);
  }

  private Path moduleClasses(String module, Map<String, String> sources) throws IOException {
    Map<String, String> all = new LinkedHashMap<>(sources);
    all.put(
        "module-info",
        "module "
            + module
            + " { requires io.lighthouse.api; provides "
            + PlacementStrategy.class.getName()
            + " with "
            + String.join(", ", sources.keySet())
            + "; }");
    Path classes = compile(all, true);
    // So that it is found on a class path, too.
    Path services = classes.resolve("META-INF/services").resolve(PlacementStrategy.class.getName());
    Files.createDirectories(services.getParent());
    Files.write(services, sources.keySet(), StandardCharsets.UTF_8);
    return classes;
  }

  /** A directory of classes with services, as a class loader takes it. */
  Path directory(List<String> providers, Map<String, String> sources) throws IOException {
    Path classes = compile(sources, false);
    Path services = classes.resolve("META-INF/services").resolve(PlacementStrategy.class.getName());
    Files.createDirectories(services.getParent());
    Files.write(services, providers, StandardCharsets.UTF_8);
    return classes;
  }

  private Path compile(Map<String, String> sources, boolean modular) throws IOException {
    Path root = work.resolve("build-" + made++);
    Path classes = Files.createDirectories(root.resolve("classes"));
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-proc:none",
                "--release",
                "17",
                "-d",
                classes.toString(),
                modular ? "--module-path" : "--class-path",
                api().toString()));
    for (Map.Entry<String, String> source : sources.entrySet()) {
      Path file = root.resolve("src").resolve(source.getKey().replace('.', '/') + ".java");
      Files.createDirectories(file.getParent());
      Files.writeString(file, source.getValue());
      arguments.add(file.toString());
    }
    if (sources.isEmpty()) {
      return classes;
    }
    StringWriter complaints = new StringWriter();
    PrintWriter printer = new PrintWriter(complaints, true);
    ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
    if (javac.run(printer, printer, arguments.toArray(String[]::new)) != 0) {
      throw new AssertionError(complaints.toString());
    }
    return classes;
  }

  /** Where the api is: its jar, or its classes. */
  static Path api() {
    try {
      return Path.of(
          PlacementStrategy.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException broken) {
      throw new AssertionError(broken);
    }
  }

  /** As {@link #plain}, with class files of the next Java. */
  void newerPlain(Path jar, String provider, String source) throws IOException {
    Path classes = directory(List.of(provider), Map.of(provider, source));
    renew(classes);
    pack(classes, jar);
  }

  /** A plain jar whose class files use features in preview. */
  void previewPlain(Path jar, String provider, String source) throws IOException {
    Path classes = directory(List.of(provider), Map.of(provider, source));
    change(classes, bytes -> Arrays.fill(bytes, 4, 6, (byte) 0xff));
    pack(classes, jar);
  }

  /** Has the class files those of the next Java. */
  private static void renew(Path classes) throws IOException {
    change(classes, bytes -> bytes[7] = (byte) (Runtime.version().feature() + 1 + 44));
  }

  private static void change(Path classes, Consumer<byte[]> change) throws IOException {
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(one -> one.toString().endsWith(".class")).toList()) {
        byte[] bytes = Files.readAllBytes(file);
        change.accept(bytes);
        Files.write(file, bytes);
      }
    }
  }

  private static void pack(Path classes, Path jar) throws IOException {
    Files.createDirectories(jar.getParent());
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out);
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        entries.putNextEntry(new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
        Files.copy(file, entries);
        entries.closeEntry();
      }
    }
  }
}

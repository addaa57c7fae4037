package io.lighthouse.tests.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.spi.ToolProvider;

/** What one does at a command line: compile, pack, run. */
final class Outside {
  /** The collector, and the JIT compilers of the tests. */
  private static final List<String> JVM =
      List.of(("-XX:+UseSerialGC " + System.getProperty("lighthouse.test.jvm", "")).split("\\s+"));

  /** The finished output of a process. */
  record Run(int code, List<String> lines) {}

  private Outside() {}

  /** Compiles a source folder; any warning is an error. */
  static Path compile(Path sources, Path into, String pathOption, Collection<Path> path)
      throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("--release", "17", "-Xlint:all", "-Werror", "-d", into.toString()));
    if (pathOption.equals("-cp")) {
      // The kit's annotations are read from class files that name others we do not need.
      arguments.set(2, "-Xlint:all,-classfile,-path");
    }
    arguments.add(pathOption);
    arguments.add(joined(path));
    try (var files = Files.walk(sources)) {
      files
          .filter(file -> file.toString().endsWith(".java"))
          .map(Path::toString)
          .forEach(arguments::add);
    }
    tool("javac", arguments);
    return into;
  }

  /** Packs a folder. */
  static Path jar(Path jar, Path... folders) {
    List<String> arguments = new ArrayList<>(List.of("--create", "--file", jar.toString()));
    for (Path folder : folders) {
      arguments.addAll(List.of("-C", folder.toString(), "."));
    }
    tool("jar", arguments);
    return jar;
  }

  /** A project of {@code src/it}. */
  static Path project(String name) {
    return Path.of(System.getProperty("lighthouse.root"), "lighthouse-tests", "src", "it", name)
        .normalize();
  }

  /** Compiles a project as a module, and packs it with its resources into a jar of its name. */
  static Path module(Path project, Path into, Collection<Path> modulePath) throws IOException {
    String name = project.getFileName().toString();
    Path classes =
        compile(
            project.resolve("src/main/java"),
            into.resolve(name + "-classes"),
            "--module-path",
            modulePath);
    Path resources = project.resolve("src/main/resources");
    Path jar = Files.createDirectories(into.resolve(name)).resolve(name + ".jar");
    return Files.isDirectory(resources) ? jar(jar, classes, resources) : jar(jar, classes);
  }

  private static void tool(String name, List<String> arguments) {
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said);
    int code =
        ToolProvider.findFirst(name).orElseThrow().run(out, out, arguments.toArray(String[]::new));
    assertThat(code).as("%s %s: %s", name, arguments, said).isZero();
  }

  /** Runs the JVM of these tests in a fresh process, to its end. */
  static Run java(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM);
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), output.lines().toList());
  }

  static String joined(Collection<Path> path) {
    return String.join(File.pathSeparator, path.stream().map(Path::toString).toList());
  }

  /** Everything that these tests run with, as one class path. */
  static Set<Path> classPath() {
    Set<Path> all = new TreeSet<>();
    for (String property :
        List.of("jdk.module.path", "java.class.path", "surefire.test.class.path")) {
      String[] entries = System.getProperty(property, "").split(File.pathSeparator);
      Arrays.stream(entries).filter(entry -> !entry.isEmpty()).map(Path::of).forEach(all::add);
    }
    return all;
  }
}

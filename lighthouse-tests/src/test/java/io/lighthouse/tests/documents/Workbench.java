package io.lighthouse.tests.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.tests.documents.Document.Program;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compiles the code of a page and runs it as a reader would, in a fresh JVM and a folder of its
 * own. The api, the engine and the strategies are named modules there.
 */
final class Workbench {
  private static final Set<String> MODULES =
      Set.of("io.lighthouse.api", "io.lighthouse.core", "io.lighthouse.strategies");

  private static final Pattern PACKAGE = Pattern.compile("package ([\\w.]+);");
  private static final Pattern TYPE = Pattern.compile("(?:class|interface|record|enum) (\\w+)");

  /** Between what two programs print; no page prints it. */
  private static final String SEPARATOR = "\u0001";

  private final Path folder;

  /** In an empty folder, which becomes the working directory of what runs. */
  Workbench(Path folder) {
    this.folder = folder;
  }

  /**
   * Compiles all code of a page, its source files into a jar in the folder {@code plugins}, runs
   * its programs, and requires that each prints what the page says.
   */
  void requireTruth(Document page) throws IOException, InterruptedException {
    if (!page.sourceFiles().isEmpty()) {
      jar("plugins/page.jar", page.sourceFiles());
    }
    compileContractTests(page.contractTests());
    List<Program> programs = page.programs();
    List<String> printed = run(programs);
    assertThat(programs).isNotEmpty().hasSameSizeAs(printed);
    for (int i = 0; i < printed.size(); i++) {
      assertThat(printed.get(i))
          .as("what the code under '%s' of %s prints", programs.get(i).heading(), page.path())
          .isEqualTo(programs.get(i).printed());
    }
  }

  /** What each program prints, in one JVM, one after another. */
  List<String> run(List<Program> programs) throws IOException, InterruptedException {
    List<Path> sources = new ArrayList<>();
    StringBuilder calls = new StringBuilder();
    for (int i = 0; i < programs.size(); i++) {
      String name = "Program" + i;
      sources.add(write("programs/" + name + ".java", asClass(name, programs.get(i).code())));
      calls.append(name).append(".run();\nSystem.out.print(\"\\u0001\");\n");
    }
    sources.add(write("programs/Main.java", asClass("Main", calls.toString())));
    compile("out", sources);
    String printed = runMain("out");
    List<String> outputs = new ArrayList<>(List.of(printed.split(SEPARATOR, -1)));
    outputs.remove(outputs.size() - 1);
    return outputs;
  }

  /** Compiles source files, a module descriptor among them, into one jar. */
  private void jar(String path, List<String> sourceFiles) throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String code : sourceFiles) {
      sources.add(write("jar/" + fileName(code), code));
    }
    compile("jar-classes", sources);
    Path jar = folder.resolve(path);
    Files.createDirectories(jar.getParent());
    tool("jar", "--create", "--file", jar.toString(), "-C", folder + "/jar-classes", ".");
  }

  /** Where a source file belongs below its source folder. */
  static String fileName(String code) {
    if (code.startsWith("module ")) {
      return "module-info.java";
    }
    var in = PACKAGE.matcher(code);
    var type = TYPE.matcher(code);
    if (!in.find() || !type.find()) {
      throw new AssertionError("neither a module nor a type in a package:\n" + code);
    }
    return in.group(1).replace('.', '/') + "/" + type.group(1) + ".java";
  }

  /** Statements, their imports moved to the top, as a class with a method {@code run}. */
  private static String asClass(String name, String statements) {
    String imports = lines(statements, true).distinct().collect(Collectors.joining("\n"));
    String body = lines(statements, false).collect(Collectors.joining("\n"));
    return imports
        + "\npublic class "
        + name
        + " {\n  public static void main(String[] arguments) throws Exception {\n    run();\n  }\n"
        + "  static void run() throws Exception {\n"
        + body
        + "\n  }\n}\n";
  }

  private static Stream<String> lines(String code, boolean imports) {
    return code.lines().filter(line -> line.startsWith("import ") == imports);
  }

  private Path write(String path, String text) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  /** Against the jar of the page and everything that this test runs with. */
  private void compileContractTests(List<String> sourceFiles) throws IOException {
    for (String code : sourceFiles) {
      Path source = write("contract/" + fileName(code), code);
      Path classes = folder.resolve("contract-classes");
      String path = everyPath().collect(Collectors.joining(File.pathSeparator));
      tool(
          "javac",
          "--release",
          "17",
          "-proc:none",
          "--class-path",
          folder.resolve("jar-classes") + File.pathSeparator + path,
          "-d",
          classes.toString(),
          source.toString());
    }
  }

  private void compile(String output, List<Path> sources) {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--release", "17", "-Xlint:all", "-Werror", "-encoding", "UTF-8"));
    arguments.addAll(List.of("-d", folder.resolve(output).toString()));
    arguments.addAll(List.of("--module-path", modulePath()));
    if (sources.stream().noneMatch(source -> source.endsWith("module-info.java"))) {
      arguments.addAll(List.of("--add-modules", String.join(",", MODULES)));
    }
    sources.forEach(source -> arguments.add(source.toString()));
    tool("javac", arguments.toArray(String[]::new));
  }

  private static void tool(String name, String... arguments) {
    StringWriter output = new StringWriter();
    PrintWriter writer = new PrintWriter(output);
    ToolProvider tool =
        ToolProvider.findFirst(name)
            .orElseThrow(() -> new AssertionError("no " + name + " in this JDK"));
    if (tool.run(writer, writer, arguments) != 0) {
      throw new AssertionError(name + " refuses the code of the page:\n" + output);
    }
  }

  private String runMain(String classes) throws IOException, InterruptedException {
    Path output = folder.resolve("output.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-Dfile.encoding=UTF-8",
                "-Dstdout.encoding=UTF-8",
                "--module-path",
                modulePath(),
                "--add-modules",
                String.join(",", MODULES),
                "--class-path",
                folder.resolve(classes).toString(),
                "Main")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(60, TimeUnit.SECONDS);
    process.destroyForcibly();
    String printed = Files.readString(output, StandardCharsets.UTF_8);
    if (!ended || process.exitValue() != 0) {
      throw new AssertionError("the code of the page does not run to its end:\n" + printed);
    }
    return printed;
  }

  /** Where the modules of Lighthouse are that this very test runs with. */
  private static String modulePath() {
    return everyPath()
        .filter(path -> path.contains("lighthouse"))
        .filter(Workbench::isOurs)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Stream<String> everyPath() {
    return Stream.of("jdk.module.path", "java.class.path", "surefire.test.class.path")
        .map(name -> System.getProperty(name, ""))
        .flatMap(paths -> Stream.of(paths.split(File.pathSeparator)))
        .filter(path -> !path.isEmpty() && Files.exists(Path.of(path)))
        .distinct();
  }

  private static boolean isOurs(String path) {
    return ModuleFinder.of(Path.of(path)).findAll().stream()
        .anyMatch(module -> MODULES.contains(module.descriptor().name()));
  }
}

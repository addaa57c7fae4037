package io.lighthouse.cli;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * How tests start the program in a process of its own, with the JIT compilers and the collector of
 * the tests ({@code lighthouse.test.jvm}). Most of such a process is its start, so classes come
 * from an archive (class-data sharing), as with the launcher. The code that runs is the same. An
 * archive is made once for all tests of a build.
 */
final class Launch {
  /** Where the build has put all modules that run. */
  static final Path MODULES =
      Path.of(System.getProperty("lighthouse.build"), "modules").toAbsolutePath();

  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
  private static final String JVM = System.getProperty("lighthouse.test.jvm", "");

  /** The option that names the archive; null until the first use. */
  private static List<String> archive;

  private Launch() {}

  /** A new list with the command, up to its words, with these options of the JVM. */
  static List<String> command(String... options) {
    List<String> command = javaCommand();
    command.addAll(archive());
    command.addAll(List.of(options));
    command.addAll(onModulePath());
    return command;
  }

  /** A new list with the JVM and its options, up to the path. */
  static List<String> javaCommand() {
    List<String> command = new ArrayList<>(List.of(JAVA.toString()));
    if (!JVM.isBlank()) {
      command.addAll(List.of(JVM.strip().split("\\s+")));
    }
    command.add("-Xshare:auto");
    // As the launcher does: JDK 25 says much of an archive that it does not take as it is.
    command.add("-Xlog:disable");
    return command;
  }

  /** A new list with the command that starts a class of the tests in a JVM of its own. */
  static List<String> ofTests(Class<?> main) {
    String path =
        String.join(
            ":",
            System.getProperty("jdk.module.path", ""),
            System.getProperty("java.class.path"),
            Path.of(System.getProperty("lighthouse.build"), "test-classes").toString());
    return new ArrayList<>(
        List.of(
            JAVA.toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            path,
            main.getName()));
  }

  private static List<String> onModulePath() {
    return List.of(
        "--module-path",
        MODULES.toString(),
        "--module",
        "io.lighthouse.cli/io.lighthouse.cli.Main");
  }

  /** The tests may run in several JVMs at a time: the first makes the archive, the others wait. */
  private static synchronized List<String> archive() {
    if (archive == null) {
      Path made = MODULES.resolveSibling("classes.jsa");
      Path madeOf = MODULES.resolveSibling("classes.txt");
      try (FileChannel file =
          FileChannel.open(MODULES.resolveSibling("classes.lock"), CREATE, WRITE)) {
        file.lock(); // Until it is closed.
        String now = modulesAndTimes();
        if (!Files.exists(madeOf) || !Files.readString(madeOf).equals(now)) {
          Files.deleteIfExists(madeOf);
          write(made);
          Files.writeString(madeOf, now);
        }
      } catch (IOException broken) {
        throw new UncheckedIOException(broken);
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        throw new AssertionError(stopped);
      }
      // Where there is none, it goes without.
      archive = Files.exists(made) ? List.of("-XX:SharedArchiveFile=" + made) : List.of();
    }
    return archive;
  }

  /** The archive is good for these modules and these options alone. */
  private static String modulesAndTimes() throws IOException {
    StringBuilder all = new StringBuilder(String.join(" ", javaCommand()));
    try (Stream<Path> jars = Files.list(MODULES)) {
      for (Path jar : jars.sorted().toList()) {
        all.append('\n').append(jar).append(' ').append(Files.getLastModifiedTime(jar));
      }
    }
    return all.toString();
  }

  private static void write(Path archive) throws IOException, InterruptedException {
    Files.deleteIfExists(archive);
    List<String> command = javaCommand();
    command.add("-XX:ArchiveClassesAtExit=" + archive);
    command.addAll(onModulePath());
    command.addAll(List.of("assign", Examples.file("fleet.json").toString()));
    Process first =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!first.waitFor(2, TimeUnit.MINUTES)) {
      first.destroyForcibly();
      throw new AssertionError("not over within 2 minutes: " + command);
    }
  }
}

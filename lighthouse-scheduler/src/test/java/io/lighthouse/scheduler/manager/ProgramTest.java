package io.lighthouse.scheduler.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Resources;
import io.lighthouse.core.Distributors;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The program that docs/tutorials/scheduling.md shows is compiled and run, and prints what the page
 * says.
 */
class ProgramTest {
  @TempDir private Path directory;

  private static String between(String text, String begin, String end) {
    int from = text.indexOf(begin) + begin.length();
    return text.substring(from, text.indexOf(end, from));
  }

  /** The page, whether Maven runs in the module or above it. */
  private static String page() throws IOException {
    Path below = Path.of("docs", "tutorials", "scheduling.md");
    return Files.readString(Files.exists(below) ? below : Path.of("..").resolve(below));
  }

  private String run(String tool, String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", tool).toString());
    command.addAll(List.of(words));
    Path out = directory.resolve("out");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    String said = Files.readString(out, StandardCharsets.UTF_8);
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }

  private static String place(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath()).toString();
  }

  @Test
  void printsWhatThePageSays() throws IOException, InterruptedException {
    String program = between(page(), "<!-- begin program -->", "<!-- end program -->");
    Path source =
        Files.writeString(directory.resolve("Loop.java"), between(program, "```java\n", "```"));
    String path =
        String.join(
            File.pathSeparator,
            place(SchedulingManager.class),
            place(Resources.class),
            place(Distributors.class),
            directory.toString());
    run("javac", "-proc:none", "-d", directory.toString(), "-cp", path, source.toString());
    assertThat(run("java", "-cp", path, "Loop").lines())
        .containsExactlyElementsOf(between(program, "*' Loop.java\n", "```").lines().toList());
  }
}

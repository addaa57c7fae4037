package io.lighthouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.cli.file.SavedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command that ends while it saves a file, as a signal ends it. */
class InterruptedSaveTest {
  private static final int CODE = 5;

  @TempDir private Path folder;

  /** A process that ends in order in the middle of a file. */
  static final class EndingWhileItSaves {
    private EndingWhileItSaves() {}

    /** The first word is the file. */
    public static void main(String[] words) {
      SavedFile.save(
          Path.of(words[0]),
          out -> {
            out.write(new byte[1 << 20]);
            System.exit(CODE);
          });
    }
  }

  @Test
  void anUnfinishedFileIsRemovedAndTheOldOneStays() throws Exception {
    Path file = Files.writeString(folder.resolve("fleet.json"), "old");
    List<String> command = Launch.ofTests(EndingWhileItSaves.class);
    command.add(file.toString());
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).isEqualTo(CODE);
    assertThat(names()).containsExactly("fleet.json");
    assertThat(file).hasContent("old");
  }

  private List<String> names() throws IOException {
    try (Stream<Path> there = Files.list(folder)) {
      return there.map(path -> path.getFileName().toString()).toList();
    }
  }
}

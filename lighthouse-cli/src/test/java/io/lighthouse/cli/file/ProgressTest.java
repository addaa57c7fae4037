package io.lighthouse.cli.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.cli.page.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final ByteArrayOutputStream screen = new ByteArrayOutputStream();

  private Terminal terminal(boolean progress) {
    return new Terminal(
        InputStream.nullInputStream(),
        new ByteArrayOutputStream(),
        new PrintStream(screen, true, StandardCharsets.UTF_8),
        false,
        false,
        progress,
        true,
        Terminal.USUAL_WIDTH);
  }

  @Test
  void saysNothingOfShortWork() {
    try (Progress progress = new Progress(terminal(true))) {
      progress.says("placing");
    }

    assertThat(screen.size()).isZero();
  }

  @Test
  void tellsWhatIsGoingOnAndHowMuchOfItIsDone() throws IOException {
    try (Progress progress = new Progress(terminal(false))) {
      progress.says("placing");
      assertThat(progress.line(7_000_000_000L)).isEqualTo("placing, 7 s");

      InputStream in =
          progress.counting("reading f\u001b", new ByteArrayInputStream(new byte[8]), 8);
      assertThat(progress.line(0)).isEqualTo("reading f\\u001b, 0 %, 0 s");
      assertThat(in.read()).isZero();
      assertThat(in.read(new byte[3], 0, 3)).isEqualTo(3);
      assertThat(progress.line(999_999_999L)).isEqualTo("reading f\\u001b, 50 %, 0 s");
      in.readAllBytes();
      assertThat(progress.line(61_000_000_000L)).isEqualTo("reading f\\u001b, 100 %, 61 s");
    }
    assertThat(screen.size()).isZero();
  }

  @Test
  void staysWithinTheScreen() {
    try (Progress progress = new Progress(terminal(false))) {
      progress.says("reading " + "x".repeat(100));

      assertThat(progress.line(0)).hasSize(79).endsWith("xxx, 0 s");
    }
  }
}

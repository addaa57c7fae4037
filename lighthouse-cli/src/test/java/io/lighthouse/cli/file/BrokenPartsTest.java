package io.lighthouse.cli.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.error.InternalErrorException;
import io.lighthouse.api.rule.RuleException;
import io.lighthouse.cli.Run;
import io.lighthouse.cli.page.ExitCode;
import io.lighthouse.cli.page.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A broken part gets one message with its name, and does not stop the next file. */
class BrokenPartsTest {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Terminal terminal = Run.terminal(OutputStream.nullOutputStream(), err);

  @AfterEach
  void askForNoTrace() {
    System.clearProperty(Terminal.TRACE);
  }

  @Test
  void aRuleThatFailsIsNamedWithItsOriginAndWithoutATrace() throws IOException {
    System.setProperty(Terminal.TRACE, "true");
    int code =
        run(
            new RuleException(
                "licensed", "licensed.jar", "answered null", new IllegalStateException("unlucky")));

    assertThat(code).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo("lighthouse: first: rule 'licensed' (licensed.jar) answered null\n");
  }

  @Test
  void aBugOfLighthouseSaysThatItIsOneAndHowToAskWhere() throws IOException {
    int code = run(new InternalErrorException("the rows disagree", null));

    assertThat(code).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            "lighthouse: first: this is a bug of Lighthouse, please report it: the rows disagree;"
                + " LIGHTHOUSE_OPTS=-Dlighthouse.trace=true says where\n");
  }

  @Test
  void aBugOfLighthouseSaysWhereIfAsked() throws IOException {
    System.setProperty(Terminal.TRACE, "true");
    int code = run(new InternalErrorException("the rows disagree", null));

    assertThat(code).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString(StandardCharsets.UTF_8).lines().toList())
        .startsWith(
            "lighthouse: first: this is a bug of Lighthouse, please report it: the rows disagree")
        .anyMatch(line -> line.contains("at ") && line.contains("BrokenPartsTest"));
  }

  /** Runs two files, of which the first finds something broken. */
  private int run(RuntimeException broken) throws IOException {
    return FileRun.each(
        List.of("first", "second"),
        terminal,
        file -> {
          if (file.title().equals("first")) {
            throw broken;
          }
          return ExitCode.DONE;
        });
  }
}

package io.lighthouse.cli;

import io.lighthouse.cli.page.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One run of the command in this JVM.
 *
 * @param code its exit code
 * @param out its standard output
 * @param err its standard error
 */
public record Run(int code, String out, String err) {

  /** Runs with empty standard input, for programs: no colours, no blocks. */
  public static Run of(Object... args) {
    return with("", false, false, Terminal.USUAL_WIDTH, args);
  }

  /** Runs with a text on standard input. */
  public static Run reading(String input, Object... args) {
    return with(input, false, false, Terminal.USUAL_WIDTH, args);
  }

  /** Runs before a terminal that shows colours and blocks. */
  public static Run onTerminal(Object... args) {
    return with("", true, true, Terminal.USUAL_WIDTH, args);
  }

  /** Runs before a terminal of that width. */
  public static Run inColumns(int width, Object... args) {
    return with("", false, false, width, args);
  }

  /** Runs before a terminal of that width, with a text on standard input. */
  public static Run inColumnsReading(int width, String input, Object... args) {
    return with(input, false, false, width, args);
  }

  private static Run with(String input, boolean colour, boolean blocks, int width, Object... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            out,
            new PrintStream(err, true, StandardCharsets.UTF_8),
            colour,
            blocks,
            false,
            input.isEmpty(),
            width);
    String[] words = List.of(args).stream().map(Object::toString).toArray(String[]::new);
    int code = Main.run(terminal, words);
    return new Run(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** The terminal of a program without input: no colours, no blocks. */
  public static Terminal terminal(OutputStream out, OutputStream err) {
    return new Terminal(
        InputStream.nullInputStream(),
        out,
        new PrintStream(err, true, StandardCharsets.UTF_8),
        false,
        false,
        false,
        false,
        Terminal.USUAL_WIDTH);
  }
}

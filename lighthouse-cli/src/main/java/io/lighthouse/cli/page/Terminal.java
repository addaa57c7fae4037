package io.lighthouse.cli.page;

import io.lighthouse.picture.FleetText;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;

/**
 * Where the command reads and writes, and what the other side can show. All text is UTF-8, whatever
 * the locale: it is data.
 *
 * @param in standard input
 * @param out standard output; to be flushed
 * @param err standard error
 * @param colour whether standard output shows colours
 * @param blocks whether standard output shows more than ASCII
 * @param progress whether standard error is a screen on which a line can be drawn over
 * @param keyboard whether standard input is a keyboard, not a pipe or a file
 * @param width the columns of standard output
 */
public record Terminal(
    InputStream in,
    OutputStream out,
    PrintStream err,
    boolean colour,
    boolean blocks,
    boolean progress,
    boolean keyboard,
    int width) {

  /** Columns where the launcher has found none, and for programs. */
  public static final int USUAL_WIDTH = 80;

  /** The system property that asks for the stack trace of a bug. */
  public static final String TRACE = "lighthouse.trace";

  private static final int NARROWEST = 40;
  private static final int WIDEST = 200;

  /** The terminal of this process. */
  public static Terminal ofProcess() {
    Properties properties = System.getProperties();
    Map<String, String> environment = System.getenv();
    boolean console = System.console() != null && Runtime.version().feature() < 22;
    boolean screen = !"dumb".equals(environment.get("TERM"));
    return new Terminal(
        new FileInputStream(FileDescriptor.in),
        new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16),
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
        screen
            && environment.getOrDefault("NO_COLOR", "").isEmpty()
            && isTerminal(properties, "out", console),
        properties.getProperty("native.encoding", "UTF-8").equalsIgnoreCase("UTF-8"),
        screen && isTerminal(properties, "err", console),
        isTerminal(properties, "in", System.console() != null),
        width(properties.getProperty("lighthouse.terminal.width", "")));
  }

  /** The columns that the launcher has found, within reason. */
  private static int width(String said) {
    return said.matches("[0-9]{1,4}")
        ? Math.min(WIDEST, Math.max(NARROWEST, Integer.parseInt(said)))
        : USUAL_WIDTH;
  }

  /** What the launcher, which can ask, says of a stream; without it, what Java believes of all. */
  private static boolean isTerminal(Properties properties, String stream, boolean console) {
    String said = properties.getProperty("lighthouse.terminal." + stream);
    return said == null ? console : Boolean.parseBoolean(said);
  }

  /**
   * Prints a line on standard output.
   *
   * @throws IOException if it cannot be written
   */
  public void say(String line) throws IOException {
    out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /** Says on standard error what is wrong, in one line. */
  public void complain(String about, String message) {
    String name = about.equals("lighthouse") ? "" : FleetText.printable(about) + ": ";
    err.println("lighthouse: " + name + FleetText.printable(message));
  }

  /**
   * Complains of a bug of Lighthouse, which users should report; prints the stack trace if {@value
   * #TRACE} is set.
   */
  public void report(String about, String message, Throwable bug) {
    if (Boolean.getBoolean(TRACE)) {
      complain(about, message);
      bug.printStackTrace(err);
    } else {
      complain(about, message + "; LIGHTHOUSE_OPTS=-D" + TRACE + "=true says where");
    }
  }

  /** Says something in one line on standard error that is worth knowing, and no more. */
  public void warn(String message) {
    err.println("lighthouse: warning: " + FleetText.printable(message));
  }
}

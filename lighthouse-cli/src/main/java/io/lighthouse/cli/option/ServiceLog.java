package io.lighthouse.cli.option;

import java.time.Instant;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The log of the service, line by line on standard error. */
public final class ServiceLog {
  /** Kept, because a logger without a reference loses its level. */
  private static Logger libraries;

  private ServiceLog() {}

  /** From which level on there is a log. The names are what the option takes. */
  public enum Loudness {
    off(Level.OFF),
    error(Level.SEVERE),
    warning(Level.WARNING),
    info(Level.INFO);

    private final Level level;

    Loudness(Level level) {
      this.level = level;
    }
  }

  /** Has the log begin at a level. */
  public static void set(Loudness loudness) {
    Logger root = Logger.getLogger("");
    for (Handler handler : root.getHandlers()) {
      root.removeHandler(handler);
    }
    Handler handler = new ConsoleHandler();
    handler.setLevel(Level.ALL);
    handler.setFormatter(new Line());
    root.addHandler(handler);
    root.setLevel(loudness.level);
    // Jetty's own comings and goings are no news.
    libraries = Logger.getLogger("org.eclipse.jetty");
    libraries.setLevel(loudness.level == Level.INFO ? Level.WARNING : loudness.level);
  }

  /** Time, level, message, and below it what was thrown. */
  private static final class Line extends Formatter {
    @Override
    public String format(LogRecord entry) {
      StringBuilder line = new StringBuilder();
      line.append(Instant.ofEpochMilli(entry.getMillis())).append(' ').append(entry.getLevel());
      line.append(' ').append(formatMessage(entry)).append('\n');
      if (entry.getThrown() != null) {
        java.io.StringWriter trace = new java.io.StringWriter();
        entry.getThrown().printStackTrace(new java.io.PrintWriter(trace));
        line.append(trace);
      }
      return line.toString();
    }
  }
}

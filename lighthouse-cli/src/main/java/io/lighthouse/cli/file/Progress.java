package io.lighthouse.cli.file;

import io.lighthouse.cli.page.Terminal;
import io.lighthouse.picture.FleetText;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Says on the screen what takes long: one line on standard error, drawn over and over, gone at the
 * end. Nothing within the first second, and nothing at all where standard error is no screen.
 *
 * <p>A thread of its own draws the line; the one that works pays for a count of bytes alone.
 */
public final class Progress implements AutoCloseable {
  private static final long FIRST_MILLIS = 1000;
  private static final long EVERY_MILLIS = 250;
  private static final String BACK = "\r\u001b[K";

  private final PrintStream screen;

  /** Null where nothing is drawn. */
  private final Thread painter;

  private final long began = System.nanoTime();
  private final AtomicLong done = new AtomicLong();
  private volatile String what = "";

  /** How much there is to do; 0 where that is not known. */
  private volatile long all;

  public Progress(Terminal terminal) {
    screen = terminal.err();
    painter = terminal.progress() ? new Thread(this::paint, "progress") : null;
    if (painter != null) {
      painter.setDaemon(true);
      painter.start();
    }
  }

  /** The next work begins; its amount is not known. */
  public void says(String words) {
    what = FleetText.printable(words);
    all = 0;
  }

  /** The same bytes, counted; reading them is what is being done. */
  InputStream counting(String words, InputStream in, long size) {
    what = FleetText.printable(words);
    done.set(0);
    all = size;
    return new FilterInputStream(in) {
      @Override
      public int read() throws IOException {
        int read = super.read();
        done.addAndGet(read < 0 ? 0 : 1);
        return read;
      }

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        int count = super.read(target, offset, length);
        done.addAndGet(Math.max(count, 0));
        return count;
      }

      @Override
      public int available() {
        try {
          return super.available();
        } catch (IOException unknown) {
          return 0; // A pipe that was opened as a file, with JDK 17.
        }
      }
    };
  }

  @Override
  public void close() {
    if (painter != null) {
      painter.interrupt();
      try {
        painter.join();
      } catch (InterruptedException asked) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void paint() {
    boolean drawn = false;
    try {
      Thread.sleep(FIRST_MILLIS);
      while (true) {
        screen.print(BACK + line(System.nanoTime() - began));
        screen.flush();
        drawn = true;
        Thread.sleep(EVERY_MILLIS);
      }
    } catch (InterruptedException finished) {
      if (drawn) {
        screen.print(BACK);
        screen.flush();
      }
    }
  }

  /** The line at a time in nanoseconds. */
  String line(long elapsed) {
    long seconds = elapsed / 1_000_000_000;
    String share = all > 0 ? ", " + Math.min(100, Math.round(100.0 * done.get() / all)) + " %" : "";
    String line = what + share + ", " + seconds + " s";
    return line.length() < Terminal.USUAL_WIDTH
        ? line
        : line.substring(line.length() - Terminal.USUAL_WIDTH + 1);
  }
}

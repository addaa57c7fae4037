package io.lighthouse.cli.command;

import io.lighthouse.cli.page.ExitCode;
import io.lighthouse.cli.page.Terminal;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** Waits for the end of a service that has been started. */
final class ServiceRun {
  /** The longest wait for the reader of the last line. */
  private static final int SAYING_MILLIS = 5_000;

  private ServiceRun() {}

  /** What a service is waited for by. */
  interface Ending {
    void await() throws InterruptedException;
  }

  /**
   * Prints a line, and waits until the service has stopped, which is another line. A signal ends a
   * JVM with a code of its own; the hook ends it with 0 in place of that, unless this method has
   * failed.
   *
   * @param ending waits for the end
   * @param stop stops the service
   */
  static int untilStopped(Terminal terminal, String line, Ending ending, Runnable stop)
      throws Exception {
    AtomicInteger code = new AtomicInteger(ExitCode.DONE);
    Thread hook =
        new Thread(
            () -> {
              stop.run();
              if (code.get() == ExitCode.DONE) {
                sayStopped(terminal);
              }
              Runtime.getRuntime().halt(code.get());
            },
            "lighthouse-stop");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      terminal.say(line);
      ending.await();
      return ExitCode.DONE;
    } catch (Throwable failed) {
      code.set(ExitCode.FAILED);
      throw failed;
    }
  }

  /** In a thread of its own, as a reader that takes nothing must not keep the process. */
  private static void sayStopped(Terminal terminal) {
    Thread saying =
        new Thread(
            () -> {
              try {
                terminal.say("lighthouse stopped");
              } catch (IOException closed) {
                // The reader has gone. The end goes on.
              }
            },
            "lighthouse-stopped");
    saying.setDaemon(true);
    try {
      saying.start();
      saying.join(SAYING_MILLIS);
    } catch (InterruptedException | OutOfMemoryError hurry) {
      // The end goes on.
    }
  }
}

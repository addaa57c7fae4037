package io.lighthouse.scheduler;

import io.lighthouse.api.LighthouseException;
import io.lighthouse.scheduler.port.PortException;
import java.util.function.Supplier;

/** Asks a port, and gives what it throws the name of the port. */
final class Guard {
  private Guard() {}

  static <T> T ask(String port, String action, Supplier<T> question) {
    try {
      return question.get();
    } catch (LighthouseException named) {
      throw named;
    } catch (RuntimeException thrown) {
      throw new PortException(port, "threw while " + action, thrown);
    }
  }

  static void tell(String port, String action, Runnable message) {
    ask(
        port,
        action,
        () -> {
          message.run();
          return null;
        });
  }
}

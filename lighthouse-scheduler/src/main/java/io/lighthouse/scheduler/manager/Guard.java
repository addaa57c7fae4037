package io.lighthouse.scheduler.manager;

import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.scheduler.port.PortException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Calls a port. Whatever it throws, checked exceptions and errors too, and null where an answer is
 * due, becomes a {@link PortException} with the names of the port and its method.
 */
final class Guard {
  private Guard() {}

  /** An answer, which is not null. */
  static <T> T ask(String port, String method, Supplier<T> question) {
    T answer = call(port, method, question);
    if (answer == null) {
      throw new PortException(port, method, "answered null", null);
    }
    return answer;
  }

  /** A new list of the answers, none of which is null. */
  static <T> List<T> list(
      String port, String method, Supplier<? extends Collection<? extends T>> question) {
    List<T> copy = listWithNulls(port, method, question);
    if (copy.contains(null)) {
      throw new PortException(port, method, "answered null among others", null);
    }
    return copy;
  }

  /** A new list of the answers, some of which may be null. */
  static <T> List<T> listWithNulls(
      String port, String method, Supplier<? extends Collection<? extends T>> question) {
    Collection<? extends T> answer = ask(port, method, question);
    return ask(port, method, () -> new ArrayList<>(answer));
  }

  /** A new map of the answers, some of which may be null. */
  static <K, V> Map<K, V> map(String port, String method, Supplier<Map<K, V>> question) {
    Map<K, V> answer = ask(port, method, question);
    return ask(port, method, () -> new HashMap<>(answer));
  }

  static void tell(String port, String method, Runnable message) {
    call(
        port,
        method,
        () -> {
          message.run();
          return null;
        });
  }

  /** What may be null. */
  static <T> T call(String port, String method, Supplier<T> question) {
    try {
      return question.get();
    } catch (PortException named) {
      throw named;
    } catch (Throwable thrown) {
      throw new PortException(port, method, "threw", thrown);
    }
  }

  /**
   * Passes on what a report must not hide: an interrupt, and the first error that a port or a
   * strategy threw. Called when the pass is over and its books are in order.
   */
  static void passOn(List<LighthouseException> failures) {
    for (LighthouseException failure : failures) {
      if (failure.getCause() instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
    }
    for (LighthouseException failure : failures) {
      if (failure.getCause() instanceof Error error) {
        throw error;
      }
    }
  }
}

package io.lighthouse.tests.contract;

import io.lighthouse.tests.referee.Law;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import net.jqwik.api.Assume;

/**
 * Runs a check in a thread of its own, so that a strategy that never ends does not block its test.
 * Java cannot stop such a thread: it is abandoned, and the contract is not tried again.
 */
final class Watch {
  /** The contracts that were given up, with the law that did so, and its report. */
  private static final Map<Class<?>, GivenUp> GIVEN_UP = new ConcurrentHashMap<>();

  private record GivenUp(Law law, String story) {}

  private Watch() {}

  static void over(Class<?> contract, Law law, Duration patience, Minutes minutes, Runnable check) {
    GivenUp before = GIVEN_UP.get(contract);
    if (before != null) {
      // While jqwik shrinks: further tries prove nothing, so the first finding stands.
      Assume.that(before.law() != law);
      throw new BrokenLaw(Law.IN_TIME, "all of it", "an end", "given up: " + before.story());
    }
    FutureTask<Void> task = new FutureTask<>(check, null);
    Thread thread = new Thread(task, "contract of " + contract.getName());
    thread.setDaemon(true);
    thread.start();
    try {
      task.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException looping) {
      String story = "no end after " + patience.toSeconds() + " s of: " + minutes.last();
      GIVEN_UP.put(contract, new GivenUp(law, story));
      throw new BrokenLaw(Law.IN_TIME, "the strategy", "an end", story);
    } catch (ExecutionException thrown) {
      if (thrown.getCause() instanceof RuntimeException exception) {
        throw exception;
      }
      throw (Error) thrown.getCause();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a check ran", stopped);
    }
  }
}

package io.lighthouse.tests.contract;

import io.lighthouse.tests.referee.Law;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import net.jqwik.api.lifecycle.Lifespan;
import net.jqwik.api.lifecycle.Store;

/**
 * Runs a check in a thread of its own, so that a strategy that never ends does not block its test.
 * Java cannot stop such a thread: it is abandoned, and the contract is not tried again.
 */
final class Watch {
  /** The contracts that were given up, with the report of the call that did not end. */
  private static final Map<Class<?>, String> GIVEN_UP = new ConcurrentHashMap<>();

  private Watch() {}

  /** Only for a thread of jqwik, which knows the property that it runs. */
  static void over(Class<?> contract, Duration patience, CallRecord record, Runnable check) {
    AtomicBoolean reported =
        Store.getOrCreate(Watch.class, Lifespan.PROPERTY, AtomicBoolean::new).get();
    if (reported.get()) {
      return; // jqwik shrinks, but no smaller scenario proves anything: the first finding stands.
    }
    if (GIVEN_UP.containsKey(contract)) {
      reported.set(true);
      throw new BrokenLaw(
          Law.IN_TIME, "all of it", "an end", "given up: " + GIVEN_UP.get(contract));
    }
    FutureTask<Void> task = new FutureTask<>(check, null);
    Thread thread = new Thread(task, "contract of " + contract.getName());
    thread.setDaemon(true);
    thread.start();
    try {
      task.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException looping) {
      String story = "no end after " + patience.toSeconds() + " s of: " + record.last();
      GIVEN_UP.put(contract, story);
      reported.set(true);
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

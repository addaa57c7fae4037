package io.lighthouse.core.engine;

import io.lighthouse.api.error.StrategyException;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.core.view.FleetView;
import io.lighthouse.core.view.Interruption;
import java.util.function.Supplier;

/**
 * The calls of a strategy's code. What they throw is a fault of the strategy, the end of an
 * interrupted thread, or a fault of Lighthouse itself.
 */
final class StrategyCalls {
  private final FleetView fleet;
  private final StrategyDescription description;

  /** How many calls of the strategy's code run now: a batch placer may have placers called. */
  private int depth;

  /** A fault of the strategy that was found while its code runs; null where there is none. */
  private StrategyException found;

  StrategyCalls(FleetView fleet, StrategyDescription description) {
    this.fleet = fleet;
    this.description = description;
  }

  boolean running() {
    return depth > 0;
  }

  /** Code of the strategy is called; {@link #end} follows whatever it throws. */
  void begin() {
    if (depth++ == 0) {
      fleet.forgetBroken();
      found = null;
    }
  }

  /**
   * The code of the strategy has ended. Throws what Lighthouse itself threw meanwhile, and a fault
   * of the strategy that its own code has caught.
   */
  void end() {
    depth--;
    fleet.checkSound();
    if (depth == 0 && found != null) {
      throw found;
    }
  }

  /**
   * Calls the strategy for something that is not a choice.
   *
   * @param what the words for it in the message of a failure
   */
  <T> T call(String what, Supplier<T> code) {
    begin();
    try {
      return code.get();
    } catch (Throwable thrown) {
      throw failure("threw when asked for " + what + ": " + thrown, thrown);
    } finally {
      end();
    }
  }

  /**
   * What a strategy threw, as its caller is to see it: on an interrupted thread it may throw; and
   * where Lighthouse itself threw into the strategy, that is what counts.
   */
  RuntimeException failure(String what, Throwable thrown) {
    fleet.checkSound();
    if (found != null) {
      return found;
    }
    return Thread.currentThread().isInterrupted() ? Interruption.of(thrown) : fault(what, thrown);
  }

  StrategyException fault(String what, Throwable cause) {
    StrategyException fault =
        new StrategyException(description.name(), description.origin(), what, cause);
    found = depth > 0 ? fault : null;
    return fault;
  }
}

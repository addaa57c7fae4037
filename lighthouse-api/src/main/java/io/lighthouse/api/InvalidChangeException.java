package io.lighthouse.api;

import io.lighthouse.api.error.InvalidInputException;
import java.util.List;
import java.util.Optional;

/**
 * One of several changes is invalid, so none of them has been carried out. The message names the
 * step, its change, and what is wrong with it.
 */
public final class InvalidChangeException extends InvalidInputException {
  private static final long serialVersionUID = 1L;

  /** The index of the change. */
  private final int step;

  /** The change. */
  private final transient Change change;

  /** What is wrong with it is about this; null if that is no thing of a distributor. */
  private final Thing thing;

  /** Why the workload does not fit; empty if something else is wrong. */
  private final transient List<Reason> reasons;

  /**
   * Makes the message {@code change 2 of 5 (move 'w' from 'a' to 'b'): ...}. A long text of a
   * change is shortened.
   *
   * @param step the index of the change, from 0
   * @param steps how many changes there are
   * @param change the change
   * @param wrong what is wrong with it
   * @param reasons why the workload does not fit the node; empty if something else is wrong
   */
  public InvalidChangeException(
      int step, int steps, Change change, InvalidInputException wrong, List<Reason> reasons) {
    super(
        "change %s of %s (%s): %s"
            .formatted(step + 1, steps, shortened(change.toString()), wrong.subject()),
        wrong.field(),
        wrong.found(),
        wrong.allowed());
    this.step = step;
    this.change = change;
    this.thing = wrong.thing().orElse(null);
    this.reasons = List.copyOf(reasons);
    initCause(wrong);
  }

  /**
   * The thing in the change that is wrong, if it is one of those given to a distributor.
   *
   * @return that of the mistake in the change; empty if the mistake has none
   */
  @Override
  public Optional<Thing> thing() {
    return Optional.ofNullable(thing);
  }

  /**
   * The index of the invalid change.
   *
   * @return its index, from 0
   */
  public int step() {
    return step;
  }

  /**
   * The invalid change.
   *
   * @return the change; null if the exception was deserialised
   */
  public Change change() {
    return change;
  }

  /**
   * Why the workload does not fit the node.
   *
   * @return every broken condition; empty if something else is wrong; null if the exception was
   *     deserialised
   */
  public List<Reason> reasons() {
    return reasons;
  }
}

package io.lighthouse.api;

import java.util.List;

/**
 * One of several changes that were to be carried out does not go. None of them has been carried
 * out. The message names the step, its change, and what is wrong with it.
 */
public final class InvalidChangeException extends InvalidInputException {
  private static final long serialVersionUID = 1L;

  /** The index of the change. */
  private final int step;

  /** The change. */
  private final transient Change change;

  /** Why the workload does not fit; empty where that is not what is wrong. */
  private final transient List<Reason> reasons;

  /**
   * Makes the message {@code change 2 of 5 (move 'w' from 'a' to 'b'): ...}.
   *
   * @param step the index of the change, from 0
   * @param steps how many changes there are
   * @param change the change
   * @param wrong what is wrong with it
   * @param reasons why the workload does not fit the node; empty where something else is wrong
   */
  public InvalidChangeException(
      int step, int steps, Change change, InvalidInputException wrong, List<Reason> reasons) {
    super(
        "change " + (step + 1) + " of " + steps + " (" + change + "): " + wrong.subject(),
        wrong.field(),
        wrong.found(),
        wrong.allowed());
    this.step = step;
    this.change = change;
    this.reasons = List.copyOf(reasons);
    initCause(wrong);
  }

  /**
   * Which change does not go.
   *
   * @return its index, from 0
   */
  public int step() {
    return step;
  }

  /**
   * The change that does not go.
   *
   * @return the change; null where this was read from a serialised form
   */
  public Change change() {
    return change;
  }

  /**
   * Why the workload does not fit the node.
   *
   * @return every broken condition; empty where something else is wrong; null where this was read
   *     from a serialised form
   */
  public List<Reason> reasons() {
    return reasons;
  }
}

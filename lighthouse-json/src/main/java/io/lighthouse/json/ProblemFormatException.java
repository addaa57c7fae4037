package io.lighthouse.json;

import io.lighthouse.api.error.InvalidInputException;
import java.util.List;

/**
 * A text is not a sound problem. Its message is that of the first fault; {@link #faults} has all
 * that were found.
 */
public final class ProblemFormatException extends InvalidInputException {
  private static final long serialVersionUID = 1L;

  /** All that were found, at least one. */
  private final transient List<Fault> faults;

  /**
   * An exception for what was found.
   *
   * @param faults at least one, the first one first
   * @throws IndexOutOfBoundsException if there is none
   */
  public ProblemFormatException(List<Fault> faults) {
    super(
        faults.get(0).subject(),
        faults.get(0).field(),
        faults.get(0).found(),
        faults.get(0).allowed());
    this.faults = List.copyOf(faults);
  }

  /**
   * What is wrong, in the order in which it was found. Where the text is no JSON, or goes beyond
   * the limits, that alone.
   *
   * @return at least one fault; unmodifiable; empty only in an exception that was serialized
   */
  public List<Fault> faults() {
    return faults == null ? List.of() : faults;
  }
}

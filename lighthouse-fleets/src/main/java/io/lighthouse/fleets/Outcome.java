package io.lighthouse.fleets;

/** The outcome of a command that was carried out. */
public enum Outcome {
  /** It was carried out, or there was nothing to do; the answer has a body. */
  DONE(200),
  /** It created what it names; the answer has a body. */
  CREATED(201),
  /** It was carried out; the answer has no body. */
  EMPTY(204);

  private final int code;

  Outcome(int code) {
    this.code = code;
  }

  /**
   * Its number in the log, the same in all versions.
   *
   * @return the number
   */
  public int code() {
    return code;
  }

  /**
   * The outcome with a number in the log.
   *
   * @param code the number
   * @return the outcome
   * @throws IllegalArgumentException if no outcome has it
   */
  public static Outcome of(int code) {
    for (Outcome outcome : values()) {
      if (outcome.code == code) {
        return outcome;
      }
    }
    throw new IllegalArgumentException("no outcome has the number " + code);
  }
}

package io.lighthouse.fleets;

/** The memory in which the answer of one call is written. For one thread at a time. */
@FunctionalInterface
public interface AnswerRoom {
  /** Room for every answer. */
  AnswerRoom UNLIMITED = (bytes, needed) -> true;

  /**
   * Takes memory for a further part of the answer, until the call is answered.
   *
   * @param bytes the bytes of that part
   * @param needed whether the call has changed the fleet, so that it is answered in any case: then
   *     memory is taken even beyond the limit
   * @return whether there is room
   */
  boolean take(long bytes, boolean needed);
}

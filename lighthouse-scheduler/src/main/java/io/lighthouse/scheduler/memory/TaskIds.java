package io.lighthouse.scheduler.memory;

import io.lighthouse.api.Names;
import io.lighthouse.api.error.InvalidInputException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The ids of the node and system tasks that one start of the process makes: {@code
 * system/NAME/INCARNATION-NUMBER}. Ids of different incarnations differ, since the last dash of an
 * id ends the incarnation, which holds no slash. Thread-safe.
 */
final class TaskIds {
  /** What the last part of each id begins with; empty for a process that never restarts. */
  private final String prefix;

  private final AtomicLong made = new AtomicLong();

  TaskIds(String incarnation) {
    if (!incarnation.isEmpty()) {
      Names.require(incarnation, "ports", "incarnation");
      if (incarnation.indexOf('/') >= 0) {
        throw new InvalidInputException(
            "ports", "incarnation", "'" + incarnation + "'", "a name without '/'");
      }
    }
    prefix = incarnation.isEmpty() ? "" : incarnation + "-";
  }

  String next(String kind) {
    return kind + "/" + prefix + made.getAndIncrement();
  }

  /**
   * Checks that a task was made by an earlier start.
   *
   * @throws InvalidInputException if this start makes ids of that form
   */
  void requireEarlier(String id) {
    String last = id.substring(id.lastIndexOf('/') + 1);
    String number = last.startsWith(prefix) ? last.substring(prefix.length()) : "";
    if (!number.isEmpty() && number.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new InvalidInputException(
          "task '" + id + "'",
          "incarnation",
          prefix.isEmpty() ? "none" : "'" + prefix.substring(0, prefix.length() - 1) + "'",
          "ports whose incarnation is not that of the restored task");
    }
  }
}

package io.lighthouse.json;

import io.lighthouse.api.error.InvalidInputException;

/**
 * How much a reader takes in before it refuses a text. All are enforced while reading, so that a
 * text costs no more memory than they allow. Immutable and thread-safe.
 *
 * @param depth most levels of objects and arrays, up to 1100; a problem without rules has 6, and
 *     one with them 10 and three more for each level of nested {@code any}
 * @param nameLength most characters (UTF-16 units) of a name or another text
 * @param numberLength most characters of a number
 * @param nodes most nodes
 * @param workloads most workloads, those on nodes included
 * @param entries most entries of one map or list, other than nodes and workloads
 * @param faults most faults that are collected before reading stops
 */
public record Limits(
    int depth,
    int nameLength,
    int numberLength,
    int nodes,
    int workloads,
    int entries,
    int faults) {

  /**
   * Most levels of any text. The service takes in at most 1000. A log or a snapshot of the same has
   * a few more around it.
   */
  private static final int DEEPEST = 1100;

  /** For files of one's own: as many nodes and workloads as memory takes. */
  public static final Limits STANDARD =
      new Limits(64, 4096, 2100, Integer.MAX_VALUE, Integer.MAX_VALUE, 1_000_000, 100);

  /**
   * For what Lighthouse has written itself, a log, a record or an export: whatever could be written
   * can be read, however it was limited then.
   */
  public static final Limits WRITTEN =
      STANDARD
          .withDepth(DEEPEST)
          .withLengths(Integer.MAX_VALUE, Integer.MAX_VALUE)
          .withCounts(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);

  /**
   * Checks.
   *
   * @throws InvalidInputException if one is below 1, or the depth beyond 1100
   */
  public Limits {
    require("depth", depth, DEEPEST);
    require("nameLength", nameLength, Integer.MAX_VALUE);
    require("numberLength", numberLength, Integer.MAX_VALUE);
    require("nodes", nodes, Integer.MAX_VALUE);
    require("workloads", workloads, Integer.MAX_VALUE);
    require("entries", entries, Integer.MAX_VALUE);
    require("faults", faults, Integer.MAX_VALUE);
  }

  /**
   * The same with another depth.
   *
   * @param most levels of objects and arrays
   * @return new limits
   */
  public Limits withDepth(int most) {
    return new Limits(most, nameLength, numberLength, nodes, workloads, entries, faults);
  }

  /**
   * The same with other lengths of names and numbers.
   *
   * @param name most characters of a name
   * @param number most characters of a number
   * @return new limits
   */
  public Limits withLengths(int name, int number) {
    return new Limits(depth, name, number, nodes, workloads, entries, faults);
  }

  /**
   * The same with other counts.
   *
   * @param ofNodes most nodes
   * @param ofWorkloads most workloads, those on nodes included
   * @param ofEntries most entries of one map or list, other than nodes and workloads
   * @return new limits
   */
  public Limits withCounts(int ofNodes, int ofWorkloads, int ofEntries) {
    return new Limits(depth, nameLength, numberLength, ofNodes, ofWorkloads, ofEntries, faults);
  }

  /**
   * The same with another number of faults.
   *
   * @param most most faults collected
   * @return new limits
   */
  public Limits withFaults(int most) {
    return new Limits(depth, nameLength, numberLength, nodes, workloads, entries, most);
  }

  private static void require(String name, int value, int most) {
    if (value < 1 || value > most) {
      throw new InvalidInputException("limits", name, Integer.toString(value), "1 to " + most);
    }
  }
}

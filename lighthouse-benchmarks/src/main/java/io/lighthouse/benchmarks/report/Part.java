package io.lighthouse.benchmarks.report;

import java.util.Arrays;
import java.util.Locale;

/** A part of the suite, which can be asked for by name; its table. */
enum Part {
  /** Whole batches. */
  BATCH("One batch"),
  /** The naive placer and the plain scan. */
  COMPARED("Beside a naive placer and a plain scan"),
  /** One workload at a time. */
  DECISION("One decision at a time"),
  /** Release and come back. */
  CHURN("Churn"),
  /** Nodes that come, go and are resized between placements. */
  NODES("Nodes that change"),
  /** Fleets that invite a search of every node. */
  CLIFFS("Cliffs"),
  /** Refusals and what they allocate. */
  REFUSAL("Refusals and allocation"),
  /** Explanation, snapshot, copy. */
  INSIGHT("Explain, snapshot, copy"),
  /** Bytes for nodes and placed workloads. */
  MEMORY("Memory"),
  /** Fenzo and Timefold. */
  PEERS("Beside others"),
  /** Problems from files. */
  DATA("Problems of others"),
  /** The command line. */
  COMMAND("The command line"),
  /** A pass of the scheduling manager. */
  SCHEDULING("The scheduling manager");

  private final String title;

  Part(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  static Part named(String name) {
    for (Part part : values()) {
      if (part.toString().equals(name)) {
        return part;
      }
    }
    throw new IllegalArgumentException(
        "no part '" + name + "'; there are: " + Arrays.toString(values()));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}

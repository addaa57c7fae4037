package io.lighthouse.benchmarks.report;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** A part of the suite, which can be selected by name, with the title of its table. */
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
  SCHEDULING("The scheduling manager"),
  /** A step of a search over a whole batch. */
  SESSION("One step of a search"),
  /** Batches of workloads with rules. */
  RULES("Rules"),
  /** One change tried out and rolled back. */
  TRYOUT("One change tried out"),
  /** Requests over HTTP, without fleets. */
  SERVICE("The service"),
  /** Fleets that live on between calls, over HTTP. */
  FLEETS_OVER_HTTP("Durable fleets"),
  /** How long a killed service is away. */
  RESTART("Restart"),
  /** How a pass grows with each size of a cluster. */
  GROWTH_OF_PASSES("Growth of a pass"),
  /** Decisions about pods, without a server. */
  KUBERNETES("Decisions about pods"),
  /** Pods bound on a real API server. */
  RATES("Rates on one API server"),
  /** How good packings are: public instances of vector packing. */
  VECTOR_PACKING("Vector packing", Page.QUALITY),
  /** How good packings are: machine reassignment. */
  REASSIGNMENT("Machine reassignment", Page.QUALITY),
  /** How good packings are: servers of many sizes. */
  SERVERS("Servers", Page.QUALITY),
  /** How good packings are: generated fleets. */
  FLEETS("Fleets of four shapes", Page.QUALITY),
  /** How good and how fast placements are on a large fleet. */
  LARGE("A large fleet", Page.QUALITY),
  /** How many nodes plans free. */
  CONSOLIDATION("Nodes freed after churn", Page.QUALITY);

  /** Where the table of a part stands. */
  enum Page {
    BENCHMARKS,
    QUALITY;

    /** Its parts. */
    Set<Part> parts() {
      Set<Part> parts = EnumSet.allOf(Part.class);
      parts.removeIf(part -> part.page != this);
      return parts;
    }

    /** The name of its file in the documentation. */
    String file() {
      return this + ".md";
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final String title;
  private final Page page;

  Part(String title) {
    this(title, Page.BENCHMARKS);
  }

  Part(String title, Page page) {
    this.title = title;
    this.page = page;
  }

  Page page() {
    return page;
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
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}

package io.lighthouse.benchmarks.run;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** A part of the suite, which can be selected by name, with the title of its table. */
public enum Part {
  BATCH("One batch"),
  COMPARED("Beside a naive placer and a plain scan"),
  DECISION("One decision at a time"),
  CHURN("Churn"),
  NODES("Nodes that change"),
  CLIFFS("Cliffs"),
  REFUSAL("Refusals and allocation"),
  INSIGHT("Explain, snapshot, copy"),
  MEMORY("Memory"),
  PEERS("Beside others"),
  DATA("Problems of others"),
  COMMAND("The command line"),
  SCHEDULING("The scheduling manager"),
  SESSION("One step of a search"),
  RULES("Rules"),
  TRYOUT("One change tried out"),
  SERVICE("The service"),
  FLEETS_OVER_HTTP("Durable fleets"),
  RESTART("Restart"),
  GROWTH_OF_PASSES("Growth of a pass"),
  KUBERNETES("Decisions about pods"),
  RATES("Rates on one API server"),
  VECTOR_PACKING("Vector packing", Page.QUALITY),
  REASSIGNMENT("Machine reassignment", Page.QUALITY),
  SERVERS("Servers", Page.QUALITY),
  FLEETS("Fleets of four shapes", Page.QUALITY),
  LARGE("A large fleet", Page.QUALITY),
  CONSOLIDATION("Nodes freed after churn", Page.QUALITY);

  /** Where the table of a part stands. */
  public enum Page {
    BENCHMARKS,
    QUALITY;

    /** Its parts. */
    public Set<Part> parts() {
      Set<Part> parts = EnumSet.allOf(Part.class);
      parts.removeIf(part -> part.page != this);
      return parts;
    }

    /** The name of its file in the documentation. */
    public String file() {
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

  public String title() {
    return title;
  }

  public static Part named(String name) {
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

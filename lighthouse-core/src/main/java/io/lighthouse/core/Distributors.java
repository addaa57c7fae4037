package io.lighthouse.core;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.StrategyDescription;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Where distributors come from. Signatures only, until the engine lands. */
public final class Distributors {
  private Distributors() {}

  /** Strategies on the module path and class path, found anew at every call. */
  public static Distributors installed() {
    return new Distributors();
  }

  /** The same, and those of a directory of plug-in jars (one module layer a jar or sub-directory). */
  public static Distributors installed(Path plugins) {
    return new Distributors();
  }

  /** Usable strategies, by name. */
  public List<StrategyDescription> strategies() {
    return List.of();
  }

  /** What is broken among the installed: one message each, with class and jar. */
  public List<String> faults() {
    return List.of();
  }

  /** The strategy of a name; error lists those known; two of one name: error with both origins. */
  public PlacementStrategy find(String name) {
    throw new UnsupportedOperationException(name);
  }

  /** A distributor with an installed strategy. */
  public Builder strategy(String name) {
    return new Builder();
  }

  /** A distributor with a strategy at hand. */
  public static Builder of(PlacementStrategy strategy) {
    return new Builder();
  }

  /** A distributor with a placer at hand, such as a lambda: a strategy without settings. */
  public static Builder of(String name, Placer placer) {
    return new Builder();
  }

  /** What a distributor is made of. */
  public static final class Builder {
    private Builder() {}

    public Builder nodes(List<Node> nodes) {
      return this;
    }

    public Builder nodes(Node... nodes) {
      return this;
    }

    public Builder rubric(Rubric rubric) {
      return this;
    }

    public Builder settings(Map<String, String> settings) {
      return this;
    }

    public Builder setting(String name, String value) {
      return this;
    }

    /** The round-robin position. */
    public Builder lastPlaced(String node) {
      return this;
    }

    public Distributor build() {
      throw new UnsupportedOperationException();
    }
  }
}

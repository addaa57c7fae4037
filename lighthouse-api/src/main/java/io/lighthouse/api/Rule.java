package io.lighthouse.api;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a workload asks of who is already placed. A rule has an excess on a node, a whole number
 * that says how far it would be from being kept if the workload came there: as a hard rule it must
 * be 0, as a preference it is to be the least. Immutable and thread-safe.
 */
public sealed interface Rule {
  /** The level at which each node is a domain of its own. */
  String NODE = "node";

  /** The level of the one domain of all nodes, which has the same name. */
  String FLEET = "fleet";

  /**
   * At most so many of a group in the node's domain, itself included. As a hard rule of somebody
   * placed it binds newcomers of the group, too.
   *
   * @param most 0 or more
   * @param group the name of the group
   * @param level the level
   */
  record Most(int most, String group, String level) implements Rule {
    /**
     * Checks.
     *
     * @throws InvalidInputException if the bound is negative or a name is empty or ill-formed
     */
    public Most {
      requireAtLeast(0, most, "most");
      Names.require(group, "rule", "group");
      Names.require(level, "rule", "level");
    }
  }

  /**
   * At least so many of a group in the node's domain already, itself not counted; for a member no
   * more than there are in the fleet, so that the first may come.
   *
   * @param least 1 or more
   * @param group the name of the group
   * @param level the level
   */
  record Least(int least, String group, String level) implements Rule {
    /**
     * Checks.
     *
     * @throws InvalidInputException if the bound is below 1 or a name is empty or ill-formed
     */
    public Least {
      requireAtLeast(1, least, "least");
      Names.require(group, "rule", "group");
      Names.require(level, "rule", "level");
    }
  }

  /**
   * The node's domain is, with the workload in it, no fuller of a group than the emptiest eligible
   * domain by more than so many.
   *
   * @param skew 1 or more; 0 or more as a preference
   * @param group the name of the group
   * @param level the level
   * @param minDomains while fewer domains are there that the workload's {@code where} allows, the
   *     emptiest counts as empty; 1 or more
   */
  record Skew(int skew, String group, String level, int minDomains) implements Rule {
    /**
     * Checks.
     *
     * @throws InvalidInputException if a number is below its bound or a name is empty or ill-formed
     */
    public Skew {
      requireAtLeast(0, skew, "skew");
      requireAtLeast(1, minDomains, "min_domains");
      Names.require(group, "rule", "group");
      Names.require(level, "rule", "level");
    }
  }

  /**
   * Conditions, as a preference: excess 0 where all hold, else 1. As a hard rule they stand in
   * {@link Terms#where}.
   *
   * @param conditions what is preferred
   */
  record Where(List<Condition> conditions) implements Rule {
    /** Copies. */
    public Where {
      conditions = List.copyOf(conditions);
    }
  }

  /**
   * A rule of a plug-in.
   *
   * @param rule its name
   * @param with its settings; kept in the order of names
   */
  record Named(String rule, Map<String, String> with) implements Rule {
    /**
     * Checks and copies.
     *
     * @throws InvalidInputException if the name is empty or ill-formed
     */
    public Named {
      Names.require(rule, "rule", "rule");
      Map<String, String> sorted = new TreeMap<>(Names.order());
      sorted.putAll(with);
      with = java.util.Collections.unmodifiableMap(sorted);
    }
  }

  private static void requireAtLeast(int least, int given, String field) {
    if (given < least) {
      throw new InvalidInputException(
          "rule", field, String.valueOf(given), "a whole number from " + least);
    }
  }
}

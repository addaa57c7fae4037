package io.lighthouse.api;

import io.lighthouse.api.error.InvalidInputException;
import java.util.List;
import java.util.Map;

/**
 * A rule of a workload about workloads that are already placed. On each node a rule has an excess:
 * a whole number that measures how far it would be violated if the workload were placed there. For
 * a hard rule the excess must be 0. As a preference, the node with the least excess is preferred.
 * Immutable and thread-safe.
 */
public sealed interface Rule {
  /** The level at which each node is a domain of its own. */
  String NODE = "node";

  /** The level of the one domain of all nodes, which has the same name. */
  String FLEET = "fleet";

  /**
   * Calls the case for this kind of rule. Code that depends on the kind implements {@link Cases},
   * so that it fails to compile when a kind is added.
   *
   * @param cases one function for each kind
   * @param <R> what they return
   * @return what the case for this kind returns
   */
  <R> R match(Cases<R> cases);

  /**
   * One function for each kind of rule.
   *
   * @param <R> what the functions return
   */
  interface Cases<R> {
    /**
     * {@return the result for {@link Most}}
     *
     * @param rule the rule
     */
    R most(Most rule);

    /**
     * {@return the result for {@link Least}}
     *
     * @param rule the rule
     */
    R least(Least rule);

    /**
     * {@return the result for {@link Skew}}
     *
     * @param rule the rule
     */
    R skew(Skew rule);

    /**
     * {@return the result for {@link Apart}}
     *
     * @param rule the rule
     */
    R apart(Apart rule);

    /**
     * {@return the result for {@link Where}}
     *
     * @param rule the rule
     */
    R where(Where rule);

    /**
     * {@return the result for {@link Named}}
     *
     * @param rule the rule
     */
    R named(Named rule);
  }

  /**
   * Cases for code that treats all rules that count a group alike.
   *
   * @param <R> what the functions return
   */
  interface GroupCases<R> extends Cases<R> {
    /**
     * {@return the result for a rule that counts a group}
     *
     * @param rule the rule
     */
    R ofGroup(OfGroup rule);

    @Override
    default R most(Most rule) {
      return ofGroup(rule);
    }

    @Override
    default R least(Least rule) {
      return ofGroup(rule);
    }

    @Override
    default R skew(Skew rule) {
      return ofGroup(rule);
    }

    @Override
    default R apart(Apart rule) {
      return ofGroup(rule);
    }
  }

  /**
   * A rule that counts the placed members of one group in the domains of one level. Its answers
   * change with placements only through these counts.
   */
  sealed interface OfGroup extends Rule {
    /**
     * The group whose members are counted.
     *
     * @return the name of the group
     */
    String group();

    /**
     * The level whose domains are compared.
     *
     * @return the name of the level
     */
    String level();

    /**
     * Whether a node that belongs to no domain of the level breaks the rule.
     *
     * @return false if such a node always keeps it
     */
    boolean needsDomain();

    /**
     * Whether further placements can only make the rule stricter for a workload that waits.
     *
     * @return false if a placement can make a node admissible
     */
    boolean monotone();

    /**
     * How many members of the group the holder of this hard rule permits in its own domain. The
     * limit binds members of the group that come later.
     *
     * @param member whether the holder is itself a member of the group
     * @return 0 or more; {@link Integer#MAX_VALUE} for no limit
     */
    int limitForNewcomers(boolean member);
  }

  /**
   * At most {@code most} members of a group in the node's domain, the workload itself included.
   * Once a workload with this hard rule is placed, the rule also binds later members of the group.
   *
   * @param most 0 or more
   * @param group the name of the group
   * @param level the level
   */
  record Most(int most, String group, String level) implements OfGroup {
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

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.most(this);
    }

    @Override
    public boolean needsDomain() {
      return false;
    }

    @Override
    public boolean monotone() {
      return true;
    }

    @Override
    public int limitForNewcomers(boolean member) {
      return most;
    }
  }

  /**
   * At least {@code least} members of a group in the node's domain already, the workload itself not
   * counted. For a member of the group the number is capped by the members in the whole fleet, so
   * that the first member can be placed.
   *
   * @param least 1 or more
   * @param group the name of the group
   * @param level the level
   */
  record Least(int least, String group, String level) implements OfGroup {
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

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.least(this);
    }

    @Override
    public boolean needsDomain() {
      return true;
    }

    @Override
    public boolean monotone() {
      return false;
    }

    @Override
    public int limitForNewcomers(boolean member) {
      return Integer.MAX_VALUE;
    }
  }

  /**
   * With the workload placed, the node's domain has at most {@code skew} members of a group more
   * than the eligible domain with the fewest.
   *
   * @param skew 1 or more; 0 or more as a preference
   * @param group the name of the group
   * @param level the level
   * @param minDomains if the workload's {@code where} allows fewer domains than this, the fewest
   *     members count as 0; 1 or more
   */
  record Skew(int skew, String group, String level, int minDomains) implements OfGroup {
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

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.skew(this);
    }

    @Override
    public boolean needsDomain() {
      return true;
    }

    @Override
    public boolean monotone() {
      return false;
    }

    @Override
    public int limitForNewcomers(boolean member) {
      return Integer.MAX_VALUE;
    }
  }

  /**
   * No other member of a group in the node's domain. Once a workload with this hard rule is placed,
   * no later member of the group goes to its domain. For a member of the group this is {@link Most}
   * 1, for others {@link Most} 0; which of the two follows the workload's groups when they change.
   *
   * @param group the name of the group
   * @param level the level
   */
  record Apart(String group, String level) implements OfGroup {
    /**
     * Checks.
     *
     * @throws InvalidInputException if a name is empty or ill-formed
     */
    public Apart {
      Names.require(group, "rule", "group");
      Names.require(level, "rule", "level");
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.apart(this);
    }

    @Override
    public boolean needsDomain() {
      return false;
    }

    @Override
    public boolean monotone() {
      return true;
    }

    @Override
    public int limitForNewcomers(boolean member) {
      return member ? 1 : 0;
    }
  }

  /**
   * Conditions as a preference: the excess is 0 if all hold, else 1. Hard conditions belong in
   * {@link Terms#where}.
   *
   * @param conditions the preferred conditions
   */
  record Where(List<Condition> conditions) implements Rule {
    /** Copies. */
    public Where {
      conditions = List.copyOf(conditions);
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.where(this);
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
     * @throws InvalidInputException if its name or that of a setting is empty or ill-formed, or a
     *     value is ill-formed; a value may be empty
     */
    public Named {
      Names.require(rule, "rule", "rule");
      with = SortedNames.copyOf(with);
      for (Map.Entry<String, String> setting : with.entrySet()) {
        String name = Names.require(setting.getKey(), "rule '" + rule + "'", "with");
        if (!setting.getValue().isEmpty()) {
          Names.require(setting.getValue(), "rule '" + rule + "'", "with." + name);
        }
      }
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.named(this);
    }
  }

  private static void requireAtLeast(int least, int given, String field) {
    if (given < least) {
      throw new InvalidInputException(
          "rule", field, String.valueOf(given), "a whole number from " + least);
    }
  }
}

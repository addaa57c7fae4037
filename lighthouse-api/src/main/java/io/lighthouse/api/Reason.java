package io.lighthouse.api;

import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.quantity.Unit;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Why a node did not take a workload. Each reason describes the state at the workload's turn, and
 * can be verified from the quantities that it contains. Immutable and thread-safe.
 */
public sealed interface Reason {
  /**
   * Calls the case for this kind of reason. Code that depends on the kind implements {@link Cases},
   * so that it fails to compile when a kind is added.
   *
   * @param cases one function for each kind
   * @param <R> what they return
   * @return what the case for this kind returns
   */
  <R> R match(Cases<R> cases);

  /**
   * One function for each kind of reason.
   *
   * @param <R> what the functions return
   */
  interface Cases<R> {
    /**
     * {@return the result for {@link Cordoned}}
     *
     * @param reason the reason
     */
    R cordoned(Cordoned reason);

    /**
     * {@return the result for {@link Missing}}
     *
     * @param reason the reason
     */
    R missing(Missing reason);

    /**
     * {@return the result for {@link Insufficient}}
     *
     * @param reason the reason
     */
    R insufficient(Insufficient reason);

    /**
     * {@return the result for {@link Negative}}
     *
     * @param reason the reason
     */
    R negative(Negative reason);

    /**
     * {@return the result for {@link At}}
     *
     * @param reason the reason
     */
    R at(At reason);

    /**
     * {@return the result for {@link NoDomain}}
     *
     * @param reason the reason
     */
    R noDomain(NoDomain reason);

    /**
     * {@return the result for {@link OffUnit}}
     *
     * @param reason the reason
     */
    R offUnit(OffUnit reason);

    /**
     * {@return the result for {@link NotSelected}}
     *
     * @param reason the reason
     */
    R notSelected(NotSelected reason);

    /**
     * {@return the result for {@link Crowded}}
     *
     * @param reason the reason
     */
    R crowded(Crowded reason);

    /**
     * {@return the result for {@link Alone}}
     *
     * @param reason the reason
     */
    R alone(Alone reason);

    /**
     * {@return the result for {@link Skewed}}
     *
     * @param reason the reason
     */
    R skewed(Skewed reason);

    /**
     * {@return the result for {@link ByRule}}
     *
     * @param reason the reason
     */
    R byRule(ByRule reason);

    /**
     * {@return the result for {@link Worse}}
     *
     * @param reason the reason
     */
    R worse(Worse reason);

    /**
     * {@return the result for {@link Declined}}
     *
     * @param reason the reason
     */
    R declined(Declined reason);

    /**
     * {@return the result for {@link Averse}}
     *
     * @param reason the reason
     */
    R averse(Averse reason);

    /**
     * {@return the result for {@link Later}}
     *
     * @param reason the reason
     */
    R later(Later reason);
  }

  /**
   * Cases for code that treats some kinds of reason in their own way and all others alike.
   *
   * @param <R> what the functions return
   */
  interface SomeCases<R> extends Cases<R> {
    /**
     * {@return the result for each kind without a case of its own}
     *
     * @param reason the reason
     */
    R other(Reason reason);

    @Override
    default R cordoned(Cordoned reason) {
      return other(reason);
    }

    @Override
    default R missing(Missing reason) {
      return other(reason);
    }

    @Override
    default R insufficient(Insufficient reason) {
      return other(reason);
    }

    @Override
    default R negative(Negative reason) {
      return other(reason);
    }

    @Override
    default R at(At reason) {
      return other(reason);
    }

    @Override
    default R noDomain(NoDomain reason) {
      return other(reason);
    }

    @Override
    default R offUnit(OffUnit reason) {
      return other(reason);
    }

    @Override
    default R notSelected(NotSelected reason) {
      return other(reason);
    }

    @Override
    default R crowded(Crowded reason) {
      return other(reason);
    }

    @Override
    default R alone(Alone reason) {
      return other(reason);
    }

    @Override
    default R skewed(Skewed reason) {
      return other(reason);
    }

    @Override
    default R byRule(ByRule reason) {
      return other(reason);
    }

    @Override
    default R worse(Worse reason) {
      return other(reason);
    }

    @Override
    default R declined(Declined reason) {
      return other(reason);
    }

    @Override
    default R averse(Averse reason) {
      return other(reason);
    }

    @Override
    default R later(Later reason) {
      return other(reason);
    }
  }

  /** The kinds of reasons, broken conditions first, in the order of {@link Refusal#counts}. */
  enum Kind {
    /** {@link Cordoned}. */
    CORDONED,
    /** {@link Missing}. */
    MISSING,
    /** {@link Insufficient}. */
    SHORT,
    /** {@link Negative}, finite. */
    SHORTCOMING,
    /** {@link Negative}, minus infinity. */
    WARD,
    /** {@link NoDomain}. */
    NO_DOMAIN,
    /** {@link OffUnit}. */
    UNIT,
    /** {@link NotSelected}. */
    NOT_SELECTED,
    /** {@link Crowded}. */
    CROWDED,
    /** {@link Alone}. */
    ALONE,
    /** {@link Skewed}. */
    SKEWED,
    /** {@link ByRule}. */
    RULE,
    /** {@link Declined}. */
    DECLINED,
    /** {@link Averse}. */
    AVERSE,
    /** {@link Worse}. */
    WORSE,
    /** {@link Later}. */
    LATER
  }

  /**
   * The kind.
   *
   * @return one kind for each type, two for {@link Negative}
   */
  Kind kind();

  /**
   * The resource that the reason is about.
   *
   * @return its name; empty if the reason is about the node as a whole
   */
  default Optional<String> resource() {
    return Optional.empty();
  }

  /**
   * The level of the domain that the reason is about.
   *
   * @return the level; empty if the reason is about the node itself
   */
  default Optional<String> level() {
    return Optional.empty();
  }

  /**
   * What the reason is about, beside its level. Counts over nodes are kept separately for each
   * value.
   *
   * @return the resource, the group, the rule's name, or the index of the condition or preference
   *     in its list; empty if the reason is about the node or domain as a whole
   */
  default String about() {
    return resource().orElse("");
  }

  /**
   * The rule of the workload that the reason is about.
   *
   * @return its index, from 0, in the list of the workload's own rules and then those at the top;
   *     -1 if the reason is about none of them
   */
  default int rule() {
    return -1;
  }

  /** The node is cordoned: it takes no new workloads. */
  record Cordoned() implements Reason {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.cordoned(this);
    }

    @Override
    public Kind kind() {
      return Kind.CORDONED;
    }
  }

  /**
   * The workload requires a resource that the node does not have.
   *
   * @param name the resource
   * @param required what the workload requires of it
   */
  record Missing(String name, Quantity required) implements Reason {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.missing(this);
    }

    @Override
    public Kind kind() {
      return Kind.MISSING;
    }

    @Override
    public Optional<String> resource() {
      return Optional.of(name);
    }
  }

  /**
   * The node has too little left: 0 or more, but less than required.
   *
   * @param name the resource
   * @param left what is left of it, 0 or more
   * @param required what the workload requires of it
   * @param lacking {@code required - left}, above 0
   */
  record Insufficient(String name, Quantity left, Quantity required, Quantity lacking)
      implements Reason {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.insufficient(this);
    }

    @Override
    public Kind kind() {
      return Kind.SHORT;
    }

    @Override
    public Optional<String> resource() {
      return Optional.of(name);
    }
  }

  /**
   * The node has a negative resource that the workload neither tolerates nor repays. It is a ward
   * if it is minus infinity, else a shortcoming.
   *
   * @param name the resource
   * @param left what is left of it, below 0
   * @param required what the workload requires of it, 0 if it does not name it; a negative
   *     requirement repays
   * @param lacking {@code required - left}, above 0; plus infinity for a ward
   */
  record Negative(String name, Quantity left, Quantity required, Quantity lacking)
      implements Reason {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.negative(this);
    }

    @Override
    public Kind kind() {
      return left.isInfinite() ? Kind.WARD : Kind.SHORTCOMING;
    }

    @Override
    public Optional<String> resource() {
      return Optional.of(name);
    }
  }

  /**
   * A reason at one of the node's domains: {@link Cordoned}, {@link Missing}, {@link Insufficient},
   * {@link Negative} or {@link OffUnit}.
   *
   * @param at the level
   * @param domain the name of the domain
   * @param reason the reason there
   */
  record At(String at, String domain, Reason reason) implements Reason {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.at(this);
    }

    @Override
    public Kind kind() {
      return reason.kind();
    }

    @Override
    public Optional<String> resource() {
      return reason.resource();
    }

    @Override
    public Optional<String> level() {
      return Optional.of(at);
    }
  }

  /**
   * The node is in no domain of a level that the workload needs.
   *
   * @param at the level
   * @param rule the index, from 0, of the rule that needs the level, in the list of the workload's
   *     own rules and then those at the top. It is -1 if a shared requirement or the gang needs the
   *     level
   */
  record NoDomain(String at, int rule) implements Reason {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.noDomain(this);
    }

    @Override
    public Kind kind() {
      return Kind.NO_DOMAIN;
    }

    @Override
    public Optional<String> level() {
      return Optional.of(at);
    }
  }

  /**
   * The requirement violates the unit of its resource on the node.
   *
   * @param name the resource
   * @param required what the workload requires of it
   * @param unit the unit
   */
  record OffUnit(String name, Quantity required, Unit unit) implements Reason {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.offUnit(this);
    }

    @Override
    public Kind kind() {
      return Kind.UNIT;
    }

    @Override
    public Optional<String> resource() {
      return Optional.of(name);
    }
  }

  /**
   * A condition of the workload's {@code where} does not hold.
   *
   * @param condition its index, from 0
   */
  record NotSelected(int condition) implements Reason {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.notSelected(this);
    }

    @Override
    public Kind kind() {
      return Kind.NOT_SELECTED;
    }

    @Override
    public String about() {
      return String.valueOf(condition);
    }
  }

  /**
   * Too many members of a group would be in a domain, by a rule of the workload or of a workload
   * placed there.
   *
   * @param group the group
   * @param at the level
   * @param domain the name of the domain
   * @param members how many members are there already
   * @param most the most that the rule allows
   * @param excess by how many the limit would be exceeded
   * @param rule the index of the workload's own rule, from 0; -1 if the rule belongs to a placed
   *     workload
   * @param by the name of the placed workload that has the rule; empty if the rule is the
   *     workload's own
   */
  record Crowded(
      String group,
      String at,
      String domain,
      int members,
      int most,
      int excess,
      int rule,
      Optional<String> by)
      implements Reason {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.crowded(this);
    }

    @Override
    public Kind kind() {
      return Kind.CROWDED;
    }

    @Override
    public String about() {
      return group;
    }

    @Override
    public Optional<String> level() {
      return Optional.of(at);
    }
  }

  /**
   * Too few members of a group are in the node's domain.
   *
   * @param group the group
   * @param at the level
   * @param domain the name of the domain
   * @param members how many members are there
   * @param least how many the rule requires
   * @param excess how many are missing
   * @param rule the index of the rule, from 0
   */
  record Alone(String group, String at, String domain, int members, int least, int excess, int rule)
      implements Reason {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.alone(this);
    }

    @Override
    public Kind kind() {
      return Kind.ALONE;
    }

    @Override
    public String about() {
      return group;
    }

    @Override
    public Optional<String> level() {
      return Optional.of(at);
    }
  }

  /**
   * The node's domain would hold too many members of a group compared with the eligible domain that
   * holds fewest.
   *
   * @param group the group
   * @param at the level
   * @param domain the name of the domain
   * @param members how many members are there already
   * @param floor how many members are in the eligible domain with the fewest
   * @param skew the largest difference that the rule allows
   * @param excess by how many the difference would be exceeded
   * @param rule the index of the rule, from 0
   */
  record Skewed(
      String group,
      String at,
      String domain,
      int members,
      int floor,
      int skew,
      int excess,
      int rule)
      implements Reason {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.skewed(this);
    }

    @Override
    public Kind kind() {
      return Kind.SKEWED;
    }

    @Override
    public String about() {
      return group;
    }

    @Override
    public Optional<String> level() {
      return Optional.of(at);
    }
  }

  /**
   * A rule of a plug-in rejects the node.
   *
   * @param name the name of the rule
   * @param text its message
   * @param excess by how much the rule is violated, above 0
   * @param numbers the figures that it reports, in the order of names
   * @param rule the index of the rule, from 0
   */
  record ByRule(String name, String text, long excess, Map<String, Quantity> numbers, int rule)
      implements Reason {
    /** Copies. */
    public ByRule {
      numbers = SortedNames.copyOf(numbers);
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.byRule(this);
    }

    @Override
    public Kind kind() {
      return Kind.RULE;
    }

    @Override
    public String about() {
      return name;
    }
  }

  /**
   * The node fits, but others are better by a preference.
   *
   * @param preference the index of the preference, from 0
   * @param excess the excess on this node; {@link Long#MAX_VALUE} if it is unbounded
   * @param least the least excess among the nodes that were still candidates
   */
  record Worse(int preference, long excess, long least) implements Reason {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.worse(this);
    }

    @Override
    public Kind kind() {
      return Kind.WORSE;
    }

    @Override
    public String about() {
      return String.valueOf(preference);
    }
  }

  /**
   * The node fits, and the strategy declined it. It is also the reason of a node that fits a member
   * of a gang that is not placed.
   */
  record Declined() implements Reason {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.declined(this);
    }

    @Override
    public Kind kind() {
      return Kind.DECLINED;
    }
  }

  /**
   * The node fits, but holds a workload of a shared aversion group while a friendly node fits.
   *
   * @param groups the shared groups, in the order of names
   */
  record Averse(Set<String> groups) implements Reason {
    /** Copies. */
    public Averse {
      groups = SortedNames.copyOf(groups, "reason", "groups");
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.averse(this);
    }

    @Override
    public Kind kind() {
      return Kind.AVERSE;
    }
  }

  /**
   * The node fits and is a candidate, but the strategy took another. It is also the reason of a
   * node that fits a member of a gang whose nodes are in another domain.
   *
   * @param chosen the name of the node that it took
   */
  record Later(String chosen) implements Reason {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.later(this);
    }

    @Override
    public Kind kind() {
      return Kind.LATER;
    }
  }
}

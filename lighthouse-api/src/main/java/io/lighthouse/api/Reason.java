package io.lighthouse.api;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Why a node did not take a workload. Each reason holds for the state at the workload's turn and
 * can be checked against the quantities it names. Immutable and thread-safe.
 */
public sealed interface Reason {

  /** The kinds of reasons, the broken conditions first, in the order in which counts list them. */
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
   * @return its name, or nothing where the reason is about the node as a whole
   */
  Optional<String> resource();

  /**
   * The level of the domain that the reason is about.
   *
   * @return the level, or nothing where the reason is about the node itself
   */
  default Optional<String> level() {
    return Optional.empty();
  }

  /**
   * What the reason is about beside its level, as counts over nodes tell them apart.
   *
   * @return the resource, the group, the rule's name, or the place in the list that holds the
   *     condition; empty where the reason is about the node or domain as a whole
   */
  default String about() {
    return resource().orElse("");
  }

  /** The node takes nobody new. */
  record Cordoned() implements Reason {
    @Override
    public Kind kind() {
      return Kind.CORDONED;
    }

    @Override
    public Optional<String> resource() {
      return Optional.empty();
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
    public Kind kind() {
      return Kind.SHORT;
    }

    @Override
    public Optional<String> resource() {
      return Optional.of(name);
    }
  }

  /**
   * The node has a negative resource that the workload neither tolerates nor repays: a ward where
   * it is minus infinity, else a shortcoming.
   *
   * @param name the resource
   * @param left what is left of it, below 0
   * @param required what the workload requires of it, 0 where it is not named; a negative one
   *     repays
   * @param lacking {@code required - left}, above 0; plus infinity for a ward
   */
  record Negative(String name, Quantity left, Quantity required, Quantity lacking)
      implements Reason {
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
   * The node stands in no domain of a level at which the workload requires something.
   *
   * @param at the level
   * @param rule the place of the rule that asks for the level, among the workload's own and then
   *     those at the top, from 0; -1 where a shared requirement or the gang asks for it
   */
  record NoDomain(String at, int rule) implements Reason {
    @Override
    public Kind kind() {
      return Kind.NO_DOMAIN;
    }

    @Override
    public Optional<String> resource() {
      return Optional.empty();
    }

    @Override
    public Optional<String> level() {
      return Optional.of(at);
    }
  }

  /**
   * The requirement does not obey the unit of its resource there.
   *
   * @param name the resource
   * @param required what the workload requires of it
   * @param unit what may be required
   */
  record OffUnit(String name, Quantity required, Unit unit) implements Reason {
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
   * @param condition its place, from 0
   */
  record NotSelected(int condition) implements Reason {
    @Override
    public Kind kind() {
      return Kind.NOT_SELECTED;
    }

    @Override
    public Optional<String> resource() {
      return Optional.empty();
    }

    @Override
    public String about() {
      return String.valueOf(condition);
    }
  }

  /**
   * Too many of a group would be in a domain, by a rule of the workload or of somebody placed
   * there.
   *
   * @param group the group
   * @param at the level
   * @param domain the name of the domain
   * @param members how many are there already
   * @param most how many may be there
   * @param excess how many too many there would be
   * @param rule the place of the workload's own rule, from 0; -1 where it is somebody else's
   * @param by the placed workload whose rule it is; empty where it is the workload's own
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
    public Kind kind() {
      return Kind.CROWDED;
    }

    @Override
    public Optional<String> resource() {
      return Optional.empty();
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
   * Too few of a group are in the node's domain.
   *
   * @param group the group
   * @param at the level
   * @param domain the name of the domain
   * @param members how many are there
   * @param least how many are wanted
   * @param excess how many are missing
   * @param rule the place of the rule, from 0
   */
  record Alone(String group, String at, String domain, int members, int least, int excess, int rule)
      implements Reason {
    @Override
    public Kind kind() {
      return Kind.ALONE;
    }

    @Override
    public Optional<String> resource() {
      return Optional.empty();
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
   * The node's domain would be fuller of a group than the emptiest one by too many.
   *
   * @param group the group
   * @param at the level
   * @param domain the name of the domain
   * @param members how many are there already
   * @param floor how many are in the emptiest eligible domain
   * @param skew by how many a domain may be fuller
   * @param excess how many too many there would be
   * @param rule the place of the rule, from 0
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
    public Kind kind() {
      return Kind.SKEWED;
    }

    @Override
    public Optional<String> resource() {
      return Optional.empty();
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
   * A rule of a plug-in is against the node.
   *
   * @param name the name of the rule
   * @param text what it says
   * @param excess how far it is from being kept, above 0
   * @param numbers what it counts, in the order of names
   * @param rule the place of the rule, from 0
   */
  record ByRule(String name, String text, long excess, Map<String, Quantity> numbers, int rule)
      implements Reason {
    /** Copies. */
    public ByRule {
      Map<String, Quantity> sorted = new TreeMap<>(Names.order());
      sorted.putAll(numbers);
      numbers = Collections.unmodifiableMap(sorted);
    }

    @Override
    public Kind kind() {
      return Kind.RULE;
    }

    @Override
    public Optional<String> resource() {
      return Optional.empty();
    }

    @Override
    public String about() {
      return name;
    }
  }

  /**
   * The node fits, but others are better by a preference.
   *
   * @param preference its place, from 0
   * @param excess its excess here; {@link Long#MAX_VALUE} where it is unbounded
   * @param least the least excess among those that were still candidates
   */
  record Worse(int preference, long excess, long least) implements Reason {
    @Override
    public Kind kind() {
      return Kind.WORSE;
    }

    @Override
    public Optional<String> resource() {
      return Optional.empty();
    }

    @Override
    public String about() {
      return String.valueOf(preference);
    }
  }

  /** The node fits, and the strategy declined it. */
  record Declined() implements Reason {
    @Override
    public Kind kind() {
      return Kind.DECLINED;
    }

    @Override
    public Optional<String> resource() {
      return Optional.empty();
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
    public Kind kind() {
      return Kind.AVERSE;
    }

    @Override
    public Optional<String> resource() {
      return Optional.empty();
    }
  }

  /**
   * The node fits and is a candidate, but the strategy took another.
   *
   * @param chosen the node it took
   */
  record Later(String chosen) implements Reason {
    @Override
    public Kind kind() {
      return Kind.LATER;
    }

    @Override
    public Optional<String> resource() {
      return Optional.empty();
    }
  }
}

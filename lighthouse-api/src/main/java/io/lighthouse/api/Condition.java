package io.lighthouse.api;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A test of a node's static properties: its domains and its capacity. Placing workloads never
 * changes the result. Immutable and thread-safe.
 */
public sealed interface Condition {
  /**
   * Calls the case for this kind of condition. Code that depends on the kind implements {@link
   * Cases}, so that it fails to compile when a kind is added.
   *
   * @param cases one function for each kind
   * @param <R> what they return
   * @return what the case for this kind returns
   */
  <R> R match(Cases<R> cases);

  /**
   * One function for each kind of condition.
   *
   * @param <R> what the functions return
   */
  interface Cases<R> {
    /**
     * {@return the result for {@link In}}
     *
     * @param condition the condition
     */
    R in(In condition);

    /**
     * {@return the result for {@link NotIn}}
     *
     * @param condition the condition
     */
    R notIn(NotIn condition);

    /**
     * {@return the result for {@link Somewhere}}
     *
     * @param condition the condition
     */
    R somewhere(Somewhere condition);

    /**
     * {@return the result for {@link Nowhere}}
     *
     * @param condition the condition
     */
    R nowhere(Nowhere condition);

    /**
     * {@return the result for {@link Has}}
     *
     * @param condition the condition
     */
    R has(Has condition);

    /**
     * {@return the result for {@link Lacks}}
     *
     * @param condition the condition
     */
    R lacks(Lacks condition);

    /**
     * {@return the result for {@link Any}}
     *
     * @param condition the condition
     */
    R any(Any condition);
  }

  /**
   * The node is in one of these domains of a level.
   *
   * @param level the level
   * @param names names of domains, in the order of names
   */
  record In(String level, Set<String> names) implements Condition {
    /**
     * Checks and copies.
     *
     * @throws InvalidInputException if a name is empty or ill-formed
     */
    public In {
      Names.require(level, "condition", "level");
      names = SortedNames.copyOf(names, "condition", "in");
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.in(this);
    }
  }

  /**
   * The node is in none of these domains of a level. A node without a domain at that level meets
   * the condition.
   *
   * @param level the level
   * @param names names of domains, in the order of names
   */
  record NotIn(String level, Set<String> names) implements Condition {
    /**
     * Checks and copies.
     *
     * @throws InvalidInputException if a name is empty or ill-formed
     */
    public NotIn {
      Names.require(level, "condition", "level");
      names = SortedNames.copyOf(names, "condition", "not_in");
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.notIn(this);
    }
  }

  /**
   * The node is in some domain of a level.
   *
   * @param level the level
   */
  record Somewhere(String level) implements Condition {
    /**
     * Checks.
     *
     * @throws InvalidInputException if the name is empty or ill-formed
     */
    public Somewhere {
      Names.require(level, "condition", "level");
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.somewhere(this);
    }
  }

  /**
   * The node is in no domain of a level.
   *
   * @param level the level
   */
  record Nowhere(String level) implements Condition {
    /**
     * Checks.
     *
     * @throws InvalidInputException if the name is empty or ill-formed
     */
    public Nowhere {
      Names.require(level, "condition", "level");
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.nowhere(this);
    }
  }

  /**
   * The node has a resource, with a capacity within bounds.
   *
   * @param resource the name of the resource
   * @param least the least capacity; minus infinity for no bound
   * @param most the most; plus infinity for no bound
   */
  record Has(String resource, Quantity least, Quantity most) implements Condition {
    /**
     * Checks.
     *
     * @throws InvalidInputException if the name is empty or ill-formed
     */
    public Has {
      Names.require(resource, "condition", "resource");
      Objects.requireNonNull(least, "least");
      Objects.requireNonNull(most, "most");
    }

    /**
     * The node has a resource, whatever its capacity.
     *
     * @param resource the name of the resource
     * @return the condition
     */
    public static Has of(String resource) {
      return new Has(resource, Quantity.NEGATIVE_INFINITY, Quantity.INFINITY);
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.has(this);
    }
  }

  /**
   * The node does not have a resource.
   *
   * @param resource the name of the resource
   */
  record Lacks(String resource) implements Condition {
    /**
     * Checks.
     *
     * @throws InvalidInputException if the name is empty or ill-formed
     */
    public Lacks {
      Names.require(resource, "condition", "resource");
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.lacks(this);
    }
  }

  /**
   * All conditions of at least one of several lists hold. An empty list always holds. If there are
   * no lists, the condition does not hold.
   *
   * @param lists the lists
   */
  record Any(List<List<Condition>> lists) implements Condition {
    /** Copies. */
    public Any {
      lists = lists.stream().map(List::copyOf).toList();
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.any(this);
    }
  }
}

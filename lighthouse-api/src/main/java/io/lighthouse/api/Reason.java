package io.lighthouse.api;

import java.util.Optional;
import java.util.Set;

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
    /** {@link Short}. */
    SHORT,
    /** {@link Negative}, finite. */
    SHORTCOMING,
    /** {@link Negative}, minus infinity. */
    WARD,
    /** {@link Declined}. */
    DECLINED,
    /** {@link Averse}. */
    AVERSE,
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
  record Short(String name, Quantity left, Quantity required, Quantity lacking) implements Reason {
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

package io.lighthouse.api;

import java.util.Objects;
import java.util.Set;

/**
 * One change of a fleet, as a value: it can be carried out ({@link Distributor#apply}), tried out
 * ({@link Distributor#tryOut}), told to listeners ({@link Distributor#onChange}), recorded and
 * carried out again elsewhere.
 *
 * <p>A change says what is to be, not how it is undone; whoever carries it out keeps its inverse.
 * Equal changes carried out in equal states give equal states. Immutable and thread-safe. Nothing
 * in it is null; its parts throw {@link NullPointerException} for null.
 */
public sealed interface Change {

  /**
   * A node comes, behind the last.
   *
   * @param node the node, with the workloads that it brings along
   */
  record AddNode(Node node) implements Change {
    /** Checks. */
    public AddNode {
      Objects.requireNonNull(node, "node");
    }

    @Override
    public String toString() {
      return "add node '" + node.name() + "'";
    }
  }

  /**
   * An empty node goes. A round-robin position on it passes to the node before it.
   *
   * @param node its name
   */
  record RemoveNode(String node) implements Change {
    /** Checks. */
    public RemoveNode {
      Objects.requireNonNull(node, "node");
    }

    @Override
    public String toString() {
      return "remove node '" + node + "'";
    }
  }

  /**
   * A node gets another capacity. What is left changes by the difference; what is placed stays. No
   * change where it has that capacity already.
   *
   * @param node its name
   * @param capacity what it has when empty, from now on
   */
  record Resize(String node, Resources capacity) implements Change {
    /** Checks. */
    public Resize {
      Objects.requireNonNull(node, "node");
      Objects.requireNonNull(capacity, "capacity");
    }

    @Override
    public String toString() {
      return "resize node '" + node + "' to " + capacity;
    }
  }

  /**
   * A node takes nobody new from now on. No change where it does not already.
   *
   * @param node its name
   */
  record Cordon(String node) implements Change {
    /** Checks. */
    public Cordon {
      Objects.requireNonNull(node, "node");
    }

    @Override
    public String toString() {
      return "cordon node '" + node + "'";
    }
  }

  /**
   * A cordoned node is open again. No change where it is open.
   *
   * @param node its name
   */
  record Uncordon(String node) implements Change {
    /** Checks. */
    public Uncordon {
      Objects.requireNonNull(node, "node");
    }

    @Override
    public String toString() {
      return "uncordon node '" + node + "'";
    }
  }

  /**
   * A workload comes to a node that it fits, averse or not. The round-robin position moves there.
   *
   * @param workload the workload, whose name is not in use
   * @param node the name of the node
   */
  record Assign(Workload workload, String node) implements Change {
    /** Checks. */
    public Assign {
      Objects.requireNonNull(workload, "workload");
      Objects.requireNonNull(node, "node");
    }

    @Override
    public String toString() {
      return "assign '" + workload.name() + "' to '" + node + "'";
    }
  }

  /**
   * A placed workload goes from its node to another that it fits once it is away, in one step: it
   * is never on both, and never on none. It stands last there. The round-robin position stays.
   *
   * @param workload the name of the workload
   * @param from the name of the node that it is on
   * @param to the name of another node
   */
  record Move(String workload, String from, String to) implements Change {
    /** Checks. */
    public Move {
      Objects.requireNonNull(workload, "workload");
      Objects.requireNonNull(from, "from");
      Objects.requireNonNull(to, "to");
    }

    @Override
    public String toString() {
      return "move '" + workload + "' from '" + from + "' to '" + to + "'";
    }
  }

  /**
   * A placed workload goes. It always succeeds, also where a quantity falls below zero.
   *
   * @param workload the name of the workload
   */
  record Release(String workload) implements Change {
    /** Checks. */
    public Release {
      Objects.requireNonNull(workload, "workload");
    }

    @Override
    public String toString() {
      return "release '" + workload + "'";
    }
  }

  /**
   * A domain gets an account. What its nodes hold already, and share of its level, is on it.
   *
   * @param domain the domain
   */
  record Declare(Domain domain) implements Change {
    /** Checks. */
    public Declare {
      Objects.requireNonNull(domain, "domain");
    }

    @Override
    public String toString() {
      return "declare domain '" + domain.name() + "' of level '" + domain.level() + "'";
    }
  }

  /**
   * A domain loses its account; nodes go on naming it.
   *
   * @param level its level
   * @param domain its name
   */
  record Undeclare(String level, String domain) implements Change {
    /** Checks. */
    public Undeclare {
      Objects.requireNonNull(level, "level");
      Objects.requireNonNull(domain, "domain");
    }

    @Override
    public String toString() {
      return "undeclare domain '" + domain + "' of level '" + level + "'";
    }
  }

  /**
   * A declared domain gets another capacity. What is left changes by the difference; what is placed
   * stays.
   *
   * @param level its level
   * @param domain its name
   * @param capacity what it has when nothing is placed, from now on
   */
  record ResizeDomain(String level, String domain, Resources capacity) implements Change {
    /** Checks. */
    public ResizeDomain {
      Objects.requireNonNull(level, "level");
      Objects.requireNonNull(domain, "domain");
      Objects.requireNonNull(capacity, "capacity");
    }

    @Override
    public String toString() {
      return "resize domain '" + domain + "' of level '" + level + "' to " + capacity;
    }
  }

  /**
   * The nodes of a declared domain take nobody new, or do again. No change where it is so already.
   *
   * @param level its level
   * @param domain its name
   * @param cordoned whether they take nobody new
   */
  record CordonDomain(String level, String domain, boolean cordoned) implements Change {
    /** Checks. */
    public CordonDomain {
      Objects.requireNonNull(level, "level");
      Objects.requireNonNull(domain, "domain");
    }

    @Override
    public String toString() {
      return (cordoned ? "cordon" : "uncordon")
          + " domain '"
          + domain
          + "' of level '"
          + level
          + "'";
    }
  }

  /**
   * A placed workload is a member of other groups from now on. It stays where it is, even over a
   * bound.
   *
   * @param workload its name
   * @param groups the groups ({@link Terms#groups}), in the order of names
   */
  record Regroup(String workload, Set<String> groups) implements Change {
    /** Checks and copies. */
    public Regroup {
      Objects.requireNonNull(workload, "workload");
      groups = SortedNames.copyOf(groups, "workload '" + workload + "'", "groups");
    }

    @Override
    public String toString() {
      return "regroup '" + workload + "' to " + groups;
    }
  }
}

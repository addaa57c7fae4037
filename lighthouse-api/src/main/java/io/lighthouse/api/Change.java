package io.lighthouse.api;

import java.util.Objects;
import java.util.Set;

/**
 * One change of a fleet, as a value. It can be carried out ({@link Distributor#apply}), tried out
 * ({@link Distributor#tryOut}), reported to listeners ({@link Distributor#onChange}), and recorded
 * and repeated elsewhere.
 *
 * <p>A change describes its effect, not how to undo it. The ledger that carries it out records the
 * inverse. Equal changes carried out in equal states give equal states. Immutable and thread-safe.
 * No component is null: the constructors throw {@link NullPointerException} for null.
 */
public sealed interface Change {
  /**
   * Calls the case for this kind of change. Code that depends on the kind implements {@link Cases},
   * so that it fails to compile when a kind is added.
   *
   * @param cases one function for each kind
   * @param <R> what they return
   * @return what the case for this kind returns
   */
  <R> R match(Cases<R> cases);

  /**
   * One function for each kind of change.
   *
   * @param <R> what the functions return
   */
  interface Cases<R> {
    /**
     * {@return the result for {@link AddNode}}
     *
     * @param change the change
     */
    R addNode(AddNode change);

    /**
     * {@return the result for {@link RemoveNode}}
     *
     * @param change the change
     */
    R removeNode(RemoveNode change);

    /**
     * {@return the result for {@link Resize}}
     *
     * @param change the change
     */
    R resize(Resize change);

    /**
     * {@return the result for {@link Cordon}}
     *
     * @param change the change
     */
    R cordon(Cordon change);

    /**
     * {@return the result for {@link Uncordon}}
     *
     * @param change the change
     */
    R uncordon(Uncordon change);

    /**
     * {@return the result for {@link Assign}}
     *
     * @param change the change
     */
    R assign(Assign change);

    /**
     * {@return the result for {@link Move}}
     *
     * @param change the change
     */
    R move(Move change);

    /**
     * {@return the result for {@link Release}}
     *
     * @param change the change
     */
    R release(Release change);

    /**
     * {@return the result for {@link Declare}}
     *
     * @param change the change
     */
    R declare(Declare change);

    /**
     * {@return the result for {@link Undeclare}}
     *
     * @param change the change
     */
    R undeclare(Undeclare change);

    /**
     * {@return the result for {@link ResizeDomain}}
     *
     * @param change the change
     */
    R resizeDomain(ResizeDomain change);

    /**
     * {@return the result for {@link CordonDomain}}
     *
     * @param change the change
     */
    R cordonDomain(CordonDomain change);

    /**
     * {@return the result for {@link Regroup}}
     *
     * @param change the change
     */
    R regroup(Regroup change);
  }

  /**
   * Cases for code that treats some kinds of change in their own way and all others alike.
   *
   * @param <R> what the functions return
   */
  interface SomeCases<R> extends Cases<R> {
    /**
     * {@return the result for each kind without a case of its own}
     *
     * @param change the change
     */
    R other(Change change);

    @Override
    default R addNode(AddNode change) {
      return other(change);
    }

    @Override
    default R removeNode(RemoveNode change) {
      return other(change);
    }

    @Override
    default R resize(Resize change) {
      return other(change);
    }

    @Override
    default R cordon(Cordon change) {
      return other(change);
    }

    @Override
    default R uncordon(Uncordon change) {
      return other(change);
    }

    @Override
    default R assign(Assign change) {
      return other(change);
    }

    @Override
    default R move(Move change) {
      return other(change);
    }

    @Override
    default R release(Release change) {
      return other(change);
    }

    @Override
    default R declare(Declare change) {
      return other(change);
    }

    @Override
    default R undeclare(Undeclare change) {
      return other(change);
    }

    @Override
    default R resizeDomain(ResizeDomain change) {
      return other(change);
    }

    @Override
    default R cordonDomain(CordonDomain change) {
      return other(change);
    }

    @Override
    default R regroup(Regroup change) {
      return other(change);
    }
  }

  /**
   * Adds a node at the end of the order of nodes.
   *
   * @param node the node, with the workloads that it brings along
   */
  record AddNode(Node node) implements Change {
    /** Checks. */
    public AddNode {
      Objects.requireNonNull(node, "node");
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.addNode(this);
    }

    @Override
    public String toString() {
      return "add node '" + node.name() + "'";
    }
  }

  /**
   * Removes an empty node. If the round-robin position is on it, the position moves to the node
   * before it.
   *
   * @param node its name
   */
  record RemoveNode(String node) implements Change {
    /** Checks. */
    public RemoveNode {
      Objects.requireNonNull(node, "node");
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.removeNode(this);
    }

    @Override
    public String toString() {
      return "remove node '" + node + "'";
    }
  }

  /**
   * Changes a node's capacity. What is left changes by the difference. Placed workloads stay. Has
   * no effect if the node has that capacity already.
   *
   * @param node its name
   * @param capacity its new capacity when empty
   */
  record Resize(String node, Resources capacity) implements Change {
    /** Checks. */
    public Resize {
      Objects.requireNonNull(node, "node");
      Objects.requireNonNull(capacity, "capacity");
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.resize(this);
    }

    @Override
    public String toString() {
      return "resize node '" + node + "' to " + capacity;
    }
  }

  /**
   * Cordons a node: it takes no new workloads. Has no effect on a cordoned node.
   *
   * @param node its name
   */
  record Cordon(String node) implements Change {
    /** Checks. */
    public Cordon {
      Objects.requireNonNull(node, "node");
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.cordon(this);
    }

    @Override
    public String toString() {
      return "cordon node '" + node + "'";
    }
  }

  /**
   * Opens a cordoned node again. Has no effect on an open node.
   *
   * @param node its name
   */
  record Uncordon(String node) implements Change {
    /** Checks. */
    public Uncordon {
      Objects.requireNonNull(node, "node");
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.uncordon(this);
    }

    @Override
    public String toString() {
      return "uncordon node '" + node + "'";
    }
  }

  /**
   * Places a workload on a node that it fits, averse or not. The round-robin position moves there.
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
    public <R> R match(Cases<R> cases) {
      return cases.assign(this);
    }

    @Override
    public String toString() {
      return "assign '" + workload.name() + "' to '" + node + "'";
    }
  }

  /**
   * Moves a placed workload to another node in one step: it is never on both nodes, and never on
   * none. It must fit the new node once it has left the old one. It becomes the last workload
   * there. The round-robin position stays.
   *
   * @param workload the name of the workload
   * @param from the name of its present node
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
    public <R> R match(Cases<R> cases) {
      return cases.move(this);
    }

    @Override
    public String toString() {
      return "move '" + workload + "' from '" + from + "' to '" + to + "'";
    }
  }

  /**
   * Releases a placed workload. This always succeeds, even if a quantity falls below zero.
   *
   * @param workload the name of the workload
   */
  record Release(String workload) implements Change {
    /** Checks. */
    public Release {
      Objects.requireNonNull(workload, "workload");
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.release(this);
    }

    @Override
    public String toString() {
      return "release '" + workload + "'";
    }
  }

  /**
   * Gives a domain an account. The shared requirements of the workloads on its nodes are charged to
   * it.
   *
   * @param domain the domain
   */
  record Declare(Domain domain) implements Change {
    /** Checks. */
    public Declare {
      Objects.requireNonNull(domain, "domain");
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.declare(this);
    }

    @Override
    public String toString() {
      return "declare domain '" + domain.name() + "' of level '" + domain.level() + "'";
    }
  }

  /**
   * Removes a domain's account. Its nodes still name the domain.
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
    public <R> R match(Cases<R> cases) {
      return cases.undeclare(this);
    }

    @Override
    public String toString() {
      return "undeclare domain '" + domain + "' of level '" + level + "'";
    }
  }

  /**
   * Changes a declared domain's capacity. What is left changes by the difference. Placed workloads
   * stay.
   *
   * @param level its level
   * @param domain its name
   * @param capacity its new capacity when nothing is placed
   */
  record ResizeDomain(String level, String domain, Resources capacity) implements Change {
    /** Checks. */
    public ResizeDomain {
      Objects.requireNonNull(level, "level");
      Objects.requireNonNull(domain, "domain");
      Objects.requireNonNull(capacity, "capacity");
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.resizeDomain(this);
    }

    @Override
    public String toString() {
      return "resize domain '" + domain + "' of level '" + level + "' to " + capacity;
    }
  }

  /**
   * Cordons a declared domain, or opens it again. The nodes of a cordoned domain take no new
   * workloads. Has no effect if the domain is in that state already.
   *
   * @param level its level
   * @param domain its name
   * @param cordoned whether its nodes refuse new workloads
   */
  record CordonDomain(String level, String domain, boolean cordoned) implements Change {
    /** Checks. */
    public CordonDomain {
      Objects.requireNonNull(level, "level");
      Objects.requireNonNull(domain, "domain");
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.cordonDomain(this);
    }

    @Override
    public String toString() {
      String word = cordoned ? "cordon" : "uncordon";
      return word + " domain '" + domain + "' of level '" + level + "'";
    }
  }

  /**
   * Replaces the groups of a placed workload. It stays on its node, even if a bound is then
   * exceeded.
   *
   * @param workload its name
   * @param groups its new groups ({@link Terms#groups}), in the order of names
   */
  record Regroup(String workload, Set<String> groups) implements Change {
    /** Checks and copies. */
    public Regroup {
      Objects.requireNonNull(workload, "workload");
      groups = SortedNames.copyOf(groups, "workload '" + workload + "'", "groups");
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.regroup(this);
    }

    @Override
    public String toString() {
      return "regroup '" + workload + "' to " + groups;
    }
  }
}

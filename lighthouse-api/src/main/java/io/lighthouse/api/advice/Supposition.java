package io.lighthouse.api.advice;

import io.lighthouse.api.Change;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.error.InvalidInputException;
import java.util.Objects;

/**
 * One supposed difference of a fleet, for {@link Advisor#whatIf}. Unlike a {@link Change}, it may
 * displace workloads, which are then placed again. It may also leave details to the fleet that a
 * change must name. Its text is the syntax of the command line. A change that has none there, such
 * as {@link Change.AddNode} or {@link Change.Declare}, has its own text. Immutable and thread-safe;
 * no component is null.
 */
public sealed interface Supposition {
  /**
   * Calls the case for this kind of supposition. Code that depends on the kind implements {@link
   * Cases}, so that it fails to compile when a kind is added.
   *
   * @param cases one function for each kind
   * @param <R> what they return
   * @return what the case for this kind returns
   */
  <R> R match(Cases<R> cases);

  /**
   * One function for each kind of supposition.
   *
   * @param <R> what the functions return
   */
  interface Cases<R> {
    /**
     * {@return the result for {@link Apply}}
     *
     * @param supposition the supposition
     */
    R apply(Apply supposition);

    /**
     * {@return the result for {@link AddNodes}}
     *
     * @param supposition the supposition
     */
    R addNodes(AddNodes supposition);

    /**
     * {@return the result for {@link RemoveNode}}
     *
     * @param supposition the supposition
     */
    R removeNode(RemoveNode supposition);

    /**
     * {@return the result for {@link Resize}}
     *
     * @param supposition the supposition
     */
    R resize(Resize supposition);

    /**
     * {@return the result for {@link Release}}
     *
     * @param supposition the supposition
     */
    R release(Release supposition);

    /**
     * {@return the result for {@link Move}}
     *
     * @param supposition the supposition
     */
    R move(Move supposition);

    /**
     * {@return the result for {@link Scale}}
     *
     * @param supposition the supposition
     */
    R scale(Scale supposition);
  }

  /**
   * A change, as it is.
   *
   * @param change the change
   */
  record Apply(Change change) implements Supposition {
    /** Checks. */
    public Apply {
      Objects.requireNonNull(change, "change");
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.apply(this);
    }

    @Override
    public String toString() {
      return change.match(
          new Change.SomeCases<>() {
            @Override
            public String cordon(Change.Cordon cordon) {
              return "cordon " + cordon.node();
            }

            @Override
            public String uncordon(Change.Uncordon uncordon) {
              return "uncordon " + uncordon.node();
            }

            @Override
            public String cordonDomain(Change.CordonDomain cordon) {
              String word = cordon.cordoned() ? "cordon " : "uncordon ";
              return word + cordon.level() + "=" + cordon.domain();
            }

            @Override
            public String other(Change other) {
              return other.toString();
            }
          });
    }
  }

  /**
   * Adds equal nodes at the end of the order of nodes.
   *
   * @param count how many, 1 or more
   * @param like the model of each node, without workloads; the nodes are named after it, with
   *     {@code -1}, {@code -2} and so on appended, skipping names in use
   */
  record AddNodes(int count, Node like) implements Supposition {
    /**
     * Checks.
     *
     * @throws InvalidInputException if the number is below 1, or the node brings workloads along
     */
    public AddNodes {
      Objects.requireNonNull(like, "like");
      if (count < 1) {
        throw new InvalidInputException("add", "count", String.valueOf(count), "1 or more");
      }
      if (!like.workloads().isEmpty()) {
        throw new InvalidInputException(
            "add", "workloads", like.workloads().size() + " on the node", "nodes that are empty");
      }
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.addNodes(this);
    }

    @Override
    public String toString() {
      StringBuilder in = new StringBuilder();
      like.domains()
          .forEach(
              (level, domain) ->
                  in.append(in.isEmpty() ? " in " : ",").append(level).append('=').append(domain));
      return "add " + count + " x " + words(like.resources()) + in;
    }
  }

  /**
   * Removes a node. Its workloads are placed again.
   *
   * @param node its name
   */
  record RemoveNode(String node) implements Supposition {
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
      return "remove-node " + node;
    }
  }

  /**
   * Changes a node's capacity of some resources. Resources that are not named stay as they are.
   *
   * @param node its name
   * @param amounts its new capacity of them when empty; a resource that it lacks is added
   */
  record Resize(String node, Resources amounts) implements Supposition {
    /** Checks. */
    public Resize {
      Objects.requireNonNull(node, "node");
      Objects.requireNonNull(amounts, "amounts");
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.resize(this);
    }

    @Override
    public String toString() {
      return "resize " + node + " " + words(amounts);
    }
  }

  /**
   * Removes a workload, placed or waiting.
   *
   * @param workload its name
   */
  record Release(String workload) implements Supposition {
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
      return "release " + workload;
    }
  }

  /**
   * Moves a placed workload to another node, which it must fit.
   *
   * @param workload its name
   * @param to the name of the node
   */
  record Move(String workload, String to) implements Supposition {
    /** Checks. */
    public Move {
      Objects.requireNonNull(workload, "workload");
      Objects.requireNonNull(to, "to");
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.move(this);
    }

    @Override
    public String toString() {
      return "move " + workload + " " + to;
    }
  }

  /**
   * Changes the number of replicas of a workload. The replicas of {@code web} are the workloads
   * named {@code web-} and a whole number from 1, placed or waiting. Surplus replicas are removed,
   * the highest numbers first. Missing replicas are copies of the one with the lowest number, and
   * take the lowest free numbers.
   *
   * @param workload the name without the number
   * @param replicas the new number of replicas, 0 or more
   */
  record Scale(String workload, int replicas) implements Supposition {
    /**
     * Checks.
     *
     * @throws InvalidInputException if the number is below 0
     */
    public Scale {
      Objects.requireNonNull(workload, "workload");
      if (replicas < 0) {
        throw new InvalidInputException(
            "scale", "replicas", String.valueOf(replicas), "a whole number from 0");
      }
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.scale(this);
    }

    @Override
    public String toString() {
      return "scale " + workload + "=" + replicas;
    }
  }

  private static String words(Resources amounts) {
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < amounts.size(); i++) {
      words.append(i == 0 ? "" : ",").append(amounts.name(i)).append('=');
      words.append(amounts.quantity(i));
    }
    return words.toString();
  }
}

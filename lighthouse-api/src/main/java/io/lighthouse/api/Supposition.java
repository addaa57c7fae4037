package io.lighthouse.api;

import java.util.Objects;

/**
 * One thing that is supposed of a fleet, for {@link Distributor#whatIf}. Unlike a {@link Change},
 * it may take workloads off their node, which then look for another one, and it may leave to the
 * fleet what a change has to name. Its text is what a person types on the command line. Immutable
 * and thread-safe; nothing in it is null.
 */
public sealed interface Supposition {

  /**
   * Any change, as it is.
   *
   * @param change the change
   */
  record Apply(Change change) implements Supposition {
    /** Checks. */
    public Apply {
      Objects.requireNonNull(change, "change");
    }

    @Override
    public String toString() {
      if (change instanceof Change.Cordon cordon) {
        return "cordon " + cordon.node();
      }
      if (change instanceof Change.Uncordon uncordon) {
        return "uncordon " + uncordon.node();
      }
      if (change instanceof Change.CordonDomain domain) {
        return (domain.cordoned() ? "cordon " : "uncordon ")
            + domain.level()
            + "="
            + domain.domain();
      }
      return change.toString();
    }
  }

  /**
   * Nodes come, one like the other, behind the last.
   *
   * @param count how many, 1 or more
   * @param like what each is, without workloads; they are named as it, with {@code -1}, {@code -2}
   *     and so on behind it, numbers in use left out
   */
  record AddNodes(int count, Node like) implements Supposition {
    /**
     * Checks.
     *
     * @throws InvalidInputException if the number is below 1, or the node brings workloads
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
   * A node goes; what it holds looks for another node.
   *
   * @param node its name
   */
  record RemoveNode(String node) implements Supposition {
    /** Checks. */
    public RemoveNode {
      Objects.requireNonNull(node, "node");
    }

    @Override
    public String toString() {
      return "remove-node " + node;
    }
  }

  /**
   * A node has other amounts of some resources; it keeps what is not named.
   *
   * @param node its name
   * @param amounts what it has of them when empty; a resource that it lacks comes
   */
  record Resize(String node, Resources amounts) implements Supposition {
    /** Checks. */
    public Resize {
      Objects.requireNonNull(node, "node");
      Objects.requireNonNull(amounts, "amounts");
    }

    @Override
    public String toString() {
      return "resize " + node + " " + words(amounts);
    }
  }

  /**
   * A workload goes, placed or waiting.
   *
   * @param workload its name
   */
  record Release(String workload) implements Supposition {
    /** Checks. */
    public Release {
      Objects.requireNonNull(workload, "workload");
    }

    @Override
    public String toString() {
      return "release " + workload;
    }
  }

  /**
   * A placed workload stands on another node, which it must fit.
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
    public String toString() {
      return "move " + workload + " " + to;
    }
  }

  /**
   * A workload has another number of replicas. The replicas of {@code web} are those named {@code
   * web-} and a whole number from 1, placed or waiting. Too many: those with the highest numbers
   * go. Too few: more come, like the one with the lowest number, with the lowest numbers that are
   * free.
   *
   * @param workload the name without the number
   * @param replicas how many, 0 or more
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

package io.lighthouse.fleets;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.InvalidChangeException;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.Plural;
import io.lighthouse.fleets.FleetException.Kind;
import java.util.List;

/** The commands that change nodes, and the one that deletes a fleet. Each is for one call. */
public final class NodeCommands {

  private NodeCommands() {}

  /**
   * Adds or changes a node, with this capacity, open or cordoned.
   *
   * @param wanted the node, its capacity as its resources, without workloads
   * @return answers the node: {@link Outcome#CREATED} where it was added, {@link Outcome#DONE}
   *     where it existed
   * @throws InvalidInputException if the node has workloads
   */
  public static Command put(Node wanted) {
    if (!wanted.workloads().isEmpty()) {
      throw new InvalidInputException(
          "node '" + wanted.name() + "'",
          "workloads",
          Plural.of(wanted.workloads().size(), "workload"),
          "none; put them when the node is there");
    }
    return new FleetCommands.Plain(
        "node-put",
        fleet -> {
          Distributor distributor = fleet.distributor();
          NodeState there = find(distributor, wanted.name());
          if (there == null) {
            int most = fleet.limits().nodes();
            if (fleet.nodes() >= most) {
              throw new FleetException(
                  Kind.TOO_LARGE,
                  "the fleet's limit of " + Plural.of(most, "node") + " is reached");
            }
            change(distributor, List.of(new Change.AddNode(wanted)));
            return FleetQuestions.reply(Outcome.CREATED, distributor.node(wanted.name()));
          }
          boolean moves = !there.domains().equals(wanted.domains());
          if (moves || !there.units().equals(wanted.units())) {
            throw new FleetException(
                Kind.STANDS_OTHERWISE,
                "node '"
                    + wanted.name()
                    + (moves ? "' stands in other domains" : "' has other units")
                    + ", which stay as long as it is there; remove it and put it anew");
          }
          change(
              distributor,
              List.of(
                  new Change.Resize(wanted.name(), wanted.resources()),
                  wanted.cordoned()
                      ? new Change.Cordon(wanted.name())
                      : new Change.Uncordon(wanted.name())));
          return FleetQuestions.reply(Outcome.DONE, distributor.node(wanted.name()));
        });
  }

  /**
   * Cordons or opens a node, and changes nothing else of it.
   *
   * @param name its name
   * @param cordoned whether it is to be cordoned
   * @return answers the node
   */
  public static Command cordon(String name, boolean cordoned) {
    return new FleetCommands.Plain(
        cordoned ? "node-cordoned" : "node-opened",
        fleet -> {
          FleetQuestions.node(fleet, name);
          Change change = cordoned ? new Change.Cordon(name) : new Change.Uncordon(name);
          change(fleet.distributor(), List.of(change));
          return FleetQuestions.reply(Outcome.DONE, fleet.distributor().node(name));
        });
  }

  /**
   * Applies changes. Where an invalid input is the cause of a failure, throws that cause, without
   * the wrapper that names the step.
   */
  static void change(Distributor distributor, List<Change> changes) {
    try {
      distributor.apply(changes);
    } catch (InvalidChangeException wrong) {
      throw wrong.getCause() instanceof InvalidInputException cause ? cause : wrong;
    }
  }

  private static NodeState find(Distributor distributor, String name) {
    try {
      return distributor.node(name);
    } catch (InvalidInputException unknown) {
      return null;
    }
  }

  /**
   * Removes an empty node.
   *
   * @param name its name
   * @return answers {@link Outcome#EMPTY}
   */
  public static Command remove(String name) {
    return new FleetCommands.Plain(
        "node-removed",
        fleet -> {
          int held = FleetQuestions.node(fleet, name).workloads().size();
          if (held > 0) {
            throw new FleetException(
                Kind.NOT_EMPTY, "node '" + name + "' holds " + Plural.of(held, "workload"));
          }
          fleet.distributor().removeNode(name);
          return Command.Reply.EMPTY;
        });
  }

  /**
   * Deletes the fleet.
   *
   * @return answers {@link Outcome#EMPTY}
   */
  public static Command deleteFleet() {
    return new Command() {
      @Override
      public String kind() {
        return "deleted";
      }

      @Override
      public Reply decide(View fleet) {
        return Reply.EMPTY;
      }

      @Override
      public boolean deletes() {
        return true;
      }
    };
  }
}

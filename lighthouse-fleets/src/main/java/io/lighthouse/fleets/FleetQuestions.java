package io.lighthouse.fleets;

import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.json.Problem;
import io.lighthouse.json.write.AnswerWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** The commands that only read. Each is for one call. */
public final class FleetQuestions {

  private FleetQuestions() {}

  /**
   * A question that a function answers.
   *
   * @param answering answers it, in the fleet's turn; changes nothing
   * @return the question
   */
  public static Command question(Function<Command.View, Command.Reply> answering) {
    return new FleetCommands.Question(answering);
  }

  /**
   * The fleet in figures.
   *
   * @return answers {@code fleet}, {@code strategy}, {@code nodes}, {@code workloads}, {@code
   *     cordoned}, {@code capacity} and {@code left}
   */
  public static Command summary() {
    return question(
        fleet -> {
          Snapshot now = fleet.distributor().snapshot();
          Map<String, Quantity> capacity = new TreeMap<>();
          Map<String, Quantity> left = new TreeMap<>();
          long cordoned = 0;
          for (NodeState node : now.nodes()) {
            add(node.capacity(), capacity);
            add(node.left(), left);
            cordoned += node.cordoned() ? 1 : 0;
          }
          long closed = cordoned;
          return new Command.Reply(
              Outcome.DONE,
              json -> {
                json.member("fleet", fleet.name());
                json.member("strategy", fleet.distributor().strategy().name());
                json.member("nodes", now.nodes().size()).member("workloads", now.placedCount());
                json.member("cordoned", closed);
                json.member("capacity", Resources.of(capacity));
                json.member("left", Resources.of(left));
              });
        });
  }

  /** Adds two amounts; where one is infinite, the sum is the first infinite one. */
  private static void add(Resources resources, Map<String, Quantity> sums) {
    for (int i = 0; i < resources.size(); i++) {
      sums.merge(
          resources.name(i),
          resources.quantity(i),
          (sum, more) -> sum.isInfinite() ? sum : more.isInfinite() ? more : sum.plus(more));
    }
  }

  /**
   * The whole fleet.
   *
   * @param taker receives it in the fleet's turn, as a problem without workloads to place
   * @return answers nothing but the generation; what the taker was given is durable by then
   */
  public static Command problem(Consumer<Problem> taker) {
    return question(
        fleet -> {
          taker.accept(Problem.of(fleet.distributor()));
          return new Command.Reply(Outcome.DONE, json -> {});
        });
  }

  /**
   * Nodes in their order.
   *
   * @param after the cursor of the page before; empty for the first page
   * @param most how many at most
   * @return answers {@code nodes}, {@code next} where there are more, and {@code changed} where the
   *     fleet has changed since the page before
   */
  public static Command nodes(Optional<PageCursor> after, int most) {
    return question(
        fleet -> {
          List<NodeState> all = fleet.distributor().snapshot().nodes();
          int from = after.isEmpty() ? 0 : behind(all, after.get().name());
          List<NodeState> page = all.subList(from, Math.min(all.size(), from + most));
          boolean more = from + page.size() < all.size();
          return new Command.Reply(
              Outcome.DONE,
              json -> {
                json.objects("nodes", page, FleetQuestions::write);
                if (more) {
                  String last = page.get(page.size() - 1).name();
                  json.member("next", new PageCursor(fleet.generation(), last).toText());
                }
                if (after.isPresent() && after.get().generation() != fleet.generation()) {
                  json.member("changed", true);
                }
              });
        });
  }

  private static int behind(List<NodeState> all, String name) {
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).name().equals(name)) {
        return i + 1;
      }
    }
    throw new FleetException(
        Kind.STALE, "node '" + name + "', the last of the page before, is gone; begin again");
  }

  /**
   * One node.
   *
   * @param name its name
   * @return answers {@code id}, {@code capacity}, {@code left}, {@code units} where it has some,
   *     {@code cordoned}, {@code domains} where it is in some, and {@code workloads}
   */
  public static Command node(String name) {
    return question(fleet -> reply(Outcome.DONE, node(fleet, name)));
  }

  /**
   * One workload.
   *
   * @param name its name
   * @return answers {@code workload}, {@code node} and {@code requirements}
   */
  public static Command workload(String name) {
    return question(
        fleet -> {
          String node = nodeOf(fleet, name);
          return placement(Outcome.DONE, placed(fleet, node, name), node);
        });
  }

  static Command.Reply reply(Outcome outcome, NodeState node) {
    return new Command.Reply(outcome, json -> write(json, node));
  }

  static Command.Reply placement(Outcome outcome, Workload workload, String node) {
    return new Command.Reply(
        outcome,
        json ->
            json.member("workload", workload.name())
                .member("node", node)
                .member("requirements", workload.requirements()));
  }

  /** A node of the fleet. */
  static NodeState node(Command.View fleet, String name) {
    try {
      return fleet.distributor().node(name);
    } catch (InvalidInputException unknown) {
      String found = InvalidInputException.shortened(name);
      throw new FleetException(Kind.NO_SUCH_NODE, "the fleet has no node '" + found + "'");
    }
  }

  /** The node of a placed workload. */
  static String nodeOf(Command.View fleet, String workload) {
    String node = fleet.where().get(workload);
    if (node == null) {
      String found = InvalidInputException.shortened(workload);
      throw new FleetException(
          Kind.NOT_PLACED, "workload '" + found + "' is on no node of the fleet");
    }
    return node;
  }

  /** A workload on a node. */
  static Workload placed(Command.View fleet, String node, String name) {
    for (Workload workload : fleet.distributor().node(node).workloads()) {
      if (workload.name().equals(name)) {
        return workload;
      }
    }
    throw new IllegalStateException("workload '" + name + "' is not on node '" + node + "'");
  }

  private static void write(AnswerWriter json, NodeState node) {
    json.member("id", node.name());
    json.member("capacity", node.capacity()).member("left", node.left());
    json.units(node.units()).member("cordoned", node.cordoned());
    if (!node.domains().isEmpty()) {
      json.object("domains", inside -> node.domains().forEach(inside::member));
    }
    json.names("workloads", node.workloads().stream().map(Workload::name).toList());
  }
}

package io.lighthouse.fleets;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Change;
import io.lighthouse.api.InvalidChangeException;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.Plural;
import io.lighthouse.fleets.FleetException.Conflict;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.json.PlacedWorkload;
import io.lighthouse.json.Problem;
import io.lighthouse.json.WantedMoves;
import io.lighthouse.json.WantedPlan;
import io.lighthouse.json.write.AnswerWriter;
import io.lighthouse.json.write.PlacementWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** The commands that assign, release and move workloads. Each is for one call. */
public final class FleetCommands {

  private FleetCommands() {}

  /** A command that uses the strategy. */
  private interface Asking extends Command {
    @Override
    default String kind() {
      return "placed";
    }

    @Override
    default boolean asksStrategy() {
      return true;
    }
  }

  /** A command that a function carries out on the fleet. */
  record Plain(String kind, Function<View, Reply> decision) implements Command {
    @Override
    public Reply decide(View fleet) {
      return decision.apply(fleet);
    }
  }

  /** A command that only reads. */
  record Question(Function<View, Reply> decision) implements Command {
    @Override
    public String kind() {
      return "asked";
    }

    @Override
    public boolean changes() {
      return false;
    }

    @Override
    public Reply decide(View fleet) {
      return decision.apply(fleet);
    }
  }

  /**
   * Assigns all workloads, or none.
   *
   * @param batch the workloads
   * @return answers {@code successful} and {@code assignments}
   */
  public static Command assign(List<Workload> batch) {
    return assign(batch, Recorded.NOT);
  }

  /**
   * The same with a record of the decision.
   *
   * @param batch the workloads
   * @param recorded how much of a record
   * @return answers {@code decision} and {@code record} as well, where asked for
   */
  public static Command assign(List<Workload> batch, Recorded recorded) {
    return assign(batch, true, false, recorded);
  }

  /**
   * Assigns what can be placed.
   *
   * @param batch the workloads
   * @param explain whether to report why the others are refused
   * @param recorded how much of a record
   * @return answers {@code failures}, {@code assignments}, and where asked for {@code refusals},
   *     {@code decision} and {@code record}
   */
  public static Command tryAssign(List<Workload> batch, boolean explain, Recorded recorded) {
    return assign(batch, false, explain, recorded);
  }

  private static Command assign(
      List<Workload> batch, boolean allOrNothing, boolean explain, Recorded recorded) {
    Set<AssignOption> options = EnumSet.noneOf(AssignOption.class);
    if (allOrNothing) {
      options.add(AssignOption.ALL_OR_NOTHING);
    }
    if (explain) {
      options.add(AssignOption.EXPLAIN);
    }
    return (Asking)
        fleet -> {
          Problem before = recorded.before(fleet.distributor(), batch);
          requireRoom(fleet, batch.size());
          Assignments found =
              fleet.distributor().assign(batch, options.toArray(AssignOption[]::new));
          Consumer<AnswerWriter> record =
              recorded.members(fleet.distributor(), allOrNothing, before, found);
          return new Command.Reply(
              Outcome.DONE,
              json -> {
                PlacementWriter.write(json, allOrNothing, explain, found, List.of());
                record.accept(json);
              });
        };
  }

  private static void requireRoom(Command.View fleet, int more) {
    int most = fleet.limits().workloads();
    if (fleet.where().size() + (long) more > most) {
      throw new FleetException(
          Kind.TOO_LARGE,
          "the fleet holds "
              + Plural.of(fleet.where().size(), "workload")
              + ", and "
              + more
              + " more would be beyond the "
              + most
              + " allowed");
    }
  }

  /**
   * Makes sure that a workload is placed: on a node that the strategy chooses, or on a given node.
   *
   * @param wanted the workload, and its node where one is given
   * @return answers {@code workload} and {@code node}: {@link Outcome#CREATED}, or {@link
   *     Outcome#DONE} where it was there already
   */
  public static Command put(PlacedWorkload wanted) {
    Command command = (Asking) fleet -> put(fleet, wanted);
    return wanted.node().isEmpty() ? command : new Plain("placed", fleet -> put(fleet, wanted));
  }

  private static Command.Reply put(Command.View fleet, PlacedWorkload wanted) {
    Workload workload = wanted.workload();
    String there = fleet.where().get(workload.name());
    if (there != null) {
      boolean same =
          FleetQuestions.placed(fleet, there, workload.name()).equals(workload)
              && wanted.node().orElse(there).equals(there);
      if (!same) {
        throw new FleetException(
            Kind.PLACED_OTHERWISE,
            "workload '"
                + workload.name()
                + "' is on node '"
                + there
                + "', and its requirements or its node are not those asked for");
      }
      return FleetQuestions.placement(Outcome.DONE, workload, there);
    }
    requireRoom(fleet, 1);
    if (wanted.node().isPresent()) {
      String node = wanted.node().get();
      FleetQuestions.node(fleet, node);
      try {
        fleet.distributor().apply(new Change.Assign(workload, node));
      } catch (InvalidChangeException wrong) {
        throw refused(Kind.NO_ROOM, wrong, workload.name());
      }
      return FleetQuestions.placement(Outcome.CREATED, workload, node);
    }
    Assignments found = fleet.distributor().assign(List.of(workload), AssignOption.EXPLAIN);
    Optional<String> node = found.node(0);
    if (node.isEmpty()) {
      throw new FleetException(
          "workload '" + workload.name() + "' finds no node", found.refusals().get(0));
    }
    return FleetQuestions.placement(Outcome.CREATED, workload, node.get());
  }

  /**
   * The exception for a change of a plan that is not possible. A move has only names, so it is a
   * conflict with the fleet as it is, whatever is wrong. Its reasons are empty unless it does not
   * fit.
   */
  private static RuntimeException refused(InvalidChangeException wrong, Change change) {
    if (change instanceof Change.Move move) {
      List<Reason> reasons = wrong.reasons() == null ? List.of() : wrong.reasons();
      return new FleetException(
          Kind.MOVE_CONFLICT, wrong.getMessage(), List.of(new Conflict(move.workload(), reasons)));
    }
    return refused(Kind.MOVE_CONFLICT, wrong, ((Change.Assign) change).workload().name());
  }

  /** The exception for a change that is not possible: a conflict, or the invalid input itself. */
  private static RuntimeException refused(
      Kind kind, InvalidChangeException wrong, String workload) {
    if (wrong.reasons() == null || wrong.reasons().isEmpty()) {
      return wrong.getCause() instanceof InvalidInputException cause ? cause : wrong;
    }
    return new FleetException(
        kind, wrong.getMessage(), List.of(new Conflict(workload, wrong.reasons())));
  }

  /**
   * Releases one workload.
   *
   * @param workload its name
   * @return answers {@link Outcome#EMPTY}
   */
  public static Command release(String workload) {
    return new Plain(
        "released",
        fleet -> {
          FleetQuestions.nodeOf(fleet, workload);
          fleet.distributor().release(workload);
          return Command.Reply.EMPTY;
        });
  }

  /**
   * Releases workloads, all or none.
   *
   * @param workloads their names, each once
   * @return answers {@code released}
   */
  public static Command release(List<String> workloads) {
    return new Plain(
        "released",
        fleet -> {
          List<String> missing =
              workloads.stream().filter(name -> !fleet.where().containsKey(name)).toList();
          if (!missing.isEmpty()) {
            throw new FleetException(
                Kind.SOME_NOT_PLACED,
                "of "
                    + Plural.of(workloads.size(), "workload")
                    + ", "
                    + missing.size()
                    + (missing.size() == 1 ? " is" : " are")
                    + " on no node of the fleet, such as '"
                    + missing.get(0)
                    + "'; none was released");
          }
          if (!workloads.isEmpty()) {
            fleet.distributor().release(workloads);
          }
          return new Command.Reply(Outcome.DONE, json -> json.names("released", workloads));
        });
  }

  /**
   * Plans how nodes could be emptied; changes nothing.
   *
   * @param nodes their names
   * @return answers {@code cordon}, {@code moves} and {@code stuck}, the nodes that cannot be
   *     emptied
   */
  public static Command planDrain(List<String> nodes) {
    return new Question(
        fleet -> {
          List<String> open =
              nodes.stream().filter(name -> !FleetQuestions.node(fleet, name).cordoned()).toList();
          Plan plan =
              fleet.distributor().advisor().plan(new PlanGoal.Drain(nodes), PlanLimits.NONE);
          List<Change.Move> moves = new ArrayList<>();
          for (Change change : plan.changes()) {
            moves.add((Change.Move) change);
          }
          return new Command.Reply(
              Outcome.DONE,
              json -> {
                json.names("cordon", open);
                json.objects(
                    "moves",
                    moves,
                    (inside, move) -> {
                      inside.member("workload", move.workload());
                      inside.member("from", move.from()).member("to", move.to());
                    });
                json.names("stuck", plan.unmet());
              });
        });
  }

  /**
   * Carries out moves, all or none.
   *
   * @param wanted the moves, as a plan has them
   * @return answers the generation alone
   */
  public static Command move(WantedMoves wanted) {
    return new Plain(
        "moved",
        fleet -> {
          requireGeneration(wanted.generation().orElse(fleet.generation()), fleet);
          List<Change> changes = new ArrayList<>();
          for (String node : wanted.cordon()) {
            FleetQuestions.node(fleet, node);
            changes.add(new Change.Cordon(node));
          }
          changes.addAll(wanted.moves());
          return carryOut(fleet, changes);
        });
  }

  /** Carries out the changes of a plan, all or none. */
  private static Command.Reply carryOut(Command.View fleet, List<Change> changes) {
    try {
      if (!changes.isEmpty()) {
        fleet.distributor().apply(changes);
      }
    } catch (InvalidChangeException wrong) {
      throw refused(wrong, changes.get(wrong.step()));
    }
    return new Command.Reply(Outcome.DONE, json -> {});
  }

  private static void requireGeneration(long planned, Command.View fleet) {
    if (planned != fleet.generation()) {
      throw new FleetException(
          Kind.STALE,
          "the plan was made at generation " + planned + ", the fleet is at " + fleet.generation());
    }
  }

  /**
   * Carries out a plan, all of it or nothing, if the fleet is at the generation of the plan.
   *
   * @param wanted the plan
   * @return answers the generation alone
   */
  public static Command apply(WantedPlan wanted) {
    return new Plain(
        "plan-applied",
        fleet -> {
          requireGeneration(wanted.generation(), fleet);
          List<Change> changes = wanted.changes();
          requireRoom(
              fleet, (int) changes.stream().filter(Change.Assign.class::isInstance).count());
          return carryOut(fleet, changes);
        });
  }
}

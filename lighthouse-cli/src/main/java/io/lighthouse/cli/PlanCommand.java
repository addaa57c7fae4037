package io.lighthouse.cli;

import io.lighthouse.api.Change;
import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.Node;
import io.lighthouse.api.Plan;
import io.lighthouse.api.PlanGoal;
import io.lighthouse.api.PlanLimits;
import io.lighthouse.api.Resources;
import io.lighthouse.json.AnswerWriter;
import io.lighthouse.json.Problem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a plan for a fleet. */
@Command(
    name = "plan",
    description = {
      "Plan moves that carry the fleet of a file to a goal, each feasible at its turn.",
      "",
      "  place                     nodes for the file's workloads, by moving others",
      "  drain NODE...             empty these nodes, each wholly or not at all",
      "  evacuate NODE|LEVEL=NAME  as many as can leave these nodes, or those of a domain",
      "  consolidate               free as many nodes as can be",
      "  rebalance                 lower the fullest node",
      "  repair                    move workloads off averse nodes"
    },
    footer = {
      "",
      "Moves of one wave may run at the same time. Exit code 1: the goal is not reached in full.",
      "",
      "Examples:",
      "  lighthouse plan drain n1 n2 fleet.json",
      "  lighthouse plan consolidate --max-moves 50 --save tonight.json fleet.json",
      "  lighthouse plan evacuate zone=b fleet.json"
    })
final class PlanCommand implements Callable<Integer> {
  private static final List<String> GOALS =
      List.of("place", "drain", "evacuate", "consolidate", "rebalance", "repair");

  private final Terminal terminal;

  @Mixin private ProblemOptions options;
  @Mixin private AnswerOption output;

  @Parameters(index = "0", paramLabel = "GOAL", description = "What is to be reached, as above.")
  private String goal;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "[NODE...] FILE",
      description = "The nodes of the goal, if it has any, and the file with the fleet.")
  private List<String> words = List.of();

  @Option(names = "--max-moves", paramLabel = "N", description = "At most so many moves.")
  private Integer mostMoves;

  @Option(
      names = "--max-moved",
      paramLabel = "NAME=QUANTITY[,...]",
      split = ",",
      description = "At most so much of a resource required by what is moved, together.")
  private Map<String, String> mostMoved = new LinkedHashMap<>();

  @Option(names = "--pin", paramLabel = "WORKLOAD", description = "It stays; may be repeated.")
  private List<String> pinned = List.of();

  @Option(
      names = "--avoid",
      paramLabel = "NODE",
      description = "Nobody is moved there; may be repeated.")
  private List<String> avoided = List.of();

  @Option(
      names = "--max-of-group",
      paramLabel = "N",
      description = "At most so many moves out of one aversion group in one wave.")
  private Integer mostOfAGroup;

  @Option(
      names = "--save",
      paramLabel = "FILE",
      description = "Save the fleet as it is after the plan.")
  private Path save;

  PlanCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    if (!GOALS.contains(goal)) {
      throw options.wrong("no goal '" + goal + "'; goals are " + String.join(", ", GOALS));
    }
    boolean named = goal.equals("drain") || goal.equals("evacuate");
    if (named == words.size() < 2) {
      throw options.wrong(
          named
              ? goal + " wants the names of nodes, and then a FILE"
              : goal + " takes one FILE and no nodes");
    }
    options.check(terminal);
    PlanLimits limits;
    try {
      limits = limits();
    } catch (InvalidInputException refused) {
      throw options.wrong(refused.getMessage());
    }
    return FileRun.each(List.of(words.get(words.size() - 1)), terminal, file -> plan(file, limits));
  }

  private PlanLimits limits() {
    PlanLimits limits =
        PlanLimits.NONE
            .withPinned(new HashSet<>(pinned))
            .withAvoided(new HashSet<>(avoided))
            .withMoved(Resources.of(mostMoved));
    limits = mostMoves == null ? limits : limits.withMoves(mostMoves);
    return mostOfAGroup == null ? limits : limits.withMostOfAGroup(mostOfAGroup);
  }

  private int plan(FleetFile file, PlanLimits limits) throws IOException {
    Plan plan;
    try (Progress progress = new Progress(terminal)) {
      LoadedFleet fleet = LoadedFleet.read(file, options, terminal, progress);
      progress.says("planning");
      plan = fleet.distributor().plan(goal(fleet.problem()), limits);
      if (save != null) {
        fleet.distributor().apply(plan);
        progress.says("saving " + save);
        SavedFile.save(Problem.of(fleet.distributor()), save);
      }
    }
    if (output.isTable()) {
      page(file, plan).print(terminal.out());
    } else {
      output.write(terminal, answer -> write(answer, plan), () -> rows(plan));
    }
    return plan.unmet().isEmpty() ? ExitCode.DONE : ExitCode.REFUSED;
  }

  private PlanGoal goal(Problem problem) {
    return switch (goal) {
      case "place" -> new PlanGoal.Place(problem.workloads());
      case "drain" -> new PlanGoal.Drain(nodes(problem));
      case "evacuate" -> new PlanGoal.Evacuate(nodes(problem));
      case "consolidate" -> new PlanGoal.Consolidate();
      case "rebalance" -> new PlanGoal.Rebalance();
      default -> new PlanGoal.Repair();
    };
  }

  /** The nodes that are named, and those of the domains that are. */
  private List<String> nodes(Problem problem) {
    List<String> nodes = new ArrayList<>();
    for (String word : words.subList(0, words.size() - 1)) {
      int equals = word.indexOf('=');
      boolean isNode = problem.nodes().stream().anyMatch(node -> node.name().equals(word));
      if (isNode || equals < 1) {
        nodes.add(word);
        continue;
      }
      String level = word.substring(0, equals);
      String domain = word.substring(equals + 1);
      List<String> within =
          problem.nodes().stream()
              .filter(node -> domain.equals(node.domains().get(level)))
              .map(Node::name)
              .toList();
      if (within.isEmpty()) {
        throw new InvalidInputException("plan", goal, "'" + word + "'", "a domain that has nodes");
      }
      nodes.addAll(within);
    }
    return nodes;
  }

  // ---- the answer ----

  private TerminalPage page(FleetFile file, Plan plan) {
    TerminalPage page = new TerminalPage(terminal);
    page.title(
        file.title()
            + ": "
            + Reasons.plural((int) plan.moves(), "move")
            + " in "
            + Reasons.plural(plan.waves().size(), "wave"));
    TerminalPage.Section moves = page.section("wave", "what is done");
    for (int wave = 0; wave < plan.waves().size(); wave++) {
      String label = String.valueOf(wave + 1);
      for (Change change : plan.waves().get(wave)) {
        moves.row(label, Style.PLAIN, change.toString());
        label = "";
      }
    }
    moves.end();
    TerminalPage.Section figures = page.section("", "before, after");
    figures.row("placed", Style.PLAIN, plan.before().placed() + ", " + plan.after().placed());
    figures.row(
        "nodes in use", Style.PLAIN, plan.before().nodesInUse() + ", " + plan.after().nodesInUse());
    figures.row(
        "fullest share", Style.PLAIN, plan.before().fullest() + ", " + plan.after().fullest());
    figures.row("averse", Style.PLAIN, plan.before().averse() + ", " + plan.after().averse());
    figures.end();
    TerminalPage.Section proven = page.section();
    proven.row(
        "bound",
        Style.PLAIN,
        "no plan reaches a better '"
            + plan.bound().figure()
            + "' than "
            + plan.bound().best()
            + (plan.optimal() ? ", and this one does reach it" : ""));
    if (!plan.unmet().isEmpty()) {
      proven.row("not reached", Style.BOLD, plan.unmet(), ", ");
    }
    proven.end();
    return page;
  }

  private static void write(AnswerWriter answer, Plan plan) {
    answer.member("goal", plan.goal().word());
    answer.objects(
        "waves",
        plan.waves(),
        (inside, wave) -> inside.objects("changes", wave, PlanCommand::write));
    answer.names("unmet", plan.unmet());
    answer.object("before", inside -> write(inside, plan.before()));
    answer.object("after", inside -> write(inside, plan.after()));
    answer.object(
        "bound",
        inside ->
            inside
                .member("figure", plan.bound().figure())
                .member("best", plan.bound().best())
                .member("reached", plan.bound().reached()));
  }

  private static void write(AnswerWriter answer, Change change) {
    if (change instanceof Change.Move move) {
      answer
          .member("workload", move.workload())
          .member("from", move.from())
          .member("to", move.to());
    } else if (change instanceof Change.Assign assign) {
      answer.member("workload", assign.workload().name()).member("to", assign.node());
    }
  }

  private static void write(AnswerWriter answer, Plan.Figures figures) {
    answer
        .member("placed", figures.placed())
        .member("nodes_in_use", figures.nodesInUse())
        .member("fullest", figures.fullest())
        .member("averse", figures.averse());
  }

  private static List<List<String>> rows(Plan plan) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("wave", "workload", "from", "to"));
    for (int wave = 0; wave < plan.waves().size(); wave++) {
      for (Change change : plan.waves().get(wave)) {
        String number = String.valueOf(wave + 1);
        if (change instanceof Change.Move move) {
          rows.add(List.of(number, move.workload(), move.from(), move.to()));
        } else if (change instanceof Change.Assign assign) {
          rows.add(List.of(number, assign.workload().name(), "", assign.node()));
        }
      }
    }
    return rows;
  }
}

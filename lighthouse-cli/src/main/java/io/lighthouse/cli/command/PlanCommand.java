package io.lighthouse.cli.command;

import io.lighthouse.api.Node;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.cli.file.FleetFile;
import io.lighthouse.cli.file.Progress;
import io.lighthouse.cli.file.SavedFile;
import io.lighthouse.cli.option.AnswerOption;
import io.lighthouse.cli.option.NumberOption;
import io.lighthouse.cli.option.OutPath;
import io.lighthouse.cli.option.PairOption;
import io.lighthouse.cli.option.ProblemOptions;
import io.lighthouse.cli.page.ExitCode;
import io.lighthouse.cli.page.Terminal;
import io.lighthouse.json.Pairs;
import io.lighthouse.json.PlanWords;
import io.lighthouse.json.Problem;
import io.lighthouse.json.Suggestion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a plan for a fleet. */
@Command(
    name = "plan",
    description = {
      "Plan moves that bring the fleet of a file to a goal, each feasible at its turn.",
      "",
      "  place                     nodes for the file's workloads, by moving others",
      "  drain NODE|LEVEL=NAME     empty these nodes or this domain, each wholly or not",
      "  evacuate NODE|LEVEL=NAME  as many as can leave these nodes or this domain",
      "  consolidate               free as many nodes as can be",
      "  rebalance                 lower the fullest node",
      "  repair                    move workloads off averse nodes"
    },
    footer = {
      "",
      "Moves of one wave may run at the same time. A plan has a search of its own: the strategy"
          + " counts only for what --out writes. Exit code 1: the goal is not reached in full.",
      "",
      "Examples:",
      "  lighthouse plan drain n1 n2 fleet.json",
      "  lighthouse plan consolidate --max-moves 50 --out tonight.json fleet.json",
      "  lighthouse plan evacuate zone=b fleet.json"
    })
public final class PlanCommand extends FileCommand {
  @Mixin private ProblemOptions options;
  @Mixin private AnswerOption output;

  @Parameters(index = "0", paramLabel = "GOAL", description = "What is to be reached, as above.")
  private String goal;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      hideParamSyntax = true,
      paramLabel = "[NODE...] FILE",
      description =
          "The nodes of the goal, if it has any, and a problem in JSON or YAML, gzipped or not; -"
              + " is standard input.")
  private List<String> words = List.of();

  @Option(
      names = "--max-moves",
      paramLabel = "N",
      converter = NumberOption.Count.class,
      description = "The most moves of the plan.")
  private Integer mostMoves;

  @Option(
      names = "--max-moved",
      paramLabel = "NAME=QUANTITY[,...]",
      description =
          "The most of a resource that the moved workloads may require together. May be repeated.")
  private List<String> mostMoved = List.of();

  @Option(
      names = "--pin",
      paramLabel = "WORKLOAD",
      description = "This workload stays where it is. May be repeated.")
  private List<String> pinned = List.of();

  @Option(
      names = "--avoid",
      paramLabel = "NODE",
      description = "No workload is moved to this node. May be repeated.")
  private List<String> avoided = List.of();

  @Option(
      names = "--max-of-group",
      paramLabel = "N",
      converter = NumberOption.Positive.class,
      description = "The most moves out of one aversion group in one wave.")
  private Integer mostOfAGroup;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      converter = OutPath.class,
      description = "Save the fleet as it is after the plan.")
  private Path out;

  /** Read by {@link #prepare}. */
  private PlanLimits limits;

  public PlanCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void prepare() {
    if (!PlanWords.goals().contains(goal)) {
      throw options.wrong(
          "no goal '"
              + goal
              + "'; goals are "
              + String.join(", ", PlanWords.goals())
              + Suggestion.question(goal, PlanWords.goals()));
    }
    boolean named = PlanWords.isOfNodes(goal);
    if (named ? words.size() < 2 : words.size() != 1) {
      throw options.wrong(
          named
              ? goal + " wants the names of nodes, and then a FILE"
              : goal + " takes one FILE and no nodes");
    }
    options.check(terminal);
    try {
      limits = limits();
    } catch (InvalidInputException refused) {
      throw options.wrong(refused.getMessage());
    }
  }

  @Override
  List<String> files() {
    return List.of(words.get(words.size() - 1));
  }

  private PlanLimits mostMoved() {
    List<String> entries =
        mostMoved.stream().flatMap(text -> Stream.of(text.split(",", -1))).toList();
    Map<String, String> amounts =
        PairOption.pairs(command, "--max-moved", "NAME=QUANTITY", entries);
    try {
      return PlanLimits.NONE.withMoved(Pairs.resources(amounts));
    } catch (InvalidInputException wrong) {
      throw options.wrong("--max-moved", wrong);
    }
  }

  private PlanLimits limits() {
    PlanLimits limits =
        mostMoved().withPinned(new HashSet<>(pinned)).withAvoided(new HashSet<>(avoided));
    limits = mostMoves == null ? limits : limits.withMoves(mostMoves);
    return mostOfAGroup == null ? limits : limits.withMostOfAGroup(mostOfAGroup);
  }

  /** Refuses names that the file does not have, with their option. */
  private void checkNames(Problem problem) {
    Set<String> nodes = new HashSet<>();
    Set<String> placed = new HashSet<>();
    for (Node node : problem.nodes()) {
      nodes.add(node.name());
      node.workloads().forEach(workload -> placed.add(workload.name()));
    }
    require("--pin", pinned, placed, "on no node", "the name of a workload on a node");
    require("--avoid", avoided, nodes, "no node of the file", "the name of a node");
    if (!mostMoved.isEmpty()) {
      List<String> resources = limits.mostMoved().names();
      Set<String> known = problem.resourceNames();
      require("--max-moved", resources, known, "not in the file", PlanWords.LIMITED);
    }
  }

  private static void require(
      String option, List<String> names, Set<String> known, String found, String allowed) {
    for (String name : names) {
      if (!known.contains(name)) {
        throw new InvalidInputException(
            option, "'" + name + "'", found, allowed + Suggestion.question(name, known));
      }
    }
  }

  @Override
  int run(FleetFile file) throws IOException {
    Plan plan;
    try (Progress progress = new Progress(terminal)) {
      LoadedFleet fleet = LoadedFleet.read(file, options, terminal, progress);
      checkNames(fleet.problem());
      progress.says("planning");
      plan =
          fleet
              .distributor()
              .advisor()
              .plan(
                  PlanWords.goal(goal, words.subList(0, words.size() - 1), fleet.problem()),
                  limits);
      if (out != null) {
        fleet.distributor().apply(plan.generation(), plan.changes());
        progress.says("saving " + out);
        SavedFile.save(fleet.asItIs(), out);
      }
    }
    PlanPage.write(file.title(), plan, output, terminal);
    return plan.unmet().isEmpty() ? ExitCode.DONE : ExitCode.REFUSED;
  }
}

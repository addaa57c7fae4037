package io.lighthouse.cli.command;

import io.lighthouse.api.Explanation;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Choice;
import io.lighthouse.api.advice.Remedies;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.cli.file.FleetFile;
import io.lighthouse.cli.file.Progress;
import io.lighthouse.cli.option.AnswerOption;
import io.lighthouse.cli.option.ProblemOptions;
import io.lighthouse.cli.page.ChoiceText;
import io.lighthouse.cli.page.Doubts;
import io.lighthouse.cli.page.ExitCode;
import io.lighthouse.cli.page.RemedyPage;
import io.lighthouse.cli.page.Style;
import io.lighthouse.cli.page.Terminal;
import io.lighthouse.cli.page.TerminalPage;
import io.lighthouse.cli.page.TermsText;
import io.lighthouse.json.Suggestion;
import io.lighthouse.json.write.ChoiceWriter;
import io.lighthouse.json.write.RemedyWriter;
import io.lighthouse.picture.FleetText;
import io.lighthouse.picture.ReasonText;
import io.lighthouse.picture.Reasons;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Says what every node says to one workload of a file. */
@Command(
    name = "explain",
    description =
        "Show for one workload, at its turn, why each node fits or does not, and where it goes.",
    footer = {"", "Exit codes: 0 it finds a node, 1 it finds none, 2 wrong use or bad input."})
public final class ExplainCommand extends FileCommand {
  @Mixin private ProblemOptions options;
  @Mixin private AnswerOption output;

  @Parameters(
      paramLabel = "WORKLOAD [FILE]",
      hideParamSyntax = true,
      arity = "1..2",
      description =
          "The name of a workload, and its problem in JSON or YAML, gzipped or not. - is standard"
              + " input, which is also read where it is a pipe and no FILE is given.")
  private List<String> words = List.of();

  @Option(
      names = "--scores",
      description =
          "Also list the nodes that it fits in the strategy's order, each with its exact score and"
              + " what that is made of, and what decided between the first two.")
  private boolean scores;

  @Option(
      names = "--remedies",
      description =
          "Also list changes with which it would fit when the file's workloads are placed: the"
              + " cheapest of each kind, tried out.")
  private boolean remedies;

  @Option(
      names = "--protect",
      paramLabel = "WORKLOAD",
      description = "With --remedies: none moves or releases it; may be repeated.")
  private List<String> spared = List.of();

  private String workload;
  private List<String> file;

  public ExplainCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void prepare() {
    if (words.size() > 2) {
      throw new ParameterException(
          command.commandLine(),
          "'" + words.get(2) + "' is one word too many; allowed: a WORKLOAD and a FILE");
    }
    workload = words.get(0);
    if (words.size() == 1 && new FleetFile(workload).isFile()) {
      throw new ParameterException(
          command.commandLine(), "Missing required parameter: 'WORKLOAD', before the FILE");
    }
    if (!spared.isEmpty() && !remedies) {
      throw options.wrong("--protect has no effect without --remedies; give both");
    }
    checkHasPlace("--scores", scores, output);
    checkHasPlace("--remedies", remedies, output);
    file = words.size() == 1 ? List.of() : List.of(last(words, "WORKLOAD FILE"));
    options.check(terminal);
  }

  @Override
  List<String> files() {
    return file;
  }

  @Override
  int run(FleetFile from) throws IOException {
    LoadedFleet fleet;
    Explanation explanation;
    Choice choice = null;
    Remedies found = null;
    int index;
    try (Progress progress = new Progress(terminal)) {
      fleet = LoadedFleet.read(from, options, terminal, progress);
      index = index(fleet);
      checkSpared(fleet);
      progress.says("placing what comes before '" + workload + "'");
      explanation = fleet.explain(index);
      if (scores) {
        choice = fleet.choice(index);
      }
      if (remedies) {
        progress.says("looking for remedies");
        found = remedies(fleet, index);
      }
    }
    if (output.isTable()) {
      Workload asked = fleet.problem().workloads().get(index);
      TerminalPage page = page(fleet, asked, explanation);
      if (choice != null) {
        ChoiceText.write(page, choice);
      }
      if (found != null) {
        RemedyPage.write(page, asked, found);
      }
      page.print(terminal.out());
    } else {
      Choice told = choice;
      Remedies answered = found;
      output.write(
          terminal,
          answer -> {
            answer.member("strategy", fleet.strategy());
            answer.explanation("explanation", explanation);
            if (told != null) {
              answer.object("choice", inside -> ChoiceWriter.write(inside, told));
            }
            if (answered != null) {
              answer.object("remedies", inside -> RemedyWriter.write(inside, answered));
            }
          },
          () -> rows(explanation));
    }
    return explanation.chosen().isPresent() ? ExitCode.DONE : ExitCode.REFUSED;
  }

  /** When all that the file asks for is placed, as far as it can be. */
  private Remedies remedies(LoadedFleet fleet, int index) {
    List<Workload> workloads = fleet.problem().workloads();
    fleet.assign(List.of());
    Snapshot snapshot = fleet.distributor().snapshot();
    if (snapshot.nodeOf(workload).isPresent()) {
      return new Remedies(workload, Remedies.Prospect.FITS, List.of(), List.of());
    }
    Set<String> placed = new HashSet<>(spared);
    placed.removeIf(name -> snapshot.nodeOf(name).isEmpty());
    return fleet.distributor().advisor().remedies(workloads.get(index), placed);
  }

  private static List<List<String>> rows(Explanation explanation) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("workload", "node", "chosen", "fits", "reasons"));
    for (NodeVerdict verdict : explanation.nodes()) {
      rows.add(
          List.of(
              explanation.workload(),
              verdict.node(),
              Boolean.toString(verdict.chosen()),
              Boolean.toString(verdict.fits()),
              Reasons.of(verdict)));
    }
    return rows;
  }

  private int index(LoadedFleet fleet) {
    List<Workload> workloads = fleet.problem().workloads();
    for (int i = 0; i < workloads.size(); i++) {
      if (workloads.get(i).name().equals(workload)) {
        return i;
      }
    }
    for (Node node : fleet.problem().nodes()) {
      if (node.workloads().stream().anyMatch(placed -> placed.name().equals(workload))) {
        throw unknown("on node '" + node.name() + "' already", "");
      }
    }
    List<String> waiting = fleet.problem().workloads().stream().map(Workload::name).toList();
    throw unknown("not in the file", Suggestion.question(workload, waiting));
  }

  private void checkSpared(LoadedFleet fleet) {
    for (String name : spared) {
      if (!fleet.problem().hasWorkload(name)) {
        throw new InvalidInputException(
            "--protect",
            "'" + name + "'",
            "not in the file",
            "a workload of the file" + Suggestion.question(name, fleet.problem().workloadNames()));
      }
    }
  }

  private InvalidInputException unknown(String found, String meant) {
    return new InvalidInputException(
        "WORKLOAD", "'" + workload + "'", found, "a workload that wants a place" + meant);
  }

  private TerminalPage page(LoadedFleet fleet, Workload asked, Explanation explanation) {
    TerminalPage page = new TerminalPage(terminal);
    page.title(
        fleet.file().title()
            + ": "
            + asked.name()
            + explanation.chosen().map(node -> " goes to " + node).orElse(" finds no node")
            + ", by "
            + fleet.strategy());
    TerminalPage.Section about =
        page.section("workload", asked.name())
            .row("requires", Style.PLAIN, orNone(FleetText.quantities(asked.requirements())), ", ")
            .row("immune to", Style.PLAIN, orNone(List.copyOf(asked.immunities())), ", ")
            .row("averse to", Style.PLAIN, orNone(List.copyOf(asked.aversionGroups())), ", ");
    TermsText.of(asked.terms()).forEach((term, words) -> about.row(term, Style.PLAIN, words, ", "));
    about.end();
    TerminalPage.Section nodes = page.section("node", "says");
    explanation.nodes().forEach(verdict -> row(nodes, verdict));
    nodes.end();
    if (explanation.chosen().isEmpty()) {
      TerminalPage.Section why = page.section();
      why.row(
          "in short",
          Style.BOLD,
          Reasons.shortest(explanation.summary(), asked)
              + Doubts.meant(asked, Doubts.offered(fleet.problem())));
      if (!explanation.nodes().isEmpty()) {
        why.row("in all", Style.BOLD, Reasons.counts(explanation.summary()), "; ");
      }
      why.end();
    }
    return page;
  }

  private static void row(TerminalPage.Section section, NodeVerdict verdict) {
    if (verdict.chosen()) {
      section.row(verdict.node(), Style.GREEN, "takes it");
      return;
    }
    String label = verdict.node();
    for (Reason reason : verdict.reasons()) {
      section.row(label, verdict.fits() ? Style.PLAIN : Style.RED, ReasonText.of(reason));
      label = "";
    }
  }

  private static List<String> orNone(List<String> words) {
    return words.isEmpty() ? List.of("nothing") : words;
  }
}

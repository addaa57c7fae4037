package io.lighthouse.cli.command;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.DomainState;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Shortage;
import io.lighthouse.api.error.Plural;
import io.lighthouse.cli.file.FleetFile;
import io.lighthouse.cli.file.Progress;
import io.lighthouse.cli.file.SavedFile;
import io.lighthouse.cli.option.AnswerOption;
import io.lighthouse.cli.option.OutPath;
import io.lighthouse.cli.option.ProblemOptions;
import io.lighthouse.cli.page.ExitCode;
import io.lighthouse.cli.page.RemedyPage;
import io.lighthouse.cli.page.Style;
import io.lighthouse.cli.page.Terminal;
import io.lighthouse.cli.page.TerminalPage;
import io.lighthouse.json.Problem;
import io.lighthouse.json.log.DecisionRecord;
import io.lighthouse.json.write.RemedyWriter;
import io.lighthouse.picture.PlacementSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Places the workloads of each file. */
@Command(
    name = "assign",
    description = "Place the workloads of each file on its nodes.",
    footer = {
      "",
      "Exit codes: 0 all placed, 1 some refused, 2 wrong use or bad input.",
      "",
      "Examples:",
      "  lighthouse assign fleet.json",
      "  lighthouse assign --strategy bin-pack --rubric cpu=1,mem=0.5 fleet.json.gz",
      "  lighthouse assign --output json monday.json tuesday.json",
      "  lighthouse assign --out tonight.json fleet.json"
    })
public final class AssignCommand extends FileCommand {
  /** The most pairs of workload and node for which every refusal is explained at its turn. */
  private static final long CHEAP_LOOKS = 50_000_000;

  @Mixin private ProblemOptions options;
  @Mixin private AnswerOption output;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description =
          "Problems in JSON or YAML, gzipped or not, each a fleet of its own. - is standard input,"
              + " which is also read where it is a pipe and no FILE is given.")
  private List<String> files = List.of();

  @Option(
      names = "--all-or-nothing",
      description = "Place all workloads of a file, or none of them.")
  private boolean allOrNothing;

  @Option(
      names = "--explain",
      description =
          "Give the reasons of each refusal: counts over all nodes, and the nearest nodes.")
  private boolean explain;

  @Option(
      names = "--full",
      description = "List everything; without it a table leaves out what would be too long.")
  private boolean full;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      converter = OutPath.class,
      description = "Save the fleet afterwards, as a problem to go on from.")
  private Path out;

  @Option(
      names = "--remedies",
      description = "Group the refused workloads by what they lack, with how much more would do.")
  private boolean remedies;

  @Option(
      names = "--record",
      paramLabel = "FILE",
      converter = OutPath.class,
      description = "Write a record of the decision, for lighthouse replay.")
  private Path record;

  @Option(
      names = "--hash",
      description = "Also print the SHA-256 of the decision, as its record has it.")
  private boolean hash;

  public AssignCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void prepare() {
    check("--out", "the fleet", out);
    check("--record", "the decision", record);
    checkRecord();
    checkHasPlace("--explain", explain, output);
    checkHasPlace("--remedies", remedies, output);
    checkHasPlace("--hash", hash, output);
    options.check(terminal);
  }

  @Override
  List<String> files() {
    return files;
  }

  private void check(String option, String what, Path path) {
    if (path != null && files.size() > 1) {
      throw new ParameterException(
          command.commandLine(),
          option
              + " takes "
              + what
              + " of one file, not of "
              + files.size()
              + "; save them one by one");
    }
  }

  /** The record replaces neither the fleet that is saved nor the problem that is read. */
  private void checkRecord() {
    if (record != null) {
      checkRecordIsNotOut();
      checkIsNotRead("--record", record);
    }
  }

  private void checkRecordIsNotOut() {
    if (out != null && SavedFile.isSame(record, out)) {
      throw options.wrong("--record " + record + " is the file of --out; give another");
    }
  }

  @Override
  int run(FleetFile file) throws IOException {
    LoadedFleet fleet;
    Assignments assignments;
    try (Progress progress = new Progress(terminal)) {
      fleet = LoadedFleet.read(file, options, terminal, progress);
      Problem problem = fleet.problem();
      progress.says(
          "placing "
              + Plural.of(problem.workloads().size(), "workload")
              + " on "
              + Plural.of(problem.nodes().size(), "node"));
      assignments = fleet.assign(asked(fleet));
      if (out != null) {
        progress.says("saving " + out);
        SavedFile.save(Problem.of(fleet.distributor()), out);
      }
      if (record != null) {
        progress.says("recording " + record);
        checkRecordIsNotOut(); // It may be a link to the file that is there only now.
        SavedFile.save(record, recorded(fleet, assignments)::write);
      }
    }
    // All that may fail comes before the first line of the answer.
    List<Shortage> shortages = remedies ? shortages(fleet, assignments) : List.of();
    if (output.isTable()) {
      new AssignmentPage(terminal, fleet, assignments, full, explains(fleet)).print();
      if (remedies) {
        RemedyPage.shortages(terminal, shortages).print(terminal.out());
      }
      if (hash) {
        TerminalPage page = new TerminalPage(terminal);
        page.section().row("hash", Style.PLAIN, recorded(fleet, assignments).hash()).end();
        page.print(terminal.out());
      }
    } else {
      write(fleet, assignments, shortages);
    }
    return assignments.allPlaced() ? ExitCode.DONE : ExitCode.REFUSED;
  }

  private DecisionRecord recorded(LoadedFleet fleet, Assignments assignments) {
    return DecisionRecord.of(
        fleet.distributor().strategy(), allOrNothing, fleet.problem(), assignments);
  }

  private static List<Shortage> shortages(LoadedFleet fleet, Assignments assignments) {
    Set<String> refused = new HashSet<>(assignments.refused());
    List<Workload> waiting =
        fleet.problem().workloads().stream().filter(one -> refused.contains(one.name())).toList();
    return fleet.distributor().advisor().shortages(waiting);
  }

  private boolean explains(LoadedFleet fleet) {
    return explain || fleet.explains();
  }

  private List<AssignOption> asked(LoadedFleet fleet) {
    Problem problem = fleet.problem();
    List<AssignOption> asked = new ArrayList<>();
    if (allOrNothing) {
      asked.add(AssignOption.ALL_OR_NOTHING);
    }
    long looks = (long) problem.nodes().size() * problem.workloads().size();
    if (explains(fleet) || output.isTable() && (looks <= CHEAP_LOOKS || full || allOrNothing)) {
      asked.add(AssignOption.EXPLAIN);
    }
    return asked;
  }

  private void write(LoadedFleet fleet, Assignments assignments, List<Shortage> shortages)
      throws IOException {
    output.write(
        terminal,
        answer -> {
          answer.member("strategy", fleet.strategy());
          answer.assignments("assignments", assignments);
          answer.member("placed", assignments.placedCount());
          answer.member("refused", assignments.refusedCount());
          Snapshot snapshot = fleet.distributor().snapshot();
          answer.member("nodes_used", PlacementSummary.of(snapshot, assignments).nodesInUse());
          List<DomainState> domains = snapshot.domains();
          if (!domains.isEmpty()) {
            answer.leftOfDomains("left_of_domains", domains);
          }
          if (explains(fleet)) {
            answer.refusals("refusals", assignments.refusals());
          }
          if (remedies) {
            RemedyWriter.write(answer, "shortages", shortages);
          }
          if (hash) {
            answer.member(DecisionRecord.DECISION, recorded(fleet, assignments).hash());
          }
        },
        () -> {
          List<List<String>> rows = new ArrayList<>();
          rows.add(List.of("file", "workload", "node"));
          for (int i = 0; i < assignments.size(); i++) {
            String node = assignments.node(i).orElse("");
            rows.add(List.of(fleet.file().title(), assignments.workload(i), node));
          }
          return rows;
        });
  }
}

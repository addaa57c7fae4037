package io.lighthouse.cli.command;

import io.lighthouse.api.error.Plural;
import io.lighthouse.cli.file.FleetFile;
import io.lighthouse.cli.file.Progress;
import io.lighthouse.cli.option.AnswerOption;
import io.lighthouse.cli.option.ProblemOptions;
import io.lighthouse.cli.page.Doubts;
import io.lighthouse.cli.page.ExitCode;
import io.lighthouse.cli.page.Style;
import io.lighthouse.cli.page.Terminal;
import io.lighthouse.cli.page.TerminalPage;
import io.lighthouse.json.Fault;
import io.lighthouse.json.Problem;
import io.lighthouse.json.ProblemFormatException;
import io.lighthouse.json.Rounding;
import io.lighthouse.json.write.AnswerWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says whether a file is a sound problem. */
@Command(
    name = "check",
    aliases = "validate",
    description = "Show whether each file is valid, all faults in it, and what is rounded.",
    footer = {"", "Exit codes: 0 all files are sound, 2 one is not, or wrong use."})
public final class CheckCommand extends ProblemsCommand {
  private static final List<String> HEADS = List.of("file", "finding", "about", "text");

  @Mixin private ProblemOptions options;
  @Mixin private AnswerOption output;

  @Option(names = "--full", description = "List everything; else at most 100 of each sort.")
  private boolean full;

  public CheckCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void prepare() {
    options.check(terminal);
  }

  @Override
  int run(FleetFile file) throws IOException {
    LoadedFleet fleet;
    try (Progress progress = new Progress(terminal)) {
      fleet = LoadedFleet.read(file, options, terminal, progress);
      progress.says("checking the workloads of " + file.title());
      if (!fleet.problem().workloads().isEmpty()) {
        fleet.explain(0); // Looks at the whole batch, and changes nothing.
      }
    } catch (ProblemFormatException unsound) {
      if (output.isTable()) {
        unsound.faults().forEach(fault -> terminal.complain(file.title(), fault.message()));
      } else {
        output.write(
            terminal, json -> write(json, file, unsound.faults()), () -> rows(file, unsound));
      }
      return ExitCode.FAILED;
    }
    if (output.isTable()) {
      page(file, fleet).print(terminal.out());
    } else {
      output.write(terminal, json -> write(json, file, fleet), () -> rows(file, fleet));
    }
    return ExitCode.DONE;
  }

  private TerminalPage page(FleetFile file, LoadedFleet fleet) {
    Problem problem = fleet.problem();
    long before = before(problem);
    TerminalPage page = new TerminalPage(terminal);
    page.title(file.title() + ": sound");
    TerminalPage.Section section = page.section();
    section.row(
        "nodes",
        Style.PLAIN,
        problem.nodes().size()
            + (before == 0 ? "" : ", with " + Plural.of(before, "workload") + " on them"));
    if (!problem.domains().isEmpty()) {
      section.row("domains", Style.PLAIN, problem.domains().size() + " declared");
    }
    section.row("workloads", Style.PLAIN, Integer.toString(problem.workloads().size()));
    section.row("strategy", Style.PLAIN, fleet.strategy());
    doubts(fleet).forEach((lead, of) -> section.row("doubt", Style.YELLOW, listed(of, lead), ", "));
    section.end();
    roundings(page, fleet.document().roundings());
    return page;
  }

  private static Map<String, Set<String>> doubts(LoadedFleet fleet) {
    return Doubts.of(fleet.problem(), fleet.distributor().strategy());
  }

  private static long before(Problem problem) {
    return problem.nodes().stream().mapToLong(node -> node.workloads().size()).sum();
  }

  private static void write(AnswerWriter json, FleetFile file, List<Fault> faults) {
    json.member("file", file.title()).member("sound", faults.isEmpty());
    json.objects(
        "faults",
        faults,
        (inside, fault) ->
            inside
                .member("line", fault.place().line())
                .member("column", fault.place().column())
                .member("path", fault.place().path())
                .member("found", fault.found())
                .member("allowed", fault.allowed()));
  }

  private static void write(AnswerWriter json, FleetFile file, LoadedFleet fleet) {
    Problem problem = fleet.problem();
    write(json, file, List.of());
    json.member("nodes", problem.nodes().size())
        .member("placed_before", before(problem))
        .member("domains", problem.domains().size())
        .member("workloads", problem.workloads().size())
        .member("strategy", fleet.strategy());
    json.objects(
        "doubts",
        doubts(fleet).entrySet(),
        (inside, doubt) -> inside.member("doubt", doubt.getKey()).names("names", doubt.getValue()));
    json.objects(
        "rounded",
        fleet.document().roundings(),
        (inside, rounding) ->
            inside
                .member("path", rounding.place().path())
                .member("given", rounding.given())
                .member("used", rounding.used()));
  }

  private static List<List<String>> rows(FleetFile file, ProblemFormatException unsound) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEADS);
    unsound
        .faults()
        .forEach(
            fault ->
                rows.add(List.of(file.title(), "fault", fault.place().path(), fault.message())));
    return rows;
  }

  private static List<List<String>> rows(FleetFile file, LoadedFleet fleet) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEADS);
    doubts(fleet)
        .forEach(
            (doubt, names) ->
                names.forEach(name -> rows.add(List.of(file.title(), "doubt", name, doubt))));
    for (Rounding rounding : fleet.document().roundings()) {
      String used = rounding.given() + " is used as " + rounding.used();
      rows.add(List.of(file.title(), "rounded", rounding.place().path(), used));
    }
    return rows;
  }

  private void roundings(TerminalPage page, List<Rounding> roundings) {
    if (roundings.isEmpty()) {
      return;
    }
    List<Rounding> shown = roundings.subList(0, Math.min(most(), roundings.size()));
    TerminalPage.Section section = page.section("rounded", "to nine digits after the point");
    for (Rounding rounding : shown) {
      section.row(
          rounding.place().path(),
          Style.YELLOW,
          rounding.given() + " is used as " + rounding.used());
    }
    if (shown.size() < roundings.size()) {
      int more = roundings.size() - shown.size();
      section.row("...", Style.DIM, "and " + more + " more; --full lists all");
    }
    section.end();
  }

  private List<String> listed(Set<String> names, String lead) {
    List<String> listed = new ArrayList<>();
    for (String name : names) {
      if (listed.size() == most()) {
        listed.add("... and " + (names.size() - most()) + " more");
        break;
      }
      listed.add(listed.isEmpty() ? lead + " " + name : name);
    }
    return listed;
  }

  private int most() {
    return full ? Integer.MAX_VALUE : 100;
  }
}

package io.lighthouse.cli.command;

import io.lighthouse.api.Rubric;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.Plural;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.cli.file.FleetFile;
import io.lighthouse.cli.file.Progress;
import io.lighthouse.cli.file.SavedFile;
import io.lighthouse.cli.option.AnswerOption;
import io.lighthouse.cli.option.OutPath;
import io.lighthouse.cli.option.PairOption;
import io.lighthouse.cli.option.PluginOptions;
import io.lighthouse.cli.option.TextOption;
import io.lighthouse.cli.page.ExitCode;
import io.lighthouse.cli.page.Style;
import io.lighthouse.cli.page.Terminal;
import io.lighthouse.cli.page.TerminalPage;
import io.lighthouse.cli.simulate.DecisionLines;
import io.lighthouse.cli.simulate.HtmlReport;
import io.lighthouse.cli.simulate.Simulated;
import io.lighthouse.cli.simulate.TraceReader;
import io.lighthouse.scheduler.simulation.Simulation;
import io.lighthouse.scheduler.simulation.SimulationListener;
import io.lighthouse.scheduler.simulation.SimulationResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a trace through the scheduling manager in virtual time. */
@Command(
    name = "simulate",
    description = {
      "Run a trace through the scheduling manager in virtual time.",
      "It prints how long work waited and how much of the nodes was used; the same trace prints the"
          + " same. Events may stand in any order: they are sorted by time."
    },
    footer = {
      "",
      "Exit codes: 0 everything found a node, 1 something did not, 2 a bad trace, or passes failed."
    })
public final class SimulateCommand extends FileCommand {
  @Mixin private AnswerOption output;
  @Mixin private PluginOptions plugins;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      converter = OutPath.class,
      description = "Also write a page of HTML with plots of the nodes and of the utilisation.")
  private Path out;

  @Option(
      names = "--strategy",
      paramLabel = "NAME",
      description = "The installed strategy that chooses nodes, whatever the trace says.")
  private String strategy;

  @Option(
      names = {"--rubric", "--weights"},
      paramLabel = "NAME=WEIGHT[,...]",
      converter = TextOption.OrEmpty.class,
      description = "The weights of the resources, whatever the trace says; --rubric= for none.")
  private String rubric;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      description = "A trace in JSON or YAML, gzipped or not; - is standard input.")
  private String file;

  /** Read by {@link #prepare}. */
  private Optional<Rubric> weights;

  public SimulateCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void prepare() {
    checkIsNotRead("--out", out);
    plugins.checked(terminal, command, strategy);
    weights = Optional.ofNullable(rubric).map(text -> PairOption.rubric(command, text));
  }

  @Override
  List<String> files() {
    return file == null ? List.of() : List.of(file);
  }

  @Override
  int run(FleetFile trace) throws IOException {
    String title = trace.title();
    try {
      Simulated simulated = read(trace);
      SimulationResult result = run(simulated);
      if (out != null) {
        write(HtmlReport.of(title, simulated, result));
      }
      if (output.isTable()) {
        page(title, simulated, result).print(terminal.out());
      } else if (output.isCsv()) {
        output.writeRows(terminal, rows(result));
      }
      terminal.out().flush();
      return exitCode(title, result);
    } catch (InvalidInputException wrong) {
      throw plugins.hinted(wrong);
    } catch (UncheckedIOException failed) {
      throw failed.getCause();
    }
  }

  /** How it ends, and a line for each failure of passes. */
  private int exitCode(String title, SimulationResult result) {
    if (!result.failures().isEmpty()) {
      result
          .failures()
          .forEach(
              (message, times) ->
                  terminal.complain(
                      title, "failed in " + Plural.of(times, "pass") + ": " + message));
      return ExitCode.FAILED;
    }
    return result.never().isNothing() ? ExitCode.DONE : ExitCode.REFUSED;
  }

  private Simulated read(FleetFile trace) {
    try (Progress progress = new Progress(terminal)) {
      return trace.read(
          terminal,
          progress,
          in -> TraceReader.read(in, Optional.ofNullable(strategy), weights, this::find));
    }
  }

  private PlacementStrategy find(String name) {
    try {
      return plugins.installed(terminal).find(name);
    } catch (InvalidInputException unknown) {
      throw plugins.hinted(unknown);
    }
  }

  private SimulationResult run(Simulated simulated) throws IOException {
    if (output.isTable() || output.isCsv()) {
      return new Simulation(simulated.trace(), simulated.policy(), new SimulationListener() {})
          .run();
    }
    DecisionLines lines = new DecisionLines(members -> output.writeEvent(terminal.out(), members));
    SimulationResult result = new Simulation(simulated.trace(), simulated.policy(), lines).run();
    lines.result(result);
    return result;
  }

  private static List<List<String>> rows(SimulationResult result) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("priority", "placed", "mean", "median", "p95", "longest"));
    result
        .waiting()
        .forEach(
            (priority, times) ->
                rows.add(
                    List.of(
                        String.valueOf(priority),
                        String.valueOf(times.placed()),
                        HtmlReport.seconds(times.mean()),
                        HtmlReport.seconds(times.median()),
                        HtmlReport.seconds(times.p95()),
                        HtmlReport.seconds(times.longest()))));
    return rows;
  }

  private TerminalPage page(String title, Simulated simulated, SimulationResult result) {
    TerminalPage page = new TerminalPage(terminal);
    page.title(title);
    TerminalPage.Section sums = page.section();
    simulated.choice().forEach((name, words) -> sums.row(name, Style.PLAIN, words));
    sums.row("virtual time", Style.PLAIN, HtmlReport.seconds(result.end()) + " s");
    sums.row("passes", Style.PLAIN, Integer.toString(result.passes()));
    sums.row("completed", Style.PLAIN, Integer.toString(result.endings().completed()));
    sums.row("failed", Style.PLAIN, Integer.toString(result.endings().failed()));
    sums.row("cancelled", Style.PLAIN, Integer.toString(result.endings().cancelled()));
    if (!result.never().executions().isEmpty()) {
      sums.row("never placed", Style.YELLOW, result.never().executions(), ", ");
    }
    if (!result.never().systemTasks().isEmpty()) {
      sums.row("system tasks never done", Style.YELLOW, result.never().systemTasks(), ", ");
    }
    sums.end();
    TerminalPage.Section waiting = page.section("priority", "waited in the queue");
    result
        .waiting()
        .forEach(
            (priority, times) ->
                waiting.row(
                    Integer.toString(priority),
                    Style.PLAIN,
                    times.placed()
                        + " placed, mean "
                        + HtmlReport.seconds(times.mean())
                        + " s, median "
                        + HtmlReport.seconds(times.median())
                        + " s, 95 % "
                        + HtmlReport.seconds(times.p95())
                        + " s, longest "
                        + HtmlReport.seconds(times.longest())
                        + " s"));
    waiting.end();
    TerminalPage.Section used = page.section("resource", "used on average");
    HtmlReport.utilisation(result)
        .forEach((resource, mean) -> used.row(resource, Style.PLAIN, mean + " %"));
    used.end();
    return page;
  }

  /** Wholly or not at all. */
  private void write(String page) {
    SavedFile.save(out, to -> to.write(page.getBytes(StandardCharsets.UTF_8)));
  }
}

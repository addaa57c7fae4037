package io.lighthouse.cli;

import io.lighthouse.api.InvalidInputException;
import io.lighthouse.cli.simulate.DecisionLines;
import io.lighthouse.cli.simulate.HtmlReport;
import io.lighthouse.cli.simulate.Simulated;
import io.lighthouse.cli.simulate.TraceReader;
import io.lighthouse.scheduler.simulation.Simulation;
import io.lighthouse.scheduler.simulation.SimulationListener;
import io.lighthouse.scheduler.simulation.SimulationResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a trace through the scheduling manager in virtual time. */
@Command(
    name = "simulate",
    description = {
      "Run a trace of arrivals and nodes through the scheduling manager, in virtual time, and say",
      "how long work waited and how much of the nodes was used. The same trace says the same.",
      "The exit code is 0 where everything found a node, and 1 where something did not."
    })
final class SimulateCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private OutputOption output;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Also write a page of HTML with a plot of the utilisation.")
  private Path report;

  @Option(
      names = "--strategy",
      paramLabel = "NAME",
      description = "The installed strategy that chooses nodes, whatever the trace says.")
  private String strategy;

  @Parameters(paramLabel = "FILE", description = "A trace in JSON; - is standard input.")
  private String file;

  SimulateCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    String title = file.equals("-") ? "standard input" : file;
    try {
      Simulated simulated = read();
      SimulationResult result = run(simulated);
      if (report != null) {
        write(HtmlReport.of(title, result));
      }
      if (!output.isJson()) {
        page(title, result).print(terminal.out());
      }
      terminal.out().flush();
      return result.neverPlaced().isEmpty() ? ExitCode.DONE : ExitCode.REFUSED;
    } catch (InvalidInputException | Unusable refused) {
      terminal.complain(title, refused.getMessage());
      return ExitCode.FAILED;
    } catch (UncheckedIOException failed) {
      throw failed.getCause();
    }
  }

  private Simulated read() {
    try (InputStream in = file.equals("-") ? terminal.in() : Files.newInputStream(Path.of(file))) {
      return TraceReader.read(in, Optional.ofNullable(strategy));
    } catch (IOException failed) {
      throw new Unusable(
          Files.exists(Path.of(file)) ? "cannot be read: " + failed.getMessage() : "no such file");
    }
  }

  private SimulationResult run(Simulated simulated) {
    if (!output.isJson()) {
      return new Simulation(simulated.trace(), simulated.policy(), new SimulationListener() {})
          .run();
    }
    DecisionLines lines = new DecisionLines(terminal.out());
    SimulationResult result = new Simulation(simulated.trace(), simulated.policy(), lines).run();
    lines.result(result);
    return result;
  }

  private Page page(String title, SimulationResult result) {
    Page page = new Page(terminal);
    page.title(title);
    Page.Section sums = page.section();
    sums.row("virtual time", Style.PLAIN, HtmlReport.seconds(result.end()) + " s");
    sums.row("passes", Style.PLAIN, Integer.toString(result.passes()));
    sums.row("completed", Style.PLAIN, Integer.toString(result.completed()));
    sums.row("failed", Style.PLAIN, Integer.toString(result.failed()));
    sums.row("cancelled", Style.PLAIN, Integer.toString(result.cancelled()));
    if (!result.neverPlaced().isEmpty()) {
      sums.row("never placed", Style.YELLOW, result.neverPlaced(), ", ");
    }
    sums.end();
    Page.Section waiting = page.section("priority", "waited in the queue");
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
                        + " s, 95% "
                        + HtmlReport.seconds(times.p95())
                        + " s, longest "
                        + HtmlReport.seconds(times.longest())
                        + " s"));
    waiting.end();
    Page.Section used = page.section("resource", "used on average");
    HtmlReport.utilisation(result)
        .forEach((resource, mean) -> used.row(resource, Style.PLAIN, mean + "%"));
    used.end();
    return page;
  }

  /** Wholly or not at all. */
  private void write(String page) {
    Path part = report.toAbsolutePath().resolveSibling(report.getFileName() + ".part");
    try {
      Files.writeString(part, page);
      Files.move(part, report.toAbsolutePath(), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException failed) {
      throw new Unusable("the report cannot be written to " + report);
    }
  }

  /** A file that cannot be read or written; the message says why. */
  private static final class Unusable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unusable(String message) {
      super(message);
    }
  }
}

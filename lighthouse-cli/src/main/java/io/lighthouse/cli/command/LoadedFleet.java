package io.lighthouse.cli.command;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.advice.Choice;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.cli.file.FleetFile;
import io.lighthouse.cli.file.Progress;
import io.lighthouse.cli.option.ProblemOptions;
import io.lighthouse.cli.page.Terminal;
import io.lighthouse.json.Problem;
import io.lighthouse.json.ProblemFormatException;
import io.lighthouse.json.read.ProblemDocument;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A fleet that was read from a file. A mistake in it comes with its place in the text. */
final class LoadedFleet {
  private final FleetFile file;
  private final ProblemDocument document;
  private final Problem problem;
  private final Distributor distributor;
  private final ProblemOptions options;

  private LoadedFleet(
      FleetFile file,
      ProblemDocument document,
      ProblemOptions options,
      UnaryOperator<Problem> change) {
    this.file = file;
    this.document = document;
    this.options = options;
    this.problem = options.applied(change.apply(document.problem()));
    this.distributor = placed(document, options, () -> options.distributor(problem));
  }

  /** Reads a file and makes its fleet, as the options say. */
  static LoadedFleet read(
      FleetFile file, ProblemOptions options, Terminal terminal, Progress progress) {
    return read(file, options, terminal, progress, UnaryOperator.identity());
  }

  /** Reads a file and makes a fleet of what becomes of its problem, as the options say. */
  static LoadedFleet read(
      FleetFile file,
      ProblemOptions options,
      Terminal terminal,
      Progress progress,
      UnaryOperator<Problem> change) {
    ProblemDocument document = file.read(terminal, progress);
    progress.says("making the fleet of " + file.title());
    options.warnOfWeights(file.title(), document.problem(), terminal);
    return new LoadedFleet(file, document, options, change);
  }

  /** Whether the file asks why workloads are refused. */
  boolean explains() {
    return document.flags().contains(FleetFile.EXPLAIN);
  }

  FleetFile file() {
    return file;
  }

  ProblemDocument document() {
    return document;
  }

  /** The problem with what the options say. */
  Problem problem() {
    return problem;
  }

  /** The name of the strategy that places its workloads. */
  String strategy() {
    return problem.strategy().orElseThrow();
  }

  Distributor distributor() {
    return distributor;
  }

  /** The fleet as it is now, with the workloads of the file that wait for a node. */
  Problem asItIs() {
    Snapshot now = distributor.snapshot();
    return Problem.of(distributor)
        .withWorkloads(
            problem.workloads().stream()
                .filter(workload -> now.nodeOf(workload.name()).isEmpty())
                .toList());
  }

  /** Assigns the workloads of the file. */
  Assignments assign(List<AssignOption> options) {
    return placed(
        () -> distributor.assign(problem.workloads(), options.toArray(AssignOption[]::new)));
  }

  /** Explains one workload of the file at its turn. */
  Explanation explain(int index) {
    return placed(() -> distributor.explain(index, problem.workloads()));
  }

  /** Tells the choice for one workload of the file at its turn. */
  Choice choice(int index) {
    return placed(() -> distributor.advisor().choice(index, problem.workloads()));
  }

  private <T> T placed(Supplier<T> work) {
    return placed(document, options, work);
  }

  /** What some work answers; a mistake in what the file says gets its place in the text. */
  private static <T> T placed(ProblemDocument document, ProblemOptions options, Supplier<T> work) {
    try {
      return work.get();
    } catch (InvalidInputException mistake) {
      InvalidInputException hinted = options.hinted(mistake);
      if (mistake.thing().isPresent() || options.isOfFilesStrategy(mistake)) {
        throw document
            .locate(hinted)
            .map(fault -> (InvalidInputException) new ProblemFormatException(List.of(fault)))
            .orElse(hinted);
      }
      throw hinted;
    }
  }
}

package io.lighthouse.benchmarks.measure;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.benchmarks.placer.Answer;
import io.lighthouse.benchmarks.placer.Contestant;
import io.lighthouse.benchmarks.problem.Problem;

/** A whole problem in one batch, again and again, each time on a fresh distributor. */
final class BatchRun {
  private final Problem problem;
  private final Contestant strategy;

  /** Null before the first. */
  private Distributor distributor;

  BatchRun(Problem problem, Contestant strategy) {
    this.problem = problem;
    this.strategy = strategy;
  }

  void freshDistributor() {
    distributor = strategy.distributor(problem);
  }

  Assignments assign() {
    return distributor.assign(problem.workloads());
  }

  /** Counts what one more batch places and allocates. */
  void count() {
    freshDistributor();
    Assignments[] answered = new Assignments[1];
    long bytes = AllocatedBytes.of(() -> answered[0] = assign());
    Answer answer = Answer.of(problem, answered[0]);
    int workloads = problem.workloads().size();
    Outcome.add("nodes", problem.nodes().size());
    Outcome.add("workloads", workloads);
    Outcome.add("placed", answer.placed());
    Outcome.add("nodesUsed", answer.nodesUsed());
    Outcome.add("besideAverse", answer.besideAverse(problem));
    Outcome.add("bytesPerAttempt", (double) bytes / workloads);
  }
}

package io.lighthouse.benchmarks.measure;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.benchmarks.placer.Answer;
import io.lighthouse.benchmarks.placer.Contestant;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;

/** A whole problem in one batch, again and again, each time on a fresh distributor. */
final class BatchRun {
  private final BenchmarkProblem problem;
  private final Contestant strategy;

  /** Null before the first batch, as is the answer. */
  private Distributor distributor;

  private Assignments answered;
  private long bytesBefore;
  private long bytes;

  BatchRun(BenchmarkProblem problem, Contestant strategy) {
    this.problem = problem;
    this.strategy = strategy;
  }

  void freshDistributor() {
    answered = null;
    distributor = strategy.distributor(problem);
    bytesBefore = AllocatedBytes.soFar();
  }

  Assignments assign() {
    answered = distributor.assign(problem.workloads());
    return answered;
  }

  /** To be called right after each batch. */
  void countBytes() {
    bytes = AllocatedBytes.soFar() - bytesBefore;
  }

  /** Records what the last batch placed and allocated. */
  void tell() {
    Answer answer = Answer.of(problem, answered);
    int workloads = problem.workloads().size();
    Outcome.add("nodes", problem.nodes().size());
    Outcome.add("workloads", workloads);
    Outcome.add("placed", answer.placed());
    Outcome.add("nodesUsed", answer.nodesUsed());
    Outcome.add("besideAverse", answer.besideAverse(problem));
    Outcome.add("bytesPerAttempt", (double) bytes / workloads);
  }
}

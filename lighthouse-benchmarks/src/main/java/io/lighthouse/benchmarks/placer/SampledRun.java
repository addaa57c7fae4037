package io.lighthouse.benchmarks.placer;

import io.lighthouse.benchmarks.problem.BenchmarkProblem;

/**
 * Times a placer at equally spaced moments of a run, where the whole run would take minutes. The
 * state at each moment comes from the answer of Lighthouse. Every placement in the sample is
 * compared with that answer; a sample that differs is invalid.
 */
public final class SampledRun {
  private SampledRun() {}

  /**
   * The mean nanoseconds of an attempt, at some moments of a run and for some turns at each. One
   * moment with as many turns as there are workloads is the whole run.
   *
   * @throws IllegalStateException if the placer answers otherwise than Lighthouse did
   */
  public static double nanosPerAttempt(
      BenchmarkProblem problem,
      Contestant rule,
      Answer answer,
      StepPlacer placer,
      int moments,
      int turnsEach) {
    int[] turns = Turns.of(problem, rule);
    int each = Math.min(turnsEach, turns.length / moments);
    long nanos = 0;
    for (int moment = 0; moment < moments; moment++) {
      // The middle of a moment's share of the run; a single moment has the whole run.
      int share = turns.length / moments;
      int from = moment * share + (share - each) / 2;
      placer.restore(turns, answer.nodeOf(), from);
      int[] found = new int[each];
      long began = System.nanoTime();
      for (int i = 0; i < each; i++) {
        found[i] = placer.place(turns[from + i]);
      }
      nanos += System.nanoTime() - began;
      for (int i = 0; i < each; i++) {
        int workload = turns[from + i];
        if (found[i] != answer.nodeOf()[workload]) {
          throw new IllegalStateException(
              "%s, turn %d, %s: node %d, but Lighthouse says %d"
                  .formatted(
                      placer.getClass().getSimpleName(),
                      from + i,
                      problem.workloads().get(workload).name(),
                      found[i],
                      answer.nodeOf()[workload]));
        }
      }
    }
    return (double) nanos / moments / each;
  }
}

package io.lighthouse.benchmarks.measure;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Workload;
import io.lighthouse.benchmarks.placer.Answer;
import io.lighthouse.benchmarks.placer.Contestant;
import io.lighthouse.benchmarks.placer.StepPlacer;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import io.lighthouse.benchmarks.problem.ProblemGenerator;
import io.lighthouse.benchmarks.problem.ProblemSpec;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A generated problem and the strategy that places it. */
@State(Scope.Thread)
public abstract class ProblemState {
  /** The strategy. */
  @Param("PRIORITIZED")
  public Contestant strategy;

  /** The number of nodes. */
  @Param("1000")
  public int nodes;

  /** The number of measured resources. */
  @Param("4")
  public int resources;

  /** Demand in percent of the capacity. */
  @Param("95")
  public int percent;

  /** Different requirements; 0 for all different. */
  @Param("0")
  public int shapes;

  /** Whether there are rules. */
  @Param("false")
  public boolean rules;

  final ProblemSpec spec() {
    return new ProblemSpec(nodes, resources, percent, shapes, rules);
  }

  final BenchmarkProblem generate() {
    return ProblemGenerator.generate(spec());
  }

  /** Fills a distributor; returns the workloads that are placed, or those that are refused. */
  static List<Workload> fill(Distributor distributor, BenchmarkProblem problem, boolean placed) {
    Answer answer = Answer.of(problem, distributor.assign(problem.workloads())::node);
    List<Workload> found = new ArrayList<>();
    for (int w = 0; w < answer.nodeOf().length; w++) {
      if (placed == (answer.nodeOf()[w] != StepPlacer.NONE)) {
        found.add(problem.workloads().get(w));
      }
    }
    return found;
  }
}

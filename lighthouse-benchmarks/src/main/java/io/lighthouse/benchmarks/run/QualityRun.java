package io.lighthouse.benchmarks.run;

import com.sun.management.OperatingSystemMXBean;
import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.advice.Bounds;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.benchmarks.placer.Answer;
import io.lighthouse.benchmarks.placer.Soundness;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import io.lighthouse.benchmarks.quality.ChurnedFleet;
import io.lighthouse.benchmarks.quality.Contender;
import io.lighthouse.benchmarks.quality.Instance;
import io.lighthouse.benchmarks.quality.InstanceSet;
import io.lighthouse.benchmarks.quality.MixedFleet;
import io.lighthouse.core.Distributors;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How good answers are: a set of instances, placed by one contender within one budget, each answer
 * checked from the instance and the answer alone. In this JVM, warm: a small fleet is placed
 * before. Times are processor times of the thread that places; for large instances those of all
 * threads, the garbage collector's among them.
 */
public final class QualityRun {
  public static final String PLACE = "quality.place";
  public static final String CONSOLIDATE = "quality.consolidate";

  /** The number of runs of a contender that does not search; the median counts. */
  private static final int TIMES = 15;

  /** From this number of workloads on there are three runs, and all threads count. */
  private static final int MANY = 40_000;

  /** From this number on there is one. */
  private static final int MOST = 1_000_000;

  private final Path data;
  private final Facts facts;

  /** A run on the sets of a folder of data, which generated sets do not use. */
  public QualityRun(Path data, Facts facts) {
    this.data = data;
    this.facts = facts;
  }

  public static boolean takes(Case wanted) {
    return wanted.benchmark().startsWith("quality.");
  }

  public Measurement run(Case wanted) throws IOException {
    return wanted.benchmark().equals(PLACE) ? place(wanted) : consolidate(wanted);
  }

  private Measurement place(Case wanted) throws IOException {
    Contender who = Contender.valueOf(wanted.param("who"));
    double seconds =
        wanted.param("seconds").isEmpty() ? 0 : Double.parseDouble(wanted.param("seconds"));
    List<Instance> instances =
        InstanceSet.valueOf(wanted.param("set")).instances(data, wanted.number("every"));
    who.prepare(MixedFleet.generate(100, 80, 0), Math.min(seconds, 1)).place();
    Sum sum = new Sum();
    double[] nanos = new double[instances.size()];
    for (int i = 0; i < nanos.length; i++) {
      nanos[i] = place(instances.get(i), who, seconds, sum);
    }
    return Measurement.of(wanted, facts, nanos, sum.values());
  }

  /** Adds the result of an instance; returns its time in nanoseconds. */
  private static double place(Instance instance, Contender who, double seconds, Sum sum) {
    BenchmarkProblem problem = instance.problem();
    int workloads = problem.workloads().size();
    boolean large = workloads >= MANY;
    boolean once = who.isSearching() || workloads >= MOST;
    double[] nanos = new double[once ? 1 : large ? 3 : TIMES];
    double[] clock = new double[nanos.length];
    Answer answer = null;
    for (int time = 0; time < nanos.length; time++) {
      Contender.Run run = who.prepare(problem, seconds);
      long now = System.nanoTime();
      long began = large ? cpuOfAll() : cpu();
      answer = run.place();
      nanos[time] = (large ? cpuOfAll() : cpu()) - began;
      clock[time] = System.nanoTime() - now;
    }
    List<String> wrong = Soundness.findings(problem, answer);
    if (!wrong.isEmpty()) {
      throw new IllegalStateException(who + " on " + instance.name() + ": " + wrong);
    }
    Arrays.sort(nanos);
    Arrays.sort(clock);
    sum.add(instance, answer, clock[clock.length / 2]);
    return nanos[nanos.length / 2];
  }

  private Measurement consolidate(Case wanted) {
    int moves = wanted.number("moves");
    Distributor fleet = ChurnedFleet.live(wanted.nodes(), 1);
    PlanLimits limits = moves == 0 ? PlanLimits.NONE : PlanLimits.NONE.withMoves(moves);
    long began = cpu();
    Plan plan = fleet.advisor().plan(new PlanGoal.Consolidate(), limits);
    double[] nanos = {cpu() - began};
    // Carried out move by move by the ledger, which refuses what does not fit.
    for (Change change : plan.changes()) {
      fleet.apply(change);
    }
    long inUse =
        fleet.snapshot().nodes().stream().filter(node -> !node.workloads().isEmpty()).count();
    if (inUse != plan.after().nodesInUse()) {
      throw new IllegalStateException("the plan says " + plan.after() + ", not " + inUse);
    }
    Map<String, Double> values = new LinkedHashMap<>();
    values.put("placed", (double) plan.before().placed());
    values.put("before", (double) plan.before().nodesInUse());
    values.put("freed", (double) plan.before().nodesInUse() - inUse);
    values.put("moved", (double) plan.moves());
    values.put("fewest", plan.bound().best().toBigDecimal().doubleValue());
    return Measurement.of(wanted, facts, nanos, values);
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static long cpuOfAll() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** What came of some instances together; a gap is their mean. */
  private static final class Sum {
    private final Map<String, Double> values = new LinkedHashMap<>();

    /** A gap is to the optimum where that is known, else to the proven bound. */
    void add(Instance instance, Answer answer, double clock) {
      BenchmarkProblem problem = instance.problem();
      int workloads = problem.workloads().size();
      int least = instance.optimum() > 0 ? instance.optimum() : bounds(problem).fewestNodes();
      add("instances", 1);
      add("complete", answer.placed() == workloads ? 1 : 0);
      add("workloads", workloads);
      add("placed", answer.placed());
      add("averse", answer.besideAverse(problem));
      add("nodes", problem.nodes().size());
      add("used", answer.nodesUsed());
      add("least", least);
      add("optimal", answer.nodesUsed() == least ? 1 : 0);
      add("clock", clock);
      add("gap", 100.0 * (answer.nodesUsed() - least) / least);
    }

    private void add(String name, double value) {
      values.merge(name, value, Double::sum);
    }

    private static Bounds bounds(BenchmarkProblem problem) {
      return Distributors.installed()
          .strategy("prioritized")
          .nodes(problem.nodes())
          .build()
          .advisor()
          .bounds(problem.workloads());
    }

    Map<String, Double> values() {
      values.computeIfPresent("gap", (name, gaps) -> gaps / values.get("instances"));
      return values;
    }
  }
}

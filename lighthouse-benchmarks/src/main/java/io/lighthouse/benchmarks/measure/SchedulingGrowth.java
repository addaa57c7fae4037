package io.lighthouse.benchmarks.measure;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;

/**
 * Prints how the cost of a pass of the scheduling manager grows with each size of a cluster, while
 * the other sizes are fixed. It measures the processor time of the thread that makes the pass, and
 * takes the minimum of several passes, to reduce the influence of other work on the machine. The
 * slope is that of the logarithms: 1 where the cost grows linearly.
 */
public final class SchedulingGrowth {
  private static final int STEPS = 4;

  private SchedulingGrowth() {}

  /** A size that grows. */
  private record Dimension(
      String name, int smallest, BiConsumer<SchedulingBenchmark, Integer> set) {}

  /** Prints the table; the argument is the number of passes for each size (7). */
  public static void main(String[] args) {
    int passes = args.length > 0 ? Integer.parseInt(args[0]) : 7;
    List<Dimension> dimensions =
        List.of(
            new Dimension("nodes", 2_000, (pass, size) -> pass.nodes = size),
            new Dimension("nodes with a health check due", 2_000, SchedulingGrowth::check),
            new Dimension("next tasks on one node", 5_000, (pass, size) -> pass.nextTasks = size),
            new Dimension("running executions", 20_000, (pass, size) -> pass.running = size),
            new Dimension("queued, a window as long", 2_000, SchedulingGrowth::queue),
            new Dimension("job types", 100, (pass, size) -> pass.types = size));
    System.out.println("| what grows | from | to | from | to | slope |");
    System.out.println("| --- | ---: | ---: | ---: | ---: | ---: |");
    dimensions.forEach(dimension -> row(dimension, passes));
  }

  private static void check(SchedulingBenchmark pass, int nodes) {
    pass.nodes = nodes;
    pass.checks = true;
  }

  private static void queue(SchedulingBenchmark pass, int size) {
    pass.queued = size;
    pass.window = size;
  }

  private static void row(Dimension dimension, int passes) {
    int most = dimension.smallest() << (STEPS - 1);
    cost(dimension, dimension.smallest(), passes);
    double[] costs = new double[STEPS];
    for (int step = 0; step < STEPS; step++) {
      costs[step] = cost(dimension, dimension.smallest() << step, passes);
    }
    double slope =
        Math.log(costs[STEPS - 1] / costs[0]) / Math.log((double) most / dimension.smallest());
    System.out.printf(
        Locale.ROOT,
        "| %s | %,d | %,d | %.1f ms | %.1f ms | %.2f |%n",
        dimension.name(),
        dimension.smallest(),
        most,
        costs[0] / 1e6,
        costs[STEPS - 1] / 1e6,
        slope);
  }

  /** The least processor time of a pass, in nanoseconds. */
  private static double cost(Dimension dimension, int size, int passes) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int pass = 0; pass < passes; pass++) {
      SchedulingBenchmark benchmark = new SchedulingBenchmark();
      benchmark.nodes = 1_000;
      benchmark.running = 1_000;
      benchmark.queued = 500;
      benchmark.types = 50;
      dimension.set().accept(benchmark, size);
      benchmark.cluster();
      long before = threads.getCurrentThreadCpuTime();
      benchmark.pass();
      least = Math.min(least, threads.getCurrentThreadCpuTime() - before);
    }
    return least;
  }
}

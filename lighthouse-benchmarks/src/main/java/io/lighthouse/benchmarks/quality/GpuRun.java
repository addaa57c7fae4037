package io.lighthouse.benchmarks.quality;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.Distributors;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Fills a {@link GpuFleet} by several strategies, and prints which part of all GPUs is in use.
 * {@code java -cp ... io.lighthouse.benchmarks.quality.GpuRun PART SEED...}; docs/lab/packings.md
 * has its figures.
 */
public final class GpuRun {
  private static final int[] PERCENT = {90, 95, 100, 110, 130};
  private static final double HUNDRED = 100.0;
  private static final double NANOS = 1e9;

  private GpuRun() {}

  /** Prints a line for each strategy and seed. */
  public static void main(String[] arguments) {
    int part = Integer.parseInt(arguments[0]);
    for (int i = 1; i < arguments.length; i++) {
      GpuFleet fleet =
          GpuFleet.generate(part, PERCENT[PERCENT.length - 1], Long.parseLong(arguments[i]));
      for (String strategy :
          List.of("prioritized", "round-robin", "bin-pack", "spread", "balance", "devices")) {
        oneByOne(strategy, fleet, Distributors.installed().strategy(strategy), System.out);
      }
      oneByOne("fgd", fleet, Distributors.of(new FragmentationGradient()), System.out);
      GpuFleet full = GpuFleet.generate(part, (int) HUNDRED, Long.parseLong(arguments[i]));
      for (String strategy : List.of("prioritized", "spread", "devices", "pack")) {
        atOnce(strategy, full, Distributors.installed().strategy(strategy), System.out);
      }
      atOnce(
          "pack, machine",
          full,
          Distributors.installed().strategy("pack").setting("machine", GpuFleet.MACHINE),
          System.out);
    }
  }

  private static Distributor distributor(GpuFleet fleet, Distributors.Builder builder) {
    return builder
        .rubric(Rubric.of(GpuFleet.GPU, 1))
        .domains(fleet.domains())
        .nodes(fleet.nodes())
        .build();
  }

  /** Places the tasks one by one, and prints the GPUs in use at each of {@link #PERCENT}. */
  static void oneByOne(String name, GpuFleet fleet, Distributors.Builder builder, PrintStream out) {
    Distributor distributor = distributor(fleet, builder);
    StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-13s one by one", name));
    long began = System.nanoTime();
    double required = 0;
    double placed = 0;
    int refused = 0;
    int mark = 0;
    for (List<Workload> task : fleet.tasks()) {
      double gpus = gpus(task);
      required += gpus;
      if (distributor.assign(task).allPlaced()) {
        placed += gpus;
      } else {
        refused++;
      }
      while (mark < PERCENT.length && required * HUNDRED >= PERCENT[mark] * fleet.nodes().size()) {
        line.append(
            String.format(
                Locale.ROOT,
                " %d: %.2f",
                PERCENT[mark++],
                placed * HUNDRED / fleet.nodes().size()));
      }
    }
    out.println(line + String.format(Locale.ROOT, " refused %d, %.1f s", refused, seconds(began)));
  }

  /** All tasks at once. */
  static void atOnce(String name, GpuFleet fleet, Distributors.Builder builder, PrintStream out) {
    Distributor distributor = distributor(fleet, builder);
    List<Workload> batch = new ArrayList<>();
    fleet.tasks().forEach(batch::addAll);
    long began = System.nanoTime();
    Assignments answer = distributor.assign(batch);
    double placed = 0;
    int refused = 0;
    for (int w = 0; w < batch.size(); w++) {
      if (answer.node(w).isPresent()) {
        placed += gpus(List.of(batch.get(w)));
      } else {
        refused++;
      }
    }
    out.printf(
        Locale.ROOT,
        "%-13s at once 100: %.2f refused %d of %d, %.1f s%n",
        name,
        placed * HUNDRED / fleet.nodes().size(),
        refused,
        batch.size(),
        seconds(began));
  }

  private static double seconds(long began) {
    return (System.nanoTime() - began) / NANOS;
  }

  private static double gpus(List<Workload> task) {
    return task.stream()
        .map(workload -> workload.requirements().get(GpuFleet.GPU).orElse(Quantity.ZERO))
        .mapToDouble(gpu -> gpu.toBigDecimal().doubleValue())
        .sum();
  }
}

package io.lighthouse.benchmarks.quality;

import io.lighthouse.api.Domain;
import io.lighthouse.api.Gang;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * A fleet of machines with GPUs, and tasks that take shares of one GPU or several whole ones. It is
 * the model of docs/rules.md, "Devices": each GPU is a node with {@code gpu} 1, the machine is a
 * domain with cpu (in thousandths) and mem (in MiB). A task of several GPUs is a gang within one
 * machine.
 *
 * <p>Machines and tasks resemble the public trace cluster-trace-gpu-v2023 (openb) of Alibaba.
 * Source: github.com/alibaba/clusterdata, {@code openb_node_list_gpu_node.csv} and {@code
 * openb_pod_list_default.csv}. The trace's limits on models of GPUs are left out.
 *
 * <ul>
 *   <li>Read from rows: each shape of a machine or a task, and the 1,213 machines.
 *   <li>Approximations from a part of the rows: how frequent each shape is. The rows are machines 0
 *       to 456, and tasks 0 to 225 and 4254 to 4479, of 8,152.
 *   <li>From memory of the published totals: there are 6,212 GPUs. Of the tasks, 13 % use no GPU,
 *       38 % a share of one, 48 % a whole one, and 1 % use 2, 4 or 8.
 * </ul>
 *
 * <p>The frequencies are adjusted to these totals.
 *
 * @param domains the machines
 * @param nodes the GPUs, machine by machine
 * @param tasks in the order of arrival; each is one workload, or the members of a gang
 */
public record GpuFleet(List<Domain> domains, List<Node> nodes, List<List<Workload>> tasks) {
  /** The level of a machine. */
  public static final String MACHINE = "machine";

  /** The resource of a device, 1 on each. */
  public static final String GPU = "gpu";

  private static final int PER_GPU = 1000;
  private static final int HUNDRED = 100;

  /** Machines in the whole trace, cpu, mem and GPUs. */
  private static final int[][] MACHINES = {
    {549, 96_000, 393_216, 8},
    {405, 104_000, 524_288, 2},
    {112, 16_000, 122_880, 2},
    {39, 128_000, 786_432, 8},
    {32, 32_000, 131_072, 4},
    {24, 96_000, 786_432, 8},
    {27, 64_000, 262_144, 2},
    {8, 96_000, 393_216, 4},
    {8, 8_000, 32_768, 1},
    {6, 64_000, 262_144, 8},
    {3, 48_000, 376_832, 4},
  };

  /** Tasks of ten thousand, cpu, mem, and thousandths of a GPU. */
  private static final int[][] TASKS = {
    // no GPU
    {600, 32_000, 49_152, 0},
    {450, 8_000, 30_517, 0},
    {180, 12_500, 57_344, 0},
    {70, 16_000, 31_250, 0},
    // a share of one
    {900, 3_152, 5_600, 810},
    {720, 8_000, 30_517, 470},
    {430, 11_908, 47_104, 470},
    {360, 11_908, 47_104, 650},
    {430, 6_000, 12_288, 460},
    {320, 4_000, 22_888, 320},
    {180, 8_000, 30_517, 320},
    {180, 4_000, 15_258, 220},
    {110, 4_000, 15_258, 160},
    {70, 4_152, 10_600, 550},
    {70, 4_000, 15_258, 110},
    // a whole one
    {1000, 11_400, 48_128, 1000},
    {900, 3_152, 5_600, 1000},
    {600, 12_000, 24_576, 1000},
    {600, 16_000, 32_768, 1000},
    {400, 18_708, 64_512, 1000},
    {400, 12_000, 16_384, 1000},
    {250, 8_000, 16_384, 1000},
    {250, 9_810, 41_560, 1000},
    {220, 15_200, 80_896, 1000},
    {220, 4_000, 24_576, 1000},
    // several
    {25, 6_000, 65_536, 2000},
    {20, 32_200, 132_096, 4000},
    {45, 64_000, 262_144, 8000},
  };

  /** Copies. */
  public GpuFleet {
    domains = List.copyOf(domains);
    nodes = List.copyOf(nodes);
    tasks = List.copyOf(tasks);
  }

  /**
   * Makes a fleet; equal for equal arguments.
   *
   * @param part the divisor of the fleet: 1 for the size of the trace, 8 for an eighth
   * @param percent tasks are drawn until they require this part of all GPUs
   */
  public static GpuFleet generate(int part, int percent, long seed) {
    List<int[]> machines = new ArrayList<>();
    for (int[] shape : MACHINES) {
      for (int m = 0; m < (shape[0] + part - 1) / part; m++) {
        machines.add(shape);
      }
    }
    Collections.shuffle(machines, new Random(seed));
    List<Domain> domains = new ArrayList<>();
    List<Node> nodes = new ArrayList<>();
    for (int m = 0; m < machines.size(); m++) {
      int[] shape = machines.get(m);
      String machine = String.format("m%04d", m);
      domains.add(Domain.of(MACHINE, machine, Resources.of("cpu", shape[1], "mem", shape[2])));
      for (int g = 0; g < shape[3]; g++) {
        nodes.add(Node.of(machine + "-gpu-" + g, Resources.of(GPU, 1)).in(MACHINE, machine));
      }
    }
    SplittableRandom random = new SplittableRandom(seed);
    List<List<Workload>> tasks = new ArrayList<>();
    long wanted = 0;
    while (wanted * HUNDRED < (long) nodes.size() * PER_GPU * percent) {
      int[] shape = draw(random);
      tasks.add(task("t" + tasks.size(), shape));
      wanted += shape[3];
    }
    return new GpuFleet(domains, nodes, tasks);
  }

  /** How many shapes of tasks there are. */
  static int shapes() {
    return TASKS.length;
  }

  /** How often a shape of tasks comes, of ten thousand. */
  static int frequency(int shape) {
    return TASKS[shape][0];
  }

  /** What a task of the shape needs, in thousandths of a core. */
  static int cpu(int shape) {
    return TASKS[shape][1];
  }

  /** What a task of the shape needs, in MiB. */
  static int mem(int shape) {
    return TASKS[shape][2];
  }

  /** What a task of the shape needs, in thousandths of a GPU. */
  static int gpu(int shape) {
    return TASKS[shape][3];
  }

  private static int[] draw(SplittableRandom random) {
    int all = 0;
    for (int[] shape : TASKS) {
      all += shape[0];
    }
    int chosen = random.nextInt(all);
    int shape = 0;
    while (chosen >= TASKS[shape][0]) {
      chosen -= TASKS[shape][0];
      shape++;
    }
    return TASKS[shape];
  }

  private static List<Workload> task(String name, int[] shape) {
    int members = Math.max(1, shape[3] / PER_GPU);
    Terms terms =
        Terms.NONE.sharing(
            MACHINE, Resources.of("cpu", shape[1] / members, "mem", shape[2] / members));
    Resources needs =
        shape[3] == 0
            ? Resources.none()
            : Resources.of(GPU, Quantity.ofScaled(shape[3] / members, 3));
    Workload one = Workload.of(name, needs);
    return members == 1
        ? List.of(one.withTerms(terms))
        : one.withTerms(terms.inGang(Gang.of(name).within(MACHINE))).replicas(members);
  }
}

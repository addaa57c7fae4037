package io.lighthouse.benchmarks.quality;

import io.lighthouse.api.Domain;
import io.lighthouse.api.Gang;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import java.util.ArrayList;
import java.util.Arrays;
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

  /** A shape of machines: how many there are in the trace, and what each has. */
  private record MachineShape(int count, int cpu, int mem, int gpus) {}

  /**
   * A shape of tasks.
   *
   * @param frequency how often it comes, of ten thousand tasks
   * @param cpu what it needs, in thousandths of a core
   * @param mem what it needs, in MiB
   * @param gpu what it needs, in thousandths of a GPU
   */
  record TaskShape(int frequency, int cpu, int mem, int gpu) {}

  private static final MachineShape[] MACHINES = {
    new MachineShape(549, 96_000, 393_216, 8),
    new MachineShape(405, 104_000, 524_288, 2),
    new MachineShape(112, 16_000, 122_880, 2),
    new MachineShape(39, 128_000, 786_432, 8),
    new MachineShape(32, 32_000, 131_072, 4),
    new MachineShape(24, 96_000, 786_432, 8),
    new MachineShape(27, 64_000, 262_144, 2),
    new MachineShape(8, 96_000, 393_216, 4),
    new MachineShape(8, 8_000, 32_768, 1),
    new MachineShape(6, 64_000, 262_144, 8),
    new MachineShape(3, 48_000, 376_832, 4),
  };

  static final TaskShape[] TASKS = {
    // no GPU
    new TaskShape(600, 32_000, 49_152, 0),
    new TaskShape(450, 8_000, 30_517, 0),
    new TaskShape(180, 12_500, 57_344, 0),
    new TaskShape(70, 16_000, 31_250, 0),
    // a share of one
    new TaskShape(900, 3_152, 5_600, 810),
    new TaskShape(720, 8_000, 30_517, 470),
    new TaskShape(430, 11_908, 47_104, 470),
    new TaskShape(360, 11_908, 47_104, 650),
    new TaskShape(430, 6_000, 12_288, 460),
    new TaskShape(320, 4_000, 22_888, 320),
    new TaskShape(180, 8_000, 30_517, 320),
    new TaskShape(180, 4_000, 15_258, 220),
    new TaskShape(110, 4_000, 15_258, 160),
    new TaskShape(70, 4_152, 10_600, 550),
    new TaskShape(70, 4_000, 15_258, 110),
    // a whole one
    new TaskShape(1000, 11_400, 48_128, 1000),
    new TaskShape(900, 3_152, 5_600, 1000),
    new TaskShape(600, 12_000, 24_576, 1000),
    new TaskShape(600, 16_000, 32_768, 1000),
    new TaskShape(400, 18_708, 64_512, 1000),
    new TaskShape(400, 12_000, 16_384, 1000),
    new TaskShape(250, 8_000, 16_384, 1000),
    new TaskShape(250, 9_810, 41_560, 1000),
    new TaskShape(220, 15_200, 80_896, 1000),
    new TaskShape(220, 4_000, 24_576, 1000),
    // several
    new TaskShape(25, 6_000, 65_536, 2000),
    new TaskShape(20, 32_200, 132_096, 4000),
    new TaskShape(45, 64_000, 262_144, 8000),
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
    List<MachineShape> machines = new ArrayList<>();
    for (MachineShape shape : MACHINES) {
      for (int m = 0; m < (shape.count() + part - 1) / part; m++) {
        machines.add(shape);
      }
    }
    Collections.shuffle(machines, new Random(seed));
    List<Domain> domains = new ArrayList<>();
    List<Node> nodes = new ArrayList<>();
    for (int m = 0; m < machines.size(); m++) {
      MachineShape shape = machines.get(m);
      String machine = String.format("m%04d", m);
      domains.add(
          Domain.of(MACHINE, machine, Resources.of("cpu", shape.cpu(), "mem", shape.mem())));
      for (int g = 0; g < shape.gpus(); g++) {
        nodes.add(Node.of(machine + "-gpu-" + g, Resources.of(GPU, 1)).in(MACHINE, machine));
      }
    }
    SplittableRandom random = new SplittableRandom(seed);
    List<List<Workload>> tasks = new ArrayList<>();
    long wanted = 0;
    while (wanted * HUNDRED < (long) nodes.size() * PER_GPU * percent) {
      TaskShape shape = draw(random);
      tasks.add(task("t" + tasks.size(), shape));
      wanted += shape.gpu();
    }
    return new GpuFleet(domains, nodes, tasks);
  }

  private static TaskShape draw(SplittableRandom random) {
    int chosen = random.nextInt(Arrays.stream(TASKS).mapToInt(TaskShape::frequency).sum());
    int shape = 0;
    while (chosen >= TASKS[shape].frequency()) {
      chosen -= TASKS[shape].frequency();
      shape++;
    }
    return TASKS[shape];
  }

  private static List<Workload> task(String name, TaskShape shape) {
    int members = Math.max(1, shape.gpu() / PER_GPU);
    Terms terms =
        Terms.NONE.sharing(
            MACHINE, Resources.of("cpu", shape.cpu() / members, "mem", shape.mem() / members));
    Resources needs =
        shape.gpu() == 0
            ? Resources.none()
            : Resources.of(GPU, Quantity.ofScaled(shape.gpu() / members, 3));
    Workload one = Workload.of(name, needs);
    return members == 1
        ? List.of(one.withTerms(terms))
        : one.withTerms(terms.inGang(Gang.of(name).within(MACHINE))).replicas(members);
  }
}

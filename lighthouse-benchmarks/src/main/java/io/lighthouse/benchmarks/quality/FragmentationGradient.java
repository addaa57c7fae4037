package io.lighthouse.benchmarks.quality;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetDomain;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Fragmentation gradient descent, a peer of {@code devices}: takes the GPU where the expected
 * fragmentation of its machine grows least; of equal ones the fullest GPU, then the first. It knows
 * the mix of tasks of a {@link GpuFleet}.
 *
 * <p>The fragmentation of a machine for a task is what is left of the GPUs that the task cannot
 * use. Those are all GPUs where cpu, memory or whole GPUs are short, or where the task uses none.
 * The expected fragmentation is the mean over the mix. A gang takes its nodes one by one. Source:
 * Weng et al., "Beware of Fragmentation: Scheduling GPU-Sharing Workloads with Fragmentation
 * Gradient Descent", USENIX ATC 2023. Written from its abstract, so details may differ.
 */
final class FragmentationGradient implements PlacementStrategy {
  private static final int DIGITS = 3;
  private static final long WHOLE = 1000;

  @Override
  public String name() {
    return "fragmentation-gradient";
  }

  @Override
  public Placer newPlacer(Fleet fleet, Settings settings) {
    return (workload, candidates) -> {
      Map<String, List<FleetNode>> gpus = new HashMap<>();
      for (int n = 0; n < fleet.size(); n++) {
        FleetNode node = fleet.node(n);
        String machine = node.domain(GpuFleet.MACHINE).orElseThrow().name();
        gpus.computeIfAbsent(machine, first -> new ArrayList<>()).add(node);
      }
      Map<String, Machine> machines = new HashMap<>();
      FleetNode best = null;
      long leastGrowth = 0;
      long leastLeft = 0;
      for (FleetNode node : candidates) {
        FleetDomain domain = node.domain(GpuFleet.MACHINE).orElseThrow();
        Machine machine =
            machines.computeIfAbsent(
                domain.name(), name -> new Machine(domain, gpus.get(name), workload));
        long left = amount(node.left(GpuFleet.GPU));
        long growth = machine.growth(left);
        if (best == null || growth < leastGrowth || (growth == leastGrowth && left < leastLeft)) {
          best = node;
          leastGrowth = growth;
          leastLeft = left;
        }
      }
      return best;
    };
  }

  private static long amount(Optional<Quantity> quantity) {
    return quantity.map(value -> value.scaledTo(DIGITS)).orElse(0L);
  }

  /** A machine, with and without the workload on one of its GPUs. */
  private static final class Machine {
    private final Resources left;
    private final Resources needs;
    private final long gpu;
    private final long[] gpus;
    private final long before;

    /** By what is left of the GPU. */
    private final Map<Long, Long> growths = new HashMap<>();

    Machine(FleetDomain domain, List<FleetNode> nodes, Workload workload) {
      left = domain.left();
      needs = workload.terms().shared().get(GpuFleet.MACHINE);
      gpu = amount(workload.requirements().get(GpuFleet.GPU));
      gpus = nodes.stream().mapToLong(node -> amount(node.left(GpuFleet.GPU))).toArray();
      before = fragmentation(left("cpu"), left("mem"));
    }

    private long left(String resource) {
      return left.get(resource).orElseThrow().scaledTo(0);
    }

    private long need(String resource) {
      return needs.get(resource).orElseThrow().scaledTo(0);
    }

    long growth(long of) {
      Long known = growths.get(of);
      if (known != null) {
        return known;
      }
      int at = 0;
      while (gpus[at] != of) {
        at++;
      }
      gpus[at] -= gpu;
      long growth = fragmentation(left("cpu") - need("cpu"), left("mem") - need("mem")) - before;
      gpus[at] += gpu;
      growths.put(of, growth);
      return growth;
    }

    /** The sum over the mix, by its weights. */
    private long fragmentation(long cpu, long mem) {
      long all = 0;
      long whole = 0;
      for (long each : gpus) {
        all += each;
        whole += each == WHOLE ? WHOLE : 0;
      }
      long sum = 0;
      for (GpuFleet.TaskShape shape : GpuFleet.TASKS) {
        long wanted = shape.gpu();
        long lost = all;
        if (wanted > 0 && cpu >= shape.cpu() && mem >= shape.mem()) {
          if (wanted < WHOLE) {
            for (long each : gpus) {
              lost -= each >= wanted ? each : 0;
            }
          } else if (whole >= wanted) {
            lost -= whole;
          }
        }
        sum += shape.frequency() * lost;
      }
      return sum;
    }
  }
}

package io.lighthouse.benchmarks.peer;

import com.netflix.fenzo.ConstraintEvaluator;
import com.netflix.fenzo.DefaultFitnessCalculator;
import com.netflix.fenzo.SchedulingResult;
import com.netflix.fenzo.TaskAssignmentResult;
import com.netflix.fenzo.TaskRequest;
import com.netflix.fenzo.TaskScheduler;
import com.netflix.fenzo.VMAssignmentResult;
import com.netflix.fenzo.VMTaskFitnessCalculator;
import com.netflix.fenzo.VirtualMachineLease;
import com.netflix.fenzo.plugins.BinPackingFitnessCalculators;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.benchmarks.placer.Answer;
import io.lighthouse.benchmarks.placer.StepPlacer;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.mesos.Protos;

/**
 * Netflix Fenzo. Our four resources are its four: cpu, memory, network, disk. A node is one lease,
 * the batch one call of {@code scheduleOnce}; no autoscaling, no shortfall evaluation.
 *
 * <p>Tuned by the fitness that is good enough to stop the search, as its wiki ("Fitness
 * Calculators") advises. For first fit, the first host that fits stops it. For bin packing, the
 * whole list is searched, which is its default. Fenzo evaluates hosts with one thread for each
 * processor.
 */
final class FenzoPeer implements Peer {
  private static final int RESOURCES = 4;

  private final TaskScheduler scheduler;
  private final List<Task> tasks = new ArrayList<>();
  private final List<VirtualMachineLease> leases = new ArrayList<>();

  /** Null until placed. */
  private SchedulingResult result;

  private FenzoPeer(BenchmarkProblem problem, TaskScheduler.Builder builder) {
    for (Node node : problem.nodes()) {
      leases.add(new Lease(leases.size(), quantities(node.resources())));
    }
    for (Workload workload : problem.workloads()) {
      tasks.add(new Task(tasks.size(), quantities(workload.requirements())));
    }
    scheduler =
        builder
            .withLeaseRejectAction(lease -> {})
            .withLeaseOfferExpirySecs(1_000_000)
            .disableShortfallEvaluation()
            .build();
  }

  static FenzoPeer firstFit(BenchmarkProblem problem) {
    return new FenzoPeer(problem, builder(new DefaultFitnessCalculator(), 0));
  }

  static FenzoPeer binPack(BenchmarkProblem problem) {
    return new FenzoPeer(problem, builder(BinPackingFitnessCalculators.cpuMemNetworkBinPacker, 1));
  }

  private static TaskScheduler.Builder builder(VMTaskFitnessCalculator fitness, double enough) {
    return new TaskScheduler.Builder()
        .withFitnessCalculator(fitness)
        .withFitnessGoodEnoughFunction(found -> found > enough);
  }

  @Override
  public void place() {
    result = scheduler.scheduleOnce(tasks, leases);
    if (!result.getExceptions().isEmpty()) {
      throw new IllegalStateException("Fenzo failed", result.getExceptions().get(0));
    }
  }

  @Override
  public Answer answer() {
    int[] nodeOf = new int[tasks.size()];
    Arrays.fill(nodeOf, StepPlacer.NONE);
    for (VMAssignmentResult host : result.getResultMap().values()) {
      for (TaskAssignmentResult task : host.getTasksAssigned()) {
        nodeOf[Integer.parseInt(task.getTaskId())] = Integer.parseInt(host.getHostname());
      }
    }
    return new Answer(nodeOf);
  }

  @Override
  public void close() {
    scheduler.shutdown();
  }

  private static double[] quantities(Resources resources) {
    if (resources.size() != RESOURCES) {
      throw new IllegalArgumentException("Fenzo has " + RESOURCES + " resources, not " + resources);
    }
    double[] quantities = new double[RESOURCES];
    for (int i = 0; i < RESOURCES; i++) {
      quantities[i] = resources.quantity(i).toBigDecimal().doubleValue();
    }
    return quantities;
  }

  /** A node as Fenzo sees it: the offer of a host. */
  private record Lease(int index, double[] has) implements VirtualMachineLease {
    @Override
    public String getId() {
      return "lease-" + index;
    }

    @Override
    public long getOfferedTime() {
      return 0;
    }

    @Override
    public String hostname() {
      return Integer.toString(index);
    }

    @Override
    public String getVMID() {
      return Integer.toString(index);
    }

    @Override
    public double cpuCores() {
      return has[0];
    }

    @Override
    public double memoryMB() {
      return has[1];
    }

    @Override
    public double networkMbps() {
      return has[2];
    }

    @Override
    public double diskMB() {
      return has[3];
    }

    @Override
    public List<Range> portRanges() {
      return List.of();
    }

    @Override
    public Protos.Offer getOffer() {
      return null;
    }

    @Override
    public Map<String, Protos.Attribute> getAttributeMap() {
      return Collections.emptyMap();
    }

    @Override
    public Double getScalarValue(String name) {
      return null;
    }

    @Override
    public Map<String, Double> getScalarValues() {
      return Collections.emptyMap();
    }
  }

  /** A workload as Fenzo sees it. By identity, as Fenzo's own samples are. */
  private static final class Task implements TaskRequest {
    private final String id;
    private final double[] needs;
    private AssignedResources assigned;

    Task(int index, double[] needs) {
      id = Integer.toString(index);
      this.needs = needs;
    }

    @Override
    public String getId() {
      return id;
    }

    @Override
    public String taskGroupName() {
      return "";
    }

    @Override
    public double getCPUs() {
      return needs[0];
    }

    @Override
    public double getMemory() {
      return needs[1];
    }

    @Override
    public double getNetworkMbps() {
      return needs[2];
    }

    @Override
    public double getDisk() {
      return needs[3];
    }

    @Override
    public int getPorts() {
      return 0;
    }

    @Override
    public Map<String, Double> getScalarRequests() {
      return Collections.emptyMap();
    }

    @Override
    public Map<String, NamedResourceSetRequest> getCustomNamedResources() {
      return Collections.emptyMap();
    }

    @Override
    public List<? extends ConstraintEvaluator> getHardConstraints() {
      return List.of();
    }

    @Override
    public List<? extends VMTaskFitnessCalculator> getSoftConstraints() {
      return List.of();
    }

    @Override
    public void setAssignedResources(AssignedResources resources) {
      assigned = resources;
    }

    @Override
    public AssignedResources getAssignedResources() {
      return assigned;
    }
  }
}

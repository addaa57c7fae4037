package io.lighthouse.benchmarks.measure;

import io.lighthouse.api.Resources;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.manager.SchedulingManager;
import io.lighthouse.scheduler.memory.InMemoryPorts;
import io.lighthouse.scheduler.memory.Maintenance;
import io.lighthouse.scheduler.memory.OfferBook;
import io.lighthouse.scheduler.model.JobType;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Step;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.ClusterClient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One pass of the scheduling manager, with all adapters in memory and an offer of each node. There
 * are {@link #running} executions, spread evenly, and a queue of {@link #queued} entries of {@link
 * #types} job types. The cluster is made anew for each pass, before the clock starts.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
public class SchedulingBenchmark {
  private static final Instant NOW = Instant.EPOCH;
  private static final int PRIORITIES = 10;
  private static final String SESSION = "session";

  /** The number of nodes. */
  @Param("1000")
  public int nodes;

  /** The number of running executions. */
  @Param("10000")
  public int running;

  /** The number of entries in the queue. */
  @Param("500")
  public int queued;

  /** The number of job types. */
  @Param("50")
  public int types;

  /** Whether nothing of the queue fits: every node is then searched for reservations. */
  @Param("false")
  public boolean full;

  /** Whether every node has a health check due; not a parameter of JMH's. */
  boolean checks;

  /** How many entries of the queue a pass considers; not a parameter of JMH's. */
  int window = SchedulingPolicy.DEFAULT.queueWindow();

  /** How many executions of one more node wait for their next task; not a parameter of JMH's. */
  int nextTasks;

  private SchedulingManager manager;
  private ClusterClient client;
  private SchedulingReport report;

  /** Makes the cluster. */
  @Setup(Level.Invocation)
  public void cluster() {
    OfferBook book = new OfferBook();
    Maintenance maintenance =
        checks ? new Maintenance(false, false, true, vector("0.1", 32, 0)) : Maintenance.NONE;
    InMemoryPorts memory = new InMemoryPorts(book, maintenance, Step::main);
    for (int type = 0; type < types; type++) {
      memory.catalogue().put(JobType.of("type" + type, request(type)));
    }
    List<RunningExecution> executions = new ArrayList<>();
    List<Task> tasks = new ArrayList<>();
    List<ResourceOffer> offers = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      String agent = "agent" + node;
      memory.nodes().add("node" + node).online(agent);
      offers.add(new ResourceOffer("offer" + node, agent, SESSION, free(node), NOW));
    }
    for (int number = 0; number < running; number++) {
      PendingExecution origin =
          PendingExecution.of(
              "r" + number,
              "type" + number % types,
              50 + number % 100,
              NOW,
              vector("0.5", 256, 50));
      int node = number % nodes;
      RunningExecution execution =
          new RunningExecution(
              new Placement(origin, "node" + node, "agent" + node), NOW, Step.main(origin));
      executions.add(execution);
      tasks.add(execution.startNextTask().orElseThrow());
    }
    if (nextTasks > 0) {
      memory.nodes().add("busy").online("busy-agent");
      offers.add(
          new ResourceOffer(
              "busy-offer", "busy-agent", SESSION, vector("1000000", 1 << 30, 1 << 30), NOW));
    }
    for (int number = 0; number < nextTasks; number++) {
      PendingExecution origin =
          PendingExecution.of("n" + number, "type0", 50, NOW, vector("0.5", 256, 50));
      executions.add(
          new RunningExecution(
              new Placement(origin, "busy", "busy-agent"), NOW, Step.main(origin)));
    }
    memory.executions().add(executions);
    memory.tasks().launched(tasks, NOW);
    book.offer(offers);
    for (int entry = 0; entry < queued; entry++) {
      memory
          .queue()
          .add(
              PendingExecution.of(
                  "q" + entry,
                  "type" + entry % types,
                  10 + entry % PRIORITIES,
                  NOW.plusSeconds(entry),
                  request(entry % types)));
    }
    manager =
        new SchedulingManager(memory.ports(), SchedulingPolicy.DEFAULT.withQueueWindow(window));
    client = new Nobody();
  }

  @Benchmark
  public SchedulingReport pass() {
    report = manager.runPass(client, NOW);
    return report;
  }

  /** Records the results for the queue in the last pass. */
  @TearDown(Level.Trial)
  public void tell() {
    Outcome.add("placed", report.queue().placements().size());
    Outcome.add("reserved", report.queue().reservations().size());
  }

  private Resources free(int node) {
    return full
        ? vector("0.1", 100, 10)
        : vector(Integer.toString(2 + node % 7), 4096 + 512 * (node % 5), 2000 + node % 3);
  }

  /** Different for each type. */
  private static Resources request(int type) {
    String cpus = Quantity.ofScaled(25L * (1 + type % 16), 2).toString();
    return vector(cpus, 128 * (1 + type * 7 % 40) + type / 80, 100 * (1 + type * 3 % 20));
  }

  private static Resources vector(String cpus, int mem, int disk) {
    return Resources.of("cpus", cpus, "mem", mem, "disk", disk);
  }

  /** A cluster manager that does nothing. */
  private static final class Nobody implements ClusterClient {
    @Override
    public boolean connected() {
      return true;
    }

    @Override
    public String session() {
      return SESSION;
    }

    @Override
    public List<Refusal> launch(String node, List<ResourceOffer> offers, List<Task> tasks) {
      // Nothing is sent anywhere.
      return List.of();
    }
  }
}

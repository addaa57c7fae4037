package io.lighthouse.scheduler.manager;

import static io.lighthouse.scheduler.Fixtures.NOW;
import static io.lighthouse.scheduler.Fixtures.gpus;

import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.Fixtures.TestNode;
import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.model.JobType;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Step;
import io.lighthouse.scheduler.model.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A cluster drawn from a seed, before one pass, with what a judge of that pass must know of it. */
final class RandomPass {
  final Cluster cluster = new Cluster();

  /** Node tasks that are due, and next tasks that are ready. */
  final List<Task> ready = new ArrayList<>();

  final List<Task> system = new ArrayList<>();
  final List<PendingExecution> queue = new ArrayList<>();
  final List<JobType> types = new ArrayList<>();
  final List<RunningExecution> running = new ArrayList<>();
  final boolean storeFails;

  RandomPass(long seed) {
    Random random = new Random(seed);
    boolean crowded = random.nextBoolean();
    int typeCount = 1 + random.nextInt(3);
    for (int i = 0; i < typeCount; i++) {
      JobType type =
          new JobType(
              "type" + i,
              request(random),
              random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 0,
              random.nextInt(8) == 0);
      types.add(type);
      cluster.memory.catalogue().put(type);
    }
    int nodeCount = 1 + random.nextInt(4);
    for (int i = 0; i < nodeCount; i++) {
      TestNode node = cluster.node("n" + i);
      node.newJobs = random.nextInt(5) > 0;
      node.systemTasks = random.nextInt(5) > 0;
      node.nextTasks = node.newJobs || random.nextInt(4) > 0;
      node(random, node, crowded);
    }
    int systemCount = random.nextInt(4) == 0 ? 1 + random.nextInt(2) : 0;
    for (int i = 0; i < systemCount; i++) {
      Task task = Task.system("s" + i, "service", quarter(random, 3, 3, 0));
      system.add(task);
    }
    int entries = random.nextInt(10);
    for (int i = 0; i < entries; i++) {
      PendingExecution entry =
          PendingExecution.of(
              "q" + i,
              random.nextInt(12) == 0 ? "unheard-of" : pick(random, types).name(),
              random.nextInt(3),
              NOW.plusSeconds(random.nextInt(3)),
              request(random));
      queue.add(random.nextInt(8) == 0 ? entry.asCancelled() : entry);
    }
    queue.forEach(cluster.memory.queue()::add);
    storeFails = random.nextInt(6) == 0;
    SchedulingPorts all = cluster.ports;
    cluster.ports =
        all.withStore(
                (placed, cancelled, when) -> {
                  if (storeFails) {
                    throw new IllegalStateException("the store fails");
                  }
                  return all.store().commit(placed, cancelled, when);
                })
            .withSystemTasks(when -> system);
    cluster.policy = cluster.policy.withReserve(random.nextInt(4) > 0);
  }

  private void node(Random random, TestNode node, boolean crowded) {
    int executions = random.nextInt(4);
    for (int i = 0; i < executions; i++) {
      PendingExecution origin =
          PendingExecution.of(
              "r" + node.name + i,
              pick(random, types).name(),
              random.nextInt(3),
              NOW,
              quarter(random, crowded ? 9 : 4, 4, 0));
      RunningExecution execution =
          new RunningExecution(
              new Placement(origin, node.name, node.agent), NOW, Step.main(origin));
      cluster.memory.executions().add(List.of(execution));
      running.add(execution);
      if (random.nextInt(3) > 0) {
        Task task = execution.startNextTask().orElseThrow();
        cluster.memory.tasks().launched(List.of(task), NOW);
      } else if (node.nextTasks) {
        ready.add(execution.nextTask().orElseThrow());
      }
    }
    if (random.nextInt(3) == 0) {
      Task check = Task.node("check" + node.name, "check", node.agent, quarter(random, 3, 2, 0));
      node.due.add(check);
      ready.add(check);
    }
    int offers = random.nextInt(3);
    for (int i = 0; i < offers; i++) {
      cluster.offers(
          node.agent,
          quarter(random, crowded ? 8 : 20, 12, 3),
          NOW.minusSeconds(random.nextInt(12)));
    }
  }

  private static Resources request(Random random) {
    return quarter(random, random.nextInt(4) == 0 ? 24 : 6, 5, random.nextInt(5) == 0 ? 2 : 0);
  }

  /**
   * Random resources: at most {@code cpus} quarters of a cpu, {@code mem} of memory and {@code
   * gpus} GPUs.
   */
  private static Resources quarter(Random random, int cpus, int mem, int gpus) {
    return gpus(random.nextInt(cpus + 1) * 0.25, random.nextInt(mem + 1), random.nextInt(gpus + 1));
  }

  private static <T> T pick(Random random, List<T> from) {
    return from.get(random.nextInt(from.size()));
  }
}

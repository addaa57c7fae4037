package io.lighthouse.scheduler.simulation;

import io.lighthouse.scheduler.SchedulingManager;
import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.memory.InMemoryExecutions.Ended;
import io.lighthouse.scheduler.memory.InMemoryNode;
import io.lighthouse.scheduler.memory.InMemoryPorts;
import io.lighthouse.scheduler.memory.Maintenance;
import io.lighthouse.scheduler.memory.OfferBook;
import io.lighthouse.scheduler.memory.TaskListener;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.Step;
import io.lighthouse.scheduler.model.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Runs a trace through a scheduling manager. Passes are made at whole multiples of the trace's
 * period at which anything has happened since the last one and, while anything waits, at least once
 * a minute. Each node makes one offer of all that it has free. Executions have one step.
 *
 * <p>It ends when nothing runs, nothing more will happen, and a pass has changed nothing. To be run
 * once; not thread-safe.
 */
public final class Simulation {
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final Trace trace;
  private final SimulationListener listener;
  private final OfferBook book = new OfferBook();
  private final InMemoryPorts memory = new InMemoryPorts(book, Maintenance.NONE, Step::main);
  private final VirtualCluster cluster = new VirtualCluster(this::runtime);
  private final SchedulingManager manager;

  /** How long an execution or system task runs; by its id or name. */
  private final Map<String, Duration> runtimes = new HashMap<>();

  private final Map<String, Duration> submitted = new LinkedHashMap<>();
  private final Map<String, String> agents = new HashMap<>();
  private final Set<String> toRescind = new LinkedHashSet<>();
  private final Map<Integer, List<Duration>> waits = new TreeMap<>();
  private final List<SimulationResult.Usage> usage = new ArrayList<>();
  private final Map<String, Integer> endings = new HashMap<>();
  private Duration now = Duration.ZERO;
  private int nextEvent;
  private int joins;
  private int passes;

  /**
   * A simulation.
   *
   * @param trace what happens
   * @param policy what the manager is told
   * @param listener who is told; called by the thread that runs
   */
  public Simulation(Trace trace, SchedulingPolicy policy, SimulationListener listener) {
    this.trace = trace;
    this.listener = listener;
    trace.jobTypes().forEach(memory.catalogue()::put);
    SchedulingPorts all = memory.ports();
    manager =
        new SchedulingManager(
            new SchedulingPorts(
                all.nodes(),
                all.book(),
                all.queue(),
                all.store(),
                all.running(),
                all.tasks(),
                this::systemTasks,
                all.catalogue(),
                all.events(),
                all.devices()),
            policy);
  }

  /**
   * Runs it.
   *
   * @return what came of it
   */
  public SimulationResult run() {
    boolean changed = true;
    while (changed || !isOver()) {
      Optional<Duration> next = nextPass(changed);
      if (next.isEmpty()) {
        break;
      }
      now = next.get();
      cluster.advance(now);
      boolean happened = settle();
      SchedulingReport report = manager.runPass(cluster, time());
      passes++;
      note(report);
      listener.passed(now, report);
      sample();
      changed = happened || report.launchedTasks() > 0 || !report.dropped().isEmpty();
    }
    return result();
  }

  /** Everything up to now: tasks that have ended, then events. */
  private boolean settle() {
    boolean happened = false;
    for (Optional<Task> ended = cluster.takeEnded();
        ended.isPresent();
        ended = cluster.takeEnded()) {
      memory.tasks().ended(ended.get().id(), TaskListener.End.FINISHED, time());
      happened = true;
    }
    while (nextEvent < trace.events().size()
        && trace.events().get(nextEvent).at().compareTo(now) <= 0) {
      TraceEvent event = trace.events().get(nextEvent++);
      apply(event);
      listener.happened(event);
      happened = true;
    }
    kill();
    tellEnded();
    book.offer(cluster.makeOffers(time()));
    return happened;
  }

  private void apply(TraceEvent event) {
    if (event instanceof TraceEvent.NodeJoins joined) {
      join(joined);
    } else if (event instanceof TraceEvent.NodeLeaves left) {
      String agent = agents.remove(left.node());
      node(left.node()).offline();
      book.agentLost(agent);
      for (Task task : cluster.leave(agent)) {
        memory.tasks().ended(task.id(), TaskListener.End.LOST, time());
      }
    } else if (event instanceof TraceEvent.NodePauses paused) {
      node(paused.node()).pause(true);
    } else if (event instanceof TraceEvent.NodeResumes resumed) {
      node(resumed.node()).pause(false);
    } else if (event instanceof TraceEvent.OffersRescinded rescinded) {
      toRescind.add(rescinded.node());
    } else if (event instanceof TraceEvent.Submits work) {
      runtimes.put(work.execution(), work.runs());
      submitted.put(work.execution(), work.at());
      memory
          .queue()
          .add(
              PendingExecution.of(
                  work.execution(),
                  work.jobType(),
                  work.priority(),
                  Instant.EPOCH.plus(work.at()),
                  work.request()));
    } else if (event instanceof TraceEvent.Cancels cancels) {
      memory.executions().cancel(cancels.execution(), time());
    } else if (event instanceof TraceEvent.SystemTaskDue due) {
      runtimes.put(due.name(), due.runs());
      memory.systemTasks().runOnce(due.name(), due.request());
    }
  }

  private void join(TraceEvent.NodeJoins joined) {
    String agent = joined.node() + "/" + joins++;
    agents.put(joined.node(), agent);
    InMemoryNode node =
        memory.nodes().get(joined.node()).orElseGet(() -> memory.nodes().add(joined.node()));
    node.online(agent);
    cluster.join(agent, joined.resources());
    book.total(agent, joined.resources());
  }

  private InMemoryNode node(String name) {
    return memory.nodes().get(name).orElseThrow();
  }

  /** Asked in the middle of a pass: what was offered is rescinded here. */
  private List<Task> systemTasks(Instant when) {
    for (String node : toRescind) {
      String agent = agents.get(node);
      if (agent != null) {
        cluster.rescind(agent).ifPresent(id -> book.rescind(List.of(id)));
      }
    }
    toRescind.clear();
    return memory.systemTasks().due(when);
  }

  private void kill() {
    for (Optional<Task> task = memory.nextToKill(); task.isPresent(); task = memory.nextToKill()) {
      if (cluster.kill(task.get())) {
        memory.tasks().ended(task.get().id(), TaskListener.End.KILLED, time());
      }
    }
  }

  private void tellEnded() {
    for (Optional<Ended> over = memory.executions().nextMessage();
        over.isPresent();
        over = memory.executions().nextMessage()) {
      endings.merge(over.get().status().name(), 1, Integer::sum);
      listener.ended(now, over.get());
    }
  }

  private void note(SchedulingReport report) {
    for (Placement placement : report.placements()) {
      PendingExecution execution = placement.execution();
      waits
          .computeIfAbsent(execution.priority(), priority -> new ArrayList<>())
          .add(now.minus(submitted.get(execution.id())));
    }
    tellEnded();
  }

  private void sample() {
    SimulationResult.Usage sample =
        new SimulationResult.Usage(now, cluster.used(), cluster.total());
    SimulationResult.Usage last = usage.isEmpty() ? null : usage.get(usage.size() - 1);
    if (last == null
        || !last.used().equals(sample.used())
        || !last.total().equals(sample.total())) {
      usage.add(sample);
    }
  }

  /** When the next pass is due; nothing if nothing can change any more. */
  private Optional<Duration> nextPass(boolean changed) {
    Duration next = null;
    if (nextEvent < trace.events().size()) {
      next = trace.events().get(nextEvent).at();
    }
    Optional<Duration> end = cluster.nextEnd();
    if (end.isPresent() && (next == null || end.get().compareTo(next) < 0)) {
      next = end.get();
    }
    boolean waits = memory.queue().size() > 0 || !memory.executions().countByType().isEmpty();
    Duration pause = changed ? trace.passEvery() : LONGEST_PAUSE;
    if (waits && passes > 0 && (next == null || now.plus(pause).compareTo(next) < 0)) {
      next = now.plus(pause);
    }
    if (next == null) {
      return Optional.empty();
    }
    return Optional.of(roundUp(next));
  }

  /** The next whole multiple of the period, later than the last pass. */
  private Duration roundUp(Duration time) {
    Duration period = trace.passEvery();
    long steps = time.plus(period).minusNanos(1).dividedBy(period);
    Duration rounded = period.multipliedBy(steps);
    return passes > 0 && rounded.compareTo(now) <= 0 ? now.plus(period) : rounded;
  }

  /** Nothing runs, nothing will happen; what is in the queue stays there. */
  private boolean isOver() {
    return nextEvent == trace.events().size()
        && cluster.nextEnd().isEmpty()
        && memory.executions().countByType().isEmpty();
  }

  private SimulationResult result() {
    Map<Integer, SimulationResult.Waiting> waiting = new TreeMap<>();
    waits.forEach((priority, times) -> waiting.put(priority, SimulationResult.Waiting.of(times)));
    List<String> never = new ArrayList<>();
    for (String id : submitted.keySet()) {
      if (memory.queue().get(id).isPresent()) {
        never.add(id);
      }
    }
    return new SimulationResult(
        now,
        passes,
        endings.getOrDefault("COMPLETED", 0),
        endings.getOrDefault("FAILED", 0),
        endings.getOrDefault("CANCELED", 0),
        never,
        waiting,
        usage);
  }

  private Duration runtime(Task task) {
    return runtimes.get(task.family() == Task.Family.JOB ? task.execution() : task.name());
  }

  private Instant time() {
    return Instant.EPOCH.plus(now);
  }
}

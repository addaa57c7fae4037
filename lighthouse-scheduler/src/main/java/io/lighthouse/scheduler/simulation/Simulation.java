package io.lighthouse.scheduler.simulation;

import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.manager.SchedulingManager;
import io.lighthouse.scheduler.memory.InMemoryExecutions.Ended;
import io.lighthouse.scheduler.memory.InMemoryNode;
import io.lighthouse.scheduler.memory.InMemoryPorts;
import io.lighthouse.scheduler.memory.InMemoryQueue;
import io.lighthouse.scheduler.memory.Maintenance;
import io.lighthouse.scheduler.memory.OfferBook;
import io.lighthouse.scheduler.memory.TaskListener;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Step;
import io.lighthouse.scheduler.model.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
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
 * period. A pass is made if an event has happened or a task has ended since the last one. Further
 * ones follow as long as work waits and passes change something, and when the grace of a node is
 * over. Nothing happens in between, so a pass there would decide nothing. Each node makes one offer
 * of all that it has free. Executions have one step.
 *
 * <p>It ends when none of this is to come. What it keeps grows with the work that waits or runs,
 * and by a {@link Duration} with each execution that was placed. To be run once; not thread-safe.
 */
public final class Simulation {
  /** Most different messages of failures that are kept. */
  private static final int MOST_FAILURES = 100;

  /** What lasts longer has no end: the passes up to there can be counted. */
  private static final Duration FOREVER = Trace.SHORTEST_PERIOD.multipliedBy(Long.MAX_VALUE / 4);

  private final Trace trace;
  private final SchedulingPolicy policy;
  private final SimulationListener listener;
  private final OfferBook book;
  private final InMemoryPorts memory;
  private final VirtualCluster cluster = new VirtualCluster(this::runtime);
  private final SchedulingManager manager;
  private final Effects effects = new Effects();

  /** Submitted and not over, by id: as they were submitted. */
  private final Map<String, TraceEvent.Submits> submitted = new LinkedHashMap<>();

  /** How long a system task runs, by its name. */
  private final Map<String, Duration> systemRuntimes = new HashMap<>();

  private final Map<String, String> agents = new HashMap<>();

  /** When the grace of a node that has left is over, by its name. */
  private final Map<String, Duration> graceUntil = new HashMap<>();

  private final Set<String> toRescind = new LinkedHashSet<>();

  /** How long the placed executions waited in the queue, by priority. */
  private final Map<Integer, List<Duration>> waits = new TreeMap<>();

  private final UsageLog usage = new UsageLog();
  private final Map<String, Integer> failures = new LinkedHashMap<>();
  private final Map<RunningExecution.Status, Integer> endings =
      new EnumMap<>(RunningExecution.Status.class);

  /** Executions that are over, reported to the listener when the ports have returned. */
  private final Deque<Ended> ended = new ArrayDeque<>();

  private Duration now = Duration.ZERO;
  private int nextEvent;
  private int joins;
  private int passes;

  /** Whether something was cancelled since kills were last looked for. */
  private boolean mayKill;

  /** The last pass; null before the first. */
  private SchedulingReport last;

  /**
   * A simulation.
   *
   * @param trace what happens
   * @param policy the policy of the manager
   * @param listener called by the thread that runs
   */
  public Simulation(Trace trace, SchedulingPolicy policy, SimulationListener listener) {
    this.trace = trace;
    this.policy = policy;
    this.listener = listener;
    // Of the work and the nodes of a trace nothing may be turned away.
    int size = Math.max(1, trace.events().size());
    book = new OfferBook(size);
    memory = new InMemoryPorts(book, Maintenance.NONE, Step::main, new InMemoryQueue(size));
    memory.executions().listen(ended::add);
    trace.jobTypes().forEach(memory.catalogue()::put);
    manager = new SchedulingManager(memory.ports().withSystemTasks(this::systemTasks), policy);
  }

  /**
   * Runs it.
   *
   * @return what came of it
   */
  public SimulationResult run() {
    boolean changed = false;
    for (Optional<Duration> next = nextPass(false); next.isPresent(); next = nextPass(changed)) {
      now = next.get();
      cluster.advance(now);
      boolean happened = settle();
      last = manager.runPass(cluster, time());
      tellEnded();
      passes++;
      note(last);
      listener.passed(now, last);
      usage.add(now, cluster.used(), cluster.total(), cluster.nodes());
      changed = happened || changes(last);
    }
    return result();
  }

  /** Everything up to now: tasks that have ended, then events. */
  private boolean settle() {
    boolean happened = false;
    for (Optional<Task> over = cluster.takeEnded(); over.isPresent(); over = cluster.takeEnded()) {
      memory.taskEnded(over.get().id(), TaskListener.End.FINISHED, time());
      tellEnded();
      happened = true;
    }
    while (nextEvent < trace.events().size()
        && trace.events().get(nextEvent).at().compareTo(now) <= 0) {
      TraceEvent event = trace.events().get(nextEvent++);
      event.match(effects);
      tellEnded();
      listener.happened(event);
      happened = true;
    }
    if (mayKill || (last != null && !last.running().toKill().isEmpty())) {
      kill();
      mayKill = false;
    }
    book.offer(cluster.makeOffers(time()));
    return happened;
  }

  /** What an event changes, for each kind. */
  private final class Effects implements TraceEvent.Cases<Void> {
    @Override
    public Void nodeJoins(TraceEvent.NodeJoins joined) {
      String agent = joined.node() + "/" + joins++;
      agents.put(joined.node(), agent);
      graceUntil.remove(joined.node());
      memory.agentConnected(joined.node(), agent, time());
      cluster.join(agent, joined.resources());
      book.total(agent, joined.resources());
      return null;
    }

    @Override
    public Void nodeLeaves(TraceEvent.NodeLeaves left) {
      String agent = agents.remove(left.node());
      cluster.leave(agent);
      memory.agentLost(agent, time());
      if (policy.nodeGrace().compareTo(FOREVER) < 0) {
        graceUntil.put(left.node(), now.plus(policy.nodeGrace()));
      }
      return null;
    }

    @Override
    public Void nodePauses(TraceEvent.NodePauses paused) {
      node(paused.node()).pause(true);
      return null;
    }

    @Override
    public Void nodeResumes(TraceEvent.NodeResumes resumed) {
      node(resumed.node()).pause(false);
      return null;
    }

    @Override
    public Void offersRescinded(TraceEvent.OffersRescinded rescinded) {
      toRescind.add(rescinded.node());
      return null;
    }

    @Override
    public Void cancels(TraceEvent.Cancels cancels) {
      memory.cancel(cancels.execution(), time());
      mayKill = true;
      return null;
    }

    @Override
    public Void systemTaskDue(TraceEvent.SystemTaskDue due) {
      systemRuntimes.put(due.name(), due.runs());
      memory.systemTasks().runOnce(due.name(), due.request());
      return null;
    }

    @Override
    public Void submits(TraceEvent.Submits work) {
      submitted.put(work.execution(), work);
      memory
          .queue()
          .add(
              PendingExecution.of(
                  work.execution(),
                  work.jobType(),
                  work.priority(),
                  Instant.EPOCH.plus(work.at()),
                  work.request()));
      return null;
    }
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
    for (Task task : memory.toKill()) {
      if (cluster.kill(task)) {
        memory.taskEnded(task.id(), TaskListener.End.KILLED, time());
        tellEnded();
      }
    }
  }

  /** Tells what the ports have noted. What the listener throws ends the simulation, not a port. */
  private void tellEnded() {
    for (Ended over = ended.poll(); over != null; over = ended.poll()) {
      submitted.remove(over.id());
      endings.merge(over.status(), 1, Integer::sum);
      listener.ended(now, over);
    }
  }

  private void note(SchedulingReport report) {
    for (Placement placement : report.queue().placements()) {
      PendingExecution execution = placement.execution();
      waits
          .computeIfAbsent(execution.priority(), same -> new ArrayList<>())
          .add(Duration.between(execution.queued(), report.when()));
    }
    report
        .failures()
        .forEach(
            failure -> {
              String message = failure.getMessage();
              if (failures.size() < MOST_FAILURES || failures.containsKey(message)) {
                failures.merge(message, 1, Integer::sum);
              }
            });
  }

  /** Whether a pass has changed anything, so that the next one may find something else. */
  private static boolean changes(SchedulingReport report) {
    return report.launchedTasks() > 0
        || !report.sent().dropped().isEmpty()
        || !report.queue().placements().isEmpty()
        || !report.queue().cancelled().isEmpty()
        || !report.running().lost().isEmpty()
        || !report.running().starved().isEmpty();
  }

  /** When the next pass is due; nothing if nothing can change any more. */
  private Optional<Duration> nextPass(boolean changed) {
    Duration next = null;
    if (nextEvent < trace.events().size()) {
      next = trace.events().get(nextEvent).at();
    }
    next = earlier(next, cluster.nextEnd().orElse(null));
    if (last != null) {
      if (changed && waits()) {
        next = earlier(next, now.plus(trace.passEvery()));
      }
      next = earlier(next, nextLoss());
    }
    return Optional.ofNullable(next).map(this::roundUp);
  }

  private boolean waits() {
    return memory.queue().size() > 0
        || !last.running().waiting().isEmpty()
        || !last.sent().dropped().isEmpty()
        || !last.running().toKill().isEmpty();
  }

  /** When the next grace of a node with executions is over; null if there is none. */
  private Duration nextLoss() {
    Duration next = null;
    if (!last.running().away().isEmpty()) {
      for (Duration until : graceUntil.values()) {
        next = until.compareTo(now) > 0 ? earlier(next, until) : next;
      }
    }
    return next;
  }

  private static Duration earlier(Duration a, Duration b) {
    return a == null || (b != null && b.compareTo(a) < 0) ? b : a;
  }

  /** The next whole multiple of the period, later than the last pass. */
  private Duration roundUp(Duration time) {
    Duration period = trace.passEvery();
    long steps = time.plus(period).minusNanos(1).dividedBy(period);
    Duration rounded = period.multipliedBy(steps);
    return passes > 0 && rounded.compareTo(now) <= 0 ? now.plus(period) : rounded;
  }

  private SimulationResult result() {
    List<String> never = new ArrayList<>();
    for (String id : submitted.keySet()) {
      if (memory.queue().get(id).isPresent()) {
        never.add(id);
      }
    }
    Map<Integer, SimulationResult.Waiting> waiting = new TreeMap<>();
    waits.forEach((priority, times) -> waiting.put(priority, SimulationResult.Waiting.of(times)));
    return new SimulationResult(
        now,
        passes,
        new SimulationResult.Endings(
            endings.getOrDefault(RunningExecution.Status.COMPLETED, 0),
            endings.getOrDefault(RunningExecution.Status.FAILED, 0),
            endings.getOrDefault(RunningExecution.Status.CANCELED, 0)),
        new SimulationResult.Never(never, memory.systemTasks().openJobs()),
        waiting,
        new SimulationResult.Utilisation(usage.sums(now), usage.course()),
        failures);
  }

  private Duration runtime(Task task) {
    return task.family() == Task.Family.JOB
        ? submitted.get(task.execution()).runs()
        : systemRuntimes.get(task.name());
  }

  private Instant time() {
    return Instant.EPOCH.plus(now);
  }
}

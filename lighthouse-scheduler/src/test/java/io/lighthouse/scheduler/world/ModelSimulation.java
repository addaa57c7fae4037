package io.lighthouse.scheduler.world;

import io.lighthouse.api.Resources;
import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.manager.SchedulingManager;
import io.lighthouse.scheduler.memory.InMemoryExecutions;
import io.lighthouse.scheduler.memory.InMemoryNode;
import io.lighthouse.scheduler.memory.InMemoryPorts;
import io.lighthouse.scheduler.memory.Maintenance;
import io.lighthouse.scheduler.memory.OfferBook;
import io.lighthouse.scheduler.memory.TaskListener;
import io.lighthouse.scheduler.model.DeviceLedger;
import io.lighthouse.scheduler.model.JobType;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Step;
import io.lighthouse.scheduler.model.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * A scheduler and its world in virtual time, drawn from a seed: first everything fails now and
 * then, then nothing does, and in the end everything that can run must have run.
 */
final class ModelSimulation {
  private static final int[] MAX = {0, 2, 3};

  /** No more than the smallest window: what is looked at and does not fit uses up the window. */
  private static final int MOST_EXECUTIONS = 25;

  /** In seconds. */
  private static final int MOST_CLOCK_ERROR = 3_600;

  private final Random random;
  private final World world;
  private final Chaos chaos;
  private final OfferBook book = new OfferBook();
  private final InMemoryPorts memory;
  private SchedulingPorts ports;
  private final SchedulingPolicy policy;
  private final BiFunction<SchedulingPorts, SchedulingPolicy, SchedulingManager> make;
  private SchedulingManager manager;
  private final List<String> violations = new ArrayList<>();
  private final Map<String, PendingExecution> submitted = new LinkedHashMap<>();
  private final Map<String, Integer> endings = new HashMap<>();

  /** What each node has, and its agent; empty while it is away. */
  private final Map<String, Resources> nodes = new LinkedHashMap<>();

  private final Map<String, String> agents = new LinkedHashMap<>();
  private final Map<String, Long> firstSeen = new HashMap<>();

  /** Nodes that are away for a moment. */
  private final Set<String> away = new HashSet<>();

  /** Whether the last pass did not go through: then devices are settled in a later one. */
  private boolean passFailed;

  private final boolean totalsKnown;

  /** Whether tasks are killed as the reports name them; else as the adapters do at any time. */
  private final boolean killsAsReported;

  private int sessionsOfNodes;

  /** By how many seconds the clock is wrong that everything but the world reads. */
  private long clockError;

  private ModelSimulation(
      long seed, BiFunction<SchedulingPorts, SchedulingPolicy, SchedulingManager> make) {
    random = new Random(seed);
    this.make = make;
    totalsKnown = random.nextBoolean();
    killsAsReported = random.nextBoolean();
    world = new World(random);
    chaos = new Chaos(random, this::meanwhile);
    memory =
        new InMemoryPorts(
            book,
            random.nextInt(3) == 0 ? Maintenance.SCALE : Maintenance.NONE,
            random.nextBoolean() ? Step::main : Step::pullPreMainPost);
    ports = chaos.around(memory.ports());
    policy =
        SchedulingPolicy.DEFAULT
            .withQueueWindow(random.nextInt(4) == 0 ? MOST_EXECUTIONS : 500)
            .withNodeGrace(Duration.ofSeconds(random.nextBoolean() ? 0 : random.nextInt(90)));
    manager = make.apply(ports, policy);
    for (int i = 0; i < MAX.length; i++) {
      putType(i, false);
    }
  }

  /** Everything that went wrong; nothing if all is well. */
  static List<String> run(long seed) {
    return run(seed, SchedulingManager::new);
  }

  static List<String> run(
      long seed, BiFunction<SchedulingPorts, SchedulingPolicy, SchedulingManager> make) {
    ModelSimulation simulation = new ModelSimulation(seed, make);
    simulation.live();
    return simulation.violations;
  }

  private void live() {
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      nodes.put(
          "node" + i, vector(4 + random.nextInt(20), 4 + random.nextInt(12), random.nextInt(3)));
      memory.nodes().add("node" + i);
      connect("node" + i);
    }
    chaos.failing = random.nextInt(3) == 0 ? 0 : random.nextInt(30);
    chaos.interrupting = random.nextInt(10);
    world.failing = 1 + random.nextInt(20);
    int ticks = 10 + random.nextInt(30);
    for (int tick = 0; tick < ticks && violations.isEmpty(); tick++) {
      disturb();
      tick(1 + random.nextInt(20));
    }
    calm();
    for (int tick = 0; tick < 400 && violations.isEmpty() && !isDone(); tick++) {
      tick(15);
    }
    tick(1);
    judgeTheEnd();
  }

  private void disturb() {
    int arrivals = random.nextInt(3);
    for (int i = 0; i < arrivals && submitted.size() < MOST_EXECUTIONS; i++) {
      PendingExecution entry =
          PendingExecution.of(
              "e" + submitted.size(),
              "type" + random.nextInt(MAX.length),
              random.nextInt(3),
              time(),
              request());
      submitted.put(entry.id(), entry);
      memory.queue().add(entry);
    }
    if (random.nextInt(10) == 0) {
      memory.systemTasks().service("service", vector(2, 1, 0), random.nextInt(3));
    }
    meanwhile();
    if (random.nextInt(25) == 0) {
      restart();
    }
    if (random.nextInt(50) == 0) {
      clockError = random.nextInt(2 * MOST_CLOCK_ERROR) - MOST_CLOCK_ERROR;
    }
    world.connected = random.nextInt(20) > 0;
    memory.nodes().pauseScheduler(random.nextInt(25) == 0);
  }

  /** What may also happen in the middle of a pass. */
  private void meanwhile() {
    int what = random.nextInt(18);
    if (what == 0 && !submitted.isEmpty()) {
      memory.executions().cancel("e" + random.nextInt(submitted.size()), time());
    } else if (what == 1) {
      book.rescind(world.rescindSome());
    } else if (what == 2) {
      List<String> rescinded = world.rescindSome();
      // It takes a while until we hear of it.
      if (random.nextBoolean()) {
        book.rescind(rescinded);
      }
    } else if (what == 3 && random.nextInt(3) == 0) {
      newSession();
    } else if (what == 4 && random.nextInt(3) == 0) {
      String name = "node" + random.nextInt(nodes.size());
      if (agents.containsKey(name)) {
        disconnect(name);
      } else {
        connect(name);
      }
    } else if (what == 6 && !agents.isEmpty()) {
      flap("node" + random.nextInt(nodes.size()));
    } else if (what == 5) {
      someNode().pause(random.nextBoolean());
    } else if (what == 7) {
      someNode().error(random.nextBoolean() ? "daemon" : "disk", time());
    } else if (what == 8) {
      InMemoryNode node = someNode();
      node.errors().forEach(node::clearError);
    } else if (what == 9) {
      someNode().activate(random.nextInt(3) > 0);
    } else if (what == 10) {
      int type = random.nextInt(MAX.length);
      memory.catalogue().remove("type" + type);
      if (random.nextInt(3) > 0) {
        putType(type, random.nextBoolean());
      }
    }
  }

  private InMemoryNode someNode() {
    return memory.nodes().get("node" + random.nextInt(nodes.size())).orElseThrow();
  }

  private void putType(int type, boolean paused) {
    memory.catalogue().put(new JobType("type" + type, request(), MAX[type], paused));
  }

  /** All offers become void, and the offer book is not notified. */
  private void newSession() {
    world.newSession();
  }

  /** A node is away for a moment while its tasks continue; or it is back, unchanged. */
  private void flap(String name) {
    String agent = agents.get(name);
    if (agent != null && !away.remove(name)) {
      memory.agentAway(agent);
      away.add(name);
    } else if (agent != null) {
      memory.agentConnected(name, agent, time());
    }
  }

  /** The manager and its offers are gone; queue, executions, tasks and devices are on record. */
  private void restart() {
    newSession();
    agents.forEach(
        (name, agent) -> {
          book.agentLost(agent);
          if (totalsKnown) {
            book.total(agent, nodes.get(name));
          }
        });
    memory.executions().recover();
    DeviceLedger fresh = new DeviceLedger();
    boolean recorded = random.nextBoolean();
    for (RunningExecution execution : memory.executions().snapshot()) {
      List<Integer> devices = devices().of(execution.node(), execution.id());
      // Where devices are not on record, the first pass presumes some.
      if (recorded && !devices.isEmpty()) {
        fresh.restore(execution.node(), execution.id(), devices);
      }
    }
    ports = chaos.around(memory.ports().withDevices(fresh));
    manager = make.apply(ports, policy);
  }

  private DeviceLedger devices() {
    return ports.devices();
  }

  private void connect(String name) {
    away.remove(name);
    String agent = name + "-session" + sessionsOfNodes++;
    agents.put(name, agent);
    world.join(name, agent, nodes.get(name));
    if (totalsKnown) {
      book.total(agent, nodes.get(name));
    }
    memory.nodes().get(name).orElseThrow().online(agent);
  }

  private void disconnect(String name) {
    away.remove(name);
    String agent = agents.remove(name);
    world.lose(agent);
    if (random.nextBoolean()) {
      memory.agentLost(agent, time());
    } else {
      book.agentLost(agent);
      memory.nodes().get(name).orElseThrow().offline();
    }
  }

  private void calm() {
    chaos.failing = 0;
    chaos.interrupting = 0;
    world.failing = 0;
    world.connected = true;
    memory.nodes().pauseScheduler(false);
    memory.systemTasks().service("service", vector(2, 1, 0), 0);
    for (int i = 0; i < MAX.length; i++) {
      putType(i, false);
    }
    for (String name : nodes.keySet()) {
      InMemoryNode node = memory.nodes().get(name).orElseThrow();
      node.pause(false);
      node.activate(true);
      node.errors().forEach(node::clearError);
      if (!agents.containsKey(name)) {
        connect(name);
      } else if (away.contains(name)) {
        flap(name);
      }
    }
  }

  private void tick(long seconds) {
    world.advance(seconds);
    deliver();
    book.offer(world.makeOffers(time()));
    List<Task> toKill = memory.toKill();
    try {
      SchedulingReport report = manager.runPass(chaos.around(world), time());
      if (chaos.failing == 0 && world.failing == 0 && !report.failures().isEmpty()) {
        violations.add("failures in the calm: " + report.failures());
      }
      if (killsAsReported) {
        report.running().toKill().forEach(task -> world.kill(task.id()));
      }
      passFailed =
          !report.failures().isEmpty()
              || report.outcome() == SchedulingReport.Outcome.NOT_CONNECTED;
      judgeKills(toKill, report);
    } catch (LighthouseException failed) {
      passFailed = true;
      if (chaos.failing == 0) {
        violations.add("a pass failed in the calm: " + failed);
      }
    }
    deliver();
    violations.addAll(world.violations);
    judgeTheMoment();
  }

  /** Status updates, kills, and the tasks of which nothing is heard. */
  private void deliver() {
    if (!killsAsReported) {
      memory.toKill().forEach(task -> world.kill(task.id()));
    }
    List<World.Update> updates = new ArrayList<>(world.updates);
    world.updates.clear();
    for (World.Update update : updates) {
      if (update.status().equals("RUNNING")) {
        memory.tasks().running(update.task(), time());
      } else {
        memory.tasks().ended(update.task(), TaskListener.End.valueOf(update.status()), time());
      }
    }
    Set<String> real = world.runningTasks();
    for (Task task : memory.tasks().current()) {
      long since = firstSeen.computeIfAbsent(task.id(), id -> world.now);
      if (!real.contains(task.id()) && world.now - since > 30) {
        memory.tasks().ended(task.id(), TaskListener.End.LOST, time());
      }
    }
    for (Optional<InMemoryExecutions.Ended> over = memory.executions().nextMessage();
        over.isPresent();
        over = memory.executions().nextMessage()) {
      endings.merge(over.get().id(), 1, Integer::sum);
    }
  }

  private void judgeTheMoment() {
    for (String id : submitted.keySet()) {
      int places =
          (memory.queue().get(id).isPresent() ? 1 : 0)
              + (memory.executions().get(id).isPresent() ? 1 : 0)
              + (memory.executions().ended(id).isPresent() ? 1 : 0);
      if (places != 1) {
        violations.add("execution " + id + " is in " + places + " places");
      }
    }
    endings.forEach(
        (id, times) -> {
          if (times > 1) {
            violations.add("execution " + id + " ended " + times + " times");
          }
        });
    int[] runs = new int[MAX.length];
    for (String id : submitted.keySet()) {
      memory
          .executions()
          .get(id)
          .filter(execution -> execution.status() == RunningExecution.Status.RUNNING)
          .ifPresent(execution -> runs[Integer.parseInt(execution.jobType().substring(4))]++);
    }
    for (int type = 0; type < MAX.length; type++) {
      if (MAX[type] > 0 && runs[type] > MAX[type]) {
        violations.add(runs[type] + " executions of type" + type + " run, of " + MAX[type]);
      }
    }
    judgeDevices();
  }

  /** What was to be killed before a pass and after it, the pass has named. */
  private void judgeKills(List<Task> before, SchedulingReport report) {
    if (passFailed) {
      return;
    }
    List<Task> missing = new ArrayList<>(before);
    missing.retainAll(memory.toKill());
    missing.removeAll(report.running().toKill());
    if (!missing.isEmpty()) {
      violations.add("a pass did not name " + missing + ", to be killed");
    }
  }

  /** Each running execution has the devices that it asked for, and no two have the same. */
  private void judgeDevices() {
    if (passFailed) {
      return;
    }
    for (RunningExecution execution : memory.executions().snapshot()) {
      int has = devices().of(execution.node(), execution.id()).size();
      boolean asks =
          execution.origin().request().get("gpus").map(gpus -> gpus.signum() > 0).orElse(false);
      if (execution.status() == RunningExecution.Status.RUNNING
          && agents.containsValue(execution.agent())
          && asks
          && has != 1) {
        violations.add(execution + " has " + has + " devices, not 1");
      }
    }
  }

  private boolean isDone() {
    return memory.executions().countByType().isEmpty()
        && memory.tasks().current().isEmpty()
        && memory.queue().ids().stream()
            .noneMatch(id -> world.couldFit(submitted.get(id).request()));
  }

  private void judgeTheEnd() {
    if (!violations.isEmpty()) {
      return;
    }
    for (String id : memory.queue().ids()) {
      if (world.couldFit(submitted.get(id).request())) {
        violations.add("execution " + id + " fits and never ran");
      }
    }
    for (String id : submitted.keySet()) {
      memory
          .executions()
          .get(id)
          .ifPresent(
              execution ->
                  violations.add(
                      execution
                          + " was committed and never finished; current "
                          + execution.currentTask()
                          + ", next "
                          + execution.nextTask()
                          + ", taken in "
                          + memory.executions().snapshot().contains(execution)));
    }
    if (world.outstandingOffers() > 0) {
      violations.add(world.outstandingOffers() + " offers were never given back");
    }
    for (String holder : devices().holders()) {
      violations.add("execution " + holder + " kept its devices");
    }
  }

  private Instant time() {
    return Instant.EPOCH.plusSeconds(world.now + clockError);
  }

  private Resources request() {
    return vector(
        1 + random.nextInt(random.nextInt(5) == 0 ? 24 : 8),
        random.nextInt(6),
        random.nextInt(4) == 0 ? 1 : 0);
  }

  /** Quarters of a cpu, and numbers of the others. */
  private static Resources vector(int cpus, int mem, int gpus) {
    return Resources.of("cpus", cpus * 0.25, "mem", mem * 64, "gpus", gpus);
  }
}

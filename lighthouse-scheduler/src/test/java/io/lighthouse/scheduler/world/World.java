package io.lighthouse.scheduler.world;

import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.ClusterClient;
import io.lighthouse.scheduler.port.ClusterClient.Refusal;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * The real state of the cluster manager and its nodes: which agent runs which tasks, and the
 * outstanding offers. It keeps its own accounts, and records everything that should never happen.
 */
final class World implements ClusterClient {
  private static final String[] NAMES = {"cpus", "mem", "gpus"};

  /** An agent: its resources, and the tasks that it runs with their end times. */
  private static final class Agent {
    final String node;
    final BigDecimal[] all;
    final Map<String, Run> runs = new TreeMap<>();

    Agent(String node, BigDecimal[] all) {
      this.node = node;
      this.all = all;
    }
  }

  private record Run(Task task, long until) {}

  /** What the world tells the scheduler. */
  record Update(String task, String status) {}

  final List<String> violations = new ArrayList<>();
  final List<Update> updates = new ArrayList<>();
  private final Random random;
  private final Map<String, Agent> agents = new TreeMap<>();
  private final Map<String, ResourceOffer> outstanding = new TreeMap<>();
  private final Set<String> accepted = new HashSet<>();
  private int offers;
  private int sessions;
  boolean connected = true;
  long now;

  /** How often, of a hundred calls, the client fails, half the time after it did its work. */
  int failing;

  World(Random random) {
    this.random = random;
  }

  void join(String node, String agent, Resources all) {
    agents.put(agent, new Agent(node, amounts(all)));
  }

  /** All tasks of an agent are lost; updates about them come late or never. */
  void lose(String agent) {
    Agent gone = agents.remove(agent);
    outstanding.values().removeIf(offer -> offer.agent().equals(agent));
    for (String task : gone.runs.keySet()) {
      if (random.nextInt(3) > 0) {
        updates.add(new Update(task, "LOST"));
      }
    }
  }

  /** All offers out are void. */
  void newSession() {
    sessions++;
    outstanding.clear();
  }

  List<String> rescindSome() {
    List<String> ids = new ArrayList<>();
    for (String id : outstanding.keySet()) {
      if (random.nextInt(3) == 0) {
        ids.add(id);
      }
    }
    ids.forEach(outstanding::remove);
    return ids;
  }

  /** Offers of everything that is free, in one piece or two. */
  List<ResourceOffer> makeOffers(Instant when) {
    List<ResourceOffer> made = new ArrayList<>();
    agents.forEach(
        (name, agent) -> {
          BigDecimal[] free = free(name);
          if (sign(free) <= 0) {
            return;
          }
          BigDecimal[] half = new BigDecimal[free.length];
          for (int i = 0; i < free.length; i++) {
            half[i] =
                failing > 0 && random.nextInt(4) == 0
                    ? free[i].divideToIntegralValue(BigDecimal.valueOf(2))
                    : free[i];
            free[i] = free[i].subtract(half[i]);
          }
          made.add(offer(name, half, when));
          if (sign(free) > 0) {
            made.add(offer(name, free, when));
          }
        });
    return made;
  }

  /** Time goes on: tasks end. */
  void advance(long seconds) {
    now += seconds;
    agents.forEach(
        (name, agent) ->
            agent
                .runs
                .values()
                .removeIf(
                    run -> {
                      boolean over = run.until() <= now;
                      if (over) {
                        boolean fails = failing > 0 && random.nextInt(12) == 0;
                        updates.add(new Update(run.task().id(), fails ? "FAILED" : "FINISHED"));
                      }
                      return over;
                    }));
  }

  void kill(String task) {
    if (random.nextInt(100) < failing) {
      // The call is lost: the caller has to repeat the kill.
      return;
    }
    for (Agent agent : agents.values()) {
      if (agent.runs.remove(task) != null) {
        updates.add(new Update(task, "KILLED"));
        return;
      }
    }
    updates.add(new Update(task, "LOST"));
  }

  Set<String> runningTasks() {
    Set<String> ids = new HashSet<>();
    agents.values().forEach(agent -> ids.addAll(agent.runs.keySet()));
    return ids;
  }

  int outstandingOffers() {
    return outstanding.size();
  }

  /** Whether a request fits on an empty agent. */
  boolean couldFit(Resources request) {
    BigDecimal[] wanted = amounts(request);
    return agents.values().stream()
        .anyMatch(
            agent -> {
              for (int i = 0; i < wanted.length; i++) {
                if (agent.all[i].compareTo(wanted[i]) < 0) {
                  return false;
                }
              }
              return true;
            });
  }

  @Override
  public boolean connected() {
    return connected;
  }

  @Override
  public String session() {
    return "session" + sessions;
  }

  @Override
  public List<Refusal> launch(String node, List<ResourceOffer> used, List<Task> tasks) {
    int fate = random.nextInt(200);
    if (fate < failing) {
      throw new IllegalStateException("launching fails before it does anything");
    }
    for (ResourceOffer offer : used) {
      if (accepted.contains(offer.id())) {
        violations.add("offer " + offer.id() + " was used twice");
      }
    }
    List<Refusal> refusals = new ArrayList<>();
    List<Task> wanted = new ArrayList<>();
    for (Task task : tasks) {
      if (random.nextInt(100) < failing) {
        refusals.add(new Refusal(task.id(), "not today"));
      } else {
        wanted.add(task);
      }
    }
    if (!used.stream().allMatch(offer -> outstanding.containsKey(offer.id()))) {
      // One of them was rescinded: the call comes to nothing, and we hear so.
      used.forEach(offer -> outstanding.remove(offer.id()));
      wanted.forEach(task -> updates.add(new Update(task.id(), "LOST")));
    } else {
      start(node, used, wanted);
    }
    if (fate >= 200 - failing) {
      throw new IllegalStateException("launching fails after it was done");
    }
    return refusals;
  }

  private void start(String node, List<ResourceOffer> used, List<Task> tasks) {
    BigDecimal[] lent = amounts(Resources.none());
    String name = used.get(0).agent();
    for (ResourceOffer offer : used) {
      outstanding.remove(offer.id());
      accepted.add(offer.id());
      lent = plus(lent, amounts(offer.resources()), 1);
      if (!offer.agent().equals(name)) {
        violations.add("offers of " + name + " and " + offer.agent() + " in one launch");
      }
    }
    Agent agent = agents.get(name);
    if (!agent.node.equals(node)) {
      violations.add("agent " + name + " is not of " + node);
    }
    for (Task task : tasks) {
      lent = plus(lent, amounts(task.resources()), -1);
      if (!task.agent().equals(name)) {
        violations.add("task " + task.id() + " was launched on " + name);
      }
      for (Agent each : agents.values()) {
        for (Run run : each.runs.values()) {
          if (!task.execution().isEmpty() && run.task().execution().equals(task.execution())) {
            violations.add(
                "execution " + task.execution() + " runs twice: " + run.task() + ", " + task);
          }
        }
      }
      agent.runs.put(task.id(), new Run(task, now + 1 + random.nextInt(60)));
      updates.add(new Update(task.id(), "RUNNING"));
    }
    if (sign(lent) < 0) {
      violations.add("more was launched on " + name + " than its offers hold");
    }
    if (sign(free(name)) < 0) {
      violations.add("agent " + name + " is overcommitted");
    }
  }

  @Override
  public void decline(List<ResourceOffer> unwanted) {
    int fate = random.nextInt(200);
    if (fate < failing) {
      throw new IllegalStateException("declining fails before it does anything");
    }
    unwanted.forEach(offer -> outstanding.remove(offer.id()));
    if (fate >= 200 - failing) {
      throw new IllegalStateException("declining fails after it was done");
    }
  }

  private ResourceOffer offer(String agent, BigDecimal[] amounts, Instant when) {
    Map<String, BigDecimal> resources = new HashMap<>();
    for (int i = 0; i < NAMES.length; i++) {
      resources.put(NAMES[i], amounts[i]);
    }
    ResourceOffer offer =
        new ResourceOffer("offer" + offers++, agent, session(), Resources.of(resources), when);
    outstanding.put(offer.id(), offer);
    return offer;
  }

  /** What an agent has, less what runs and what is out. */
  private BigDecimal[] free(String name) {
    Agent agent = agents.get(name);
    BigDecimal[] free = agent.all.clone();
    for (Run run : agent.runs.values()) {
      free = plus(free, amounts(run.task().resources()), -1);
    }
    for (ResourceOffer offer : outstanding.values()) {
      if (offer.agent().equals(name)) {
        free = plus(free, amounts(offer.resources()), -1);
      }
    }
    return free;
  }

  private static BigDecimal[] amounts(Resources vector) {
    BigDecimal[] amounts = new BigDecimal[NAMES.length];
    for (int i = 0; i < NAMES.length; i++) {
      amounts[i] =
          vector.get(NAMES[i]).map(quantity -> quantity.toBigDecimal()).orElse(BigDecimal.ZERO);
    }
    return amounts;
  }

  private static BigDecimal[] plus(BigDecimal[] a, BigDecimal[] b, int sign) {
    BigDecimal[] sum = new BigDecimal[a.length];
    for (int i = 0; i < a.length; i++) {
      sum[i] = sign > 0 ? a[i].add(b[i]) : a[i].subtract(b[i]);
    }
    return sum;
  }

  /** -1 if any is negative, 0 if all are 0, else 1. */
  private static int sign(BigDecimal[] amounts) {
    int sign = 0;
    for (BigDecimal amount : amounts) {
      if (amount.signum() < 0) {
        return -1;
      }
      sign = Math.max(sign, amount.signum());
    }
    return sign;
  }
}

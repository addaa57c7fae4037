package io.lighthouse.scheduler.simulation;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.ResourceVectors;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.ClusterClient;
import io.lighthouse.scheduler.simulation.SimulationResult.NodeCount;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Function;

/** The nodes of a simulation: what they have, what runs there, and until when. */
final class VirtualCluster implements ClusterClient {
  static final String SESSION = "simulation";

  /** A task that runs on an agent until a time; the number breaks ties. */
  private record Run(Task task, Duration until, long number) {}

  /** A connected node. */
  private static final class Host {
    final Resources all;
    Resources used = Resources.none();

    /** What runs, by task id, in the order of launches. */
    final Map<String, Run> runs = new LinkedHashMap<>();

    ResourceOffer offer;

    Host(Resources all) {
      this.all = all;
    }
  }

  private final Function<Task, Duration> runtime;

  /** By agent, in the order of names. */
  private final Map<String, Host> hosts = new TreeMap<>(Names.order());

  /** By their ends; also those that were killed or lost, until their end comes to the front. */
  private final PriorityQueue<Run> ends =
      new PriorityQueue<>(Comparator.comparing(Run::until).thenComparing(Run::number));

  private Resources total = Resources.none();
  private Resources used = Resources.none();
  private long made;
  private Duration now = Duration.ZERO;

  VirtualCluster(Function<Task, Duration> runtime) {
    this.runtime = runtime;
  }

  void join(String agent, Resources all) {
    Host host = new Host(ResourceVectors.offered(all, "agent '" + agent + "'"));
    hosts.put(agent, host);
    sumUp();
  }

  /** What ran there is gone, too. */
  void leave(String agent) {
    hosts.remove(agent);
    sumUp();
  }

  boolean kill(Task task) {
    Host host = hosts.get(task.agent());
    if (host == null || host.runs.remove(task.id()) == null) {
      return false;
    }
    free(host, task);
    return true;
  }

  void advance(Duration time) {
    now = time;
  }

  /** When the next task ends. */
  Optional<Duration> nextEnd() {
    while (!ends.isEmpty() && !isLive(ends.peek())) {
      ends.remove();
    }
    return Optional.ofNullable(ends.peek()).map(Run::until);
  }

  /** The next task that has ended by now; nothing if there is none. */
  Optional<Task> takeEnded() {
    Optional<Duration> next = nextEnd();
    if (next.isEmpty() || next.get().compareTo(now) > 0) {
      return Optional.empty();
    }
    Task task = ends.remove().task();
    Host host = hosts.get(task.agent());
    host.runs.remove(task.id());
    free(host, task);
    return Optional.of(task);
  }

  /** Offers everything that is free and not offered yet. */
  List<ResourceOffer> makeOffers(Instant when) {
    List<ResourceOffer> offers = new ArrayList<>();
    hosts.forEach(
        (agent, host) -> {
          if (host.offer != null) {
            return;
          }
          Resources free = ResourceVectors.minus(host.all, host.used);
          if (!ResourceVectors.isZero(free)) {
            host.offer = new ResourceOffer("offer-" + made++, agent, SESSION, free, when);
            offers.add(host.offer);
          }
        });
    return offers;
  }

  /** Takes the offer of an agent back; answers its id. */
  Optional<String> rescind(String agent) {
    Host host = hosts.get(agent);
    if (host == null || host.offer == null) {
      return Optional.empty();
    }
    String id = host.offer.id();
    host.offer = null;
    return Optional.of(id);
  }

  Resources total() {
    return total;
  }

  Resources used() {
    return used;
  }

  NodeCount nodes() {
    int busy = 0;
    for (Host host : hosts.values()) {
      busy += host.runs.isEmpty() ? 0 : 1;
    }
    return new NodeCount(hosts.size(), busy);
  }

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
    decline(offers);
    for (Task task : tasks) {
      Host host = hosts.get(task.agent());
      Run run = new Run(task, now.plus(runtime.apply(task)), made++);
      host.used = ResourceVectors.plus(host.used, task.resources());
      used = ResourceVectors.plus(used, task.resources());
      host.runs.put(task.id(), run);
      ends.add(run);
    }
    return List.of();
  }

  @Override
  public void decline(List<ResourceOffer> offers) {
    for (ResourceOffer offer : offers) {
      Host host = hosts.get(offer.agent());
      if (host != null && host.offer != null && host.offer.id().equals(offer.id())) {
        host.offer = null;
      }
    }
  }

  private boolean isLive(Run run) {
    Host host = hosts.get(run.task().agent());
    return host != null && host.runs.get(run.task().id()) == run;
  }

  private void free(Host host, Task task) {
    host.used = ResourceVectors.minus(host.used, task.resources());
    used = ResourceVectors.minus(used, task.resources());
  }

  private void sumUp() {
    total = Resources.none();
    used = Resources.none();
    for (Host host : hosts.values()) {
      total = ResourceVectors.plus(total, host.all);
      used = ResourceVectors.plus(used, host.used);
    }
  }
}

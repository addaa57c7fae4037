package io.lighthouse.scheduler.simulation;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.model.Amounts;
import io.lighthouse.scheduler.model.Offer;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.OfferClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Function;

/** The nodes of a simulation: what they have, what runs there, and until when. */
final class VirtualCluster implements OfferClient {
  static final String SESSION = "simulation";

  /** A task that runs on an agent until a time; the number breaks ties. */
  record Run(Task task, Duration until, long number) {}

  /** A connected node. */
  private static final class Host {
    final Resources all;
    Resources used = Resources.none();
    Offer offer;

    Host(Resources all) {
      this.all = all;
    }
  }

  private final Function<Task, Duration> runtime;

  /** By agent. */
  private final Map<String, Host> hosts = new TreeMap<>(Names.order());

  private final PriorityQueue<Run> runs =
      new PriorityQueue<>(Comparator.comparing(Run::until).thenComparing(Run::number));

  private long made;
  private Duration now = Duration.ZERO;

  VirtualCluster(Function<Task, Duration> runtime) {
    this.runtime = runtime;
  }

  void join(String agent, Resources all) {
    hosts.put(agent, new Host(Amounts.offered(all, "agent '" + agent + "'")));
  }

  /** Answers what ran there. */
  List<Task> leave(String agent) {
    hosts.remove(agent);
    List<Task> gone = new ArrayList<>();
    runs.stream()
        .filter(run -> run.task().agent().equals(agent))
        .sorted(Comparator.comparing(Run::number))
        .forEach(run -> gone.add(run.task()));
    runs.removeIf(run -> run.task().agent().equals(agent));
    return gone;
  }

  boolean kill(Task task) {
    boolean ran = runs.removeIf(run -> run.task().id().equals(task.id()));
    if (ran) {
      free(task);
    }
    return ran;
  }

  void advance(Duration time) {
    now = time;
  }

  /** When the next task ends. */
  Optional<Duration> nextEnd() {
    return Optional.ofNullable(runs.peek()).map(Run::until);
  }

  /** The next task that has ended by now; nothing if there is none. */
  Optional<Task> takeEnded() {
    if (runs.isEmpty() || runs.peek().until().compareTo(now) > 0) {
      return Optional.empty();
    }
    Task task = runs.remove().task();
    free(task);
    return Optional.of(task);
  }

  /** Offers everything that is free and not offered yet. */
  List<Offer> makeOffers(Instant when) {
    List<Offer> offers = new ArrayList<>();
    hosts.forEach(
        (agent, host) -> {
          Resources free = Amounts.minus(host.all, host.used);
          if (host.offer == null && !Amounts.isZero(free)) {
            host.offer = new Offer("offer-" + made++, agent, SESSION, free, when);
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
    Resources total = Resources.none();
    for (Host host : hosts.values()) {
      total = Amounts.plus(total, host.all);
    }
    return total;
  }

  Resources used() {
    Resources used = Resources.none();
    for (Host host : hosts.values()) {
      used = Amounts.plus(used, host.used);
    }
    return used;
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
  public void launch(String node, List<Offer> offers, List<Task> tasks) {
    decline(offers);
    for (Task task : tasks) {
      Host host = hosts.get(task.agent());
      host.used = Amounts.plus(host.used, task.resources());
      runs.add(new Run(task, now.plus(runtime.apply(task)), made++));
    }
  }

  @Override
  public void decline(List<Offer> offers) {
    for (Offer offer : offers) {
      Host host = hosts.get(offer.agent());
      if (host != null && host.offer != null && host.offer.id().equals(offer.id())) {
        host.offer = null;
      }
    }
  }

  private void free(Task task) {
    Host host = hosts.get(task.agent());
    host.used = Amounts.minus(host.used, task.resources());
  }
}

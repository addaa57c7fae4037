package io.lighthouse.kubernetes.config;

import io.lighthouse.api.Rubric;
import io.lighthouse.api.error.InvalidInputException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * How the scheduler works; its parts are the sections of the configuration file, which {@link
 * SettingsFile} reads. Immutable.
 *
 * @param profiles how the pods of each {@code spec.schedulerName} are placed; at least one
 * @param election how one of several replicas leads
 * @param binding how decisions are carried out
 * @param preemption whether pods are evicted for pods of a higher priority; if not, a pod that fits
 *     no node waits until there is room
 * @param podGroups whether pods may name PodGroup objects ({@code scheduling.k8s.io/v1alpha2}); if
 *     not, a pod with {@code spec.schedulingGroup} is not supported
 * @param resourceClaims whether pods may have claims to devices ({@code resource.k8s.io/v1}, from
 *     Kubernetes 1.34 on); if not, a pod with {@code spec.resourceClaims} is not supported
 * @param queue how long pods wait between tries
 * @param eventsPerSecond how many events are written at most; those above the rate wait
 * @param monitor where metrics and health are served
 * @param extender where the stock scheduler's questions are answered, in place of scheduling
 */
public record SchedulerSettings(
    List<Profile> profiles,
    Election election,
    Binding binding,
    boolean preemption,
    boolean podGroups,
    boolean resourceClaims,
    Queue queue,
    int eventsPerSecond,
    Monitor monitor,
    Extender extender) {

  /** The defaults. */
  public static final SchedulerSettings STANDARD =
      new SchedulerSettings(
          List.of(
              new Profile(
                  "lighthouse",
                  new Strategy("spread", Map.of(), Optional.empty(), Optional.empty()),
                  List.of("kubernetes.io/hostname", "topology.kubernetes.io/zone"),
                  true)),
          new Election(true, "kube-system", "lighthouse", Duration.ofSeconds(15)),
          new Binding(16, 512, Duration.ofSeconds(5), Duration.ofMinutes(10)),
          true,
          false,
          false,
          new Queue(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(30)),
          2_000,
          new Monitor("127.0.0.1", 8_088),
          new Extender("127.0.0.1", 8_089, Duration.ofSeconds(4)));

  /** Checks that nothing is null, and that a call ends before the lease does. */
  public SchedulerSettings {
    profiles = List.copyOf(profiles);
    if (profiles.isEmpty()) {
      throw new InvalidInputException("scheduler settings", "profiles", "empty", "at least one");
    }
    Objects.requireNonNull(queue, "queue");
    Objects.requireNonNull(monitor, "monitor");
    Objects.requireNonNull(extender, "extender");
    // A third of the lease is left to act in, and to renew it.
    Duration most = election.duration().multipliedBy(2).dividedBy(3);
    if (election.enabled() && binding.timeout().compareTo(most) > 0) {
      throw new InvalidInputException(
          "scheduler settings",
          "binding.timeout",
          binding.timeout().toMillis() + "ms",
          "at most two thirds of leaderElection.duration: %dms of %dms"
              .formatted(most.toMillis(), election.duration().toMillis()));
    }
  }

  /**
   * The profile of those who place pods for no other: the first.
   *
   * @return the profile
   */
  public Profile first() {
    return profiles.get(0);
  }

  /**
   * How the pods of one scheduler name are placed.
   *
   * @param schedulerName pods with this {@code spec.schedulerName}
   * @param strategy the strategy that chooses their nodes
   * @param defaultSpread the labels of nodes whose values get equally many pods of a Service or
   *     controller that have no spread of their own; the first counts most. Empty where such pods
   *     are not spread
   * @param imageLocality whether nodes that have the images are preferred
   */
  public record Profile(
      String schedulerName, Strategy strategy, List<String> defaultSpread, boolean imageLocality) {
    /** Copies, and checks that nothing is null. */
    public Profile {
      Objects.requireNonNull(schedulerName, "schedulerName");
      Objects.requireNonNull(strategy, "strategy");
      defaultSpread = List.copyOf(defaultSpread);
    }
  }

  /**
   * The strategy that chooses the nodes.
   *
   * @param name the name of the strategy
   * @param settings its settings
   * @param rubric weights of resources, for strategies that want some
   * @param plugins where jars with more strategies are
   */
  public record Strategy(
      String name, Map<String, String> settings, Optional<Rubric> rubric, Optional<Path> plugins) {
    /** Copies, in the order given. */
    public Strategy {
      Objects.requireNonNull(name, "name");
      settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
      Objects.requireNonNull(rubric, "rubric");
      Objects.requireNonNull(plugins, "plugins");
    }
  }

  /**
   * How one of several replicas leads.
   *
   * @param enabled if not, there must be only one process
   * @param namespace where the lease is
   * @param name its name
   * @param duration after how long without renewal another takes over
   */
  public record Election(boolean enabled, String namespace, String name, Duration duration) {
    /** Checks that nothing is null. */
    public Election {
      Objects.requireNonNull(namespace, "namespace");
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(duration, "duration");
    }
  }

  /**
   * How decisions are carried out.
   *
   * @param workers how many bindings are sent at a time
   * @param inFlight how many bindings may be on their way; pods that wait for their claims do not
   *     count
   * @param timeout the longest that a call may take; with an election, at most two thirds of its
   *     duration
   * @param volumeTimeout the longest that a pod with a node waits for its volumes
   */
  public record Binding(int workers, int inFlight, Duration timeout, Duration volumeTimeout) {
    /** Checks that nothing is null. */
    public Binding {
      Objects.requireNonNull(timeout, "timeout");
      Objects.requireNonNull(volumeTimeout, "volumeTimeout");
    }
  }

  /**
   * How long pods wait between tries.
   *
   * @param firstPause at least, after one found no node
   * @param longestPause the same after many times
   * @param listAgain after how long everything is listed anew, though watches bring all changes
   */
  public record Queue(Duration firstPause, Duration longestPause, Duration listAgain) {
    /** Checks that nothing is null. */
    public Queue {
      Objects.requireNonNull(firstPause, "firstPause");
      Objects.requireNonNull(longestPause, "longestPause");
      Objects.requireNonNull(listAgain, "listAgain");
    }
  }

  /**
   * Where metrics and health are served.
   *
   * @param address on which address
   * @param port on which port; 0 for any free one, -1 for nowhere
   */
  public record Monitor(String address, int port) {
    /** Checks that nothing is null. */
    public Monitor {
      Objects.requireNonNull(address, "address");
    }
  }

  /**
   * Where the stock scheduler's questions are answered.
   *
   * @param address on which address
   * @param port on which port; 0 for any free one
   * @param timeout how long a question waits for its turn at most
   */
  public record Extender(String address, int port, Duration timeout) {
    /** Checks that nothing is null. */
    public Extender {
      Objects.requireNonNull(address, "address");
      Objects.requireNonNull(timeout, "timeout");
    }
  }
}

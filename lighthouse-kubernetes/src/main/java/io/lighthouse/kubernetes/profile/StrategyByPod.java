package io.lighthouse.kubernetes.profile;

import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Choice;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.strategy.Amounts;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetDomain;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.NodeOrder;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Several strategies on one fleet: each pod has that of its scheduler name. So pods of different
 * profiles are decided on one mirror. A strategy that places whole batches cannot be one of them.
 */
public final class StrategyByPod implements PlacementStrategy {
  /** A strategy, its settings, and the rubric that it sees. */
  public record Part(
      PlacementStrategy strategy, Map<String, String> settings, Optional<Rubric> rubric) {}

  private final Map<String, Part> parts;
  private final Function<String, String> schedulerNames;

  /**
   * Some strategies.
   *
   * @param parts by the name of the scheduler, at least one; the first is that of all other names
   * @param schedulerNames the scheduler name of a pod, by its uid
   */
  public StrategyByPod(Map<String, Part> parts, Function<String, String> schedulerNames) {
    this.parts = new LinkedHashMap<>(parts);
    this.schedulerNames = schedulerNames;
  }

  @Override
  public String name() {
    return "by-scheduler-name";
  }

  @Override
  public boolean mayDecline() {
    return parts.values().stream().anyMatch(part -> part.strategy.mayDecline());
  }

  @Override
  public Placer newPlacer(Fleet fleet, Settings none) {
    Map<String, Placer> placers = new LinkedHashMap<>();
    parts.forEach(
        (schedulerName, part) -> {
          Placer placer =
              part.strategy.newPlacer(
                  new WithRubric(fleet, part.rubric),
                  Settings.of(part.strategy.name(), part.strategy.settings(), part.settings));
          if (placer instanceof BatchPlacer) {
            throw new InvalidInputException(
                "profile '" + schedulerName + "'",
                "strategy",
                "'" + part.strategy.name() + "'",
                "one that places pod by pod, where there are several profiles");
          }
          placers.put(schedulerName, placer);
        });
    return new ByPod(placers, schedulerNames);
  }

  private record ByPod(Map<String, Placer> placers, Function<String, String> schedulerNames)
      implements Placer {
    private Placer of(Workload pod) {
      Placer placer = placers.get(schedulerNames.apply(pod.name()));
      return placer != null ? placer : placers.values().iterator().next();
    }

    @Override
    public FleetNode choose(Workload pod, Candidates candidates) {
      return of(pod).choose(pod, candidates);
    }

    @Override
    public List<Choice.Term> terms(Workload pod, FleetNode node) {
      return of(pod).terms(pod, node);
    }
  }

  /** The fleet with the rubric of one strategy. */
  private record WithRubric(Fleet fleet, Optional<Rubric> rubric) implements Fleet {
    @Override
    public int size() {
      return fleet.size();
    }

    @Override
    public FleetNode node(int index) {
      return fleet.node(index);
    }

    @Override
    public int lastPlaced() {
      return fleet.lastPlaced();
    }

    @Override
    public NodeOrder orderBy(Rubric weights) {
      return fleet.orderBy(weights);
    }

    @Override
    public NodeOrder orderBy(String resource) {
      return fleet.orderBy(resource);
    }

    @Override
    public Amounts amounts() {
      return fleet.amounts();
    }

    @Override
    public List<FleetDomain> domains(String level) {
      return fleet.domains(level);
    }
  }
}

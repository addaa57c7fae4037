package io.lighthouse.scheduler;

import io.lighthouse.api.Rubric;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.Distributors;
import java.util.Map;
import java.util.Optional;

/**
 * How the node is chosen for an execution from the queue, among those that it fits now. The manager
 * decides which execution comes first, what fits, and what is kept free. Immutable.
 */
public final class NodeChoice {
  private static final NodeChoice FEWEST_TYPES_LEFT = new NodeChoice(null, Map.of(), null);

  /** Null for the count of types. */
  private final PlacementStrategy strategy;

  private final Map<String, String> settings;

  /** Null where none was given. */
  private final Rubric rubric;

  private NodeChoice(PlacementStrategy strategy, Map<String, String> settings, Rubric rubric) {
    this.strategy = strategy;
    this.settings = settings;
    this.rubric = rubric;
  }

  /**
   * Scale's own: the node on which the fewest job types of the catalogue would still fit; of equal
   * ones the first by name.
   *
   * @return the default
   */
  public static NodeChoice fewestTypesLeft() {
    return FEWEST_TYPES_LEFT;
  }

  /**
   * A placement strategy, in a distributor that the manager keeps for it. It sees every node of the
   * cluster, in the order of their names. The capacity of a node is its watermark; what is left is
   * what remains of the offered resources, or 0 where that is negative. Its workloads are its
   * executions. If anything else is in use, that is one more workload, whose quantities may be
   * negative.
   *
   * <p>Its candidates are the nodes that are open for new work and whose remaining resources cover
   * the request by the scheduler's rule ({@link
   * io.lighthouse.scheduler.model.ResourceVectors#covers}). There are no averse nodes. Every entry
   * of the queue is a batch of its own, so a strategy's order of the batch does not matter.
   *
   * <p>Quantities have the range of a {@link io.lighthouse.api.Distributor}. A node with an amount
   * out of that range is reported as a failure, and gets no new work. An entry of the queue is
   * reported and skipped.
   *
   * @param strategy the strategy
   * @param settings its settings, by name; those not given have their defaults
   * @param rubric the rubric of the problem; nothing where there is none
   * @return the choice
   * @throws io.lighthouse.api.error.InvalidInputException if a setting is not known to the strategy
   */
  public static NodeChoice of(
      PlacementStrategy strategy, Map<String, String> settings, Optional<Rubric> rubric) {
    Settings.of(strategy.name(), strategy.settings(), settings);
    return new NodeChoice(strategy, Map.copyOf(settings), rubric.orElse(null));
  }

  /**
   * An installed placement strategy, found by its name as everywhere in Lighthouse; see {@link
   * #of}.
   *
   * @param name such as {@code bin-pack}
   * @param settings its settings, by name; those not given have their defaults
   * @param rubric the rubric of the problem; nothing where there is none
   * @return the choice
   * @throws io.lighthouse.api.error.InvalidInputException if no strategy, or more than one, has
   *     that name, or a setting is not known to it
   */
  public static NodeChoice installed(
      String name, Map<String, String> settings, Optional<Rubric> rubric) {
    return of(Distributors.installed().find(name), settings, rubric);
  }

  /**
   * The strategy.
   *
   * @return the strategy; nothing for {@link #fewestTypesLeft}
   */
  public Optional<PlacementStrategy> strategy() {
    return Optional.ofNullable(strategy);
  }

  /**
   * The settings of the strategy, by name.
   *
   * @return those that were given
   */
  public Map<String, String> settings() {
    return settings;
  }

  /**
   * The rubric of the problem.
   *
   * @return the rubric; nothing if none was given
   */
  public Optional<Rubric> rubric() {
    return Optional.ofNullable(rubric);
  }

  @Override
  public String toString() {
    return strategy == null ? "fewest types left" : "strategy '" + strategy.name() + "'";
  }
}

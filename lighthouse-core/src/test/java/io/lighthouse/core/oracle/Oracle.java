package io.lighthouse.core.oracle;

import io.lighthouse.api.Change;
import io.lighthouse.api.DomainState;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.GangRefusal;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A fleet with one of the strategies, and all that may happen to it. */
public final class Oracle {
  private final Strategy strategy;
  private final Rubric rubric;
  World world;

  Oracle(Strategy strategy, Rubric rubric, World world) {
    this.strategy = strategy;
    this.rubric = rubric;
    this.world = world;
  }

  private Oracle(Oracle other) {
    strategy = other.strategy;
    rubric = other.rubric;
    world = new World(other.world);
    if (world.fault == Fault.SHARES_NODES_WITH_ITS_COPY) {
      world.spots.clear();
      world.spots.addAll(other.world.spots);
    }
    if (world.fault == Fault.COPIES_ALL_BUT_THE_POSITION) {
      world.position = -1;
    }
  }

  /** Another that goes on apart. */
  public Oracle copy() {
    return new Oracle(this);
  }

  Strategy strategy() {
    return strategy;
  }

  Rubric rubric() {
    return rubric;
  }

  /** Places a batch as far as it goes. */
  public Outcome assign(List<Workload> batch) {
    return Turns.of(world, strategy, rubric, batch, after -> world = after);
  }

  /** Places all of a batch or nothing. */
  public Outcome assignAllOrNone(List<Workload> batch) {
    World before = new World(world);
    Outcome outcome = assign(batch);
    if (outcome.done().size() < batch.size()) {
      world = before;
    }
    return outcome;
  }

  /** Goes on to the turn of one of a batch, or of its gang. */
  void goOnTo(Workload workload, List<Workload> batch) {
    world = Turns.before(workload, world, strategy, rubric, batch);
  }

  /** The explanation of a workload that comes now. */
  Explanation explanation(Workload workload) {
    Optional<String> chosen =
        Turns.choose(workload, any -> true, world, strategy, rubric).map(spot -> spot.name);
    return Verdicts.explanation(world, workload, chosen);
  }

  /** The refusals of a batch, in the order given. */
  List<Refusal> refusals(List<Workload> batch, Outcome outcome) {
    List<Refusal> refusals = new ArrayList<>();
    for (Workload workload : batch) {
      String name = workload.name();
      if (outcome.placed().get(name) == null) {
        Optional<GangRefusal> gang = Optional.ofNullable(outcome.gangs().get(name));
        Map<String, List<Reason>> why = outcome.why().get(name);
        refusals.add(
            why == null
                ? new Refusal(name, world.spots.size(), List.of(), List.of(), gang)
                : Verdicts.refusal(name, world.spots.size(), why, gang));
      }
    }
    return refusals;
  }

  /** Every node that a workload fits. */
  public List<String> fitting(Workload workload) {
    Question question = new Question(world, workload);
    return world.spots.stream().filter(question::fits).map(spot -> spot.name).toList();
  }

  /** The nodes among which the strategy would choose. */
  public List<String> candidates(Workload workload) {
    return Turns.candidates(world, workload, any -> true, new HashMap<>()).stream()
        .map(spot -> spot.name)
        .toList();
  }

  /**
   * Changes the fleet, wholly or not at all.
   *
   * @throws InvalidInputException if the change is wrong
   */
  public void apply(Change change) {
    world.carryOut(change);
  }

  /** The nodes, in order. */
  public List<NodeState> nodes() {
    return world.spots.stream().map(spot -> spot.state(world.fault)).toList();
  }

  /** The declared domains, by level, then by name. */
  public List<DomainState> domains() {
    List<DomainState> domains = new ArrayList<>();
    world.declared.forEach(
        (level, accounts) ->
            accounts.forEach(
                (name, account) ->
                    domains.add(
                        new DomainState(
                            level,
                            name,
                            Nanos.resources(account.capacity),
                            Nanos.resources(account.left),
                            account.units,
                            account.cordoned))));
    return domains;
  }

  /** The round-robin position. */
  public Optional<String> lastPlaced() {
    return world.position < 0
        ? Optional.empty()
        : Optional.of(world.spots.get(world.position).name);
  }
}

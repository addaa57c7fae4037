package io.lighthouse.tests.oracle;

import io.lighthouse.api.Change;
import io.lighthouse.api.DomainState;
import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.json.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A fleet with one of the three strategies, and all that may happen to it. */
public final class Oracle {
  private final String strategy;
  private final Rubric rubric;
  private World world;

  /** The fleet of a problem, before its workloads come. */
  public Oracle(Problem problem, String strategy) {
    this(problem, strategy, Slip.NONE);
  }

  /** The same, with something got wrong. */
  Oracle(Problem problem, String strategy, Slip slip) {
    this.strategy = strategy;
    this.rubric = problem.rubric().orElse(Rubric.of());
    this.world = new World(slip, problem.rules(), problem.domains(), problem.nodes());
    problem.lastPlaced().ifPresent(name -> world.last = world.spot(name));
  }

  private Oracle(Oracle other) {
    strategy = other.strategy;
    rubric = other.rubric;
    world = new World(other.world);
  }

  /** Another that goes on apart. */
  public Oracle copy() {
    return new Oracle(this);
  }

  /** Places a batch as far as it goes. */
  public Outcome assign(List<Workload> batch) {
    return Turns.of(world, strategy, rubric, batch, after -> world = after);
  }

  /** Places all of a batch or nothing. */
  public Outcome assignAllOrNone(List<Workload> batch) {
    return Turns.of(
        world,
        strategy,
        rubric,
        batch,
        after -> {
          boolean all = batch.stream().allMatch(one -> after.nodeOf(one.name()) != null);
          world = all ? after : world;
        });
  }

  /** Where a workload would go first of all questions: every node that it fits. */
  public List<String> fitting(Workload workload) {
    Question question = new Question(world, workload);
    return world.spots.stream().filter(question::fits).map(spot -> spot.name).toList();
  }

  /** The nodes among which the strategy would choose. */
  public List<String> candidates(Workload workload) {
    return Turns.candidates(world, workload, any -> true).stream().map(spot -> spot.name).toList();
  }

  /** By node: what is broken now. */
  public Map<String, List<Reason>> reasons(Workload workload) {
    return Turns.reasons(world, workload);
  }

  /**
   * Changes the fleet, wholly or not at all.
   *
   * @throws InvalidInputException if the change is wrong
   */
  public void apply(Change change) {
    World changed = new World(world);
    apply(change, changed);
    world = changed;
  }

  private static void apply(Change change, World world) {
    if (change instanceof Change.AddNode add) {
      world.addNode(add.node());
    } else if (change instanceof Change.RemoveNode remove) {
      world.removeNode(remove.node());
    } else if (change instanceof Change.Resize resize) {
      world.resize(resize.node(), resize.capacity());
    } else if (change instanceof Change.Cordon cordon) {
      world.spot(cordon.node()).account.cordoned = true;
    } else if (change instanceof Change.Uncordon uncordon) {
      world.spot(uncordon.node()).account.cordoned = false;
    } else if (change instanceof Change.Assign assign) {
      place(world, assign.workload(), assign.node());
    } else if (change instanceof Change.Move move) {
      Workload workload = world.placed(move.workload());
      World.require(
          world.nodeOf(move.workload()).name.equals(move.from()) && !move.from().equals(move.to()),
          "node",
          move.from());
      Spot before = world.last;
      world.release(workload, world.spot(move.from()));
      place(world, workload, move.to());
      world.last = before;
    } else if (change instanceof Change.Release release) {
      Workload workload = world.placed(release.workload());
      world.release(workload, world.nodeOf(release.workload()));
    } else if (change instanceof Change.Declare declare) {
      world.declare(declare.domain());
    } else if (change instanceof Change.Undeclare undeclare) {
      world.undeclare(undeclare.level(), undeclare.domain());
    } else if (change instanceof Change.ResizeDomain resize) {
      world.resize(resize.level(), resize.domain(), resize.capacity());
    } else if (change instanceof Change.CordonDomain cordon) {
      world.declared(cordon.level(), cordon.domain()).cordoned = cordon.cordoned();
    } else if (change instanceof Change.Regroup regroup) {
      world.regroup(regroup.workload(), regroup.groups());
    }
  }

  private static void place(World world, Workload workload, String node) {
    World.require(world.nodeOf(workload.name()) == null, "workload", workload.name());
    Spot spot = world.spot(node);
    World.require(new Question(world, workload).fits(spot), "node", node);
    world.place(workload, spot);
  }

  /** The nodes, in order. */
  public List<NodeState> nodes() {
    List<NodeState> nodes = new ArrayList<>();
    for (Spot spot : world.spots) {
      nodes.add(
          new NodeState(
              spot.name,
              Resources.of(spot.account.capacity),
              spot.account.leftNow(),
              spot.placed,
              spot.account.cordoned,
              spot.domains,
              spot.account.units));
    }
    return nodes;
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
                            Resources.of(account.capacity),
                            account.leftNow(),
                            account.units,
                            account.cordoned))));
    return domains;
  }

  /** The round-robin position. */
  public Optional<String> lastPlaced() {
    return Optional.ofNullable(world.last).map(spot -> spot.name);
  }
}

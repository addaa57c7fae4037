package io.lighthouse.scheduler.choice;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.api.error.StrategyException;
import io.lighthouse.api.rule.Judgement;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.api.rule.Reads;
import io.lighthouse.api.rule.RuleCheck;
import io.lighthouse.api.rule.RuleException;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.Distributors;
import io.lighthouse.scheduler.SchedulingNode;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.ResourceVectors;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.port.PortException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.IntPredicate;

/** Lets a placement strategy choose, in a distributor that holds it to its contract. */
final class StrategyChooser implements Chooser {
  private static final Terms ON_ALLOWED_NODES =
      Terms.NONE.rules(new Rule.Named(AllowedNodes.NAME, Map.of()));

  private final PlacementStrategy strategy;
  private final PassFleet fleet;

  /** Which candidates are allowed for the execution at its turn. */
  private IntPredicate allowed;

  /** Receives what fails in the pass. */
  private List<LighthouseException> failures;

  /** The workload that was placed last. */
  private String workload;

  StrategyChooser(
      PlacementStrategy strategy, Map<String, String> settings, Optional<Rubric> rubric) {
    this.strategy = strategy;
    fleet =
        new PassFleet(
            () -> {
              Distributors.Builder builder =
                  Distributors.of(strategy).settings(settings).rule(new AllowedNodes());
              rubric.ifPresent(builder::rubric);
              return builder;
            });
  }

  @Override
  public void begin(
      Collection<SchedulingNode> nodes,
      List<RunningExecution> running,
      FitIndex candidates,
      List<LighthouseException> failing) {
    failures = failing;
    try {
      fleet.begin(nodes, running, candidates, failing);
    } catch (InvalidInputException refused) {
      throw broken("cannot go on with the nodes of the pass: " + refused.getMessage(), refused);
    }
  }

  @Override
  public int choose(FitIndex index, PendingExecution execution, IntPredicate onlyOn) {
    Resources requirements = FollowedNode.nonZero(execution.request());
    String name = FollowedNode.workload(execution.id());
    Workload wanted = Workload.of(name, requirements);
    allowed = onlyOn;
    if (requirements.size() < execution.request().size() && fleet.isOverdrawn()) {
      // Less than nothing does not meet a request of 0, which the requirements leave out.
      allowed =
          i ->
              (onlyOn == null || onlyOn.test(i))
                  && ResourceVectors.covers(index.node(i).remaining(), execution.request());
    }
    Optional<String> node;
    try {
      node = assign(allowed == null ? wanted : wanted.withTerms(ON_ALLOWED_NODES));
    } catch (InvalidInputException outOfRange) {
      failures.add(
          new PortException(
              "PendingQueue", "head", "named what no strategy can place:", outOfRange));
      return INVALID;
    }
    if (node.isPresent()) {
      workload = name;
      return fleet.chosen(workload, requirements, node.get());
    }
    boolean declined = strategy.mayDecline() && index.best(execution.request(), onlyOn) >= 0;
    return declined ? DECLINED : NOWHERE;
  }

  /** The node that the distributor places a workload on. An interrupt does not end the pass. */
  private Optional<String> assign(Workload wanted) {
    boolean interrupted = Thread.interrupted();
    try {
      return fleet.distributor().assign(wanted).node(0);
    } catch (RuleException failed) {
      throw failed.getCause() instanceof LighthouseException port ? port : failed;
    } catch (CancellationException interrupt) {
      throw broken("was interrupted", interrupt);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private StrategyException broken(String fault, RuntimeException cause) {
    return new StrategyException(strategy.name(), strategy.getClass().getName(), fault, cause);
  }

  @Override
  public void accepted(SchedulingNode node) {
    fleet.accepted(node.name());
  }

  @Override
  public void refused(SchedulingNode node) {
    fleet.takeBack(workload, node.name());
  }

  @Override
  public void close(SchedulingNode node) {
    fleet.close(node.name());
  }

  @Override
  public void rollBack() {
    fleet.rollBack();
  }

  /** Forbids the nodes that are not allowed for the execution at its turn. */
  private final class AllowedNodes implements PlacementRule {
    static final String NAME = "allowed-nodes";

    @Override
    public String name() {
      return NAME;
    }

    /** Its answers differ between executions of one shape, so none may be kept. */
    @Override
    public Set<Reads> reads() {
      return Set.of(Reads.FLEET);
    }

    @Override
    public RuleCheck newCheck(Fleet all, Settings with) {
      return (wanted, node) -> {
        int candidate = fleet.candidate(node.name());
        return candidate >= 0 && allowed.test(candidate)
            ? Judgement.KEPT
            : Judgement.broken(1, "not allowed");
      };
    }
  }
}

package io.lighthouse.scheduler;

import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.StrategyException;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.scheduler.model.PendingExecution;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/** Lets a placement strategy choose, and holds it to its contract. */
final class StrategyChooser implements Chooser {
  private final PlacementStrategy strategy;
  private final SchedulerFleet fleet;
  private final Placer placer;

  StrategyChooser(PlacementStrategy strategy, Settings settings, Optional<Rubric> rubric) {
    this.strategy = strategy;
    fleet = new SchedulerFleet(rubric);
    placer = strategy.newPlacer(fleet, settings);
  }

  @Override
  public void begin(List<SchedulingNode> nodes) {
    fleet.begin(nodes);
  }

  @Override
  public void placed(SchedulingNode node) {
    fleet.placed(node.name());
  }

  @Override
  public void rollBack() {
    fleet.rollBack();
  }

  @Override
  public int choose(FitIndex index, PendingExecution execution, IntPredicate allowed) {
    SchedulerCandidates candidates =
        new SchedulerCandidates(fleet, index, execution.request(), allowed);
    if (candidates.isEmpty()) {
      return NOWHERE;
    }
    fleet.turnTo(execution.request());
    Workload workload = Workload.of(execution.id(), execution.request());
    FleetNode chosen = ask(workload, candidates);
    if (chosen == candidates.decline()) {
      if (!strategy.mayDecline()) {
        throw broken("declined, which it does not declare", null);
      }
      return DECLINED;
    }
    int found = candidates.indexOf(chosen);
    if (found < 0) {
      throw broken("answered what was not offered for '" + execution.id() + "'", null);
    }
    return found;
  }

  private FleetNode ask(Workload workload, SchedulerCandidates candidates) {
    try {
      if (placer instanceof BatchPlacer batchPlacer) {
        SingleSession session = new SingleSession(workload, fleet, candidates);
        batchPlacer.place(session);
        return session.close();
      }
      SchedulerCandidates handedOut = candidates.again();
      FleetNode chosen = placer.choose(workload, handedOut);
      handedOut.close();
      return chosen;
    } catch (Throwable thrown) {
      throw broken("threw", thrown);
    }
  }

  private StrategyException broken(String fault, Throwable cause) {
    Class<?> type = strategy.getClass();
    String origin =
        type.getName() + (type.getModule().isNamed() ? ", " + type.getModule().getName() : "");
    return new StrategyException(strategy.name(), origin, fault, cause);
  }
}

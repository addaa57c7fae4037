package io.lighthouse.benchmarks.placer;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.NodeOrder;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import io.lighthouse.core.Distributors;
import java.util.Comparator;

/** The strategies that are measured, and how a distributor is made with each. */
public enum Contestant {
  /** First fit. */
  PRIORITIZED("prioritized"),
  /** Next fit, wrapping round. */
  ROUND_ROBIN("round-robin"),
  /** Best fit by the rubric, the largest workload first. */
  BIN_PACK("bin-pack"),
  /** Worst fit by the fullest resource, the workload with the largest share first. */
  SPREAD("spread"),
  /** The node whose resources are then used most evenly, in the order given. */
  BALANCE("balance"),
  /** A plug-in's strategy: the node with the most cpu left, from an order that the engine keeps. */
  KEPT_ORDER("kept-order"),
  /**
   * A plug-in's strategy: the node with the fewest workloads, by a comparator over all that fit.
   */
  COMPARATOR("comparator");

  private final String label;

  Contestant(String label) {
    this.label = label;
  }

  /** A fresh distributor with the nodes of a problem, empty. */
  public Distributor distributor(BenchmarkProblem problem) {
    Distributors.Builder builder =
        switch (this) {
          case PRIORITIZED, ROUND_ROBIN, BIN_PACK, SPREAD, BALANCE ->
              Distributors.installed().strategy(label);
          case KEPT_ORDER -> Distributors.of(new EmptiestFirst());
          case COMPARATOR ->
              Distributors.of(
                  label,
                  (workload, candidates) ->
                      candidates.best(Comparator.comparingInt(FleetNode::placedCount)));
        };
    return builder.nodes(problem.nodes()).rubric(problem.rubric()).build();
  }

  @Override
  public String toString() {
    return label;
  }

  /** As the author of a plug-in would write it. */
  private static final class EmptiestFirst implements PlacementStrategy {
    @Override
    public String name() {
      return "kept-order";
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      NodeOrder emptiest = fleet.orderBy("cpu").descending();
      return (workload, candidates) -> candidates.first(emptiest);
    }
  }
}

package io.lighthouse.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.StrategyException;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.List;

/** A small fleet for strategies that are broken, and what has to be true when one fails. */
final class PlantedFleet {
  private PlantedFleet() {}

  /** A strategy in a test: what it declares of itself, and how it makes its placer. */
  record Planted(boolean mayDecline, PlacerMaker maker) implements PlacementStrategy {
    @Override
    public String name() {
      return "planted";
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      return maker.make(fleet);
    }
  }

  @FunctionalInterface
  interface PlacerMaker {
    Placer make(Fleet fleet);
  }

  static Node node(String name, Object... resources) {
    return Node.of(name, Resources.of(resources));
  }

  static Workload workload(String name, Object... requirements) {
    return Workload.of(name, Resources.of(requirements));
  }

  static Workload averse(String name, int cpu) {
    return workload(name, "cpu", cpu).withAversionGroups("g");
  }

  /** n0 and n1 open and roomy, n2 too small, n3 cordoned; a workload of group g sits on n0. */
  static Distributor fleet(PlacementStrategy strategy) {
    return Distributors.of(strategy)
        .nodes(
            new Node("n0", Resources.of("cpu", 9), List.of(averse("sitting", 1)), false),
            node("n1", "cpu", 9),
            node("n2", "cpu", 0),
            new Node("n3", Resources.of("cpu", 9), List.of(), true))
        .lastPlaced("n1")
        .build();
  }

  static Distributor fleet(PlacerMaker maker) {
    return fleet(new Planted(false, maker));
  }

  static List<Object> state(Distributor distributor) {
    List<Object> state = new ArrayList<>();
    for (NodeState node : distributor.snapshot().nodes()) {
      state.add(node);
    }
    state.add(distributor.snapshot().lastPlaced());
    state.add(distributor.snapshot().placedCount());
    return state;
  }

  static final List<Workload> BATCH =
      List.of(workload("a", "cpu", 1), averse("b", 2), averse("last", 1));

  /** The call fails whole, the error names the strategy, and honest calls go on as before. */
  static StrategyException failsAndChangesNothing(
      Distributor distributor, List<Workload> batch, String... saying) {
    List<Object> before = state(distributor);
    Throwable thrown = catchThrowable(() -> distributor.assign(batch));
    assertThat(thrown).isInstanceOf(StrategyException.class);
    StrategyException fault = (StrategyException) thrown;
    assertThat(fault.strategy()).isEqualTo("planted");
    assertThat(fault.origin()).contains(PlantedFleet.class.getName());
    assertThat(fault).hasMessageContainingAll("planted", PlantedFleet.class.getName());
    assertThat(fault).hasMessageContainingAll(saying);
    assertThat(state(distributor)).isEqualTo(before);
    for (AssignOption option : AssignOption.values()) {
      assertThatThrownBy(() -> distributor.assign(batch, option))
          .isInstanceOf(StrategyException.class);
      assertThat(state(distributor)).isEqualTo(before);
    }
    assertThatThrownBy(() -> distributor.explain(batch.size() - 1, batch))
        .isInstanceOf(StrategyException.class);
    assertThat(state(distributor)).isEqualTo(before);
    return fault;
  }
}

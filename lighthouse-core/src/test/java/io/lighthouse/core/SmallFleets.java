package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.Settings;
import java.util.ArrayList;
import java.util.List;

/** Fleets of two or three nodes for examples of a distributor's calls. */
abstract class SmallFleets {
  /** The first that fits; takes the settings a and b. */
  static final class First implements PlacementStrategy {
    @Override
    public String name() {
      return "first";
    }

    @Override
    public List<Setting> settings() {
      return List.of(new Setting("a", "the first", "1"), new Setting("b", "the second", "2"));
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      settings.integer("a", 1, 9);
      return (workload, candidates) -> candidates.first();
    }
  }

  /** The first after the one that took the last. */
  static final class Round implements PlacementStrategy {
    @Override
    public String name() {
      return "round";
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      return (workload, candidates) -> candidates.firstAfter(fleet.lastPlaced());
    }
  }

  static Node node(String name, Object... resources) {
    return Node.of(name, Resources.of(resources));
  }

  static Workload workload(String name, Object... requirements) {
    return Workload.of(name, Resources.of(requirements));
  }

  static Distributor fleet(Node... nodes) {
    return Distributors.of(new First()).nodes(nodes).build();
  }

  static Distributor pair() {
    return fleet(node("n1", "cpu", 4, "mem", 8), node("n2", "cpu", 4, "disk", 1));
  }

  static List<Object> state(Distributor distributor) {
    Snapshot snapshot = distributor.snapshot();
    List<Object> state = new ArrayList<>(snapshot.nodes());
    state.addAll(snapshot.domains());
    state.add(snapshot.lastPlaced());
    state.add(snapshot.placedCount());
    return state;
  }

  /** Refused with these words, and nothing has changed. */
  static void refused(Distributor distributor, Runnable call, String... saying) {
    List<Object> before = state(distributor);
    assertThatThrownBy(call::run)
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContainingAll(saying)
        .hasMessageContaining("allowed: ");
    assertThat(state(distributor)).isEqualTo(before);
  }
}

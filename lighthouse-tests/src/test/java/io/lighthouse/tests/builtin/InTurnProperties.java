package io.lighthouse.tests.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Session;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.generate.RandomFleet;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.generate.Scenarios;
import io.lighthouse.tests.referee.Call;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/**
 * A batch placer that has its batch placed in turn by the placer of another strategy finds what
 * that strategy answers, also after it has placed and taken back something else.
 */
class InTurnProperties {
  private static final Rubric RUBRIC = Rubric.of("cpu", 1, "mem", "0.5");

  /** What the batch placer does before. */
  enum Before {
    NOTHING,
    IN_TURN,
    ONE_BY_ONE
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void placesAsTheStrategyItself(
      @ForAll("scenarios") Scenario scenario,
      @ForAll("strategies") String name,
      @ForAll Before before) {
    PlacementStrategy itself = Distributors.installed().find(name);
    Distributor expected = make(itself, scenario.fleet());
    for (int serial = 0; serial < scenario.sketches().size(); serial++) {
      Optional<Call> call = scenario.sketches().get(serial).call(expected.snapshot(), serial);
      if (call.isEmpty()) {
        continue;
      }
      Snapshot state = expected.snapshot();
      Object wanted = call.get().on(expected);
      if (wanted instanceof Assignments assigned && !((Call.Assign) call.get()).allOrNothing()) {
        InTurn inTurn = new InTurn(itself, before, new LinkedHashMap<>());
        call.get().on(make(inTurn, RandomFleet.of(state)));
        assertThat(inTurn.found)
            .as("call " + serial + ", " + call.get())
            .isEqualTo(assigned.asMap());
        boolean gang =
            ((Call.Assign) call.get())
                .batch().stream().anyMatch(one -> one.terms().gang().isPresent());
        Statistics.label("a batch with a gang").collect(gang);
        Statistics.label("all placed").collect(assigned.allPlaced());
      }
    }
  }

  @Provide
  Arbitrary<Scenario> scenarios() {
    return Scenarios.any();
  }

  @Provide
  Arbitrary<String> strategies() {
    return Arbitraries.of("prioritized", "round-robin", "spread", "balance", "bin-pack", "devices");
  }

  private static Distributor make(PlacementStrategy strategy, RandomFleet fleet) {
    Distributors.Builder builder =
        Distributors.of(strategy)
            .nodes(fleet.nodes())
            .domains(fleet.domains())
            .rules(fleet.rules())
            .rubric(RUBRIC);
    fleet.lastPlaced().ifPresent(builder::lastPlaced);
    return builder.build();
  }

  /** Has a batch placed in turn, notes where each workload is then, and takes all back. */
  private record InTurn(
      PlacementStrategy itself, Before before, Map<String, Optional<String>> found)
      implements PlacementStrategy {
    @Override
    public String name() {
      return "in-turn";
    }

    @Override
    public List<Setting> settings() {
      return itself.settings();
    }

    @Override
    public boolean sequential() {
      return false;
    }

    @Override
    public boolean mayDecline() {
      return true;
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      Placer placer = itself.newPlacer(fleet, settings);
      return (BatchPlacer)
          session -> {
            int start = session.savepoint();
            if (before == Before.IN_TURN) {
              session.placeInTurn((workload, candidates) -> candidates.emptiest());
            } else if (before == Before.ONE_BY_ONE) {
              placeOneByOne(session);
            }
            session.rollBack(start);
            session.placeInTurn(placer);
            for (int load = 0; load < session.size(); load++) {
              int node = session.nodeOf(load);
              found.put(
                  session.workload(load).name(),
                  node < 0 ? Optional.empty() : Optional.of(fleet.node(node).name()));
            }
            session.rollBack(start);
          };
    }

    private static void placeOneByOne(Session session) {
      for (int load = session.size() - 1; load >= 0; load--) {
        if (session.candidates(load).iterator().hasNext()) {
          session.assign(load, session.candidates(load).first().index());
        }
      }
    }
  }
}

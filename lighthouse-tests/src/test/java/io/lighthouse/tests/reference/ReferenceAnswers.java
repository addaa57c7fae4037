package io.lighthouse.tests.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.Distributors;
import io.lighthouse.core.oracle.Fault;
import io.lighthouse.core.oracle.NaiveDistributor;
import io.lighthouse.core.oracle.Strategy;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.generate.Scenarios;
import io.lighthouse.tests.referee.Call;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** A strategy on the engine, and its rule on the naive one, asked the same. */
public abstract class ReferenceAnswers {
  private static final int LARGE_TRIES = 15;

  /** What happens to the distributor between two calls, and must not show. */
  public enum Between {
    NOTHING,
    COPIED,
    WRITTEN_OUT
  }

  /** The strategy. */
  protected abstract PlacementStrategy strategy();

  /** What it should do. */
  protected abstract Strategy naive();

  @Property(edgeCases = EdgeCasesMode.NONE)
  void everyAnswerAndEveryStateIsTheNaiveOne(
      @ForAll("scenarios") Scenario scenario,
      @ForAll("rubrics") Rubric rubric,
      @ForAll Between between) {
    compare(scenario, rubric, between);
  }

  @Property(tries = LARGE_TRIES, edgeCases = EdgeCasesMode.NONE)
  void alsoOnLargeFleets(
      @ForAll("largeScenarios") Scenario scenario,
      @ForAll("rubrics") Rubric rubric,
      @ForAll Between between) {
    compare(scenario, rubric, between);
  }

  private void compare(Scenario scenario, Rubric rubric, Between between) {
    Distributor tested = make(scenario.fleet().nodes(), scenario.fleet().lastPlaced(), rubric);
    Distributor naive =
        new NaiveDistributor(
            naive(), rubric, Fault.NONE, scenario.fleet().nodes(), scenario.fleet().lastPlaced());
    for (int serial = 0; serial < scenario.sketches().size(); serial++) {
      Optional<Call> call = scenario.sketches().get(serial).call(naive.snapshot(), serial);
      if (call.isPresent()) {
        String asked = "call " + serial + ", " + call.get();
        assertThat(call.get().on(tested)).as(asked).isEqualTo(call.get().on(naive));
        assertThat(state(tested)).as("state after " + asked).isEqualTo(state(naive));
        tested = swapped(tested, rubric, between);
      }
    }
  }

  private Distributor swapped(Distributor tested, Rubric rubric, Between between) {
    if (between == Between.COPIED) {
      return tested.copy();
    }
    if (between == Between.WRITTEN_OUT) {
      Snapshot written = tested.snapshot();
      List<Node> nodes = written.nodes().stream().map(NodeState::toNode).toList();
      return make(nodes, written.lastPlaced(), rubric);
    }
    return tested;
  }

  private Distributor make(List<Node> nodes, Optional<String> lastPlaced, Rubric rubric) {
    Distributors.Builder builder = Distributors.of(strategy()).rubric(rubric).nodes(nodes);
    lastPlaced.ifPresent(builder::lastPlaced);
    return builder.build();
  }

  private static List<Object> state(Distributor distributor) {
    Snapshot now = distributor.snapshot();
    return List.of(now.lastPlaced(), now.nodes());
  }

  @Provide
  Arbitrary<Scenario> scenarios() {
    return Arbitraries.frequencyOf(
        Tuple.of(30, Scenarios.of(8, 8, 12)), Tuple.of(1, largeScenarios()));
  }

  @Provide
  Arbitrary<Scenario> largeScenarios() {
    return Scenarios.of(150, 4, 150);
  }

  @Provide
  Arbitrary<Rubric> rubrics() {
    Arbitrary<String> weight =
        Arbitraries.frequencyOf(
            Tuple.of(4, Arbitraries.of("1", "0.5", "2", "0.025")),
            Tuple.of(
                1,
                Arbitraries.of(
                    "0", "-1", "1e30", "1e-30", "-3e-30", "123456789012345678", "-0.3")));
    return Combinators.combine(
            Arbitraries.subsetOf("cpu", "mem", "disk", "seat", "spiders", "gpu"),
            weight.list().ofSize(6))
        .as(
            (names, weights) -> {
              Map<String, String> byName = new LinkedHashMap<>();
              names.forEach(name -> byName.put(name, weights.get(byName.size())));
              return new Rubric(Resources.of(byName));
            });
  }
}

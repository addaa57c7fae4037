package io.lighthouse.strategies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.strategy.BatchOrder;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.NodeOrder;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.Settings;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which methods of its fleet and its candidates each strategy calls. Resulting placements are
 * tested in other modules.
 */
class StrategiesTest {
  private static final Rubric RUBRIC = Rubric.of("cpu", 1, "mem", "0.5");
  private static final Workload WORKLOAD = Workload.of("w", Resources.none());

  /** Every call on the fleet or the candidates, with its arguments. */
  private final List<String> asked = new ArrayList<>();

  private final FleetNode answer = fake(FleetNode.class, (self, method, arguments) -> null);
  private final NodeOrder order = fake(NodeOrder.class, (self, method, arguments) -> null);
  private Optional<Rubric> rubric = Optional.of(RUBRIC);
  private int position = 7;

  private final Fleet fleet =
      recording(
          Fleet.class,
          (self, method, arguments) ->
              switch (method.getName()) {
                case "lastPlaced" -> position;
                case "rubric" -> rubric;
                default -> order;
              });

  private final Candidates candidates =
      recording(Candidates.class, (self, method, arguments) -> answer);

  private static <T> T fake(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                method.getName().equals("toString")
                    ? type.getSimpleName()
                    : handler.invoke(self, method, arguments)));
  }

  private <T> T recording(Class<T> type, InvocationHandler handler) {
    return fake(
        type,
        (self, method, arguments) -> {
          asked.add(method.getName() + (arguments == null ? "[]" : Arrays.toString(arguments)));
          return handler.invoke(self, method, arguments);
        });
  }

  private Placer placer(PlacementStrategy strategy) {
    return strategy.newPlacer(fleet, Settings.of(strategy.settings(), Map.of()));
  }

  @Test
  void prioritizedTakesTheFirst() {
    Placer placer = placer(new Prioritized());
    assertThat(placer.choose(WORKLOAD, candidates)).isSameAs(answer);
    assertThat(placer.order()).isEqualTo(BatchOrder.asGiven());
    assertThat(asked).containsExactly("first[]");
  }

  @Test
  void roundRobinTakesTheFirstAfterTheOneThatTookTheLast() {
    Placer placer = placer(new RoundRobin());
    assertThat(placer.choose(WORKLOAD, candidates)).isSameAs(answer);
    assertThat(placer.choose(WORKLOAD, candidates)).isSameAs(answer);
    assertThat(placer.order()).isEqualTo(BatchOrder.asGiven());
    assertThat(asked)
        .as("the position is asked of the fleet at every turn")
        .containsExactly("lastPlaced[]", "firstAfter[7]", "lastPlaced[]", "firstAfter[7]");
  }

  /** Before the first placement the position is -1, so the first node comes next. */
  @Test
  void roundRobinBeginsWithTheFirstNodeOfAFreshFleet() {
    position = -1;
    Placer placer = placer(new RoundRobin());
    placer.choose(WORKLOAD, candidates);
    position = 0;
    placer.choose(WORKLOAD, candidates);
    assertThat(asked)
        .containsExactly("lastPlaced[]", "firstAfter[-1]", "lastPlaced[]", "firstAfter[0]");
  }

  @Test
  void binPackTakesTheLowestInTheOrderOfItsRubricTheLargestWorkloadFirst() {
    Placer placer = placer(new BinPack());
    assertThat(placer.choose(WORKLOAD, candidates)).isSameAs(answer);
    assertThat(placer.order()).isEqualTo(BatchOrder.scoreDescending(RUBRIC));
    assertThat(asked)
        .as("the order is asked for once, when the placer is made")
        .containsExactly("rubric[]", "orderBy[" + RUBRIC + "]", "first[NodeOrder]");
  }

  @Test
  void binPackNeedsARubricThoughAnEmptyOneIsOne() {
    rubric = Optional.empty();
    assertThatThrownBy(() -> placer(new BinPack()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContainingAll("bin-pack", "rubric", "missing", "allowed: ");
    rubric = Optional.of(Rubric.of());
    assertThat(placer(new BinPack()).choose(WORKLOAD, candidates)).isSameAs(answer);
  }

  @Test
  void spreadTakesTheEmptiestTheLargestWorkloadFirst() {
    Placer placer = placer(new Spread());
    assertThat(placer.choose(WORKLOAD, candidates)).isSameAs(answer);
    assertThat(placer.order()).isEqualTo(BatchOrder.sizeDescending());
    assertThat(asked).containsExactly("emptiest[]");
  }

  @Test
  void balanceTakesTheMostEvenNode() {
    Placer placer = placer(new Balance());
    assertThat(placer.choose(WORKLOAD, candidates)).isSameAs(answer);
    assertThat(placer.order()).isEqualTo(BatchOrder.asGiven());
    assertThat(asked).containsExactly("mostEven[]");
  }

  @ParameterizedTest
  @CsvSource({
    "steps, -1",
    "steps, many",
    "seed, 0.5",
    "goal, few",
    "goal, least-cost",
    "price, euros",
    "prices, *=1",
    "start, worst"
  })
  void packRefusesAWrongSetting(String setting, String value) {
    PlacementStrategy pack = new Pack();
    Settings wrong = Settings.of(pack.settings(), Map.of(setting, value));
    assertThatThrownBy(() -> pack.newPlacer(fleet, wrong))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContainingAll("settings", "allowed: ");
  }

  @Test
  void theySayWhoTheyAre() {
    List<PlacementStrategy> strategies =
        List.of(
            new Prioritized(),
            new RoundRobin(),
            new BinPack(),
            new Spread(),
            new Balance(),
            new Devices(),
            new Pack());
    assertThat(strategies)
        .extracting(strategy -> strategy.getClass().getName())
        .as("all that the module provides")
        .isEqualTo(
            Pack.class.getModule().getDescriptor().provides().stream()
                .flatMap(provides -> provides.providers().stream())
                .toList());
    assertThat(strategies)
        .extracting(PlacementStrategy::name)
        .containsExactly(
            "prioritized", "round-robin", "bin-pack", "spread", "balance", "devices", "pack");
    assertThat(strategies)
        .extracting(PlacementStrategy::sequential)
        .as("bin-pack and spread order their batch, pack looks at all of it")
        .containsExactly(true, true, false, false, true, true, false);
    Map<String, List<String>> settings =
        Map.of(
            "devices",
            List.of("device", "machine"),
            "pack",
            List.of(
                "steps", "seed", "goal", "counts", "price", "prices", "start", "machine",
                "device"));
    for (PlacementStrategy strategy : strategies) {
      assertThat(strategy.description()).isNotBlank().doesNotContain("\n");
      assertThat(strategy.settings())
          .extracting(Setting::name)
          .isEqualTo(settings.getOrDefault(strategy.name(), List.of()));
      assertThat(strategy.mayDecline()).isFalse();
    }
  }
}

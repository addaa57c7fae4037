package io.lighthouse.api.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Rubric;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Default methods of the types that an author of a strategy implements. */
class DefaultsTest {

  @Test
  void aStrategyIsSequentialAndNeverDeclinesUnlessItSaysSo() {
    PlacementStrategy strategy =
        new PlacementStrategy() {
          @Override
          public String name() {
            return "first";
          }

          @Override
          public Placer newPlacer(Fleet fleet, Settings settings) {
            return (workload, candidates) -> candidates.first();
          }
        };

    assertThat(strategy.description()).isEmpty();
    assertThat(strategy.settings()).isEmpty();
    assertThat(strategy.sequential()).isTrue();
    assertThat(strategy.mayDecline()).isFalse();
  }

  @Test
  void aPlacerTakesWorkloadsAsGiven() {
    Placer placer = (workload, candidates) -> candidates.first();

    assertThat(placer.order()).isEqualTo(new BatchOrder.AsGiven());
    assertThat(BatchOrder.scoreDescending(Rubric.of("cpu", 1)))
        .isEqualTo(new BatchOrder.ScoreDescending(Rubric.of("cpu", 1)))
        .isNotEqualTo(BatchOrder.asGiven());
    assertThatThrownBy(() -> BatchOrder.scoreDescending(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("rubric");
  }

  @Test
  void aPlacerOfWholeBatchesIsNotAskedForOneWorkload() {
    BatchPlacer placer = session -> {};

    assertThatThrownBy(() -> placer.choose(null, null))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage("a batch placer places whole batches");
  }

  @Test
  void anOrderByOneResourceIsAnOrderByItsRubric() {
    NodeOrder kept =
        new NodeOrder() {
          @Override
          public NodeOrder descending() {
            return this;
          }

          @Override
          public int compare(FleetNode a, FleetNode b) {
            return 0;
          }
        };
    List<Object> asked = new ArrayList<>();
    Fleet fleet =
        (Fleet)
            Proxy.newProxyInstance(
                Fleet.class.getClassLoader(),
                new Class<?>[] {Fleet.class},
                (proxy, method, arguments) -> {
                  if (method.isDefault()) {
                    return InvocationHandler.invokeDefault(proxy, method, arguments);
                  }
                  asked.add(arguments[0]);
                  return kept;
                });

    assertThat(fleet.orderBy("cpu")).isSameAs(kept);
    assertThat(asked).containsExactly(Rubric.of("cpu", 1));
  }

  @Test
  void aDescriptionCopiesItsSettings() {
    List<Setting> settings = new ArrayList<>(List.of(new Setting("a", "what it does", "1")));
    StrategyDescription description =
        new StrategyDescription("s", "", settings, true, false, "somewhere");
    settings.clear();

    assertThat(description.settings()).hasSize(1);
  }
}

package io.lighthouse.core.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.core.ledger.Ledger;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShapeCacheTest {
  private final Ledger ledger = new Ledger();
  private final ShapeCache<String, Integer> cache = new ShapeCache<>(ledger, 2);
  private int made;

  private int get(String key) {
    return cache.get(key, () -> ++made);
  }

  @Test
  void makesAValueOnceUntilTheNodesChange() {
    assertThat(get("a")).isEqualTo(1);
    assertThat(get("a")).isEqualTo(1);
    assertThat(cache.renew()).isFalse();
    ledger.nodeChanges().add(List.of(Node.of("n", Resources.of("cpu", 1))));
    assertThat(cache.valid()).isEmpty();
    assertThat(cache.renew()).isTrue();
    assertThat(get("a")).isEqualTo(2);
    assertThat(cache.valid()).isEqualTo(Map.of("a", 2));
  }

  @Test
  void evictsTheOldestBeyondItsLimit() {
    get("a");
    get("b");
    get("a");
    get("c");
    assertThat(cache.valid()).containsOnlyKeys("b", "c");
  }

  @Test
  void keepsNothingOfAValueThatCannotBeMade() {
    get("a");
    get("b");
    assertThatThrownBy(
            () ->
                cache.get(
                    "c",
                    () -> {
                      throw new IllegalStateException("the rule fails");
                    }))
        .hasMessage("the rule fails");
    assertThat(cache.valid()).containsOnlyKeys("a", "b");
  }

  @Test
  void staysWithinItsLimitWhereMakingAValueGetsAnother() {
    get("a");
    get("b");
    assertThat(cache.get("c", () -> 10 * get("d"))).isEqualTo(30);
    assertThat(cache.valid()).isEqualTo(Map.of("c", 30, "d", 3));
  }
}

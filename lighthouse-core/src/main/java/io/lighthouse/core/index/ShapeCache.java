package io.lighthouse.core.index;

import io.lighthouse.core.ledger.Clock;
import io.lighthouse.core.ledger.Ledger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Values by key that no placement and no release changes. They are valid until the nodes or domains
 * change ({@link Clock.Scope#SHAPE}). One value too many evicts the oldest.
 */
public final class ShapeCache<K, V> {
  private final Clock.Stamp made;
  private final int most;
  private final Map<K, V> values = new LinkedHashMap<>();

  /** An empty cache; {@code most}: how many values are kept. */
  public ShapeCache(Ledger ledger, int most) {
    made = ledger.clock().stamp(Clock.Scope.SHAPE);
    this.most = most;
  }

  /** Drops the values if they are no longer valid; returns whether they were not. */
  boolean renew() {
    boolean stale = made.renew();
    if (stale) {
      values.clear();
    }
    return stale;
  }

  /** The valid value of a key, made where there is none. */
  public V get(K key, Supplier<V> make) {
    renew();
    V value = values.get(key);
    if (value == null) {
      value = make.get();
      values.put(key, value);
      if (values.size() > most) {
        values.remove(values.keySet().iterator().next());
      }
    }
    return value;
  }

  /** The valid values. */
  public Map<K, V> valid() {
    return made.isCurrent() ? values : Map.of();
  }
}

package io.lighthouse.core.account;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.api.quantity.Unit;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The units in which the nodes' resources may be required; without a unit, any amount may be
 * required. Few nodes have units, so a fleet without them pays nothing.
 */
public final class UnitTable {
  /** By slot of a node that has units. */
  private final Map<Integer, Map<String, Unit>> units = new HashMap<>();

  UnitTable() {}

  /** A copy that shares nothing that changes. */
  UnitTable(UnitTable other) {
    units.putAll(other.units);
  }

  /** Gives a node its units. Any amount may be required of a resource without a unit. */
  public void set(int node, Map<String, Unit> wanted) {
    if (wanted.isEmpty()) {
      units.remove(node);
    } else {
      units.put(node, wanted);
    }
  }

  /** Keeps a node's units of some resources, and drops the others. */
  void keep(int node, Predicate<String> resources) {
    if (!of(node).keySet().stream().allMatch(resources)) {
      Map<String, Unit> kept = new TreeMap<>(Names.order());
      kept.putAll(of(node));
      kept.keySet().removeIf(resources.negate());
      set(node, kept);
    }
  }

  /** Replaces every node with its new slot; a node that has units still exists. */
  void renumber(int[] renumbered) {
    Map<Integer, Map<String, Unit>> before = new HashMap<>(units);
    units.clear();
    before.forEach((node, of) -> units.put(renumbered[node], of));
  }

  // ---- reading ----

  /**
   * The units of a node, by name of a resource; without those of which any amount may be required.
   */
  public Map<String, Unit> of(int node) {
    return units.getOrDefault(node, Map.of());
  }

  /**
   * The unit in which a resource of a node may be required; {@link Unit#ANY} where none was given.
   */
  public Unit unit(int node, String resource) {
    return of(node).getOrDefault(resource, Unit.ANY);
  }

  /**
   * Whether all requirements of a workload obey the units of a node, if it has any. A resource that
   * the workload is immune to may be required in any amount.
   */
  public boolean allow(int node, Resources required, Set<String> immune) {
    boolean limited = has(node);
    for (int i = 0; limited && i < required.size(); i++) {
      if (!allows(node, required, i, immune)) {
        return false;
      }
    }
    return true;
  }

  /** Whether one requirement of a workload obeys its unit on a node, as {@link #allow}. */
  public boolean allows(int node, Resources required, int index, Set<String> immune) {
    Unit unit = unit(node, required.name(index));
    return unit == Unit.ANY
        || immune.contains(required.name(index))
        || unit.allows(required.quantity(index));
  }

  /** Whether a node has units. */
  public boolean has(int node) {
    return units.containsKey(node);
  }

  /** Whether any node has units. */
  public boolean any() {
    return !units.isEmpty();
  }
}

package io.lighthouse.core.account;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.api.quantity.Unit;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The units in which the nodes' resources may be required; without a unit, any amount may be
 * required. Few nodes have units, so a fleet without them pays nothing.
 */
public final class UnitTable {
  /**
   * By slot, null for none. It reaches up to the last node that has ever had units. A map by slot
   * takes 57 bytes for each of a million nodes, this at most 6, and a roll back needs no room.
   */
  private Map<String, Unit>[] units;

  /** The number of nodes that have units. */
  private int count;

  @SuppressWarnings({"unchecked", "rawtypes"})
  UnitTable() {
    units = new Map[0];
  }

  /** A copy that shares nothing that changes. */
  UnitTable(UnitTable other) {
    units = other.units.clone();
    count = other.count;
  }

  /** Gives a node its units. Any amount may be required of a resource without a unit. */
  public void set(int node, Map<String, Unit> wanted) {
    if (wanted.isEmpty() && !has(node)) {
      return;
    }
    if (node >= units.length) {
      units = Arrays.copyOf(units, node + node / 2 + 1);
    }
    count += (wanted.isEmpty() ? 0 : 1) - (units[node] == null ? 0 : 1);
    units[node] = wanted.isEmpty() ? null : wanted;
  }

  /** Keeps a node's units of some resources, and drops the others. */
  void keep(int node, Predicate<String> resources) {
    if (has(node) && !units[node].keySet().stream().allMatch(resources)) {
      Map<String, Unit> kept = new TreeMap<>(Names.order());
      kept.putAll(units[node]);
      kept.keySet().removeIf(resources.negate());
      set(node, kept);
    }
  }

  /** Replaces every node with its new slot; a node that has units still exists. */
  void renumber(int[] renumbered) {
    for (int from = 0; from < units.length && count > 0; from++) {
      if (units[from] != null && renumbered[from] != from) {
        Map<String, Unit> moved = units[from];
        set(from, Map.of());
        set(renumbered[from], moved);
      }
    }
  }

  // ---- reading ----

  /**
   * The units of a node, by name of a resource; without those of which any amount may be required.
   */
  public Map<String, Unit> of(int node) {
    return has(node) ? units[node] : Map.of();
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
    return node < units.length && units[node] != null;
  }

  /** Whether any node has units. */
  public boolean any() {
    return count > 0;
  }
}

package io.lighthouse.tests.oracle;

import io.lighthouse.api.Names;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Unit;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a node or a declared domain has, and what is left of it. */
final class Account {
  final Map<String, Quantity> capacity = new TreeMap<>(Names.order());
  final Map<String, Quantity> left = new TreeMap<>(Names.order());
  final Map<String, Unit> units = new HashMap<>();
  boolean cordoned;

  Account(Resources offered, Map<String, Unit> units, boolean cordoned) {
    capacity.putAll(rounded(offered, RoundingMode.FLOOR));
    left.putAll(capacity);
    this.units.putAll(units);
    this.cordoned = cordoned;
  }

  Account(Account other) {
    capacity.putAll(other.capacity);
    left.putAll(other.left);
    units.putAll(other.units);
    cordoned = other.cordoned;
  }

  /** What is required, as a ledger takes it: rounded up. */
  static Map<String, Quantity> needs(Resources required) {
    return rounded(required, RoundingMode.CEILING);
  }

  private static Map<String, Quantity> rounded(Resources resources, RoundingMode mode) {
    Map<String, Quantity> rounded = new TreeMap<>(Names.order());
    resources.asMap().forEach((name, given) -> rounded.put(name, given.rounded(mode)));
    return rounded;
  }

  /** Somebody who was there before the account was made is part of its capacity. */
  void include(Resources required) {
    needs(required).forEach((name, need) -> capacity.merge(name, need, Quantity::plus));
  }

  void take(Resources required) {
    needs(required).forEach((name, need) -> left.merge(name, need, Account::minus));
  }

  void give(Resources required) {
    needs(required).forEach((name, need) -> left.merge(name, need, Quantity::plus));
  }

  void resize(Resources to, List<Resources> taken) {
    capacity.clear();
    capacity.putAll(rounded(to, RoundingMode.FLOOR));
    left.clear();
    left.putAll(capacity);
    taken.forEach(this::take);
    units.keySet().retainAll(capacity.keySet());
  }

  private static Quantity minus(Quantity now, Quantity need) {
    return now.isInfinite() ? now : now.minus(need);
  }

  boolean hasAll(Resources required) {
    return capacity.keySet().containsAll(required.names());
  }

  /** All that keeps a requirement off, by the names of the resources. */
  List<Reason> broken(Resources required, Set<String> immunities) {
    List<Reason> broken = new ArrayList<>();
    Map<String, Quantity> needs = needs(required);
    Set<String> names = new TreeSet<>(Names.order());
    names.addAll(needs.keySet());
    names.addAll(left.keySet());
    for (String name : names) {
      Quantity need = needs.getOrDefault(name, Quantity.ZERO);
      Quantity now = left.get(name);
      if (now == null) {
        broken.add(new Reason.Missing(name, need));
        continue;
      }
      if (immunities.contains(name)) {
        continue;
      }
      Unit unit = units.getOrDefault(name, Unit.ANY);
      if (offUnit(unit, need)) {
        broken.add(new Reason.OffUnit(name, need, unit));
      }
      Quantity rest = minus(now, need);
      if (rest.signum() < 0) {
        Quantity lacking = now.isInfinite() ? Quantity.INFINITY : need.minus(now);
        broken.add(
            now.signum() < 0
                ? new Reason.Negative(name, now, need, lacking)
                : new Reason.Insufficient(name, now, need, lacking));
      }
    }
    return broken;
  }

  /** Whether nothing that placing changes keeps a requirement off. */
  boolean possible(Resources required, Set<String> immunities) {
    return !cordoned
        && broken(required, immunities).stream()
            .noneMatch(
                reason ->
                    reason instanceof Reason.Missing
                        || reason instanceof Reason.OffUnit
                        || reason.kind() == Reason.Kind.WARD);
  }

  private static boolean offUnit(Unit unit, Quantity need) {
    if (need.signum() <= 0) {
      return false;
    }
    boolean inSteps =
        unit.step().signum() == 0
            || need.toBigDecimal().remainder(unit.step().toBigDecimal()).signum() == 0;
    return need.compareTo(unit.min()) < 0 || need.compareTo(unit.max()) > 0 || !inSteps;
  }

  Resources leftNow() {
    return Resources.of(left);
  }
}

package io.lighthouse.core.oracle;

import io.lighthouse.api.Names;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Resources;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.quantity.Unit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a node or a declared domain has, and what is left of it. */
final class Account {
  /** A limit that no list of reasons reaches. */
  static final int ALL = Integer.MAX_VALUE;

  private static final Nanos LARGE = Nanos.of(Quantity.of(1_000_000), RoundingMode.FLOOR);
  private static final Nanos MINUS_THREE = Nanos.of(Quantity.of(-3), RoundingMode.FLOOR);

  /** In the order of names. */
  final Map<String, Nanos> capacity = new LinkedHashMap<>();

  final Map<String, Nanos> left = new LinkedHashMap<>();
  final Map<String, Unit> units = new HashMap<>();
  boolean cordoned;

  private final Fault fault;

  Account(Resources offered, Map<String, Unit> units, boolean cordoned, Fault fault) {
    this.fault = fault;
    left.putAll(offered(offered));
    capacity.putAll(left);
    this.units.putAll(units);
    this.cordoned = cordoned;
  }

  Account(Account other) {
    fault = other.fault;
    capacity.putAll(other.capacity);
    left.putAll(other.left);
    units.putAll(other.units);
    cordoned = other.cordoned;
  }

  /** What is offered, as a ledger takes it: rounded down. */
  private Map<String, Nanos> offered(Resources resources) {
    return Nanos.all(
        resources, fault == Fault.ROUNDS_NODES_UP ? RoundingMode.CEILING : RoundingMode.FLOOR);
  }

  /** What is required, as a ledger takes it: rounded up. */
  static Map<String, Nanos> needs(Resources required, Fault fault) {
    return Nanos.all(
        required,
        fault == Fault.ROUNDS_REQUIREMENTS_DOWN ? RoundingMode.FLOOR : RoundingMode.CEILING);
  }

  private Map<String, Nanos> needs(Resources required) {
    return here(needs(required, fault));
  }

  /** The same as this account takes it: a sound one as it is. */
  private Map<String, Nanos> here(Map<String, Nanos> needs) {
    if (fault != Fault.KEEPS_THE_SCALE_OF_THE_NODE) {
      return needs;
    }
    Map<String, Nanos> cut = new TreeMap<>(needs);
    cut.replaceAll(
        (name, need) -> {
          int scale = capacity.getOrDefault(name, need).quantity().scale();
          BigDecimal digits = need.quantity().toBigDecimal().setScale(scale, RoundingMode.FLOOR);
          return Nanos.of(Quantity.of(digits), RoundingMode.FLOOR);
        });
    return cut;
  }

  /** A workload that was there before the account was made counts into its capacity. */
  void include(Resources required) {
    needs(required).forEach((name, need) -> capacity.merge(name, need, Nanos::plus));
  }

  void take(Resources required) {
    for (Map.Entry<String, Nanos> need : needs(required).entrySet()) {
      left.computeIfPresent(need.getKey(), (name, now) -> minus(now, need.getValue()));
      if (fault == Fault.COMMITS_ONE_RESOURCE_ONLY) {
        break;
      }
    }
  }

  void give(Resources required) {
    needs(required)
        .forEach((name, need) -> left.computeIfPresent(name, (same, now) -> now.plus(need)));
  }

  void resize(Resources to, List<Resources> taken) {
    capacity.clear();
    capacity.putAll(offered(to));
    left.clear();
    left.putAll(capacity);
    if (fault != Fault.FORGETS_PLACEMENTS_ON_RESIZE) {
      taken.forEach(this::take);
    }
    units.keySet().retainAll(capacity.keySet());
  }

  private Nanos minus(Nanos now, Nanos need) {
    if (fault == Fault.USES_UP_INFINITY && now.infinity() > 0 && need.sign() != 0) {
      return LARGE.minus(need);
    }
    if (fault != Fault.COUNTS_IN_FLOATS || now.infinity() != 0) {
      return now.minus(need);
    }
    double rest = now.units().doubleValue() / 1e9 - need.units().doubleValue() / 1e9;
    return new Nanos(
        new BigDecimal(rest).movePointRight(9).setScale(0, RoundingMode.FLOOR).toBigInteger(), 0);
  }

  boolean hasAll(Resources required) {
    return capacity.keySet().containsAll(required.names());
  }

  /** All that keeps a requirement off, by the names of the resources. */
  List<Reason> broken(Map<String, Nanos> required, Set<String> immunities) {
    return broken(required, immunities, ALL);
  }

  /** The same, up to a number of reasons. */
  List<Reason> broken(Map<String, Nanos> required, Set<String> immunities, int most) {
    List<Reason> broken = new ArrayList<>();
    Map<String, Nanos> needs = here(required);
    for (String name : names(needs)) {
      if (broken.size() >= most) {
        break;
      }
      Nanos need = needs.getOrDefault(name, Nanos.ZERO);
      Nanos now = left.get(name);
      if (now == null) {
        if (!excused(need, immunities.contains(name))) {
          broken.add(new Reason.Missing(name, need.quantity()));
        }
        continue;
      }
      if (immunities.contains(name) || overlooked(name, needs)) {
        continue;
      }
      Unit unit = units.getOrDefault(name, Unit.ANY);
      if (unit != Unit.ANY && fault != Fault.IGNORES_UNITS && offUnit(unit, need)) {
        broken.add(new Reason.OffUnit(name, need.quantity(), unit));
      }
      Nanos rest = minus(balance(now), need);
      if (rest.sign() < 0 && !(fault == Fault.IS_OFF_BY_ONE_UNIT && isOneUnit(rest))) {
        broken.add(lack(name, now, need));
      }
    }
    return broken;
  }

  private Set<String> names(Map<String, Nanos> needs) {
    if (left.keySet().containsAll(needs.keySet())) {
      return left.keySet();
    }
    Set<String> names = new TreeSet<>(Names.order());
    names.addAll(needs.keySet());
    names.addAll(left.keySet());
    return names;
  }

  private static Reason lack(String name, Nanos now, Nanos need) {
    Quantity lacking = now.infinity() != 0 ? Quantity.INFINITY : need.minus(now).quantity();
    return now.sign() < 0
        ? new Reason.Negative(name, now.quantity(), need.quantity(), lacking)
        : new Reason.Insufficient(name, now.quantity(), need.quantity(), lacking);
  }

  /** A missing resource that a wrong account lets pass. */
  private boolean excused(Nanos need, boolean immune) {
    return (fault == Fault.TAKES_MISSING_FOR_ZERO && need.sign() == 0)
        || (fault == Fault.LETS_IMMUNITY_REPLACE_EXISTENCE && immune);
  }

  /** A resource that a wrong account does not look at. */
  private boolean overlooked(String name, Map<String, Nanos> needs) {
    return (fault == Fault.OVERLOOKS_ONE_RESOURCE && name.equals("mem"))
        || (fault == Fault.LOOKS_ONLY_AT_WHAT_IS_REQUIRED && !needs.containsKey(name));
  }

  private Nanos balance(Nanos now) {
    return fault == Fault.TAKES_A_WARD_FOR_A_LARGE_SHORTCOMING && now.infinity() < 0
        ? MINUS_THREE
        : now;
  }

  private static boolean isOneUnit(Nanos rest) {
    return rest.infinity() == 0 && rest.units().negate().compareTo(BigInteger.TEN.pow(9)) <= 0;
  }

  /** Whether nothing that placing changes keeps a requirement off. */
  boolean possible(Map<String, Nanos> required, Set<String> immunities) {
    return !cordoned
        && broken(required, immunities).stream()
            .noneMatch(
                reason ->
                    reason instanceof Reason.Missing
                        || reason instanceof Reason.OffUnit
                        || reason.kind() == Reason.Kind.WARD);
  }

  private static boolean offUnit(Unit unit, Nanos required) {
    if (required.sign() <= 0) {
      return false;
    }
    Quantity need = required.quantity();
    boolean inSteps =
        unit.step().signum() == 0
            || need.toBigDecimal().remainder(unit.step().toBigDecimal()).signum() == 0;
    return need.compareTo(unit.min()) < 0 || need.compareTo(unit.max()) > 0 || !inSteps;
  }
}

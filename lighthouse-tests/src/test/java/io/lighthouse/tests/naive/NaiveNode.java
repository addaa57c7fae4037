package io.lighthouse.tests.naive;

import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** One node: what it has, what is left, who is there. */
final class NaiveNode {
  private static final Nanos LARGE = Nanos.of(Quantity.of(1_000_000), RoundingMode.FLOOR);

  final String name;
  final Map<String, Nanos> capacity = new TreeMap<>();
  final Map<String, Nanos> left = new TreeMap<>();
  final List<Workload> placed = new ArrayList<>();
  boolean cordoned;

  private final Fault fault;
  private final Set<String> onceHere = new HashSet<>();
  private final Set<String> brought = new HashSet<>();

  NaiveNode(Node node, Fault fault) {
    this.fault = fault;
    name = node.name();
    cordoned = node.cordoned();
    left.putAll(offered(node.resources()));
    capacity.putAll(left);
    for (Workload workload : node.workloads()) {
      placed.add(workload);
      brought.add(workload.name());
      needs(workload).forEach((name, need) -> capacity.merge(name, need, Nanos::plus));
    }
  }

  NaiveNode(NaiveNode other) {
    fault = other.fault;
    name = other.name;
    cordoned = other.cordoned;
    capacity.putAll(other.capacity);
    left.putAll(other.left);
    placed.addAll(other.placed);
    onceHere.addAll(other.onceHere);
    brought.addAll(other.brought);
  }

  boolean fits(Workload workload) {
    if (cordoned && fault != Fault.IGNORES_CORDONS) {
      return false;
    }
    Map<String, Nanos> needs = needs(workload);
    for (Map.Entry<String, Nanos> need : needs.entrySet()) {
      if (!left.containsKey(need.getKey()) && !excused(workload, need)) {
        return false;
      }
    }
    for (String resource : left.keySet()) {
      Nanos need = needs.getOrDefault(resource, Nanos.ZERO);
      if (workload.immunities().contains(resource)
          || (fault == Fault.OVERLOOKS_ONE_RESOURCE && resource.equals("mem"))
          || (fault == Fault.LOOKS_ONLY_AT_WHAT_IS_REQUIRED && !needs.containsKey(resource))) {
        continue;
      }
      Nanos rest = minus(balance(resource), need);
      if (rest.sign() < 0 && !(fault == Fault.IS_OFF_BY_ONE_UNIT && isOneUnit(rest))) {
        return false;
      }
    }
    return true;
  }

  /** A missing resource that a wrong ledger lets pass. */
  private boolean excused(Workload workload, Map.Entry<String, Nanos> need) {
    return (fault == Fault.TAKES_MISSING_FOR_ZERO && need.getValue().sign() == 0)
        || (fault == Fault.LETS_IMMUNITY_REPLACE_EXISTENCE
            && workload.immunities().contains(need.getKey()));
  }

  private Nanos balance(String resource) {
    Nanos now = left.get(resource);
    return fault == Fault.TAKES_A_WARD_FOR_A_LARGE_SHORTCOMING && now.infinity() < 0
        ? Nanos.of(Quantity.of(-3), RoundingMode.FLOOR)
        : now;
  }

  private static boolean isOneUnit(Nanos rest) {
    return rest.infinity() == 0 && rest.units().negate().compareTo(BigInteger.TEN.pow(9)) <= 0;
  }

  boolean averse(Workload workload) {
    if (fault == Fault.FORGETS_AVERSION) {
      return false;
    }
    if (fault == Fault.REMEMBERS_RELEASED_RIVALS
        && workload.aversionGroups().stream().anyMatch(onceHere::contains)) {
      return true;
    }
    return placed.stream()
        .filter(other -> fault != Fault.FORGETS_BROUGHT_RIVALS || !brought.contains(other.name()))
        .anyMatch(
            other -> other.aversionGroups().stream().anyMatch(workload.aversionGroups()::contains));
  }

  void place(Workload workload) {
    placed.add(workload);
    onceHere.addAll(workload.aversionGroups());
    for (Map.Entry<String, Nanos> need : needs(workload).entrySet()) {
      left.computeIfPresent(need.getKey(), (name, now) -> minus(now, need.getValue()));
      if (fault == Fault.COMMITS_ONE_RESOURCE_ONLY) {
        break;
      }
    }
  }

  void release(Workload workload) {
    placed.remove(workload);
    if (fault == Fault.LOSES_A_RELEASE && workload.requirements().size() > 1) {
      return;
    }
    needs(workload)
        .forEach((name, need) -> left.computeIfPresent(name, (same, now) -> now.plus(need)));
  }

  void resize(Resources to) {
    capacity.clear();
    capacity.putAll(offered(to));
    left.clear();
    left.putAll(capacity);
    if (fault != Fault.FORGETS_PLACEMENTS_ON_RESIZE) {
      for (Workload workload : placed) {
        needs(workload)
            .forEach((name, need) -> left.computeIfPresent(name, (same, now) -> now.minus(need)));
      }
    }
  }

  NodeState state() {
    return new NodeState(
        name,
        resources(capacity),
        resources(left),
        placed,
        cordoned && fault != Fault.WRITES_OUT_WITHOUT_CORDONS);
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

  private Map<String, Nanos> needs(Workload workload) {
    RoundingMode mode =
        fault == Fault.ROUNDS_REQUIREMENTS_DOWN ? RoundingMode.FLOOR : RoundingMode.CEILING;
    Map<String, Nanos> needs = Nanos.all(workload.requirements(), mode);
    if (fault == Fault.KEEPS_THE_SCALE_OF_THE_NODE) {
      needs.replaceAll(this::atScaleOfNode);
    }
    return needs;
  }

  private Nanos atScaleOfNode(String resource, Nanos need) {
    Nanos all = capacity.getOrDefault(resource, need);
    int scale = all.quantity().scale();
    return Nanos.of(
        Quantity.of(need.quantity().toBigDecimal().setScale(scale, RoundingMode.FLOOR)),
        RoundingMode.FLOOR);
  }

  private Map<String, Nanos> offered(Resources resources) {
    return Nanos.all(
        resources, fault == Fault.ROUNDS_NODES_UP ? RoundingMode.CEILING : RoundingMode.FLOOR);
  }

  private static Resources resources(Map<String, Nanos> all) {
    Map<String, Quantity> quantities = new LinkedHashMap<>();
    all.forEach((name, nanos) -> quantities.put(name, nanos.quantity()));
    return Resources.of(quantities);
  }
}

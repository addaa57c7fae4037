package io.lighthouse.core.oracle;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The contract of placement (semantics, sections 2 to 5) written down as plainly as it goes: maps
 * of {@link BigDecimal}, every node checked for every question. It shares no code with core, and
 * core is held against it.
 */
public final class NaiveFleet {
  public static final int NONE = -1;

  /** One node: what it has when empty, what is left, and which workloads are on it. */
  private static final class Machine {
    final String name;
    Map<String, Amount> capacity;
    Map<String, Amount> left;
    final List<Load> placed = new ArrayList<>();
    boolean cordoned;

    private Machine(String name) {
      this.name = name;
    }

    private Machine copy() {
      Machine copy = new Machine(name);
      copy.capacity = capacity;
      copy.left = new HashMap<>(left);
      copy.placed.addAll(placed);
      copy.cordoned = cordoned;
      return copy;
    }

    private void recount() {
      left = new HashMap<>(capacity);
      placed.forEach(load -> take(load, 1));
    }

    private void take(Load load, int times) {
      load.required.forEach(
          (name, amount) ->
              left.merge(
                  name,
                  Amount.ZERO,
                  (have, none) -> times > 0 ? have.minus(amount) : have.plus(amount)));
    }
  }

  /** A workload unpacked. */
  private record Load(
      Workload workload, Map<String, BigDecimal> required, Set<String> immune, Set<String> groups) {
    static Load of(Workload workload) {
      Map<String, BigDecimal> required = new HashMap<>();
      workload
          .requirements()
          .asMap()
          .forEach((name, quantity) -> required.put(name, Amount.required(quantity)));
      return new Load(
          workload,
          required,
          new HashSet<>(workload.immunities()),
          new HashSet<>(workload.aversionGroups()));
    }
  }

  private final List<Machine> machines = new ArrayList<>();
  private final Map<String, Integer> whereabouts = new HashMap<>();
  private int lastPlaced = NONE;

  /** The load asked about last; questions about one workload come in runs. */
  private Load known;

  public NaiveFleet copy() {
    NaiveFleet copy = new NaiveFleet();
    machines.forEach(machine -> copy.machines.add(machine.copy()));
    copy.whereabouts.putAll(whereabouts);
    copy.lastPlaced = lastPlaced;
    return copy;
  }

  // ---- the fleet ----

  public void add(Node node) {
    Machine machine = new Machine(node.name());
    machine.cordoned = node.cordoned();
    machine.capacity = amounts(node.resources());
    for (Workload workload : node.workloads()) {
      Load load = Load.of(workload);
      machine.placed.add(load);
      load.required.forEach(
          (name, amount) ->
              machine.capacity.merge(name, Amount.ZERO, (have, none) -> have.plus(amount)));
      whereabouts.put(workload.name(), machines.size());
    }
    machine.recount();
    machines.add(machine);
  }

  public void remove(int node) {
    if (!machines.get(node).placed.isEmpty()) {
      throw new IllegalStateException("not empty");
    }
    machines.remove(node);
    whereabouts.replaceAll((name, where) -> where > node ? where - 1 : where);
    lastPlaced = lastPlaced >= node ? lastPlaced - 1 : lastPlaced;
  }

  public void resize(int node, Resources capacity) {
    machines.get(node).capacity = amounts(capacity);
    machines.get(node).recount();
  }

  public void cordon(int node, boolean closed) {
    machines.get(node).cordoned = closed;
  }

  public void place(Workload workload, int node) {
    Load load = load(workload);
    machines.get(node).placed.add(load);
    machines.get(node).take(load, 1);
    whereabouts.put(workload.name(), node);
    lastPlaced = node;
  }

  public void release(String workload) {
    Machine machine = machines.get(whereabouts.remove(workload));
    for (int i = 0; i < machine.placed.size(); i++) {
      if (machine.placed.get(i).workload.name().equals(workload)) {
        machine.take(machine.placed.remove(i), -1);
        return;
      }
    }
    throw new IllegalStateException("not placed");
  }

  /** The position stays; the workload stands last on its new node. */
  public void move(Workload workload, int node) {
    int position = lastPlaced;
    release(workload.name());
    place(workload, node);
    lastPlaced = position;
  }

  // ---- reading ----

  /** The node of a name, or {@link #NONE}. */
  public int find(String name) {
    for (int node = 0; node < machines.size(); node++) {
      if (machines.get(node).name.equals(name)) {
        return node;
      }
    }
    return NONE;
  }

  public int size() {
    return machines.size();
  }

  public String name(int node) {
    return machines.get(node).name;
  }

  public boolean cordoned(int node) {
    return machines.get(node).cordoned;
  }

  public int lastPlaced() {
    return lastPlaced;
  }

  public int nodeOf(String workload) {
    return whereabouts.getOrDefault(workload, NONE);
  }

  public List<String> placedNames() {
    List<String> names = new ArrayList<>();
    machines.forEach(machine -> machine.placed.forEach(load -> names.add(load.workload.name())));
    return names;
  }

  public List<Workload> workloads(int node) {
    return machines.get(node).placed.stream().map(Load::workload).toList();
  }

  public Map<String, Amount> left(int node) {
    return machines.get(node).left;
  }

  public Resources lefts(int node) {
    return resources(machines.get(node).left);
  }

  public Resources capacities(int node) {
    return resources(machines.get(node).capacity);
  }

  /** Counts every node again from its capacity and what is placed there. */
  public boolean conserves() {
    for (Machine machine : machines) {
      Map<String, Amount> before = machine.left;
      machine.recount();
      for (String name : before.keySet()) {
        if (before.get(name).compareTo(machine.left.get(name)) != 0) {
          return false;
        }
      }
    }
    return true;
  }

  // ---- questions ----

  public boolean fits(int node, Workload workload) {
    Machine machine = machines.get(node);
    Load load = load(workload);
    if (machine.cordoned || !machine.left.keySet().containsAll(load.required.keySet())) {
      return false;
    }
    for (Map.Entry<String, Amount> have : machine.left.entrySet()) {
      BigDecimal required = load.required.getOrDefault(have.getKey(), BigDecimal.ZERO);
      if (have.getValue().minus(required).signum() < 0 && !load.immune.contains(have.getKey())) {
        return false;
      }
    }
    return true;
  }

  public boolean averse(int node, Workload workload) {
    Load load = load(workload);
    if (load.groups.isEmpty()) {
      return false;
    }
    for (Load other : machines.get(node).placed) {
      for (String group : other.groups) {
        if (load.groups.contains(group)) {
          return true;
        }
      }
    }
    return false;
  }

  public int first(Workload workload, int from) {
    int averse = NONE;
    for (int i = 0; i < machines.size(); i++) {
      int node = (from + i) % machines.size();
      if (fits(node, workload)) {
        if (!averse(node, workload)) {
          return node;
        }
        averse = averse == NONE ? node : averse;
      }
    }
    return averse;
  }

  public int next(Workload workload, int from, boolean friendlyOnly) {
    for (int node = from; node < machines.size(); node++) {
      if (fits(node, workload) && !(friendlyOnly && averse(node, workload))) {
        return node;
      }
    }
    return NONE;
  }

  public int first(Workload workload, Rubric rubric, boolean descending) {
    int best = NONE;
    boolean friendly = false;
    for (int node = 0; node < machines.size(); node++) {
      if (!fits(node, workload)) {
        continue;
      }
      boolean friend = !averse(node, workload);
      if (best == NONE
          || (friend && !friendly)
          || (friend == friendly && compare(node, best, rubric, descending) < 0)) {
        best = node;
        friendly = friend;
      }
    }
    return best;
  }

  public int compare(int a, int b, Rubric rubric, boolean descending) {
    int scores = score(left(a), rubric).compareTo(score(left(b), rubric));
    return scores != 0 ? (descending ? -scores : scores) : compareNames(name(a), name(b));
  }

  /** Minus infinity wins; equal infinities tie; else the sum of weight times quantity. */
  public static Amount score(Map<String, Amount> quantities, Rubric rubric) {
    int infinite = 0;
    BigDecimal sum = BigDecimal.ZERO;
    for (Map.Entry<String, Quantity> entry : rubric.weights().asMap().entrySet()) {
      Amount amount = quantities.get(entry.getKey());
      BigDecimal weight = entry.getValue().toBigDecimal();
      if (amount == null || weight.signum() == 0) {
        continue;
      }
      if (amount.infinite() != 0) {
        int sign = amount.infinite() * weight.signum();
        infinite = infinite == 0 ? sign : Math.min(infinite, sign);
      } else {
        sum = sum.add(weight.multiply(amount.value()));
      }
    }
    return infinite != 0 ? new Amount(infinite, BigDecimal.ZERO) : Amount.of(sum);
  }

  /** The score of what a workload requires. */
  public static BigDecimal score(Workload workload, Rubric rubric) {
    Map<String, Amount> required = new HashMap<>();
    Load.of(workload).required.forEach((name, amount) -> required.put(name, Amount.of(amount)));
    return score(required, rubric).value();
  }

  /** By code point. */
  public static int compareNames(String a, String b) {
    return Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());
  }

  private Load load(Workload workload) {
    if (known == null || known.workload != workload) {
      known = Load.of(workload);
    }
    return known;
  }

  private static Map<String, Amount> amounts(Resources resources) {
    Map<String, Amount> amounts = new HashMap<>();
    resources.asMap().forEach((name, quantity) -> amounts.put(name, Amount.offered(quantity)));
    return amounts;
  }

  private static Resources resources(Map<String, Amount> amounts) {
    Map<String, Quantity> quantities = new HashMap<>();
    amounts.forEach((name, amount) -> quantities.put(name, amount.quantity()));
    return Resources.of(quantities);
  }
}

package io.lighthouse.tests.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Gang;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Choice;
import io.lighthouse.core.Distributors;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * {@code devices} takes the node that a naive count in BigDecimal takes. The count keeps books of
 * its own, and shares no code with the strategy.
 */
class DevicesProperties {
  private static final BigDecimal PARTS = BigDecimal.valueOf(1L << 30);
  private static final int TASKS = 30;
  private static final int SEEDS = 200;

  /** What one part of mem is: small, in bytes, and near the largest that a ledger takes. */
  private static final long[] UNITS = {1, (1L << 30) + 3, 1_000_000_000_000_001L};

  /** What a wrong strategy would do. */
  private enum Fault {
    NONE,
    SHARES_BEGIN_DEVICES,
    STRANDING_IGNORED,
    OTHER_RESOURCES_IGNORED,
    NO_FACTOR,
    EMPTIEST_DEVICE,
    MOST_WHOLE_DEVICES,
    LAST_NODE
  }

  /** A machine with resources, or a node alone: by name, what there is and what is left. */
  private static final class Machine {
    final Map<String, BigDecimal> all = new HashMap<>();
    final Map<String, BigDecimal> left = new HashMap<>();
    final List<Device> devices = new ArrayList<>();
  }

  /** A node; without a device, {@code all} is null. */
  private static final class Device {
    String name;
    Machine machine;
    BigDecimal all;
    BigDecimal left;
  }

  /** A task on its way: what it takes of a device (null: nothing), and of its machine. */
  private record Task(String name, BigDecimal gpu, Map<String, BigDecimal> shared) {
    Workload workload() {
      Resources needs = gpu == null ? Resources.none() : Resources.of("gpu", gpu);
      Terms terms =
          shared.isEmpty() ? Terms.NONE : Terms.NONE.sharing("machine", Resources.of(shared));
      return Workload.of(name, needs).withTerms(terms);
    }
  }

  private final List<Device> nodes = new ArrayList<>();
  private final List<Domain> domains = new ArrayList<>();
  private Random random = new Random(0);
  private BigDecimal unit = BigDecimal.ONE;

  private Distributor fleet(long seed) {
    random = new Random(seed);
    unit = BigDecimal.valueOf(UNITS[random.nextInt(UNITS.length)]);
    nodes.clear();
    domains.clear();
    List<Node> fleet = new ArrayList<>();
    int machines = 1 + random.nextInt(4);
    List<Machine> all = new ArrayList<>();
    for (int m = 0; m < machines; m++) {
      Machine machine = new Machine();
      all.add(machine);
      if (random.nextInt(8) > 0) {
        machine.all.put("cpu", BigDecimal.valueOf(1 + random.nextInt(16)));
        machine.all.put("mem", BigDecimal.valueOf(random.nextInt(400), 1).multiply(unit));
        machine.left.putAll(machine.all);
        domains.add(Domain.of("machine", "m" + m, Resources.of(machine.all)));
      }
    }
    for (int n = 0; n < 1 + random.nextInt(10); n++) {
      Device device = new Device();
      device.name = "n" + n;
      int m = random.nextInt(machines + 1);
      boolean shares = m < machines && !all.get(m).all.isEmpty();
      device.machine = shares ? all.get(m) : new Machine();
      device.machine.devices.add(device);
      device.all = random.nextInt(8) == 0 ? null : BigDecimal.valueOf(random.nextInt(12) / 4);
      device.left = device.all;
      Node node =
          Node.of(
              device.name, device.all == null ? Resources.none() : Resources.of("gpu", device.all));
      fleet.add(m < machines ? node.in("machine", "m" + m) : node);
      nodes.add(device);
    }
    return Distributors.installed().strategy("devices").domains(domains).nodes(fleet).build();
  }

  private Task task(int serial) {
    int kind = random.nextInt(6);
    BigDecimal gpu =
        kind == 0
            ? null
            : kind < 3 ? BigDecimal.valueOf(kind) : BigDecimal.valueOf(random.nextInt(10), 1);
    Map<String, BigDecimal> shared = new HashMap<>();
    if (random.nextInt(4) > 0) {
      shared.put("cpu", BigDecimal.valueOf(random.nextInt(40), 1));
    }
    if (random.nextInt(3) == 0) {
      shared.put("mem", BigDecimal.valueOf(random.nextInt(10)).multiply(unit));
    }
    return new Task("t" + serial, gpu, shared);
  }

  private static boolean fits(Task task, Device node) {
    return (task.gpu == null || (node.left != null && node.left.compareTo(task.gpu) >= 0))
        && task.shared.entrySet().stream()
            .allMatch(
                need ->
                    node.machine.left.containsKey(need.getKey())
                        && node.machine.left.get(need.getKey()).compareTo(need.getValue()) >= 0);
  }

  /** The node that comes first; null where none fits. */
  private Device naive(Task task, Fault fault) {
    Device best = null;
    List<BigDecimal> least = null;
    for (Device node : nodes) {
      if (fits(task, node)) {
        List<BigDecimal> terms = terms(task, node, fault);
        int compared = least == null ? -1 : compare(terms, least);
        if (compared < 0 || (compared == 0 && fault == Fault.LAST_NODE)) {
          best = node;
          least = terms;
        }
      }
    }
    return best;
  }

  private static int compare(List<BigDecimal> one, List<BigDecimal> other) {
    for (int t = 0; t < one.size(); t++) {
      int compared = one.get(t).compareTo(other.get(t));
      if (compared != 0) {
        return compared;
      }
    }
    return 0;
  }

  private static List<BigDecimal> terms(Task task, Device node, Fault fault) {
    BigDecimal gpu = task.gpu == null ? BigDecimal.ZERO : task.gpu;
    BigDecimal now = part(node.left, node.all);
    BigDecimal then = node.all == null ? now : part(node.left.subtract(gpu), node.all);
    boolean begins = now.equals(PARTS) && then.signum() > 0 && then.compareTo(PARTS) < 0;
    BigDecimal before = stranded(node.machine, node, BigDecimal.ZERO, Map.of(), fault);
    BigDecimal after = stranded(node.machine, node, gpu, task.shared, fault);
    long whole =
        node.machine.devices.stream().filter(d -> part(d.left, d.all).equals(PARTS)).count();
    return List.of(
        begins && fault != Fault.SHARES_BEGIN_DEVICES ? BigDecimal.ONE : BigDecimal.ZERO,
        fault == Fault.STRANDING_IGNORED ? BigDecimal.ZERO : after.subtract(before),
        fault == Fault.EMPTIEST_DEVICE ? now.negate() : now,
        BigDecimal.valueOf(fault == Fault.MOST_WHOLE_DEVICES ? -whole : whole));
  }

  private static BigDecimal stranded(
      Machine machine, Device on, BigDecimal gpu, Map<String, BigDecimal> shared, Fault fault) {
    BigDecimal left = BigDecimal.ZERO;
    int devices = 0;
    for (Device device : machine.devices) {
      if (device.all != null) {
        devices++;
        BigDecimal rest = device == on ? device.left.subtract(gpu) : device.left;
        left = left.add(part(rest, device.all));
      }
    }
    BigDecimal scarcest = PARTS;
    for (Map.Entry<String, BigDecimal> each : machine.all.entrySet()) {
      boolean counts = fault != Fault.OTHER_RESOURCES_IGNORED || each.getKey().equals("cpu");
      if (each.getValue().signum() > 0 && counts) {
        BigDecimal need = shared.getOrDefault(each.getKey(), BigDecimal.ZERO);
        BigDecimal rest = machine.left.get(each.getKey()).subtract(need);
        scarcest = scarcest.min(part(rest, each.getValue()));
      }
    }
    BigDecimal factor = fault == Fault.NO_FACTOR ? BigDecimal.ONE : new BigDecimal("1.5");
    BigDecimal served =
        scarcest
            .multiply(BigDecimal.valueOf(devices))
            .multiply(factor)
            .setScale(0, RoundingMode.FLOOR);
    return left.subtract(served).max(BigDecimal.ZERO);
  }

  /** From 0 to {@link #PARTS}. */
  private static BigDecimal part(BigDecimal left, BigDecimal all) {
    return all == null || all.signum() == 0 || left.signum() <= 0
        ? BigDecimal.ZERO
        : PARTS.multiply(left).divide(all, 0, RoundingMode.FLOOR);
  }

  private static void move(Task task, Device node, int sign) {
    BigDecimal factor = BigDecimal.valueOf(sign);
    if (task.gpu != null) {
      node.left = node.left.add(task.gpu.multiply(factor));
    }
    task.shared.forEach(
        (name, need) -> node.machine.left.merge(name, need.multiply(factor), BigDecimal::add));
  }

  /** Places tasks, some of which leave again. Returns whether the fault would have shown. */
  private boolean differs(long seed, Fault fault) {
    Distributor fleet = fleet(seed);
    Map<Task, Device> placed = new HashMap<>();
    List<Task> staying = new ArrayList<>();
    boolean differs = false;
    for (int serial = 0; serial < TASKS; serial++) {
      if (!staying.isEmpty() && random.nextInt(4) == 0) {
        Task leaves = staying.remove(random.nextInt(staying.size()));
        fleet.release(leaves.name);
        move(leaves, placed.remove(leaves), 1);
      }
      Task task = task(serial);
      Optional<String> node = fleet.assign(task.workload()).node(0);
      Device naive = naive(task, Fault.NONE);
      assertThat(node).as("%s", task).isEqualTo(Optional.ofNullable(naive).map(d -> d.name));
      differs |= naive != naive(task, fault);
      if (naive != null) {
        move(task, naive, -1);
        placed.put(task, naive);
        staying.add(task);
      }
    }
    return differs;
  }

  @Property
  void everyNodeIsTheNaiveOne(@ForAll long seed) {
    differs(seed, Fault.NONE);
  }

  @Property(tries = 200)
  void theTermsOfAChoiceAreThoseOfTheNaiveCount(@ForAll long seed) {
    Distributor fleet = fleet(seed);
    Task task = task(0);
    if (naive(task, Fault.NONE) != null) {
      Choice choice = fleet.advisor().choice(0, List.of(task.workload()));
      assertThat(choice.candidates().get(0).node()).isEqualTo(naive(task, Fault.NONE).name);
      Map<String, List<BigDecimal>> told =
          choice.candidates().stream()
              .collect(
                  Collectors.toMap(
                      Choice.Candidate::node,
                      each -> each.terms().stream().map(t -> t.value().toBigDecimal()).toList()));
      nodes.stream()
          .filter(node -> fits(task, node))
          .forEach(
              node ->
                  assertThat(told.get(node.name))
                      .usingElementComparator(BigDecimal::compareTo)
                      .isEqualTo(terms(task, node, Fault.NONE)));
    }
  }

  /** A batch of single tasks and gangs of two within a machine. */
  private List<Workload> batch() {
    List<Workload> batch = new ArrayList<>();
    for (int serial = 0; serial < TASKS / 2; serial++) {
      Workload one = task(serial).workload();
      Gang gang = Gang.of(one.name()).within("machine");
      batch.addAll(
          random.nextInt(4) > 0
              ? List.of(one)
              : one.withTerms(one.terms().inGang(gang)).replicas(2));
    }
    return batch;
  }

  private static long used(Assignments answer) {
    return answer.asMap().values().stream().flatMap(Optional::stream).distinct().count();
  }

  @Property(tries = 200)
  void packWithMachinesPlacesNoFewerAndUsesNoMoreNodes(@ForAll long seed) {
    Distributor devices = fleet(seed);
    List<Workload> batch = batch();
    Distributors.Builder pack =
        Distributors.installed()
            .strategy("pack")
            .settings(Map.of("steps", "1000", "machine", "machine"))
            .domains(domains)
            .nodes(devices.snapshot().nodes().stream().map(NodeState::toNode).toList());
    Assignments packed = pack.build().assign(batch);
    Assignments alone = devices.assign(batch);
    assertThat(packed.placedCount()).isGreaterThanOrEqualTo(alone.placedCount());
    if (packed.placedCount() == alone.placedCount()) {
      assertThat(used(packed)).isLessThanOrEqualTo(used(alone));
    }
  }

  @Example
  void packWithoutMachinesPlacesFewerSometimes() {
    int fewer = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      Distributor devices = fleet(seed);
      List<Workload> batch = batch();
      Distributors.Builder pack =
          Distributors.installed()
              .strategy("pack")
              .settings(Map.of("steps", "0"))
              .domains(domains)
              .nodes(devices.snapshot().nodes().stream().map(NodeState::toNode).toList());
      int packed = pack.build().assign(batch).placedCount();
      fewer += packed < devices.assign(batch).placedCount() ? 1 : 0;
    }
    assertThat(fewer).isPositive();
  }

  @Example
  void everyPlantedFaultShows() {
    Map<Fault, Integer> shown = new EnumMap<>(Fault.class);
    for (Fault fault : Fault.values()) {
      for (long seed = 0; seed < SEEDS; seed++) {
        shown.merge(fault, differs(seed, fault) ? 1 : 0, Integer::sum);
      }
    }
    assertThat(shown.remove(Fault.NONE)).isZero();
    assertThat(shown.values()).as(shown.toString()).allMatch(times -> times > 0);
  }
}

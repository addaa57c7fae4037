package io.lighthouse.strategies;

import com.google.auto.service.AutoService;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Choice;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.FleetDomain;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.Settings;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps whole devices whole, and usable. For fleets where each device, such as a GPU, is a node,
 * and its machine is a domain with the cpu and memory that its devices share (docs/rules.md,
 * "Devices"). Workloads take their turns as they come. It compares candidates by four numbers, the
 * first that differs decides, and less is better:
 *
 * <ol>
 *   <li>1 if a share of a device would begin a whole device, else 0.
 *   <li>The growth of the stranded part of the machine.
 *   <li>What the device has left.
 *   <li>The number of whole devices that the machine has.
 * </ol>
 *
 * <p>Of equal candidates it takes the first in the order of nodes.
 *
 * <p>What is left is in parts of 2^30, rounded down. Each device counts, cordoned or not, and each
 * resource of the machine with a finite capacity above 0. What is below 0 counts as 0, and what is
 * infinite as whole. A resource serves as many devices as its share left, times the number of
 * devices, times 3/2. What the devices have left beyond what the scarcest resource serves is
 * stranded. The factor is there because a machine may have more of a resource than its devices
 * need. The factors 1 and 3 leave more GPUs unused (benchmark: {@code GpuFleet}, with figures in
 * docs/lab/packings.md, "Devices").
 *
 * <p>A machine is a declared domain with resources. A node in none is a machine of its own, and a
 * node without the resource is no device. Cost: linear in the nodes of the fleet, for each
 * workload.
 *
 * <p>Source of the aim, not of the order: Weng et al., "Beware of Fragmentation", USENIX ATC 2023.
 */
@AutoService(PlacementStrategy.class)
public final class Devices implements PlacementStrategy {
  /** A whole device, or all of a resource. */
  private static final long ALL = 1L << 30;

  private static final int ALL_BITS = 30;

  /** For the service loader. */
  public Devices() {}

  @Override
  public String name() {
    return "devices";
  }

  @Override
  public String description() {
    return "shares on devices in use, whole devices where few are left, cpu and mem beside them";
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        new Setting("device", "the resource of a node that is a device", "gpu"),
        new Setting("machine", "the level whose domains are the machines", "machine", true));
  }

  @Override
  public Placer newPlacer(Fleet fleet, Settings settings) {
    String device = settings.text("device");
    String level = settings.text("machine");
    return new Placer() {
      @Override
      public FleetNode choose(Workload workload, Candidates candidates) {
        Turn turn = new Turn(device, level, workload);
        Machine[] machines = turn.machines(fleet);
        FleetNode best = null;
        Rank least = null;
        for (FleetNode node : candidates) {
          Rank rank = turn.rank(node, machines[node.index()]);
          if (least == null || rank.isBefore(least)) {
            least = rank;
            best = node;
          }
        }
        return best;
      }

      @Override
      public List<Choice.Term> terms(Workload workload, FleetNode node) {
        Turn turn = new Turn(device, level, workload);
        return turn.rank(node, node.domain(level).map(turn::machine).orElse(null)).terms();
      }
    };
  }

  /** What decides between two candidates, the most important first; less is better. */
  private record Rank(long opened, long stranded, long left, long whole) {
    boolean isBefore(Rank other) {
      if (opened != other.opened) {
        return opened < other.opened;
      }
      if (stranded != other.stranded) {
        return stranded < other.stranded;
      }
      return left != other.left ? left < other.left : whole < other.whole;
    }

    List<Choice.Term> terms() {
      return List.of(
          Choice.Term.of("whole devices begun", Quantity.of(opened)),
          Choice.Term.of("growth of the stranded part", Quantity.of(stranded)),
          Choice.Term.of("left on the device", Quantity.of(left)),
          Choice.Term.of("whole devices of the machine", Quantity.of(whole)));
    }
  }

  /** The turn of a workload. */
  private static final class Turn {
    private final String device;
    private final String level;

    /** What the workload takes of a device; null if it needs none. */
    private final Quantity need;

    private final Resources shared;

    Turn(String device, String level, Workload workload) {
      this.device = device;
      this.level = level;
      need = workload.requirements().get(device).map(Devices::rounded).orElse(null);
      shared = workload.terms().shared().getOrDefault(level, Resources.none());
    }

    /** All machines, by the index of the node; null for a node in no domain. */
    Machine[] machines(Fleet fleet) {
      Machine[] machines = new Machine[fleet.size()];
      Map<String, Machine> byName = new HashMap<>();
      for (int n = 0; n < machines.length; n++) {
        FleetNode node = fleet.node(n);
        Optional<FleetDomain> domain = node.domain(level);
        if (domain.isPresent()) {
          machines[n] = byName.computeIfAbsent(domain.get().name(), name -> new Machine());
          machines[n].add(node, device);
        }
      }
      return machines;
    }

    Machine machine(FleetDomain domain) {
      Machine machine = new Machine();
      domain.nodes().forEach(node -> machine.add(node, device));
      return machine;
    }

    /**
     * The rank of a node.
     *
     * @param machine of the node; null if it is in no domain
     */
    Rank rank(FleetNode node, Machine machine) {
      Quantity all = node.capacity(device).orElse(Quantity.ZERO);
      Quantity left = node.left(device).orElse(Quantity.ZERO);
      long now = share(left, all);
      long then = need == null ? now : share(left.minus(need), all);
      if (machine != null && !machine.isRead) {
        machine.read(node.domain(level).orElseThrow(), shared);
      }
      if (machine != null && machine.sharesResources) {
        return machine.rank(now, then);
      }
      Machine alone = new Machine();
      alone.add(node, device);
      return alone.rank(now, then);
    }
  }

  /** What decides about a machine. */
  private static final class Machine {
    /** The number of devices, what they have left in all, and how many are whole. */
    private int devices;

    private long left;
    private long whole;

    private boolean isRead;
    private boolean sharesResources;

    /** The scarcest resource: its share left now, and with the workload. */
    private long scarcest = ALL;

    private long scarcestThen = ALL;

    void add(FleetNode node, String device) {
      Optional<Quantity> capacity = node.capacity(device);
      if (capacity.isPresent()) {
        long share = share(node.left(device).orElseThrow(), capacity.get());
        devices++;
        left += share;
        whole += share == ALL ? 1 : 0;
      }
    }

    /** Reads what is left of the resources. */
    void read(FleetDomain domain, Resources needs) {
      isRead = true;
      Resources capacity = domain.capacity();
      Resources now = domain.left();
      sharesResources = capacity.size() > 0;
      for (int r = 0; r < capacity.size(); r++) {
        Quantity all = capacity.quantity(r);
        if (all.signum() > 0 && !all.isInfinite()) {
          Quantity rest = now.get(capacity.name(r)).orElseThrow();
          Quantity need = needs.get(capacity.name(r)).orElse(Quantity.ZERO);
          scarcest = Math.min(scarcest, share(rest, all));
          scarcestThen = Math.min(scarcestThen, share(rest.minus(rounded(need)), all));
        }
      }
    }

    Rank rank(long now, long then) {
      boolean begins = now == ALL && then < ALL && then > 0;
      long growth = stranded(left - now + then, scarcestThen) - stranded(left, scarcest);
      return new Rank(begins ? 1 : 0, growth, now, whole);
    }

    /** What the devices have left beyond the scarcest resource. */
    private long stranded(long devicesLeft, long share) {
      return Math.max(0, devicesLeft - share * devices * 3 / 2);
    }
  }

  /** As the ledger subtracts it. */
  private static Quantity rounded(Quantity requirement) {
    return requirement.rounded(RoundingMode.CEILING);
  }

  /** The part that is left, from 0 to {@link #ALL}, rounded down; 0 of nothing, all of infinity. */
  private static long share(Quantity left, Quantity all) {
    if (left.signum() <= 0 || all.signum() <= 0) {
      return 0;
    }
    if (all.isInfinite() || left.compareTo(all) >= 0) {
      return ALL;
    }
    int digits = Math.max(left.scale(), all.scale());
    long part = left.scaledTo(digits);
    long whole = all.scaledTo(digits);
    if (part <= Long.MAX_VALUE >> ALL_BITS) {
      return (part << ALL_BITS) / whole;
    }
    BigInteger parts = BigInteger.valueOf(part).shiftLeft(ALL_BITS);
    return parts.divide(BigInteger.valueOf(whole)).longValue();
  }
}

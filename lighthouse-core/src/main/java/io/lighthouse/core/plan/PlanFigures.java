package io.lighthouse.core.plan;

import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.share.FleetCapacities;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** A fleet in figures, and what these could be at best. */
final class PlanFigures {
  private static final int NANO_DIGITS = 9;
  private static final BigInteger NANOS = BigInteger.TEN.pow(NANO_DIGITS);

  private PlanFigures() {}

  static Plan.Figures of(Ledger ledger) {
    int inUse = 0;
    int averse = 0;
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      if (ledger.placements().count(node) > 0) {
        inUse++;
        for (int entry : ledger.placements().entries(node)) {
          averse += isAverse(ledger, entry) ? 1 : 0;
        }
      }
    }
    return new Plan.Figures(ledger.placements().placedCount(), inUse, fullest(ledger), averse);
  }

  /** The largest share in use of any node, in billionths, rounded up. */
  static Quantity fullest(Ledger ledger) {
    BigInteger[] fullest = {BigInteger.ZERO};
    FleetCapacities.visit(
        ledger,
        (id, capacity, left) -> {
          BigInteger used = BigInteger.valueOf(capacity - left);
          fullest[0] = fullest[0].max(nanos(used, BigInteger.valueOf(capacity)));
        });
    return Quantity.of(new BigDecimal(fullest[0], NANO_DIGITS));
  }

  /** Whether a placed workload is on a node with another one of a group of its own. */
  static boolean isAverse(Ledger ledger, int entry) {
    int node = ledger.placements().nodeOf(entry);
    for (String group : ledger.placements().workload(entry).aversionGroups()) {
      if (ledger.members().averse(ledger.members().find(group), node) > 1) {
        return true;
      }
    }
    return false;
  }

  /**
   * The least that the fullest share can be, whatever is moved: what is in use of a resource by
   * what there is of it. Resources that a node has without end, or that a workload gives or
   * requires in spite of an immunity, are left out.
   */
  static Quantity leastFullest(Ledger ledger) {
    BigInteger[] used = new BigInteger[ledger.resources().resourceIds()];
    BigInteger[] capacities = new BigInteger[used.length];
    Arrays.fill(used, BigInteger.ZERO);
    Arrays.fill(capacities, BigInteger.ZERO);
    FleetCapacities.visit(
        ledger,
        (id, capacity, left) -> {
          used[id] = used[id].add(BigInteger.valueOf(capacity - left));
          capacities[id] = capacities[id].add(BigInteger.valueOf(capacity));
        });
    boolean[] leftOut = FleetCapacities.endless(ledger);
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      for (int entry : ledger.placements().entries(node)) {
        Demand demand = ledger.demand(entry);
        for (int i = 0; i < demand.size(); i++) {
          leftOut[demand.id(i)] |= demand.need(i) < 0 || demand.isImmune(i);
        }
      }
    }
    BigInteger least = BigInteger.ZERO;
    for (int id = 0; id < used.length; id++) {
      if (!leftOut[id] && capacities[id].signum() > 0) {
        least = least.max(nanos(used[id], capacities[id]));
      }
    }
    return Quantity.of(new BigDecimal(least, NANO_DIGITS));
  }

  /** A share in billionths, rounded up. */
  private static BigInteger nanos(BigInteger amount, BigInteger capacity) {
    BigInteger[] parts = amount.multiply(NANOS).divideAndRemainder(capacity);
    return parts[1].signum() > 0 ? parts[0].add(BigInteger.ONE) : parts[0];
  }

  /** The least number of workloads on averse nodes: in each group, those that are too many. */
  static long leastAverse(Ledger ledger) {
    Map<String, Integer> members = new HashMap<>();
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      for (Workload workload : ledger.placements().workloads(node)) {
        workload.aversionGroups().forEach(group -> members.merge(group, 1, Integer::sum));
      }
    }
    long least = 0;
    for (int count : members.values()) {
      int tooMany = count - ledger.nodes().nodeCount();
      least = Math.max(least, tooMany > 0 ? tooMany + 1 : 0);
    }
    return least;
  }
}

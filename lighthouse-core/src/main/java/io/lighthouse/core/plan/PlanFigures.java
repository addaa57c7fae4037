package io.lighthouse.core.plan;

import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.fleet.Share;
import io.lighthouse.core.ledger.Layout;
import io.lighthouse.core.ledger.Ledger;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A fleet in figures, and what these could be at best. */
final class PlanFigures {
  private static final int NANO_DIGITS = 9;

  private PlanFigures() {}

  static Plan.Figures of(Ledger ledger) {
    int inUse = 0;
    int averse = 0;
    long fullest = 0;
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      if (ledger.placements().count(node) > 0) {
        inUse++;
        averse += averse(ledger, node);
      }
      Layout layout = ledger.accounts().layout(node);
      for (int at = 0; at < layout.size(); at++) {
        long capacity = ledger.accounts().capacity(node, at);
        if (Share.measurable(capacity)) {
          BigInteger used = BigInteger.valueOf(capacity - ledger.accounts().left(node, at));
          fullest = Math.max(fullest, Shares.nanos(used, BigInteger.valueOf(capacity)));
        }
      }
    }
    return new Plan.Figures(
        ledger.placements().placedCount(), inUse, Quantity.ofScaled(fullest, NANO_DIGITS), averse);
  }

  /** How many workloads of a node share a group with another one there. */
  private static int averse(Ledger ledger, int node) {
    Map<String, Integer> members = new HashMap<>();
    for (Workload workload : ledger.placements().workloads(node)) {
      workload.aversionGroups().forEach(group -> members.merge(group, 1, Integer::sum));
    }
    int averse = 0;
    for (Workload workload : ledger.placements().workloads(node)) {
      averse +=
          workload.aversionGroups().stream().anyMatch(group -> members.get(group) > 1) ? 1 : 0;
    }
    return averse;
  }

  /**
   * The least that the fullest share can be, whatever is moved: what is in use of a resource by
   * what there is of it. Resources that a node has without end, or that a workload is immune to or
   * gives, are left out.
   */
  static Quantity leastFullest(Ledger ledger) {
    Map<Integer, BigInteger> used = new HashMap<>();
    Map<Integer, BigInteger> capacities = new HashMap<>();
    Set<Integer> silent = new HashSet<>();
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      Layout layout = ledger.accounts().layout(node);
      for (int at = 0; at < layout.size(); at++) {
        long capacity = ledger.accounts().capacity(node, at);
        int id = layout.id(at);
        if (Share.measurable(capacity)) {
          capacities.merge(id, BigInteger.valueOf(capacity), BigInteger::add);
          used.merge(
              id, BigInteger.valueOf(capacity - ledger.accounts().left(node, at)), BigInteger::add);
        } else if (capacity == Long.MAX_VALUE) {
          silent.add(id);
        }
      }
      for (Workload workload : ledger.placements().workloads(node)) {
        workload.immunities().forEach(name -> silent.add(ledger.resources().find(name)));
        for (int i = 0; i < workload.requirements().size(); i++) {
          if (workload.requirements().quantity(i).signum() < 0) {
            silent.add(ledger.resources().find(workload.requirements().name(i)));
          }
        }
      }
    }
    long least = 0;
    for (Map.Entry<Integer, BigInteger> all : capacities.entrySet()) {
      if (!silent.contains(all.getKey())) {
        least = Math.max(least, Shares.nanos(used.get(all.getKey()), all.getValue()));
      }
    }
    return Quantity.ofScaled(least, NANO_DIGITS);
  }

  /** Whether more is taken of something than there is: then what is placed proves nothing. */
  static boolean overdrawn(Ledger ledger) {
    for (int node = 0; node < ledger.nodes().slotCount(); node++) {
      for (int at = 0; at < ledger.accounts().layout(node).size(); at++) {
        if (ledger.accounts().left(node, at) < 0 && ledger.accounts().capacity(node, at) >= 0) {
          return true;
        }
      }
    }
    return false;
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

package io.lighthouse.core.question;

import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What is left of each resource on all open nodes together. Whatever the placement, what workloads
 * need of a resource, those that are immune to it left out, is at most this and what workloads
 * give. A relaxation: it never reports less than there is.
 */
final class Deficits {
  private final Map<String, BigDecimal> left = new HashMap<>();
  private final Set<String> endless = new HashSet<>();

  private Deficits() {}

  static Deficits of(Snapshot snapshot) {
    Deficits all = new Deficits();
    for (NodeState node : snapshot.nodes()) {
      if (!node.cordoned()) {
        all.add(node.left());
      }
    }
    return all;
  }

  private void add(Resources resources) {
    for (int i = 0; i < resources.size(); i++) {
      Quantity quantity = resources.quantity(i);
      if (quantity.isInfinite() && quantity.signum() > 0) {
        endless.add(resources.name(i));
      } else if (quantity.signum() > 0) {
        left.merge(resources.name(i), quantity.toBigDecimal(), BigDecimal::add);
      }
    }
  }

  boolean isEndless(String resource) {
    return endless.contains(resource);
  }

  /** 0 or more. */
  BigDecimal left(String resource) {
    return left.getOrDefault(resource, BigDecimal.ZERO);
  }

  /** Adds the needs of a number of copies of a workload; what it gives counts as below 0. */
  static void add(Map<String, BigDecimal> needs, Workload workload, BigDecimal copies) {
    Resources required = workload.requirements();
    for (int i = 0; i < required.size(); i++) {
      Quantity need = required.quantity(i).rounded(RoundingMode.CEILING);
      if (need.signum() < 0 || !workload.immunities().contains(required.name(i))) {
        needs.merge(required.name(i), need.toBigDecimal().multiply(copies), BigDecimal::add);
      }
    }
  }

  /** Whether a workload gives some of a resource, on its node or in a domain. */
  static boolean gives(Workload workload) {
    return gives(workload.requirements())
        || workload.terms().shared().values().stream().anyMatch(Deficits::gives);
  }

  private static boolean gives(Resources needs) {
    return IntStream.range(0, needs.size()).anyMatch(i -> needs.quantity(i).signum() < 0);
  }

  /** What a batch needs together, in its order. */
  static Map<String, BigDecimal> needs(Collection<Workload> batch) {
    Map<String, BigDecimal> needs = new LinkedHashMap<>();
    batch.forEach(workload -> add(needs, workload, BigDecimal.ONE));
    return needs;
  }
}

package io.lighthouse.tests.generate;

import io.lighthouse.api.Quantity;
import io.lighthouse.api.Workload;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Generators of workloads over the resources that {@link Nodes} offer. */
public final class Workloads {
  /** First parts of names; in the order of code points, which is not that of UTF-16 units. */
  private static final String[] PREFIXES = {"a", "b", "z", "\uFF5E", "\uD83D\uDE00"};

  private Workloads() {}

  /**
   * A workload whose name is only the first part of one: see {@link #named}.
   *
   * @return shrinks towards a workload that requires nothing
   */
  public static Arbitrary<Workload> any() {
    Map<String, Arbitrary<Optional<Quantity>>> requirements = new LinkedHashMap<>();
    requirements.put(Nodes.CPU, Pick.sometimes(85, orGift(Quantities.between(0, 4))));
    requirements.put(Nodes.MEM, Pick.sometimes(45, Quantities.between(0, 6)));
    requirements.put(Nodes.DISK, Pick.sometimes(15, Quantities.between(0, 4)));
    requirements.put(Nodes.SEMAPHORE, Pick.sometimes(15, Arbitraries.just(Quantity.ONE)));
    requirements.put(Nodes.TAG, Pick.sometimes(10, Arbitraries.just(Quantity.ZERO)));
    requirements.put(Nodes.WARDED, Pick.sometimes(10, Quantities.between(-5, 0)));
    Map<String, Integer> immunities = new LinkedHashMap<>();
    immunities.put(Nodes.WARDED, 25);
    immunities.put(Nodes.CPU, 6);
    immunities.put(Nodes.MEM, 4);
    Map<String, Integer> groups = new LinkedHashMap<>();
    groups.put("red", 25);
    groups.put("green", 15);
    groups.put("blue", 10);
    return Combinators.combine(
            Arbitraries.of(PREFIXES),
            Pick.resources(requirements),
            Pick.names(immunities),
            Pick.names(groups))
        .as(Workload::new);
  }

  /**
   * The same workload with its whole name.
   *
   * @param workload a workload
   * @param name its name
   * @return a new workload
   */
  public static Workload named(Workload workload, String name) {
    return new Workload(
        name, workload.requirements(), workload.immunities(), workload.aversionGroups());
  }

  /** A workload of one resource, for scenes of crowding. */
  static Arbitrary<Workload> plain() {
    return Combinators.combine(
            Arbitraries.of(PREFIXES),
            Arbitraries.integers().between(0, 4),
            Pick.names(Map.of("red", 40)))
        .as(
            (name, cpu, groups) ->
                new Workload(
                    name, io.lighthouse.api.Resources.of(Nodes.CPU, cpu), Set.of(), groups));
  }

  private static Arbitrary<Quantity> orGift(Arbitrary<Quantity> requirement) {
    return Arbitraries.frequencyOf(
        net.jqwik.api.Tuple.of(12, requirement),
        net.jqwik.api.Tuple.of(1, Quantities.between(-3, 0)));
  }
}

package io.lighthouse.tests.generate;

import static io.lighthouse.tests.generate.Nodes.CPU;
import static io.lighthouse.tests.generate.Nodes.DISK;
import static io.lighthouse.tests.generate.Nodes.MEM;
import static io.lighthouse.tests.generate.Nodes.SEMAPHORE;
import static io.lighthouse.tests.generate.Nodes.TAG;
import static io.lighthouse.tests.generate.Nodes.WARDED;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Generators of workloads over the resources that {@link Nodes} offer. */
public final class Workloads {
  /** First parts of names; in the order of code points, which is not that of UTF-16 units. */
  private static final String[] PREFIXES = {"a", "b", "z", "\uFF5E", "\uD83D\uDE00"};

  private Workloads() {}

  /**
   * A workload whose name is only the first part of one: see {@link Sketch}.
   *
   * @return shrinks towards a workload that requires nothing
   */
  public static Arbitrary<Workload> any() {
    return Arbitraries.frequencyOf(Tuple.of(2, popular()), Tuple.of(3, diverse()));
  }

  /** A few shapes that repeat, as in practice; an engine may cache them. */
  private static Arbitrary<Workload> popular() {
    List<Workload> shapes =
        List.of(
            shape(Resources.of(CPU, 1), Set.of(), Set.of()),
            shape(Resources.of(CPU, 1, MEM, "1.5"), Set.of(), Set.of()),
            shape(Resources.of(CPU, "0.1"), Set.of(), Set.of("red")),
            shape(Resources.of(CPU, 2), Set.of(WARDED), Set.of()),
            shape(Resources.of(CPU, 3, MEM, 1), Set.of(CPU), Set.of("red", "blue")),
            shape(Resources.of(CPU, -1), Set.of(), Set.of()),
            shape(Resources.of(CPU, 1, SEMAPHORE, 1), Set.of(), Set.of()),
            shape(Resources.of(MEM, 2, WARDED, -2), Set.of(), Set.of("green")));
    return Combinators.combine(Arbitraries.of(PREFIXES), Arbitraries.of(shapes))
        .as((name, shape) -> shape.named(name));
  }

  private static Workload shape(
      Resources requirements, Set<String> immunities, Set<String> groups) {
    return new Workload("shape", requirements, immunities, groups);
  }

  private static Arbitrary<Workload> diverse() {
    Map<String, Arbitrary<Optional<Quantity>>> requirements = new LinkedHashMap<>();
    requirements.put(CPU, Pick.sometimes(85, orGift(Quantities.between(0, 4))));
    requirements.put(MEM, Pick.sometimes(45, Quantities.between(0, 6)));
    requirements.put(DISK, Pick.sometimes(15, Quantities.between(0, 4)));
    requirements.put(SEMAPHORE, Pick.sometimes(15, Arbitraries.just(Quantity.ONE)));
    requirements.put(TAG, Pick.sometimes(10, Arbitraries.just(Quantity.ZERO)));
    requirements.put(WARDED, Pick.sometimes(10, Quantities.between(-5, 0)));
    Map<String, Integer> immunities = new LinkedHashMap<>();
    immunities.put(WARDED, 25);
    immunities.put(CPU, 6);
    immunities.put(MEM, 4);
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

  /** A workload of one resource, for scenes of crowding. */
  static Arbitrary<Workload> plain() {
    return Combinators.combine(
            Arbitraries.of(PREFIXES),
            Arbitraries.integers().between(0, 4),
            Pick.names(Map.of("red", 40)))
        .as((name, cpu, groups) -> new Workload(name, Resources.of(CPU, cpu), Set.of(), groups));
  }

  private static Arbitrary<Quantity> orGift(Arbitrary<Quantity> requirement) {
    return Arbitraries.frequencyOf(
        Tuple.of(12, requirement), Tuple.of(1, Quantities.between(-3, 0)));
  }
}

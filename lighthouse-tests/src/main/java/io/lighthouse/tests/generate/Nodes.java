package io.lighthouse.tests.generate;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Generators of nodes and of fleets. */
public final class Nodes {
  static final String CPU = "cpu";
  static final String MEM = "mem";
  static final String DISK = "disk";
  static final String SEMAPHORE = "seat";
  static final String TAG = "ssd";
  static final String WARDED = "spiders";

  /** Names whose order by code point, by UTF-16 unit, by case and by number all differ. */
  private static final List<String> NAMES =
      List.of("n1", "n2", "n10", "N1", "a b", "i\u0307", "\uFF5En", "\uD83D\uDE00");

  private Nodes() {}

  /**
   * A fleet.
   *
   * @param most the most nodes
   * @return nodes of different names, in any order; some bring workloads or are cordoned; shrinks
   *     towards few empty nodes
   */
  public static Arbitrary<List<Node>> fleet(int most) {
    return any(Arbitraries.of(NAMES)).list().ofMaxSize(most).map(Nodes::withNamesOfTheirOwn);
  }

  /**
   * What a node offers.
   *
   * @return shrinks towards nothing
   */
  public static Arbitrary<Resources> resources() {
    Map<String, Arbitrary<Optional<Quantity>>> offers = new LinkedHashMap<>();
    offers.put(CPU, Pick.sometimes(95, orInfinite(Quantities.between(0, 9))));
    offers.put(MEM, Pick.sometimes(75, orInfinite(Quantities.between(0, 12))));
    offers.put(DISK, Pick.sometimes(40, orInfinite(Quantities.between(-1, 9))));
    offers.put(
        SEMAPHORE, Pick.sometimes(40, Arbitraries.integers().between(0, 2).map(Quantity::of)));
    offers.put(TAG, Pick.sometimes(30, Arbitraries.just(Quantity.ZERO)));
    offers.put(
        WARDED,
        Pick.sometimes(
            30,
            Arbitraries.frequencyOf(
                Tuple.of(1, Arbitraries.just(Quantity.ZERO)),
                Tuple.of(2, Quantities.between(-5, 0)),
                Tuple.of(2, Arbitraries.just(Quantity.NEGATIVE_INFINITY)))));
    return Pick.resources(offers);
  }

  /**
   * A node of a name.
   *
   * @param name the name
   * @return shrinks towards an empty node that is open
   */
  public static Arbitrary<Node> named(String name) {
    return any(Arbitraries.just(name));
  }

  private static Arbitrary<Node> any(Arbitrary<String> names) {
    Arbitrary<List<Workload>> brought =
        Arbitraries.frequencyOf(
            Tuple.of(5, Arbitraries.just(List.<Workload>of())),
            Tuple.of(1, Workloads.any().list().ofMinSize(1).ofMaxSize(2)));
    Arbitrary<Boolean> cordoned = Arbitraries.frequency(Tuple.of(9, false), Tuple.of(1, true));
    return Combinators.combine(names, resources(), brought, cordoned).as(Nodes::node);
  }

  private static List<Node> withNamesOfTheirOwn(List<Node> nodes) {
    Set<String> taken = new HashSet<>();
    List<Node> renamed = new ArrayList<>();
    for (Node node : nodes) {
      String name = taken.add(node.name()) ? node.name() : node.name() + "-" + renamed.size();
      List<Workload> workloads = new ArrayList<>();
      for (Workload workload : node.workloads()) {
        workloads.add(workload.named("with " + name + " " + workloads.size()));
      }
      renamed.add(new Node(name, node.resources(), workloads, node.cordoned()));
    }
    return List.copyOf(renamed);
  }

  private static Node node(
      String name, Resources resources, List<Workload> workloads, boolean cordoned) {
    List<Workload> own = new ArrayList<>();
    for (Workload workload : workloads) {
      Map<String, Quantity> known = new LinkedHashMap<>(workload.requirements().asMap());
      known.keySet().retainAll(resources.names());
      own.add(
          new Workload(
              "with " + name + " " + own.size(),
              Resources.of(known),
              workload.immunities(),
              workload.aversionGroups()));
    }
    return new Node(name, resources, own, cordoned);
  }

  private static Arbitrary<Quantity> orInfinite(Arbitrary<Quantity> finite) {
    return Arbitraries.frequencyOf(
        Tuple.of(15, finite), Tuple.of(1, Arbitraries.just(Quantity.INFINITY)));
  }
}

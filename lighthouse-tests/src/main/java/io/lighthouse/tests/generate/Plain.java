package io.lighthouse.tests.generate;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Draws nodes and workloads without domains, rules and gangs, whose names and quantities are odd:
 * tags, semaphores, wards, shortcomings, gifts, infinite quantities, up to twelve digits.
 */
public final class Plain {
  private static final String CPU = "cpu";
  private static final String MEM = "mem";
  private static final String DISK = "disk";
  private static final String SEMAPHORE = "seat";
  private static final String TAG = "ssd";
  private static final String WARDED = "spiders";

  /** Names whose order by code point, by UTF-16 unit, by case and by number all differ. */
  private static final List<String> NAMES =
      List.of("n1", "n2", "n10", "N1", "a b", "i\u0307", "\uFF5En", "\uD83D\uDE00");

  /** First parts of names; in the order of code points, which is not that of UTF-16 units. */
  private static final List<String> PREFIXES = List.of("a", "b", "z", "\uFF5E", "\uD83D\uDE00");

  /** Twelfth digits, which a ledger rounds away. */
  private static final List<String> FINE =
      List.of("0.000000000001", "0.100000000001", "0.333333333333", "0.999999999999");

  /** A few shapes that repeat, as in practice; an engine may cache them. */
  private static final List<Workload> POPULAR =
      List.of(
          shape(Resources.of(CPU, 1), Set.of(), Set.of()),
          shape(Resources.of(CPU, 1, MEM, "1.5"), Set.of(), Set.of()),
          shape(Resources.of(CPU, "0.1"), Set.of(), Set.of("red")),
          shape(Resources.of(CPU, 2), Set.of(WARDED), Set.of()),
          shape(Resources.of(CPU, 3, MEM, 1), Set.of(CPU), Set.of("red", "blue")),
          shape(Resources.of(CPU, -1), Set.of(), Set.of()),
          shape(Resources.of(CPU, 1, SEMAPHORE, 1), Set.of(), Set.of()),
          shape(Resources.of(MEM, 2, WARDED, -2), Set.of(), Set.of("green")));

  private final Dice dice;

  Plain(Dice dice) {
    this.dice = dice;
  }

  private static Workload shape(
      Resources requirements, Set<String> immunities, Set<String> groups) {
    return new Workload("shape", requirements, immunities, groups);
  }

  /**
   * Nodes of different names, in any order; some bring workloads or are cordoned.
   *
   * @param least the fewest
   * @param most the most
   * @return the nodes
   */
  public List<Node> nodes(int least, int most) {
    List<Node> nodes = new ArrayList<>();
    Set<String> taken = new HashSet<>();
    for (int i = least + dice.below(most - least + 1); i > 0; i--) {
      String name = dice.one(NAMES);
      nodes.add(node(taken.add(name) ? name : name + "-" + nodes.size()));
    }
    return nodes;
  }

  /** A node that may bring workloads or be cordoned. */
  Node node(String name) {
    Map<String, Quantity> offers = new LinkedHashMap<>();
    put(offers, CPU, 95, () -> orInfinite(0, 9));
    put(offers, MEM, 75, () -> orInfinite(0, 12));
    put(offers, DISK, 40, () -> orInfinite(-1, 9));
    put(offers, SEMAPHORE, 40, () -> Quantity.of(dice.below(3)));
    put(offers, TAG, 30, () -> Quantity.ZERO);
    put(offers, WARDED, 30, this::ward);
    List<Workload> brought = new ArrayList<>();
    for (int i = dice.chance(6) ? 1 + dice.below(2) : 0; i > 0; i--) {
      Workload workload = workload();
      Map<String, Quantity> known = new LinkedHashMap<>(workload.requirements().asMap());
      known.keySet().retainAll(offers.keySet());
      brought.add(
          new Workload(
              "with " + name + " " + brought.size(),
              Resources.of(known),
              workload.immunities(),
              workload.aversionGroups()));
    }
    return new Node(name, Resources.of(offers), brought, dice.chance(10));
  }

  private void put(
      Map<String, Quantity> quantities, String name, int percent, Supplier<Quantity> quantity) {
    if (dice.below(100) < percent) {
      quantities.put(name, quantity.get());
    }
  }

  private Quantity orInfinite(int lowest, int highest) {
    return dice.chance(16) ? Quantity.INFINITY : between(lowest, highest);
  }

  private Quantity ward() {
    return switch (dice.below(5)) {
      case 0 -> Quantity.ZERO;
      case 1, 2 -> between(-5, 0);
      default -> Quantity.NEGATIVE_INFINITY;
    };
  }

  /** A finite quantity: a whole one, tenths, thousandths, or one that a ledger rounds. */
  private Quantity between(int lowest, int highest) {
    return switch (dice.below(10)) {
      case 0, 1, 2 -> scaled(lowest, highest, 1);
      case 3 -> scaled(lowest, highest, 3);
      case 4 ->
          Quantity.of(lowest + dice.below(highest - lowest)).plus(Quantity.of(dice.one(FINE)));
      default -> scaled(lowest, highest, 0);
    };
  }

  private Quantity scaled(int lowest, int highest, int digits) {
    int factor = BigDecimal.ONE.movePointRight(digits).intValueExact();
    int value = lowest * factor + dice.below((highest - lowest) * factor + 1);
    return Quantity.of(BigDecimal.valueOf(value, digits));
  }

  /**
   * Workloads whose names are only the first parts of names: see {@link Sketch}.
   *
   * @param least the fewest
   * @param most the most
   * @return the workloads
   */
  public List<Workload> batch(int least, int most) {
    List<Workload> batch = new ArrayList<>();
    for (int i = least + dice.below(most - least + 1); i > 0; i--) {
      batch.add(workload());
    }
    return batch;
  }

  /**
   * A workload whose name is only the first part of one.
   *
   * @return one without terms
   */
  public Workload workload() {
    if (dice.below(5) < 2) {
      return dice.one(POPULAR).named(dice.one(PREFIXES));
    }
    Map<String, Quantity> requirements = new LinkedHashMap<>();
    put(requirements, CPU, 85, () -> dice.chance(13) ? between(-3, 0) : between(0, 4));
    put(requirements, MEM, 45, () -> between(0, 6));
    put(requirements, DISK, 15, () -> between(0, 4));
    put(requirements, SEMAPHORE, 15, () -> Quantity.ONE);
    put(requirements, TAG, 10, () -> Quantity.ZERO);
    put(requirements, WARDED, 10, () -> between(-5, 0));
    return new Workload(
        dice.one(PREFIXES),
        Resources.of(requirements),
        some(Map.of(WARDED, 25, CPU, 6, MEM, 4)),
        some(Map.of("red", 25, "green", 15, "blue", 10)));
  }

  /** Some of these names, each in its percentage of the cases. */
  private Set<String> some(Map<String, Integer> percents) {
    Set<String> some = new HashSet<>();
    percents.keySet().stream()
        .sorted()
        .filter(name -> dice.below(100) < percents.get(name))
        .forEach(some::add);
    return some;
  }
}

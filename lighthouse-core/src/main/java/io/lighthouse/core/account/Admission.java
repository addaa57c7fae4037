package io.lighthouse.core.account;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.InvalidInputException.Thing;
import io.lighthouse.api.quantity.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Decides whether new nodes and workloads can be accounted for exactly. Let s be the finest number
 * of digits in use for a resource. The largest magnitude on a node plus the magnitudes of all
 * requirements must stay below 2^62 / 10^s.
 *
 * <p>The common case is settled in longs. It uses the scale that a resource has or grows to, and an
 * upper bound of its largest capacity. Only where that check fails is everything counted again,
 * exactly and from the present state. So the result does not depend on history.
 */
public final class Admission {
  /** Powers of ten, as many as scales can differ by. */
  static final long[] POWERS = new long[Quantity.LEDGER_DIGITS + 1];

  static {
    POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = 10 * POWERS[i - 1];
    }
  }

  private final NodeAccounts accounts;
  private final ResourceTable resources;

  /** The level that has these domains; empty for the accounts of nodes. */
  private final String level;

  /** Returns what a workload that is admitted beside the nodes requires of these accounts. */
  private final Function<Workload, Resources> requirementsOf;

  /** By name of a resource: the requirements of everything placed, as the accounts round them. */
  private final Function<String, List<Quantity>> placedQuantities;

  /** Ids of the admitted quantities, each once; the first {@link #count}. */
  private int[] ids = new int[8];

  private int count;

  /** By id: the number of the last round that used it. Figures of other rounds are stale. */
  private int[] round = new int[8];

  private int rounds;

  /** By id: the scale that the resource has, or must grow to for what was admitted so far. */
  private int[] digits = new int[8];

  /** By id: magnitudes of the admitted requirements, at the scale wanted; LIMIT when over. */
  private long[] required = new long[8];

  /** By id: the largest admitted capacity, at the scale wanted; LIMIT when over. */
  private long[] largest = new long[8];

  /** How often a quantity was finer than the earlier ones of its resource. */
  private int refined;

  /** For the accounts of nodes. */
  public Admission(NodeAccounts accounts, Function<String, List<Quantity>> taken) {
    this(accounts, "", Workload::requirements, taken);
  }

  /** For the accounts of a level. */
  public Admission(
      NodeAccounts accounts,
      String level,
      Function<Workload, Resources> asked,
      Function<String, List<Quantity>> taken) {
    this.accounts = accounts;
    this.level = level;
    this.requirementsOf = asked;
    this.placedQuantities = taken;
    resources = accounts.resources();
  }

  /** Forgets the quantities of the last round. */
  void begin() {
    count = 0;
    rounds++;
  }

  /**
   * Grows whenever a finer quantity makes earlier results of {@link #take} void for its resource.
   */
  int refined() {
    return refined;
  }

  /** Notes a quantity of a known resource, with {@code scale} digits after the point. */
  private void note(int id, int scale) {
    if (id >= round.length) {
      int length = Math.max(id + 1, 2 * round.length);
      digits = Arrays.copyOf(digits, length);
      required = Arrays.copyOf(required, length);
      largest = Arrays.copyOf(largest, length);
      round = Arrays.copyOf(round, length); // Last: its length is that of all.
    }
    if (round[id] != rounds) {
      round[id] = rounds;
      digits[id] = Math.max(resources.digits[id], scale);
      required[id] = 0;
      largest[id] = 0;
      if (count == ids.length) {
        ids = Arrays.copyOf(ids, 2 * count);
      }
      ids[count++] = id;
    } else if (scale > digits[id]) {
      long finer = POWERS[scale - digits[id]];
      digits[id] = scale;
      required[id] = times(required[id], finer);
      largest[id] = times(largest[id], finer);
      refined++;
    }
  }

  /** A product of magnitudes, LIMIT where it is that or more. */
  private static long times(long magnitude, long times) {
    return magnitude < ResourceTable.LIMIT / times ? magnitude * times : ResourceTable.LIMIT;
  }

  /**
   * Notes a requirement that {@code workloads} workloads have, 1 or more. Returns it at the scale
   * wanted so far; unspecified where that is out of range.
   */
  long take(int id, Quantity quantity, int workloads) {
    note(id, quantity.scale());
    long scaled = quantity.scaledTo(digits[id], ResourceTable.LIMIT);
    long all = magnitude(scaled);
    if (workloads > 1) { // Avoids the division in most calls.
      all = times(all, workloads);
    }
    required[id] =
        all < ResourceTable.LIMIT - required[id] ? required[id] + all : ResourceTable.LIMIT;
    return scaled;
  }

  /** Notes a capacity of a node. */
  private void offer(int id, Quantity quantity) {
    if (!quantity.isInfinite()) {
      note(id, quantity.scale());
      long scaled = quantity.scaledTo(digits[id], ResourceTable.LIMIT);
      largest[id] = Math.max(largest[id], magnitude(scaled));
    }
  }

  /**
   * The magnitude, or LIMIT where it is at least that. The least long has no magnitude in a long.
   */
  private static long magnitude(long scaled) {
    return scaled == Long.MIN_VALUE
        ? ResourceTable.LIMIT
        : Math.min(Math.abs(scaled), ResourceTable.LIMIT);
  }

  /**
   * Settles the scales of the resources for new nodes and the workloads placed on them.
   *
   * @param replaced the index of the node that the new one replaces; -1 for none
   * @throws InvalidInputException if something is out of range; then nothing has changed
   */
  public void admitNodes(List<Node> nodes, int replaced) {
    begin();
    for (Node node : nodes) {
      for (int i = 0; i < node.resources().size(); i++) {
        String name = node.resources().name(i);
        Quantity left = node.resources().quantity(i);
        int id = resources.intern(name);
        note(id, ResourceTable.offered(left).scale());
        offer(id, capacity(node, name, left));
      }
      for (Workload workload : node.workloads()) {
        takeAll(workload.requirements());
      }
    }
    admit(nodes, List.of(), replaced);
  }

  /**
   * Settles the scales of the resources.
   *
   * @param workloads the new workloads beside those placed on the new nodes
   * @param replaced the index of the node that the new one replaces; -1 for none
   * @return whether every resource has the scale wanted; else the results of {@link #take} are void
   * @throws InvalidInputException if something is out of range; then nothing has changed
   */
  boolean admit(List<Node> nodes, List<Workload> workloads, int replaced) {
    boolean asWanted = true;
    BigDecimal[] tops = null; // Of the resources counted exactly.
    for (int i = 0; i < count; i++) {
      int id = ids[i];
      if (!fits(id)) {
        tops = tops == null ? new BigDecimal[count] : tops;
        int wanted = digits[id];
        tops[i] = exactly(id, nodes, workloads, replaced);
        asWanted &= digits[id] == wanted;
      }
    }
    for (int i = 0; i < count; i++) {
      int id = ids[i];
      accounts.rescale(id, digits[id]);
      resources.largest[id] =
          tops == null || tops[i] == null
              ? Math.max(resources.largest[id], largest[id])
              : tops[i].movePointRight(digits[id]).longValueExact();
    }
    return asWanted;
  }

  /**
   * Settles the scales of the resources for new workloads, or for one that is restored.
   *
   * @throws InvalidInputException if something is out of range; then nothing has changed
   */
  public void admitWorkloads(List<Workload> workloads) {
    begin();
    for (Workload workload : workloads) {
      takeAll(requirementsOf.apply(workload));
    }
    admit(List.of(), workloads, -1);
  }

  /** Notes the requirements of one workload. */
  private void takeAll(Resources requirements) {
    for (int i = 0; i < requirements.size(); i++) {
      take(
          resources.intern(requirements.name(i)),
          ResourceTable.required(requirements.quantity(i)),
          1);
    }
  }

  private boolean fits(int id) {
    long top = resources.largest[id];
    long placed = resources.placed[id];
    if (digits[id] != resources.digits[id]) {
      long finer = POWERS[digits[id] - resources.digits[id]];
      top = times(top, finer);
      placed = times(placed, finer);
    }
    return Math.max(top, largest[id]) < ResourceTable.LIMIT - required[id] - placed;
  }

  /**
   * Counts one resource from the present state, sets its scale, and returns its largest capacity.
   */
  private BigDecimal exactly(int id, List<Node> nodes, List<Workload> workloads, int replaced) {
    String name = resources.names[id];
    List<Quantity> offered = new ArrayList<>(accounts.capacitiesOf(id, replaced));
    List<Quantity> required = new ArrayList<>(placedQuantities.apply(name));
    for (Node node : nodes) {
      node.resources().get(name).ifPresent(left -> offered.add(capacity(node, name, left)));
      for (Workload workload : node.workloads()) {
        workload.requirements().get(name).map(ResourceTable::required).ifPresent(required::add);
      }
    }
    for (Workload workload : workloads) {
      requirementsOf
          .apply(workload)
          .get(name)
          .map(ResourceTable::required)
          .ifPresent(required::add);
    }
    offered.removeIf(Quantity::isInfinite);
    int scale = 0;
    BigDecimal top = BigDecimal.ZERO;
    for (Quantity quantity : offered) {
      scale = Math.max(scale, quantity.scale());
      top = top.max(quantity.toBigDecimal().abs());
    }
    BigDecimal sum = top;
    for (Quantity quantity : required) {
      scale = Math.max(scale, quantity.scale());
      sum = sum.add(quantity.toBigDecimal().abs());
    }
    BigDecimal limit = new BigDecimal(BigInteger.valueOf(ResourceTable.LIMIT), scale);
    if (sum.compareTo(limit) >= 0) {
      throw outOfRange(name, nodes, workloads, sum, limit, scale);
    }
    digits[id] = scale;
    return top;
  }

  static Quantity capacity(Node node, String name, Quantity left) {
    Quantity capacity = ResourceTable.offered(left);
    for (Workload workload : node.workloads()) {
      Quantity required = workload.requirements().get(name).orElse(Quantity.ZERO);
      capacity = capacity.plus(ResourceTable.required(required));
    }
    return capacity;
  }

  private InvalidInputException outOfRange(
      String name,
      List<Node> nodes,
      List<Workload> workloads,
      BigDecimal sum,
      BigDecimal limit,
      int scale) {
    boolean ofNodes = level.isEmpty();
    Thing thing = null;
    String field = "quantity";
    BigDecimal worst = null;
    for (Node node : nodes) {
      BigDecimal value = finite(node.resources(), name);
      if (isLarger(value, worst)) {
        worst = value;
        thing = ofNodes ? Thing.node(node.name()) : Thing.domain(level, node.name());
        field = "resources." + name;
      }
    }
    for (Workload workload : workloads) {
      BigDecimal value = finite(requirementsOf.apply(workload), name);
      if (isLarger(value, worst)) {
        worst = value;
        thing = Thing.workload(workload.name());
        field = (ofNodes ? "requirements." : "shared." + level + ".") + name;
      }
    }
    String found = text(worst == null ? sum : worst);
    String allowed =
        "of '"
            + name
            + "', the largest magnitude on a "
            + (ofNodes ? "node" : "domain of level '" + level + "'")
            + " and the magnitudes of all "
            + (ofNodes ? "requirements" : "shares")
            + " together, now "
            + text(sum)
            + ", below "
            + limit.toPlainString()
            + " (2^62 / 10^"
            + scale
            + ")";
    return thing == null
        ? new InvalidInputException("resource '" + name + "'", field, found, allowed)
        : new InvalidInputException(thing, field, found, allowed);
  }

  /** The quantity of a resource; null where it is infinite or absent. */
  private static BigDecimal finite(Resources resources, String name) {
    return resources
        .get(name)
        .filter(quantity -> !quantity.isInfinite())
        .map(Quantity::toBigDecimal)
        .orElse(null);
  }

  /** Compares magnitudes; any value is larger than null. */
  private static boolean isLarger(BigDecimal value, BigDecimal than) {
    return value != null && (than == null || value.abs().compareTo(than.abs()) > 0);
  }

  /**
   * All digits of a number. With more than 40 before the point, its first 20, such as 1.25E+400.
   */
  private static String text(BigDecimal number) {
    return number.precision() - number.scale() > 40
        ? number.round(new MathContext(20)).stripTrailingZeros().toString()
        : number.toPlainString();
  }
}

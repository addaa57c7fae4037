package io.lighthouse.core.account;

import io.lighthouse.api.Resources;
import io.lighthouse.api.quantity.Quantity;
import java.math.RoundingMode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The resources in use, interned to small ids. Each has a power of ten that scales its quantities
 * to whole numbers. The id of a resource that is no longer used becomes free.
 *
 * <p>Without the pass over the layout of a node, {@code ChurnBenchmark.hundred} (10,000 nodes) took
 * 1.15 times as long on 2026-11-25.
 */
public final class ResourceTable {
  /** Plus infinity in an account: at least as large as anything required. */
  static final long INFINITY = Long.MAX_VALUE;

  private static final int[] NO_IDS = {};

  /** Minus infinity in an account: less than anything required. */
  static final long NEGATIVE_INFINITY = Long.MIN_VALUE;

  /** Scaled magnitudes of one resource must stay below this. */
  static final long LIMIT = 1L << 62;

  private final NameTable byName;
  private final Map<Layout, Layout> layouts;

  /** The name of each id; null where the id is free. */
  String[] names = new String[8];

  /** Digits after the point of each id's scaled quantities, 0 to 9. */
  int[] digits = new int[8];

  /** By id: how many nodes have the resource. */
  int[] nodes = new int[8];

  /** By id: a bound of the largest finite capacity's magnitude, scaled; exact after a check. */
  long[] largest = new long[8];

  /** By id: the sum of the magnitudes of all placed requirements, scaled; exact. */
  public long[] placed = new long[8];

  /** Ids below this have been given out; those with a null name are free again. */
  int count;

  private final Deque<Integer> free = new ArrayDeque<>();

  /** Layouts that were unused when added here; a roll back may still need them. */
  private final List<Layout> unusedLayouts = new ArrayList<>();

  /** Ids that were new, or whose last layout became unused, when added here. */
  private final List<Integer> unusedIds = new ArrayList<>();

  /** The resources that were interned last, and their ids. */
  private Resources last = Resources.none();

  private int[] lastIds = NO_IDS;

  ResourceTable() {
    byName = new NameTable(id -> names[id]);
    layouts = new HashMap<>();
  }

  /** A copy without layouts; each copied node looks up its own. */
  ResourceTable(ResourceTable other) {
    byName = other.byName.copy(id -> names[id]);
    layouts = new HashMap<>();
    names = other.names.clone();
    digits = other.digits.clone();
    nodes = other.nodes.clone();
    largest = other.largest.clone();
    placed = other.placed.clone();
    count = other.count;
    free.addAll(other.free);
    unusedIds.addAll(other.unusedIds);
  }

  int intern(String name) {
    int id = byName.get(name);
    if (id != NameTable.NONE) {
      return id;
    }
    id = free.isEmpty() ? count : free.pop();
    if (id == names.length) {
      digits = Arrays.copyOf(digits, 2 * id);
      nodes = Arrays.copyOf(nodes, 2 * id);
      largest = Arrays.copyOf(largest, 2 * id);
      placed = Arrays.copyOf(placed, 2 * id);
      names = Arrays.copyOf(names, 2 * id); // Last: its length is that of all.
    }
    count = Math.max(count, id + 1);
    names[id] = name;
    digits[id] = 0;
    nodes[id] = 0;
    largest[id] = 0;
    placed[id] = 0;
    byName.add(name, id);
    unusedIds.add(id); // Last: where the stack ends before, the name is not in the table.
    return id;
  }

  /**
   * The ids of resources, which get one where they have none. Most workloads name the same objects
   * as the one before, also across calls, so their names need no look-up. Without this, a batch of
   * {@code BatchBenchmark} ({@code ROUND_ROBIN}, 10,000 nodes) took 1.15 times as long with 8
   * resources on 2026-11-25, and 1.1 times with 4.
   *
   * @return in the order of names; callers must not change the array
   */
  int[] intern(Resources required) {
    int known = 0;
    int size = required.size();
    while (known < Math.min(size, lastIds.length) && required.name(known) == last.name(known)) {
      known++;
    }
    if (known < size || size < lastIds.length) {
      int[] ids = Arrays.copyOf(lastIds, size);
      for (int k = known; k < size; k++) {
        ids[k] = intern(required.name(k));
      }
      lastIds = ids;
    }
    last = required;
    return lastIds;
  }

  /**
   * Frees the resources and layouts that no node has. Call it only when no batch is open and no
   * roll back is possible.
   */
  public void dropUnused() {
    for (Layout layout : unusedLayouts) {
      if (layout.users == 0) {
        layouts.remove(layout);
      }
    }
    unusedLayouts.clear();
    for (int i = 0; i < unusedIds.size(); i++) {
      int id = unusedIds.get(i);
      if (names[id] != null && nodes[id] == 0) {
        byName.remove(names[id]);
        names[id] = null;
        free.push(id);
        last = Resources.none();
        lastIds = NO_IDS;
      }
    }
    unusedIds.clear();
  }

  /** The shared layout of these resources. All their names are interned. */
  Layout layout(Resources resources) {
    return layout(new Layout(ids(resources)));
  }

  Layout layout(Layout wanted) {
    return layouts.computeIfAbsent(wanted, Layout.class::cast);
  }

  /** Counts a node in (sign 1) or out (sign -1) of its layout and resources. */
  void use(Layout layout, int sign) {
    layout.users += sign;
    for (int id : layout.ids) {
      nodes[id] += sign;
    }
    if (layout.users == 0) {
      unusedLayouts.add(layout);
      for (int id : layout.ids) {
        unusedIds.add(id);
      }
    }
  }

  /** The account of a node's quantity, which has no more digits than its resource. */
  long account(int id, Quantity quantity) {
    if (quantity.isInfinite()) {
      return quantity.signum() > 0 ? INFINITY : NEGATIVE_INFINITY;
    }
    return quantity.scaledTo(digits[id]);
  }

  /**
   * The amount that a requirement takes from an account. It has no more digits than its resource.
   */
  public long need(int id, Quantity quantity) {
    return required(quantity).scaledTo(digits[id]);
  }

  /** The ids of resources; {@link NameTable#NONE} for an unknown one. */
  public int[] ids(Resources required) {
    int[] ids = new int[required.size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = find(required.name(i));
    }
    return ids;
  }

  /**
   * The ids of resources that a node has. They are found in one pass over its layout, since both
   * are in the order of names.
   */
  public int[] ids(Resources required, Layout layout) {
    int[] ids = new int[required.size()];
    int slot = 0;
    for (int i = 0; i < ids.length; i++) {
      while (!names[layout.ids[slot]].equals(required.name(i))) {
        slot++;
      }
      ids[i] = layout.ids[slot];
    }
    return ids;
  }

  /** The amounts that resources take from accounts, by their ids; 0 of an unknown one. */
  public long[] needs(Resources required, int[] ids) {
    long[] needs = new long[ids.length];
    for (int i = 0; i < needs.length; i++) {
      needs[i] = ids[i] == NameTable.NONE ? 0 : need(ids[i], required.quantity(i));
    }
    return needs;
  }

  /** Raises the bound of the largest capacity for a node that was restored. */
  void note(int id, long capacity) {
    if (!isInfinite(capacity)) {
      largest[id] = Math.max(largest[id], Math.abs(capacity));
    }
  }

  static boolean isInfinite(long account) {
    return account == INFINITY || account == NEGATIVE_INFINITY;
  }

  /** The quantity that a node offers, as the ledger rounds it. */
  static Quantity offered(Quantity quantity) {
    return quantity.isInfinite() ? quantity : quantity.rounded(RoundingMode.FLOOR);
  }

  /** The quantity that a workload requires, as the ledger rounds it. */
  public static Quantity required(Quantity quantity) {
    return quantity.rounded(RoundingMode.CEILING);
  }

  // ---- reading ----

  /** A scaled amount as a quantity; the largest and the least long are the infinities. */
  public Quantity quantity(int id, long account) {
    return account == INFINITY
        ? Quantity.INFINITY
        : account == NEGATIVE_INFINITY
            ? Quantity.NEGATIVE_INFINITY
            : Quantity.ofScaled(account, digits[id]);
  }

  /** The name of a resource. */
  public String resource(int id) {
    return names[id];
  }

  /** The id of a resource, or -1 where no node has it. */
  public int resourceId(String name) {
    int id = find(name);
    return id < 0 || nodes[id] == 0 ? -1 : id;
  }

  /** The id of a resource, even of one that only an open batch names, or -1. */
  public int find(String name) {
    return byName.get(name);
  }

  /** Ids of resources stay below this. */
  public int resourceIds() {
    return count;
  }

  /** How many nodes have a resource. */
  public int nodesWith(int id) {
    return nodes[id];
  }

  /** The digits after the point of a resource's scaled amounts, from 0 to 9. */
  public int digits(int id) {
    return digits[id];
  }
}

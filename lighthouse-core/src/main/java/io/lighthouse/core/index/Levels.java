package io.lighthouse.core.index;

import io.lighthouse.core.account.Audit;
import io.lighthouse.core.account.Layout;
import io.lighthouse.core.account.NodeAccounts;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.account.ResourceTable;
import io.lighthouse.core.bitmap.BitRow;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.ledger.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Bitmaps of the nodes that have at least a certain amount left. Each required resource that is not
 * rare has a few levels. Each level has one bitmap, with one bit per node.
 *
 * <p>The levels are quantiles of what is required. A workload takes the bitmap of the highest level
 * that is not above its need. The surviving nodes are checked exactly, so levels affect cost only.
 * When the rest on a node falls, the bits of the levels that it crosses are cleared. When it rises,
 * they are set.
 */
public final class Levels {
  /** More levels mean more bits to flip, fewer mean more survivors to check; 16 measured best. */
  private static final int MOST_LEVELS = 16;

  /**
   * The number of levels of all resources together, but at least one each. With more levels, the
   * bitmaps would be larger than the accounts.
   */
  private static final int ALL_LEVELS = 1_024;

  private final Ledger ledger;
  private final NodeAccounts accounts;
  private final ResourceTable resources;

  /** By id: the dimension of a resource, or -1. */
  private int[] dimensions;

  /** How many levels a dimension has at most. */
  private final int most;

  /** Levels of each dimension, scaled, ascending. */
  private final long[][] levels;

  /** The highest level that a node has, or -1; [node * dimensions + dimension]. */
  private byte[] height;

  /** Roughly what is left of each dimension on each node. */
  private final RoughAmounts rough;

  /** How many slots these have room for. */
  private int capacity;

  private long misses;

  /** One bit per node; [dimension][level]. */
  private final BitRow[][] rows;

  /** Orders whose own bitmaps follow the same levels. */
  private final List<LevelListener> followers = new ArrayList<>();

  /** Reads all nodes. Cost: nodes times dimensions times levels. */
  public Levels(Ledger ledger, NeedSample sample) {
    this.ledger = ledger;
    accounts = ledger.accounts();
    resources = ledger.resources();
    int nodes = ledger.nodes().slotCount();
    int words = (nodes + 63) >> 6;
    dimensions = new int[resources.resourceIds()];
    Arrays.fill(dimensions, -1);
    int count = 0;
    for (int id = 0; id < dimensions.length; id++) {
      if (wanted(id, sample)) {
        dimensions[id] = count++;
      }
    }
    most = Math.max(1, Math.min(MOST_LEVELS, ALL_LEVELS / Math.max(1, count)));
    levels = new long[count][];
    for (int id = 0; id < dimensions.length; id++) {
      if (dimensions[id] >= 0) {
        levels[dimensions[id]] = sample.levels(id, most);
      }
    }
    int[] shifts = new int[count];
    rough = new RoughAmounts(shifts, nodes);
    rows = new BitRow[count][];
    for (int d = 0; d < count; d++) {
      long highest = levels[d][levels[d].length - 1];
      int bits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(highest, 1));
      shifts[d] = Math.max(0, bits - 15);
      rows[d] = new BitRow[levels[d].length];
      for (int level = 0; level < rows[d].length; level++) {
        rows[d][level] = new BitRow(words);
      }
    }
    capacity = nodes;
    height = new byte[count * nodes];
    Arrays.fill(height, (byte) -1);
    for (int node = 0; node < nodes; node++) {
      if (ledger.nodes().alive(node)) {
        nodeAdded(node);
      }
    }
  }

  private boolean wanted(int id, NeedSample sample) {
    return resources.resource(id) != null && sample.has(id) && !RareNames.isRare(ledger, id);
  }

  /** How many nodes passed the bitmaps but had too little. */
  public long misses() {
    return misses;
  }

  /** Counts such a node. */
  public void missed() {
    misses++;
  }

  /** Whether the sample would give the same levels again. */
  boolean matches(NeedSample sample) {
    for (int id = 0; id < resources.resourceIds(); id++) {
      int d = dimension(id);
      if (d < 0 ? wanted(id, sample) : changed(d, id, sample)) {
        return false;
      }
    }
    return true;
  }

  private boolean changed(int d, int id, NeedSample sample) {
    return sample.has(id) && !Arrays.equals(levels[d], sample.levels(id, most));
  }

  public int dimensions() {
    return levels.length;
  }

  public int levels(int dimension) {
    return levels[dimension].length;
  }

  public int height(int dimension, int node) {
    return height[node * levels.length + dimension];
  }

  BitRow row(int dimension, int level) {
    return rows[dimension][level];
  }

  public void follow(LevelListener order) {
    followers.add(order);
  }

  public void unfollow(LevelListener order) {
    followers.remove(order);
  }

  RoughAmounts rough() {
    return rough;
  }

  /** Whether there is a bitmap for what a demand requires of one of its resources. */
  boolean hasRow(Demand demand, int index) {
    int d = dimension(demand.id(index));
    return d >= 0 && !demand.isImmune(index) && level(d, demand.need(index)) >= 0;
  }

  public int dimension(int id) {
    return id < dimensions.length ? dimensions[id] : -1;
  }

  /**
   * The highest level not above a need; -1 where even the lowest is above it. All levels are
   * compared: a loop that ends early is mispredicted, and took 1.10 times as long in a batch of
   * {@code BatchBenchmark} (prioritized, 10,000 nodes) on 2026-11-29.
   */
  public int level(int dimension, long need) {
    int level = -1;
    for (long least : levels[dimension]) {
      level += least <= need ? 1 : 0;
    }
    return level;
  }

  /** Follows a change of what is left of a resource on a node. */
  void leftChanged(int node, int id, long after) {
    int d = dimension(id);
    if (d >= 0) {
      rough.set(node, d, after);
      move(node, d, after);
    }
  }

  /** Adds a node. */
  void nodeAdded(int node) {
    if (node >= capacity) {
      reach(node);
    }
    Layout layout = accounts.layout(node);
    for (int slot = 0; slot < layout.size(); slot++) {
      leftChanged(node, layout.id(slot), accounts.left(node, slot));
    }
  }

  private void reach(int node) {
    int before = capacity;
    capacity = node + 1 + node / 4;
    height = Arrays.copyOf(height, levels.length * capacity);
    Arrays.fill(height, levels.length * before, height.length, (byte) -1);
    rough.reach(capacity);
    for (BitRow[] of : rows) {
      for (BitRow row : of) {
        row.reach(capacity);
      }
    }
  }

  /** Removes a node, and with it the dimension of a resource that only this node has. */
  void nodeRemoving(int node) {
    Layout layout = accounts.layout(node);
    for (int slot = 0; slot < layout.size(); slot++) {
      int id = layout.id(slot);
      int d = dimension(id);
      if (d >= 0) {
        move(node, d, Long.MIN_VALUE);
        if (resources.nodesWith(id) == 1) {
          dimensions[id] = -1; // The id may soon be reused for another resource.
        }
      }
    }
    rough.clear(node);
  }

  private void move(int node, int d, long after) {
    long[] of = levels[d];
    int at = node * levels.length + d;
    int now = height[at];
    while (now >= 0 && of[now] > after) {
      rows[d][now].clear(node);
      for (int i = 0; i < followers.size(); i++) {
        followers.get(i).flip(d, now, node, false);
      }
      now--;
    }
    while (now + 1 < of.length && of[now + 1] <= after) {
      now++;
      rows[d][now].set(node);
      for (int i = 0; i < followers.size(); i++) {
        followers.get(i).flip(d, now, node, true);
      }
    }
    height[at] = (byte) now;
  }

  /** Recomputes the level and the rough amount of each node. */
  void audit(Audit audit) {
    int nodes = ledger.nodes().slotCount();
    for (int id = 0; id < dimensions.length; id++) {
      int d = dimensions[id];
      if (d < 0) {
        continue;
      }
      int[] heights = new int[nodes];
      for (int node = 0; node < nodes; node++) {
        int slot = accounts.layout(node).slot(id);
        long left = slot < 0 ? Long.MIN_VALUE : accounts.left(node, slot);
        heights[node] = slot < 0 ? -1 : level(d, left);
        audit.equal(
            "level of " + resources.resource(id) + " on node",
            node,
            heights[node],
            height(d, node));
        audit.equal(
            "rough amount of " + resources.resource(id) + " on node",
            node,
            slot < 0 ? 0 : rough.lane(d, left),
            rough.of(node, d));
      }
      for (int level = 0; level < rows[d].length; level++) {
        int least = level;
        rows[d][level].audit(
            audit,
            "level " + level + " of " + resources.resource(id),
            node -> heights[node] >= least,
            nodes);
      }
    }
  }

  /**
   * Whether a node and its domains are open and have nothing below 0, and the node has this much of
   * each dimension. No node has what is required of a dimension whose resource is gone: no demand
   * has that dimension any more.
   *
   * @param needs by dimension; {@link Long#MIN_VALUE} where nothing is required
   */
  public boolean suffice(int node, long[] needs) {
    boolean suffices = isSound(accounts, node);
    for (int i = 0; suffices && i < ledger.topology().levelCount(); i++) {
      Level level = ledger.topology().level(i);
      int domain = level.domainOf(node);
      suffices = domain == NodeTable.NONE || isSound(level.accounts(), domain);
    }
    long met = Arrays.stream(needs).filter(need -> need == Long.MIN_VALUE).count();
    for (int id = 0; suffices && id < dimensions.length; id++) {
      int slot = accounts.layout(node).slot(id);
      boolean counts = dimensions[id] >= 0 && needs[dimensions[id]] != Long.MIN_VALUE;
      met += counts && slot >= 0 && accounts.left(node, slot) >= needs[dimensions[id]] ? 1 : 0;
    }
    return suffices && met == needs.length;
  }

  private static boolean isSound(NodeAccounts of, int slot) {
    return !of.cordoned(slot) && of.negatives(slot) == 0;
  }
}

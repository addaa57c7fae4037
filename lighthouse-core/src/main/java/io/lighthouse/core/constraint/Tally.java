package io.lighthouse.core.constraint;

import io.lighthouse.api.Names;
import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.core.ledger.Ledger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts broken conditions: how many each node has, and how many nodes have each kind of them. It
 * is made once and reused, and allocates nothing per node.
 */
public final class Tally implements Constraint.Broken {
  /** The number of broken conditions that marks a node that is left out. */
  public static final int LEFT_OUT = Integer.MAX_VALUE;

  /** By node: how many conditions are broken. */
  private int[] broken = new int[0];

  private boolean partial;

  /** The slots gathered last. */
  private int[] fewest = {};

  private final Ledger ledger;

  /** The query of the last count. */
  private Query counted;

  private int nodes;
  private int current;

  /** One entry for each kind of condition of a rule that has been counted. */
  private final List<Kind> kinds = new ArrayList<>();

  /** How many nodes have each condition of one kind, by its subject. */
  private static final class Kind {
    private final Constraint by;
    private final Reason.Kind kind;
    private int[] counts = new int[8];

    /** The keys that have a count; the first {@link #count}. */
    private int[] keys = new int[8];

    private int count;

    private Kind(Constraint by, Reason.Kind kind) {
      this.by = by;
      this.kind = kind;
    }

    public void add(int key, int times) {
      if (key >= counts.length) {
        counts = Arrays.copyOf(counts, Math.max(key + 1, 2 * counts.length));
      }
      if (counts[key] == 0 && times > 0) {
        if (count == keys.length) {
          keys = Arrays.copyOf(keys, 2 * count);
        }
        keys[count++] = key;
      }
      counts[key] += times;
    }
  }

  public Tally(Ledger ledger) {
    this.ledger = ledger;
  }

  /** Begins a new count over all nodes. */
  public void begin(Query query) {
    if (query != counted) { // Another query has other constraints.
      kinds.clear();
      counted = query;
    }
    nodes = ledger.nodes().slotCount();
    if (broken.length < nodes) {
      broken = new int[nodes + nodes / 4];
    }
    Arrays.fill(broken, 0, nodes, 0);
    partial = false;
    for (Kind kind : kinds) {
      while (kind.count > 0) {
        kind.counts[kind.keys[--kind.count]] = 0;
      }
    }
  }

  /** Leaves a node out: it is farther than any, and adds to no count. Call this before counting. */
  void leaveOut(int node) {
    partial = true;
    broken[node] = LEFT_OUT;
  }

  /** Whether nodes are left out. */
  boolean partial() {
    return partial;
  }

  /** The limit of slots: every slot is below this. */
  public int nodes() {
    return nodes;
  }

  /** Ends the count and marks dead slots as farther than any node. */
  public void end() {
    for (int node = 0; node < nodes && ledger.nodes().nodeCount() < nodes; node++) {
      if (!ledger.nodes().alive(node)) {
        broken[node] = LEFT_OUT;
      }
    }
  }

  /**
   * Gathers the nodes with the fewest broken conditions, in order. No branch of the two loops
   * depends on a node, so that none is mispredicted.
   *
   * @return how many there are; {@link #fewest} returns their slots by index
   */
  public int gatherFewest() {
    if (fewest.length < nodes) {
      fewest = new int[broken.length];
    }
    int least = Integer.MAX_VALUE;
    for (int node = 0; node < nodes; node++) {
      least = Math.min(least, broken[node]);
    }
    int count = 0;
    for (int node = 0; node < nodes; node++) {
      fewest[count] = node;
      count += broken[node] - least - 1 >>> 31;
    }
    return count;
  }

  /** The slot of one of the gathered nodes. */
  public int fewest(int index) {
    return fewest[index];
  }

  /** Whether a slot has a node. */
  boolean alive(int node) {
    return ledger.nodes().alive(node);
  }

  /** How many conditions of a node are broken. */
  public int broken(int node) {
    return broken[node];
  }

  /** Counts what a rule reports of a node. */
  void count(int node, Constraint rule) {
    if (broken[node] != LEFT_OUT) {
      current = node;
      rule.reportBroken(node, this);
    }
  }

  @Override
  public void add(
      Constraint by, int condition, Reason.Kind kind, int key, long lacking, long against) {
    broken[current]++;
    kind(by, kind).add(key, 1);
  }

  /** By node: how many conditions are broken; for callers that count many nodes at once. */
  public int[] broken() {
    return broken;
  }

  /** Adds to the number of nodes that have a condition. */
  void add(Constraint by, Reason.Kind kind, int key, int times) {
    kind(by, kind).add(key, times);
  }

  private Kind kind(Constraint by, Reason.Kind kind) {
    for (Kind each : kinds) {
      if (each.by == by && each.kind == kind) {
        return each;
      }
    }
    Kind fresh = new Kind(by, kind);
    kinds.add(fresh);
    return fresh;
  }

  /** The counts, by kind, level and subject. */
  public List<ReasonCount> counts() {
    Counts counts = new Counts();
    for (Kind kind : kinds) {
      for (int i = 0; i < kind.count; i++) {
        int key = kind.keys[i];
        counts.add(kind.kind, kind.by.level(key), kind.by.about(key), kind.counts[key]);
      }
    }
    return counts.listed();
  }

  /** Counts of reasons over nodes, in the order of reasons. */
  public static final class Counts {
    private final Map<Reason.Kind, Map<String, Map<String, Integer>>> sorted = new TreeMap<>();

    public void add(Reason.Kind kind, String level, String about, int nodes) {
      sorted
          .computeIfAbsent(kind, any -> new TreeMap<>(Names.order()))
          .computeIfAbsent(level, any -> new TreeMap<>(Names.order()))
          .merge(about, nodes, Integer::sum);
    }

    public List<ReasonCount> listed() {
      List<ReasonCount> listed = new ArrayList<>();
      sorted.forEach(
          (kind, byLevel) ->
              byLevel.forEach(
                  (level, byName) ->
                      byName.forEach(
                          (name, count) -> listed.add(new ReasonCount(kind, level, name, count)))));
      return listed;
    }
  }
}

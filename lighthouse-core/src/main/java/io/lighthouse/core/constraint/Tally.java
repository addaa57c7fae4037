package io.lighthouse.core.constraint;

import io.lighthouse.api.Names;
import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.ledger.Ledger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
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

  private final Ledger ledger;

  private int nodes;
  private int current;

  /** One entry for each kind of condition of a rule that has been counted. */
  private final List<Kind> kinds = new ArrayList<>();

  private Counts counts = new Counts();

  /** The conditions of one kind of one rule. */
  private static final class Kind {
    private final Constraint by;
    private final Reason.Kind kind;

    /** By key: the count that the condition adds to; null until it is first broken. */
    private Count[] counts = new Count[8];

    private Kind(Constraint by, Reason.Kind kind) {
      this.by = by;
      this.kind = kind;
    }
  }

  public Tally(Ledger ledger) {
    this.ledger = ledger;
  }

  /** Begins a new count over all nodes. Dead slots are left out. */
  public void begin() {
    kinds.clear();
    counts = new Counts();
    nodes = ledger.nodes().slotCount();
    if (broken.length < nodes) {
      broken = new int[nodes + nodes / 4];
    }
    Arrays.fill(broken, 0, nodes, 0);
    for (int node = 0; node < nodes && ledger.nodes().nodeCount() < nodes; node++) {
      broken[node] = ledger.nodes().alive(node) ? 0 : LEFT_OUT;
    }
  }

  /** Leaves a node out: it is farther than any, and adds to no count. Call this before counting. */
  void leaveOut(int node) {
    broken[node] = LEFT_OUT;
  }

  /** The limit of slots: every slot is below this. */
  public int nodes() {
    return nodes;
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
    count(by, kind, key).add(current);
  }

  /** By node: how many conditions are broken; for callers that count many nodes at once. */
  public int[] broken() {
    return broken;
  }

  /** Adds to the number of nodes that have a condition which no other rule reports. */
  void add(Constraint by, Reason.Kind kind, int key, int times) {
    if (times > 0) {
      count(by, kind, key).nodes += times;
    }
  }

  private Count count(Constraint by, Reason.Kind kind, int key) {
    Kind of = kind(by, kind);
    if (key >= of.counts.length) {
      of.counts = Arrays.copyOf(of.counts, Math.max(key + 1, 2 * of.counts.length));
    }
    if (of.counts[key] == null) {
      of.counts[key] = counts.of(kind, by.level(key), by.about(key));
    }
    return of.counts[key];
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
    return counts.listed();
  }

  /** On how many nodes a reason applies. */
  private static final class Count {
    private int nodes;
    private int last = NodeTable.NONE;

    /** Counts a node once, however many of its conditions have the same reason. */
    void add(int node) {
      nodes += node == last ? 0 : 1;
      last = node;
    }
  }

  /** Counts of reasons over nodes, in the order of reasons. */
  public static final class Counts {
    private record Key(Reason.Kind kind, String level, String about) {}

    private final Map<Key, Count> sorted =
        new TreeMap<>(
            Comparator.comparing(Key::kind)
                .thenComparing(Key::level, Names.order())
                .thenComparing(Key::about, Names.order()));

    /** Counts a reason of a node. The reasons of one node are added one after another. */
    public void add(Reason.Kind kind, String level, String about, int node) {
      of(kind, level, about).add(node);
    }

    private Count of(Reason.Kind kind, String level, String about) {
      return sorted.computeIfAbsent(new Key(kind, level, about), any -> new Count());
    }

    public List<ReasonCount> listed() {
      List<ReasonCount> listed = new ArrayList<>();
      sorted.forEach(
          (key, count) -> listed.add(new ReasonCount(key.kind, key.level, key.about, count.nodes)));
      return listed;
    }
  }
}

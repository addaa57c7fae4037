package io.lighthouse.benchmarks.placer;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A simple first implementation of placement, like that of pylighthouse: objects, hash maps and
 * doubles. It walks over the friendly nodes first, then once more over all. Its checks are
 * pylighthouse's, in the same order, without the sets that Python builds for each. It checks
 * aversion only where the workload has groups. Bin-pack walks a sorted map of (score, name), and
 * skips nodes that score less than the workload wherever that is safe.
 */
public final class NaivePlacer implements StepPlacer {
  private final Contestant rule;
  private final List<NaiveNode> nodes = new ArrayList<>();
  private final List<NaiveWorkload> workloads = new ArrayList<>();
  private final Map<String, Double> rubric = new LinkedHashMap<>();

  /** Bin-pack: the nodes by score, then name. */
  private final TreeMap<Key, NaiveNode> byScore = new TreeMap<>();

  /** Round robin: the node at which the next search begins. */
  private int next;

  /** Takes over a problem, for prioritized, round-robin or bin-pack. */
  public NaivePlacer(BenchmarkProblem problem, Contestant rule) {
    this.rule = rule;
    for (Node node : problem.nodes()) {
      nodes.add(new NaiveNode(nodes.size(), node.name(), node.resources()));
    }
    for (Workload workload : problem.workloads()) {
      workloads.add(new NaiveWorkload(workload));
    }
    rubric.putAll(toMap(problem.rubric().weights()));
    restore(new int[0], new int[0], 0);
  }

  @Override
  public void restore(int[] turns, int[] nodeOf, int upTo) {
    next = 0;
    byScore.clear();
    for (NaiveNode node : nodes) {
      node.clear();
    }
    for (int i = 0; i < upTo; i++) {
      int node = nodeOf[turns[i]];
      if (node != NONE) {
        nodes.get(node).attach(workloads.get(turns[i]));
        next = (node + 1) % nodes.size();
      }
    }
    if (rule == Contestant.BIN_PACK) {
      for (NaiveNode node : nodes) {
        node.score = score(node.resources);
        byScore.put(new Key(node.score, node.name), node);
      }
    }
  }

  @Override
  public int place(int workload) {
    NaiveWorkload load = workloads.get(workload);
    int node = walk(load, true);
    return node == NONE ? walk(load, false) : node;
  }

  /** One pass: over friendly nodes only, or over all. */
  private int walk(NaiveWorkload load, boolean friendly) {
    return switch (rule) {
      case PRIORITIZED -> walkFrom(0, load, friendly);
      case ROUND_ROBIN -> walkFrom(next, load, friendly);
      case BIN_PACK -> walkByScore(load, friendly);
      default -> throw new IllegalStateException("no naive " + rule);
    };
  }

  private int walkFrom(int start, NaiveWorkload load, boolean friendly) {
    for (int i = 0; i < nodes.size(); i++) {
      int index = (start + i) % nodes.size();
      if (nodes.get(index).attempt(load, friendly)) {
        next = (index + 1) % nodes.size();
        return index;
      }
    }
    return NONE;
  }

  private int walkByScore(NaiveWorkload load, boolean friendly) {
    double least = load.onlyTakes ? score(load.requirements) : Double.NEGATIVE_INFINITY;
    for (Map.Entry<Key, NaiveNode> entry : byScore.entrySet()) {
      NaiveNode node = entry.getValue();
      if (entry.getKey().score() >= least && node.attempt(load, friendly)) {
        byScore.remove(entry.getKey());
        node.score = score(node.resources);
        byScore.put(new Key(node.score, node.name), node);
        return node.index;
      }
    }
    return NONE;
  }

  private double score(Map<String, Double> parts) {
    double sum = 0;
    for (Map.Entry<String, Double> weight : rubric.entrySet()) {
      Double part = parts.get(weight.getKey());
      if (part != null) {
        sum += weight.getValue() * part;
      }
    }
    return sum;
  }

  private static Map<String, Double> toMap(Resources resources) {
    Map<String, Double> map = new HashMap<>();
    for (int i = 0; i < resources.size(); i++) {
      Quantity quantity = resources.quantity(i);
      map.put(
          resources.name(i),
          quantity.isInfinite()
              ? quantity.signum() * Double.POSITIVE_INFINITY
              : quantity.toBigDecimal().doubleValue());
    }
    return map;
  }

  private record Key(double score, String name) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byScore = Double.compare(score, other.score);
      return byScore != 0 ? byScore : name.compareTo(other.name);
    }
  }

  private static final class NaiveWorkload {
    final String name;
    final Map<String, Double> requirements;
    final Set<String> immunities;
    final Set<String> groups;

    /**
     * Whether every node that takes the workload scores at least as much: it gives nothing and
     * ignores nothing.
     */
    final boolean onlyTakes;

    NaiveWorkload(Workload workload) {
      name = workload.name();
      requirements = toMap(workload.requirements());
      immunities = new HashSet<>(workload.immunities());
      groups = new HashSet<>(workload.aversionGroups());
      onlyTakes =
          immunities.isEmpty() && requirements.values().stream().allMatch(value -> value >= 0);
    }
  }

  private static final class NaiveNode {
    final int index;
    final String name;
    final Map<String, Double> capacity;
    final Map<String, Double> resources;
    final Map<String, NaiveWorkload> assigned = new HashMap<>();
    double score;

    NaiveNode(int index, String name, Resources given) {
      this.index = index;
      this.name = name;
      capacity = toMap(given);
      resources = new HashMap<>(capacity);
    }

    void clear() {
      assigned.clear();
      resources.putAll(capacity);
    }

    boolean attempt(NaiveWorkload load, boolean friendly) {
      if (friendly && averse(load)) {
        return false;
      }
      for (String wanted : load.requirements.keySet()) {
        if (!resources.containsKey(wanted)) {
          return false;
        }
      }
      for (Map.Entry<String, Double> wanted : load.requirements.entrySet()) {
        if (resources.get(wanted.getKey()) - wanted.getValue() < 0
            && !load.immunities.contains(wanted.getKey())) {
          return false;
        }
      }
      for (Map.Entry<String, Double> had : resources.entrySet()) {
        if (!load.requirements.containsKey(had.getKey())
            && had.getValue() < 0
            && !load.immunities.contains(had.getKey())) {
          return false;
        }
      }
      attach(load);
      return true;
    }

    void attach(NaiveWorkload load) {
      for (Map.Entry<String, Double> wanted : load.requirements.entrySet()) {
        resources.put(wanted.getKey(), resources.get(wanted.getKey()) - wanted.getValue());
      }
      assigned.put(load.name, load);
    }

    private boolean averse(NaiveWorkload load) {
      if (load.groups.isEmpty()) {
        return false;
      }
      for (NaiveWorkload other : assigned.values()) {
        if (!Collections.disjoint(load.groups, other.groups)) {
          return true;
        }
      }
      return false;
    }
  }
}

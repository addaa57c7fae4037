package io.lighthouse.json.problem;

import io.lighthouse.json.Place;
import io.lighthouse.json.token.Tokens;
import io.lighthouse.json.token.Trail;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Where domains, nodes, workloads and the members at the top stand in a text, and which of two
 * words it uses for workloads: eight bytes for each. A step to something in them is the name of a
 * member, or the index of an entry. Written by one parser, then only read.
 */
public final class Positions {
  /** Line 1, column 1. */
  private static final long TOP = 1L << Integer.SIZE | 1;

  /** By index: where the node or workload begins, as in {@link Tokens#position}. */
  private long[] nodes = new long[16];

  private long[] workloads = new long[16];
  private int nodeCount;
  private int workloadCount;

  /** By index of a workload: that of the entry it was written out of; null while they are equal. */
  private int[] entries;

  private long[] domains = new long[16];
  private int domainCount;

  private String topWord = "workloads";

  /** Where the other members of the problem stand, by name. */
  private final Map<String, Long> members = new HashMap<>();

  /** The nodes that say loads. */
  private final BitSet loads = new BitSet();

  /** The word that the problem uses for its workloads. */
  void topWord(String word) {
    topWord = word;
  }

  /** A member of the problem stands at a position. */
  void member(String name, long position) {
    members.put(name, position);
  }

  /** The next node begins at a position; the word is null where it has no workloads. */
  void node(long position, String word) {
    if (nodeCount == nodes.length) {
      nodes = Arrays.copyOf(nodes, 2 * nodeCount);
    }
    loads.set(nodeCount, "loads".equals(word));
    nodes[nodeCount++] = position;
  }

  /** The next workload of the problem begins at a position; replicas have one entry together. */
  void workload(long position, int entry) {
    if (workloadCount == workloads.length) {
      workloads = Arrays.copyOf(workloads, 2 * workloadCount);
    }
    if (entries == null && entry != workloadCount) {
      entries = new int[workloads.length];
      Arrays.setAll(entries, i -> i);
    }
    if (entries != null) {
      entries =
          entries.length == workloads.length ? entries : Arrays.copyOf(entries, workloads.length);
      entries[workloadCount] = entry;
    }
    workloads[workloadCount++] = position;
  }

  /** The next domain begins at a position. */
  void domain(long position) {
    if (domainCount == domains.length) {
      domains = Arrays.copyOf(domains, 2 * domainCount);
    }
    domains[domainCount++] = position;
  }

  /** The place of a domain, or of something in it. */
  public Place inDomain(int domain, Object... steps) {
    return at(new Trail().name("domains").index(domain), domains[domain], steps);
  }

  /** The place of a node, or of something in it. */
  public Place inNode(int node, Object... steps) {
    return at(new Trail().name("nodes").index(node), nodes[node], steps);
  }

  /** The place of a workload of the problem, or of something in it. */
  public Place inWorkload(int workload, Object... steps) {
    int entry = entries == null ? workload : entries[workload];
    return at(new Trail().name(topWord).index(entry), workloads[workload], steps);
  }

  /**
   * The place of a workload on a node, or of something in it; its line and column are the node's.
   */
  public Place inPlaced(int node, int workload, Object... steps) {
    String word = loads.get(node) ? "loads" : "workloads";
    return at(new Trail().name("nodes").index(node).name(word).index(workload), nodes[node], steps);
  }

  /**
   * The place of a member of the problem, or of something in it. If it is missing, the line and
   * column are those of the strategy, which may need it; if both are missing, 1.
   */
  public Place inMember(String member, Object... steps) {
    long strategy = members.getOrDefault("strategy", TOP);
    return at(new Trail().name(member), members.getOrDefault(member, strategy), steps);
  }

  private static Place at(Trail trail, long position, Object... steps) {
    for (Object step : steps) {
      if (step instanceof Integer index) {
        trail.index(index);
      } else {
        trail.name((String) step);
      }
    }
    return trail.at(position);
  }
}

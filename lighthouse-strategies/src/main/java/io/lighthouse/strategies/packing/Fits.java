package io.lighthouse.strategies.packing;

import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.Session;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which nodes could take a workload if they were empty, judged by the names of resources and the
 * wards. A guess that lets a search skip nodes without a required tag. Where there are few pairs of
 * kinds, it is computed once for each.
 */
final class Fits {
  /** The most pairs of kinds whose results are kept, a byte each. */
  private static final long MOST_KNOWN = 1L << 26;

  private static final byte UNKNOWN = 0;
  private static final byte YES = 1;
  private static final byte NO = 2;

  /** The kind of each workload: the names that it requires, and its immunities. */
  private final int[] loadKinds;

  /** The kind of each node: the names of its resources, and its wards. */
  private final int[] nodeKinds;

  /** The kinds of workloads by number, and those of nodes. */
  private final List<Kind> loadKind;

  private final List<Kind> nodeKind;

  /**
   * What workloads or nodes have in common.
   *
   * @param names the resources that a workload requires, or that a node has
   * @param wards those that a workload is immune to, or that are wards of a node
   */
  private record Kind(Set<String> names, Set<String> wards) {}

  /** The results by kind of workload, then by kind of node; null where there are too many. */
  private final byte[][] known;

  Fits(Session session, Fleet fleet) {
    Map<Kind, Integer> ofLoads = new LinkedHashMap<>();
    Map<Kind, Integer> ofNodes = new LinkedHashMap<>();
    loadKinds = new int[session.size()];
    nodeKinds = new int[fleet.size()];
    for (int load = 0; load < loadKinds.length; load++) {
      Workload workload = session.workload(load);
      Kind kind = new Kind(Set.copyOf(workload.requirements().names()), workload.immunities());
      loadKinds[load] = ofLoads.computeIfAbsent(kind, any -> ofLoads.size());
    }
    for (int node = 0; node < nodeKinds.length; node++) {
      Map<String, Quantity> capacity = fleet.node(node).capacity().asMap();
      Set<String> wards = new TreeSet<>();
      capacity.forEach(
          (name, quantity) -> {
            if (quantity.isInfinite() && quantity.signum() < 0) {
              wards.add(name);
            }
          });
      Kind kind = new Kind(Set.copyOf(capacity.keySet()), wards);
      nodeKinds[node] = ofNodes.computeIfAbsent(kind, any -> ofNodes.size());
    }
    loadKind = List.copyOf(ofLoads.keySet());
    nodeKind = List.copyOf(ofNodes.keySet());
    boolean isKept = (long) loadKind.size() * nodeKind.size() <= MOST_KNOWN;
    known = isKept ? new byte[loadKind.size()][] : null;
  }

  /** The same for some of the workloads and nodes, by their indexes there. */
  Fits(Fits all, int[] loads, int[] nodes) {
    loadKinds = Arrays.stream(loads).map(load -> all.loadKinds[load]).toArray();
    nodeKinds = Arrays.stream(nodes).map(node -> all.nodeKinds[node]).toArray();
    loadKind = all.loadKind;
    nodeKind = all.nodeKind;
    known = all.known == null ? null : new byte[loadKind.size()][];
  }

  boolean allows(int load, int node) {
    int asked = loadKinds[load];
    int offered = nodeKinds[node];
    if (known == null) {
      return allows(loadKind.get(asked), nodeKind.get(offered));
    }
    byte[] row = known[asked];
    if (row == null) {
      row = new byte[nodeKind.size()];
      known[asked] = row;
    }
    if (row[offered] == UNKNOWN) {
      row[offered] = allows(loadKind.get(asked), nodeKind.get(offered)) ? YES : NO;
    }
    return row[offered] == YES;
  }

  private static boolean allows(Kind asked, Kind offered) {
    return offered.names.containsAll(asked.names) && asked.wards.containsAll(offered.wards);
  }
}

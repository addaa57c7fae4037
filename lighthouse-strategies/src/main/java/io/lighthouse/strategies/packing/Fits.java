package io.lighthouse.strategies.packing;

import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.strategy.Fleet;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which nodes could take a workload if they were empty, judged by the names of resources and the
 * wards. A guess that lets a search skip nodes without a required tag. Computed once for each pair
 * of kinds.
 */
final class Fits {
  private static final byte UNKNOWN = 0;
  private static final byte YES = 1;
  private static final byte NO = 2;

  /** The kind of each workload: the names that it requires, and its immunities. */
  private final int[] loadKinds;

  /** The kind of each node: the names of its resources, and its wards. */
  private final int[] nodeKinds;

  private final List<List<Set<String>>> loadKind;
  private final List<List<Set<String>>> nodeKind;

  /** The results by kind of workload, then by kind of node. */
  private final byte[][] known;

  Fits(Board board, Fleet fleet) {
    Map<List<Set<String>>, Integer> ofLoads = new LinkedHashMap<>();
    Map<List<Set<String>>, Integer> ofNodes = new LinkedHashMap<>();
    loadKinds = new int[board.loads];
    nodeKinds = new int[board.nodes];
    for (int load = 0; load < loadKinds.length; load++) {
      Workload workload = board.session.workload(load);
      List<Set<String>> kind =
          List.of(Set.copyOf(workload.requirements().names()), workload.immunities());
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
      List<Set<String>> kind = List.of(Set.copyOf(capacity.keySet()), wards);
      nodeKinds[node] = ofNodes.computeIfAbsent(kind, any -> ofNodes.size());
    }
    loadKind = List.copyOf(ofLoads.keySet());
    nodeKind = List.copyOf(ofNodes.keySet());
    known = new byte[loadKind.size()][];
  }

  /** The same for some of the workloads and nodes, by their indexes there. */
  Fits(Fits all, int[] loads, int[] nodes) {
    loadKinds = Arrays.stream(loads).map(load -> all.loadKinds[load]).toArray();
    nodeKinds = Arrays.stream(nodes).map(node -> all.nodeKinds[node]).toArray();
    loadKind = all.loadKind;
    nodeKind = all.nodeKind;
    known = new byte[loadKind.size()][];
  }

  boolean allows(int load, int node) {
    byte[] row = known[loadKinds[load]];
    if (row == null) {
      row = new byte[nodeKind.size()];
      known[loadKinds[load]] = row;
    }
    int kind = nodeKinds[node];
    if (row[kind] == UNKNOWN) {
      List<Set<String>> asked = loadKind.get(loadKinds[load]);
      List<Set<String>> offered = nodeKind.get(kind);
      row[kind] =
          offered.get(0).containsAll(asked.get(0)) && asked.get(1).containsAll(offered.get(1))
              ? YES
              : NO;
    }
    return row[kind] == YES;
  }
}

package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.decide.StockFilters.Fault;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Whichever change makes a refused pod fit is among those that help with a filter that refused it,
 * as the naive filters judge. Each entry of the table is the only one to help in some case, so a
 * table without it would leave that pod waiting.
 */
class FilterProperties {
  private static final int LIVES = 500;
  private static final int STEPS = 12;

  /** Filters of which these clusters have nothing. */
  private static final Set<Filter> OF_CLAIMS =
      Set.of(
          Filter.PRE_FILTER,
          Filter.VOLUME_RESTRICTIONS,
          Filter.NODE_VOLUME_LIMITS,
          Filter.VOLUME_BINDING,
          Filter.VOLUME_ZONE,
          Filter.DYNAMIC_RESOURCES);

  /** Entries that are rare here; {@link FilterTest} shows that each is needed. */
  private static final Set<String> BY_EXAMPLE =
      Set.of(
          "NODE_PORTS POD_LEFT",
          "POD_AFFINITY NODE_REMOVED",
          "POD_AFFINITY POD_LEFT",
          "POD_ANTI_AFFINITY NAMESPACE_LABELS",
          "POD_ANTI_AFFINITY NODE_LABELS",
          "POD_TOPOLOGY_SPREAD POD_ARRIVED",
          "POD_TOPOLOGY_SPREAD POD_LEFT");

  @Test
  void whateverMakesARefusedPodFitHelpsAFilterThatRefusedIt() {
    Set<String> needed = new TreeSet<>();
    for (int seed = 0; seed < LIVES; seed++) {
      Life life = new Life(seed);
      for (int step = 0; step < STEPS; step++) {
        Set<ClusterChange> changes = life.step();
        for (String uid : life.fitting()) {
          Set<String> entries = entries(life.refusedBy.get(uid), changes);
          assertThat(entries)
              .as("seed %s, step %s: %s fits after %s", seed, step, uid, changes)
              .isNotEmpty();
          if (entries.size() == 1) {
            needed.addAll(entries);
          }
        }
        life.tryAgain(changes);
      }
    }
    needed.addAll(BY_EXAMPLE);
    assertThat(needed).isEqualTo(table());
  }

  /** The entries of the table by which changes wake a pod. */
  private static Set<String> entries(Set<Filter> filters, Set<ClusterChange> changes) {
    Set<String> entries = new TreeSet<>();
    for (Filter filter : filters) {
      for (ClusterChange change : filter.helpedBy()) {
        if (changes.contains(change)) {
          entries.add(filter + " " + change);
        }
      }
    }
    return entries;
  }

  private static Set<String> table() {
    Set<String> table = new TreeSet<>();
    for (Filter filter : Filter.values()) {
      if (filter != Filter.PLUG_IN_RULE && !OF_CLAIMS.contains(filter)) {
        filter.helpedBy().forEach(change -> table.add(filter + " " + change));
      }
    }
    return table;
  }

  /** A cluster with refused pods, and one change after the other. */
  private static final class Life {
    final RandomCluster make;
    final Cluster cluster = Clusters.of(Distributors.installed().strategy("spread"));
    final Map<String, ObjectNode> nodes = new LinkedHashMap<>();
    final Map<String, ObjectNode> placed = new LinkedHashMap<>();
    final Map<String, ObjectNode> namespaces = new LinkedHashMap<>();
    final Map<String, JsonNode> waiting = new LinkedHashMap<>();

    /** What refused each waiting pod when it was last tried. */
    final Map<String, Set<Filter>> refusedBy = new LinkedHashMap<>();

    private int names;

    Life(long seed) {
      make = new RandomCluster(seed);
      make.nodes.forEach(node -> nodes.put(name(node), (ObjectNode) node));
      if (seed % 2 > 0) {
        nodes.values().forEach(node -> node.putObject("spec"));
      }
      make.placed.forEach(pod -> placed.put(uid(pod), (ObjectNode) pod));
      make.namespaces.forEach(one -> namespaces.put(name(one), (ObjectNode) one));
      Clusters.replaceAll(
          cluster, List.copyOf(nodes.values()), List.copyOf(placed.values()), make.namespaces);
      for (int i = 0; i < 12; i++) {
        ObjectNode pod = make.pod(false);
        if (seed % 2 > 0) {
          keepOne(pod);
        }
        cluster.podChanged(pod);
        waiting.put(uid(pod), pod);
        attempt(uid(pod));
      }
    }

    /** Leaves a pod with one kind of constraint about other pods, which then decides alone. */
    private void keepOne(ObjectNode pod) {
      ObjectNode spec = (ObjectNode) pod.get("spec");
      spec.remove(List.of("containers", "initContainers", "overhead", "resources", "nodeSelector"));
      String kept = make.pick("podAffinity", "podAntiAffinity", "spread", "spread");
      ObjectNode affinity = (ObjectNode) spec.get("affinity");
      affinity.properties().stream()
          .map(Map.Entry::getKey)
          .filter(kind -> !kind.equals(kept))
          .toList()
          .forEach(affinity::remove);
      spec.remove("topologySpreadConstraints");
      if (kept.equals("spread")) {
        ObjectNode spread = spec.putArray("topologySpreadConstraints").addObject();
        spread
            .put("topologyKey", "zone")
            .put("maxSkew", 1)
            .put("whenUnsatisfiable", "DoNotSchedule")
            .put("nodeTaintsPolicy", make.pick("Honor", "Honor", "Ignore"))
            .putObject("labelSelector")
            .putObject("matchLabels")
            .put("app", "web");
        ((ObjectNode) pod.at("/metadata/labels")).put("app", "web");
        pod.withObjectProperty("metadata").put("namespace", "default");
      }
    }

    private static String name(JsonNode object) {
      return object.at("/metadata/name").asString();
    }

    private static String uid(JsonNode pod) {
      return pod.at("/metadata/uid").asString();
    }

    /** Tries a pod; it stays unbound if it fits, and is of no more interest. */
    private void attempt(String uid) {
      Decision decision = cluster.decide(List.of(uid)).get(0);
      if (decision instanceof Decision.Refused refused) {
        refusedBy.put(uid, refused.filters());
      } else {
        cluster.assumeFailed(uid);
        cluster.podGone(uid);
        waiting.remove(uid);
        refusedBy.remove(uid);
      }
    }

    void tryAgain(Set<ClusterChange> changes) {
      for (String uid : List.copyOf(refusedBy.keySet())) {
        if (!entries(refusedBy.get(uid), changes).isEmpty()) {
          attempt(uid);
        }
      }
    }

    /** The refused pods that some node takes now, as the naive filters judge. */
    List<String> fitting() {
      StockFilters stock =
          new StockFilters(
              List.copyOf(nodes.values()),
              List.copyOf(placed.values()),
              List.copyOf(namespaces.values()),
              Fault.NONE);
      List<String> fitting = new ArrayList<>();
      waiting.forEach(
          (uid, pod) -> {
            if (!stock.feasible(pod).isEmpty()) {
              fitting.add(uid);
            }
          });
      return fitting;
    }

    Set<ClusterChange> step() {
      return switch (make.below(12)) {
        case 0 -> nodeSeen(make.node("m" + names++));
        case 1 -> nodeGone();
        case 2 -> nodeSeen(relabelled(anyNode()));
        case 3 -> nodeSeen(tainted(anyNode()));
        case 4 -> nodeSeen(opened(anyNode()));
        case 5 -> nodeSeen(enlarged(anyNode()));
        case 6 -> podSeen(arriving());
        case 7 -> podGone();
        case 8 -> podSeen(relabelledPod());
        case 9 -> podSeen(ending());
        case 10 -> podSeen(shrunk());
        default -> namespaceSeen();
      };
    }

    // ---- nodes ----

    private ObjectNode anyNode() {
      return nodes.isEmpty()
          ? make.node("m" + names++)
          : List.copyOf(nodes.values()).get(make.below(nodes.size())).deepCopy();
    }

    private Set<ClusterChange> nodeSeen(ObjectNode node) {
      nodes.put(name(node), node);
      return cluster.nodeChanged(node);
    }

    private Set<ClusterChange> nodeGone() {
      String name = name(anyNode());
      nodes.remove(name);
      return cluster.nodeGone(name);
    }

    private ObjectNode relabelled(ObjectNode node) {
      ObjectNode labels = (ObjectNode) node.at("/metadata/labels");
      String key = make.pick("zone", "zone", "kubernetes.io/hostname", "rack", "disk", "gen");
      if (make.chance(40)) {
        labels.remove(key);
      } else {
        labels.put(key, make.pick("a", "b", "c", "ssd", "9"));
      }
      return node;
    }

    private ObjectNode tainted(ObjectNode node) {
      ObjectNode spec = (ObjectNode) node.get("spec");
      if (spec.path("taints").isEmpty()) {
        ArrayNode taints = spec.putArray("taints");
        taints.addObject().put("key", "t").put("effect", make.pick("NoSchedule", "NoExecute"));
      } else {
        spec.remove("taints");
      }
      return node;
    }

    private ObjectNode opened(ObjectNode node) {
      ObjectNode spec = (ObjectNode) node.get("spec");
      spec.put("unschedulable", !spec.path("unschedulable").asBoolean(false));
      return node;
    }

    private ObjectNode enlarged(ObjectNode node) {
      ObjectNode allocatable = (ObjectNode) node.at("/status/allocatable");
      switch (make.below(4)) {
        case 0 -> allocatable.put("cpu", make.pick("1", "16"));
        case 1 -> allocatable.put("memory", make.pick("1Gi", "64Gi"));
        case 2 -> allocatable.put("pods", make.pick("1", "200"));
        default -> allocatable.put("example.com/gpu", make.pick("0", "8"));
      }
      return node;
    }

    // ---- pods ----

    private ObjectNode anyPlaced() {
      return placed.isEmpty()
          ? arriving()
          : List.copyOf(placed.values()).get(make.below(placed.size())).deepCopy();
    }

    private Set<ClusterChange> podSeen(ObjectNode pod) {
      placed.put(uid(pod), pod);
      return cluster.podChanged(pod);
    }

    private Set<ClusterChange> podGone() {
      String uid = uid(anyPlaced());
      placed.remove(uid);
      return cluster.podGone(uid);
    }

    private ObjectNode arriving() {
      ObjectNode pod = make.pod(true);
      if (make.chance(40)) {
        ((ObjectNode) pod.get("metadata")).put("namespace", "default");
        ((ObjectNode) pod.at("/metadata/labels")).put("app", "web");
      }
      String node = make.chance(30) ? "m" + names : name(anyNode());
      ((ObjectNode) pod.get("spec")).put("nodeName", node);
      return pod;
    }

    private ObjectNode relabelledPod() {
      ObjectNode pod = anyPlaced();
      ObjectNode labels = ((ObjectNode) pod.get("metadata")).putObject("labels");
      labels.put("app", make.pick("web", "db", "cache", "none"));
      if (make.chance(30)) {
        labels.put("tier", make.pick("front", "back"));
      }
      return pod;
    }

    private ObjectNode ending() {
      ObjectNode pod = anyPlaced();
      ((ObjectNode) pod.get("metadata")).put("deletionTimestamp", "2026-11-22T11:00:00Z");
      return pod;
    }

    private ObjectNode shrunk() {
      ObjectNode pod = anyPlaced();
      ((ObjectNode) pod.get("status")).remove(List.of("containerStatuses", "resources"));
      ObjectNode spec = (ObjectNode) pod.get("spec");
      spec.remove(List.of("resources", "initContainers", "overhead"));
      for (JsonNode container : spec.get("containers")) {
        ((ObjectNode) container.get("resources")).putObject("requests");
      }
      return pod;
    }

    private Set<ClusterChange> namespaceSeen() {
      String name = make.pick("default", "team", "other");
      if (make.chance(25)) {
        namespaces.remove(name);
        return cluster.namespaceGone(name);
      }
      ObjectNode namespace = RandomCluster.JSON.createObjectNode();
      ObjectNode metadata = namespace.putObject("metadata").put("name", name);
      metadata.putObject("labels").put("tier", make.pick("gold", "tin", "wood"));
      namespaces.put(name, namespace);
      return cluster.namespaceChanged(namespace);
    }
  }
}

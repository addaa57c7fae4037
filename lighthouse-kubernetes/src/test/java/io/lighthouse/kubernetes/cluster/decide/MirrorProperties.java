package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.decide.StockFilters.Fault;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Random events come in any order, doubled, and with fresh lists between. In the end the cluster
 * equals a fresh list, field by field, decides as it does, and judges as the stock rules do.
 */
class MirrorProperties {
  private static final int LIVES = Integer.getInteger("lighthouse.kubernetes.lives", 250);
  private static final int STEPS = 60;

  @Test
  void anyHistoryLeadsToWhatAFreshListSays() {
    int assumed = 0;
    for (int seed = 0; seed < LIVES; seed++) {
      History history = new History(seed);
      for (int step = 0; step < STEPS; step++) {
        history.step();
        if (step % 20 == 19) {
          history.catchUp();
          assertThat(history.differences()).as("seed %s, step %s", seed, step).isEmpty();
          assertThat(history.misjudged()).as("seed %s, step %s", seed, step).isEmpty();
        }
      }
      assumed += history.assumed;
    }
    assertThat(assumed).isGreaterThan(LIVES * 2);
  }

  /** A new leader knows the present objects alone. */
  @Test
  void anyHistoryLeadsToTheDecisionsOfAFreshList() {
    int bound = 0;
    for (int seed = 0; seed < LIVES; seed++) {
      History history = new History(seed);
      for (int step = 0; step < STEPS; step++) {
        history.step();
      }
      history.bindAssumed();
      history.catchUp();
      Cluster fresh = history.fresh();
      for (int i = 0; i < 5; i++) {
        JsonNode pod = history.make.pod(false);
        String decision = decide(history.cluster, pod);
        assertThat(decide(fresh, pod)).as("seed %s, pod %s", seed, pod).isEqualTo(decision);
        bound += decision.startsWith("n") || decision.startsWith("m") ? 1 : 0;
      }
    }
    assertThat(bound).isGreaterThan(LIVES);
  }

  /** The decision about a pod that comes, and goes again. Which node is nearest is left out. */
  private static String decide(Cluster cluster, JsonNode pod) {
    cluster.podChanged(pod);
    String uid = History.uid(pod);
    Decision decision = cluster.decide(List.of(uid)).get(0);
    cluster.podGone(uid);
    return decision instanceof Decision.Bind bind
        ? bind.node() + " " + bind.hash()
        : ((Decision.Refused) decision).message().replaceFirst(" Nearest: .*", "");
  }

  @Tag("planted")
  @Test
  void noticesWhatIsMissed() {
    int noticed = 0;
    for (int seed = 0; seed < 40; seed++) {
      History history = new History(seed);
      for (int step = 0; step < STEPS; step++) {
        history.step();
      }
      history.catchUp();
      history.changeBehindItsBack();
      noticed += history.differences().isEmpty() ? 0 : 1;
    }
    assertThat(noticed).isEqualTo(40);
  }

  /** What the API server holds, and a mirror that hears of it late, twice, and out of order. */
  private static final class History {
    final RandomCluster make;
    final Random random;
    final Cluster cluster = Clusters.of(Distributors.installed().strategy("spread"));
    final Map<String, JsonNode> nodes = new LinkedHashMap<>();
    final Map<String, JsonNode> pods = new LinkedHashMap<>();
    final Map<String, JsonNode> namespaces = new LinkedHashMap<>();

    /** The changes that have not been passed on yet. */
    final List<Runnable> untold = new ArrayList<>();

    int assumed;
    private int names;
    private int version = 1;

    History(long seed) {
      make = new RandomCluster(seed);
      random = new Random(~seed);
      make.nodes.forEach(node -> nodes.put(name(node), node));
      make.placed.forEach(pod -> pods.put(uid(pod), pod));
      make.namespaces.forEach(one -> namespaces.put(name(one), one));
      relist();
    }

    private static String name(JsonNode object) {
      return object.at("/metadata/name").asString();
    }

    private static String uid(JsonNode pod) {
      return pod.at("/metadata/uid").asString();
    }

    private void relist() {
      untold.clear();
      Clusters.replaceAll(cluster, nodes.values(), pods.values(), namespaces.values());
    }

    /** Another cluster of the present objects, with the nodes in the same order. */
    Cluster fresh() {
      List<JsonNode> inOrder =
          cluster.fleet().distributor().snapshot().nodes().stream()
              .map(node -> nodes.get(node.name()))
              .toList();
      Cluster fresh = Clusters.of(Distributors.installed().strategy("spread"));
      Clusters.replaceAll(fresh, inOrder, pods.values(), namespaces.values());
      return fresh;
    }

    /** The pods that are assumed on a node are bound to it. */
    void bindAssumed() {
      for (String uid : List.copyOf(pods.keySet())) {
        cluster
            .assumedNode(uid)
            .ifPresent(
                node -> {
                  ObjectNode pod = (ObjectNode) pods.get(uid).deepCopy();
                  ObjectNode spec = (ObjectNode) pod.get("spec");
                  if (!spec.has("nodeName")) {
                    spec.put("nodeName", node);
                  }
                  pods.put(uid, pod);
                  tellPod(uid);
                });
      }
    }

    List<String> differences() {
      return ClusterDifferences.of(cluster, nodes.values(), pods.values(), namespaces.values());
    }

    /** Passes on all changes; returns the objects as they are now. */
    void catchUp() {
      Collections.shuffle(untold, random);
      untold.forEach(Runnable::run);
      untold.clear();
    }

    void step() {
      switch (random.nextInt(12)) {
        case 0 -> changeNode("m" + names++);
        case 1 -> changeNode(any(nodes));
        case 2 -> drop(nodes, any(nodes), cluster::nodeGone);
        case 3, 4, 5 -> come(random.nextBoolean());
        case 6 -> drop(pods, any(pods), cluster::podGone);
        case 7 -> changePod(any(pods));
        case 8 -> changeNamespace();
        case 9, 10 -> decide();
        default -> {
          if (random.nextInt(4) == 0) {
            relist();
          } else {
            catchUp();
          }
        }
      }
      while (!untold.isEmpty() && random.nextInt(3) > 0) {
        Runnable event = untold.get(random.nextInt(untold.size()));
        event.run();
        if (random.nextInt(4) > 0) {
          untold.remove(event);
        }
      }
    }

    private String any(Map<String, JsonNode> objects) {
      List<String> keys = List.copyOf(objects.keySet());
      return keys.isEmpty() ? "none" : keys.get(random.nextInt(keys.size()));
    }

    private void tellNode(String name) {
      untold.add(
          () -> {
            if (nodes.containsKey(name)) {
              cluster.nodeChanged(nodes.get(name));
            } else {
              cluster.nodeGone(name);
            }
          });
    }

    private void tellPod(String uid) {
      untold.add(
          () -> {
            if (pods.containsKey(uid)) {
              cluster.podChanged(pods.get(uid));
            } else {
              cluster.podGone(uid);
            }
          });
    }

    private void changeNode(String name) {
      nodes.put(name, make.node(name));
      tellNode(name);
    }

    private void drop(
        Map<String, JsonNode> objects, String key, java.util.function.Consumer<String> tell) {
      objects.remove(key);
      untold.add(
          () -> {
            if (!objects.containsKey(key)) {
              tell.accept(key);
            }
          });
    }

    private void come(boolean bound) {
      ObjectNode pod = make.pod(bound);
      if (bound) {
        String node = random.nextInt(10) == 0 ? "later" + random.nextInt(3) : any(nodes);
        ((ObjectNode) pod.get("spec")).put("nodeName", node);
      } else if (random.nextInt(10) == 0) {
        ((ObjectNode) pod.get("status")).put("nominatedNodeName", any(nodes));
      }
      pods.put(uid(pod), pod);
      tellPod(uid(pod));
    }

    private void changePod(String uid) {
      if (!pods.containsKey(uid)) {
        return;
      }
      ObjectNode pod = (ObjectNode) pods.get(uid).deepCopy();
      ObjectNode metadata = (ObjectNode) pod.get("metadata");
      metadata.put("resourceVersion", String.valueOf(++version));
      switch (random.nextInt(5)) {
        case 0 -> metadata.putObject("labels").put("app", make.pick("web", "db"));
        case 1 -> metadata.put("deletionTimestamp", "2026-11-22T11:00:00Z");
        case 2 -> ((ObjectNode) pod.get("status")).put("phase", "Succeeded");
        case 3 -> ((ObjectNode) pod.get("status")).put("phase", "Running");
        default -> {
          ObjectNode spec = (ObjectNode) pod.get("spec");
          if (!spec.has("nodeName")) {
            spec.put("nodeName", any(nodes));
          }
        }
      }
      pods.put(uid, pod);
      tellPod(uid);
    }

    private void changeNamespace() {
      String name = make.pick("default", "team", "other");
      if (random.nextInt(4) == 0) {
        namespaces.remove(name);
      } else {
        ObjectNode namespace = RandomCluster.JSON.createObjectNode();
        ObjectNode metadata = namespace.putObject("metadata").put("name", name);
        metadata.putObject("labels").put("tier", make.pick("gold", "tin", "wood"));
        namespaces.put(name, namespace);
      }
      untold.add(
          () -> {
            if (namespaces.containsKey(name)) {
              cluster.namespaceChanged(namespaces.get(name));
            } else {
              cluster.namespaceGone(name);
            }
          });
    }

    /** Decides some, and binds, fails or forgets each. */
    private void decide() {
      List<String> uids =
          Clusters.waiting(cluster, "lighthouse").stream().map(WaitingPod::uid).limit(4).toList();
      for (Decision decision : cluster.decide(uids)) {
        if (decision instanceof Decision.Bind bind) {
          assumed++;
          String uid = bind.pod().uid();
          assertThat(cluster.assumedNode(uid)).contains(bind.node());
          int outcome = random.nextInt(3);
          if (outcome == 0) {
            assertThat(cluster.assumeFailed(uid)).isTrue();
            assertThat(cluster.assumeFailed(uid)).isFalse();
          } else if (outcome == 1 && pods.containsKey(uid)) {
            ObjectNode pod = (ObjectNode) pods.get(uid).deepCopy();
            String node = random.nextInt(5) == 0 ? any(nodes) : bind.node();
            ObjectNode spec = (ObjectNode) pod.get("spec");
            if (!spec.has("nodeName")) {
              spec.put("nodeName", node);
            }
            pods.put(uid, pod);
            tellPod(uid);
          }
        }
      }
    }

    /** A pod comes that is judged otherwise than by the stock rules, on the state as it is. */
    List<String> misjudged() {
      List<JsonNode> placed = new ArrayList<>();
      for (JsonNode pod : pods.values()) {
        String uid = uid(pod);
        if (cluster.assumedNode(uid).isPresent()) {
          ObjectNode bound = (ObjectNode) pod.deepCopy();
          ((ObjectNode) bound.get("spec")).put("nodeName", cluster.assumedNode(uid).get());
          placed.add(bound);
        } else if (pod.at("/status/nominatedNodeName").isMissingNode()
            || pod.at("/spec").has("nodeName")) {
          placed.add(pod);
        } else {
          return List.of();
        }
      }
      ObjectNode pod = make.pod(false);
      StockFilters stock =
          new StockFilters(
              List.copyOf(nodes.values()), placed, List.copyOf(namespaces.values()), Fault.NONE);
      cluster.podChanged(pod);
      List<String> wrong = new ArrayList<>();
      Clusters.verdicts(cluster, uid(pod))
          .forEach(
              (node, reasons) -> {
                if (reasons.isEmpty() != stock.feasible(pod).contains(node)) {
                  wrong.add(node + " says " + reasons + " to " + pod);
                }
              });
      cluster.podGone(uid(pod));
      return wrong;
    }

    /** A change of something that counts, of which no event tells. */
    void changeBehindItsBack() {
      String name = any(nodes);
      switch (random.nextInt(3)) {
        case 0 -> nodes.put("hidden", make.node("hidden"));
        case 1 -> {
          ObjectNode pod = make.pod(true);
          ((ObjectNode) pod.get("spec")).put("nodeName", name);
          ((ObjectNode) pod.get("status")).put("phase", "Running");
          pods.put(uid(pod), pod);
        }
        default -> {
          ObjectNode node =
              nodes.containsKey(name) ? (ObjectNode) nodes.get(name).deepCopy() : make.node(name);
          ((ObjectNode) node.at("/status/allocatable")).put("memory", "3Gi");
          nodes.put(name, node);
        }
      }
    }
  }
}

package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.decide.StockVolumes.Fault;
import io.lighthouse.kubernetes.cluster.volume.VolumeWork;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The verdict of the stock scheduler on pods with claims of all kinds, pod by pod and node by node,
 * and the volumes that the claims get. Meanwhile storage changes, and pods are bound or given back.
 */
class VolumeProperties {
  /** How many clusters; each gets twenty pods. */
  private static final int CLUSTERS = Integer.getInteger("lighthouse.kubernetes.clusters", 500);

  private static final int PODS = 20;

  @Test
  void everyNodeSaysToEveryPodWithClaimsWhatTheStockSchedulerWouldSay() {
    Map<String, Integer> seen = new TreeMap<>();
    for (int seed = 0; seed < CLUSTERS; seed++) {
      Life life = Lives.agreeing(new Life(seed, Fault.NONE), seed, PODS);
      life.seen.forEach((what, count) -> seen.merge(what, count, Integer::sum));
    }
    Lives.occurred(
        seen,
        CLUSTERS / 50,
        "fits",
        "matches",
        "provisions",
        "given back",
        "not found",
        "is being deleted",
        "non-existent persistentvolume",
        "pod is not owner",
        "waiting for ephemeral",
        "unbound immediate",
        "ReadWriteOncePod",
        "max volume count",
        "persistent volumes to bind",
        "PersistentVolume's node affinity",
        "enough free storage",
        "non-existent pv(s)",
        "volume zone");
  }

  @Tag("planted")
  @ParameterizedTest
  @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void noticesAVolumeRuleThatIsGotWrong(Fault fault) {
    Lives.disagree(fault, CLUSTERS, PODS, seed -> new Life(seed, fault));
  }

  /** A cluster to which pods with claims come, one by one, while its storage changes. */
  private static final class Life implements Lives.Life {
    final RandomCluster random;
    final RandomStorage storage;
    final Cluster cluster = Clusters.of(Distributors.installed().strategy("spread"));
    final List<JsonNode> pods = new ArrayList<>();
    final StockVolumes stock;
    final Map<String, Integer> seen = new TreeMap<>();

    /** The pods that are assumed and not bound. */
    final Map<String, ObjectNode> assumed = new LinkedHashMap<>();

    Life(long seed, Fault fault) {
      random = new RandomCluster(seed);
      storage = new RandomStorage(seed, random.nodes, true);
      stock = new StockVolumes(storage, pods, fault);
      for (JsonNode pod : random.placed) {
        ObjectNode plain = plain((ObjectNode) pod);
        storage.addVolumes(plain);
        storage.attach(plain, plain.at("/spec/nodeName").asString());
        pods.add(plain);
      }
      if (seed % 2 == 0) {
        Clusters.replaceAll(cluster, random.nodes, pods, random.namespaces);
        storage.listen(cluster::changed);
      } else {
        storage.listen(cluster::changed);
        Clusters.replaceAll(cluster, random.nodes, pods, random.namespaces);
      }
    }

    /** Without the constraints that would leave no node to disagree about. */
    private ObjectNode plain(ObjectNode pod) {
      ObjectNode spec = pod.withObjectProperty("spec");
      spec.remove(List.of("initContainers", "overhead", "resources"));
      spec.putArray("containers").addObject().put("name", "c");
      if (random.chance(80)) {
        spec.remove(List.of("affinity", "topologySpreadConstraints", "nodeSelector"));
        spec.putArray("tolerations").addObject().put("operator", "Exists");
      }
      pod.withObjectProperty("metadata").put("namespace", "default");
      return pod;
    }

    private void count(String what) {
      seen.merge(what, 1, Integer::sum);
    }

    @Override
    public Optional<String> step() {
      while (storage.chance(30)) {
        storage.change(random.nodes, cluster::gone);
      }
      if (storage.chance(25)) {
        JsonNode node = random.nodes.get(storage.below(random.nodes.size()));
        ObjectNode labels = (ObjectNode) node.at("/metadata/labels");
        labels.put("rack", "r" + storage.below(3));
        if (storage.chance(50)) {
          labels.put("topology.kubernetes.io/zone", storage.chance(50) ? "a" : "b");
        } else {
          labels.remove("topology.kubernetes.io/zone");
        }
        if (storage.chance(30)) {
          cluster.nodeGone(node.at("/metadata/name").asString());
        }
        cluster.nodeChanged(node);
      }
      ObjectNode pod = plain(random.pod(false));
      storage.addVolumes(pod);
      String uid = pod.at("/metadata/uid").asString();
      cluster.podChanged(pod);
      StockFilters filters =
          new StockFilters(random.nodes, pods, random.namespaces, StockFilters.Fault.NONE);
      filters.volumes = stock;
      Map<String, List<String>> expected = new LinkedHashMap<>();
      for (JsonNode node : random.nodes) {
        List<String> reasons = filters.filter(pod, node);
        reasons.forEach(this::notice);
        expected.put(node.at("/metadata/name").asString(), reasons.stream().sorted().toList());
      }
      Map<String, List<String>> found = new LinkedHashMap<>();
      boolean named = false;
      for (Map.Entry<String, List<String>> entry : Clusters.verdicts(cluster, uid).entrySet()) {
        boolean byName = entry.getValue().toString().contains("[NodeAffinity]");
        named |= byName;
        found.put(
            entry.getKey(),
            byName ? expected.get(entry.getKey()) : entry.getValue().stream().sorted().toList());
      }
      if (!found.equals(expected)) {
        return Optional.of(pod + "\nis told " + found + "\ninstead of " + expected);
      }
      Decision decision = cluster.decide(List.of(uid)).get(0);
      if (decision instanceof Decision.Bind bind) {
        count("fits");
        return placed(pod, bind.node());
      }
      String message = ((Decision.Refused) decision).message();
      return named || message.startsWith(filters.message(pod))
          ? Optional.empty()
          : Optional.of(message + "\ninstead of " + filters.message(pod));
    }

    private void notice(String reason) {
      for (String part :
          List.of(
              "not found",
              "is being deleted",
              "non-existent persistentvolume",
              "pod is not owner",
              "waiting for ephemeral",
              "unbound immediate",
              "ReadWriteOncePod",
              "max volume count",
              "persistent volumes to bind",
              "PersistentVolume's node affinity",
              "enough free storage",
              "non-existent pv(s)",
              "volume zone")) {
        if (reason.contains(part)) {
          count(part);
        }
      }
    }

    /** The volumes must be those of the stock scheduler. */
    private Optional<String> placed(ObjectNode pod, String name) {
      String uid = pod.at("/metadata/uid").asString();
      JsonNode node =
          random.nodes.stream()
              .filter(one -> one.at("/metadata/name").asString().equals(name))
              .findFirst()
              .orElseThrow();
      stock.assume(pod, node);
      Map<String, String> matches = new TreeMap<>();
      Map<String, String> makes = new TreeMap<>();
      Optional<VolumeWork> work = cluster.volumes().work(uid);
      work.ifPresent(
          one -> {
            one.matches().forEach(match -> matches.put(match.claim().key(), match.volume().name()));
            one.provisions().forEach(claim -> makes.put(claim.key(), one.node()));
          });
      if (!matches.equals(stock.matched.get(uid)) || !makes.equals(stock.made.get(uid))) {
        return Optional.of(
            "%s\ngets %s and %s\ninstead of %s and %s"
                .formatted(pod, matches, makes, stock.matched.get(uid), stock.made.get(uid)));
      }
      matches.keySet().forEach(claim -> count("matches"));
      makes.keySet().forEach(claim -> count("provisions"));
      ObjectNode bound = pod.deepCopy();
      bound.withObjectProperty("spec").put("nodeName", name);
      if (storage.chance(20)) {
        count("given back");
        cluster.assumeFailed(uid);
        cluster.podGone(uid);
        stock.release(uid);
        return Optional.empty();
      }
      pods.add(bound);
      if (storage.chance(60)) {
        matches.forEach(storage::bind);
        makes.forEach(storage::provision);
        cluster.podChanged(bound);
        stock.release(uid);
        storage.attach(bound, name);
      }
      return Optional.empty();
    }
  }
}

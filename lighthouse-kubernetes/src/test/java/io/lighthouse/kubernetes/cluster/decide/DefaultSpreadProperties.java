package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.object.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Random clusters with Services and controllers that come, change and go. For each pod, the
 * strategy must be offered exactly the nodes that {@link StockDefaultSpread} finds best.
 */
class DefaultSpreadProperties {
  private static final int CLUSTERS = Integer.getInteger("lighthouse.kubernetes.clusters", 500);
  private static final int PODS = 20;

  @Test
  void podsOfServicesAndControllersAreSpread() {
    int spread = 0;
    for (int seed = 0; seed < CLUSTERS; seed++) {
      Life life = Lives.agreeing(new Life(seed, StockDefaultSpread.Fault.NONE), seed, PODS);
      spread += life.spread;
    }
    assertThat(spread).as("pods for which some nodes were worse").isGreaterThan(CLUSTERS * 3);
  }

  @Tag("planted")
  @ParameterizedTest
  @EnumSource(
      value = StockDefaultSpread.Fault.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = "NONE")
  void noticesARuleThatIsGotWrong(StockDefaultSpread.Fault fault) {
    Lives.disagree(fault, CLUSTERS, PODS, seed -> new Life(seed, fault));
  }

  /** A cluster to which pods come, one by one. */
  private static final class Life implements Lives.Life {
    private static final String[] SPACES = {"default", "team"};

    final Random random;
    final List<String> offered = new ArrayList<>();
    final Cluster cluster = Clusters.of(Distributors.of("emptiest", this::choose));
    final List<JsonNode> nodes = new ArrayList<>();
    final List<JsonNode> pods = new ArrayList<>();
    final Map<Resource, Map<String, JsonNode>> owners = new TreeMap<>();
    final StockDefaultSpread stock;
    int number;
    int spread;

    Life(long seed, StockDefaultSpread.Fault fault) {
      random = new Random(seed);
      stock = new StockDefaultSpread(nodes, pods, owners, fault);
      Resource.OF_DEFAULT_SPREAD.forEach(kind -> owners.put(kind, new TreeMap<>()));
      int labelled = pick(100, 80);
      int count = 2 + random.nextInt(5);
      for (int i = 0; i < count; i++) {
        nodes.add(node("n" + i, labelled));
        cluster.nodeChanged(nodes.get(i));
      }
      for (int i = 0; i < 6; i++) {
        changeOwner();
      }
    }

    /** Takes the emptiest of the nodes that are left after all preferences. */
    FleetNode choose(Workload pod, Candidates candidates) {
      offered.clear();
      candidates.forEach(node -> offered.add(node.name()));
      return candidates.emptiest();
    }

    boolean chance(int percent) {
      return random.nextInt(100) < percent;
    }

    @SafeVarargs
    final <T> T pick(T... among) {
      return among[random.nextInt(among.length)];
    }

    static ObjectNode object() {
      return RandomCluster.JSON.createObjectNode();
    }

    ObjectNode node(String name, int labelled) {
      ObjectNode node = object();
      ObjectNode labels = node.putObject("metadata").put("name", name).putObject("labels");
      if (chance(labelled)) {
        labels.put("kubernetes.io/hostname", name);
      }
      if (chance(labelled)) {
        labels.put("topology.kubernetes.io/zone", pick("a", "b", "c"));
      }
      if (chance(70)) {
        labels.put("rack", pick("r1", "r2"));
      }
      String cpu = pick("100", "200");
      node.putObject("status").putObject("allocatable").put("cpu", cpu).put("pods", "1000");
      return node;
    }

    /** A Service or controller comes, changes or goes; the event may come twice. */
    void changeOwner() {
      Resource kind = pick(Resource.OF_DEFAULT_SPREAD.toArray(Resource[]::new));
      String space = pick(SPACES);
      String name = pick("x", "y");
      String key = space + "/" + name;
      int times = chance(20) ? 2 : 1;
      if (chance(15)) {
        owners.get(kind).remove(key);
        for (int i = 0; i < times; i++) {
          cluster.gone(kind, key);
        }
        return;
      }
      ObjectNode object = object();
      object.putObject("metadata").put("namespace", space).put("name", name);
      ObjectNode spec = object.putObject("spec");
      if (chance(85)) {
        ObjectNode selector = spec.putObject("selector");
        boolean byLabels = kind == Resource.SERVICES || kind == Resource.REPLICATION_CONTROLLERS;
        if (byLabels) {
          labels(selector);
        } else {
          if (chance(80)) {
            labels(selector.putObject("matchLabels"));
          }
          if (chance(40)) {
            ObjectNode expression = selector.putArray("matchExpressions").addObject();
            expression.put("key", "tier").put("operator", pick("In", "NotIn", "Exists", "Wrong"));
            if (expression.get("operator").asString().endsWith("In")) {
              expression.putArray("values").add(pick("front", "back"));
            }
          }
        }
      }
      owners.get(kind).put(key, object);
      for (int i = 0; i < times; i++) {
        cluster.changed(kind, object);
      }
    }

    void labels(ObjectNode labels) {
      if (chance(80)) {
        labels.put("app", pick("web", "db"));
      }
      if (chance(35)) {
        labels.put("tier", pick("front", "back"));
      }
    }

    ObjectNode pod() {
      ObjectNode pod = object();
      String name = "p" + number++;
      ObjectNode metadata =
          pod.putObject("metadata")
              .put("name", name)
              .put("uid", name)
              .put("namespace", chance(75) ? "default" : "team");
      labels(metadata.putObject("labels"));
      if (chance(60)) {
        ArrayNode references = metadata.putArray("ownerReferences");
        if (chance(20)) {
          references.addObject().put("apiVersion", "v1").put("kind", "ConfigMap").put("name", "x");
        }
        String kind = pick("ReplicationController", "ReplicaSet", "StatefulSet", "Service", "Job");
        String version = kind.equals("ReplicationController") ? "v1" : "apps/v1";
        references
            .addObject()
            .put("apiVersion", chance(85) ? version : "other/v1")
            .put("kind", kind)
            .put("name", pick("x", "y", "z"))
            .put("controller", chance(85));
      }
      ObjectNode spec = pod.putObject("spec").put("schedulerName", "lighthouse");
      spec.putArray("containers")
          .addObject()
          .put("name", "c")
          .putObject("resources")
          .putObject("requests")
          .put("cpu", "1");
      if (chance(15)) {
        spec.putArray("topologySpreadConstraints")
            .addObject()
            .put("topologyKey", "rack")
            .put("maxSkew", 1)
            .put("whenUnsatisfiable", "ScheduleAnyway")
            .putObject("labelSelector")
            .putObject("matchLabels")
            .put("app", "web");
      }
      pod.putObject("status").put("phase", "Pending");
      return pod;
    }

    /** The next pod comes and is decided; the difference to the naive model. */
    @Override
    public Optional<String> step() {
      if (chance(40)) {
        changeOwner();
      }
      if (chance(15) && !pods.isEmpty()) {
        ObjectNode ending = (ObjectNode) pods.get(random.nextInt(pods.size()));
        ((ObjectNode) ending.get("metadata")).put("deletionTimestamp", "2026-11-25T11:00:00Z");
        cluster.podChanged(ending);
      }
      ObjectNode pod = pod();
      cluster.podChanged(pod);
      List<String> best = stock.best(pod);
      spread += best.size() < nodes.size() ? 1 : 0;
      Decision decision = cluster.decide(List.of(pod.at("/metadata/uid").asString())).get(0);
      String node = ((Decision.Bind) decision).node();
      ((ObjectNode) pod.get("spec")).put("nodeName", node);
      pods.add(pod);
      if (chance(70)) {
        cluster.podChanged(pod);
      }
      return offered.equals(best)
          ? Optional.empty()
          : Optional.of(pod + "\nis offered " + offered + " instead of " + best + "\n" + owners);
    }
  }
}

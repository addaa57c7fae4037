package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.control.Objects;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** What a cluster keeps of objects that come and go, each with names of its own. */
class ClusterSizesTest {
  /**
   * What may grow: caches with a largest size, and the names of extended resources, which are few.
   */
  private static final List<String> MAY_GROW =
      List.of("/counts/byKey", "/volumes/volumes/selections", "/requested");

  private static final String OURS = "io.lighthouse.kubernetes.";

  private static final String POD =
      """
      {'metadata': {'name': 'NAME', 'namespace': 'ns#', 'uid': 'NAME#', 'labels': {'app#': 'a#'},
          'ownerReferences': [{'kind': 'ReplicaSet', 'name': 'rs', 'controller': true}]},
       'spec': {'priority': PRIORITY,
          'containers': [{'name': 'c', 'image': 'i#', 'ports': [{'hostPort': PORT}],
              'resources': {'requests': {'cpu': '1' REQUEST}}}],
          'tolerations': [{'key': 'hard#', 'operator': 'Exists'}],
          'affinity': {
            'nodeAffinity': {'requiredDuringSchedulingIgnoredDuringExecution':
                {'nodeSelectorTerms': [{'matchExpressions':
                    [{'key': 'round', 'operator': 'Gt', 'values': ['-1']}]}]}},
            'podAntiAffinity': {'requiredDuringSchedulingIgnoredDuringExecution': [
                {'topologyKey': 'kubernetes.io/hostname', 'namespaceSelector':
                    {'matchLabels': {'n': '#'}}, 'labelSelector': {'matchLabels': {'x': '#'}}}]}},
          'topologySpreadConstraints': [{'topologyKey': 'round', 'maxSkew': 9,
              'whenUnsatisfiable': 'DoNotSchedule',
              'labelSelector': {'matchLabels': {'app#': 'a#'}}}] SPEC}}
      """;

  private final Cluster cluster =
      Cluster.withProfiles(
          new Profiles(Map.of("", Clusters.standard("spread"))),
          names -> Distributors.installed().strategy("spread"),
          true,
          new PodFacts.Reads(true, true));

  private int round;

  /** The object, with the number of the round for each #. */
  private ObjectNode json(String text) {
    return Objects.json(text.replace("#", Integer.toString(round)));
  }

  private void addPod(List<String> uids, String request, String spec) {
    boolean isBound = spec.contains("nodeName");
    String text =
        POD.replace("NAME", "p" + uids.size())
            .replace("PRIORITY", isBound ? "0" : "5")
            .replace("PORT", Integer.toString(uids.size() + 1))
            .replace("REQUEST", request)
            .replace("SPEC", spec);
    cluster.podChanged(json(text));
    uids.add("p" + uids.size() + round);
  }

  private void storage(Resource kind, String text) {
    cluster.changed(kind, json(text));
  }

  private void addObjects() {
    cluster.namespaceChanged(json("{'metadata':{'name':'ns#','labels':{'n':'#'}}}"));
    for (String node : List.of("a#", "b#", "c#")) {
      cluster.nodeChanged(
          json(
              """
              {'metadata': {'name': 'NODE', 'labels': {'kubernetes.io/hostname': 'NODE',
                  'topology.kubernetes.io/zone': 'z', 'zone#': 'z', 'round': '#'}},
               'spec': {'taints': [{'key': 'hard#', 'effect': 'NoSchedule'},
                  {'key': 'soft#', 'effect': 'PreferNoSchedule'}]},
               'status': {'allocatable': {'cpu': '3', 'memory': '1Gi', 'pods': '9', 'x/own#': '4'},
                  'images': [{'names': ['i#:latest'], 'sizeBytes': 500000000}]}}
              """
                  .replace("NODE", node)));
      storage(
          Resource.CSI_NODES,
          "{'metadata':{'name':'NODE'},'spec':{'drivers':[{'name':'d#','allocatable':{'count':2}}]}}"
              .replace("NODE", node));
    }
    storage(
        Resource.STORAGE_CLASSES,
        "{'metadata':{'name':'class#'},'provisioner':'d#',"
            + "'volumeBindingMode':'WaitForFirstConsumer'}");
    storage(Resource.CSI_DRIVERS, "{'metadata':{'name':'d#'},'spec':{'storageCapacity':true}}");
    storage(
        Resource.CAPACITIES,
        "{'metadata':{'name':'cap','namespace':'ns#'},'storageClassName':'class#',"
            + "'nodeTopology':{'matchLabels':{'round':'#'}},'capacity':'9Gi'}");
    for (String claim : List.of("one", "two")) {
      storage(
          Resource.CLAIMS,
          "{'metadata':{'name':'%s','namespace':'ns#','uid':'%s#'},'spec':{'storageClassName':"
                  .formatted(claim, claim)
              + "'class#','accessModes':['RWO'],'resources':{'requests':{'storage':'1Gi'}}}}");
    }
    storage(
        Resource.VOLUMES,
        "{'metadata':{'name':'v#'},'spec':{'storageClassName':'class#','accessModes':['RWO'],"
            + "'capacity':{'storage':'1Gi'},'csi':{'driver':'d#','volumeHandle':'v#'},"
            + "'nodeAffinity':{'required':{'nodeSelectorTerms':[{'matchExpressions':[{'key':"
            + "'zone#','operator':'In','values':['z']},{'key':'kubernetes.io/hostname',"
            + "'operator':'In','values':['a#']}]},{'matchExpressions':[{'key':"
            + "'kubernetes.io/hostname','operator':'In','values':['a#']}]}]}}},"
            + "'status':{'phase':'Available'}}");
    storage(
        Resource.ATTACHMENTS,
        "{'metadata':{'name':'at#'},'spec':{'attacher':'d#','nodeName':'a#',"
            + "'source':{'persistentVolumeName':'v#'}}}");
    cluster.changed(
        Resource.RESOURCE_SLICES,
        json(
            "{'metadata':{'name':'s#'},'spec':{'driver':'dev#','pool':{'name':'p#','generation':1,"
                + "'resourceSliceCount':1},'nodeName':'b#','devices':[{'name':'d0'},{'name':'d1'}]}}"));
    cluster.changed(
        Resource.DEVICE_CLASSES,
        json("{'metadata':{'name':'devices#'},'spec':{'extendedResourceName':'x/gpu#'}}"));
    cluster.changed(
        Resource.RESOURCE_CLAIMS,
        json(
            "{'metadata':{'name':'devices','namespace':'ns#','uid':'devices#'},'spec':{'devices':"
                + "{'requests':[{'name':'r','exactly':{'deviceClassName':'devices#'}}]}}}"));
    String owner = "{'metadata':{'name':'rs','namespace':'ns#'},'spec':{'selector':%s}}";
    String selector = "{'matchLabels':{'app#':'a#'}}";
    cluster.changed(Resource.REPLICA_SETS, json(owner.formatted(selector)));
    cluster.changed(Resource.SERVICES, json(owner.formatted("{'app#':'a#'}")));
    cluster.budgetChanged("budget" + round, json(owner.formatted(selector)));
    cluster.podGroupChanged(
        "ns" + round + "/g",
        json(
            "{'metadata':{'name':'g','namespace':'ns#'},"
                + "'spec':{'schedulingPolicy':{'gang':{'minCount':1}}}}"));
  }

  private List<String> addPods() {
    List<String> uids = new ArrayList<>();
    for (String node : List.of("a", "b", "c")) {
      addPod(uids, ",'memory':'600Mi'", ",'nodeName':'" + node + "#'");
    }
    for (String claim : List.of("one", "two")) {
      String volume = "{'name':'v','persistentVolumeClaim':{'claimName':'%s'}}".formatted(claim);
      addPod(uids, "", ",'volumes':[" + volume + "]");
    }
    addPod(uids, "", ",'resourceClaims':[{'name':'x','resourceClaimName':'devices'}]");
    addPod(uids, ",'x/gpu#':'1'", "");
    addPod(uids, ",'x/own#':'1'", "");
    addPod(uids, "", ",'schedulingGroup':{'podGroupName':'g'}");
    addPod(uids, ",'memory':'600Mi'", "");
    addPod(uids, ",'memory':'6Gi'", "");
    return uids;
  }

  private void removeObjects() {
    String namespace = "ns" + round;
    cluster.gone(Resource.POD_GROUPS, namespace + "/g");
    cluster.gone(Resource.BUDGETS, "budget" + round);
    cluster.gone(Resource.SERVICES, namespace + "/rs");
    cluster.gone(Resource.REPLICA_SETS, namespace + "/rs");
    cluster.gone(Resource.RESOURCE_CLAIMS, namespace + "/devices");
    cluster.gone(Resource.DEVICE_CLASSES, "devices" + round);
    cluster.gone(Resource.RESOURCE_SLICES, "s" + round);
    cluster.gone(Resource.ATTACHMENTS, "at" + round);
    cluster.gone(Resource.VOLUMES, "v" + round);
    cluster.gone(Resource.CLAIMS, namespace + "/one");
    cluster.gone(Resource.CLAIMS, namespace + "/two");
    cluster.gone(Resource.CAPACITIES, namespace + "/cap");
    cluster.gone(Resource.CSI_DRIVERS, "d" + round);
    cluster.gone(Resource.STORAGE_CLASSES, "class" + round);
    for (String node : List.of("a", "b", "c")) {
      cluster.gone(Resource.CSI_NODES, node + round);
      cluster.nodeGone(node + round);
    }
    cluster.namespaceGone(namespace);
  }

  /** Everything comes, pods are decided, and everything goes; returns the kinds of decisions. */
  private List<String> runRound() {
    addObjects();
    List<String> uids = addPods();
    List<String> kinds = new ArrayList<>();
    for (Decision decision : cluster.decide(uids)) {
      kinds.add(decision.getClass().getSimpleName());
      if (decision instanceof Decision.Preempt preempt) {
        cluster.preemptionEnded(preempt, Set.of());
      }
    }
    uids.forEach(cluster::podGone);
    removeObjects();
    round++;
    return kinds;
  }

  @Test
  void nothingStaysOfObjectsThatHaveGone() {
    assertThat(runRound())
        .containsOnly("Bind", "Preempt", "Refused")
        .contains("Bind", "Preempt", "Refused");
    runRound();
    Map<String, Integer> before = sizes();
    for (int i = 0; i < 10; i++) {
      runRound();
    }
    Map<String, String> grown = new TreeMap<>();
    sizes()
        .forEach(
            (path, size) -> {
              int was = before.getOrDefault(path, 0);
              if (size > was && MAY_GROW.stream().noneMatch(path::startsWith)) {
                grown.put(path, was + " to " + size);
              }
            });
    assertThat(grown).isEmpty();
  }

  /** An object, and the fields that lead to it. */
  private record Part(String path, Object value) {}

  /** How many elements the collections of the cluster have, those of the engine left out. */
  private Map<String, Integer> sizes() {
    Map<String, Integer> sizes = new TreeMap<>();
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Part> open = new ArrayDeque<>(List.of(new Part("", cluster)));
    while (!open.isEmpty()) {
      Part part = open.remove();
      Object value = part.value();
      if (!seen.add(value)) {
        continue;
      }
      Collection<?> elements = List.of();
      if (value instanceof Map<?, ?> map) {
        map.keySet().forEach(key -> open.add(new Part(part.path() + ".key", key)));
        elements = map.values();
      } else if (value instanceof Collection<?> all) {
        elements = all;
      } else if (value.getClass().getName().startsWith(OURS) && !(value instanceof Enum<?>)) {
        addFields(part, open);
      }
      sizes.merge(part.path(), elements.size(), Integer::sum);
      elements.forEach(one -> open.add(new Part(part.path() + ".element", one)));
    }
    return sizes;
  }

  private static void addFields(Part part, Deque<Part> open) {
    Class<?> type = part.value().getClass();
    while (type.getName().startsWith(OURS)) {
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          try {
            field.setAccessible(true);
            Object value = field.get(part.value());
            if (value != null) {
              open.add(new Part(part.path() + "/" + field.getName(), value));
            }
          } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
          }
        }
      }
      type = type.getSuperclass();
    }
  }
}

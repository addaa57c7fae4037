package io.lighthouse.kubernetes.shadow;

import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.Objects;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What happens to a cluster in a day: rollouts and scaling of Deployments, jobs, drains, nodes that
 * fail and come back. Equal seeds give equal steps; what the controllers and kubelets make of them
 * is up to these.
 */
final class ClusterLife {
  private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String NODES = "/api/v1/nodes/";

  /** The largest number of nodes that are drained at a time, and of those that fail. */
  private static final int MOST_AWAY = 6;

  private final ApiServer admin;
  private final Random random;
  private final int nodes;
  private final int deployments;

  /** How often each step was taken. */
  private final Map<String, Integer> steps = new TreeMap<>();

  private final Deque<String> drained = new ArrayDeque<>();
  private final Deque<String> failing = new ArrayDeque<>();
  private int jobs;
  private int versions;

  ClusterLife(ApiServer admin, int nodes, int deployments, long seed) {
    this.admin = admin;
    this.nodes = nodes;
    this.deployments = deployments;
    random = new Random(seed);
  }

  /** Creates the nodes, with kubelets, in three zones; some have a taint. */
  void addNodes() throws IOException {
    for (int i = 0; i < nodes; i++) {
      ObjectNode node = Objects.node("n" + i, "z" + i % 3, i % 2 == 0 ? "8" : "4", "16Gi", 30);
      node.withObjectProperty("metadata")
          .withObjectProperty("labels")
          .put("kubelet", "up")
          .put("rack", "r" + i % 40);
      if (i % 25 == 0) {
        node.withObjectProperty("spec")
            .putArray("taints")
            .addObject()
            .put("key", "special")
            .put("effect", "NoSchedule");
      }
      admin.post("/api/v1/nodes", node);
    }
  }

  /** Creates the Deployments. */
  void addDeployments() throws IOException {
    for (int i = 0; i < deployments; i++) {
      String app = "a" + i;
      ObjectNode deployment =
          Objects.json(
              "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'%s'},"
                  + "'spec':{'replicas':%d,'selector':{'matchLabels':{'app':'%s'}},'template':"
                  + "{'metadata':{'labels':{'app':'%s'}}}}}",
              app, 4 + random.nextInt(20), app, app);
      ((ObjectNode) deployment.at("/spec/template")).set("spec", podSpec(app, i % 10));
      admin.post(DEPLOYMENTS, deployment);
    }
  }

  /** The pods of the stock scheduler with constraints of a kind. */
  private ObjectNode podSpec(String app, int kind) {
    ObjectNode spec =
        Objects.json(
            "{'terminationGracePeriodSeconds':5,'containers':[{'name':'c','image':'none',"
                + "'resources':{'requests':{'cpu':'%dm','memory':'%dMi'}}}]}",
            100 * (2 + random.nextInt(14)), 128 * (1 + random.nextInt(12)));
    String of = "'labelSelector':{'matchLabels':{'app':'" + app + "'}}";
    String constraints =
        switch (kind) {
          case 0 -> spread(of, "topology.kubernetes.io/zone", "DoNotSchedule");
          case 1 -> spread(of, "kubernetes.io/hostname", "ScheduleAnyway");
          case 2 ->
              "{'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
                  + "[{'topologyKey':'kubernetes.io/hostname',"
                  + of
                  + "}]}}}";
          case 3 ->
              "{'affinity':{'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
                  + "[{'topologyKey':'rack',"
                  + of
                  + "}]}}}";
          case 4 -> "{'tolerations':[{'key':'special','operator':'Exists'}]}";
          case 5 -> "{'nodeSelector':{'topology.kubernetes.io/zone':'z1'}}";
          case 6 ->
              "{'affinity':{'nodeAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':"
                  + "[{'weight':5,'preference':{'matchExpressions':[{'key':'rack',"
                  + "'operator':'In','values':['r1','r2']}]}}]}}}";
          case 7 -> spread(of, "rack", "DoNotSchedule");
          default -> "{}";
        };
    spec.setAll(Objects.json(constraints));
    if (kind == 8) {
      ((ObjectNode) spec.at("/containers/0"))
          .putArray("ports")
          .addObject()
          .put("containerPort", 80)
          .put("hostPort", 8000);
    }
    return spec;
  }

  private static String spread(String of, String key, String unsatisfiable) {
    return "{'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'%s','whenUnsatisfiable':'%s',%s}]}"
        .formatted(key, unsatisfiable, of);
  }

  private void count(String step) {
    steps.merge(step, 1, Integer::sum);
  }

  Map<String, Integer> steps() {
    return steps;
  }

  /** Takes the next step. */
  void step() throws IOException {
    int dice = random.nextInt(20);
    if (dice < 4) {
      rollOut();
    } else if (dice < 8) {
      scale();
    } else if (dice < 14) {
      job();
    } else if (dice < 17) {
      drain();
    } else if (dice < 19) {
      fail();
    } else {
      endAllAway();
    }
  }

  private String anyDeployment() {
    return DEPLOYMENTS + "/a" + random.nextInt(deployments);
  }

  private String anyNode() {
    return "n" + random.nextInt(nodes);
  }

  private void rollOut() throws IOException {
    count("rollouts");
    admin.patch(
        anyDeployment(),
        Objects.json(
            "{'spec':{'template':{'metadata':{'annotations':{'version':'%d'}}}}}", versions++));
  }

  private void scale() throws IOException {
    count("scalings");
    admin.patch(anyDeployment(), Objects.json("{'spec':{'replicas':%d}}", 2 + random.nextInt(30)));
  }

  private void job() throws IOException {
    count("jobs");
    ObjectNode job =
        Objects.json(
            "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'j%d'},'spec':{"
                + "'parallelism':%d,'completions':%d,'ttlSecondsAfterFinished':1,"
                + "'template':{'metadata':{'labels':{'app':'j%d'}}}}}",
            jobs, 2 + jobs % 9, 2 + jobs % 9, jobs);
    ObjectNode spec = podSpec("j" + jobs, jobs % 10);
    spec.put("restartPolicy", "Never");
    ((ObjectNode) job.at("/spec/template")).set("spec", spec);
    admin.post(JOBS, job);
    jobs++;
  }

  /** Cordons a node, and evicts its pods; the oldest drained one is opened again. */
  private void drain() throws IOException {
    String node = anyNode();
    if (drained.contains(node) || failing.contains(node)) {
      return;
    }
    count("drains");
    admin.patch(NODES + node, Objects.json("{'spec':{'unschedulable':true}}"));
    drained.add(node);
    for (JsonNode pod : podsOn(node)) {
      try {
        admin.post(
            PODS + "/" + Bench.name(pod) + "/eviction",
            Objects.json(
                "{'apiVersion':'policy/v1','kind':'Eviction','metadata':{'name':'%s'}}",
                Bench.name(pod)));
      } catch (ApiException gone) {
        // It has ended by itself.
      }
    }
    if (drained.size() > MOST_AWAY) {
      open(drained.remove());
    }
  }

  private List<JsonNode> podsOn(String node) throws IOException {
    List<JsonNode> found = new ArrayList<>();
    admin.list(PODS + "?fieldSelector=spec.nodeName%3D" + node, found::add);
    return found;
  }

  private void open(String node) throws IOException {
    admin.patch(NODES + node, Objects.json("{'spec':{'unschedulable':null}}"));
  }

  /** The kubelet of a node says that it is not ready; the one that failed first is well again. */
  private void fail() throws IOException {
    String node = anyNode();
    if (drained.contains(node) || failing.contains(node)) {
      return;
    }
    count("node failures");
    kubelet(node, "failing");
    failing.add(node);
    if (failing.size() > MOST_AWAY) {
      kubelet(failing.remove(), "up");
    }
  }

  private void kubelet(String node, String state) throws IOException {
    admin.patch(NODES + node, Objects.json("{'metadata':{'labels':{'kubelet':'%s'}}}", state));
  }

  /** All nodes come back. */
  void endAllAway() throws IOException {
    while (!drained.isEmpty()) {
      open(drained.remove());
    }
    while (!failing.isEmpty()) {
      kubelet(failing.remove(), "up");
    }
  }

  /** The pods that have neither a node nor a refusal. */
  static Map<String, JsonNode> undecided(ApiServer admin) throws IOException {
    Map<String, JsonNode> undecided = new HashMap<>();
    admin.list(
        PODS + "?fieldSelector=spec.nodeName%3D",
        pod -> {
          if (Bench.scheduled(pod).isEmpty()) {
            undecided.put(Bench.name(pod), pod);
          }
        });
    return undecided;
  }
}

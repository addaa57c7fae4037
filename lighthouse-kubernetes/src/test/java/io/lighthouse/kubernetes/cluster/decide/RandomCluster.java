package io.lighthouse.kubernetes.cluster.decide;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Small clusters in which constraints meet: few names, so that selectors match and miss, ports
 * collide and domains fill. Equal seeds give equal clusters.
 */
public final class RandomCluster {
  static final JsonMapper JSON = JsonMapper.builder().build();

  private static final String[] APPS = {"web", "db", "cache"};
  private static final String[] ZONES = {"a", "b", "c"};
  private static final String[] SPACES = {"default", "team", "other"};
  private static final String[] KEYS = {
    "zone", "kubernetes.io/hostname", "rack", "zone", "node", "disk"
  };

  /** The nodes. */
  public final List<JsonNode> nodes = new ArrayList<>();

  /** The pods that have a node. */
  public final List<JsonNode> placed = new ArrayList<>();

  /** The namespaces. */
  public final List<JsonNode> namespaces = new ArrayList<>();

  private final Random random;
  private int pods;

  /** Equal seeds give equal clusters. */
  public RandomCluster(long seed) {
    random = new Random(seed);
    int count = 1 + random.nextInt(7);
    for (int i = 0; i < count; i++) {
      nodes.add(node("n" + i));
    }
    for (String name : SPACES) {
      ObjectNode namespace = JSON.createObjectNode();
      ObjectNode metadata = namespace.putObject("metadata").put("name", name);
      if (chance(60)) {
        metadata.putObject("labels").put("tier", pick("gold", "tin"));
      }
      namespaces.add(namespace);
    }
    int there = random.nextInt(3 * count);
    for (int i = 0; i < there; i++) {
      ObjectNode pod = pod(true);
      ((ObjectNode) pod.get("spec"))
          .put("nodeName", nodes.get(random.nextInt(count)).at("/metadata/name").asString());
      placed.add(pod);
    }
  }

  /** Whether something happens that has this probability. */
  public boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  /** A number from 0 to below the bound. */
  public int below(int bound) {
    return random.nextInt(bound);
  }

  /** One of these. */
  @SafeVarargs
  public final <T> T pick(T... among) {
    return among[random.nextInt(among.length)];
  }

  // ---- nodes ----

  /** A node. */
  public ObjectNode node(String name) {
    ObjectNode node = JSON.createObjectNode();
    ObjectNode labels = node.putObject("metadata").put("name", name).putObject("labels");
    if (chance(85)) {
      labels.put("kubernetes.io/hostname", name);
    }
    if (chance(80)) {
      labels.put("zone", pick(ZONES));
    }
    if (chance(60)) {
      labels.put("rack", pick("r1", "r2"));
    }
    if (chance(50)) {
      labels.put("disk", pick("ssd", "hdd", ""));
    }
    if (chance(50)) {
      labels.put("gen", pick("2", "10", "9", "x", "3"));
    }
    if (chance(40)) {
      labels.put("node", pick("one", "two"));
    }
    ObjectNode spec = node.putObject("spec");
    if (chance(25)) {
      ArrayNode taints = spec.putArray("taints");
      int count = 1 + random.nextInt(2);
      for (int i = 0; i < count; i++) {
        ObjectNode taint = taints.addObject().put("key", pick("t", "u"));
        if (chance(50)) {
          taint.put("value", pick("v", "w", "5", "10", "9"));
        }
        taint.put("effect", pick("NoSchedule", "NoExecute", "PreferNoSchedule"));
      }
    }
    if (chance(12)) {
      spec.put("unschedulable", true);
      if (chance(50)) {
        ((ArrayNode) (spec.has("taints") ? spec.get("taints") : spec.putArray("taints")))
            .addObject()
            .put("key", "node.kubernetes.io/unschedulable")
            .put("effect", "NoSchedule");
      }
    }
    ObjectNode allocatable = node.putObject("status").putObject("allocatable");
    allocatable.put("cpu", pick("4", "2500m", "1", "8"));
    allocatable.put("memory", pick("8Gi", "1000Mi", "4194304Ki", "16Gi"));
    if (chance(90)) {
      allocatable.put("pods", pick("110", "3", "6", "10"));
    }
    if (chance(50)) {
      allocatable.put("ephemeral-storage", pick("10Gi", "1Gi"));
    }
    if (chance(40)) {
      allocatable.put("example.com/gpu", pick("1", "2", "0"));
    }
    return node;
  }

  // ---- pods ----

  /** Most pods have few constraints, so that there are nodes to disagree about. */
  public ObjectNode pod(boolean bound) {
    ObjectNode pod = JSON.createObjectNode();
    int number = pods++;
    ObjectNode metadata =
        pod.putObject("metadata")
            .put("name", "p" + number)
            .put("uid", "u" + number)
            .put("namespace", chance(70) ? "default" : pick(SPACES))
            .put("resourceVersion", "1")
            .put("creationTimestamp", "2026-11-22T10:00:" + (10 + number % 50) + "Z");
    ObjectNode labels = metadata.putObject("labels");
    if (chance(85)) {
      labels.put("app", pick(APPS));
    }
    if (chance(40)) {
      labels.put("tier", pick("front", "back"));
    }
    ObjectNode spec = pod.putObject("spec").put("schedulerName", "lighthouse");
    spec.put("priority", random.nextInt(3));
    containers(spec);
    ObjectNode status = pod.putObject("status").put("phase", "Pending");
    if (bound) {
      status.put("phase", pick("Running", "Running", "Pending", "Succeeded", "Running"));
      if (chance(12)) {
        metadata.put("deletionTimestamp", "2026-11-22T11:00:00Z");
      }
      if (chance(20)) {
        resize(pod);
      }
    }
    constraints(spec);
    return pod;
  }

  private void containers(ObjectNode spec) {
    ArrayNode containers = spec.putArray("containers");
    int count = 1 + random.nextInt(2);
    for (int i = 0; i < count; i++) {
      container(containers.addObject().put("name", "c" + i), 15);
    }
    if (chance(20)) {
      ArrayNode init = spec.putArray("initContainers");
      for (int i = 0; i < 1 + random.nextInt(3); i++) {
        ObjectNode container = init.addObject().put("name", "i" + i);
        container(container, 10);
        if (chance(40)) {
          container.put("restartPolicy", "Always");
        }
      }
    }
    if (chance(8)) {
      spec.putObject("overhead").put("cpu", "250m").put("memory", "64Mi");
    }
    if (chance(8)) {
      spec.putObject("resources").putObject("requests").put("cpu", pick("700m", "2"));
    }
  }

  private void container(ObjectNode container, int portsPercent) {
    ObjectNode requests = container.putObject("resources").putObject("requests");
    if (chance(75)) {
      requests.put("cpu", pick("100m", "0.5", "1", "0.1005", "1500m", "0"));
    }
    if (chance(65)) {
      requests.put("memory", pick("128Mi", "1Gi", "1500m", "1k", "900Mi"));
    }
    if (chance(10)) {
      requests.put("ephemeral-storage", pick("1Gi", "512Mi"));
    }
    if (chance(10)) {
      requests.put("example.com/gpu", pick("1", "2", "0"));
    }
    if (chance(portsPercent)) {
      ObjectNode port = container.putArray("ports").addObject().put("containerPort", 80);
      if (chance(85)) {
        port.put("hostPort", pick(80, 81));
      }
      if (chance(50)) {
        port.put("hostIP", pick("10.0.0.1", "10.0.0.2", "0.0.0.0"));
      }
      port.put("protocol", pick("TCP", "TCP", "UDP"));
    }
  }

  private void resize(ObjectNode pod) {
    ObjectNode status = (ObjectNode) pod.get("status");
    ObjectNode container = status.putArray("containerStatuses").addObject().put("name", "c0");
    container.putObject("resources").putObject("requests").put("cpu", pick("100m", "2", "900m"));
    if (chance(50)) {
      container.putObject("allocatedResources").put("cpu", pick("100m", "1", "2"));
    }
    if (chance(50)) {
      status.putObject("resources").putObject("requests").put("cpu", pick("900m", "2500m"));
    }
    if (chance(30)) {
      status
          .putArray("conditions")
          .addObject()
          .put("type", "PodResizePending")
          .put("reason", "Infeasible");
    }
  }

  private void constraints(ObjectNode spec) {
    if (chance(25)) {
      spec.putObject("nodeSelector").put(pick("zone", "disk"), pick("a", "b", "ssd", ""));
    }
    if (chance(35)) {
      ArrayNode tolerations = spec.putArray("tolerations");
      for (int i = 0; i < 1 + random.nextInt(2); i++) {
        toleration(tolerations.addObject());
      }
    }
    ObjectNode affinity = spec.putObject("affinity");
    if (chance(25)) {
      nodeAffinity(affinity.putObject("nodeAffinity"));
    }
    if (chance(22)) {
      podTerms(affinity.putObject("podAffinity"));
    }
    if (chance(25)) {
      podTerms(affinity.putObject("podAntiAffinity"));
    }
    if (chance(30)) {
      ArrayNode spreads = spec.putArray("topologySpreadConstraints");
      for (int i = 0; i < 1 + random.nextInt(2); i++) {
        spread(spreads.addObject());
      }
    }
  }

  private void toleration(ObjectNode toleration) {
    int kind = random.nextInt(5);
    if (kind == 0) {
      toleration.put("operator", "Exists");
    } else if (kind == 1) {
      toleration.put("key", "node.kubernetes.io/unschedulable").put("operator", "Exists");
    } else {
      toleration.put("key", pick("t", "u"));
      if (chance(50)) {
        toleration.put("operator", "Exists");
      } else if (chance(40)) {
        toleration.put("operator", pick("Lt", "Gt")).put("value", pick("9", "10", "07", "-3"));
      } else {
        toleration.put("value", pick("v", "w", "", "5"));
      }
    }
    if (chance(50)) {
      toleration.put("effect", pick("NoSchedule", "NoExecute"));
    }
  }

  private void nodeAffinity(ObjectNode affinity) {
    ArrayNode terms =
        affinity
            .putObject("requiredDuringSchedulingIgnoredDuringExecution")
            .putArray("nodeSelectorTerms");
    for (int i = 0; i < 1 + random.nextInt(2); i++) {
      ObjectNode term = terms.addObject();
      if (chance(85)) {
        ArrayNode expressions = term.putArray("matchExpressions");
        for (int k = 0; k < 1 + random.nextInt(2); k++) {
          nodeExpression(expressions.addObject());
        }
      }
      if (chance(20)) {
        ObjectNode field = term.putArray("matchFields").addObject().put("key", "metadata.name");
        field.put("operator", pick("In", "NotIn")).putArray("values").add("n" + random.nextInt(5));
      }
    }
    if (chance(30)) {
      ObjectNode preferred =
          affinity.putArray("preferredDuringSchedulingIgnoredDuringExecution").addObject();
      nodeExpression(
          preferred
              .put("weight", 1 + random.nextInt(100))
              .putObject("preference")
              .putArray("matchExpressions")
              .addObject());
    }
  }

  private void nodeExpression(ObjectNode expression) {
    int kind = random.nextInt(6);
    if (kind < 2) {
      expression.put("key", "gen").put("operator", kind == 0 ? "Gt" : "Lt");
      expression.putArray("values").add(pick("3", "9", "2"));
      return;
    }
    String key = pick("zone", "disk", "gen", "node");
    expression.put("key", key).put("operator", pick("In", "NotIn", "Exists", "DoesNotExist"));
    if (expression.get("operator").asString().endsWith("In")) {
      ArrayNode values = expression.putArray("values");
      values.add(pick("a", "b", "ssd", "", "9", "one"));
      values.add(pick("c", "hdd", "two"));
    }
  }

  private void podTerms(ObjectNode affinity) {
    if (chance(85)) {
      ArrayNode terms = affinity.putArray("requiredDuringSchedulingIgnoredDuringExecution");
      for (int i = 0; i < (chance(25) ? 2 : 1); i++) {
        podTerm(terms.addObject());
      }
    }
    if (chance(30)) {
      ObjectNode preferred =
          affinity.putArray("preferredDuringSchedulingIgnoredDuringExecution").addObject();
      podTerm(preferred.put("weight", 1 + random.nextInt(100)).putObject("podAffinityTerm"));
    }
  }

  private void podTerm(ObjectNode term) {
    term.put("topologyKey", pick(KEYS));
    selector(term, 95);
    if (chance(20)) {
      term.putArray("namespaces").add(pick(SPACES));
    }
    if (chance(25)) {
      ObjectNode selector = term.putObject("namespaceSelector");
      if (chance(70)) {
        selector.putObject("matchLabels").put("tier", pick("gold", "tin"));
      }
    }
  }

  /** A selector of pods; now and then none, or an empty one. */
  private void selector(ObjectNode owner, int percent) {
    if (!chance(percent)) {
      return;
    }
    ObjectNode selector = owner.putObject("labelSelector");
    if (chance(75)) {
      selector.putObject("matchLabels").put("app", pick(APPS));
    }
    if (chance(25)) {
      ObjectNode expression = selector.putArray("matchExpressions").addObject();
      expression.put("key", "tier").put("operator", pick("In", "NotIn", "Exists", "DoesNotExist"));
      if (expression.get("operator").asString().endsWith("In")) {
        expression.putArray("values").add(pick("front", "back"));
      }
    }
  }

  private void spread(ObjectNode constraint) {
    constraint
        .put("topologyKey", pick(KEYS))
        .put("maxSkew", 1 + random.nextInt(2))
        .put("whenUnsatisfiable", chance(80) ? "DoNotSchedule" : "ScheduleAnyway");
    selector(constraint, 95);
    if (chance(20)) {
      constraint.put("minDomains", 1 + random.nextInt(4));
    }
    if (chance(30)) {
      constraint.put("nodeAffinityPolicy", pick("Honor", "Ignore"));
    }
    if (chance(30)) {
      constraint.put("nodeTaintsPolicy", pick("Honor", "Ignore"));
    }
  }
}

package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.RealControlPlane;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The real kube-scheduler preempts on a real server: its victims, its node and its words are those
 * that are decided here. All starts differ, so that it leaves nothing to chance.
 */
@EnabledIfSystemProperty(named = "lighthouse.kubernetes", matches = "real")
@DisabledIfEnvironmentVariable(
    named = "KUBE_MINOR",
    matches = "1\\.3[45]",
    disabledReason = "it removes pods from the list that it walks, and so overlooks some")
class StockVictimsTest {
  private static final int CLUSTERS = Integer.getInteger("lighthouse.kubernetes.victims", 12);
  private static final int PODS = 8;
  private static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
  private static final int[] PRIORITIES = {-7, 0, 1, 5, 9};

  /** How long the stock scheduler may take to learn of a change. */
  private static final long LEARNS = 250;

  private final List<String> differences = new ArrayList<>();
  private ApiServer admin;
  private int preempted;
  private int hopeless;
  private int placed;

  @Test
  void evictsAsTheStockSchedulerDoes() throws Exception {
    try (RealControlPlane real = new RealControlPlane()) {
      admin = real.admin();
      for (String name : List.of("team", "other")) {
        admin.post("/api/v1/namespaces", Objects.json("{'metadata':{'name':'%s'}}", name));
      }
      for (int priority : PRIORITIES) {
        admin.post(
            "/apis/scheduling.k8s.io/v1/priorityclasses",
            Objects.json("{'metadata':{'name':'%s'},'value':%d}", className(priority), priority));
      }
      real.startStockScheduler();
      long first = Long.getLong("lighthouse.kubernetes.seed", 1);
      for (long seed = first; seed < first + CLUSTERS; seed++) {
        cluster(seed);
      }
    }
    String counts =
        "preempted by both %d, hopeless to both %d, placed %d"
            .formatted(preempted, hopeless, placed);
    System.out.println("StockVictimsTest: " + counts);
    assertThat(differences).as(counts).isEmpty();
    assertThat(preempted).as(counts).isGreaterThan(CLUSTERS / 2);
    assertThat(hopeless).as(counts).isGreaterThan(CLUSTERS / 4);
  }

  private static String className(int priority) {
    return "p" + (priority + 10);
  }

  private void cluster(long seed) throws Exception {
    RandomCluster make = new RandomCluster(seed);
    Random random = new Random(seed * 17);
    for (JsonNode node : make.nodes) {
      ObjectNode made = (ObjectNode) node.deepCopy();
      made.put("apiVersion", "v1").put("kind", "Node");
      StockSchedulerTest.unique(made);
      admin.post("/api/v1/nodes", made);
      ObjectNode ready = Objects.json("{'spec':{'taints':null}}");
      if (made.path("spec").has("taints")) {
        ready.withObjectProperty("spec").set("taints", made.path("spec").path("taints"));
        admin.patch("/api/v1/nodes/" + Bench.name(node), Objects.READY);
      }
      admin.patch("/api/v1/nodes/" + Bench.name(node), ready);
    }
    // Of two pods with one port on one node, the stock scheduler forgets the port with the first.
    Set<String> taken = new HashSet<>();
    int there = make.nodes.size() * 4;
    for (int i = 0; i < there; i++) {
      ObjectNode pod = StockSchedulerTest.clean(make.pod(true));
      pod.withObjectProperty("spec")
          .put("nodeName", Bench.name(make.nodes.get(random.nextInt(make.nodes.size()))));
      Set<String> ports = ports(pod);
      if (!Collections.disjoint(taken, ports)) {
        continue;
      }
      taken.addAll(ports);
      JsonNode made = create(pod, PRIORITIES[random.nextInt(PRIORITIES.length)]);
      if (made != null) {
        String start = "2026-11-22T%02d:%02d:00Z".formatted(random.nextInt(24), i % 60);
        admin.patch(path(made) + "/status", Objects.json("{'status':{'startTime':'%s'}}", start));
      }
    }
    for (int i = 0; i < random.nextInt(4); i++) {
      budget(i, random);
    }
    TimeUnit.MILLISECONDS.sleep(LEARNS);
    for (int i = 0; i < PODS; i++) {
      ask("seed " + seed + ", pod " + i, make, random);
    }
    clear();
  }

  /** The ports of the host that a pod takes, each with its node. */
  private static Set<String> ports(JsonNode pod) {
    Set<String> ports = new HashSet<>();
    for (String kind : List.of("containers", "initContainers")) {
      for (JsonNode container : pod.path("spec").path(kind)) {
        for (JsonNode port : container.path("ports")) {
          if (port.path("hostPort").asInt(0) > 0) {
            ports.add(pod.at("/spec/nodeName").asString() + ":" + port.path("hostPort"));
          }
        }
      }
    }
    return ports;
  }

  private void budget(int number, Random random) throws IOException {
    String app = List.of("web", "db", "cache").get(random.nextInt(3));
    admin.post(
        BUDGETS,
        Objects.json(
            "{'apiVersion':'policy/v1','kind':'PodDisruptionBudget','metadata':{'name':'b%d'},"
                + "'spec':{'minAvailable':1,'selector':{'matchLabels':{'app':'%s'}}}}",
            number, app));
    admin.patch(
        BUDGETS + "/b" + number + "/status",
        Objects.json(
            "{'status':{'disruptionsAllowed':%d,'currentHealthy':1,'desiredHealthy':1,"
                + "'expectedPods':1,'observedGeneration':1}}",
            random.nextInt(3)));
  }

  /** Null where the server does not take it. */
  private JsonNode create(ObjectNode pod, int priority) throws IOException {
    pod.withObjectProperty("spec").put("priorityClassName", className(priority));
    try {
      return admin.post(
          "/api/v1/namespaces/" + pod.at("/metadata/namespace").asString() + "/pods", pod);
    } catch (ApiException refusal) {
      if (refusal.code() == 422 || refusal.code() == 403 || refusal.code() == 400) {
        return null;
      }
      throw refusal;
    }
  }

  private static String path(JsonNode pod) {
    return "/api/v1/namespaces/"
        + pod.at("/metadata/namespace").asString("default")
        + "/pods/"
        + Bench.name(pod);
  }

  /** What is decided here about a pod that is not gated any more. */
  private Decision decide(String uid) throws IOException {
    Cluster cluster =
        Clusters.withPreemption(Distributors.of("first", (pod, nodes) -> nodes.first()));
    List<JsonNode> pods = Bench.list(admin, "/api/v1/pods");
    for (JsonNode pod : pods) {
      if (pod.at("/metadata/uid").asString("").equals(uid)) {
        ((ObjectNode) pod.path("spec")).remove("schedulingGates");
      }
    }
    Clusters.replaceAll(
        cluster, Bench.list(admin, "/api/v1/nodes"), pods, Bench.list(admin, "/api/v1/namespaces"));
    for (JsonNode budget : Bench.list(admin, "/apis/policy/v1/poddisruptionbudgets")) {
      cluster.budgetChanged(Bench.name(budget), budget);
    }
    return cluster.decide(List.of(uid)).get(0);
  }

  private void ask(String about, RandomCluster make, Random random) throws Exception {
    ObjectNode pod = StockSchedulerTest.clean(make.pod(false));
    ObjectNode spec = pod.withObjectProperty("spec");
    spec.putArray("schedulingGates").addObject().put("name", "example.com/judged");
    if (random.nextInt(4) > 0) {
      ObjectNode more = spec.withArrayProperty("containers").addObject();
      more.put("name", "more").put("image", "none");
      more.putObject("resources").putObject("requests").put("cpu", "1");
    }
    if (random.nextInt(4) > 0) {
      // Fewer constraints, so that more nodes come into question.
      spec.remove("nodeSelector");
      spec.withObjectProperty("affinity").remove(List.of("nodeAffinity", "podAffinity"));
    }
    JsonNode made = create(pod, PRIORITIES[2 + random.nextInt(PRIORITIES.length - 2)]);
    if (made == null) {
      return;
    }
    Decision here = decide(made.at("/metadata/uid").asString());
    admin.patch(path(made), Objects.json("{'spec':{'schedulingGates':null}}"));
    JsonNode there = verdict(made);
    String message = Bench.scheduled(there).path("message").asString("");
    if (here instanceof Decision.Bind) {
      placed++;
      if (Bench.nodeOf(there).isEmpty()) {
        differences.add(about + ": here " + here + ", there " + message);
      }
    } else if (here instanceof Decision.Refused refused) {
      hopeless++;
      String ours = words(refused.message());
      if (!ours.equals(words(message)) || !victims(0).isEmpty()) {
        differences.add(about + ": here " + ours + ", there " + message + victims(0));
      }
    } else {
      preempted++;
      compare(about, (Decision.Preempt) here, there);
    }
    if (Bench.nodeOf(there).isEmpty()) {
      remove(made);
    }
    for (JsonNode one : Bench.list(admin, "/api/v1/pods")) {
      if (one.path("metadata").has("deletionTimestamp")) {
        remove(one);
      }
    }
    TimeUnit.MILLISECONDS.sleep(LEARNS);
  }

  /** What preemption says, without what each scheduler says besides. */
  private static String words(String message) {
    return message.replaceFirst("^.*preemption: ", "").replaceFirst(" Nearest: .*$", "");
  }

  private void compare(String about, Decision.Preempt here, JsonNode there) throws Exception {
    TreeSet<String> ours = new TreeSet<>();
    here.victims().stream().map(WaitingPod::name).forEach(ours::add);
    TreeSet<String> theirs = victims(ours.size());
    String node = there.at("/status/nominatedNodeName").asString("");
    if (!node.equals(here.node()) || !theirs.equals(ours)) {
      differences.add(
          about + ": here " + here.node() + ours + ", there " + node + theirs + "; " + here);
    }
  }

  /** The pods that the stock scheduler evicts, once there are enough or it takes too long. */
  private TreeSet<String> victims(int atLeast) throws Exception {
    TreeSet<String> names = new TreeSet<>();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
    do {
      TimeUnit.MILLISECONDS.sleep(50);
      names.clear();
      for (JsonNode pod : Bench.list(admin, "/api/v1/pods")) {
        if (pod.path("metadata").has("deletionTimestamp")) {
          names.add(Bench.name(pod));
        }
      }
    } while (names.size() < atLeast && System.nanoTime() < end);
    return names;
  }

  /** The pod once the stock scheduler has bound or refused it. */
  private JsonNode verdict(JsonNode made) throws Exception {
    JsonNode[] last = new JsonNode[1];
    Bench.until(
        () -> {
          last[0] = admin.get(path(made));
          return !Bench.nodeOf(last[0]).isEmpty()
              || Bench.scheduled(last[0]).path("reason").asString("").equals("Unschedulable");
        },
        () -> "no verdict of " + last[0]);
    return last[0];
  }

  private void remove(JsonNode pod) throws IOException {
    Bench.deleteAtOnce(admin, path(pod));
  }

  private void clear() throws IOException {
    for (JsonNode pod : Bench.list(admin, "/api/v1/pods")) {
      remove(pod);
    }
    for (JsonNode budget : Bench.list(admin, BUDGETS)) {
      Bench.delete(admin, BUDGETS + "/" + Bench.name(budget));
    }
    for (JsonNode node : Bench.list(admin, "/api/v1/nodes")) {
      Bench.delete(admin, "/api/v1/nodes/" + Bench.name(node));
    }
  }
}

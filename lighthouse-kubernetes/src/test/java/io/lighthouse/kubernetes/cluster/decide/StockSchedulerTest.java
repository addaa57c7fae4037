package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.RealControlPlane;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Compares the verdicts of this scheduler with those of the real kube-scheduler, on the same random
 * clusters in one API server. Both refuse the same pods, with the same counts of reasons. With all
 * other nodes cordoned, a node is feasible for both or for neither. {@code
 * -Dlighthouse.kubernetes.clusters=500} for many.
 */
@EnabledIfSystemProperty(named = "lighthouse.kubernetes", matches = "real")
class StockSchedulerTest {
  private static final int CLUSTERS = Integer.getInteger("lighthouse.kubernetes.clusters", 12);
  private static final int PODS = 20;

  /** How long the stock scheduler may take to learn of a cordon. */
  private static final long LEARNS = 250;

  private final List<String> differences = new ArrayList<>();
  private RealControlPlane plane;
  private ApiServer admin;
  private int refused;
  private int agreed;
  private int invalid;
  private int single;

  @Test
  void judgesAsTheStockSchedulerDoes() throws Exception {
    try (RealControlPlane real = new RealControlPlane()) {
      plane = real;
      admin = real.admin();
      for (String name : List.of("team", "other")) {
        admin.post("/api/v1/namespaces", Objects.json("{'metadata':{'name':'%s'}}", name));
      }
      real.startStockScheduler();
      long first = Long.getLong("lighthouse.kubernetes.seed", 1);
      for (long seed = first; seed < first + CLUSTERS; seed++) {
        cluster(seed);
      }
    }
    String counts =
        "refused by both %d, placed %d, one node alone %d, not taken by the server %d"
            .formatted(refused, agreed, single, invalid);
    System.out.println("StockSchedulerTest: " + counts);
    assertThat(differences).as(counts).isEmpty();
    assertThat(refused).as(counts).isGreaterThan(CLUSTERS);
    assertThat(agreed + single).as(counts).isGreaterThan(CLUSTERS);
  }

  private void cluster(long seed) throws Exception {
    RandomCluster make = new RandomCluster(seed);
    Random random = new Random(seed);
    for (JsonNode namespace : make.namespaces) {
      ObjectNode patch = Objects.json("{'metadata':{'labels':{'tier':null}}}");
      String tier = namespace.at("/metadata/labels/tier").asString("");
      if (!tier.isEmpty()) {
        patch.withObjectProperty("metadata").withObjectProperty("labels").put("tier", tier);
      }
      admin.patch("/api/v1/namespaces/" + Bench.name(namespace), patch);
    }
    for (JsonNode node : make.nodes) {
      ObjectNode made = (ObjectNode) node.deepCopy();
      made.put("apiVersion", "v1").put("kind", "Node");
      unique(made);
      admin.post("/api/v1/nodes", made);
      ObjectNode ready = Objects.json("{'spec':{'taints':null}}");
      if (made.path("spec").has("taints")) {
        ready.withObjectProperty("spec").set("taints", made.path("spec").path("taints"));
        admin.patch("/api/v1/nodes/" + Bench.name(node), Objects.READY);
      }
      admin.patch("/api/v1/nodes/" + Bench.name(node), ready);
    }
    for (JsonNode pod : make.placed) {
      create(clean(pod));
    }
    TimeUnit.MILLISECONDS.sleep(LEARNS);
    for (int i = 0; i < PODS; i++) {
      ask("seed " + seed, make, random);
    }
    clear();
  }

  /** The server takes one taint of a key and effect. */
  static void unique(ObjectNode node) {
    Set<String> seen = new HashSet<>();
    Iterator<JsonNode> taints = node.path("spec").path("taints").iterator();
    while (taints.hasNext()) {
      JsonNode taint = taints.next();
      if (!seen.add(taint.path("key").asString() + taint.path("effect").asString())) {
        taints.remove();
      }
    }
  }

  /** What a client may write of a random pod, and what it must. */
  static ObjectNode clean(JsonNode pod) {
    ObjectNode clean = (ObjectNode) pod.deepCopy();
    clean.put("apiVersion", "v1").put("kind", "Pod");
    ObjectNode metadata = clean.withObjectProperty("metadata");
    metadata.remove(List.of("uid", "resourceVersion", "creationTimestamp", "deletionTimestamp"));
    clean.remove("status");
    ObjectNode spec = clean.withObjectProperty("spec");
    spec.remove(List.of("priority", "overhead"));
    spec.put("schedulerName", "default-scheduler");
    for (String kind : List.of("containers", "initContainers")) {
      for (JsonNode container : spec.path(kind)) {
        ((ObjectNode) container).put("image", "none");
        JsonNode gpu = container.path("resources").path("requests").path("example.com/gpu");
        if (!gpu.isMissingNode()) {
          ((ObjectNode) container)
              .withObjectProperty("resources")
              .withObjectProperty("limits")
              .set("example.com/gpu", gpu);
        }
      }
    }
    return clean;
  }

  /** Null where the server does not take it. */
  private JsonNode create(ObjectNode pod) throws IOException {
    try {
      return admin.post(path(pod), pod);
    } catch (ApiException refusal) {
      if (refusal.code() == 422 || refusal.code() == 403 || refusal.code() == 400) {
        invalid++;
        return null;
      }
      throw refusal;
    }
  }

  private static String path(JsonNode pod) {
    return "/api/v1/namespaces/" + pod.at("/metadata/namespace").asString("default") + "/pods";
  }

  /** The cluster as it is now, known to this scheduler. */
  private Cluster now() throws IOException {
    Cluster cluster =
        Clusters.of(Distributors.of("first", (pod, candidates) -> candidates.first()));
    Clusters.replaceAll(
        cluster,
        Bench.list(admin, "/api/v1/nodes"),
        Bench.list(admin, "/api/v1/pods"),
        Bench.list(admin, "/api/v1/namespaces"));
    return cluster;
  }

  private void ask(String about, RandomCluster make, Random random) throws Exception {
    ObjectNode pod = clean(make.pod(false));
    // Gated, so that no scheduler takes it before it was judged here.
    pod.withObjectProperty("spec")
        .putArray("schedulingGates")
        .addObject()
        .put("name", "example.com/judged");
    JsonNode made = create(pod);
    if (made == null) {
      return;
    }
    String uid = made.at("/metadata/uid").asString();
    Cluster cluster = now();
    TreeSet<String> fits = new TreeSet<>();
    TreeSet<String> open = new TreeSet<>();
    for (JsonNode node : Bench.list(admin, "/api/v1/nodes")) {
      if (Clusters.verdict(cluster, uid, Bench.name(node)).isEmpty()) {
        fits.add(Bench.name(node));
      }
      if (!node.path("spec").path("unschedulable").asBoolean(false)) {
        open.add(Bench.name(node));
      }
    }
    String alone = open.size() > 1 && random.nextInt(3) == 0 ? pick(open, random) : "";
    boolean tolerant =
        made.path("spec").path("tolerations").toString().contains("unschedulable")
            || tolerates(made);
    if (!alone.isEmpty() && !tolerant) {
      single++;
      cordonAllBut(alone, open, true);
      fits.retainAll(List.of(alone));
    }
    String words = fits.isEmpty() ? words(uid) : "";
    admin.patch(
        path(made) + "/" + Bench.name(made), Objects.json("{'spec':{'schedulingGates':null}}"));
    JsonNode judged = verdict(made);
    String node = Bench.nodeOf(judged);
    String message = Bench.scheduled(judged).path("message").asString("");
    if (node.isEmpty() != fits.isEmpty() || !node.isEmpty() && !fits.contains(node)) {
      differences.add(
          about
              + ": here "
              + fits
              + ", there '"
              + node
              + "' "
              + message
              + "; "
              + made.path("spec"));
    } else if (fits.isEmpty()) {
      refused++;
      String there = message.replaceAll("\\. .*", "").replaceAll("\\.$", "");
      if (!words.equals(there)) {
        differences.add(about + ": words here " + words + "; there " + there);
      }
    } else {
      agreed++;
    }
    if (!alone.isEmpty() && !tolerant) {
      cordonAllBut(alone, open, false);
    }
    if (node.isEmpty()) {
      Bench.deleteAtOnce(admin, path(made) + "/" + Bench.name(made));
    }
  }

  private static boolean tolerates(JsonNode pod) {
    for (JsonNode toleration : pod.path("spec").path("tolerations")) {
      if (toleration.path("key").asString("").isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private static String pick(TreeSet<String> among, Random random) {
    return List.copyOf(among).get(random.nextInt(among.size()));
  }

  private void cordonAllBut(String alone, TreeSet<String> open, boolean cordon) throws Exception {
    for (String name : open) {
      if (!name.equals(alone)) {
        admin.patch(
            "/api/v1/nodes/" + name,
            Objects.json("{'spec':{'unschedulable':%s}}", cordon ? "true" : "null"));
      }
    }
    TimeUnit.MILLISECONDS.sleep(LEARNS);
  }

  /** What this scheduler says of a pod that is not gated. */
  private String words(String uid) throws IOException {
    Cluster cluster =
        Clusters.of(Distributors.of("first", (pod, candidates) -> candidates.first()));
    List<JsonNode> pods = Bench.list(admin, "/api/v1/pods");
    for (JsonNode pod : pods) {
      if (pod.at("/metadata/uid").asString("").equals(uid)) {
        ((ObjectNode) pod.path("spec")).remove("schedulingGates");
      }
    }
    Clusters.replaceAll(
        cluster, Bench.list(admin, "/api/v1/nodes"), pods, Bench.list(admin, "/api/v1/namespaces"));
    List<Decision> decisions = cluster.decide(List.of(uid));
    String message =
        decisions.get(0) instanceof Decision.Refused refusal
            ? refusal.message()
            : decisions.get(0).toString();
    return message.replaceAll("\\. .*", "").replaceAll("\\.$", "");
  }

  /** The pod once the stock scheduler has bound or refused it. */
  private JsonNode verdict(JsonNode made) throws Exception {
    JsonNode[] last = new JsonNode[1];
    Bench.until(
        () -> {
          last[0] = admin.get(path(made) + "/" + Bench.name(made));
          return !Bench.nodeOf(last[0]).isEmpty()
              || Bench.scheduled(last[0]).path("reason").asString("").equals("Unschedulable");
        },
        () -> "no verdict of " + last[0] + " in " + plane.folder());
    return last[0];
  }

  private void clear() throws IOException {
    for (JsonNode pod : Bench.list(admin, "/api/v1/pods")) {
      Bench.deleteAtOnce(admin, path(pod) + "/" + Bench.name(pod));
    }
    for (JsonNode node : Bench.list(admin, "/api/v1/nodes")) {
      Bench.delete(admin, "/api/v1/nodes/" + Bench.name(node));
    }
  }
}

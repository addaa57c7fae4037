package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import io.lighthouse.kubernetes.cluster.object.ClaimFacts;
import io.lighthouse.kubernetes.cluster.object.VolumeFacts;
import io.lighthouse.kubernetes.cluster.volume.StorageKind;
import io.lighthouse.kubernetes.cluster.volume.VolumeWork;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.RealControlPlane;
import io.lighthouse.kubernetes.watch.Resource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Compares the verdicts on pods with claims with those of the real kube-scheduler, in one API
 * server with the same random storage. Both refuse the same pods, with the same counts of reasons.
 * A pod that both take gets volumes of the same sizes. The test is the volume controller.
 */
@EnabledIfSystemProperty(named = "lighthouse.kubernetes", matches = "real")
class StockVolumesTest {
  private static final int CLUSTERS = Integer.getInteger("lighthouse.kubernetes.clusters", 12);
  private static final int PODS = 15;
  private static final int NODES = 4;
  private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
  private static final String VOLUMES = "/api/v1/persistentvolumes";
  private static final String PODS_PATH = "/api/v1/namespaces/default/pods";
  private static final String STORAGE = "/apis/storage.k8s.io/v1/";

  /** How long the stock scheduler may take to learn of a change. */
  private static final long LEARNS = 250;

  /** After this time without an answer a pod waits for its volumes, in milliseconds. */
  private static final long WAITS = 2_500;

  private final List<String> differences = new ArrayList<>();
  private final Map<String, Integer> seen = new TreeMap<>();
  private RealControlPlane plane;
  private ApiServer admin;

  @Test
  void judgesClaimsAsTheStockSchedulerDoes() throws Exception {
    try (RealControlPlane real = new RealControlPlane()) {
      plane = real;
      admin = real.admin();
      real.startStockScheduler();
      long first = Long.getLong("lighthouse.kubernetes.seed", 1);
      for (long seed = first; seed < first + CLUSTERS; seed++) {
        cluster(seed);
      }
    }
    System.out.println("StockVolumesTest: " + seen);
    assertThat(differences).as(seen.toString()).isEmpty();
    assertThat(seen.getOrDefault("refused", 0)).isGreaterThan(CLUSTERS);
    assertThat(seen.getOrDefault("placed", 0)).isGreaterThan(CLUSTERS);
  }

  private void count(String what) {
    seen.merge(what, 1, Integer::sum);
  }

  private void cluster(long seed) throws Exception {
    Random random = new Random(seed);
    List<JsonNode> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      ObjectNode node = Objects.node("n" + i, "x", "8", "16Gi", 50);
      ObjectNode labels = node.withObjectProperty("metadata").withObjectProperty("labels");
      labels.remove("topology.kubernetes.io/zone");
      if (random.nextInt(3) > 0) {
        labels.put("rack", random.nextBoolean() ? "r1" : "r2");
      }
      nodes.add(node);
    }
    RandomStorage storage = new RandomStorage(seed, nodes, false);
    for (JsonNode node : nodes) {
      admin.post("/api/v1/nodes", node);
      admin.patch("/api/v1/nodes/" + Bench.name(node), Objects.READY);
    }
    storage.classes.values().forEach(one -> create(STORAGE + "storageclasses", one));
    storage.drivers.values().forEach(one -> create(STORAGE + "csidrivers", one));
    for (ObjectNode one : storage.csiNodes.values()) {
      one.at("/spec/drivers").forEach(driver -> ((ObjectNode) driver).put("nodeID", "id"));
      create(STORAGE + "csinodes", one);
    }
    storage
        .capacities
        .values()
        .forEach(one -> create(STORAGE + "namespaces/kube-system/csistoragecapacities", one));
    storage.claims.values().forEach(this::createClaim);
    storage.volumes.values().forEach(this::createVolume);
    storage.attachments.values().forEach(one -> create(STORAGE + "volumeattachments", one));
    TimeUnit.MILLISECONDS.sleep(LEARNS);
    for (int i = 0; i < PODS; i++) {
      ask("seed " + seed + ", pod " + i, "p" + i, storage, random);
    }
    clear();
  }

  // ---- objects that the server takes ----

  /** The object as the server has it; null where the server does not take it. */
  private JsonNode create(String path, ObjectNode object) {
    ObjectNode clean = object.deepCopy();
    ObjectNode metadata = clean.withObjectProperty("metadata");
    metadata.remove(List.of("uid", "resourceVersion"));
    boolean deleted = metadata.has("deletionTimestamp");
    if (deleted) {
      metadata.remove("deletionTimestamp");
      metadata.putArray("finalizers").add("example.com/keep");
    }
    try {
      JsonNode made = admin.post(path, clean);
      if (deleted) {
        admin.delete(path + "/" + Bench.name(made));
      }
      return made;
    } catch (ApiException refused) {
      count("not taken by the server");
      return null;
    } catch (IOException broken) {
      throw new IllegalStateException(broken);
    }
  }

  private void createClaim(ObjectNode claim) {
    JsonNode made = create(CLAIMS, claim);
    if (made != null && claim.at("/status/phase").asString("").equals("Lost")) {
      status(CLAIMS + "/" + Bench.name(claim), "Lost");
    }
  }

  private void createVolume(ObjectNode object) {
    ObjectNode volume = object.deepCopy();
    ObjectNode spec = volume.withObjectProperty("spec");
    if (spec.has("nfs")) {
      spec.putObject("nfs").put("server", "s").put("path", "/p");
    }
    JsonNode reference = spec.path("claimRef");
    if (reference.has("uid")) {
      String uid = uid(CLAIMS + "/" + reference.path("name").asString());
      ((ObjectNode) reference).put("uid", uid.isEmpty() ? "other" : uid);
    }
    JsonNode made = create(VOLUMES, volume);
    if (made != null) {
      status(VOLUMES + "/" + Bench.name(made), volume.at("/status/phase").asString());
    }
  }

  private void status(String path, String phase) {
    try {
      admin.patch(path + "/status", Objects.json("{'status':{'phase':'%s'}}", phase));
    } catch (IOException broken) {
      throw new IllegalStateException(broken);
    }
  }

  private String uid(String path) {
    try {
      return admin.get(path).at("/metadata/uid").asString("");
    } catch (IOException none) {
      return "";
    }
  }

  private List<JsonNode> list(String path) throws IOException {
    List<JsonNode> found = new ArrayList<>();
    admin.list(path, found::add);
    return found;
  }

  // ---- one pod ----

  private void ask(String about, String name, RandomStorage storage, Random random)
      throws Exception {
    ObjectNode pod = Objects.pod(name, "10m", "1Mi");
    pod.withObjectProperty("metadata").put("uid", "to-be-replaced");
    ObjectNode spec = pod.withObjectProperty("spec");
    spec.put("schedulerName", "default-scheduler");
    spec.putArray("schedulingGates").addObject().put("name", "example.com/judged");
    if (random.nextInt(10) < 4) {
      String host = "n" + random.nextInt(NODES);
      spec.putObject("nodeSelector").put("kubernetes.io/hostname", host);
    }
    List<String> before = List.copyOf(storage.claims.keySet());
    List<String> volumesBefore = List.copyOf(storage.volumes.keySet());
    storage.addVolumes(pod);
    for (JsonNode volume : pod.at("/spec/volumes")) {
      if (volume.has("ephemeral")) {
        ((ObjectNode) volume)
            .withObjectProperty("ephemeral")
            .set(
                "volumeClaimTemplate",
                Objects.json(
                    "{'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':"
                        + "{'storage':'1Gi'}}}}"));
      }
    }
    JsonNode made = create(PODS_PATH, pod);
    if (made == null) {
      return;
    }
    String uid = made.at("/metadata/uid").asString();
    for (Map.Entry<String, ObjectNode> claim : storage.claims.entrySet()) {
      if (!before.contains(claim.getKey())) {
        for (JsonNode owner : claim.getValue().at("/metadata/ownerReferences")) {
          ((ObjectNode) owner)
              .put("uid", uid)
              .put("apiVersion", "v1")
              .put("kind", "Pod")
              .put("name", name);
        }
        createClaim(claim.getValue());
      }
    }
    for (Map.Entry<String, ObjectNode> volume : storage.volumes.entrySet()) {
      if (!volumesBefore.contains(volume.getKey())) {
        createVolume(volume.getValue());
      }
    }
    TimeUnit.MILLISECONDS.sleep(LEARNS);
    Cluster cluster = now(uid);
    TreeSet<String> fits = new TreeSet<>();
    cluster
        .verdicts(uid)
        .forEach(
            (node, reasons) -> {
              if (reasons.isEmpty()) {
                fits.add(node);
              }
            });
    String words = fits.isEmpty() ? words(cluster, uid) : "";
    admin.patch(PODS_PATH + "/" + name, Objects.json("{'spec':{'schedulingGates':null}}"));
    JsonNode judged = verdict(name);
    String message = Bench.scheduled(judged).path("message").asString("");
    boolean refused = Bench.scheduled(judged).path("reason").asString("").equals("Unschedulable");
    if (refused != fits.isEmpty()) {
      differences.add(about + ": here " + fits + " " + words + "; there " + message + "; " + made);
    } else if (refused) {
      count("refused");
      String there = message.replaceAll("\\. .*", "").replaceAll("\\.$", "");
      count(there.replaceAll("[0-9]+ |\"[^\"]*\"|^0/[^:]*: ", ""));
      if (!words.equals(there)) {
        differences.add(about + ": words here " + words + "; there " + there + "; " + made);
      }
    } else {
      count("placed");
      String node = carryOn(judged);
      if (!fits.contains(node)) {
        differences.add(about + ": here " + fits + "; there '" + node + "'; " + made);
      } else if (!sizes.equals(sizesHere(uid, node, cluster))) {
        differences.add(
            about + ": sizes here " + sizesHere(uid, node, cluster) + "; there " + sizes);
      }
    }
    if (refused) {
      admin.delete(PODS_PATH + "/" + name + "?gracePeriodSeconds=0");
      TimeUnit.MILLISECONDS.sleep(LEARNS);
    }
  }

  /** By claim, the size of the volume that was matched; "made" where one is to be made. */
  private final Map<String, String> sizes = new TreeMap<>();

  /** The same, as this scheduler would have it on that node. */
  private Map<String, String> sizesHere(String uid, String node, Cluster cluster) {
    Map<String, String> found = new TreeMap<>();
    for (PodEntry pod : cluster.pods()) {
      if (pod.uid().equals(uid)) {
        cluster.volumes().assume(pod.facts, node);
      }
    }
    VolumeWork work = cluster.volumes().work(uid).orElse(null);
    if (work != null) {
      work.matches()
          .forEach(match -> found.put(match.claim().name(), match.volume().capacity().toString()));
      work.provisions().forEach(claim -> found.put(claim.name(), "made"));
    }
    return found;
  }

  /** What the controllers do for a pod that is accepted; the node of the pod. */
  private String carryOn(JsonNode pod) throws Exception {
    sizes.clear();
    String name = Bench.name(pod);
    if (!Bench.nodeOf(pod).isEmpty()) {
      return Bench.nodeOf(pod);
    }
    for (JsonNode volume : pod.at("/spec/volumes")) {
      String claim = volume.at("/persistentVolumeClaim/claimName").asString("");
      claim = volume.has("ephemeral") ? name + "-" + volume.path("name").asString() : claim;
      JsonNode there = claim.isEmpty() ? Objects.json("{}") : admin.get(CLAIMS + "/" + claim);
      if (claim.isEmpty() || there.at("/metadata/annotations").has(COMPLETED)) {
        continue;
      }
      JsonNode match = null;
      for (JsonNode one : list(VOLUMES)) {
        boolean isFor = one.at("/spec/claimRef/uid").equals(there.at("/metadata/uid"));
        if (isFor && !there.at("/metadata/annotations").has(ClaimFacts.SELECTED_NODE)) {
          match = one;
        }
      }
      if (match != null) {
        sizes.put(claim, VolumeFacts.of(match).capacity().toString());
      } else {
        sizes.put(claim, "made");
        ObjectNode fresh =
            Objects.json(
                "{'metadata':{'name':'made-%s'},'spec':{'accessModes':['ReadWriteOnce'],"
                    + "'capacity':{'storage':'6Gi'},'csi':{'driver':'driver-1',"
                    + "'volumeHandle':'made-%s'},'claimRef':{'namespace':'default','name':'%s',"
                    + "'uid':'%s'}}}",
                claim, claim, claim, there.at("/metadata/uid").asString());
        match = admin.post(VOLUMES, fresh);
      }
      admin.patch(
          CLAIMS + "/" + claim,
          Objects.json(
              "{'metadata':{'annotations':{'%s':'yes'}},'spec':{'volumeName':'%s'}}",
              COMPLETED, Bench.name(match)));
      status(VOLUMES + "/" + Bench.name(match), "Bound");
    }
    JsonNode[] last = new JsonNode[1];
    Bench.until(
        () -> {
          last[0] = admin.get(PODS_PATH + "/" + name);
          return !Bench.nodeOf(last[0]).isEmpty();
        },
        () -> "not bound: " + last[0] + " in " + plane.folder());
    return Bench.nodeOf(last[0]);
  }

  private static final String COMPLETED = "pv.kubernetes.io/bind-completed";

  /** The cluster as it is now, where a pod is not gated. */
  private Cluster now(String uid) throws IOException {
    Cluster cluster =
        new Cluster(Distributors.of("first", (pod, candidates) -> candidates.first()));
    List<JsonNode> pods = list("/api/v1/pods");
    for (JsonNode pod : pods) {
      if (pod.at("/metadata/uid").asString("").equals(uid)) {
        ((ObjectNode) pod.path("spec")).remove("schedulingGates");
      }
    }
    cluster.replaceAll(list("/api/v1/nodes"), pods, list("/api/v1/namespaces"));
    for (Resource resource : Resource.values()) {
      StorageKind kind = StorageKind.of(resource.kind()).orElse(null);
      if (kind != null) {
        cluster.replaceStorage(kind, list(resource.path()));
      }
    }
    return cluster;
  }

  private static String words(Cluster cluster, String uid) {
    Decision decision = cluster.decide(List.of(uid)).get(0);
    String message =
        decision instanceof Decision.Refused refusal ? refusal.message() : decision.toString();
    return message.replaceAll("\\. .*", "").replaceAll("\\.$", "");
  }

  /** The pod once the stock scheduler has bound or refused it, or waits for its volumes. */
  private JsonNode verdict(String name) throws Exception {
    JsonNode[] last = new JsonNode[1];
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(WAITS);
    Bench.until(
        () -> {
          last[0] = admin.get(PODS_PATH + "/" + name);
          return !Bench.nodeOf(last[0]).isEmpty()
              || Bench.scheduled(last[0]).path("reason").asString("").equals("Unschedulable")
              || System.nanoTime() > end;
        },
        () -> "no verdict of " + last[0]);
    return last[0];
  }

  private void clear() throws IOException {
    for (JsonNode pod : list("/api/v1/pods")) {
      admin.delete(PODS_PATH + "/" + Bench.name(pod) + "?gracePeriodSeconds=0");
    }
    for (Resource resource : Resource.values()) {
      boolean storage = StorageKind.of(resource.kind()).isPresent();
      if (storage || resource == Resource.NODES) {
        for (JsonNode object : list(resource.path())) {
          String path = path(resource, object);
          admin.patch(path, Objects.json("{'metadata':{'finalizers':null}}"));
          try {
            admin.delete(path);
            admin.patch(path, Objects.json("{'metadata':{'finalizers':null}}"));
          } catch (ApiException gone) {
            // Without finalizers it went at once.
          }
        }
      }
    }
  }

  private static String path(Resource resource, JsonNode object) {
    String namespace = object.at("/metadata/namespace").asString("");
    int last = resource.path().lastIndexOf('/');
    return resource.path().substring(0, last)
        + (namespace.isEmpty() ? "" : "/namespaces/" + namespace)
        + resource.path().substring(last)
        + "/"
        + Bench.name(object);
  }
}

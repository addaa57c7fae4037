package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.Objects;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Random clusters with storage and priorities on a real API server, one after the other. The pods
 * that are to be judged wait behind a gate.
 */
final class StorageOnServer {
  private static final Set<Resource> KINDS = EnumSet.range(Resource.CLAIMS, Resource.ATTACHMENTS);
  private static final int PODS = 15;
  private static final int NODES = 4;
  static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
  static final String VOLUMES = "/api/v1/persistentvolumes";
  static final String PODS_PATH = "/api/v1/namespaces/default/pods";
  private static final String STORAGE = "/apis/storage.k8s.io/v1/";
  private static final String KEEP = "example.com/keep";
  private static final int[] PRIORITIES = {-7, 0, 1, 5, 9};
  private static final String NEVER = "never";

  private final ApiServer admin;
  private final Consumer<String> seen;

  /** So that all pods have started at different times. */
  private int starts;

  /** The claims and volumes that were sent to the server. */
  private final Set<ObjectNode> known = Collections.newSetFromMap(new IdentityHashMap<>());

  /** The claims for one pod alone that a placed pod uses. */
  private final Set<String> inUse = new HashSet<>();

  /** A pod behind its gate. */
  record Asked(String name, String uid) {}

  /**
   * No cluster yet, on an API server without objects.
   *
   * @param seen takes a word about each object that the server does not take
   */
  StorageOnServer(ApiServer admin, Consumer<String> seen) throws IOException {
    this.admin = admin;
    this.seen = seen;
    for (int priority : PRIORITIES) {
      admin.post(
          "/apis/scheduling.k8s.io/v1/priorityclasses",
          Objects.json("{'metadata':{'name':'%s'},'value':%d}", className(priority), priority));
    }
    admin.post(
        "/apis/scheduling.k8s.io/v1/priorityclasses",
        Objects.json("{'metadata':{'name':'%s'},'value':9,'preemptionPolicy':'Never'}", NEVER));
  }

  private static String className(int priority) {
    return "p" + (priority + 10);
  }

  /** Makes a random cluster, and returns its pods that wait behind a gate. */
  List<Asked> make(long seed) throws IOException {
    starts = 0;
    Random random = new Random(seed);
    List<JsonNode> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      ObjectNode node = Objects.node("n" + i, "x", "4", "16Gi", 50);
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
    known.clear();
    inUse.clear();
    storage.claims.values().forEach(this::createClaim);
    storage.volumes.values().forEach(this::createVolume);
    known.addAll(storage.claims.values());
    known.addAll(storage.volumes.values());
    storage.attachments.values().forEach(one -> create(STORAGE + "volumeattachments", one));
    for (int node = 0; node < NODES; node++) {
      for (int i = random.nextInt(4); i > 0; i--) {
        place("n" + node, "there-" + node + "-" + i, storage, random);
      }
    }
    List<Asked> asked = new ArrayList<>();
    for (int i = 0; i < PODS; i++) {
      gate("p" + i, storage, random, asked);
    }
    return asked;
  }

  /** The object as the server has it; null where the server does not take it. */
  private JsonNode create(String path, ObjectNode object) {
    ObjectNode clean = object.deepCopy();
    ObjectNode metadata = clean.withObjectProperty("metadata");
    metadata.remove(List.of("uid", "resourceVersion"));
    boolean deleted = metadata.has("deletionTimestamp");
    if (deleted) {
      metadata.remove("deletionTimestamp");
      metadata.putArray("finalizers").add(KEEP);
    }
    try {
      JsonNode made = admin.post(path, clean);
      if (deleted) {
        Bench.delete(admin, path + "/" + Bench.name(made));
      }
      return made;
    } catch (ApiException refused) {
      seen.accept("not taken by the server");
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

  void status(String path, String phase) {
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

  private static ObjectNode pod(String name, Random random) {
    String cpu = random.nextBoolean() ? "10m" : Integer.toString(1 + random.nextInt(3));
    ObjectNode pod = Objects.pod(name, cpu, "1Mi");
    pod.withObjectProperty("metadata").put("uid", "to-be-replaced");
    pod.withObjectProperty("spec").put("schedulerName", "default-scheduler");
    return pod;
  }

  private static String anyClass(Random random, int least) {
    return className(PRIORITIES[least + random.nextInt(PRIORITIES.length - least)]);
  }

  /** A pod that is on a node already. */
  private void place(String node, String name, RandomStorage storage, Random random)
      throws IOException {
    ObjectNode pod = pod(name, random);
    pod.withObjectProperty("spec")
        .put("nodeName", node)
        .put("priorityClassName", anyClass(random, 0));
    if (random.nextInt(5) < 3) {
      storage.addVolumes(pod);
    }
    // No pod is placed without its own claims, and none uses a claim that is for one alone.
    boolean isFree = true;
    for (String claim : claims(pod)) {
      ObjectNode there = storage.claims.get("default/" + claim);
      boolean isForOne = there != null && there.toString().contains("ReadWriteOncePod");
      isFree &= !isForOne || inUse.add(claim);
      boolean isEphemeral = claim.startsWith(name);
      isFree &= !isEphemeral || there != null && there.at("/metadata").has("ownerReferences");
    }
    if (isFree && create(pod, name, storage) != null) {
      start(name);
    }
  }

  void start(String name) throws IOException {
    starts++;
    admin.patch(
        PODS_PATH + "/" + name + "/status",
        Objects.json(
            "{'status':{'startTime':'2026-11-22T%02d:%02d:00Z'}}", starts * 7 % 24, starts % 60));
  }

  /** A pod that waits behind a gate. */
  private void gate(String name, RandomStorage storage, Random random, List<Asked> asked) {
    ObjectNode pod = pod(name, random);
    ObjectNode spec = pod.withObjectProperty("spec");
    spec.put("priorityClassName", random.nextInt(8) == 0 ? NEVER : anyClass(random, 1));
    spec.putArray("schedulingGates").addObject().put("name", "example.com/judged");
    if (random.nextInt(10) < 4) {
      String host = "n" + random.nextInt(NODES);
      spec.putObject("nodeSelector").put("kubernetes.io/hostname", host);
    }
    storage.addVolumes(pod);
    JsonNode made = create(pod, name, storage);
    if (made != null) {
      asked.add(new Asked(name, made.at("/metadata/uid").asString()));
    }
  }

  /** Creates a pod, and the claims and volumes that come with it. */
  private JsonNode create(ObjectNode pod, String name, RandomStorage storage) {
    // For a claim that is named twice the stock scheduler looks for two volumes.
    Set<String> named = new HashSet<>();
    Iterator<JsonNode> volumes = pod.at("/spec/volumes").iterator();
    while (volumes.hasNext()) {
      String claim = volumes.next().at("/persistentVolumeClaim/claimName").asString("");
      if (!claim.isEmpty() && !named.add(claim)) {
        volumes.remove();
      }
    }
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
      return null;
    }
    String uid = made.at("/metadata/uid").asString();
    for (Map.Entry<String, ObjectNode> claim : storage.claims.entrySet()) {
      if (known.add(claim.getValue())) {
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
      if (known.add(volume.getValue())) {
        createVolume(volume.getValue());
      }
    }
    return made;
  }

  /** The names of the claims of a pod. */
  static List<String> claims(JsonNode pod) {
    List<String> names = new ArrayList<>();
    for (JsonNode volume : pod.at("/spec/volumes")) {
      String name = volume.at("/persistentVolumeClaim/claimName").asString("");
      if (volume.has("ephemeral")) {
        name = Bench.name(pod) + "-" + volume.path("name").asString();
      }
      if (!name.isEmpty()) {
        names.add(name);
      }
    }
    return names;
  }

  /** The objects of storage that there are now, by their kind. */
  Map<Resource, List<JsonNode>> storage() throws IOException {
    Map<Resource, List<JsonNode>> storage = new EnumMap<>(Resource.class);
    for (Resource resource : KINDS) {
      storage.put(resource, Bench.list(admin, resource.path()));
    }
    return storage;
  }

  /** Removes the cluster. */
  void clear() throws IOException {
    Bench.deleteAtOnce(admin, PODS_PATH);
    for (Resource resource : Resource.values()) {
      if (KINDS.contains(resource) || resource == Resource.NODES) {
        for (JsonNode object : Bench.list(admin, resource.path())) {
          if (object.at("/metadata/finalizers").size() > 0) {
            free(path(resource, object));
          }
        }
        Bench.delete(admin, collection(resource));
      }
    }
  }

  private void free(String path) throws IOException {
    try {
      admin.patch(path, Objects.json("{'metadata':{'finalizers':null}}"));
    } catch (ApiException gone) {
      // Without finalizers it went at once.
    }
  }

  /** The path of all objects of a kind that there are in this test. */
  private static String collection(Resource resource) {
    return switch (resource) {
      case CLAIMS -> CLAIMS;
      case CAPACITIES -> STORAGE + "namespaces/kube-system/csistoragecapacities";
      default -> resource.path();
    };
  }

  private static String path(Resource resource, JsonNode object) {
    return collection(resource) + "/" + Bench.name(object);
  }
}

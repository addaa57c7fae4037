package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import io.lighthouse.kubernetes.cluster.object.ClaimFacts;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.cluster.object.VolumeFacts;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.cluster.volume.VolumeWork;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.RealControlPlane;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One API server with the real kube-scheduler. Random clusters with storage and priorities are
 * judged there and here, one after the other. This class is the volume controller.
 *
 * <p>The pods of a cluster wait behind a gate. All that are refused here are let in together, for
 * refusals change nothing. Then one pod is let in that is placed or that preempts, and the rest is
 * judged anew.
 */
final class StorageDifferential implements AutoCloseable {
  private static final Set<Resource> KINDS = EnumSet.range(Resource.CLAIMS, Resource.ATTACHMENTS);
  private static final int PODS = 15;
  private static final int NODES = 4;
  private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
  private static final String VOLUMES = "/api/v1/persistentvolumes";
  private static final String PODS_PATH = "/api/v1/namespaces/default/pods";
  private static final String STORAGE = "/apis/storage.k8s.io/v1/";
  private static final String COMPLETED = "pv.kubernetes.io/bind-completed";
  private static final String BY_SCHEDULER = "pv.kubernetes.io/bound-by-controller";
  private static final String KEEP = "example.com/keep";
  private static final int[] PRIORITIES = {-7, 0, 1, 5, 9};
  private static final String NEVER = "never";

  /** Without an answer for this time, a pod waits for volumes that were chosen before. */
  private static final long WAITS = TimeUnit.MILLISECONDS.toNanos(2_500);

  private final List<String> differences = new ArrayList<>();
  private final Map<String, Integer> seen = new TreeMap<>();
  private final RealControlPlane plane;
  private final ApiServer admin;

  /** How long the stock scheduler may take to learn of a change, in milliseconds. */
  private long learns;

  /** So that all pods have started at different times. */
  private int starts;

  /** By claim, the size of the volume that was matched there; "made" where one is to be made. */
  private final Map<String, String> sizes = new TreeMap<>();

  /** The claims and volumes that were sent to the server. */
  private final Set<ObjectNode> known = Collections.newSetFromMap(new IdentityHashMap<>());

  /** The claims for one pod alone that a placed pod uses. */
  private final Set<String> inUse = new HashSet<>();

  /** A pod behind its gate. */
  private record Asked(String name, String uid) {}

  StorageDifferential() throws Exception {
    // What protects claims and volumes in use would keep them from being deleted.
    plane =
        new RealControlPlane(
            Map.of(
                "KUBE_APISERVER_FLAGS",
                "--disable-admission-plugins StorageObjectInUseProtection"));
    admin = plane.admin();
    for (int priority : PRIORITIES) {
      admin.post(
          "/apis/scheduling.k8s.io/v1/priorityclasses",
          Objects.json("{'metadata':{'name':'%s'},'value':%d}", className(priority), priority));
    }
    admin.post(
        "/apis/scheduling.k8s.io/v1/priorityclasses",
        Objects.json("{'metadata':{'name':'%s'},'value':9,'preemptionPolicy':'Never'}", NEVER));
    plane.startStockScheduler();
  }

  private static String className(int priority) {
    return "p" + (priority + 10);
  }

  /** How often each verdict was seen. */
  Map<String, Integer> seen() {
    return seen;
  }

  private void count(String what) {
    seen.merge(what, 1, Integer::sum);
  }

  /** The differences on a random cluster. */
  List<String> cluster(long seed, long patience) throws Exception {
    learns = patience;
    starts = 0;
    differences.clear();
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
    TimeUnit.MILLISECONDS.sleep(learns);
    judge("seed " + seed, asked);
    clear();
    return List.copyOf(differences);
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
      metadata.putArray("finalizers").add(KEEP);
    }
    try {
      JsonNode made = admin.post(path, clean);
      if (deleted) {
        Bench.delete(admin, path + "/" + Bench.name(made));
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

  private Map<String, JsonNode> pods() throws IOException {
    Map<String, JsonNode> found = new HashMap<>();
    admin.list(PODS_PATH, pod -> found.put(Bench.name(pod), pod));
    return found;
  }

  // ---- pods ----

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

  private void start(String name) throws IOException {
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

  // ---- the state of the cluster ----

  /** The cluster as it was when it was listed. */
  private final class State {
    private final List<JsonNode> nodes = Bench.list(admin, Resource.NODES.path());
    private final List<JsonNode> pods = Bench.list(admin, "/api/v1/pods");
    private final List<JsonNode> namespaces = Bench.list(admin, Resource.NAMESPACES.path());
    private final Map<Resource, List<JsonNode>> storage = new EnumMap<>(Resource.class);

    State() throws IOException {
      for (Resource resource : KINDS) {
        storage.put(resource, Bench.list(admin, resource.path()));
      }
    }

    /** That cluster, where a pod is not gated. */
    Cluster cluster(Asked asked) {
      Cluster cluster =
          Clusters.withPreemption(
              Distributors.of("first", (pod, candidates) -> candidates.first()));
      List<JsonNode> open = new ArrayList<>();
      for (JsonNode pod : pods) {
        JsonNode one = pod;
        if (pod.at("/metadata/uid").asString("").equals(asked.uid)) {
          one = pod.deepCopy();
          ((ObjectNode) one.path("spec")).remove("schedulingGates");
        }
        open.add(one);
      }
      Clusters.replaceAll(cluster, nodes, open, namespaces);
      storage.forEach((kind, all) -> all.forEach(one -> cluster.changed(kind, one)));
      return cluster;
    }

    Decision decide(Asked asked) {
      return cluster(asked).decide(List.of(asked.uid)).get(0);
    }

    /** The nodes that the pod fits. */
    TreeSet<String> fits(Asked asked) {
      TreeSet<String> fits = new TreeSet<>();
      Clusters.verdicts(cluster(asked), asked.uid)
          .forEach(
              (node, reasons) -> {
                if (reasons.isEmpty()) {
                  fits.add(node);
                }
              });
      return fits;
    }

    /** By claim, what this scheduler would have for it if the pod was on that node. */
    Map<String, String> sizes(Asked asked, String node) {
      Cluster cluster = cluster(asked);
      Map<String, String> found = new TreeMap<>();
      for (PodEntry pod : cluster.pods()) {
        if (pod.uid().equals(asked.uid)) {
          cluster.volumes().assume(pod.facts, node);
        }
      }
      VolumeWork work = cluster.volumes().work(asked.uid).orElse(null);
      if (work != null) {
        work.matches()
            .forEach(
                match -> found.put(match.claim().name(), match.volume().capacity().toString()));
        work.provisions().forEach(claim -> found.put(claim.name(), "made"));
      }
      return found;
    }
  }

  // ---- questions ----

  private void judge(String about, List<Asked> asked) throws Exception {
    List<Asked> open = new ArrayList<>(asked);
    while (!open.isEmpty()) {
      State now = new State();
      Map<Asked, Decision> refused = new HashMap<>();
      Map<Asked, Decision> others = new HashMap<>();
      for (Asked pod : open) {
        Decision decision = now.decide(pod);
        (decision instanceof Decision.Refused ? refused : others).put(pod, decision);
      }
      refuse(about, refused);
      open.removeAll(refused.keySet());
      if (open.isEmpty()) {
        return;
      }
      Asked next = open.remove(0);
      String what = about + ", " + next.name;
      letIn(next);
      if (others.get(next) instanceof Decision.Preempt preempt) {
        preempt(what, next, preempt);
      } else {
        place(what, next, now);
      }
      TimeUnit.MILLISECONDS.sleep(learns);
    }
  }

  private void letIn(Asked pod) throws IOException {
    admin.patch(PODS_PATH + "/" + pod.name, Objects.json("{'spec':{'schedulingGates':null}}"));
  }

  private static boolean isRefused(JsonNode pod) {
    return Bench.scheduled(pod).path("reason").asString("").equals("Unschedulable");
  }

  private static String message(JsonNode pod) {
    return Bench.scheduled(pod).path("message").asString("");
  }

  /** All are refused here: so they are there, in the same words, and nothing is evicted. */
  private void refuse(String about, Map<Asked, Decision> refused) throws Exception {
    for (Asked pod : refused.keySet()) {
      letIn(pod);
    }
    Map<String, JsonNode> there = new HashMap<>();
    Bench.until(
        () -> {
          there.clear();
          there.putAll(pods());
          return refused.keySet().stream()
              .map(pod -> there.get(pod.name))
              .allMatch(pod -> isRefused(pod) || !Bench.nodeOf(pod).isEmpty());
        },
        () -> "no verdicts of " + refused.keySet() + " in " + plane.folder());
    refused.forEach(
        (pod, decision) -> {
          JsonNode judged = there.get(pod.name);
          String here = ((Decision.Refused) decision).message();
          String words = message(judged);
          String node = Bench.nodeOf(judged) + judged.at("/status/nominatedNodeName").asString("");
          // Where a PreFilter refuses, the stock scheduler comes to no word about preemption.
          boolean saysAll = words.contains("preemption: ");
          if (!node.isEmpty()) {
            differences.add(
                about + ", " + pod.name + ": here " + here + "; there '" + node + "'; " + judged);
          } else if (!reasons(here).equals(reasons(words))
              || saysAll && !preemption(here).equals(preemption(words))) {
            differences.add(about + ", " + pod.name + ": here " + here + "; there " + words);
          }
          count(saysAll ? "refused" : "refused before filters");
        });
    for (Asked pod : refused.keySet()) {
      Bench.deleteAtOnce(admin, PODS_PATH + "/" + pod.name);
    }
  }

  /** The counts of the filters' reasons in a message. */
  private static String reasons(String message) {
    return message.replaceAll("\\. .*", "").replaceAll("\\.$", "");
  }

  /** What a message says of preemption; empty where it says nothing. */
  private static String preemption(String message) {
    return message.contains("preemption: ")
        ? message.replaceFirst("^.*preemption: ", "").replaceFirst(" Nearest: .*$", "")
        : "";
  }

  private void preempt(String about, Asked asked, Decision.Preempt here) throws Exception {
    count("preempted");
    TreeSet<String> ours = new TreeSet<>();
    here.victims().stream().map(WaitingPod::name).forEach(ours::add);
    TreeSet<String> theirs = new TreeSet<>();
    JsonNode[] last = new JsonNode[1];
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(12 * learns);
    Bench.until(
        () -> {
          theirs.clear();
          Map<String, JsonNode> pods = pods();
          last[0] = pods.get(asked.name);
          for (JsonNode pod : pods.values()) {
            if (pod.path("metadata").has("deletionTimestamp")) {
              theirs.add(Bench.name(pod));
            }
          }
          boolean isJudged = isRefused(last[0]) || !Bench.nodeOf(last[0]).isEmpty();
          return isJudged && (theirs.size() >= ours.size() || System.nanoTime() > end);
        },
        () -> "no verdict of " + last[0] + " in " + plane.folder());
    String node = last[0].at("/status/nominatedNodeName").asString("");
    if (!node.equals(here.node()) || !theirs.equals(ours)) {
      differences.add(
          about
              + ": here "
              + here.node()
              + ours
              + ", there "
              + node
              + theirs
              + "; "
              + here
              + "; "
              + message(last[0])
              + "; "
              + last[0]);
    }
    Bench.deleteAtOnce(admin, PODS_PATH + "/" + asked.name);
    for (String victim : theirs) {
      Bench.deleteAtOnce(admin, PODS_PATH + "/" + victim);
    }
  }

  /** The pod fits some nodes here: one of them is its node there, with volumes of these sizes. */
  private void place(String about, Asked asked, State before) throws Exception {
    TreeSet<String> fits = before.fits(asked);
    JsonNode judged = verdict(asked, before);
    if (isRefused(judged)) {
      differences.add(about + ": here " + fits + "; there " + message(judged) + "; " + judged);
      Bench.deleteAtOnce(admin, PODS_PATH + "/" + asked.name);
      return;
    }
    count("placed");
    String node = carryOn(judged);
    start(asked.name);
    Map<String, String> sizesHere = before.sizes(asked, node);
    if (!fits.contains(node)) {
      differences.add(about + ": here " + fits + "; there '" + node + "'; " + judged);
    } else if (!sizes.equals(sizesHere)) {
      differences.add(about + ": sizes here " + sizesHere + "; there " + sizes + "; " + judged);
    }
  }

  /** The names of the claims of a pod. */
  private static List<String> claims(JsonNode pod) {
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

  /** The claims without a volume for which a scheduler chose a node or a volume, by uid. */
  private static TreeSet<String> chosen(List<JsonNode> claims, List<JsonNode> volumes) {
    TreeSet<String> chosen = new TreeSet<>();
    for (JsonNode claim : claims) {
      if (claim.at("/metadata/annotations").has(ClaimFacts.SELECTED_NODE)) {
        chosen.add(claim.at("/metadata/uid").asString());
      }
    }
    for (JsonNode volume : volumes) {
      chosen.add(volume.at("/spec/claimRef/uid").asString(""));
    }
    return chosen;
  }

  /** The pod once the stock scheduler has bound or refused it, or waits for its volumes. */
  private JsonNode verdict(Asked asked, State before) throws Exception {
    List<String> names = new ArrayList<>();
    for (JsonNode pod : before.pods) {
      if (pod.at("/metadata/uid").asString("").equals(asked.uid)) {
        names = claims(pod);
      }
    }
    TreeSet<String> waits = new TreeSet<>();
    for (JsonNode claim : before.storage.get(Resource.CLAIMS)) {
      boolean isBound = claim.at("/metadata/annotations").has(COMPLETED);
      if (names.contains(Bench.name(claim)) && !isBound) {
        waits.add(claim.at("/metadata/uid").asString());
      }
    }
    boolean hasClaims = !waits.isEmpty();
    waits.removeAll(
        chosen(before.storage.get(Resource.CLAIMS), before.storage.get(Resource.VOLUMES)));
    JsonNode[] last = new JsonNode[1];
    long end = System.nanoTime() + WAITS;
    Bench.until(
        () -> {
          last[0] = admin.get(PODS_PATH + "/" + asked.name);
          if (!Bench.nodeOf(last[0]).isEmpty() || isRefused(last[0])) {
            return true;
          }
          return hasClaims
              && (waits.isEmpty()
                  ? System.nanoTime() > end
                  : chosen(Bench.list(admin, CLAIMS), Bench.list(admin, VOLUMES))
                      .containsAll(waits));
        },
        () -> "no verdict of " + last[0] + " in " + plane.folder());
    return last[0];
  }

  /** What the controllers do for a pod that is accepted; the node of the pod. */
  private String carryOn(JsonNode pod) throws Exception {
    sizes.clear();
    String name = Bench.name(pod);
    if (!Bench.nodeOf(pod).isEmpty()) {
      return Bench.nodeOf(pod);
    }
    for (String claim : claims(pod)) {
      JsonNode there = admin.get(CLAIMS + "/" + claim);
      if (there.at("/metadata/annotations").has(COMPLETED)) {
        continue;
      }
      JsonNode match = null;
      for (JsonNode one : Bench.list(admin, VOLUMES)) {
        boolean isFor = one.at("/spec/claimRef/uid").equals(there.at("/metadata/uid"));
        // One that was kept for the claim may not do: the scheduler marks the other that it chose.
        boolean isChosen = one.at("/metadata/annotations").has(BY_SCHEDULER);
        boolean isOnly = match == null || isChosen;
        if (isFor && isOnly && !there.at("/metadata/annotations").has(ClaimFacts.SELECTED_NODE)) {
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

  // ---- the end of a cluster ----

  private void clear() throws IOException {
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

  @Override
  public void close() {
    plane.close();
  }
}

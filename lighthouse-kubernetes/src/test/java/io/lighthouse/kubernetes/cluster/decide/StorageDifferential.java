package io.lighthouse.kubernetes.cluster.decide;

import static io.lighthouse.kubernetes.cluster.decide.StorageOnServer.CLAIMS;
import static io.lighthouse.kubernetes.cluster.decide.StorageOnServer.PODS_PATH;
import static io.lighthouse.kubernetes.cluster.decide.StorageOnServer.VOLUMES;
import static io.lighthouse.kubernetes.cluster.decide.StorageOnServer.claims;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.cluster.decide.StorageOnServer.Asked;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
  private static final String COMPLETED = "pv.kubernetes.io/bind-completed";
  private static final String BY_SCHEDULER = "pv.kubernetes.io/bound-by-controller";

  /** Without an answer for this time, a pod waits for volumes that were chosen before. */
  private static final long WAITS = TimeUnit.MILLISECONDS.toNanos(2_500);

  private final List<String> differences = new ArrayList<>();
  private final Map<String, Integer> seen = new TreeMap<>();
  private final RealControlPlane plane;
  private final ApiServer admin;
  private final StorageOnServer server;

  /** How long the stock scheduler may take to learn of a change, in milliseconds. */
  private long learns;

  /** By claim, the size of the volume that was matched there; "made" where one is to be made. */
  private final Map<String, String> sizes = new TreeMap<>();

  StorageDifferential() throws Exception {
    // What protects claims and volumes in use would keep them from being deleted.
    plane =
        new RealControlPlane(
            Map.of(
                "KUBE_APISERVER_FLAGS",
                "--disable-admission-plugins StorageObjectInUseProtection"));
    admin = plane.admin();
    server = new StorageOnServer(admin, this::count);
    plane.startStockScheduler();
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
    differences.clear();
    List<Asked> asked = server.make(seed);
    TimeUnit.MILLISECONDS.sleep(learns);
    judge("seed " + seed, asked);
    server.clear();
    return List.copyOf(differences);
  }

  private Map<String, JsonNode> pods() throws IOException {
    Map<String, JsonNode> found = new HashMap<>();
    admin.list(PODS_PATH, pod -> found.put(Bench.name(pod), pod));
    return found;
  }

  // ---- the state of the cluster ----

  /** The cluster as it was when it was listed. */
  private final class State {
    private final List<JsonNode> nodes = Bench.list(admin, Resource.NODES.path());
    private final List<JsonNode> pods = Bench.list(admin, "/api/v1/pods");
    private final List<JsonNode> namespaces = Bench.list(admin, Resource.NAMESPACES.path());
    private final Map<Resource, List<JsonNode>> storage = server.storage();

    State() throws IOException {}

    /** That cluster, where a pod is not gated. */
    Cluster cluster(Asked asked) {
      Cluster cluster =
          Clusters.withPreemption(
              Distributors.of("first", (pod, candidates) -> candidates.first()));
      List<JsonNode> open = new ArrayList<>();
      for (JsonNode pod : pods) {
        JsonNode one = pod;
        if (pod.at("/metadata/uid").asString("").equals(asked.uid())) {
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
      return cluster(asked).decide(List.of(asked.uid())).get(0);
    }

    /** The nodes that the pod fits. */
    TreeSet<String> fits(Asked asked) {
      TreeSet<String> fits = new TreeSet<>();
      Clusters.verdicts(cluster(asked), asked.uid())
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
        if (pod.uid().equals(asked.uid())) {
          cluster.volumes().assume(pod.facts, node);
        }
      }
      VolumeWork work = cluster.volumes().work(asked.uid()).orElse(null);
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
      String what = about + ", " + next.name();
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
    admin.patch(PODS_PATH + "/" + pod.name(), Objects.json("{'spec':{'schedulingGates':null}}"));
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
              .map(pod -> there.get(pod.name()))
              .allMatch(pod -> isRefused(pod) || !Bench.nodeOf(pod).isEmpty());
        },
        () -> "no verdicts of " + refused.keySet() + " in " + plane.folder());
    refused.forEach(
        (pod, decision) -> {
          JsonNode judged = there.get(pod.name());
          String here = ((Decision.Refused) decision).message();
          String words = message(judged);
          String node = Bench.nodeOf(judged) + judged.at("/status/nominatedNodeName").asString("");
          // Where a PreFilter refuses, the stock scheduler comes to no word about preemption.
          boolean saysAll = words.contains("preemption: ");
          if (!node.isEmpty()) {
            differences.add(
                about + ", " + pod.name() + ": here " + here + "; there '" + node + "'; " + judged);
          } else if (!reasons(here).equals(reasons(words))
              || saysAll && !preemption(here).equals(preemption(words))) {
            differences.add(about + ", " + pod.name() + ": here " + here + "; there " + words);
          }
          count(saysAll ? "refused" : "refused before filters");
        });
    for (Asked pod : refused.keySet()) {
      Bench.deleteAtOnce(admin, PODS_PATH + "/" + pod.name());
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
          last[0] = pods.get(asked.name());
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
    Bench.deleteAtOnce(admin, PODS_PATH + "/" + asked.name());
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
      Bench.deleteAtOnce(admin, PODS_PATH + "/" + asked.name());
      return;
    }
    count("placed");
    String node = carryOn(judged);
    server.start(asked.name());
    Map<String, String> sizesHere = before.sizes(asked, node);
    if (!fits.contains(node)) {
      differences.add(about + ": here " + fits + "; there '" + node + "'; " + judged);
    } else if (!sizes.equals(sizesHere)) {
      differences.add(about + ": sizes here " + sizesHere + "; there " + sizes + "; " + judged);
    }
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
      if (pod.at("/metadata/uid").asString("").equals(asked.uid())) {
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
          last[0] = admin.get(PODS_PATH + "/" + asked.name());
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
      server.status(VOLUMES + "/" + Bench.name(match), "Bound");
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

  @Override
  public void close() {
    plane.close();
  }
}

package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.cluster.decide.StockDevices.Fault;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.Objects;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A cluster of the real kube-scheduler, to which pods with claims are added one by one, while its
 * devices change. Each pod is judged by {@link StockDevices} and by Lighthouse too.
 */
final class DeviceDifferential {
  private static final int PODS = 10;
  private static final String NO_DEVICES = "cannot allocate all claims";
  private static final String NOT_THERE = "resourceclaim not available on the node";
  private static final String NO_MAPPINGS = "nil or empty request mappings";
  static final String CLAIMS = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
  private static final String EXTENDED = "resource.kubernetes.io/extended-resource-claim";
  private static final ObjectNode NO_FINALIZERS = Objects.json("{'metadata':{'finalizers':null}}");
  private static final List<String> DEVICES = List.of("deviceClassName", "count");
  private static final String POD = "/api/v1/namespaces/default/pods/";

  private final Map<String, Integer> seen;
  private final ApiServer admin;
  private final Bench bench;
  private final StockDevices stock = new StockDevices(Fault.NONE);
  private final RandomDevices random;

  /** How long the stock scheduler may take to learn of a change, in milliseconds. */
  private final long learns;

  /** The claims that are not on the server yet. */
  private final List<ObjectNode> fresh = new ArrayList<>();

  private final List<String> placed = new ArrayList<>();

  DeviceDifferential(ApiServer admin, Map<String, Integer> seen, long seed, long learns)
      throws IOException {
    this.seen = seen;
    this.admin = admin;
    this.learns = learns;
    bench = new Bench(admin);
    random = new RandomDevices(seed, stock, true, this::send);
    for (JsonNode node : random.nodes) {
      admin.post("/api/v1/nodes", node);
      admin.patch("/api/v1/nodes/" + Bench.name(node), Objects.READY);
    }
    random.addAll();
  }

  private void send(Resource kind, ObjectNode object) {
    String path = path(kind);
    try {
      if (kind == Resource.RESOURCE_CLAIMS) {
        fresh.add(object.deepCopy());
      } else if (Bench.list(admin, path).stream()
          .anyMatch(o -> Bench.name(o).equals(Bench.name(object)))) {
        admin.patch(path + "/" + Bench.name(object), object);
      } else {
        admin.post(path, object);
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(object.toString(), broken);
    }
  }

  private static String path(Resource kind) {
    return kind == Resource.RESOURCE_CLAIMS ? CLAIMS : kind.path();
  }

  private void count(String what, long times) {
    seen.merge(what, (int) times, Integer::sum);
  }

  /** Adds pods until a difference is found; returns it. Leaves no objects behind. */
  String run() throws Exception {
    String difference = "";
    for (int i = 0; i < PODS && difference.isEmpty(); i++) {
      difference = step();
    }
    clear(admin);
    return difference;
  }

  /** Deletes all objects. */
  static void clear(ApiServer admin) throws IOException {
    new Bench(admin).clear();
    for (Resource kind : Resource.OF_DEVICES) {
      for (JsonNode object : Bench.list(admin, path(kind))) {
        String path = path(kind) + "/" + Bench.name(object);
        admin.patch(path, NO_FINALIZERS);
        Bench.delete(admin, path);
      }
    }
  }

  private String step() throws Exception {
    if (random.chance(15)) {
      random.publishAnew();
    }
    if (random.chance(20) && !placed.isEmpty()) {
      free(random.pick(placed.toArray(String[]::new)));
    }
    ObjectNode pod = gate(random.pod());
    String name = Bench.name(pod);
    TimeUnit.MILLISECONDS.sleep(learns);
    refresh();
    String refusal = stock.refusal(pod);
    boolean isFormer = stock.hasFormerShares();
    boolean allThere = stock.claims.keySet().containsAll(StockDevices.claimNames(pod));
    if (isFormer || !allThere || !refusal.isEmpty() && !refusal.startsWith("request ")) {
      count(isFormer ? "left out: shared once" : "left out: without a claim", 1);
      bench.deletePod(name);
      return "";
    }
    Map<String, String> expected = new TreeMap<>();
    for (JsonNode node : random.nodes) {
      String text = refusal.isEmpty() ? stock.verdict(pod, node) : refusal;
      expected.put(Bench.name(node), text);
    }
    Map<String, String> here = lighthouse(pod);
    admin.patch(POD + name, Objects.json("{'spec':{'schedulingGates':null}}"));
    JsonNode judged =
        bench.await(
            name,
            one ->
                !Bench.nodeOf(one).isEmpty()
                    || List.of("Unschedulable", "SchedulerError").contains(reason(one)));
    String wrong =
        Bench.nodeOf(judged).isEmpty()
            ? refused(judged, refusal, expected)
            : bound(pod, Bench.nodeOf(judged), expected);
    if (!here.equals(expected)) {
      wrong += "; Lighthouse has " + here;
    }
    return wrong.isEmpty()
        ? ""
        : "%s%nexpected %s%n%s%nclaims %s%nslices %s%nnodes %s"
            .formatted(wrong, expected, judged, stock.claims, stock.slices.values(), random.nodes);
  }

  private static String reason(JsonNode pod) {
    return Bench.scheduled(pod).path("reason").asString("");
  }

  /** Creates a pod behind a gate, and its claims. Returns it as it is without the gate. */
  private ObjectNode gate(ObjectNode pod) throws IOException {
    JsonNode status = pod.remove("status");
    ObjectNode spec = pod.withObjectProperty("spec").put("schedulerName", "default-scheduler");
    spec.putArray("schedulingGates").addObject().put("name", "example.com/judged");
    JsonNode made = bench.add(pod);
    for (ObjectNode claim : fresh) {
      ((ObjectNode) claim.path("metadata")).remove(List.of("uid", "resourceVersion"));
      for (JsonNode owner : claim.at("/metadata/ownerReferences")) {
        ((ObjectNode) owner).put("apiVersion", "v1").put("kind", "Pod");
        ((ObjectNode) owner).put("name", Bench.name(pod)).set("uid", made.at("/metadata/uid"));
      }
      admin.post(CLAIMS, claim);
      if (claim.has("status")) {
        ObjectNode patch = Objects.json("{}");
        patch.set("status", claim.path("status"));
        admin.patch(CLAIMS + "/" + Bench.name(claim) + "/status", patch);
      }
    }
    fresh.clear();
    if (status != null) {
      ObjectNode patch = Objects.json("{}");
      patch.set("status", status);
      made = admin.patch(POD + Bench.name(pod) + "/status", patch);
    }
    ObjectNode open = (ObjectNode) made.deepCopy();
    open.withObjectProperty("spec").remove("schedulingGates");
    return open;
  }

  /** The oracle gets all objects as the server has them. */
  private void refresh() throws IOException {
    Map<Resource, Map<String, JsonNode>> all =
        Map.of(
            Resource.RESOURCE_CLAIMS, stock.claims,
            Resource.DEVICE_CLASSES, stock.classes,
            Resource.RESOURCE_SLICES, stock.slices);
    for (Resource kind : Resource.OF_DEVICES) {
      all.get(kind).clear();
      Bench.list(admin, path(kind))
          .forEach(object -> all.get(kind).put(Bench.name(object), object));
    }
  }

  /** What Lighthouse reports of each node. */
  private Map<String, String> lighthouse(JsonNode pod) throws IOException {
    Cluster cluster =
        Cluster.withProfiles(
            new Profiles(Map.of("default-scheduler", Clusters.standard("spread"))),
            names -> Distributors.installed().strategy("spread"),
            false,
            new PodFacts.Reads(false, true));
    bench.nodes().forEach(cluster::nodeChanged);
    stock.classes.values().forEach(one -> cluster.changed(Resource.DEVICE_CLASSES, one));
    stock.slices.values().forEach(one -> cluster.changed(Resource.RESOURCE_SLICES, one));
    stock.claims.values().forEach(one -> cluster.changed(Resource.RESOURCE_CLAIMS, one));
    for (JsonNode one : bench.pods()) {
      cluster.podChanged(Bench.name(one).equals(Bench.name(pod)) ? pod : one);
    }
    Map<String, String> found = new TreeMap<>();
    Clusters.verdicts(cluster, pod.at("/metadata/uid").asString())
        .forEach((node, texts) -> found.put(node, String.join("; ", texts)));
    return found;
  }

  /** The message must have the counts of the verdicts. */
  private String refused(JsonNode pod, String refusal, Map<String, String> expected)
      throws IOException {
    String reasons =
        expected.values().stream()
            .collect(Collectors.groupingBy(text -> text, Collectors.counting()))
            .entrySet()
            .stream()
            .map(entry -> entry.getValue() + " " + entry.getKey())
            .sorted()
            .collect(Collectors.joining(", "));
    String message = Bench.scheduled(pod).path("message").asString("");
    String wanted =
        "0/%d nodes are available: %s"
            .formatted(expected.size(), refusal.isEmpty() ? reasons : refusal);
    bench.deletePod(Bench.name(pod));
    if (message.contains(NO_MAPPINGS) && failsOnSomeNode(pod, expected)) {
      count("left out: " + NO_MAPPINGS, 1);
      return "";
    }
    count(refusal.isEmpty() ? "refused" : "does not exist", 1);
    count(NO_DEVICES, expected.containsValue(NO_DEVICES) ? 1 : 0);
    count(NOT_THERE, expected.containsValue(NOT_THERE) ? 1 : 0);
    boolean isRight = !expected.containsValue("") && message.startsWith(wanted + ".");
    return isRight ? "" : "the real one reports: " + message;
  }

  /**
   * Whether a pod has claims and fits a node that offers its extended resource. The real scheduler
   * 1.36 chooses such a node, and cannot bind the pod there.
   */
  private boolean failsOnSomeNode(JsonNode pod, Map<String, String> expected) {
    return hasLimits(pod)
        && !StockDevices.claimNames(pod).isEmpty()
        && random.nodes.stream()
            .filter(node -> expected.get(Bench.name(node)).isEmpty())
            .anyMatch(node -> stock.extendedClaim(pod, node).isEmpty());
  }

  /** Of these pods, only those with an extended resource have limits. */
  private static boolean hasLimits(JsonNode pod) {
    return pod.at("/spec/containers/0/resources").has("limits");
  }

  /** The node must fit, and the devices must be right. */
  private String bound(JsonNode pod, String name, Map<String, String> expected) throws IOException {
    placed.add(Bench.name(pod));
    count("bound", 1);
    Map<String, JsonNode> allocations = new LinkedHashMap<>();
    for (String claim : StockDevices.claimNames(pod)) {
      JsonNode now = admin.get(CLAIMS + "/" + claim).at("/status/allocation");
      if (stock.claims.get(claim).at("/status/allocation").isObject()) {
        count("shared claim", 1);
      } else {
        allocations.put(claim, now);
        JsonNode results = now.at("/devices/results");
        count("several devices", results.size() > 1 ? 1 : 0);
        for (JsonNode result : results) {
          count("device", 1);
          count("share of a device", result.has("shareID") ? 1 : 0);
          count("second option", result.path("request").asString().endsWith("o1") ? 1 : 0);
        }
      }
    }
    JsonNode node =
        random.nodes.stream().filter(one -> Bench.name(one).equals(name)).findFirst().get();
    String wrong = extended(pod, stock.extendedClaim(pod, node), allocations);
    if (wrong.isEmpty()) {
      wrong = stock.judge(allocations, node);
    }
    return wrong.isEmpty() && expected.get(name).isEmpty()
        ? ""
        : "the real one chose " + name + " with " + allocations + ": " + wrong;
  }

  /**
   * The stock scheduler made the claim that a pod needs on its node for an extended resource, and
   * no other. Adds what it got to the allocations.
   */
  private String extended(
      JsonNode pod, Optional<JsonNode> wanted, Map<String, JsonNode> allocations)
      throws IOException {
    String made =
        admin
            .get(POD + Bench.name(pod))
            .at("/status/extendedResourceClaimStatus/resourceClaimName")
            .asString("");
    if (made.isEmpty() || wanted.isEmpty()) {
      count("extended resource of the node", hasLimits(pod) && wanted.isEmpty() ? 1 : 0);
      return made.isEmpty() && wanted.isEmpty() ? "" : "claim '" + made + "', not " + wanted;
    }
    count("extended resource", 1);
    ObjectNode claim = (ObjectNode) admin.get(CLAIMS + "/" + made);
    allocations.put(made, claim.at("/status/allocation"));
    claim.remove("status");
    stock.claims.put(made, claim);
    JsonNode request = claim.at("/spec/devices/requests/0");
    JsonNode expected = wanted.get().at("/spec/devices/requests/0");
    boolean isRight =
        claim.at("/spec/devices/requests").size() == 1
            && request.path("name").equals(expected.path("name"))
            && DEVICES.stream()
                .allMatch(
                    one -> request.at("/exactly/" + one).equals(expected.at("/exactly/" + one)));
    return isRight ? "" : "claim " + claim + ", not " + expected;
  }

  /** Deletes a pod. A claim that no other pod uses gives its devices back. */
  private void free(String pod) throws IOException {
    count("freed", 1);
    placed.remove(pod);
    bench.deletePod(pod);
    for (JsonNode claim : Bench.list(admin, CLAIMS)) {
      ObjectNode patch = Objects.json("{'status':{}}");
      ArrayNode users = patch.withObjectProperty("status").putArray("reservedFor");
      for (JsonNode user : claim.at("/status/reservedFor")) {
        if (!user.path("name").asString().equals(pod)) {
          users.add(user);
        }
      }
      boolean isUser = users.size() < claim.at("/status/reservedFor").size();
      if (isUser && claim.at("/metadata/annotations").has(EXTENDED)) {
        // The garbage collector deletes it with its pod; no collector runs here.
        admin.patch(CLAIMS + "/" + Bench.name(claim), NO_FINALIZERS);
        Bench.delete(admin, CLAIMS + "/" + Bench.name(claim));
      } else if (isUser) {
        if (users.isEmpty()) {
          patch.withObjectProperty("status").putNull("allocation").putNull("reservedFor");
        }
        admin.patch(CLAIMS + "/" + Bench.name(claim) + "/status", patch);
      }
    }
  }
}

package io.lighthouse.kubernetes.control;

import io.lighthouse.kubernetes.client.ApiException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Devices and claims to them for tests, and what the claim controller does: by hand, or in a
 * thread. The driver is example.com. Each node has one pool, which has the name of the node.
 */
public final class DeviceObjects implements AutoCloseable {
  /** The class of all devices of the driver. */
  public static final String CLASS = "example";

  /** The extended resource that the class may provide. */
  public static final String RESOURCE = "example.com/device";

  /** The pool of the devices that all nodes reach; no node has this name. */
  public static final String OF_ALL_NODES = "of-all-nodes";

  /** With this, a claim is kept until its devices are given back. */
  public static final String FINALIZER = "resource.kubernetes.io/delete-protection";

  static final String CLAIMS_EVERYWHERE = "/apis/resource.k8s.io/v1/resourceclaims";
  private static final String CLAIMS = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
  private static final String CLASSES = "/apis/resource.k8s.io/v1/deviceclasses";
  private static final String SLICES = "/apis/resource.k8s.io/v1/resourceslices";
  private static final String PODS = "/api/v1/namespaces/default/pods";

  private final Bench bench;
  private Thread thread;
  private volatile boolean closed;

  /** On this bench, without devices. */
  public DeviceObjects(Bench bench) {
    this.bench = bench;
  }

  /** Gives the scheduler its rights to claims, where the server checks them. */
  public static void grantRights(ControlPlane plane) throws IOException {
    if (!plane.isFake()) {
      Path root = Path.of(System.getProperty("lighthouse.root"));
      new Manifests(plane.admin()).apply(root.resolve("deploy/kubernetes/resource-claims.yaml"));
    }
  }

  /** Removes all claims of the namespace, all slices and all classes. */
  public void clear() throws IOException {
    for (JsonNode claim : claims()) {
      removeClaim(claim);
    }
    for (String path : List.of(SLICES, CLASSES)) {
      for (JsonNode object : Bench.list(bench.admin(), path)) {
        Bench.delete(bench.admin(), path + "/" + Bench.name(object));
      }
    }
  }

  private void removeClaim(JsonNode claim) throws IOException {
    String path = CLAIMS + "/" + Bench.name(claim);
    try {
      bench.admin().patch(path, Objects.json("{'metadata':{'finalizers':null}}"));
      Bench.delete(bench.admin(), path);
    } catch (ApiException gone) {
      if (gone.code() != 404) {
        throw gone;
      }
    }
  }

  /** Creates {@link #CLASS}. */
  public void addClass() throws IOException {
    bench
        .admin()
        .post(
            CLASSES,
            Objects.json(
                "{'apiVersion':'resource.k8s.io/v1','kind':'DeviceClass','metadata':{'name':'%s'},"
                    + "'spec':{'selectors':[{'cel':{'expression':"
                    + "'device.driver == \\'example.com\\''}}]}}",
                CLASS));
  }

  /** Has {@link #CLASS} provide {@link #RESOURCE}. */
  public void provideResource() throws IOException {
    bench
        .admin()
        .patch(
            CLASSES + "/" + CLASS,
            Objects.json("{'spec':{'extendedResourceName':'%s'}}", RESOURCE));
  }

  /** Publishes the devices {@code d0}, {@code d1}, ... of a node. */
  public void addDevices(String node, int count) throws IOException {
    addDevices(node, count, "");
  }

  /** Publishes devices {@code d0}, {@code d1}, ... of {@link #OF_ALL_NODES}. */
  public void addDevicesOfAllNodes(int count) throws IOException {
    addDevices(OF_ALL_NODES, "'allNodes':true", count, "");
  }

  /**
   * Publishes devices with a taint of an effect. Returns whether the server keeps taints: 1.36 does
   * so by default.
   */
  public boolean addTaintedDevices(String node, int count, String effect) throws IOException {
    addDevices(node, count, ",'taints':[{'key':'example.com/hot','effect':'" + effect + "'}]");
    return !bench.admin().get(SLICES + "/" + node).at("/spec/devices/0/taints").isEmpty();
  }

  private void addDevices(String node, int count, String more) throws IOException {
    addDevices(node, "'nodeName':'" + node + "'", count, more);
  }

  private void addDevices(String pool, String nodes, int count, String more) throws IOException {
    List<String> devices = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      devices.add("{'name':'d" + i + "'" + more + "}");
    }
    bench
        .admin()
        .post(
            SLICES,
            Objects.json(
                "{'apiVersion':'resource.k8s.io/v1','kind':'ResourceSlice','metadata':{"
                    + "'name':'%s'},'spec':{'driver':'example.com',%s,'pool':{"
                    + "'name':'%s','generation':1,'resourceSliceCount':1},'devices':[%s]}}",
                pool, nodes, pool, String.join(",", devices)));
  }

  /** A request for a number of devices. */
  public static String exactly(int count) {
    return "{'name':'r','exactly':{'deviceClassName':'%s','count':%d}}".formatted(CLASS, count);
  }

  /** A request for two devices, or one where two are not there. */
  public static String twoOrOne() {
    return ("{'name':'r','firstAvailable':[{'name':'two','deviceClassName':'%s','count':2},"
            + "{'name':'one','deviceClassName':'%s','count':1}]}")
        .formatted(CLASS, CLASS);
  }

  /** Creates a claim to a number of devices. */
  public void addClaim(String name, int count) throws IOException {
    addClaim(name, exactly(count));
  }

  /** Creates a claim with some requests. */
  public void addClaim(String name, String requests) throws IOException {
    addClaim(Objects.json("{'name':'%s','namespace':'default'}", name), requests);
  }

  private void addClaim(ObjectNode metadata, String requests) throws IOException {
    ObjectNode claim =
        Objects.json(
            "{'apiVersion':'resource.k8s.io/v1','kind':'ResourceClaim','spec':{'devices':{"
                + "'requests':[%s]}}}",
            requests);
    claim.set("metadata", metadata);
    bench.admin().post(CLAIMS, claim);
  }

  /** A pod of our scheduler with some claims. */
  public static ObjectNode pod(String name, String... claims) {
    return podWith(name, "resourceClaimName", claims);
  }

  /** A pod of our scheduler with a claim that is made for it from a template. */
  public static ObjectNode podOfTemplate(String name) {
    return podWith(name, "resourceClaimTemplateName", "template");
  }

  /** A pod of our scheduler that requests {@link #RESOURCE}. */
  public static ObjectNode podOfResource(String name, int count) {
    ObjectNode pod = Objects.pod(name, "100m", "64Mi");
    ObjectNode resources =
        ((ObjectNode) pod.at("/spec/containers/0")).withObjectProperty("resources");
    for (String list : List.of("requests", "limits")) {
      resources.withObjectProperty(list).put(RESOURCE, Integer.toString(count));
    }
    return pod;
  }

  /** The claim for the extended resources of a pod, as its status names it; empty for none. */
  public static String extendedClaimOf(JsonNode pod) {
    return pod.at("/status/extendedResourceClaimStatus/resourceClaimName").asString("");
  }

  /** Gives a pod some claims. */
  public static ObjectNode withClaims(ObjectNode pod, String... claims) {
    return with(pod, "resourceClaimName", claims);
  }

  private static ObjectNode podWith(String name, String field, String... values) {
    return with(Objects.pod(name, "100m", "64Mi"), field, values);
  }

  private static ObjectNode with(ObjectNode pod, String field, String... values) {
    ObjectNode spec = pod.withObjectProperty("spec");
    ArrayNode claims = spec.putArray("resourceClaims");
    ObjectNode container = (ObjectNode) spec.path("containers").get(0);
    ArrayNode used = container.withObjectProperty("resources").putArray("claims");
    for (int i = 0; i < values.length; i++) {
      claims.addObject().put("name", "c" + i).put(field, values[i]);
      used.addObject().put("name", "c" + i);
    }
    return pod;
  }

  /** The names of the claims of a pod that are known. */
  static List<String> claimsOf(JsonNode pod) {
    List<String> names = new ArrayList<>();
    for (JsonNode claim : pod.path("spec").path("resourceClaims")) {
      names.add(claim.path("resourceClaimName").asString(""));
    }
    for (JsonNode made : pod.path("status").path("resourceClaimStatuses")) {
      names.add(made.path("resourceClaimName").asString(""));
    }
    names.add(extendedClaimOf(pod));
    names.removeIf(String::isEmpty);
    return names;
  }

  /** A claim as the server has it. */
  public JsonNode claim(String name) throws IOException {
    return bench.admin().get(CLAIMS + "/" + name);
  }

  /** All claims of the namespace. */
  public List<JsonNode> claims() throws IOException {
    return Bench.list(bench.admin(), CLAIMS);
  }

  /** Whether a claim has devices. */
  public static boolean isAllocated(JsonNode claim) {
    return claim.path("status").path("allocation").isObject();
  }

  /** The devices of a claim, such as {@code n0/d1}. */
  public static List<String> devicesOf(JsonNode claim) {
    List<String> devices = new ArrayList<>();
    for (JsonNode one : claim.path("status").path("allocation").path("devices").path("results")) {
      devices.add(one.path("pool").asString("") + "/" + one.path("device").asString(""));
    }
    return devices;
  }

  /** The uids of the pods that a claim is reserved for. */
  public static Set<String> reservedFor(JsonNode claim) {
    Set<String> uids = new HashSet<>();
    for (JsonNode one : claim.path("status").path("reservedFor")) {
      uids.add(one.path("uid").asString(""));
    }
    return uids;
  }

  /** Waits until a claim has devices. */
  public JsonNode awaitAllocated(String name) throws Exception {
    Bench.until(() -> isAllocated(claim(name)), () -> name + " has no devices");
    return claim(name);
  }

  /** Gives a claim a device of a node, as another scheduler does, and reserves it for pods. */
  public void allocate(String name, String node, String device, JsonNode... pods)
      throws IOException {
    String nodes =
        ",'nodeSelector':{'nodeSelectorTerms':[{'matchFields':[{'key':'metadata.name',"
            + "'operator':'In','values':['%s']}]}]}";
    allocate(name, node, device, nodes.formatted(node), pods);
  }

  /** The same, with a device of {@link #OF_ALL_NODES}. */
  public void allocateOfAllNodes(String name, String device, JsonNode... pods) throws IOException {
    allocate(name, OF_ALL_NODES, device, "", pods);
  }

  private void allocate(String name, String pool, String device, String nodes, JsonNode... pods)
      throws IOException {
    addFinalizer(name);
    ObjectNode status =
        Objects.json(
            "{'status':{'allocation':{'devices':{'results':[{'request':'r',"
                + "'driver':'example.com','pool':'%s','device':'%s'}]}%s}}}",
            pool, device, nodes);
    ArrayNode reservedFor = status.withObjectProperty("status").putArray("reservedFor");
    for (JsonNode pod : pods) {
      reservedFor
          .addObject()
          .put("resource", "pods")
          .put("name", Bench.name(pod))
          .put("uid", uid(pod));
    }
    bench.admin().patch(CLAIMS + "/" + name + "/status", status);
  }

  /** Has a claim kept until its devices are given back. */
  public void addFinalizer(String name) throws IOException {
    bench
        .admin()
        .patch(CLAIMS + "/" + name, Objects.json("{'metadata':{'finalizers':['%s']}}", FINALIZER));
  }

  /** The uid of an object. */
  static String uid(JsonNode object) {
    return object.path("metadata").path("uid").asString("");
  }

  // ---- the claim controller ----

  /**
   * One turn of the claim controller, and of the garbage collector for claims. A claim that has
   * changed in the meantime is left to the next turn.
   */
  public void control() throws IOException {
    // Pods are listed after claims: a pod that a claim names was there before.
    List<JsonNode> claims = claims();
    Set<String> pods = new HashSet<>();
    for (JsonNode pod : bench.pods()) {
      pods.add(uid(pod));
      makeClaims(pod);
    }
    for (JsonNode claim : claims) {
      try {
        giveBack(claim, pods);
      } catch (ApiException changed) {
        if (changed.code() != 404 && changed.code() != 409) {
          throw changed;
        }
      }
    }
  }

  /** Makes the claims of a pod of a template, and names them in its status. */
  private void makeClaims(JsonNode pod) throws IOException {
    for (JsonNode claim : pod.path("spec").path("resourceClaims")) {
      boolean isMade = !pod.path("status").path("resourceClaimStatuses").isEmpty();
      if (isMade || claim.path("resourceClaimTemplateName").asString("").isEmpty()) {
        continue;
      }
      String entry = claim.path("name").asString("");
      // As the controller does: the name cannot be known before, so another pod cannot take it.
      String name = Bench.name(pod) + "-" + entry + "-" + uid(pod).substring(0, 8);
      ObjectNode metadata = Objects.json("{'name':'%s','namespace':'default'}", name);
      metadata
          .putArray("ownerReferences")
          .addObject()
          .put("apiVersion", "v1")
          .put("kind", "Pod")
          .put("name", Bench.name(pod))
          .put("uid", uid(pod))
          .put("controller", true);
      try {
        addClaim(metadata, exactly(1));
      } catch (ApiException there) {
        if (there.code() != 409) {
          throw there;
        }
      }
      bench
          .admin()
          .patch(
              PODS + "/" + Bench.name(pod) + "/status",
              Objects.json(
                  "{'metadata':{'uid':'%s'},'status':{'resourceClaimStatuses':[{'name':'%s',"
                      + "'resourceClaimName':'%s'}]}}",
                  uid(pod), entry, name));
    }
  }

  /** Takes pods that have gone from a claim, and the devices of a claim that no pod has. */
  private void giveBack(JsonNode claim, Set<String> pods) throws IOException {
    String path = CLAIMS + "/" + Bench.name(claim);
    JsonNode reserved = claim.path("status").path("reservedFor");
    ObjectNode patch = patch(claim);
    ArrayNode left = patch.putObject("status").putArray("reservedFor");
    for (JsonNode one : reserved) {
      if (pods.contains(one.path("uid").asString(""))) {
        left.add(one);
      }
    }
    JsonNode now = claim;
    if (left.size() < reserved.size()) {
      if (left.isEmpty()) {
        patch.withObjectProperty("status").putNull("reservedFor").putNull("allocation");
      }
      now = bench.admin().patch(path + "/status", patch);
    }
    JsonNode owner = claim.path("metadata").path("ownerReferences").path(0).path("uid");
    boolean hasNoOwner = owner.isString() && !pods.contains(owner.asString());
    if (isAllocated(now)) {
      return;
    }
    if (!now.path("metadata").path("finalizers").isEmpty() && (hasNoOwner || now != claim)) {
      ObjectNode free = patch(now);
      free.withObjectProperty("metadata").putNull("finalizers");
      bench.admin().patch(path, free);
    }
    if (hasNoOwner) {
      Bench.delete(bench.admin(), path);
    }
  }

  /** A patch of the state that was read. */
  private static ObjectNode patch(JsonNode claim) {
    ObjectNode patch = Objects.json("{}");
    JsonNode version = claim.path("metadata").path("resourceVersion");
    patch.putObject("metadata").set("resourceVersion", version);
    return patch;
  }

  /** Carries on as the controller does, each step a moment late. */
  public void run() {
    thread = new Thread(this::follow, "claim-controller");
    thread.setDaemon(true);
    thread.start();
  }

  private void follow() {
    while (!closed) {
      try {
        TimeUnit.MILLISECONDS.sleep(30);
        control();
      } catch (ApiException again) {
        // It has changed or gone: the next turn looks anew.
      } catch (IOException | InterruptedException over) {
        return;
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    if (thread != null) {
      thread.interrupt();
      try {
        thread.join(10_000);
      } catch (InterruptedException impatient) {
        Thread.currentThread().interrupt();
      }
    }
  }
}

package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.control.Objects;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Random slices, classes, claims and pods. They are kept in {@link StockDevices}, and a listener
 * gets them. {@link StockDevicesTest} sends them to a real server: for it, all objects are valid,
 * and no rule applies in which Lighthouse differs from the stock scheduler.
 */
final class RandomDevices {
  private static final String DRIVER = "example.com";
  private static final String SIZE = "device.attributes[\"example.com\"].size >= 2";

  /** Without it, the stock scheduler gives up on a pod where a device has no size. */
  private static final String HAS_SIZE = "has(device.attributes[\"example.com\"].size)";

  final Random random;
  final List<JsonNode> nodes = new ArrayList<>();
  private final StockDevices stock;
  private final boolean isReal;
  private final BiConsumer<Resource, ObjectNode> listener;
  private int claims;
  private int pods;
  private int generation;

  /**
   * Random objects.
   *
   * @param isReal whether they are for a real server
   */
  RandomDevices(
      long seed, StockDevices stock, boolean isReal, BiConsumer<Resource, ObjectNode> listener) {
    random = new Random(seed);
    this.stock = stock;
    this.isReal = isReal;
    this.listener = listener;
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      nodes.add(
          Objects.json(
              "{'metadata':{'name':'n%d','labels':{'zone':'%s'}},'status':{'allocatable':"
                  + "{'cpu':'99','pods':'99'}}}",
              i, pick("a", "b")));
      if (chance(20)) {
        ((ObjectNode) nodes.get(i).at("/status/allocatable")).put("example.com/a", "99");
      }
    }
  }

  void addAll() {
    addClass("any", "");
    addClass("a", "device.attributes['example.com'].kind == 'a'");
    addClass("b", "'b' == device.attributes['example.com']['kind'] && device.driver != ''");
    nodes.forEach(node -> addLocal(node.at("/metadata/name").asString()));
    if (chance(60)) {
      addShared(chance(30) ? "'allNodes':true" : zone(pick("a", "b")), "wide");
    }
    if (chance(30)) {
      addShared(zone("a"), "zonal");
    }
    if (chance(40)) {
      addAdministrator();
    }
  }

  /**
   * A claim that watches a device, which others may have nevertheless. Another pod uses it, for the
   * stock scheduler takes the devices of an unused claim away when no node fits a pod of it.
   */
  private void addAdministrator() {
    ObjectNode claim =
        Objects.json(
            "{'metadata':{'name':'admin','namespace':'default','uid':'admin'},'spec':{'devices':{"
                + "'requests':[{'name':'r','exactly':{'deviceClassName':'any','adminAccess':true}}"
                + "]}},'status':{'allocation':{'devices':{'results':[{'request':'r','driver':'%s',"
                + "'pool':'n0','device':'d0-0','adminAccess':true}]},'nodeSelector':{"
                + "'nodeSelectorTerms':[{'matchFields':[{'key':'metadata.name','operator':'In',"
                + "'values':['n0']}]}]},'allocationTimestamp':'2026-01-01T00:00:00Z'},"
                + "'reservedFor':[{'resource':'pods','name':'gone','uid':'gone'}]}}",
            DRIVER);
    stock.claims.put("admin", claim);
    listener.accept(Resource.RESOURCE_CLAIMS, claim);
  }

  boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  @SafeVarargs
  final <T> T pick(T... among) {
    return among[random.nextInt(among.length)];
  }

  /** The nodes of a zone, as a slice names them. */
  static String zone(String name) {
    return "'nodeSelector':{'nodeSelectorTerms':[{'matchExpressions':[{'key':'zone',"
        + "'operator':'In','values':['"
        + name
        + "']}]}]}";
  }

  private void addClass(String name, String selector) {
    ObjectNode object = Objects.json("{'metadata':{'name':'%s'},'spec':{'selectors':[]}}", name);
    if (!selector.isEmpty()) {
      ArrayNode selectors = (ArrayNode) object.at("/spec/selectors");
      selectors.addObject().putObject("cel").put("expression", selector);
    }
    object.withObjectProperty("spec").put("extendedResourceName", "example.com/" + name);
    stock.classes.put(name, object);
    listener.accept(Resource.DEVICE_CLASSES, object);
  }

  private void add(ObjectNode slice) {
    stock.slices.put(slice.at("/metadata/name").asString(), slice);
    listener.accept(Resource.RESOURCE_SLICES, slice);
  }

  private ObjectNode slice(String name, String pool, int count, String reach) {
    return Objects.json(
        "{'metadata':{'name':'%s'},'spec':{'driver':'%s','pool':{'name':'%s','generation':%d,"
            + "'resourceSliceCount':%d},%s}}",
        name, DRIVER, pool, generation, count, reach);
  }

  /** A pool of one node, in one slice or two; sometimes one of them lacks. */
  private void addLocal(String node) {
    String reach = "'nodeName':'" + node + "'";
    int slices = chance(20) ? 2 : 1;
    for (int i = 0; i < slices; i++) {
      if (slices == 2 && i == 1 && chance(30)) {
        return;
      }
      ObjectNode slice = slice(node + "-" + i, node, slices, reach);
      devices(slice, "d" + i, random.nextInt(4), false);
      add(slice);
    }
  }

  /** A pool that several nodes reach, whose devices share counters. */
  private void addShared(String reach, String pool) {
    ObjectNode counters = slice(pool + "-counters", pool, 2, reach);
    ArrayNode sets = counters.withObjectProperty("spec").putArray("sharedCounters");
    ObjectNode values = sets.addObject().put("name", "set").putObject("counters");
    values.putObject("x").put("value", "" + (1 + random.nextInt(3)));
    values.putObject("y").put("value", "2");
    ObjectNode slice = slice(pool + "-devices", pool, 2, reach);
    devices(slice, "s", 1 + random.nextInt(3), true);
    add(slice);
    add(counters);
  }

  private void devices(ObjectNode slice, String prefix, int count, boolean countersToo) {
    ArrayNode devices = slice.withObjectProperty("spec").putArray("devices");
    for (int i = 0; i < count; i++) {
      ObjectNode device = devices.addObject().put("name", prefix + "-" + i);
      ObjectNode attributes = device.putObject("attributes");
      attributes.putObject("kind").put("string", pick("a", "b"));
      if (chance(90)) {
        attributes.putObject("size").put("int", 1 + random.nextInt(3));
      }
      if (chance(85)) {
        attributes.putObject(pick("group", "example.com/group")).put("int", random.nextInt(2));
      }
      if (chance(15)) {
        device.putArray("taints").addObject().put("key", "t").put("effect", effect());
      }
      if (countersToo && chance(80)) {
        ObjectNode set = device.putArray("consumesCounters").addObject().put("counterSet", "set");
        set.putObject("counters").putObject(pick("x", "y")).put("value", pick("1", "1", "2"));
      } else if (chance(45)) {
        device.put("allowMultipleAllocations", true);
        capacity(device.putObject("capacity").putObject("memory"));
      } else if (!isReal && chance(10)) {
        device.putArray("bindingConditions").add("ready");
      }
    }
  }

  private String effect() {
    return pick("NoSchedule", "NoExecute", "None");
  }

  private void capacity(ObjectNode capacity) {
    int policy = random.nextInt(4);
    int least = policy == 0 ? 6 : policy == 1 ? 4 : 3;
    capacity.put("value", "" + (least + random.nextInt(8 - least)));
    if (policy == 0) {
      capacity
          .putObject("requestPolicy")
          .put("default", "2")
          .putObject("validRange")
          .put("min", "2")
          .put("max", "6")
          .put("step", "2");
    } else if (policy == 1) {
      ObjectNode of = capacity.putObject("requestPolicy").put("default", "1");
      of.putArray("validValues").add("1").add("4");
    }
  }

  /** A pool is published anew: first its slice, or first another that is left over. */
  void publishAnew() {
    generation++;
    addLocal(pick(nodes.toArray(JsonNode[]::new)).at("/metadata/name").asString());
  }

  /**
   * A pod with one or two claims: its own, made for it, or another pod's. If it requests an
   * extended resource, it may have none.
   */
  ObjectNode pod() {
    String name = "p" + pods++;
    ObjectNode pod = Objects.pod(name, "1", "0");
    pod.withObjectProperty("metadata").put("uid", name);
    ArrayNode used = pod.withObjectProperty("spec").putArray("resourceClaims");
    boolean isExtended = chance(30);
    if (isExtended) {
      String resource =
          pick("example.com/a", "example.com/a", "deviceclass.resource.kubernetes.io/any");
      String count = pick("1", "1", "2");
      ObjectNode resources = (ObjectNode) pod.at("/spec/containers/0/resources");
      resources.withObjectProperty("requests").put(resource, count);
      resources.withObjectProperty("limits").put(resource, count);
    }
    int count = (isExtended ? 0 : 1) + random.nextInt(2);
    for (int i = 0; i < count; i++) {
      ObjectNode one = used.addObject().put("name", "u" + i);
      if (chance(25)) {
        one.put("resourceClaimTemplateName", "template");
        ObjectNode made =
            pod.withObjectProperty("status")
                .withArrayProperty("resourceClaimStatuses")
                .addObject()
                .put("name", "u" + i);
        if (chance(90)) {
          made.put("resourceClaimName", addClaim(name));
        }
      } else if (chance(30) && !shareable().isEmpty()) {
        String there = pick(shareable().toArray(String[]::new));
        boolean isTwice = pod.toString().contains("\"" + there + "\"");
        one.put("resourceClaimName", isReal && isTwice ? addClaim("") : there);
      } else {
        one.put("resourceClaimName", chance(4) ? "none" : addClaim(""));
      }
    }
    return pod;
  }

  private List<String> shareable() {
    return stock.claims.keySet().stream().filter(name -> !name.contains("extended")).toList();
  }

  /** A new claim; returns its name. */
  private String addClaim(String owner) {
    String name = "c" + claims++;
    ObjectNode claim =
        Objects.json(
            "{'metadata':{'name':'%s','namespace':'default','uid':'%s','resourceVersion':'1'},"
                + "'spec':{'devices':{'requests':[]}}}",
            name, name);
    if (!owner.isEmpty()) {
      claim
          .withObjectProperty("metadata")
          .putArray("ownerReferences")
          .addObject()
          .put("uid", isReal || chance(92) ? owner : "other")
          .put("controller", true);
    }
    if (!isReal && chance(4)) {
      claim.withObjectProperty("metadata").put("deletionTimestamp", "2026-01-01T00:00:00Z");
    }
    ObjectNode devices = (ObjectNode) claim.at("/spec/devices");
    ArrayNode requests = (ArrayNode) devices.path("requests");
    int count = 1 + random.nextInt(2);
    for (int i = 0; i < count; i++) {
      ObjectNode request = requests.addObject().put("name", "r" + i);
      if (chance(75)) {
        fill(request.putObject("exactly"));
      } else {
        ArrayNode options = request.putArray("firstAvailable");
        fill(options.addObject().put("name", "o0"));
        fill(options.addObject().put("name", "o1"));
      }
    }
    if (chance(40)) {
      ObjectNode constraint = devices.putArray("constraints").addObject();
      constraint.put("matchAttribute", "example.com/group");
      if (chance(30)) {
        constraint.putArray("requests").add("r0");
      }
    }
    stock.claims.put(name, claim);
    listener.accept(Resource.RESOURCE_CLAIMS, claim);
    return name;
  }

  private void fill(ObjectNode request) {
    request.put("deviceClassName", chance(3) ? "missing" : pick("any", "any", "a", "b"));
    if (chance(25)) {
      request.put("count", 2);
    }
    if (chance(25)) {
      request
          .putArray("selectors")
          .addObject()
          .putObject("cel")
          .put("expression", isReal ? HAS_SIZE + " && " + SIZE : SIZE);
    }
    if (chance(40)) {
      request.putArray("tolerations").addObject().put("operator", "Exists");
    }
    if (chance(25)) {
      request
          .putObject("capacity")
          .putObject("requests")
          .put("memory", "" + (1 + random.nextInt(5)));
    }
    if (!isReal && chance(2)) {
      request.put("adminAccess", true);
    }
  }
}

package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.kubernetes.cluster.object.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Storage objects in which claims, volumes, classes and nodes meet and miss. Equal seeds give equal
 * objects.
 */
final class RandomStorage {
  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final String OLD_ZONE = "failure-domain.beta.kubernetes.io/zone";
  private static final String HOST = "kubernetes.io/hostname";

  final Map<String, ObjectNode> claims = new TreeMap<>();
  final Map<String, ObjectNode> volumes = new TreeMap<>();
  final Map<String, ObjectNode> classes = new TreeMap<>();
  final Map<String, ObjectNode> csiNodes = new TreeMap<>();
  final Map<String, ObjectNode> drivers = new TreeMap<>();
  final Map<String, ObjectNode> capacities = new TreeMap<>();
  final Map<String, ObjectNode> attachments = new TreeMap<>();

  private final Random random;
  private final boolean inTree;
  private int names;
  private int version;

  /** Takes every change. */
  private BiConsumer<Resource, JsonNode> listener = (kind, object) -> {};

  /**
   * Storage for nodes.
   *
   * @param inTree whether some volumes have an old source that a CSI driver serves now
   */
  RandomStorage(long seed, List<JsonNode> nodes, boolean inTree) {
    this.inTree = inTree;
    random = new Random(seed * 31 + 7);
    for (JsonNode node : nodes) {
      label((ObjectNode) node.at("/metadata/labels"));
    }
    addClass("waits", "driver-1", "WaitForFirstConsumer");
    addClass("local", "kubernetes.io/no-provisioner", "WaitForFirstConsumer");
    addClass("tracked", "driver-2", "WaitForFirstConsumer");
    addClass("now", "driver-1", "Immediate");
    for (String name : List.of("driver-1", "driver-2")) {
      ObjectNode driver = named(drivers, name, "");
      driver.putObject("spec").put("storageCapacity", name.equals("driver-2") && chance(85));
    }
    nodes.forEach(node -> addCsiNode(node.at("/metadata/name").asString()));
    for (int i = 0; i < 5; i++) {
      addCapacity();
    }
    for (int i = 0; i < 10; i++) {
      addVolume();
    }
    for (int i = 0; i < 14; i++) {
      addClaim("default", "c" + i);
    }
    for (int i = 0; i < 4; i++) {
      addAttachment(nodes);
    }
  }

  void listen(BiConsumer<Resource, JsonNode> to) {
    listener = to;
    claims.values().forEach(one -> to.accept(Resource.CLAIMS, one));
    volumes.values().forEach(one -> to.accept(Resource.VOLUMES, one));
    classes.values().forEach(one -> to.accept(Resource.STORAGE_CLASSES, one));
    csiNodes.values().forEach(one -> to.accept(Resource.CSI_NODES, one));
    drivers.values().forEach(one -> to.accept(Resource.CSI_DRIVERS, one));
    capacities.values().forEach(one -> to.accept(Resource.CAPACITIES, one));
    attachments.values().forEach(one -> to.accept(Resource.ATTACHMENTS, one));
  }

  boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  @SafeVarargs
  private final <T> T pick(T... among) {
    return among[random.nextInt(among.length)];
  }

  private void label(ObjectNode labels) {
    if (chance(75)) {
      labels.put(ZONE, pick("a", "b"));
    }
    if (chance(15)) {
      labels.put(OLD_ZONE, pick("a", "b"));
    }
    if (chance(25)) {
      labels.put("topology.kubernetes.io/region", pick("r", "s"));
    }
  }

  private ObjectNode named(Map<String, ObjectNode> all, String name, String namespace) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    ObjectNode metadata =
        object
            .putObject("metadata")
            .put("name", name)
            .put("uid", "uid-" + name + "-" + names++)
            .put("resourceVersion", String.valueOf(++version));
    if (!namespace.isEmpty()) {
      metadata.put("namespace", namespace);
    }
    all.put(namespace.isEmpty() ? name : namespace + "/" + name, object);
    return object;
  }

  private void addClass(String name, String provisioner, String mode) {
    if (chance(4)) {
      return;
    }
    ObjectNode storageClass = named(classes, name, "");
    storageClass.put("provisioner", provisioner).put("volumeBindingMode", mode);
    if (chance(45)) {
      ArrayNode terms = storageClass.putArray("allowedTopologies");
      for (int i = 0; i < 1 + below(2); i++) {
        ArrayNode expressions = terms.addObject().putArray("matchLabelExpressions");
        if (chance(95)) {
          expressions
              .addObject()
              .put("key", pick(ZONE, "rack"))
              .putArray("values")
              .add(pick("a", "r1"))
              .add(pick("b", "r2", "z"));
        }
      }
    }
  }

  private void addCsiNode(String name) {
    if (chance(15)) {
      return;
    }
    ArrayNode of = named(csiNodes, name, "").putObject("spec").putArray("drivers");
    List<String> served = new ArrayList<>(List.of("driver-1", "driver-2"));
    if (inTree) {
      served.add("ebs.csi.aws.com");
    }
    for (String driver : served) {
      ObjectNode one = of.addObject().put("name", driver);
      if (chance(65)) {
        one.putObject("allocatable").put("count", below(5));
      }
    }
  }

  private void addCapacity() {
    ObjectNode capacity = named(capacities, "cap-" + names, "kube-system");
    capacity.put("storageClassName", pick("tracked", "tracked", "waits"));
    if (chance(90)) {
      capacity.put("capacity", pick("1Gi", "5Gi", "20Gi"));
    }
    if (chance(35)) {
      capacity.put("maximumVolumeSize", pick("1Gi", "3Gi", "10Gi"));
    }
    if (chance(90)) {
      ObjectNode topology = capacity.putObject("nodeTopology");
      if (chance(75)) {
        topology.putObject("matchLabels").put(ZONE, pick("a", "b"));
      }
    }
  }

  private void affinity(ObjectNode spec) {
    ArrayNode terms =
        spec.putObject("nodeAffinity").putObject("required").putArray("nodeSelectorTerms");
    for (int i = 0; i < (chance(15) ? 2 : 1); i++) {
      ObjectNode term = terms.addObject();
      if (chance(8)) {
        ObjectNode field = term.putArray("matchFields").addObject();
        field.put("key", "metadata.name").put("operator", "In").putArray("values").add("n0");
      }
      if (chance(92)) {
        ObjectNode expression = term.putArray("matchExpressions").addObject();
        boolean host = chance(50);
        expression.put("key", host ? HOST : pick(ZONE, "rack"));
        expression.put("operator", pick("In", "In", "In", "NotIn", "Exists"));
        if (!expression.path("operator").asString().equals("Exists")) {
          ArrayNode values = expression.putArray("values");
          values.add(host ? "n" + below(4) : pick("a", "b", "r1"));
          if (chance(50)) {
            values.add(host ? "n" + below(4) : pick("a", "b", "r2"));
          }
        }
      }
    }
  }

  ObjectNode addVolume() {
    ObjectNode volume = named(volumes, "v" + names, "");
    ObjectNode metadata = (ObjectNode) volume.get("metadata");
    ObjectNode labels = metadata.putObject("labels");
    if (chance(35)) {
      labels.put(pick(ZONE, ZONE, OLD_ZONE), pick("a", "b", "a__b", "a__", "c"));
    }
    if (chance(15)) {
      labels.put("topology.kubernetes.io/region", pick("r", "s"));
    }
    if (chance(50)) {
      labels.put("tier", pick("fast", "slow"));
    }
    ObjectNode spec = volume.putObject("spec");
    String of = pick("local", "local", "waits", "tracked", "");
    if (chance(10)) {
      metadata.putObject("annotations").put("volume.beta.kubernetes.io/storage-class", of);
    } else if (!of.isEmpty()) {
      spec.put("storageClassName", of);
    }
    spec.putObject("capacity").put("storage", pick("1Gi", "2Gi", "2048Mi", "5Gi", "10Gi"));
    ArrayNode modes = spec.putArray("accessModes");
    if (chance(25)) {
      modes.add("ReadWriteOncePod");
    } else {
      modes.add("ReadWriteOnce");
      if (chance(60)) {
        modes.add("ReadWriteMany");
      }
    }
    if (chance(12)) {
      spec.put("volumeMode", pick("Block", "Filesystem"));
    }
    if (chance(8)) {
      spec.put("volumeAttributesClassName", pick("gold", ""));
    }
    if (chance(65)) {
      affinity(spec);
    }
    if (chance(55)) {
      spec.putObject("csi")
          .put("driver", pick("driver-1", "driver-1", "driver-2"))
          .put("volumeHandle", "h" + (chance(20) ? below(3) : 10 + names));
    } else if (inTree && chance(60)) {
      spec.putObject("awsElasticBlockStore").put("volumeID", "disk-" + names);
    } else {
      spec.putObject("nfs");
    }
    volume
        .putObject("status")
        .put("phase", pick("Available", "Available", "Available", "Released"));
    if (chance(5)) {
      metadata.put("deletionTimestamp", "2026-11-22T11:00:00Z");
    }
    listener.accept(Resource.VOLUMES, volume);
    return volume;
  }

  ObjectNode addClaim(String namespace, String name) {
    ObjectNode claim = named(claims, name, namespace);
    ObjectNode metadata = (ObjectNode) claim.get("metadata");
    ObjectNode annotations = metadata.putObject("annotations");
    ObjectNode spec = claim.putObject("spec");
    String of =
        chance(3)
            ? pick("unknown", "now", "")
            : pick("local", "local", "waits", "tracked", "tracked");
    if (chance(8)) {
      annotations.put("volume.beta.kubernetes.io/storage-class", of);
    } else if (!of.isEmpty()) {
      spec.put("storageClassName", of);
    }
    if (chance(95)) {
      spec.putObject("resources")
          .putObject("requests")
          .put("storage", pick("1Gi", "1Gi", "2Gi", "3Gi", "6Gi"));
    }
    spec.putArray("accessModes")
        .add(pick("ReadWriteOnce", "ReadWriteOnce", "ReadWriteMany", "ReadWriteOncePod"));
    if (chance(8)) {
      spec.put("volumeMode", "Block");
    }
    if (chance(6)) {
      spec.put("volumeAttributesClassName", "gold");
    }
    if (chance(15)) {
      spec.putObject("selector").putObject("matchLabels").put("tier", pick("fast", "slow"));
    }
    if (chance(40)) {
      bindToAny(claim);
    } else if (chance(8)) {
      annotations.put("volume.kubernetes.io/selected-node", "n" + below(3));
    } else if (chance(12)) {
      preBind(claim);
    }
    if (chance(3)) {
      metadata.put("deletionTimestamp", "2026-11-22T11:00:00Z");
    }
    if (chance(2)) {
      claim.putObject("status").put("phase", "Lost");
    }
    listener.accept(Resource.CLAIMS, claim);
    return claim;
  }

  /** A claim that has a volume; now and then none that is there, or not completely. */
  private void bindToAny(ObjectNode claim) {
    ObjectNode volume = addVolume();
    String name = chance(93) ? volume.at("/metadata/name").asString() : "gone";
    claim.withObjectProperty("spec").put("volumeName", name);
    if (chance(95)) {
      claim
          .withObjectProperty("metadata")
          .withObjectProperty("annotations")
          .put("pv.kubernetes.io/bind-completed", "yes");
    }
    reference(volume, claim, true);
    volume.withObjectProperty("status").put("phase", "Bound");
    listener.accept(Resource.VOLUMES, volume);
  }

  /** A volume that is kept for a claim that has none yet. */
  private void preBind(ObjectNode claim) {
    ObjectNode volume = addVolume();
    reference(volume, claim, chance(50));
    if (chance(70)) {
      ObjectNode spec = volume.withObjectProperty("spec");
      spec.remove("volumeMode");
      spec.withObjectProperty("capacity").put("storage", "10Gi");
      spec.put("storageClassName", claim.at("/spec/storageClassName").asString(""));
    }
    listener.accept(Resource.VOLUMES, volume);
  }

  private static void reference(ObjectNode volume, ObjectNode claim, boolean withUid) {
    ObjectNode reference = volume.withObjectProperty("spec").putObject("claimRef");
    reference.put("namespace", claim.at("/metadata/namespace").asString());
    reference.put("name", claim.at("/metadata/name").asString());
    if (withUid) {
      reference.put("uid", claim.at("/metadata/uid").asString());
    }
  }

  private void addAttachment(List<JsonNode> nodes) {
    List<String> all = List.copyOf(volumes.keySet());
    String node = nodes.get(below(nodes.size())).at("/metadata/name").asString();
    attach(all.get(below(all.size())), node, pick("driver-1", "driver-2"));
  }

  private void attach(String volume, String node, String driver) {
    ObjectNode attachment = named(attachments, "a" + names, "");
    ObjectNode spec = attachment.putObject("spec").put("nodeName", node).put("attacher", driver);
    spec.putObject("source").put("persistentVolumeName", volume);
    listener.accept(Resource.ATTACHMENTS, attachment);
  }

  // ---- pods ----

  /** Gives a pod some volumes. */
  void addVolumes(ObjectNode pod) {
    ArrayNode of = pod.withObjectProperty("spec").putArray("volumes");
    int count = pick(0, 1, 1, 1, 2, 2, 3);
    for (int i = 0; i < count; i++) {
      ObjectNode volume = of.addObject().put("name", "vol" + i);
      if (chance(15)) {
        volume.putObject("ephemeral");
        if (chance(92)) {
          String namespace = pod.at("/metadata/namespace").asString();
          ObjectNode claim = addClaim(namespace, pod.at("/metadata/name").asString() + "-vol" + i);
          if (chance(92)) {
            claim
                .withObjectProperty("metadata")
                .putArray("ownerReferences")
                .addObject()
                .put("controller", true)
                .put("uid", pod.at("/metadata/uid").asString());
          }
          listener.accept(Resource.CLAIMS, claim);
        }
      } else {
        String name = chance(98) ? "c" + below(14) : "missing";
        volume.putObject("persistentVolumeClaim").put("claimName", name);
      }
    }
  }

  // ---- what the controllers do ----

  /** A claim gets a volume. */
  void bind(String claimKey, String volumeName) {
    ObjectNode claim = claims.get(claimKey);
    ObjectNode volume = volumes.get(volumeName);
    claim.withObjectProperty("spec").put("volumeName", volumeName);
    annotate(claim, "pv.kubernetes.io/bind-completed", "yes");
    reference(volume, claim, true);
    volume.withObjectProperty("status").put("phase", "Bound");
    listener.accept(Resource.VOLUMES, volume);
    listener.accept(Resource.CLAIMS, claim);
  }

  /** A volume is made for a claim. */
  void provision(String claimKey, String node) {
    ObjectNode claim = claims.get(claimKey);
    annotate(claim, "volume.kubernetes.io/selected-node", node);
    ObjectNode volume = addVolume();
    ObjectNode spec = volume.withObjectProperty("spec");
    spec.remove(List.of("nodeAffinity", "nfs", "awsElasticBlockStore"));
    spec.putObject("csi").put("driver", "driver-1").put("volumeHandle", "made-" + names);
    bind(claimKey, volume.at("/metadata/name").asString());
  }

  /** Volumes of a pod are attached to its node. */
  void attach(ObjectNode pod, String node) {
    for (JsonNode used : pod.at("/spec/volumes")) {
      String name = used.at("/persistentVolumeClaim/claimName").asString("");
      ObjectNode claim = claims.get("default/" + name);
      String bound = claim == null ? "" : claim.at("/spec/volumeName").asString("");
      ObjectNode volume = volumes.get(bound);
      if (volume != null && volume.at("/spec/csi").isObject() && chance(60)) {
        attach(bound, node, volume.at("/spec/csi/driver").asString());
      }
    }
  }

  private static void annotate(ObjectNode object, String name, String value) {
    object.withObjectProperty("metadata").withObjectProperty("annotations").put(name, value);
  }

  /** Something changes; what has gone is reported to the second listener. */
  void change(List<JsonNode> nodes, BiConsumer<Resource, String> gone) {
    switch (below(9)) {
      case 0 -> addVolume();
      case 1 -> addClaim("default", "c" + below(14));
      case 2 -> drop(volumes, Resource.VOLUMES, gone);
      case 3 -> drop(attachments, Resource.ATTACHMENTS, gone);
      case 4 -> drop(capacities, Resource.CAPACITIES, gone);
      case 5 -> {
        addCapacity();
        capacities.values().forEach(one -> listener.accept(Resource.CAPACITIES, one));
      }
      case 6 -> addAttachment(nodes);
      case 7 -> {
        String node = nodes.get(below(nodes.size())).at("/metadata/name").asString();
        if (csiNodes.remove(node) != null) {
          gone.accept(Resource.CSI_NODES, node);
        }
        addCsiNode(node);
        csiNodes.values().forEach(one -> listener.accept(Resource.CSI_NODES, one));
      }
      default -> drop(claims, Resource.CLAIMS, gone);
    }
  }

  private void drop(Map<String, ObjectNode> all, Resource kind, BiConsumer<Resource, String> gone) {
    List<String> keys = List.copyOf(all.keySet());
    if (!keys.isEmpty()) {
      String key = keys.get(below(keys.size()));
      all.remove(key);
      gone.accept(kind, key);
    }
  }
}

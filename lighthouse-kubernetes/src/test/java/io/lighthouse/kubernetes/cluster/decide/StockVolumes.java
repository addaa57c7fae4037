package io.lighthouse.kubernetes.cluster.decide;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/**
 * What the stock scheduler says of a pod's volumes, naively, from the objects: its plug-ins
 * VolumeRestrictions, NodeVolumeLimits, VolumeBinding and VolumeZone, one method each. Shares no
 * code with what it judges.
 */
final class StockVolumes {
  /** Ways of getting a rule wrong, which the comparison has to notice. */
  enum Fault {
    NONE,
    MISSING_CLAIM_IS_FINE,
    LOST_CLAIM_IS_FINE,
    DELETED_CLAIM_IS_FINE,
    OTHERS_EPHEMERAL_CLAIM_IS_FINE,
    UNKNOWN_CLASS_WAITS,
    VOLUME_NAME_IS_ENOUGH,
    MISSING_VOLUME_IS_FINE,
    ONCE_POD_IS_IGNORED,
    ONCE_POD_ON_ONE_NODE,
    LIMIT_IS_IGNORED,
    LIMIT_COUNTS_PODS,
    LIMIT_IGNORES_ATTACHMENTS,
    LIMIT_COUNTS_ATTACHED_TWICE,
    LIMIT_IGNORES_UNBOUND,
    LIMIT_IGNORES_OLD_SOURCES,
    LIMIT_IS_OF_ALL_DRIVERS,
    BOUND_AFFINITY_IS_IGNORED,
    ZONES_ARE_IGNORED,
    ZONE_LIST_IS_ONE_ZONE,
    NODE_WITHOUT_ZONE_IS_OUT,
    OLD_LABEL_MEETS_OLD_ALONE,
    EPHEMERAL_ZONES_COUNT,
    CLASS_IS_IGNORED,
    SIZE_IS_IGNORED,
    MODES_ARE_IGNORED,
    VOLUME_MODE_IS_IGNORED,
    SELECTOR_IS_IGNORED,
    ATTRIBUTES_CLASS_IS_IGNORED,
    AFFINITY_IS_IGNORED,
    PHASE_IS_IGNORED,
    DELETED_VOLUME_IS_FREE,
    OWN_VOLUME_IS_NO_MATTER,
    OWN_VOLUME_NEEDS_MODES,
    LARGEST_VOLUME_FIRST,
    LARGEST_CLAIM_FIRST,
    ONE_VOLUME_FOR_TWO_CLAIMS,
    ASSUMED_VOLUME_IS_FREE,
    SELECTED_NODE_IS_IGNORED,
    ASSUMED_NODE_IS_IGNORED,
    NOTHING_IS_MADE,
    EVERYTHING_IS_MADE,
    TOPOLOGIES_ARE_IGNORED,
    STORAGE_IS_ENDLESS,
    STORAGE_IS_ALWAYS_CHECKED,
    CAPACITY_BEFORE_MAXIMUM,
    CAPACITY_OF_ALL_NODES
  }

  private static final String SELECTED = "volume.kubernetes.io/selected-node";
  private static final List<String> ZONES =
      List.of(
          "failure-domain.beta.kubernetes.io/zone",
          "failure-domain.beta.kubernetes.io/region",
          "topology.kubernetes.io/zone",
          "topology.kubernetes.io/region");

  private final RandomStorage storage;
  private final List<JsonNode> pods;
  private final Fault fault;

  /** By pod, the volumes that its claims are to get. */
  final Map<String, Map<String, String>> matched = new TreeMap<>();

  /** By pod, the claims for which volumes are to be made, and the node. */
  final Map<String, Map<String, String>> made = new TreeMap<>();

  /** By assumed volume, and by claim with an assumed node: the uid of the claim at that time. */
  private final Map<String, String> assumedFor = new TreeMap<>();

  StockVolumes(RandomStorage storage, List<JsonNode> pods, Fault fault) {
    this.storage = storage;
    this.pods = pods;
    this.fault = fault;
  }

  // ---- objects ----

  private record Use(String key, String name, boolean ephemeral) {}

  private static List<Use> uses(JsonNode pod) {
    List<Use> uses = new ArrayList<>();
    String namespace = pod.at("/metadata/namespace").asString();
    for (JsonNode volume : pod.at("/spec/volumes")) {
      String name = volume.at("/persistentVolumeClaim/claimName").asString("");
      boolean ephemeral = volume.has("ephemeral");
      if (ephemeral) {
        name = name(pod) + "-" + volume.path("name").asString();
      }
      if (!name.isEmpty()) {
        uses.add(new Use(namespace + "/" + name, name, ephemeral));
      }
    }
    return uses;
  }

  private static String name(JsonNode object) {
    return object.at("/metadata/name").asString("");
  }

  private static String uid(JsonNode object) {
    return object.at("/metadata/uid").asString("");
  }

  private static String key(JsonNode object) {
    return object.at("/metadata/namespace").asString("") + "/" + name(object);
  }

  private static String className(JsonNode object) {
    JsonNode old =
        object.at("/metadata/annotations").path("volume.beta.kubernetes.io/storage-class");
    return old.isMissingNode() ? object.at("/spec/storageClassName").asString("") : old.asString();
  }

  private static boolean deleted(JsonNode object) {
    return !object.at("/metadata/deletionTimestamp").asString("").isEmpty();
  }

  private static boolean bound(JsonNode claim) {
    return !claim.at("/spec/volumeName").asString("").isEmpty()
        && claim.at("/metadata/annotations").has("pv.kubernetes.io/bind-completed");
  }

  private boolean waits(JsonNode claim) {
    JsonNode storageClass = storage.classes.get(className(claim));
    if (storageClass == null) {
      return fault == Fault.UNKNOWN_CLASS_WAITS;
    }
    return storageClass.path("volumeBindingMode").asString("").equals("WaitForFirstConsumer");
  }

  private static long bytes(JsonNode quantity) {
    String text = quantity.asString("0");
    return text.endsWith("Gi")
        ? Long.parseLong(text.substring(0, text.length() - 2)) << 30
        : text.endsWith("Mi")
            ? Long.parseLong(text.substring(0, text.length() - 2)) << 20
            : Long.parseLong(text);
  }

  private static long size(JsonNode claim) {
    return bytes(claim.at("/spec/resources/requests/storage"));
  }

  private static boolean owned(JsonNode claim, JsonNode pod) {
    for (JsonNode owner : claim.at("/metadata/ownerReferences")) {
      if (owner.path("controller").asBoolean(false)
          && owner.path("uid").equals(pod.at("/metadata/uid"))) {
        return true;
      }
    }
    return false;
  }

  // ---- before the nodes ----

  /** Why no node is looked at; empty where all are. */
  String preFilter(JsonNode pod) {
    List<Use> uses = uses(pod);
    for (Use use : uses) {
      if (!use.ephemeral && !storage.claims.containsKey(use.key)) {
        return fault == Fault.MISSING_CLAIM_IS_FINE
            ? ""
            : "persistentvolumeclaim \"" + use.name + "\" not found";
      }
    }
    for (Use use : uses) {
      JsonNode claim = storage.claims.get(use.key);
      if (claim == null) {
        return "waiting for ephemeral volume controller to create the persistentvolumeclaim \""
            + use.name
            + "\"";
      }
      if (claim.at("/status/phase").asString("").equals("Lost")
          && fault != Fault.LOST_CLAIM_IS_FINE) {
        return "persistentvolumeclaim \"%s\" bound to non-existent persistentvolume \"%s\""
            .formatted(use.name, claim.at("/spec/volumeName").asString());
      }
      if (deleted(claim) && fault != Fault.DELETED_CLAIM_IS_FINE) {
        return "persistentvolumeclaim \"" + use.name + "\" is being deleted";
      }
      if (use.ephemeral && !owned(claim, pod) && fault != Fault.OTHERS_EPHEMERAL_CLAIM_IS_FINE) {
        return "PVC %s was not created for pod %s (pod is not owner)".formatted(use.key, key(pod));
      }
    }
    for (Use use : uses) {
      JsonNode claim = storage.claims.get(use.key);
      String volume = claim.at("/spec/volumeName").asString("");
      boolean enough = bound(claim) || fault == Fault.VOLUME_NAME_IS_ENOUGH && !volume.isEmpty();
      if (!enough && (!waits(claim) || !volume.isEmpty())) {
        return "pod has unbound immediate PersistentVolumeClaims";
      }
    }
    for (Use use : uses) {
      String volume = storage.claims.get(use.key).at("/spec/volumeName").asString("");
      if (!use.ephemeral
          && !volume.isEmpty()
          && !storage.volumes.containsKey(volume)
          && fault != Fault.MISSING_VOLUME_IS_FINE) {
        return "persistentvolume \"" + volume + "\" not found";
      }
    }
    return "";
  }

  // ---- node by node ----

  /** What the first volume plug-in that refuses a node says of it. */
  List<String> filter(JsonNode pod, JsonNode node) {
    if (uses(pod).stream().anyMatch(use -> !storage.claims.containsKey(use.key))) {
      return List.of();
    }
    if (onceOnly(pod, node)) {
      return List.of(
          "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode"
              + " already in-use by another pod");
    }
    if (fault != Fault.LIMIT_IS_IGNORED && exceeded(pod, node)) {
      return List.of("node(s) exceed max volume count");
    }
    List<String> binding = binding(pod, node);
    if (!binding.isEmpty()) {
      return binding;
    }
    return fault != Fault.ZONES_ARE_IGNORED && zoneConflict(pod, node)
        ? List.of("node(s) had no available volume zone")
        : List.of();
  }

  private boolean running(JsonNode pod) {
    String phase = pod.at("/status/phase").asString("");
    return !phase.equals("Succeeded") && !phase.equals("Failed");
  }

  // ---- VolumeRestrictions ----

  private boolean onceOnly(JsonNode pod, JsonNode node) {
    if (fault == Fault.ONCE_POD_IS_IGNORED) {
      return false;
    }
    for (Use mine : uses(pod)) {
      boolean once =
          !mine.ephemeral
              && storage
                  .claims
                  .get(mine.key)
                  .at("/spec/accessModes")
                  .toString()
                  .contains("OncePod");
      for (JsonNode other : pods) {
        boolean here =
            fault != Fault.ONCE_POD_ON_ONE_NODE
                || other.at("/spec/nodeName").asString("").equals(name(node));
        for (Use theirs : uses(other)) {
          if (once && here && running(other) && !theirs.ephemeral && theirs.key.equals(mine.key)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  // ---- NodeVolumeLimits ----

  private boolean exceeded(JsonNode pod, JsonNode node) {
    JsonNode csiNode = storage.csiNodes.get(name(node));
    if (csiNode == null) {
      return false;
    }
    Set<String> fresh = new TreeSet<>(ids(pod));
    List<String> used = new ArrayList<>();
    for (JsonNode other : pods) {
      if (running(other) && other.at("/spec/nodeName").asString("").equals(name(node))) {
        used.addAll(ids(other));
      }
    }
    if (fault != Fault.LIMIT_COUNTS_PODS) {
      used = new ArrayList<>(new TreeSet<>(used));
    }
    fresh.removeAll(used);
    List<String> attached = new ArrayList<>(used);
    for (JsonNode attachment : storage.attachments.values()) {
      JsonNode volume =
          storage.volumes.get(attachment.at("/spec/source/persistentVolumeName").asString(""));
      if (attachment.at("/spec/nodeName").asString("").equals(name(node))
          && volume != null
          && volume.at("/spec/csi").isObject()
          && fault != Fault.LIMIT_IGNORES_ATTACHMENTS) {
        String id =
            attachment.at("/spec/attacher").asString()
                + "/"
                + volume.at("/spec/csi/volumeHandle").asString();
        if (!attached.contains(id) || fault == Fault.LIMIT_COUNTS_ATTACHED_TWICE) {
          attached.add(id);
        }
      }
    }
    for (JsonNode driver : csiNode.at("/spec/drivers")) {
      JsonNode limit = driver.at("/allocatable/count");
      String prefix = fault == Fault.LIMIT_IS_OF_ALL_DRIVERS ? "" : name(driver, "name") + "/";
      long more = fresh.stream().filter(id -> id.startsWith(prefix)).count();
      long now = attached.stream().filter(id -> id.startsWith(prefix)).count();
      if (limit.isNumber() && more > 0 && now + more > limit.asLong()) {
        return true;
      }
    }
    return false;
  }

  private static String name(JsonNode object, String field) {
    return object.path(field).asString("");
  }

  /** The volumes of a pod as their drivers name them. */
  private List<String> ids(JsonNode pod) {
    List<String> ids = new ArrayList<>();
    for (Use use : uses(pod)) {
      JsonNode claim = storage.claims.get(use.key);
      if (claim == null || use.ephemeral && !owned(claim, pod)) {
        continue;
      }
      JsonNode volume = storage.volumes.get(claim.at("/spec/volumeName").asString(""));
      if (volume != null) {
        JsonNode csi = volume.at("/spec/csi");
        if (csi.isObject()) {
          ids.add(name(csi, "driver") + "/" + name(csi, "volumeHandle"));
        } else if (volume.at("/spec/awsElasticBlockStore").isObject()
            && fault != Fault.LIMIT_IGNORES_OLD_SOURCES) {
          ids.add("ebs.csi.aws.com/" + name(volume.at("/spec/awsElasticBlockStore"), "volumeID"));
        }
        continue;
      }
      JsonNode storageClass = storage.classes.get(className(claim));
      if (storageClass != null && fault != Fault.LIMIT_IGNORES_UNBOUND) {
        ids.add(name(storageClass, "provisioner") + "/claim " + use.key);
      }
    }
    return ids;
  }

  // ---- VolumeZone ----

  private boolean zoneConflict(JsonNode pod, JsonNode node) {
    JsonNode labels = node.at("/metadata/labels");
    boolean anywhere = ZONES.stream().noneMatch(labels::has);
    if (anywhere && fault != Fault.NODE_WITHOUT_ZONE_IS_OUT) {
      return false;
    }
    for (Use use : uses(pod)) {
      JsonNode volume =
          storage.volumes.get(storage.claims.get(use.key).at("/spec/volumeName").asString(""));
      if (use.ephemeral && fault != Fault.EPHEMERAL_ZONES_COUNT || volume == null) {
        continue;
      }
      for (int i = 0; i < ZONES.size(); i++) {
        String value = volume.at("/metadata/labels").path(ZONES.get(i)).asString("");
        List<String> zones = List.of(value.split("__", -1));
        if (fault == Fault.ZONE_LIST_IS_ONE_ZONE) {
          zones = List.of(value);
        }
        if (zones.contains("")) {
          continue;
        }
        JsonNode found = labels.path(ZONES.get(i));
        if (found.isMissingNode() && fault != Fault.OLD_LABEL_MEETS_OLD_ALONE) {
          found = labels.path(ZONES.get(i % 2 + 2));
        }
        if (found.isMissingNode() || !zones.contains(found.asString())) {
          return true;
        }
      }
    }
    return false;
  }

  // ---- VolumeBinding ----

  private List<String> binding(JsonNode pod, JsonNode node) {
    List<String> reasons = new ArrayList<>();
    for (Use use : uses(pod)) {
      JsonNode claim = storage.claims.get(use.key);
      if (!bound(claim)) {
        continue;
      }
      JsonNode volume = storage.volumes.get(claim.at("/spec/volumeName").asString());
      if (volume == null) {
        reasons.add("node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)");
        break;
      }
      if (!reaches(volume, node) && fault != Fault.BOUND_AFFINITY_IS_IGNORED) {
        reasons.add("node(s) didn't match PersistentVolume's node affinity");
        break;
      }
    }
    Map<String, String> matches = new TreeMap<>();
    Map<String, String> makes = new TreeMap<>();
    String unbound = unbound(pod, node, matches, makes);
    if (!unbound.isEmpty()) {
      reasons.add(unbound);
    }
    return reasons;
  }

  /** Why the unbound claims of a pod have no volume for a node; else which they get. */
  private String unbound(
      JsonNode pod, JsonNode node, Map<String, String> matches, Map<String, String> makes) {
    List<JsonNode> toMatch = new ArrayList<>();
    List<JsonNode> toMake = new ArrayList<>();
    for (Use use : uses(pod)) {
      JsonNode claim = storage.claims.get(use.key);
      if (bound(claim) || toMatch.contains(claim) || toMake.contains(claim)) {
        continue;
      }
      String selected = selectedNode(claim);
      if (selected == null || fault == Fault.SELECTED_NODE_IS_IGNORED) {
        toMatch.add(claim);
      } else if (selected.equals(name(node))) {
        toMake.add(claim);
      } else {
        return "node(s) didn't find available persistent volumes to bind";
      }
    }
    Comparator<JsonNode> bySize = Comparator.comparingLong(StockVolumes::size);
    toMatch.sort(fault == Fault.LARGEST_CLAIM_FIRST ? bySize.reversed() : bySize);
    for (JsonNode claim : toMatch) {
      String volume = match(claim, node, new HashSet<>(matches.values()));
      if (volume == null) {
        toMake.add(claim);
      } else {
        matches.put(key(claim), volume);
      }
    }
    for (JsonNode claim : toMake) {
      JsonNode storageClass = storage.classes.get(className(claim));
      boolean isMade =
          storageClass != null
              && !name(storageClass, "provisioner").equals("kubernetes.io/no-provisioner");
      if (fault == Fault.NOTHING_IS_MADE || !isMade && fault != Fault.EVERYTHING_IS_MADE) {
        return "node(s) didn't find available persistent volumes to bind";
      }
      if (!allowed(storageClass, node) && fault != Fault.TOPOLOGIES_ARE_IGNORED) {
        return "node(s) didn't find available persistent volumes to bind";
      }
      if (!hasRoom(claim, storageClass, node) && fault != Fault.STORAGE_IS_ENDLESS) {
        return "node(s) did not have enough free storage";
      }
      makes.put(key(claim), name(node));
    }
    return "";
  }

  private String selectedNode(JsonNode claim) {
    JsonNode selected = claim.at("/metadata/annotations").path(SELECTED);
    if (selected.isString()) {
      return selected.asString();
    }
    if (fault != Fault.ASSUMED_NODE_IS_IGNORED) {
      for (Map<String, String> makes : made.values()) {
        if (makes.containsKey(key(claim)) && uid(claim).equals(assumedFor.get(key(claim)))) {
          return makes.get(key(claim));
        }
      }
    }
    return null;
  }

  /** The claim that a volume is for; empty where it is for any. */
  private String[] claimOf(JsonNode volume) {
    JsonNode claim = volume.at("/spec/claimRef");
    if (claim.isObject()) {
      return new String[] {
        name(claim, "namespace") + "/" + name(claim, "name"), name(claim, "uid")
      };
    }
    if (fault != Fault.ASSUMED_VOLUME_IS_FREE) {
      for (Map<String, String> matches : matched.values()) {
        for (Map.Entry<String, String> match : matches.entrySet()) {
          if (match.getValue().equals(name(volume))) {
            return new String[] {match.getKey(), assumedFor.get(match.getValue())};
          }
        }
      }
    }
    return null;
  }

  private String match(JsonNode claim, JsonNode node, Set<String> taken) {
    String best = null;
    long smallest = 0;
    for (JsonNode volume : storage.volumes.values()) {
      String[] of = claimOf(volume);
      boolean own =
          of != null && of[0].equals(key(claim)) && (of[1].isEmpty() || of[1].equals(uid(claim)));
      long capacity = bytes(volume.at("/spec/capacity/storage"));
      boolean skip =
          taken.contains(name(volume)) && fault != Fault.ONE_VOLUME_FOR_TWO_CLAIMS
              || of != null && !own
              || !className(volume).equals(className(claim)) && fault != Fault.CLASS_IS_IGNORED
              || capacity < size(claim) && fault != Fault.SIZE_IS_IGNORED
              || !mode(volume).equals(mode(claim)) && fault != Fault.VOLUME_MODE_IS_IGNORED
              || !attributes(volume).equals(attributes(claim))
                  && fault != Fault.ATTRIBUTES_CLASS_IS_IGNORED
              || deleted(volume) && fault != Fault.DELETED_VOLUME_IS_FREE;
      if (skip) {
        continue;
      }
      boolean reaches = reaches(volume, node) || fault == Fault.AFFINITY_IS_IGNORED;
      if (own && fault != Fault.OWN_VOLUME_IS_NO_MATTER) {
        boolean refused = fault == Fault.OWN_VOLUME_NEEDS_MODES && !modes(volume, claim);
        return reaches && !refused ? name(volume) : null;
      }
      boolean fits =
          reaches
              && (volume.at("/status/phase").asString("").equals("Available")
                  || fault == Fault.PHASE_IS_IGNORED)
              && (chosen(volume, claim) || fault == Fault.SELECTOR_IS_IGNORED)
              && (modes(volume, claim) || fault == Fault.MODES_ARE_IGNORED);
      boolean better =
          fault == Fault.LARGEST_VOLUME_FIRST ? capacity > smallest : capacity < smallest;
      if (fits && (best == null || better)) {
        best = name(volume);
        smallest = capacity;
      }
    }
    return best;
  }

  private static String mode(JsonNode object) {
    return object.at("/spec/volumeMode").asString("Filesystem");
  }

  private static String attributes(JsonNode object) {
    return object.at("/spec/volumeAttributesClassName").asString("");
  }

  private static boolean modes(JsonNode volume, JsonNode claim) {
    Set<String> there = new HashSet<>();
    volume.at("/spec/accessModes").forEach(one -> there.add(one.asString()));
    for (JsonNode mode : claim.at("/spec/accessModes")) {
      if (!there.contains(mode.asString())) {
        return false;
      }
    }
    return true;
  }

  private static boolean chosen(JsonNode volume, JsonNode claim) {
    for (Map.Entry<String, JsonNode> label : claim.at("/spec/selector/matchLabels").properties()) {
      if (!label.getValue().equals(volume.at("/metadata/labels").get(label.getKey()))) {
        return false;
      }
    }
    return true;
  }

  /** Fields of nodes do not count here. */
  private boolean reaches(JsonNode volume, JsonNode node) {
    JsonNode required = volume.at("/spec/nodeAffinity/required");
    if (!required.isObject()) {
      return true;
    }
    for (JsonNode term : required.path("nodeSelectorTerms")) {
      boolean holds = !term.isEmpty();
      for (JsonNode expression : term.path("matchExpressions")) {
        holds &= holds(expression, node.at("/metadata/labels").path(name(expression, "key")));
      }
      if (holds) {
        return true;
      }
    }
    return false;
  }

  private static boolean holds(JsonNode expression, JsonNode value) {
    boolean there = !value.isMissingNode();
    boolean in = false;
    for (JsonNode one : expression.path("values")) {
      in |= there && one.asString().equals(value.asString());
    }
    return switch (name(expression, "operator")) {
      case "Exists" -> there;
      case "DoesNotExist" -> !there;
      case "NotIn" -> !in;
      default -> in;
    };
  }

  private static boolean allowed(JsonNode storageClass, JsonNode node) {
    JsonNode terms = storageClass.path("allowedTopologies");
    if (terms.isEmpty()) {
      return true;
    }
    for (JsonNode term : terms) {
      boolean holds = !term.path("matchLabelExpressions").isEmpty();
      for (JsonNode expression : term.path("matchLabelExpressions")) {
        holds &= holds(expression, node.at("/metadata/labels").path(name(expression, "key")));
      }
      if (holds) {
        return true;
      }
    }
    return false;
  }

  private boolean hasRoom(JsonNode claim, JsonNode storageClass, JsonNode node) {
    JsonNode driver = storage.drivers.get(name(storageClass, "provisioner"));
    boolean checked =
        driver != null
            && (driver.at("/spec/storageCapacity").asBoolean(false)
                || fault == Fault.STORAGE_IS_ALWAYS_CHECKED);
    if (!checked || claim.at("/spec/resources/requests/storage").isMissingNode()) {
      return true;
    }
    for (JsonNode capacity : storage.capacities.values()) {
      JsonNode limit = capacity.path("maximumVolumeSize");
      if (limit.isMissingNode() || fault == Fault.CAPACITY_BEFORE_MAXIMUM) {
        limit = capacity.path("capacity");
      }
      JsonNode topology = capacity.path("nodeTopology");
      boolean reaches = topology.isObject();
      for (Map.Entry<String, JsonNode> label : topology.path("matchLabels").properties()) {
        reaches &= label.getValue().equals(node.at("/metadata/labels").get(label.getKey()));
      }
      if (capacity.path("storageClassName").asString("").equals(name(storageClass))
          && !limit.isMissingNode()
          && bytes(limit) >= size(claim)
          && (reaches || fault == Fault.CAPACITY_OF_ALL_NODES)) {
        return true;
      }
    }
    return false;
  }

  // ---- assumptions ----

  /** A pod goes to a node. */
  void assume(JsonNode pod, JsonNode node) {
    Map<String, String> matches = new TreeMap<>();
    Map<String, String> makes = new TreeMap<>();
    unbound(pod, node, matches, makes);
    matches.forEach((claim, volume) -> assumedFor.put(volume, uid(storage.claims.get(claim))));
    makes.keySet().forEach(claim -> assumedFor.put(claim, uid(storage.claims.get(claim))));
    matched.put(pod.at("/metadata/uid").asString(), matches);
    made.put(pod.at("/metadata/uid").asString(), makes);
  }

  /** What was assumed for a pod is no more. */
  void release(String uid) {
    matched.remove(uid);
    made.remove(uid);
  }
}

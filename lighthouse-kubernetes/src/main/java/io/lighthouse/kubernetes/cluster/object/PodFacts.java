package io.lighthouse.kubernetes.cluster.object;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.kubernetes.cluster.object.WaitingPod.PodGroup;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * What counts of a pod. All that filters read is here; what a pod asks for and this scheduler does
 * not support is in {@code unsupported}, and the constraints are then those read before it.
 */
public final class PodFacts {
  /** The labels that name a pod group: of the scheduler plug-ins today, and before. */
  private static final List<String> GROUPS =
      List.of("scheduling.x-k8s.io/pod-group", "pod-group.scheduling.sigs.k8s.io/name");

  private static final String MEMBERS = "pod-group.scheduling.sigs.k8s.io/min-available";

  /**
   * A claim that a volume of a pod names.
   *
   * @param key namespace and name
   * @param name its name
   * @param ephemeral whether it is made for this pod, and goes with it
   */
  public record Claim(String key, String name, boolean ephemeral) {}

  /**
   * A claim of a pod to devices.
   *
   * @param key namespace and name
   * @param isMade whether it is made for this pod from a template
   */
  public record DeviceClaim(String key, boolean isMade) {}

  /**
   * A container of a pod.
   *
   * @param name its name
   * @param endsFirst whether it is an init container that ends before the next one begins
   * @param requests what it requests, in the order of names
   */
  public record Container(String name, boolean endsFirst, SortedMap<String, Long> requests) {}

  /**
   * What is read of pods; if it is not, a pod that names it is not supported.
   *
   * @param podGroups PodGroup objects
   * @param resourceClaims claims to devices
   */
  public record Reads(boolean podGroups, boolean resourceClaims) {
    public static final Reads NEITHER = new Reads(false, false);

    /** Whether a field of a pod's {@code spec} is read with one of them. */
    boolean include(String field) {
      return podGroups && field.equals("schedulingGroup")
          || resourceClaims && field.equals("resourceClaims");
    }
  }

  /** A preference of a pod, with its weight: one of node affinity or of pod (anti-)affinity. */
  public record Preference(int weight, NodeSelection.Term nodes, PodTerm pods, boolean against) {}

  public final WaitingPod pod;
  public final Map<String, String> labels;

  /** Empty while it waits. */
  public final String nodeName;

  /** Where another scheduler has made room for it; empty where none has. */
  public final String nominated;

  /** See {@link #belongsToNode(JsonNode)}. */
  public final boolean belongsToNode;

  public final boolean finished;
  public final boolean deleting;

  /** Whether it never has other pods evicted ({@code preemptionPolicy: Never}). */
  public final boolean neverPreempts;

  /** {@code status.startTime}; the latest instant where it has not started. */
  public final Instant started;

  /** Whether a scheduler evicts it for another pod. */
  public final boolean preempted;

  public final Map<String, Long> request;
  public final Set<HostPort> ports;
  public final List<PodTerm> antiAffinity;

  /** In the order of its volumes, each once. */
  public final List<Claim> claims;

  /** In the order of the pod, each once; none where they are not read. */
  public final List<DeviceClaim> deviceClaims;

  /**
   * Its init containers, and then the others; known while it waits and requests an extended
   * resource, where claims to devices are read.
   */
  public List<Container> containers = List.of();

  /** Whether its status names a claim that was made for its extended resources. */
  public boolean namesExtendedClaim;

  public List<Toleration> tolerations = List.of();
  public NodeSelection selection = NodeSelection.ALL;
  public List<PodTerm> affinity = List.of();
  public List<SpreadConstraint> spreads = List.of();
  public List<Preference> preferences = List.of();

  /** The controller that it belongs to; known while it waits. */
  public Optional<PodOwner.Controller> controller = Optional.empty();

  /** Its images; known while it waits. */
  public PodImages images = PodImages.NONE;

  /** Null where all is supported. */
  public String unsupported;

  private PodFacts(JsonNode object, boolean whole, Reads reads) {
    JsonNode metadata = object.path("metadata");
    JsonNode spec = object.path("spec");
    String uid = ObjectFields.text(metadata, "uid");
    if (uid.isEmpty()) {
      throw new InvalidInputException(
          "pod '" + ObjectFields.text(metadata, "name") + "'", "metadata.uid", "nothing", "a uid");
    }
    labels = ObjectFields.labels(metadata.path("labels"));
    pod =
        new WaitingPod(
            uid,
            ObjectFields.text(metadata, "namespace"),
            ObjectFields.text(metadata, "name"),
            ObjectFields.text(metadata, "resourceVersion"),
            metadata.path("generation").asLong(0),
            ObjectFields.text(spec, "schedulerName"),
            spec.path("priority").asInt(0),
            time(metadata, "creationTimestamp", Instant.EPOCH),
            !spec.path("schedulingGates").isEmpty()
                || reads.resourceClaims() && lacksMadeClaims(object),
            ObjectFields.isRefused(object),
            reads.podGroups() ? group(metadata, spec) : gang(metadata));
    nodeName = ObjectFields.text(spec, "nodeName");
    finished = isFinished(object);
    nominated = ObjectFields.text(object.path("status"), "nominatedNodeName");
    deleting = ObjectFields.isDeleting(object);
    belongsToNode = belongsToNode(object);
    neverPreempts = ObjectFields.text(spec, "preemptionPolicy").equals("Never");
    started = time(object.path("status"), "startTime", Instant.MAX);
    preempted = deleting && isPreempted(object);
    request = PodRequests.of(object);
    ports = HostPort.of(spec);
    antiAffinity = readAntiAffinity(spec);
    claims = claims(spec.path("volumes"));
    deviceClaims = reads.resourceClaims() ? deviceClaims(object) : List.of();
    if ((whole || nodeName.isEmpty()) && unsupported == null) {
      try {
        Support.check(spec, reads);
        if (reads.podGroups()) {
          checkGroup(metadata, spec);
        }
        checkDeviceClaims(spec);
        if (reads.resourceClaims() && request.keySet().stream().anyMatch(PodFacts::isExtended)) {
          containers = PodRequests.containers(object);
          namesExtendedClaim = object.path("status").path("extendedResourceClaimStatus").isObject();
        }
        readConstraints(spec);
        controller = PodOwner.Controller.of(metadata);
        images = PodImages.of(spec);
      } catch (UnsupportedFieldException found) {
        unsupported = found.getMessage();
      }
    }
  }

  /**
   * Reads a pod; of one that is bound, only what counts on its node.
   *
   * @throws InvalidInputException if it has no uid, or a quantity is none
   */
  public static PodFacts of(JsonNode pod) {
    return of(pod, Reads.NEITHER);
  }

  /**
   * The same.
   *
   * @param reads what is read besides
   */
  public static PodFacts of(JsonNode pod, Reads reads) {
    return new PodFacts(pod, false, reads);
  }

  /** Reads a pod, bound or not, with all that says where it may go. */
  public static PodFacts parseBoundPods(JsonNode pod) {
    return new PodFacts(pod, true, Reads.NEITHER);
  }

  /** Those of a placed pod bind newcomers, so what can be read of them counts in any case. */
  private List<PodTerm> readAntiAffinity(JsonNode spec) {
    try {
      return PodTerm.required(
          spec.path("affinity").path("podAntiAffinity"), pod.namespace(), "podAntiAffinity");
    } catch (UnsupportedFieldException found) {
      unsupported = found.getMessage();
      return List.of();
    }
  }

  private List<Claim> claims(JsonNode volumes) {
    Map<String, Claim> found = new LinkedHashMap<>();
    for (JsonNode volume : volumes) {
      boolean ephemeral = volume.path("ephemeral").isObject();
      String name =
          ephemeral
              ? pod.name() + "-" + ObjectFields.text(volume, "name")
              : ObjectFields.text(volume.path("persistentVolumeClaim"), "claimName");
      if (!name.isEmpty()) {
        String key = pod.namespace() + "/" + name;
        found.putIfAbsent(key, new Claim(key, name, ephemeral));
      }
    }
    return List.copyOf(found.values());
  }

  /** A pod may name another claim for a name of its own: a claim that it names twice is one. */
  private List<DeviceClaim> deviceClaims(JsonNode object) {
    Map<String, DeviceClaim> found = new LinkedHashMap<>();
    for (JsonNode claim : object.path("spec").path("resourceClaims")) {
      String name = ObjectFields.text(claim, "resourceClaimName");
      boolean isMade = name.isEmpty();
      if (isMade) {
        name = ObjectFields.text(madeClaim(object, claim), "resourceClaimName");
      }
      // No name in the status: the pod does not need a claim.
      if (!name.isEmpty()) {
        String key = pod.namespace() + "/" + name;
        found.putIfAbsent(key, new DeviceClaim(key, isMade));
      }
    }
    return List.copyOf(found.values());
  }

  /** What the status says of a claim that is made from a template. */
  private static JsonNode madeClaim(JsonNode object, JsonNode claim) {
    for (JsonNode made : object.path("status").path("resourceClaimStatuses")) {
      if (ObjectFields.text(made, "name").equals(ObjectFields.text(claim, "name"))) {
        return made;
      }
    }
    return MissingNode.getInstance();
  }

  /** Whether claims are still to be made from templates: until then, the pod waits as if gated. */
  private static boolean lacksMadeClaims(JsonNode object) {
    for (JsonNode claim : object.path("spec").path("resourceClaims")) {
      if (ObjectFields.says(claim.path("resourceClaimTemplateName"))
          && madeClaim(object, claim).isMissingNode()) {
        return true;
      }
    }
    return false;
  }

  /** Whether a resource may be one that a DeviceClass provides. */
  public static boolean isExtended(String resource) {
    return resource.indexOf('/') > 0;
  }

  private static void checkDeviceClaims(JsonNode spec) {
    for (JsonNode claim : spec.path("resourceClaims")) {
      ObjectFields.requireKnown(
          claim, "resourceClaims", "name", "resourceClaimName", "resourceClaimTemplateName");
    }
  }

  private void readConstraints(JsonNode spec) {
    request.forEach(
        (resource, units) -> {
          if (units >= KubeQuantity.MOST_OF_A_POD) {
            throw new UnsupportedFieldException("a request of 16 Ti or more of " + resource);
          }
        });
    List<Toleration> tolerated = new ArrayList<>();
    for (JsonNode toleration : spec.path("tolerations")) {
      tolerated.add(Toleration.of(toleration));
    }
    tolerations = List.copyOf(tolerated);
    selection = NodeSelection.of(spec);
    JsonNode affine = spec.path("affinity");
    affinity = PodTerm.required(affine.path("podAffinity"), pod.namespace(), "podAffinity");
    List<SpreadConstraint> spread = new ArrayList<>();
    for (JsonNode constraint : spec.path("topologySpreadConstraints")) {
      spread.add(SpreadConstraint.of(constraint, labels));
    }
    spreads = List.copyOf(spread);
    String preferred = "preferredDuringSchedulingIgnoredDuringExecution";
    List<Preference> soft = new ArrayList<>();
    for (JsonNode term : affine.path("nodeAffinity").path(preferred)) {
      NodeSelection.Term nodes =
          NodeSelection.Term.of(term.path("preference"), "preferred nodeAffinity");
      soft.add(new Preference(term.path("weight").asInt(1), nodes, null, false));
    }
    for (String kind : List.of("podAffinity", "podAntiAffinity")) {
      for (JsonNode term : affine.path(kind).path(preferred)) {
        PodTerm pods =
            PodTerm.of(term.path("podAffinityTerm"), pod.namespace(), "preferred " + kind);
        boolean against = kind.equals("podAntiAffinity");
        soft.add(new Preference(term.path("weight").asInt(1), null, pods, against));
      }
    }
    soft.sort(Comparator.comparingInt(Preference::weight).reversed());
    preferences = List.copyOf(soft);
  }

  /** Whether it may need devices; known while it waits. */
  public boolean mayNeedDevices() {
    return !deviceClaims.isEmpty() || !containers.isEmpty();
  }

  /** Whether it counts on a node exactly as other facts do. */
  public boolean countsAs(PodFacts other) {
    return request.equals(other.request)
        && ports.equals(other.ports)
        && labels.equals(other.labels)
        && antiAffinity.equals(other.antiAffinity)
        && claims.equals(other.claims)
        && deleting == other.deleting
        && pod.namespace().equals(other.pod.namespace());
  }

  /** Whether it requests more of a resource than a node has for pods at all. */
  public boolean exceeds(NodeFacts node) {
    for (Map.Entry<String, Long> entry : request.entrySet()) {
      if (entry.getValue() > node.allocatable().getOrDefault(entry.getKey(), 0L)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a taint does not keep it off. */
  public boolean tolerates(Taint taint) {
    return Toleration.tolerated(taint, tolerations);
  }

  /** Whether the pod is among some. */
  public boolean isAmong(PodTerm.Pods pods, Map<String, String> namespaceLabels) {
    return pods.match(pod.namespace(), labels, namespaceLabels);
  }

  private static Instant time(JsonNode object, String field, Instant otherwise) {
    String text = ObjectFields.text(object, field);
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      return Instant.parse(text);
    } catch (DateTimeException none) {
      return otherwise;
    }
  }

  /** Whether a pod has ended: it takes no room any more. */
  public static boolean isFinished(JsonNode pod) {
    String phase = ObjectFields.text(pod.path("status"), "phase");
    return phase.equals("Succeeded") || phase.equals("Failed");
  }

  /**
   * Whether a pod is not to be moved: it would come back on its node at once (daemon sets), the
   * server cannot end it (mirror pods), or it is ending already.
   */
  public static boolean belongsToNode(JsonNode pod) {
    return ObjectFields.isDeleting(pod) || isDaemon(pod);
  }

  /** Whether a pod is of a daemon set, or a mirror pod. */
  public static boolean isDaemon(JsonNode pod) {
    JsonNode metadata = pod.path("metadata");
    return metadata.path("annotations").has("kubernetes.io/config.mirror")
        || ObjectFields.text(ObjectFields.controllerOf(metadata), "kind").equals("DaemonSet");
  }

  private static boolean isPreempted(JsonNode pod) {
    JsonNode target = ObjectFields.condition(pod, "DisruptionTarget");
    return ObjectFields.text(target, "status").equals("True")
        && ObjectFields.text(target, "reason").equals("PreemptionByScheduler");
  }

  /** The PodGroup object that a pod names, or else the group that its labels name. */
  private static Optional<PodGroup> group(JsonNode metadata, JsonNode spec) {
    String name = ObjectFields.text(spec.path("schedulingGroup"), "podGroupName");
    return name.isEmpty() ? gang(metadata) : Optional.of(new PodGroup(name, 1, true));
  }

  private static void checkGroup(JsonNode metadata, JsonNode spec) {
    JsonNode group = spec.path("schedulingGroup");
    ObjectFields.requireKnown(group, "schedulingGroup", "podGroupName");
    if (ObjectFields.says(group) && gang(metadata).isPresent()) {
      throw new UnsupportedFieldException(
          "schedulingGroup together with a pod-group label or annotation");
    }
  }

  private static Optional<PodGroup> gang(JsonNode metadata) {
    for (String word : GROUPS) {
      String name = labelOrAnnotation(metadata, word);
      if (!name.isEmpty()) {
        String members = labelOrAnnotation(metadata, MEMBERS);
        return Optional.of(
            new PodGroup(
                name, members.matches("[0-9]{1,6}") ? Integer.parseInt(members) : 1, false));
      }
    }
    return Optional.empty();
  }

  private static String labelOrAnnotation(JsonNode metadata, String word) {
    String label = ObjectFields.text(metadata.path("labels"), word);
    return label.isEmpty() ? ObjectFields.text(metadata.path("annotations"), word) : label;
  }
}

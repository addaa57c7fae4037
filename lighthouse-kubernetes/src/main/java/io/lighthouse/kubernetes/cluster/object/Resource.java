package io.lighthouse.kubernetes.cluster.object;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** A kind of objects that is listed and watched. */
public enum Resource {
  NODES("Node", "/api/v1/nodes"),
  NAMESPACES("Namespace", "/api/v1/namespaces"),
  /** A pod that has finished leaves the selection, and so arrives as deleted. */
  PODS("Pod", "/api/v1/pods?fieldSelector=status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed"),
  CLAIMS("PersistentVolumeClaim", "/api/v1/persistentvolumeclaims"),
  VOLUMES("PersistentVolume", "/api/v1/persistentvolumes"),
  STORAGE_CLASSES("StorageClass", "/apis/storage.k8s.io/v1/storageclasses"),
  CSI_NODES("CSINode", "/apis/storage.k8s.io/v1/csinodes"),
  CSI_DRIVERS("CSIDriver", "/apis/storage.k8s.io/v1/csidrivers"),
  CAPACITIES("CSIStorageCapacity", "/apis/storage.k8s.io/v1/csistoragecapacities"),
  ATTACHMENTS("VolumeAttachment", "/apis/storage.k8s.io/v1/volumeattachments"),
  SERVICES("Service", "/api/v1/services"),
  REPLICATION_CONTROLLERS("ReplicationController", "/api/v1/replicationcontrollers"),
  REPLICA_SETS("ReplicaSet", "/apis/apps/v1/replicasets"),
  STATEFUL_SETS("StatefulSet", "/apis/apps/v1/statefulsets"),
  /** Budgets count only where pods are evicted. */
  BUDGETS("PodDisruptionBudget", "/apis/policy/v1/poddisruptionbudgets"),
  /** Served where the feature gate GenericWorkload is on. */
  POD_GROUPS("PodGroup", "/apis/scheduling.k8s.io/v1alpha2/podgroups"),
  RESOURCE_CLAIMS("ResourceClaim", "/apis/resource.k8s.io/v1/resourceclaims"),
  DEVICE_CLASSES("DeviceClass", "/apis/resource.k8s.io/v1/deviceclasses"),
  RESOURCE_SLICES("ResourceSlice", "/apis/resource.k8s.io/v1/resourceslices");

  /** What decides where pods may go. The last seven are the storage of the cluster. */
  public static final Set<Resource> OF_PLACEMENT =
      Collections.unmodifiableSet(EnumSet.range(NODES, ATTACHMENTS));

  /** What decides where pods with claims to devices may go. */
  public static final Set<Resource> OF_DEVICES =
      Collections.unmodifiableSet(EnumSet.range(RESOURCE_CLAIMS, RESOURCE_SLICES));

  /** What decides which pods are spread by default. */
  public static final Set<Resource> OF_DEFAULT_SPREAD =
      Collections.unmodifiableSet(EnumSet.range(SERVICES, STATEFUL_SETS));

  private final String kind;
  private final String path;

  Resource(String kind, String path) {
    this.kind = kind;
    this.path = path;
  }

  /** The kind of its objects, as Kubernetes names it. */
  public String kind() {
    return kind;
  }

  /** The resource of a kind, as Kubernetes names it. */
  public static Optional<Resource> ofKind(String kind) {
    return Arrays.stream(values()).filter(one -> one.kind.equals(kind)).findFirst();
  }

  /**
   * What an object of it is known by: the uid of a pod or budget, the name of what is in no
   * namespace, namespace and name of anything else.
   */
  public String key(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    String name = ObjectFields.text(metadata, "name");
    return switch (this) {
      case PODS, BUDGETS -> ObjectFields.uid(object);
      case CLAIMS,
          CAPACITIES,
          SERVICES,
          REPLICATION_CONTROLLERS,
          REPLICA_SETS,
          STATEFUL_SETS,
          POD_GROUPS,
          RESOURCE_CLAIMS ->
          ObjectFields.text(metadata, "namespace") + "/" + name;
      default -> name;
    };
  }

  public String path() {
    return path;
  }

  /** The group and version of its objects, such as {@code apps/v1}, or the version alone. */
  String apiVersion() {
    return path.substring(path.indexOf('/', 1) + 1, path.lastIndexOf('/'));
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}

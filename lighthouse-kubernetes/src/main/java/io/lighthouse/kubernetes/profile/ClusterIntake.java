package io.lighthouse.kubernetes.profile;

import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.decide.ClusterChange;
import io.lighthouse.kubernetes.cluster.device.DeviceKind;
import io.lighthouse.kubernetes.cluster.object.PodOwner;
import io.lighthouse.kubernetes.cluster.volume.StorageKind;
import io.lighthouse.kubernetes.watch.Resource;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Tells a cluster in memory what becomes of the objects of the real one. */
public final class ClusterIntake {
  private ClusterIntake() {}

  /**
   * A cluster to be written out, with some objects.
   *
   * @param objects all objects of each resource
   * @throws io.lighthouse.api.error.InvalidInputException if an object cannot be read
   */
  public static Cluster toExport(Map<Resource, ? extends Collection<JsonNode>> objects) {
    Cluster cluster = Cluster.forExport();
    objects.forEach(
        (resource, all) ->
            all.forEach(object -> changed(cluster, resource, resource.key(object), object)));
    return cluster;
  }

  /**
   * An object has come or changed.
   *
   * @param key its {@link Resource#key}
   * @return what has changed that may let a refused pod fit
   * @throws io.lighthouse.api.error.InvalidInputException if the object cannot be read; then
   *     nothing has changed
   */
  public static Set<ClusterChange> changed(
      Cluster cluster, Resource resource, String key, JsonNode object) {
    return switch (resource) {
      case NODES -> cluster.nodeChanged(object);
      case NAMESPACES -> cluster.namespaceChanged(object);
      case PODS -> cluster.podChanged(object);
      case BUDGETS -> {
        cluster.budgetChanged(key, object);
        yield Set.of();
      }
      case POD_GROUPS -> cluster.podGroupChanged(key, object);
      case SERVICES, REPLICATION_CONTROLLERS, REPLICA_SETS, STATEFUL_SETS -> {
        cluster.ownerChanged(owner(resource), key, object);
        yield Set.of();
      }
      case RESOURCE_CLAIMS -> cluster.deviceChanged(DeviceKind.CLAIM, object);
      case DEVICE_CLASSES -> cluster.deviceChanged(DeviceKind.CLASS, object);
      case RESOURCE_SLICES -> cluster.deviceChanged(DeviceKind.SLICE, object);
      case CLAIMS, VOLUMES, STORAGE_CLASSES, CSI_NODES, CSI_DRIVERS, CAPACITIES, ATTACHMENTS ->
          cluster.storageChanged(storage(resource), object);
    };
  }

  /**
   * An object has gone.
   *
   * @param key its {@link Resource#key}
   * @return what has changed that may let a refused pod fit
   */
  public static Set<ClusterChange> gone(Cluster cluster, Resource resource, String key) {
    return switch (resource) {
      case NODES -> cluster.nodeGone(key);
      case NAMESPACES -> cluster.namespaceGone(key);
      case PODS -> cluster.podGone(key);
      case BUDGETS -> {
        cluster.budgetGone(key);
        yield Set.of();
      }
      case POD_GROUPS -> {
        cluster.podGroupGone(key);
        yield Set.of();
      }
      case SERVICES, REPLICATION_CONTROLLERS, REPLICA_SETS, STATEFUL_SETS -> {
        cluster.ownerGone(owner(resource), key);
        yield Set.of();
      }
      case RESOURCE_CLAIMS -> cluster.deviceGone(DeviceKind.CLAIM, key);
      case DEVICE_CLASSES -> cluster.deviceGone(DeviceKind.CLASS, key);
      case RESOURCE_SLICES -> cluster.deviceGone(DeviceKind.SLICE, key);
      case CLAIMS, VOLUMES, STORAGE_CLASSES, CSI_NODES, CSI_DRIVERS, CAPACITIES, ATTACHMENTS ->
          cluster.storageGone(storage(resource), key);
    };
  }

  private static StorageKind storage(Resource resource) {
    return StorageKind.of(resource.kind()).orElseThrow();
  }

  private static PodOwner.Kind owner(Resource resource) {
    return PodOwner.Kind.of(resource.kind()).orElseThrow();
  }
}

package io.lighthouse.kubernetes.cluster.object;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The facts of a CSIStorageCapacity: how large a volume of a class may be on some nodes.
 *
 * @param storageClass the class
 * @param limit the bytes of the largest volume; null where the driver does not know
 * @param nodes the nodes; null where no node reaches that storage
 */
public record CapacityFacts(String storageClass, BigDecimal limit, NodeSelection nodes) {
  public static CapacityFacts of(JsonNode capacity) {
    String field =
        ObjectFields.says(capacity.path("maximumVolumeSize")) ? "maximumVolumeSize" : "capacity";
    JsonNode limit = capacity.path(field);
    String subject = "CSIStorageCapacity '" + ObjectFields.key(capacity) + "'";
    return new CapacityFacts(
        ObjectFields.text(capacity, "storageClassName"),
        ObjectFields.says(limit) ? KubeQuantity.read(subject, () -> field, limit) : null,
        nodes(capacity.path("nodeTopology")));
  }

  private static NodeSelection nodes(JsonNode topology) {
    if (!topology.isObject()) {
      return null;
    }
    try {
      LabelSelector selector = LabelSelector.of(topology, "nodeTopology");
      return selector.requirements().isEmpty()
          ? NodeSelection.ALL
          : new NodeSelection(selector.requirements(), false, List.of());
    } catch (UnsupportedFieldException unreadable) {
      return null;
    }
  }

  /** Whether a volume for a claim may be made of it, on nodes that reach it. Whole bytes count. */
  public boolean holds(ClaimFacts claim) {
    return storageClass.equals(claim.storageClass())
        && limit != null
        && nodes != null
        && whole(limit).compareTo(whole(claim.size())) >= 0;
  }

  private static BigDecimal whole(BigDecimal bytes) {
    return bytes.setScale(0, RoundingMode.CEILING);
  }
}

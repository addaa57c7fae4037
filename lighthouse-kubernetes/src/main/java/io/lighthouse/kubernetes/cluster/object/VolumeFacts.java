package io.lighthouse.kubernetes.cluster.object;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The facts of a PersistentVolume that scheduling uses.
 *
 * @param name its name
 * @param version its {@code resourceVersion}
 * @param storageClass the class; empty where there is none
 * @param claim the claim that it is for, as namespace and name; empty where it is for any
 * @param claimUid the uid of that claim; empty where any claim of that name will do
 * @param capacity its bytes
 * @param accessModes the access modes
 * @param volumeMode Filesystem or Block
 * @param attributesClass the VolumeAttributesClass; empty where there is none
 * @param labels its labels
 * @param nodes the nodes that reach it
 * @param available whether its phase is Available
 * @param deleting whether it is being deleted
 * @param driver the CSI driver; empty where it has another source
 * @param handle the driver's name of the volume
 * @param migratable the old in-tree source that a CSI driver serves now; empty for all others
 */
public record VolumeFacts(
    String name,
    String version,
    String storageClass,
    String claim,
    String claimUid,
    BigDecimal capacity,
    Set<String> accessModes,
    String volumeMode,
    String attributesClass,
    Map<String, String> labels,
    NodeSelection nodes,
    boolean available,
    boolean deleting,
    String driver,
    String handle,
    String migratable) {
  private static final List<String> MIGRATABLE =
      List.of("awsElasticBlockStore", "azureDisk", "cinder", "gcePersistentDisk", "portworxVolume");

  public static VolumeFacts of(JsonNode volume) {
    JsonNode metadata = volume.path("metadata");
    JsonNode spec = volume.path("spec");
    JsonNode claim = spec.path("claimRef");
    BigDecimal capacity =
        ClaimFacts.bytes(
            "PersistentVolume '" + ObjectFields.key(volume) + "'",
            "spec.capacity",
            spec.path("capacity"));
    JsonNode csi = spec.path("csi");
    return new VolumeFacts(
        ObjectFields.text(metadata, "name"),
        ObjectFields.text(metadata, "resourceVersion"),
        ClaimFacts.storageClass(metadata.path("annotations"), spec),
        claim.isObject()
            ? ObjectFields.text(claim, "namespace") + "/" + ObjectFields.text(claim, "name")
            : "",
        ObjectFields.text(claim, "uid"),
        capacity == null ? BigDecimal.ZERO : capacity,
        new LinkedHashSet<>(ObjectFields.texts(spec.path("accessModes"))),
        ClaimFacts.volumeMode(spec),
        ObjectFields.text(spec, "volumeAttributesClassName"),
        ObjectFields.labels(metadata.path("labels")),
        nodes(spec.path("nodeAffinity").path("required")),
        ObjectFields.text(volume.path("status"), "phase").equals("Available"),
        ObjectFields.isDeleting(volume),
        ObjectFields.text(csi, "driver"),
        ObjectFields.text(csi, "volumeHandle"),
        MIGRATABLE.stream().filter(source -> spec.path(source).isObject()).findFirst().orElse(""));
  }

  /**
   * The stock scheduler compares a volume with the labels of a node alone: {@code matchFields} do
   * not count. A term that it cannot read matches nothing.
   */
  private static NodeSelection nodes(JsonNode required) {
    if (!required.isObject()) {
      return NodeSelection.ALL;
    }
    List<NodeSelection.Term> terms = new ArrayList<>();
    for (JsonNode term : required.path("nodeSelectorTerms")) {
      List<LabelRequirement> labels;
      try {
        labels = LabelRequirement.ofAll(term.path("matchExpressions"), "nodeAffinity", true);
      } catch (UnsupportedFieldException unreadable) {
        continue;
      }
      if (labels.isEmpty() && !term.path("matchFields").isEmpty()) {
        return NodeSelection.ALL;
      }
      if (!labels.isEmpty()) {
        terms.add(new NodeSelection.Term(labels, List.of()));
      }
    }
    return new NodeSelection(List.of(), true, terms);
  }

  /** The same, for a claim. */
  public VolumeFacts withClaim(ClaimFacts other) {
    return with(other.key(), other.uid(), nodes);
  }

  /** The same with an equal selection of nodes, so that volumes share one. */
  public VolumeFacts withNodes(NodeSelection equal) {
    return with(claim, claimUid, equal);
  }

  private VolumeFacts with(String ofClaim, String ofUid, NodeSelection ofNodes) {
    return new VolumeFacts(
        name,
        version,
        storageClass,
        ofClaim,
        ofUid,
        capacity,
        accessModes,
        volumeMode,
        attributesClass,
        labels,
        ofNodes,
        available,
        deleting,
        driver,
        handle,
        migratable);
  }

  /** Whether it is for a claim, by its name and, where the volume names one, the uid. */
  public boolean isFor(ClaimFacts other) {
    return claim.equals(other.key()) && (claimUid.isEmpty() || claimUid.equals(other.uid()));
  }
}

package io.lighthouse.kubernetes.cluster.object;

import java.math.BigDecimal;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The facts of a PersistentVolumeClaim that scheduling uses.
 *
 * @param namespace its namespace
 * @param name its name
 * @param uid its uid
 * @param version its {@code resourceVersion}
 * @param storageClass the class; empty where there is none
 * @param volume the volume in {@code spec.volumeName}; empty where there is none
 * @param bound whether the volume controller has completed the binding
 * @param lost whether its volume is gone for good
 * @param deleting whether it is being deleted
 * @param oncePod whether only one pod may use it (ReadWriteOncePod)
 * @param accessModes the access modes
 * @param volumeMode Filesystem or Block
 * @param request the bytes that it requests; null where it requests none
 * @param selector the labels that its volume must have; null where any will do
 * @param attributesClass the VolumeAttributesClass; empty where there is none
 * @param selectedNode the node that its volume is made for; null where none is selected
 * @param controller the uid of the controlling owner; empty where there is none
 */
public record ClaimFacts(
    String namespace,
    String name,
    String uid,
    String version,
    String storageClass,
    String volume,
    boolean bound,
    boolean lost,
    boolean deleting,
    boolean oncePod,
    Set<String> accessModes,
    String volumeMode,
    BigDecimal request,
    LabelSelector selector,
    String attributesClass,
    String selectedNode,
    String controller) {
  /** The annotation that selects the node for a volume that is to be made. */
  public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

  private static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";

  /** The old annotation of the storage class goes before the field. */
  static final String CLASS = "volume.beta.kubernetes.io/storage-class";

  /** Reads a claim. A selector that cannot be read matches nothing. */
  public static ClaimFacts of(JsonNode claim) {
    JsonNode metadata = claim.path("metadata");
    JsonNode annotations = metadata.path("annotations");
    JsonNode spec = claim.path("spec");
    List<String> modes = ObjectFields.texts(spec.path("accessModes"));
    String volume = ObjectFields.text(spec, "volumeName");
    JsonNode selected = annotations.path(SELECTED_NODE);
    return new ClaimFacts(
        ObjectFields.text(metadata, "namespace"),
        ObjectFields.text(metadata, "name"),
        ObjectFields.text(metadata, "uid"),
        ObjectFields.text(metadata, "resourceVersion"),
        storageClass(annotations, spec),
        volume,
        !volume.isEmpty() && annotations.has(BIND_COMPLETED),
        ObjectFields.text(claim.path("status"), "phase").equals("Lost"),
        ObjectFields.isDeleting(claim),
        modes.contains("ReadWriteOncePod"),
        new LinkedHashSet<>(modes),
        volumeMode(spec),
        bytes(
            "PersistentVolumeClaim '" + ObjectFields.key(claim) + "'",
            "spec.resources.requests",
            spec.path("resources").path("requests")),
        selector(spec.path("selector")),
        ObjectFields.text(spec, "volumeAttributesClassName"),
        selected.isString() ? selected.asString() : null,
        ObjectFields.controller(metadata));
  }

  static String storageClass(JsonNode annotations, JsonNode spec) {
    return annotations.has(CLASS)
        ? ObjectFields.text(annotations, CLASS)
        : ObjectFields.text(spec, "storageClassName");
  }

  static String volumeMode(JsonNode spec) {
    String mode = ObjectFields.text(spec, "volumeMode");
    return mode.isEmpty() ? "Filesystem" : mode;
  }

  /** The quantity {@code storage} of those at a path; null where there is none. */
  static BigDecimal bytes(String subject, String path, JsonNode quantities) {
    JsonNode storage = quantities.path("storage");
    return ObjectFields.says(storage)
        ? KubeQuantity.read(subject, () -> path + ".storage", storage)
        : null;
  }

  private static LabelSelector selector(JsonNode selector) {
    return selector.isObject() ? LabelSelector.ofValid(selector) : null;
  }

  /** Namespace and name. */
  public String key() {
    return namespace + "/" + name;
  }

  /** The bytes that it requests; 0 where it requests none. */
  public BigDecimal size() {
    return request == null ? BigDecimal.ZERO : request;
  }
}

package io.lighthouse.kubernetes.cluster.object;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * What counts of an object that owns or serves pods: how it selects them.
 *
 * @param kind one of {@link Resource#OF_DEFAULT_SPREAD}
 * @param namespace its namespace
 * @param name its name
 * @param labels the labels that it selects by, where it selects by labels alone; else empty
 * @param selector its selector where it has a {@code metav1.LabelSelector}; one that is missing or
 *     not valid matches nothing
 */
public record PodOwner(
    Resource kind,
    String namespace,
    String name,
    Map<String, String> labels,
    LabelSelector selector) {
  /**
   * The controller that a pod names as its owner, if its kind is one of these.
   *
   * @param kind its kind; never {@link Resource#SERVICES}
   * @param name its name; it is in the namespace of the pod
   */
  public record Controller(Resource kind, String name) {
    /** Reads the first of the {@code ownerReferences} that is a controller. */
    static Optional<Controller> of(JsonNode metadata) {
      JsonNode owner = ObjectFields.controllerOf(metadata);
      String version = ObjectFields.text(owner, "apiVersion");
      return Resource.ofKind(ObjectFields.text(owner, "kind"))
          .filter(Resource.OF_DEFAULT_SPREAD::contains)
          .filter(kind -> kind != Resource.SERVICES && kind.apiVersion().equals(version))
          .map(kind -> new Controller(kind, ObjectFields.text(owner, "name")));
    }
  }

  /** Reads an object of a kind. */
  public static PodOwner of(Resource kind, JsonNode object) {
    JsonNode metadata = object.path("metadata");
    JsonNode selector = object.path("spec").path("selector");
    boolean byLabels = kind == Resource.SERVICES || kind == Resource.REPLICATION_CONTROLLERS;
    return new PodOwner(
        kind,
        ObjectFields.text(metadata, "namespace"),
        ObjectFields.text(metadata, "name"),
        byLabels ? ObjectFields.labels(selector) : Collections.emptyMap(),
        byLabels ? LabelSelector.NOTHING : LabelSelector.ofValid(selector));
  }
}

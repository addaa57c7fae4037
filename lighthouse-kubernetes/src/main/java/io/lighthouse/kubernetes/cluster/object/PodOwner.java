package io.lighthouse.kubernetes.cluster.object;

import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * What counts of an object that owns or serves pods: how it selects them.
 *
 * @param kind its kind
 * @param namespace its namespace
 * @param name its name
 * @param labels the labels that it selects by, where it selects by labels alone; else empty
 * @param selector its selector where it has a {@code metav1.LabelSelector}; one that is missing or
 *     not valid matches nothing
 */
public record PodOwner(
    Kind kind, String namespace, String name, Map<String, String> labels, LabelSelector selector) {
  /** The kinds whose pods the stock scheduler spreads by default. */
  public enum Kind {
    SERVICE("v1", "Service"),
    REPLICATION_CONTROLLER("v1", "ReplicationController"),
    REPLICA_SET("apps/v1", "ReplicaSet"),
    STATEFUL_SET("apps/v1", "StatefulSet");

    private final String version;
    private final String word;

    Kind(String version, String word) {
      this.version = version;
      this.word = word;
    }

    /** The kind with Kubernetes' word, such as {@code ReplicaSet}. */
    public static Optional<Kind> of(String word) {
      return Arrays.stream(values()).filter(one -> one.word.equals(word)).findFirst();
    }

    private boolean selectsByLabels() {
      return version.equals("v1");
    }
  }

  /**
   * The controller that a pod names as its owner, if its kind is one of these.
   *
   * @param kind its kind; never {@link Kind#SERVICE}
   * @param name its name; it is in the namespace of the pod
   */
  public record Controller(Kind kind, String name) {
    /** Reads the first of the {@code ownerReferences} that is a controller. */
    static Optional<Controller> of(JsonNode metadata) {
      JsonNode owner = ObjectFields.controllerOf(metadata);
      String version = ObjectFields.text(owner, "apiVersion");
      return Kind.of(ObjectFields.text(owner, "kind"))
          .filter(kind -> kind != Kind.SERVICE && kind.version.equals(version))
          .map(kind -> new Controller(kind, ObjectFields.text(owner, "name")));
    }
  }

  /** Reads an object of a kind. */
  public static PodOwner of(Kind kind, JsonNode object) {
    JsonNode metadata = object.path("metadata");
    JsonNode selector = object.path("spec").path("selector");
    boolean byLabels = kind.selectsByLabels();
    return new PodOwner(
        kind,
        ObjectFields.text(metadata, "namespace"),
        ObjectFields.text(metadata, "name"),
        byLabels ? ObjectFields.labels(selector) : Collections.emptyMap(),
        byLabels ? LabelSelector.NOTHING : LabelSelector.ofValid(selector));
  }
}

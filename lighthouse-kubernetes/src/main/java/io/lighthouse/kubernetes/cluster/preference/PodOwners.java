package io.lighthouse.kubernetes.cluster.preference;

import io.lighthouse.kubernetes.cluster.object.LabelSelector;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.PodOwner;
import io.lighthouse.kubernetes.cluster.object.Resource;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The Services and controllers of the cluster. A Service is found by one of the labels that it
 * selects by, so a question costs one lookup for each label of the pod. Source of the rules: {@code
 * helper.DefaultSelector} of kube-scheduler 1.36.
 */
public final class PodOwners {
  /** A label of the pods of one namespace. */
  private record Label(String namespace, String key, String value) {}

  private final Map<Resource, Map<String, PodOwner>> byKey = new EnumMap<>(Resource.class);

  /** The Services that select by labels, by the first of these, and by their key. */
  private final Map<Label, Map<String, PodOwner>> services = new HashMap<>();

  public PodOwners() {
    Resource.OF_DEFAULT_SPREAD.forEach(kind -> byKey.put(kind, new HashMap<>()));
  }

  /**
   * An object has come or changed.
   *
   * @param key namespace and name
   */
  public void changed(String key, PodOwner owner) {
    Map<String, PodOwner> known = byKey.get(owner.kind());
    if (owner.equals(known.get(key))) {
      return;
    }
    gone(owner.kind(), key);
    known.put(key, owner);
    label(owner)
        .ifPresent(
            label -> services.computeIfAbsent(label, none -> new TreeMap<>()).put(key, owner));
  }

  /**
   * An object has gone.
   *
   * @param key namespace and name; nothing happens where it is not known
   */
  public void gone(Resource kind, String key) {
    Optional.ofNullable(byKey.get(kind).remove(key))
        .flatMap(PodOwners::label)
        .ifPresent(
            label ->
                services.computeIfPresent(
                    label,
                    (same, found) -> {
                      found.remove(key);
                      return found.isEmpty() ? null : found;
                    }));
  }

  /** Where a Service is found; one without a selector selects no pods. */
  private static Optional<Label> label(PodOwner owner) {
    return owner.kind() != Resource.SERVICES
        ? Optional.empty()
        : owner.labels().entrySet().stream()
            .findFirst()
            .map(first -> new Label(owner.namespace(), first.getKey(), first.getValue()));
  }

  /**
   * What the Services that select a pod select by, together with what its controller selects by.
   *
   * @return a selector that matches everything where there is neither
   */
  public LabelSelector selector(PodFacts pod) {
    Map<String, String> labels = new TreeMap<>();
    pod.labels.forEach(
        (key, value) ->
            services
                .getOrDefault(new Label(pod.pod.namespace(), key, value), Map.of())
                .values()
                .stream()
                .filter(service -> pod.labels.entrySet().containsAll(service.labels().entrySet()))
                .forEach(service -> labels.putAll(service.labels())));
    PodOwner owner =
        pod.controller
            .map(found -> byKey.get(found.kind()).get(pod.pod.namespace() + "/" + found.name()))
            .orElse(null);
    if (owner == null) {
      return LabelSelector.ofLabels(labels);
    }
    labels.putAll(owner.labels());
    LabelSelector selector = LabelSelector.ofLabels(labels);
    return owner.selector().nothing() ? selector : selector.and(owner.selector());
  }
}

package io.lighthouse.kubernetes;

import io.lighthouse.kubernetes.cluster.Cluster;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** What the loop is told by the threads around it. */
sealed interface Message {
  /**
   * A list begins: what is not in it when it ends has gone.
   *
   * @param wentBack whether the server's versions are lower than they were, so that versions that
   *     are known say nothing about those of the list
   */
  record ListBegun(Resource resource, boolean wentBack) implements Message {}

  /** An object of the list, or one that came or changed. */
  record Seen(Resource resource, JsonNode object) implements Message {}

  /** An object has gone, or has left the selection. */
  record Gone(Resource resource, JsonNode object) implements Message {}

  /** The list is complete. */
  record ListEnded(Resource resource) implements Message {}

  /**
   * A binding has ended.
   *
   * @param pod the pod as the server has it, where it was looked at; null otherwise
   * @param detail what the server said; empty where all is well
   */
  record BindingEnded(Binding binding, Binder.Outcome outcome, JsonNode pod, String detail)
      implements Message {}

  /** Somebody wants to look at the cluster, at a time when nobody changes it. */
  record Look(Consumer<Cluster> with) implements Message {}
}

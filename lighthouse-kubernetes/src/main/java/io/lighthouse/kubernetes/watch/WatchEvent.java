package io.lighthouse.kubernetes.watch;

import io.lighthouse.kubernetes.cluster.object.Resource;
import tools.jackson.databind.JsonNode;

/** What a {@link Reflector} reports of its resource, in the order of the server's versions. */
public sealed interface WatchEvent {
  /** Takes events. May wait while it is full, so that a slow reader slows the stream down. */
  @FunctionalInterface
  interface Inbox {
    /** Appends an event. */
    void put(WatchEvent event) throws InterruptedException;
  }

  /**
   * A list begins. Objects that are not in it when it ends are gone.
   *
   * @param wentBack whether the server's versions are lower than before, so that known versions
   *     must not be compared with those of the list
   */
  record ListBegun(Resource resource, boolean wentBack) implements WatchEvent {}

  /** An object of the list, or one that was added or changed. */
  record Seen(Resource resource, JsonNode object) implements WatchEvent {}

  /** An object was deleted, or has left the selection. */
  record Gone(Resource resource, JsonNode object) implements WatchEvent {}

  /**
   * The list is complete.
   *
   * @param version the server's version of the list
   */
  record ListEnded(Resource resource, String version) implements WatchEvent {}
}

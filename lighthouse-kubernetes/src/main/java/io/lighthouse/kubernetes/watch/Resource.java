package io.lighthouse.kubernetes.watch;

import java.util.Locale;

/** What is listed and watched. */
public enum Resource {
  NODES("/api/v1/nodes"),
  NAMESPACES("/api/v1/namespaces"),
  /** A pod that has finished leaves the selection, and so arrives as deleted. */
  PODS("/api/v1/pods?fieldSelector=status.phase%21%3DSucceeded%2Cstatus.phase%21%3DFailed");

  private final String path;

  Resource(String path) {
    this.path = path;
  }

  public String path() {
    return path;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}

package io.lighthouse.kubernetes.cluster.device;

/** The kinds of objects that say which devices there are, and which claims have them. */
public enum DeviceKind {
  CLAIM,
  CLASS,
  SLICE
}

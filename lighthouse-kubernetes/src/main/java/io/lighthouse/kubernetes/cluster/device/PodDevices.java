package io.lighthouse.kubernetes.cluster.device;

import java.util.List;
import java.util.Set;

/**
 * The claims of a pod to devices, in the order of the pod.
 *
 * @param refusal why no node will do, in the stock scheduler's words; empty for nothing
 * @param unsupported what of them is not supported; empty for nothing
 * @param allocations the devices of the claims that have some
 * @param open the claims that get devices with the pod's node
 * @param extended the extended resources that it requests and a class provides: a node that does
 *     not offer one itself has to have devices of the class
 */
public record PodDevices(
    String refusal,
    String unsupported,
    List<Allocation> allocations,
    List<ResourceClaim> open,
    Set<String> extended) {
  static final PodDevices NONE = new PodDevices("", "", List.of(), List.of(), Set.of());

  /** Whether its node has to have devices that it does not have yet. */
  public boolean needsDevices() {
    return !open.isEmpty() || !extended.isEmpty();
  }

  static PodDevices refused(String why) {
    return new PodDevices(why, "", List.of(), List.of(), Set.of());
  }

  static PodDevices unsupported(String what) {
    return new PodDevices("", what, List.of(), List.of(), Set.of());
  }
}

package io.lighthouse.kubernetes.cluster.device;

import java.util.List;

/**
 * The claims of a pod to devices, in the order of the pod.
 *
 * @param refusal why no node will do, in the stock scheduler's words; empty for nothing
 * @param unsupported what of them is not supported; empty for nothing
 * @param allocations the devices of the claims that have some
 * @param open the claims that get devices with the pod's node
 */
public record PodDevices(
    String refusal, String unsupported, List<Allocation> allocations, List<ResourceClaim> open) {
  static final PodDevices NONE = new PodDevices("", "", List.of(), List.of());

  static PodDevices refused(String why) {
    return new PodDevices(why, "", List.of(), List.of());
  }

  static PodDevices unsupported(String what) {
    return new PodDevices("", what, List.of(), List.of());
  }
}

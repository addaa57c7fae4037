package io.lighthouse.kubernetes.cluster.device;

import java.util.List;

/**
 * What is written of the claims of a pod before it is bound.
 *
 * @param writes the claims
 */
public record DeviceWork(List<DeviceWork.Write> writes) {
  /**
   * A claim that the pod is to be among the users of.
   *
   * @param claim the claim as it was when the pod was decided
   * @param allocation the devices that it has to have
   * @param isNew whether it has none yet
   */
  public record Write(ResourceClaim claim, Allocation allocation, boolean isNew) {}
}

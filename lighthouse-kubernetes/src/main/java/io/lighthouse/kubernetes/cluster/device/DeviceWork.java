package io.lighthouse.kubernetes.cluster.device;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is written of the claims of a pod before it is bound.
 *
 * @param writes the claims
 * @param podStatus the fields of the pod's status that are written then; null for none
 */
public record DeviceWork(List<DeviceWork.Write> writes, ObjectNode podStatus) {
  /**
   * A claim that the pod is to be among the users of.
   *
   * @param claim the claim as it was when the pod was decided; one without a uid is created first
   * @param allocation the devices that it has to have
   * @param isNew whether it has none yet
   */
  public record Write(ResourceClaim claim, Allocation allocation, boolean isNew) {}
}

package io.lighthouse.kubernetes.control;

import java.io.IOException;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** How a pod says which gang it is of. */
public enum GangKind {
  /** By labels. */
  LABELS,
  /** By an object of the API. */
  POD_GROUP;

  private static final String GROUPS =
      "/apis/scheduling.k8s.io/v1alpha2/namespaces/default/podgroups";

  /**
   * Makes a pod a member of a gang.
   *
   * @param least how many members need a node; a PodGroup says it itself
   */
  public ObjectNode member(ObjectNode pod, String gang, int least) {
    if (this == POD_GROUP) {
      pod.withObjectProperty("spec").putObject("schedulingGroup").put("podGroupName", gang);
    } else {
      ObjectNode labels = pod.withObjectProperty("metadata").withObjectProperty("labels");
      labels.put("pod-group.scheduling.sigs.k8s.io/name", gang);
      labels.put("pod-group.scheduling.sigs.k8s.io/min-available", Integer.toString(least));
    }
    return pod;
  }

  /** Adds a gang, and pods as its members. */
  public void add(Bench bench, String gang, int least, List<ObjectNode> pods) throws IOException {
    if (this == POD_GROUP) {
      bench
          .admin()
          .post(
              GROUPS,
              Objects.json(
                  "{'apiVersion':'scheduling.k8s.io/v1alpha2','kind':'PodGroup','metadata':{"
                      + "'name':'%s','namespace':'default'},'spec':{'schedulingPolicy':"
                      + "{'gang':{'minCount':%d}}}}",
                  gang, least));
    }
    for (ObjectNode pod : pods) {
      bench.add(member(pod, gang, least));
    }
  }
}

package io.lighthouse.kubernetes;

import io.lighthouse.json.Problem;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * A cluster as a problem file, so that every question that Lighthouse answers about a file it
 * answers about the cluster: {@code ProblemWriter.write(imported.problem(), out)}.
 *
 * @param problem nodes with what is left of them and the pods that they hold, and the waiting pods
 * @param remarks what a problem file cannot say, a line each, in the order in which it was found
 */
public record KubernetesImport(Problem problem, List<String> remarks) {
  /** Copies. */
  public KubernetesImport {
    remarks = List.copyOf(remarks);
  }

  /**
   * Reads lists of objects as {@code kubectl get nodes,pods,namespaces -A -o json} prints them: one
   * {@code List} of mixed kinds, or a {@code NodeList}, a {@code PodList} and so on.
   *
   * @param lists the lists; nodes must be among them
   * @param strategy the strategy that the problem is to name
   * @return the problem, and what it could not say
   * @throws io.lighthouse.api.InvalidInputException if something is no such list
   */
  public static KubernetesImport of(List<JsonNode> lists, String strategy) {
    throw new UnsupportedOperationException("not yet: " + lists.size() + strategy);
  }
}

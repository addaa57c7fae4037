package io.lighthouse.kubernetes.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * An extender of the stock scheduler: which of the nodes that it asks about will do, and which are
 * better. Requests and answers are those of {@code k8s.io/kube-scheduler/extender/v1}, whose
 * members are named in upper case; a request may name them in any case, as Go reads them.
 *
 * <p>The cluster must be fed with all nodes and pods. A question changes nothing in it. What a pod
 * asks for and we do not support is the stock scheduler's business here: to such a pod every node
 * will do, and all are equally good.
 */
public final class Extender {
  /** The score of the best node; {@code MaxExtenderPriority} of the protocol. */
  static final long MOST = 10;

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private Extender() {}

  /**
   * Answers {@code filter}.
   *
   * @param cluster the cluster
   * @param args {@code ExtenderArgs}: a pod, and nodes by name or in full
   * @return {@code ExtenderFilterResult}: the nodes that will do, in the form and order in which
   *     they were asked about, and of each of the others why not; or an error
   */
  public static JsonNode filter(Cluster cluster, JsonNode args) {
    return asked(
        cluster,
        args,
        uid -> {
          Map<String, List<String>> verdicts =
              cluster.asksTooMuch(uid) ? null : cluster.verdicts(uid);
          ObjectNode result = JSON.objectNode();
          ObjectNode failed = JSON.objectNode();
          ArrayNode passed = JSON.arrayNode();
          candidates(args)
              .forEach(
                  (node, form) -> {
                    List<String> reasons = verdicts == null ? List.of() : verdicts.get(node);
                    if (reasons == null) {
                      failed.put(node, "node is not known to Lighthouse");
                    } else if (reasons.isEmpty()) {
                      passed.add(form);
                    } else {
                      failed.put(node, String.join(", ", reasons));
                    }
                  });
          if (member(args, "nodenames").isArray()) {
            result.set("NodeNames", passed);
          } else {
            result.set("Nodes", JSON.objectNode().set("items", passed));
          }
          result.set("FailedNodes", failed);
          return result.put("Error", "");
        });
  }

  /**
   * Answers {@code prioritize}.
   *
   * @param cluster the cluster
   * @param args {@code ExtenderArgs}: a pod, and nodes by name or in full
   * @return {@code HostPriorityList}: of each node asked about its score, from 0 to 10; 10 is the
   *     one that the strategy would take first. Where the question is wrong, all have 0, as the
   *     protocol knows no error here
   */
  public static JsonNode prioritize(Cluster cluster, JsonNode args) {
    Map<String, JsonNode> candidates = candidates(args);
    Map<String, Long> scores = new LinkedHashMap<>();
    candidates.keySet().forEach(node -> scores.put(node, 0L));
    asked(
        cluster,
        args,
        uid -> {
          if (!cluster.asksTooMuch(uid)) {
            List<String> ranking = new ArrayList<>(cluster.ranking(uid));
            ranking.retainAll(candidates.keySet());
            for (int i = 0; i < ranking.size(); i++) {
              scores.put(ranking.get(i), MOST * (ranking.size() - i) / ranking.size());
            }
          }
          return JSON.objectNode();
        });
    ArrayNode list = JSON.arrayNode();
    scores.forEach((node, score) -> list.addObject().put("Host", node).put("Score", score));
    return list;
  }

  /** Asks about a pod that the cluster need not know yet, and may know as it was before. */
  private static ObjectNode asked(
      Cluster cluster, JsonNode args, Function<String, ObjectNode> question) {
    JsonNode pod = member(args, "pod");
    String uid = ObjectFields.text(pod.path("metadata"), "uid");
    if (uid.isEmpty()) {
      return JSON.objectNode().put("Error", "the request names no pod with a uid");
    }
    boolean known = cluster.knows(uid);
    if (!known) {
      cluster.podChanged(pod);
    }
    try {
      return cluster.waitingPod(uid).isEmpty()
          ? JSON.objectNode().put("Error", "pod " + uid + " does not wait for a node")
          : question.apply(uid);
    } finally {
      if (!known) {
        cluster.podGone(uid);
      }
    }
  }

  /** The nodes asked about, by name: as they are to be answered. */
  private static Map<String, JsonNode> candidates(JsonNode args) {
    Map<String, JsonNode> candidates = new LinkedHashMap<>();
    for (JsonNode name : member(args, "nodenames")) {
      candidates.put(name.asString(""), name);
    }
    if (candidates.isEmpty()) {
      for (JsonNode node : member(args, "nodes").path("items")) {
        candidates.put(ObjectFields.text(node.path("metadata"), "name"), node);
      }
    }
    return candidates;
  }

  private static JsonNode member(JsonNode args, String name) {
    for (Map.Entry<String, JsonNode> entry : args.properties()) {
      if (entry.getKey().equalsIgnoreCase(name)) {
        return entry.getValue();
      }
    }
    return JSON.missingNode();
  }
}

package io.lighthouse.kubernetes.extender;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.decide.PodQuestions;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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
final class Extender {
  /** The score of the best node; {@code MaxExtenderPriority} of the protocol. */
  static final long MOST = 10;

  private static final String SUBJECT = "ExtenderArgs";
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** The members of {@code ExtenderArgs}. */
  private static final Set<String> MEMBERS = Set.of("pod", "nodes", "nodenames");

  private static final PodQuestions.Verdict FITS = new PodQuestions.Verdict(List.of(), true);

  private Extender() {}

  /**
   * A question that is one: a pod, and nodes by name or in full.
   *
   * @param pod the pod as the stock scheduler has it
   * @param uid its uid
   * @param byName whether the nodes were named, and are to be answered so
   * @param candidates the nodes asked about, by name, as they are to be answered
   */
  public record Question(
      JsonNode pod, String uid, boolean byName, Map<String, JsonNode> candidates) {}

  /**
   * Reads {@code ExtenderArgs}. Members with the value null are as if they were not there, as Go
   * writes them.
   *
   * @throws InvalidInputException if it is none, with the member, what it is and what is allowed
   */
  public static Question question(JsonNode args) {
    if (!args.isObject()) {
      throw wrong("the text", args, "an object");
    }
    Map<String, JsonNode> members = new HashMap<>();
    args.properties()
        .forEach(
            member -> {
              String name = member.getKey().toLowerCase(Locale.ROOT);
              if (!MEMBERS.contains(name)) {
                throw new InvalidInputException(
                    SUBJECT, member.getKey(), "not known", "one of Pod, Nodes, NodeNames");
              }
              if (!member.getValue().isNull() && members.put(name, member.getValue()) != null) {
                throw new InvalidInputException(SUBJECT, member.getKey(), "there twice", "once");
              }
            });
    JsonNode pod = members.getOrDefault("pod", JSON.missingNode());
    String uid = name(pod, "uid", "Pod");
    name(pod, "name", "Pod");
    PodShape.check(pod);
    JsonNode names = members.get("nodenames");
    JsonNode nodes = members.get("nodes");
    if ((names == null) == (nodes == null)) {
      throw new InvalidInputException(
          SUBJECT, "NodeNames", names == null ? "not there" : "there with Nodes", "one of the two");
    }
    Map<String, JsonNode> candidates = new LinkedHashMap<>();
    if (names != null) {
      for (JsonNode name : listed(names, "NodeNames")) {
        if (!name.isString() || name.asString().isEmpty()) {
          throw wrong("NodeNames", name, "names of nodes");
        }
        candidates.put(name.asString(), name);
      }
    } else {
      for (JsonNode node : listed(nodes.path("items"), "Nodes.items")) {
        candidates.put(name(node, "name", "Nodes.items"), node);
      }
    }
    return new Question(pod, uid, names != null, candidates);
  }

  private static JsonNode listed(JsonNode list, String field) {
    if (!list.isArray()) {
      throw wrong(field, list, "a list");
    }
    return list;
  }

  private static String name(JsonNode object, String member, String field) {
    JsonNode name = object.path("metadata").path(member);
    if (!name.isString() || name.asString().isEmpty()) {
      throw wrong(field + ".metadata." + member, name, "a name");
    }
    return name.asString();
  }

  private static InvalidInputException wrong(String field, JsonNode found, String allowed) {
    return new InvalidInputException(
        SUBJECT, field, found.isMissingNode() ? "not there" : found.toString(), allowed);
  }

  /**
   * Answers {@code filter} by {@code ExtenderFilterResult}: the nodes that fit, in the form and
   * order of the question, and the reason for each other node. Those that no eviction makes fit are
   * apart: the stock scheduler looks for no victims there. An error where the pod does not wait.
   */
  public static JsonNode filter(Cluster cluster, Question question) {
    PodEntry pod = cluster.askedAbout(question.uid, question.pod);
    if (!waits(pod)) {
      return JSON.objectNode().put("Error", "pod " + question.uid + " does not wait for a node");
    }
    PodQuestions questions = cluster.questions();
    Map<String, PodQuestions.Verdict> verdicts =
        questions.isUnsupported(pod) ? null : questions.verdicts(pod);
    ObjectNode result = JSON.objectNode();
    ObjectNode failed = JSON.objectNode();
    ObjectNode unresolvable = JSON.objectNode();
    ArrayNode passed = JSON.arrayNode();
    question.candidates.forEach(
        (node, form) -> {
          PodQuestions.Verdict verdict = verdicts == null ? FITS : verdicts.get(node);
          if (verdict == null) {
            unresolvable.put(node, "node is not known to Lighthouse");
          } else if (verdict.reasons().isEmpty()) {
            passed.add(form);
          } else {
            (verdict.resolvable() ? failed : unresolvable)
                .put(node, String.join(", ", verdict.reasons()));
          }
        });
    if (question.byName) {
      result.set("NodeNames", passed);
    } else {
      result.set("Nodes", JSON.objectNode().set("items", passed));
    }
    result.set("FailedNodes", failed);
    result.set("FailedAndUnresolvableNodes", unresolvable);
    return result.put("Error", "");
  }

  /**
   * Answers {@code prioritize} by {@code HostPriorityList}: of each node asked about its score,
   * from 0 to 10; 10 is the one that the strategy would take first. Where the pod does not wait,
   * all have 0, as the protocol knows no error here.
   */
  public static JsonNode prioritize(Cluster cluster, Question question) {
    Map<String, Long> scores = new LinkedHashMap<>();
    question.candidates.keySet().forEach(node -> scores.put(node, 0L));
    PodEntry pod = cluster.askedAbout(question.uid, question.pod);
    if (waits(pod) && !cluster.questions().isUnsupported(pod)) {
      List<String> ranking = new ArrayList<>(cluster.questions().ranking(pod));
      ranking.retainAll(question.candidates.keySet());
      for (int i = 0; i < ranking.size(); i++) {
        scores.put(ranking.get(i), MOST * (ranking.size() - i) / ranking.size());
      }
    }
    ArrayNode list = JSON.arrayNode();
    scores.forEach((node, score) -> list.addObject().put("Host", node).put("Score", score));
    return list;
  }

  /** One that the cluster does not know has no node yet but that of its object. */
  private static boolean waits(PodEntry pod) {
    return pod.waits() && pod.facts.nodeName.isEmpty() && !pod.facts.finished;
  }
}

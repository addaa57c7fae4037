package io.lighthouse.kubernetes.cluster.problem;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Pods that belong to their nodes, and are to count for the rules of others without keeping a node
 * from being empty. They are on a cordoned node beside their own, in the same domains. There they
 * take no room: they take it on their own node.
 */
final class OwnPods {
  /** The level of a node and the node beside it. */
  static final String LEVEL = "node: with its own pods";

  /** What the names of the nodes beside others end in; no name of a node has a colon. */
  private static final String BESIDE = ": its own pods";

  /** By the node that they are on. */
  private final Map<String, List<Workload>> pods = new LinkedHashMap<>();

  /**
   * Adds a pod.
   *
   * @param pod the pod
   * @param name its name in the problem
   * @param groups its groups
   * @param binding its rules that bind newcomers
   */
  void add(PodEntry pod, String name, Set<String> groups, List<Rule> binding) {
    pods.computeIfAbsent(pod.node, none -> new ArrayList<>())
        .add(Workload.of(name, Resources.none()).withTerms(terms(groups, binding)));
  }

  /**
   * The nodes beside others, with the pods that are of consequence: a pod of the nodes has a rule
   * about them, or they have one about it.
   */
  List<Node> beside(List<Node> nodes) {
    Set<String> members = new TreeSet<>();
    Set<String> counted = new TreeSet<>();
    for (Node node : nodes) {
      for (Workload workload : node.workloads()) {
        members.addAll(workload.terms().groups());
        workload.terms().rules().forEach(rule -> group(rule).ifPresent(counted::add));
      }
    }
    List<Node> beside = new ArrayList<>();
    for (Node node : nodes) {
      List<Workload> some =
          pods.getOrDefault(node.name(), List.of()).stream()
              .map(pod -> of(pod, members, counted))
              .filter(pod -> !pod.terms().equals(Terms.NONE))
              .toList();
      if (!some.isEmpty()) {
        beside.add(beside(node, some));
      }
    }
    return beside;
  }

  private static Workload of(Workload pod, Set<String> members, Set<String> counted) {
    List<Rule> rules =
        pod.terms().rules().stream()
            .filter(rule -> group(rule).filter(members::contains).isPresent())
            .toList();
    Set<String> named = new TreeSet<>(counted);
    // A rule may count the pod itself.
    rules.forEach(rule -> group(rule).ifPresent(named::add));
    Set<String> groups = new TreeSet<>(pod.terms().groups());
    groups.retainAll(named);
    return pod.withTerms(terms(groups, rules));
  }

  private static Terms terms(Set<String> groups, List<Rule> rules) {
    return Terms.NONE.inGroups(groups).rules(rules.toArray(Rule[]::new));
  }

  private static Optional<String> group(Rule rule) {
    return rule instanceof Rule.OfGroup of ? Optional.of(of.group()) : Optional.empty();
  }

  /** It has nothing of each resource, so that it changes no share and no order of nodes. */
  private static Node beside(Node node, List<Workload> pods) {
    Resources nothing = Resources.none();
    for (String resource : node.resources().names()) {
      nothing = nothing.with(resource, Quantity.ZERO);
    }
    return new Node(node.name() + BESIDE, nothing, pods, true, node.domains(), Map.of());
  }
}

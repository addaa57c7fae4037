package io.lighthouse.kubernetes.cluster.decide;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which pods the stock scheduler would evict for a pod, naively: for every question all objects are
 * looked at again. Written from the plug-in DefaultPreemption, with all nodes compared, and shares
 * no code with what it judges.
 */
final class StockPreemption {
  /** Ways of getting a rule wrong, which the comparison has to notice. */
  enum Fault {
    NONE,
    EVICTS_EQUAL_PRIORITIES,
    EVICTS_ALL_OF_LOWER_PRIORITY,
    PUTS_BACK_THE_LEAST_IMPORTANT_FIRST,
    IGNORES_THE_START_WHEN_PUTTING_BACK,
    PUTS_BACK_VIOLATING_PODS_LAST,
    IGNORES_BUDGETS,
    BUDGETS_ARE_OF_ALL_NAMESPACES,
    BUDGETS_COUNT_DISRUPTED_PODS,
    EMPTY_BUDGET_SELECTOR_MATCHES,
    BUDGETS_NEVER_RUN_OUT,
    IGNORES_THE_HIGHEST_PRIORITY,
    IGNORES_THE_SUM,
    SUMS_PRIORITIES_AS_THEY_ARE,
    PREFERS_THE_EARLIEST_START,
    IGNORES_THE_START_OF_VICTIMS,
    TAKES_THE_LAST_NODE,
    TRIES_EVERY_NODE,
    TRIES_NODES_THAT_ARE_TOO_SMALL,
    PREEMPTS_AGAINST_THE_POLICY,
    DOES_NOT_WAIT_FOR_VICTIMS,
    WAITS_FOR_ANY_POD_THAT_ENDS,
    WAITS_THOUGH_THE_NODE_IS_HOPELESS,
    SPARES_PODS_THAT_END,
    NOMINATED_PODS_ARE_IGNORED,
    NOMINATED_PODS_OF_ANY_PRIORITY_COUNT,
    ANTI_AFFINITY_IS_NOT_TO_NOMINATED_PODS
  }

  /**
   * What is to be done.
   *
   * @param node empty where nothing is evicted
   * @param victims uids, the most important first
   * @param says what preemption adds to the message; empty where pods are evicted
   * @param keepsNomination whether the pod's nomination stays as it is
   */
  record Answer(String node, List<String> victims, String says, boolean keepsNomination) {}

  private static final List<String> UNRESOLVABLE =
      List.of(
          "node(s) were unschedulable",
          "node(s) had untolerated taint(s)",
          "node(s) didn't match Pod's node affinity/selector",
          "node(s) didn't match pod topology spread constraints (missing required label)",
          "node(s) didn't match pod affinity rules");

  private final List<JsonNode> nodes;
  private final List<JsonNode> pods;
  private final List<JsonNode> namespaces;
  private final List<JsonNode> budgets;
  private final Fault fault;

  StockPreemption(
      List<JsonNode> nodes,
      List<JsonNode> pods,
      List<JsonNode> namespaces,
      List<JsonNode> budgets,
      Fault fault) {
    this.nodes = nodes;
    this.pods = pods;
    this.namespaces = namespaces;
    this.budgets = budgets;
    this.fault = fault;
  }

  // ---- filters, with pods nominated to the node and without ----

  List<String> filter(JsonNode pod, JsonNode node, Collection<JsonNode> removed) {
    List<JsonNode> left = new ArrayList<>();
    List<JsonNode> added = new ArrayList<>();
    for (JsonNode other : pods) {
      boolean bound = !other.at("/spec/nodeName").asString("").isEmpty();
      if (bound && !removed.contains(other)) {
        left.add(other);
      }
      boolean yields = priority(other) >= priority(pod);
      if (fault == Fault.NOMINATED_PODS_ARE_IGNORED) {
        yields = false;
      } else if (fault == Fault.NOMINATED_PODS_OF_ANY_PRIORITY_COUNT) {
        yields = true;
      }
      if (!bound
          && yields
          && !uid(other).equals(uid(pod))
          && other.at("/status/nominatedNodeName").asString("").equals(name(node))) {
        ObjectNode there = (ObjectNode) other.deepCopy();
        ((ObjectNode) there.get("spec")).put("nodeName", name(node));
        added.add(there);
      }
    }
    if (!added.isEmpty()) {
      List<JsonNode> both = new ArrayList<>(left);
      both.addAll(added);
      List<String> with = stock(both).filter(withNominated(pod), node);
      if (!with.isEmpty()) {
        return with;
      }
    }
    return stock(left).filter(pod, node);
  }

  /** A pod as it is judged beside nominated pods. */
  private JsonNode withNominated(JsonNode pod) {
    if (fault != Fault.ANTI_AFFINITY_IS_NOT_TO_NOMINATED_PODS) {
      return pod;
    }
    ObjectNode without = (ObjectNode) pod.deepCopy();
    ((ObjectNode) without.get("spec")).remove("affinity");
    return without;
  }

  private StockFilters stock(List<JsonNode> placed) {
    return new StockFilters(nodes, placed, namespaces, StockFilters.Fault.NONE);
  }

  // ---- the decision ----

  Answer answer(JsonNode pod) {
    if (pod.at("/spec/preemptionPolicy").asString("").equals("Never")
        && fault != Fault.PREEMPTS_AGAINST_THE_POLICY) {
      return new Answer("", List.of(), "not eligible due to preemptionPolicy=Never.", true);
    }
    List<JsonNode> candidates = new ArrayList<>();
    for (JsonNode node : nodes) {
      if (isResolvable(pod, node)) {
        candidates.add(node);
      }
    }
    if (waits(pod, candidates)) {
      String says = "not eligible due to a terminating pod on the nominated node.";
      return new Answer("", List.of(), says, true);
    }
    Map<String, Integer> counts = new TreeMap<>();
    List<Victims> found = new ArrayList<>();
    for (JsonNode node : candidates) {
      Victims victims = new Victims(pod, node);
      if (victims.reasons.isEmpty()) {
        found.add(victims);
      }
      victims.reasons.forEach(reason -> counts.merge(reason, 1, Integer::sum));
    }
    if (found.isEmpty()) {
      int others = nodes.size() - candidates.size();
      if (others > 0) {
        counts.put("Preemption is not helpful for scheduling", others);
      }
      List<String> entries = new ArrayList<>();
      counts.forEach((reason, count) -> entries.add(count + " " + reason));
      entries.sort(null);
      String says =
          "0/" + nodes.size() + " nodes are available: " + String.join(", ", entries) + ".";
      return new Answer("", List.of(), says, false);
    }
    found.sort(order());
    Victims best = found.get(0);
    return new Answer(
        best.node, best.victims.stream().map(StockPreemption::uid).toList(), "", false);
  }

  private boolean isResolvable(JsonNode pod, JsonNode node) {
    List<String> reasons = filter(pod, node, List.of());
    if (fault == Fault.TRIES_EVERY_NODE) {
      return true;
    }
    for (String reason : reasons) {
      if (UNRESOLVABLE.contains(reason)) {
        return false;
      }
    }
    // A filter before that of resources ends the node, and the size is not looked at.
    boolean resources =
        reasons.get(0).startsWith("Insufficient") || reasons.contains("Too many pods");
    if (resources && fault != Fault.TRIES_NODES_THAT_ARE_TOO_SMALL) {
      StockRequests requests = new StockRequests(StockFilters.Fault.NONE);
      for (Map.Entry<String, Long> wanted : requests.of(pod).entrySet()) {
        JsonNode there = node.at("/status/allocatable").path(wanted.getKey());
        if (wanted.getValue() > requests.units(wanted.getKey(), StockRequests.exact(there))) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean waits(JsonNode pod, List<JsonNode> candidates) {
    String nominated = pod.at("/status/nominatedNodeName").asString("");
    boolean hopes = candidates.stream().anyMatch(node -> name(node).equals(nominated));
    if (fault == Fault.DOES_NOT_WAIT_FOR_VICTIMS
        || !hopes && fault != Fault.WAITS_THOUGH_THE_NODE_IS_HOPELESS) {
      return false;
    }
    for (JsonNode other : pods) {
      if (isOn(other, nominated) && priority(other) < priority(pod) && ends(other)) {
        for (JsonNode condition : other.at("/status/conditions")) {
          if (condition.path("reason").asString("").equals("PreemptionByScheduler")) {
            return true;
          }
        }
        if (fault == Fault.WAITS_FOR_ANY_POD_THAT_ENDS) {
          return true;
        }
      }
    }
    return false;
  }

  private final class Victims {
    final String node;
    final List<JsonNode> victims = new ArrayList<>();
    List<String> reasons;
    int violations;

    Victims(JsonNode pod, JsonNode on) {
      node = name(on);
      List<JsonNode> potential = new ArrayList<>();
      for (JsonNode other : pods) {
        boolean lower =
            fault == Fault.EVICTS_EQUAL_PRIORITIES
                ? priority(other) <= priority(pod)
                : priority(other) < priority(pod);
        if (isOn(other, node) && lower && !(ends(other) && fault == Fault.SPARES_PODS_THAT_END)) {
          potential.add(other);
        }
      }
      if (potential.isEmpty()) {
        reasons = List.of("No preemption victims found for incoming pod");
        return;
      }
      reasons = filter(pod, on, potential);
      if (!reasons.isEmpty()) {
        return;
      }
      potential.sort(importance());
      List<JsonNode> violating = violating(potential);
      List<JsonNode> turns = new ArrayList<>(violating);
      for (JsonNode other : potential) {
        if (!violating.contains(other)) {
          turns.add(
              fault == Fault.PUTS_BACK_VIOLATING_PODS_LAST
                  ? turns.size() - violating.size()
                  : turns.size(),
              other);
        }
      }
      List<JsonNode> removed = new ArrayList<>(potential);
      for (JsonNode other : turns) {
        removed.remove(other);
        boolean needed = fault == Fault.EVICTS_ALL_OF_LOWER_PRIORITY;
        if (needed || !filter(pod, on, removed).isEmpty()) {
          removed.add(other);
          victims.add(other);
          violations += violating.contains(other) ? 1 : 0;
        }
      }
      victims.sort(importance());
    }

    int highest() {
      return priority(victims.get(0));
    }

    long sum() {
      long sum = 0;
      for (JsonNode victim : victims) {
        sum += priority(victim);
        sum += fault == Fault.SUMS_PRIORITIES_AS_THEY_ARE ? 0 : 2_147_483_648L;
      }
      return sum;
    }

    String earliest() {
      String earliest = "9";
      for (JsonNode victim : victims) {
        if (priority(victim) == highest() && started(victim).compareTo(earliest) < 0) {
          earliest = started(victim);
        }
      }
      return earliest;
    }
  }

  private Comparator<Victims> order() {
    Comparator<Victims> order = Comparator.comparingInt(one -> one.violations);
    if (fault != Fault.IGNORES_THE_HIGHEST_PRIORITY) {
      order = order.thenComparingInt(Victims::highest);
    }
    if (fault != Fault.IGNORES_THE_SUM) {
      order = order.thenComparingLong(Victims::sum);
    }
    order = order.thenComparingInt(one -> one.victims.size());
    Comparator<Victims> start = Comparator.comparing(Victims::earliest);
    if (fault != Fault.IGNORES_THE_START_OF_VICTIMS) {
      order =
          order.thenComparing(fault == Fault.PREFERS_THE_EARLIEST_START ? start : start.reversed());
    }
    Comparator<Victims> name = Comparator.comparing(one -> one.node);
    return order.thenComparing(fault == Fault.TAKES_THE_LAST_NODE ? name.reversed() : name);
  }

  private Comparator<JsonNode> importance() {
    Comparator<JsonNode> priority = Comparator.comparingInt(pod -> -priority(pod));
    if (fault == Fault.PUTS_BACK_THE_LEAST_IMPORTANT_FIRST) {
      priority = priority.reversed();
    }
    if (fault != Fault.IGNORES_THE_START_WHEN_PUTTING_BACK) {
      priority = priority.thenComparing(StockPreemption::started);
    }
    return priority.thenComparing(StockPreemption::uid);
  }

  // ---- budgets ----

  private List<JsonNode> violating(List<JsonNode> potential) {
    List<JsonNode> violating = new ArrayList<>();
    Map<JsonNode, Integer> left = new HashMap<>();
    if (fault == Fault.IGNORES_BUDGETS) {
      return violating;
    }
    for (JsonNode pod : potential) {
      boolean violates = false;
      for (JsonNode budget : budgets) {
        if (concerns(budget, pod)) {
          int allowed = budget.at("/status/disruptionsAllowed").asInt(0);
          int now = left.getOrDefault(budget, allowed) - 1;
          violates |= now < 0;
          if (fault != Fault.BUDGETS_NEVER_RUN_OUT) {
            left.put(budget, now);
          }
        }
      }
      if (violates) {
        violating.add(pod);
      }
    }
    return violating;
  }

  private boolean concerns(JsonNode budget, JsonNode pod) {
    boolean near =
        budget.at("/metadata/namespace").equals(pod.at("/metadata/namespace"))
            || fault == Fault.BUDGETS_ARE_OF_ALL_NAMESPACES;
    JsonNode wanted = budget.at("/spec/selector/matchLabels");
    if (!near || wanted.isEmpty() && fault != Fault.EMPTY_BUDGET_SELECTOR_MATCHES) {
      return false;
    }
    for (Map.Entry<String, JsonNode> label : wanted.properties()) {
      if (!label.getValue().equals(pod.at("/metadata/labels").path(label.getKey()))) {
        return false;
      }
    }
    boolean disrupted = budget.at("/status/disruptedPods").has(name(pod));
    return !pod.at("/metadata/labels").isEmpty()
        && (!disrupted || fault == Fault.BUDGETS_COUNT_DISRUPTED_PODS);
  }

  // ---- objects ----

  private static boolean isOn(JsonNode pod, String node) {
    String phase = pod.at("/status/phase").asString("");
    return pod.at("/spec/nodeName").asString("").equals(node)
        && !phase.equals("Succeeded")
        && !phase.equals("Failed");
  }

  private static boolean ends(JsonNode pod) {
    return pod.path("metadata").has("deletionTimestamp");
  }

  private static int priority(JsonNode pod) {
    return pod.at("/spec/priority").asInt(0);
  }

  /** A time as text; behind all others where the pod has not started. */
  private static String started(JsonNode pod) {
    return pod.at("/status/startTime").asString("9");
  }

  private static String name(JsonNode object) {
    return object.at("/metadata/name").asString("");
  }

  private static String uid(JsonNode object) {
    return object.at("/metadata/uid").asString("");
  }
}

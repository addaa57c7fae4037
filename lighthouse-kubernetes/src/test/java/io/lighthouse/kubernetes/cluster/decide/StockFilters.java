package io.lighthouse.kubernetes.cluster.decide;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/**
 * What the stock scheduler calls feasible, naively: for every question all objects are looked at
 * again. Written from its rules, one method a filter, and shares no code with what it judges.
 */
final class StockFilters {
  /** Ways of getting a rule wrong, which the comparison has to notice. */
  enum Fault {
    NONE,
    EMPTY_TERM_MATCHES,
    NOT_IN_NEEDS_THE_LABEL,
    GT_COMPARES_TEXTS,
    NO_EXECUTE_IS_IGNORED,
    TOLERATION_IGNORES_EFFECT,
    TOLERATION_COMPARES_TEXTS,
    TOLERATION_TAKES_EQUAL_AS_LESS,
    UNSCHEDULABLE_IS_A_CORDON,
    OVERCOMMITTED_KEEPS_ALL_OFF,
    INIT_CONTAINERS_ARE_SUMMED,
    SIDECARS_ARE_FORGOTTEN,
    OVERHEAD_IS_FORGOTTEN,
    POD_LEVEL_IS_ADDED,
    ROUNDS_CPU_DOWN,
    DELETED_PODS_ARE_GONE,
    FINISHED_PODS_COUNT,
    RESIZE_COUNTS_WHAT_IS_ASKED,
    RESIZE_OF_A_POD_IS_IGNORED,
    PORT_ADDRESSES_ARE_ALL_ALIKE,
    PORT_PROTOCOLS_ARE_ALL_ALIKE,
    SPREAD_COUNTS_DELETED,
    SPREAD_COUNTS_ALL_NAMESPACES,
    SPREAD_FORGETS_ITSELF,
    SPREAD_IGNORES_MIN_DOMAINS,
    SPREAD_IGNORES_AFFINITY_POLICY,
    SPREAD_IGNORES_TAINTS_POLICY,
    SPREAD_ASKS_FOR_ONE_KEY,
    EMPTY_SPREAD_SELECTOR_COUNTS,
    ANTI_AFFINITY_IS_ONE_SIDED,
    AFFINITY_TERMS_ONE_BY_ONE,
    NO_FIRST_OF_A_KIND,
    FIRST_OF_A_KIND_NEEDS_NO_LABEL,
    NAMESPACE_SELECTOR_IS_IGNORED,
    TERMS_ARE_OF_ALL_NAMESPACES
  }

  private final List<JsonNode> nodes;
  private final List<JsonNode> pods;
  private final Map<String, Map<String, String>> namespaces = new HashMap<>();
  private final Fault fault;
  private final StockRequests requests;

  /** The rules about volumes; null where no pod has claims. */
  StockVolumes volumes;

  StockFilters(List<JsonNode> nodes, List<JsonNode> pods, List<JsonNode> namespaces, Fault fault) {
    this.nodes = nodes;
    this.pods = pods;
    this.fault = fault;
    requests = new StockRequests(fault);
    for (JsonNode namespace : namespaces) {
      this.namespaces.put(
          namespace.at("/metadata/name").asString(), map(namespace.at("/metadata/labels")));
    }
  }

  /** The stock message, up to the end of the counts. */
  String message(JsonNode pod) {
    if (nodes.isEmpty()) {
      return "no nodes available to schedule pods";
    }
    if (volumes != null && !volumes.preFilter(pod).isEmpty()) {
      return "0/" + nodes.size() + " nodes are available: " + volumes.preFilter(pod) + ".";
    }
    Map<String, Integer> counts = new HashMap<>();
    for (JsonNode node : nodes) {
      filter(pod, node).forEach(reason -> counts.merge(reason, 1, Integer::sum));
    }
    List<String> entries = new ArrayList<>();
    counts.forEach((reason, count) -> entries.add(count + " " + reason));
    entries.sort(null);
    return "0/" + nodes.size() + " nodes are available: " + String.join(", ", entries) + ".";
  }

  /** The reasons that are named of a node; none where it is feasible. */
  List<String> filter(JsonNode pod, JsonNode node) {
    if (volumes != null && !volumes.preFilter(pod).isEmpty()) {
      return List.of(volumes.preFilter(pod));
    }
    JsonNode spec = pod.path("spec");
    if (node.at("/spec/unschedulable").asBoolean(false)
        && (fault == Fault.UNSCHEDULABLE_IS_A_CORDON
            || !tolerated(spec, "node.kubernetes.io/unschedulable", "", "NoSchedule"))) {
      return List.of("node(s) were unschedulable");
    }
    if (tainted(spec, node)) {
      return List.of("node(s) had untolerated taint(s)");
    }
    if (!selected(spec, node)) {
      return List.of("node(s) didn't match Pod's node affinity/selector");
    }
    if (portsTaken(pod, node)) {
      return List.of("node(s) didn't have free ports for the requested pod ports");
    }
    List<String> short_ = lacking(pod, node);
    if (!short_.isEmpty()) {
      return short_;
    }
    List<String> ofVolumes = volumes == null ? List.of() : volumes.filter(pod, node);
    if (!ofVolumes.isEmpty()) {
      return ofVolumes;
    }
    String spread = spread(pod, node);
    if (!spread.isEmpty()) {
      return List.of(spread);
    }
    String affinity = interPodAffinity(pod, node);
    return affinity.isEmpty() ? List.of() : List.of(affinity);
  }

  // ---- pods that count ----

  private List<JsonNode> on(JsonNode node) {
    String name = name(node);
    List<JsonNode> held = new ArrayList<>();
    for (JsonNode pod : pods) {
      String phase = pod.at("/status/phase").asString("");
      boolean finished = phase.equals("Succeeded") || phase.equals("Failed");
      boolean counts = !finished || fault == Fault.FINISHED_PODS_COUNT;
      if (fault == Fault.DELETED_PODS_ARE_GONE && deleted(pod)) {
        counts = false;
      }
      if (counts && pod.at("/spec/nodeName").asString("").equals(name)) {
        held.add(pod);
      }
    }
    return held;
  }

  private static boolean deleted(JsonNode pod) {
    return !pod.at("/metadata/deletionTimestamp").asString("").isEmpty();
  }

  private static String name(JsonNode object) {
    return object.at("/metadata/name").asString("");
  }

  private static Map<String, String> labels(JsonNode object) {
    return map(object.at("/metadata/labels"));
  }

  private static Map<String, String> map(JsonNode object) {
    Map<String, String> map = new HashMap<>();
    object.properties().forEach(entry -> map.put(entry.getKey(), entry.getValue().asString()));
    return map;
  }

  // ---- TaintToleration ----

  private boolean tainted(JsonNode spec, JsonNode node) {
    for (JsonNode taint : node.at("/spec/taints")) {
      String effect = taint.path("effect").asString("");
      boolean hard =
          effect.equals("NoSchedule")
              || (effect.equals("NoExecute") && fault != Fault.NO_EXECUTE_IS_IGNORED);
      if (hard
          && !tolerated(
              spec, taint.path("key").asString(""), taint.path("value").asString(""), effect)) {
        return true;
      }
    }
    return false;
  }

  private boolean tolerated(JsonNode spec, String key, String value, String effect) {
    for (JsonNode toleration : spec.path("tolerations")) {
      String ofEffect = toleration.path("effect").asString("");
      String ofKey = toleration.path("key").asString("");
      String operator = toleration.path("operator").asString("");
      String ofValue = toleration.path("value").asString("");
      boolean valued =
          switch (operator) {
            case "Exists" -> true;
            case "Gt" -> compare(value, ofValue) > 0 && compare(value, ofValue) < 9;
            case "Lt" ->
                compare(value, ofValue) < (fault == Fault.TOLERATION_TAKES_EQUAL_AS_LESS ? 1 : 0);
            default -> ofValue.equals(value);
          };
      if ((ofEffect.isEmpty()
              || ofEffect.equals(effect)
              || fault == Fault.TOLERATION_IGNORES_EFFECT)
          && (ofKey.isEmpty() || ofKey.equals(key))
          && valued) {
        return true;
      }
    }
    return false;
  }

  /** -1, 0 or 1 for two integers; 9 where one is none. */
  private int compare(String some, String other) {
    if (fault == Fault.TOLERATION_COMPARES_TEXTS) {
      return Integer.signum(some.compareTo(other));
    }
    boolean integers = some.matches("0|-?[1-9]\\d*") && other.matches("0|-?[1-9]\\d*");
    return integers ? new BigInteger(some).compareTo(new BigInteger(other)) : 9;
  }

  // ---- NodeAffinity ----

  private boolean selected(JsonNode spec, JsonNode node) {
    Map<String, String> labels = labels(node);
    for (Map.Entry<String, String> wanted : map(spec.path("nodeSelector")).entrySet()) {
      if (!wanted.getValue().equals(labels.get(wanted.getKey()))) {
        return false;
      }
    }
    JsonNode required =
        spec.at("/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution");
    if (!required.isObject()) {
      return true;
    }
    for (JsonNode term : required.path("nodeSelectorTerms")) {
      boolean empty = term.path("matchExpressions").isEmpty() && term.path("matchFields").isEmpty();
      boolean holds = !empty || fault == Fault.EMPTY_TERM_MATCHES;
      for (JsonNode expression : term.path("matchExpressions")) {
        holds &= holds(expression, labels.get(expression.path("key").asString()));
      }
      for (JsonNode field : term.path("matchFields")) {
        holds &= holds(field, name(node));
      }
      if (holds) {
        return true;
      }
    }
    return false;
  }

  private boolean holds(JsonNode expression, String value) {
    List<String> values = new ArrayList<>();
    expression.path("values").forEach(one -> values.add(one.asString()));
    return switch (expression.path("operator").asString()) {
      case "In" -> value != null && values.contains(value);
      case "NotIn" ->
          value == null ? fault != Fault.NOT_IN_NEEDS_THE_LABEL : !values.contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      case "Gt" -> value != null && compared(value, values.get(0)) > 0;
      case "Lt" -> value != null && compared(values.get(0), value) > 0;
      default -> throw new IllegalArgumentException(expression.toString());
    };
  }

  /** Above 0 where both are integers and the first is greater. */
  private int compared(String a, String b) {
    if (fault == Fault.GT_COMPARES_TEXTS) {
      return a.compareTo(b);
    }
    try {
      return Long.compare(Long.parseLong(a), Long.parseLong(b));
    } catch (NumberFormatException none) {
      return -1;
    }
  }

  // ---- NodePorts ----

  private boolean portsTaken(JsonNode pod, JsonNode node) {
    for (String[] mine : ports(pod)) {
      for (JsonNode other : on(node)) {
        for (String[] theirs : ports(other)) {
          boolean address =
              fault == Fault.PORT_ADDRESSES_ARE_ALL_ALIKE
                  || mine[1].equals("0.0.0.0")
                  || theirs[1].equals("0.0.0.0")
                  || mine[1].equals(theirs[1]);
          boolean protocol =
              mine[0].equals(theirs[0]) || fault == Fault.PORT_PROTOCOLS_ARE_ALL_ALIKE;
          if (address && protocol && mine[2].equals(theirs[2])) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static List<String[]> ports(JsonNode pod) {
    List<JsonNode> containers = new ArrayList<>();
    pod.at("/spec/containers").forEach(containers::add);
    for (JsonNode container : pod.at("/spec/initContainers")) {
      if (container.path("restartPolicy").asString("").equals("Always")) {
        containers.add(container);
      }
    }
    List<String[]> ports = new ArrayList<>();
    for (JsonNode container : containers) {
      for (JsonNode port : container.path("ports")) {
        if (port.path("hostPort").asInt(0) > 0) {
          String address = port.path("hostIP").asString("");
          ports.add(
              new String[] {
                port.path("protocol").asString("TCP"),
                address.isEmpty() ? "0.0.0.0" : address,
                port.path("hostPort").toString()
              });
        }
      }
    }
    return ports;
  }

  // ---- NodeResourcesFit ----

  private List<String> lacking(JsonNode pod, JsonNode node) {
    List<String> lacking = new ArrayList<>();
    JsonNode allocatable = node.at("/status/allocatable");
    List<JsonNode> held = on(node);
    if (held.size() + 1 > requests.units("pods", StockRequests.exact(allocatable.path("pods")))) {
      lacking.add("Too many pods");
    }
    Map<String, Long> used = new HashMap<>();
    for (JsonNode one : held) {
      requests.of(one).forEach((name, amount) -> used.merge(name, amount, Long::sum));
    }
    Map<String, Long> wanted = new TreeMap<>(requests.of(pod));
    if (fault == Fault.OVERCOMMITTED_KEEPS_ALL_OFF) {
      used.keySet().forEach(name -> wanted.putIfAbsent(name, 0L));
    }
    wanted.forEach(
        (name, amount) -> {
          long free =
              requests.units(name, StockRequests.exact(allocatable.path(name)))
                  - used.getOrDefault(name, 0L);
          boolean asked = amount > 0 || fault == Fault.OVERCOMMITTED_KEEPS_ALL_OFF;
          if (asked && amount > free) {
            lacking.add("Insufficient " + name);
          }
        });
    return lacking;
  }

  // ---- PodTopologySpread ----

  private String spread(JsonNode pod, JsonNode node) {
    String text = "node(s) didn't match pod topology spread constraints";
    Map<String, String> here = labels(node);
    List<JsonNode> hard = new ArrayList<>();
    for (JsonNode constraint : pod.at("/spec/topologySpreadConstraints")) {
      if (constraint.path("whenUnsatisfiable").asString("").equals("DoNotSchedule")) {
        hard.add(constraint);
      }
    }
    for (JsonNode constraint : hard) {
      String key = constraint.path("topologyKey").asString();
      if (!here.containsKey(key)) {
        return text + " (missing required label)";
      }
      Map<String, Integer> counts = new HashMap<>();
      for (JsonNode other : nodes) {
        if (eligible(pod, constraint, hard, other)) {
          counts.merge(labels(other).get(key), counted(pod, constraint, other), Integer::sum);
        }
      }
      int least = counts.values().stream().min(Integer::compare).orElse(0);
      int minDomains = constraint.path("minDomains").asInt(1);
      if (counts.size() < minDomains && fault != Fault.SPREAD_IGNORES_MIN_DOMAINS) {
        least = 0;
      }
      int self =
          matches(constraint.path("labelSelector"), labels(pod))
                  && fault != Fault.SPREAD_FORGETS_ITSELF
              ? 1
              : 0;
      int skew = counts.getOrDefault(here.get(key), 0) + self - least;
      if (skew > constraint.path("maxSkew").asInt()) {
        return text;
      }
    }
    return "";
  }

  private boolean eligible(JsonNode pod, JsonNode constraint, List<JsonNode> hard, JsonNode node) {
    Map<String, String> labels = labels(node);
    for (JsonNode one : hard) {
      if (!labels.containsKey(one.path("topologyKey").asString())
          && (one == constraint || fault != Fault.SPREAD_ASKS_FOR_ONE_KEY)) {
        return false;
      }
    }
    boolean affine =
        !constraint.path("nodeAffinityPolicy").asString("Honor").equals("Ignore")
            && fault != Fault.SPREAD_IGNORES_AFFINITY_POLICY;
    boolean tainted =
        constraint.path("nodeTaintsPolicy").asString("Ignore").equals("Honor")
            && fault != Fault.SPREAD_IGNORES_TAINTS_POLICY;
    return (!affine || selected(pod.path("spec"), node))
        && (!tainted || !tainted(pod.path("spec"), node));
  }

  private int counted(JsonNode pod, JsonNode constraint, JsonNode node) {
    JsonNode selector = constraint.path("labelSelector");
    boolean empty =
        selector.isObject()
            && selector.path("matchLabels").isEmpty()
            && selector.path("matchExpressions").isEmpty();
    if (empty && fault != Fault.EMPTY_SPREAD_SELECTOR_COUNTS) {
      return 0;
    }
    int count = 0;
    for (JsonNode other : on(node)) {
      boolean near =
          fault == Fault.SPREAD_COUNTS_ALL_NAMESPACES || namespace(other).equals(namespace(pod));
      boolean alive = fault == Fault.SPREAD_COUNTS_DELETED || !deleted(other);
      if (near && alive && matches(selector, labels(other))) {
        count++;
      }
    }
    return count;
  }

  // ---- InterPodAffinity ----

  private String interPodAffinity(JsonNode pod, JsonNode node) {
    if (!near(pod, node)) {
      return "node(s) didn't match pod affinity rules";
    }
    Map<String, String> here = labels(node);
    for (JsonNode term : required(pod, "podAntiAffinity")) {
      String key = term.path("topologyKey").asString();
      for (JsonNode other : within(key, here.get(key))) {
        if (about(term, pod, other)) {
          return "node(s) didn't match pod anti-affinity rules";
        }
      }
    }
    if (fault == Fault.ANTI_AFFINITY_IS_ONE_SIDED) {
      return "";
    }
    for (JsonNode other : everybody()) {
      for (JsonNode term : required(other, "podAntiAffinity")) {
        String key = term.path("topologyKey").asString();
        if (within(key, here.get(key)).contains(other) && about(term, other, pod)) {
          return "node(s) didn't satisfy existing pods anti-affinity rules";
        }
      }
    }
    return "";
  }

  private boolean near(JsonNode pod, JsonNode node) {
    List<JsonNode> terms = required(pod, "podAffinity");
    Map<String, String> here = labels(node);
    boolean allKeys = true;
    boolean allFound = true;
    boolean nobody = true;
    for (JsonNode term : terms) {
      String key = term.path("topologyKey").asString();
      allKeys &= here.containsKey(key);
      boolean found = false;
      for (JsonNode other : within(key, here.get(key))) {
        found |=
            matchesAll(
                fault == Fault.AFFINITY_TERMS_ONE_BY_ONE ? List.of(term) : terms, pod, other);
      }
      allFound &= found;
      for (JsonNode other : everybody()) {
        boolean labelled = labels(nodeOf(other)).containsKey(key);
        nobody &= !(labelled && matchesAll(terms, pod, other));
      }
    }
    if (!allKeys && fault != Fault.FIRST_OF_A_KIND_NEEDS_NO_LABEL) {
      return false;
    }
    return allFound || (nobody && matchesAll(terms, pod, pod) && fault != Fault.NO_FIRST_OF_A_KIND);
  }

  private boolean matchesAll(List<JsonNode> terms, JsonNode pod, JsonNode other) {
    for (JsonNode term : terms) {
      if (!about(term, pod, other)) {
        return false;
      }
    }
    return true;
  }

  private static List<JsonNode> required(JsonNode pod, String kind) {
    List<JsonNode> terms = new ArrayList<>();
    pod.at("/spec/affinity")
        .path(kind)
        .path("requiredDuringSchedulingIgnoredDuringExecution")
        .forEach(terms::add);
    return terms;
  }

  private List<JsonNode> everybody() {
    List<JsonNode> all = new ArrayList<>();
    nodes.forEach(node -> all.addAll(on(node)));
    return all;
  }

  private JsonNode nodeOf(JsonNode pod) {
    return nodes.stream()
        .filter(node -> name(node).equals(pod.at("/spec/nodeName").asString()))
        .findFirst()
        .orElseThrow();
  }

  /** The pods on nodes where a label has a value; none where there is no value. */
  private List<JsonNode> within(String key, String value) {
    List<JsonNode> found = new ArrayList<>();
    for (JsonNode node : nodes) {
      if (value != null && value.equals(labels(node).get(key))) {
        found.addAll(on(node));
      }
    }
    return found;
  }

  /** Whether a term of one pod is about another. */
  private boolean about(JsonNode term, JsonNode owner, JsonNode other) {
    Set<String> spaces = new HashSet<>();
    term.path("namespaces").forEach(one -> spaces.add(one.asString()));
    JsonNode selector = term.path("namespaceSelector");
    if (spaces.isEmpty() && !selector.isObject()) {
      spaces.add(namespace(owner));
    }
    boolean near = spaces.contains(namespace(other)) || fault == Fault.TERMS_ARE_OF_ALL_NAMESPACES;
    if (selector.isObject() && fault != Fault.NAMESPACE_SELECTOR_IS_IGNORED) {
      near |= matches(selector, namespaces.getOrDefault(namespace(other), Map.of()));
    }
    return near && matches(term.path("labelSelector"), labels(other));
  }

  private static String namespace(JsonNode pod) {
    return pod.at("/metadata/namespace").asString();
  }

  /** An absent selector matches nothing, an empty one everything. */
  private boolean matches(JsonNode selector, Map<String, String> labels) {
    if (!selector.isObject()) {
      return false;
    }
    for (Map.Entry<String, String> wanted : map(selector.path("matchLabels")).entrySet()) {
      if (!wanted.getValue().equals(labels.get(wanted.getKey()))) {
        return false;
      }
    }
    for (JsonNode expression : selector.path("matchExpressions")) {
      if (!holds(expression, labels.get(expression.path("key").asString()))) {
        return false;
      }
    }
    return true;
  }

  /** The names of the nodes that are feasible. */
  Set<String> feasible(JsonNode pod) {
    Set<String> names = new TreeSet<>();
    for (JsonNode node : nodes) {
      if (filter(pod, node).isEmpty()) {
        names.add(name(node));
      }
    }
    return names;
  }
}

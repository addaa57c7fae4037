package io.lighthouse.kubernetes.control;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The objects of the fake server, one version for all kinds, and the changes that watches are
 * served from. What it answers was seen in answers of a real server of version 1.36.
 */
final class FakeStore {
  /** An answer that is an error. */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;
    final int code;
    final String reason;

    Refused(int code, String reason, String message) {
      super(message);
      this.code = code;
      this.reason = reason;
    }
  }

  /** A change; before is null for what is new, after is null for what has gone. */
  record Change(String kind, long version, ObjectNode before, ObjectNode after) {}

  /** Objects by kind and then by key: a name, or namespace and name. */
  private final Map<String, TreeMap<String, ObjectNode>> objects = new TreeMap<>();

  private final List<Change> changes = new ArrayList<>();
  private long version = 1;

  /** Changes up to this version are forgotten. */
  private long forgotten;

  /** A restarted server has nothing in its window. */
  synchronized void forgetChanges() {
    forgotten = version;
    changes.clear();
    notifyAll();
  }

  /** Objects by their keys, the version of that moment, and the key to go on behind. */
  record Page(List<ObjectNode> items, long version, String last) {}

  /** The objects behind a key, up to a limit; the last key is null where there are no more. */
  synchronized Page list(String kind, Predicate<ObjectNode> wanted, String behind, int limit) {
    List<ObjectNode> found = new ArrayList<>();
    String last = null;
    for (Map.Entry<String, ObjectNode> entry : of(kind).tailMap(behind, false).entrySet()) {
      if (wanted.test(entry.getValue())) {
        if (found.size() == limit) {
          return new Page(found, version, last);
        }
        found.add(entry.getValue().deepCopy());
        last = entry.getKey();
      }
    }
    return new Page(found, version, null);
  }

  /**
   * The changes behind a version; waits for some, but no longer than given.
   *
   * @return null if the version is forgotten
   */
  synchronized List<Change> changesAfter(String kind, long after, long millis)
      throws InterruptedException {
    long end = System.currentTimeMillis() + millis;
    while (true) {
      if (after < forgotten) {
        return null;
      }
      List<Change> found = new ArrayList<>();
      for (int i = changes.size() - 1; i >= 0 && changes.get(i).version > after; i--) {
        if (changes.get(i).kind.equals(kind)) {
          found.add(0, changes.get(i));
        }
      }
      long left = end - System.currentTimeMillis();
      if (!found.isEmpty() || left <= 0) {
        return found;
      }
      wait(left);
    }
  }

  synchronized ObjectNode get(String kind, String key) throws Refused {
    ObjectNode found = of(kind).get(key);
    if (found == null) {
      throw new Refused(404, "NotFound", kind + " \"" + key + "\" not found");
    }
    return found.deepCopy();
  }

  synchronized ObjectNode create(String kind, String key, ObjectNode object) throws Refused {
    if (of(kind).containsKey(key)) {
      throw new Refused(409, "AlreadyExists", kind + " \"" + key + "\" already exists");
    }
    ObjectNode metadata = object.withObjectProperty("metadata");
    metadata.put("uid", UUID.randomUUID().toString());
    metadata.put("creationTimestamp", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    switch (kind) {
      case "pods" -> pod(object);
      case "nodes" -> node(object);
      case "events" -> event(object);
      default -> {}
    }
    return write(kind, key, null, object);
  }

  private static void pod(ObjectNode pod) {
    ObjectNode status = pod.withObjectProperty("status");
    status.put("phase", "Pending");
    ObjectNode spec = pod.withObjectProperty("spec");
    if (!spec.has("schedulerName")) {
      spec.put("schedulerName", "default-scheduler");
    }
    if (!spec.path("schedulingGates").isEmpty()) {
      status
          .putArray("conditions")
          .addObject()
          .put("type", "PodScheduled")
          .put("status", "False")
          .put("reason", "SchedulingGated");
    }
  }

  /** A new node is tainted until its status is ready. */
  private static void node(ObjectNode node) {
    ArrayNode taints = node.withObjectProperty("spec").withArrayProperty("taints");
    taints.addObject().put("key", "node.kubernetes.io/not-ready").put("effect", "NoSchedule");
  }

  private static void event(ObjectNode event) throws Refused {
    if (event.path("note").asString("").length() > 1_024 || !event.has("eventTime")) {
      throw new Refused(422, "Invalid", "Event is invalid");
    }
  }

  /** Replaces what is there; a stale version is refused. */
  synchronized ObjectNode replace(String kind, String key, ObjectNode object) throws Refused {
    ObjectNode before = get(kind, key);
    check(before, object.path("metadata"));
    return write(kind, key, before, object);
  }

  synchronized ObjectNode change(
      String kind, String key, JsonNode preconditions, UnaryOperator<ObjectNode> change)
      throws Refused {
    ObjectNode before = get(kind, key);
    check(before, preconditions);
    ObjectNode after = change.apply(before.deepCopy());
    return after.equals(before) ? after : write(kind, key, before, after);
  }

  private static void check(ObjectNode before, JsonNode metadata) throws Refused {
    String uid = metadata.path("uid").asString("");
    if (!uid.isEmpty() && !uid.equals(before.path("metadata").path("uid").asString(""))) {
      throw new Refused(422, "Invalid", "metadata.uid: field is immutable");
    }
    String wanted = metadata.path("resourceVersion").asString("");
    if (!wanted.isEmpty()
        && !wanted.equals(before.path("metadata").path("resourceVersion").asString(""))) {
      throw new Refused(409, "Conflict", "the object has been modified");
    }
  }

  /** Binds a pod, and checks what the real server checks, and no more: not the node. */
  synchronized void bind(String key, JsonNode binding) throws Refused {
    ObjectNode pod = get("pods", key);
    String uid = binding.path("metadata").path("uid").asString("");
    if (!uid.isEmpty() && !uid.equals(pod.path("metadata").path("uid").asString(""))) {
      throw new Refused(409, "Conflict", "Precondition failed: UID in precondition: " + uid);
    }
    String target = binding.path("target").path("name").asString("");
    if (target.isEmpty()) {
      throw new Refused(500, "InternalError", "target.name: Required value");
    }
    if (pod.path("metadata").has("deletionTimestamp")) {
      throw new Refused(409, "Conflict", "pod " + key + " is being deleted");
    }
    String bound = pod.path("spec").path("nodeName").asString("");
    if (!bound.isEmpty()) {
      throw new Refused(
          409, "Conflict", "pod " + key + " is already assigned to node \"" + bound + "\"");
    }
    if (!pod.path("spec").path("schedulingGates").isEmpty()) {
      throw new Refused(409, "Conflict", "pod " + key + " has non-empty .spec.schedulingGates");
    }
    change(
        "pods",
        key,
        JsonNodeFactory.instance.objectNode(),
        now -> {
          now.withObjectProperty("spec").put("nodeName", target);
          condition(now, "PodScheduled", "True", null, null);
          return now;
        });
  }

  /** Sets a condition. */
  static void condition(ObjectNode pod, String type, String status, String reason, String message) {
    ArrayNode conditions = pod.withObjectProperty("status").withArrayProperty("conditions");
    ObjectNode found = null;
    for (JsonNode condition : conditions) {
      if (condition.path("type").asString("").equals(type)) {
        found = (ObjectNode) condition;
      }
    }
    found = found == null ? conditions.addObject().put("type", type) : found;
    found.put("status", status);
    if (reason == null) {
      found.remove(List.of("reason", "message"));
    } else {
      found.put("reason", reason).put("message", message);
    }
  }

  /** Evicts a pod, where at most one budget is about it and lets it go. */
  synchronized ObjectNode evict(String namespace, String key, JsonNode eviction) throws Refused {
    ObjectNode pod = get("pods", key);
    String uid = eviction.path("deleteOptions").path("preconditions").path("uid").asString("");
    if (!uid.isEmpty() && !uid.equals(pod.path("metadata").path("uid").asString(""))) {
      throw new Refused(409, "Conflict", "Precondition failed: UID in precondition: " + uid);
    }
    boolean runs = pod.path("status").path("phase").asString("").equals("Running");
    List<String> budgets = new ArrayList<>();
    for (Map.Entry<String, ObjectNode> budget : of("poddisruptionbudgets").entrySet()) {
      JsonNode selector = budget.getValue().path("spec").path("selector").path("matchLabels");
      boolean selects = budget.getKey().startsWith(namespace + "/");
      for (Map.Entry<String, JsonNode> label : selector.properties()) {
        selects &= label.getValue().equals(pod.path("metadata").path("labels").get(label.getKey()));
      }
      if (selects && runs && !pod.path("metadata").has("deletionTimestamp")) {
        budgets.add(budget.getKey());
      }
    }
    if (budgets.size() > 1) {
      throw new Refused(
          500, "InternalError", "This pod has more than one PodDisruptionBudget, which the");
    }
    for (String budget : budgets) {
      int allowed =
          of("poddisruptionbudgets").get(budget).path("status").path("disruptionsAllowed").asInt(0);
      if (allowed == 0) {
        throw new Refused(
            429,
            "TooManyRequests",
            "Cannot evict pod as it would violate the pod's disruption budget.");
      }
      change(
          "poddisruptionbudgets",
          budget,
          JsonNodeFactory.instance.objectNode(),
          now -> {
            now.withObjectProperty("status").put("disruptionsAllowed", allowed - 1);
            return now;
          });
    }
    return delete("pods", key, JsonNodeFactory.instance.objectNode(), false);
  }

  /**
   * Deletes; an object with finalizers stays until they are removed, and a pod that is bound stays
   * for a while, unless it is to go at once.
   */
  synchronized ObjectNode delete(String kind, String key, JsonNode preconditions, boolean atOnce)
      throws Refused {
    ObjectNode before = get(kind, key);
    String uid = preconditions.path("uid").asString("");
    if (!uid.isEmpty() && !uid.equals(before.path("metadata").path("uid").asString(""))) {
      throw new Refused(409, "Conflict", "Precondition failed: UID in precondition: " + uid);
    }
    boolean bound = !before.path("spec").path("nodeName").asString("").isEmpty();
    if (kind.equals("pods") && bound && !atOnce) {
      if (before.path("metadata").has("deletionTimestamp")) {
        return before;
      }
      ObjectNode after = before.deepCopy();
      after
          .withObjectProperty("metadata")
          .put(
              "deletionTimestamp",
              Instant.now().plusSeconds(30).truncatedTo(ChronoUnit.SECONDS).toString());
      return write(kind, key, before, after);
    }
    if (hasFinalizers(before)) {
      if (before.path("metadata").has("deletionTimestamp")) {
        return before;
      }
      ObjectNode after = before.deepCopy();
      after.withObjectProperty("metadata").put("deletionTimestamp", Instant.now().toString());
      return write(kind, key, before, after);
    }
    return remove(kind, key, before);
  }

  private static boolean hasFinalizers(ObjectNode object) {
    return !object.path("metadata").path("finalizers").isEmpty();
  }

  private ObjectNode remove(String kind, String key, ObjectNode before) {
    of(kind).remove(key);
    ObjectNode last = before.deepCopy();
    last.withObjectProperty("metadata").put("resourceVersion", Long.toString(++version));
    changes.add(new Change(kind, version, last, null));
    notifyAll();
    return last;
  }

  private ObjectNode write(String kind, String key, ObjectNode before, ObjectNode after) {
    if (before != null && hasFinalizers(before) && !hasFinalizers(after)) {
      if (after.path("metadata").has("deletionTimestamp")) {
        return remove(kind, key, after);
      }
    }
    after.withObjectProperty("metadata").put("resourceVersion", Long.toString(++version));
    of(kind).put(key, after.deepCopy());
    if (!kind.equals("events")) {
      changes.add(new Change(kind, version, before, after.deepCopy()));
    }
    notifyAll();
    return after;
  }

  private TreeMap<String, ObjectNode> of(String kind) {
    return objects.computeIfAbsent(kind, fresh -> new TreeMap<>());
  }
}

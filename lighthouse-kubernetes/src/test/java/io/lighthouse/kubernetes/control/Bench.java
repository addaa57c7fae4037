package io.lighthouse.kubernetes.control;

import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.client.ApiServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** What a test does to a cluster, with all rights. */
public final class Bench {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String NODES = "/api/v1/nodes";

  private final ApiServer admin;

  /** On this server. */
  public Bench(ApiServer admin) {
    this.admin = admin;
  }

  /** The server. */
  public ApiServer admin() {
    return admin;
  }

  /** Creates a node, ready to be used. */
  public void addNode(String name, String zone, String cpu, String memory, int pods)
      throws IOException {
    admin.post(NODES, Objects.node(name, zone, cpu, memory, pods));
    admin.patch(NODES + "/" + name, Objects.READY);
  }

  /** Creates a pod. */
  public JsonNode add(JsonNode pod) throws IOException {
    return admin.post(PODS, pod);
  }

  /** The pod as the server has it. */
  public JsonNode pod(String name) throws IOException {
    return admin.get(PODS + "/" + name);
  }

  /** All pods of the namespace. */
  public List<JsonNode> pods() throws IOException {
    return list(admin, PODS);
  }

  /** All nodes. */
  public List<JsonNode> nodes() throws IOException {
    return list(admin, NODES);
  }

  /** All events of the namespace. */
  public List<JsonNode> events() throws IOException {
    return list(admin, "/apis/events.k8s.io/v1/namespaces/default/events");
  }

  /** All objects of a path. */
  public static List<JsonNode> list(ApiServer server, String path) throws IOException {
    List<JsonNode> found = new ArrayList<>();
    server.list(path, found::add);
    return found;
  }

  /** Deletes a pod at once; one that is not there is no error. */
  public void deletePod(String name) throws IOException {
    deleteWhereThere(PODS + "/" + name, "{'gracePeriodSeconds':0}");
  }

  /** Deletes a node; one that is not there is no error. */
  public void deleteNode(String name) throws IOException {
    deleteWhereThere(NODES + "/" + name, "{}");
  }

  /** Deletes what is at a path; answers what the server does. */
  public static JsonNode delete(ApiServer server, String path) throws IOException {
    return server.delete(path, Objects.json("{}"));
  }

  /** The same, without a time in which it may end. */
  public static JsonNode deleteAtOnce(ApiServer server, String path) throws IOException {
    return server.delete(path, Objects.json("{'gracePeriodSeconds':0}"));
  }

  private void deleteWhereThere(String path, String options) throws IOException {
    try {
      admin.delete(path, Objects.json(options));
    } catch (ApiException gone) {
      if (gone.code() != 404) {
        throw gone;
      }
    }
  }

  /** Deletes all nodes, and all pods of the namespace. */
  public void clear() throws IOException {
    for (JsonNode pod : pods()) {
      deletePod(name(pod));
    }
    for (JsonNode node : nodes()) {
      deleteNode(name(node));
    }
  }

  /** The name of an object. */
  public static String name(JsonNode object) {
    return object.path("metadata").path("name").asString("");
  }

  /** The node of a pod; empty if it has none. */
  public static String nodeOf(JsonNode pod) {
    return pod.path("spec").path("nodeName").asString("");
  }

  /** Merges a patch into the status of a pod. */
  public void patchStatus(String pod, JsonNode patch) throws IOException {
    admin.patch(PODS + "/" + pod + "/status", patch);
  }

  /** Puts a pod on a node, as another scheduler would. */
  public void bind(String pod, String node) throws IOException {
    admin.post(
        PODS + "/" + pod + "/binding",
        Objects.json(
            "{'apiVersion':'v1','kind':'Binding','metadata':{'name':'%s'},'target':{"
                + "'apiVersion':'v1','kind':'Node','name':'%s'}}",
            pod, node));
  }

  /** The nodes of the pods of which the names begin alike, by name; only of those that have one. */
  public Map<String, String> nodesOf(String begin) throws IOException {
    Map<String, String> nodes = new TreeMap<>();
    for (JsonNode pod : pods()) {
      if (name(pod).startsWith(begin) && !nodeOf(pod).isEmpty()) {
        nodes.put(name(pod), nodeOf(pod));
      }
    }
    return nodes;
  }

  /** The message of the condition that says whether a pod is scheduled; empty for none. */
  public static String message(JsonNode pod) {
    return scheduled(pod).path("message").asString("");
  }

  /** Waits until the message of a pod begins so. */
  public void awaitMessage(String pod, String begin) throws Exception {
    await(pod, now -> message(now).startsWith(begin));
  }

  /** The condition PodScheduled of a pod. */
  public static JsonNode scheduled(JsonNode pod) {
    for (JsonNode condition : pod.path("status").path("conditions")) {
      if (condition.path("type").asString("").equals("PodScheduled")) {
        return condition;
      }
    }
    return Objects.json("{}");
  }

  /** Waits until a pod is as wanted. */
  public JsonNode await(String name, Predicate<JsonNode> wanted) throws Exception {
    JsonNode[] last = new JsonNode[1];
    until(
        () -> {
          last[0] = pod(name);
          return wanted.test(last[0]);
        },
        () -> "pod " + name + " is " + last[0]);
    return last[0];
  }

  /** Waits until a pod has a node; answers which. */
  public String awaitNode(String name) throws Exception {
    return nodeOf(await(name, pod -> !nodeOf(pod).isEmpty()));
  }

  /** Waits until all pods of the namespace have a node. */
  public void awaitAllBound(int pods) throws Exception {
    List<List<JsonNode>> last = new ArrayList<>();
    until(
        () -> {
          last.clear();
          last.add(pods());
          return last.get(0).size() == pods
              && last.get(0).stream().noneMatch(pod -> nodeOf(pod).isEmpty());
        },
        () ->
            "without a node: "
                + last.get(0).stream()
                    .filter(pod -> nodeOf(pod).isEmpty())
                    .limit(3)
                    .map(JsonNode::toString)
                    .toList());
  }

  /** Something that is or is not so. */
  public interface Asked {
    /** Whether it is so. */
    boolean isSo() throws Exception;
  }

  /** Says what was found instead. */
  public interface Found {
    /** The words. */
    String words();
  }

  /** Waits until something is so; two minutes at most. */
  public static void until(Asked asked, Found found) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (!asked.isSo()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not in time: " + found.words());
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }
}

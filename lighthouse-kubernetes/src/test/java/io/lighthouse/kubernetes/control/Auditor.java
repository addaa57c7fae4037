package io.lighthouse.kubernetes.control;

import io.lighthouse.kubernetes.client.ChangeStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;

/**
 * Watches what happens to pods and nodes, and judges it with its own arithmetic: no pod gets a
 * second node, and no node holds more than it has.
 */
public final class Auditor implements AutoCloseable {
  private final Bench bench;
  private final List<String> findings = new CopyOnWriteArrayList<>();
  private final Map<String, String> nodeByUid = new ConcurrentHashMap<>();
  private final Thread thread;
  private volatile boolean closed;
  private volatile ChangeStream watch;

  /** Begins to watch. */
  public Auditor(Bench bench) throws IOException {
    this.bench = bench;
    String path = "/api/v1/pods";
    String version = bench.admin().list(path, pod -> take("ADDED", pod));
    thread = new Thread(() -> follow(path, version), "auditor");
    thread.setDaemon(true);
    thread.start();
  }

  private void follow(String path, String version) {
    String from = version;
    while (!closed) {
      watch = new ChangeStream(bench.admin(), path, from, Duration.ofMinutes(1));
      try {
        watch.run(this::take);
        from = watch.version();
      } catch (IOException cut) {
        try {
          from = bench.admin().list(path, pod -> take("ADDED", pod));
        } catch (IOException down) {
          Thread.onSpinWait();
        }
      }
    }
  }

  private void take(String type, JsonNode pod) {
    String uid = pod.path("metadata").path("uid").asString("");
    String node = Bench.nodeOf(pod);
    String before = nodeByUid.get(uid);
    if (before != null && !type.equals("DELETED") && !before.equals(node)) {
      findings.add("pod " + Bench.name(pod) + " was on " + before + " and is on " + node);
    }
    if (!node.isEmpty()) {
      nodeByUid.put(uid, node);
    }
  }

  /** What was wrong so far, and what is wrong now. */
  public List<String> findings() throws IOException {
    List<String> all = new ArrayList<>(findings);
    all.addAll(overbooked(bench));
    return all;
  }

  /** The nodes that hold more than they have. */
  public static List<String> overbooked(Bench bench) throws IOException {
    Map<String, BigDecimal> cpu = new TreeMap<>();
    Map<String, Integer> pods = new TreeMap<>();
    for (JsonNode pod : bench.pods()) {
      String node = Bench.nodeOf(pod);
      for (JsonNode container : pod.path("spec").path("containers")) {
        String need = container.path("resources").path("requests").path("cpu").asString("0");
        cpu.merge(node, cores(need), BigDecimal::add);
      }
      pods.merge(node, 1, Integer::sum);
    }
    List<String> found = new ArrayList<>();
    for (JsonNode node : bench.nodes()) {
      JsonNode has = node.path("status").path("allocatable");
      String name = Bench.name(node);
      BigDecimal used = cpu.getOrDefault(name, BigDecimal.ZERO);
      if (used.compareTo(cores(has.path("cpu").asString("0"))) > 0) {
        found.add("node " + name + " has " + has.path("cpu") + " and holds " + used);
      }
      if (pods.getOrDefault(name, 0) > Integer.parseInt(has.path("pods").asString("0"))) {
        found.add("node " + name + " takes " + has.path("pods") + ", holds " + pods.get(name));
      }
    }
    return found;
  }

  private static BigDecimal cores(String text) {
    return text.endsWith("m")
        ? new BigDecimal(text.substring(0, text.length() - 1)).movePointLeft(3)
        : new BigDecimal(text);
  }

  @Override
  public void close() {
    closed = true;
    watch.close();
    try {
      thread.join(5_000);
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
  }
}

package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.cluster.decide.ClusterDifferences;
import io.lighthouse.kubernetes.config.SettingsFile;
import io.lighthouse.kubernetes.control.Auditor;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.ControlPlane;
import io.lighthouse.kubernetes.control.Objects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Pods come and go, and nodes come, go and change, while the scheduler runs. At the end its mirror
 * equals a fresh list, field by field. No pod was bound twice, no node is overbooked, and the
 * memory in use has not grown. Short and small in every build; {@code -Pkubernetes
 * -Dlighthouse.kubernetes.churn=600} is ten minutes with 10,000 pods on 1,000 nodes, and writes its
 * figures to {@code kubernetes-churn.md} in the module's build folder.
 */
class ChurnTest {
  private static final int SECONDS = Integer.getInteger("lighthouse.kubernetes.churn", 2);
  private static final boolean LONG = SECONDS >= 60;
  private static final int NODES = LONG ? 1_000 : 20;
  private static final int PODS = LONG ? 10_000 : 100;
  private static final int THREADS = LONG ? 4 : 2;
  private static final int SAMPLES = LONG ? 20 : 3;

  private static final String SETTINGS =
      """
      leaderElection: {enabled: false}
      queue: {firstPause: 50ms, longestPause: 1s, listAgain: %s}
      monitor: {port: -1}
      """
          .formatted(LONG ? "2m" : "1s");

  private final Queue<String> troubles = new ConcurrentLinkedQueue<>();
  private final AtomicLong changes = new AtomicLong();
  private final List<Long> heap = new ArrayList<>();
  private Bench bench;
  private volatile boolean ended;

  @Test
  void theMirrorStaysTrueAndTheMemoryFlat() throws Exception {
    try (ControlPlane plane = ControlPlane.start()) {
      bench = new Bench(plane.admin());
      inThreads(NODES, i -> addNode(i, new Random(i)));
      inThreads(PODS, i -> bench.add(pod("p" + i, new Random(i))));
      try (KubernetesScheduler scheduler =
          KubernetesScheduler.start(
              plane.scheduler(), SettingsFile.read("s", SETTINGS), this::logged)) {
        settle();
        long began = System.nanoTime();
        List<Thread> churning = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          int mine = i;
          Thread thread = new Thread(() -> churn(mine), "churn-" + i);
          thread.start();
          churning.add(thread);
        }
        for (int i = 1; i <= SAMPLES; i++) {
          long due = began + TimeUnit.SECONDS.toNanos(SECONDS) * i / SAMPLES;
          TimeUnit.NANOSECONDS.sleep(Math.max(1, due - System.nanoTime()));
          heap.add(heapInUse());
        }
        ended = true;
        for (Thread thread : churning) {
          thread.join();
        }
        settle();
        assertThat(differences(scheduler)).isEmpty();
        assertThat(Auditor.overbooked(bench)).isEmpty();
        assertThat(troubles).isEmpty();
      } finally {
        ended = true;
        report();
      }
    }
    assertThat(changes.get()).isGreaterThan(PODS / 10);
    if (LONG) {
      // The least of the last third, beside the most of the first two thirds.
      int third = SAMPLES / 3;
      long late = heap.subList(SAMPLES - third, SAMPLES).stream().min(Long::compare).orElseThrow();
      long early = heap.subList(0, SAMPLES - third).stream().max(Long::compare).orElseThrow();
      assertThat(late).as("heap in use, in bytes: %s", heap).isLessThanOrEqualTo(early);
    }
  }

  private void logged(String line) {
    if (line.contains("\"level\":\"error\"")) {
      troubles.add(line);
    }
  }

  private static long heapInUse() throws InterruptedException {
    for (int i = 0; i < 2; i++) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(50);
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private void report() throws IOException {
    Path file = Path.of(System.getProperty("lighthouse.build"), "kubernetes-churn.md");
    Files.createDirectories(file.getParent());
    Files.writeString(
        file,
        "%d s, %d nodes, %d pods, %d changes; heap in use after collections, MB: %s%n"
            .formatted(
                SECONDS,
                NODES,
                PODS,
                changes.get(),
                heap.stream().map(bytes -> Long.toString(bytes >> 20)).toList()));
  }

  // ---- what is changed ----

  /** Room for twice the pods, so that all are placed in the end. */
  private void addNode(int i, Random random) throws IOException {
    ObjectNode node = Objects.node("n" + i, "z" + i % 3, "16", "64Gi", 40);
    node.path("metadata")
        .withObjectProperty("labels")
        .put("pool", random.nextBoolean() ? "red" : "blue");
    bench.admin().post("/api/v1/nodes", node);
    bench.admin().patch("/api/v1/nodes/n" + i, Objects.READY);
  }

  private static ObjectNode pod(String name, Random random) {
    ObjectNode pod = Objects.pod(name, 100 + random.nextInt(400) + "m", "64Mi");
    int kind = random.nextInt(10);
    pod.path("metadata").withObjectProperty("labels").put("kind", "k" + kind);
    ObjectNode spec = pod.withObjectProperty("spec");
    if (kind == 0) {
      spec.set(
          "topologySpreadConstraints",
          Objects.json(
                  "{'x':[{'maxSkew':5,'topologyKey':'topology.kubernetes.io/zone',"
                      + "'whenUnsatisfiable':'ScheduleAnyway',"
                      + "'labelSelector':{'matchLabels':{'kind':'k0'}}}]}")
              .get("x"));
    } else if (kind == 1) {
      String group = "g" + random.nextInt(LONG ? 300 : 30);
      pod.path("metadata").withObjectProperty("labels").put("group", group);
      spec.set("affinity", Objects.apartFrom(group));
    } else if (kind == 2) {
      spec.putObject("nodeSelector").put("pool", "red");
    }
    return pod;
  }

  private void churn(int mine) {
    Random random = new Random(mine);
    while (!ended) {
      try {
        if (random.nextInt(10) < 8) {
          replacePod(mine, random);
        } else {
          changeNode(mine, random);
        }
        changes.incrementAndGet();
      } catch (ApiException refused) {
        // Two threads never share an object; the stock admission refuses nothing of this.
        troubles.add(refused.getMessage());
      } catch (IOException noAnswer) {
        troubles.add(String.valueOf(noAnswer.getMessage()));
      }
    }
  }

  /** Each thread has pods and nodes of its own: the numbers of its residue. */
  private static int own(int mine, int of, Random random) {
    return random.nextInt(of / THREADS) * THREADS + mine;
  }

  private void replacePod(int mine, Random random) throws IOException {
    String name = "p" + own(mine, PODS, random);
    bench.deletePod(name);
    bench.add(pod(name, random));
  }

  private void changeNode(int mine, Random random) throws IOException {
    int number = own(mine, NODES, random);
    String path = "/api/v1/nodes/n" + number;
    switch (random.nextInt(6)) {
      case 0 -> bench.admin().patch(path, Objects.json("{'spec':{'unschedulable':true}}"));
      case 1, 2 -> bench.admin().patch(path, Objects.json("{'spec':{'unschedulable':null}}"));
      case 3 ->
          bench
              .admin()
              .patch(
                  path,
                  Objects.json(
                      "{'metadata':{'labels':{'pool':'%s'}}}",
                      random.nextBoolean() ? "red" : "blue"));
      case 4 ->
          bench
              .admin()
              .patch(
                  path + "/status",
                  Objects.json(
                      "{'status':{'allocatable':{'cpu':'%d','memory':'64Gi','pods':'40'}}}",
                      12 + random.nextInt(8)));
      default -> {
        bench.deleteNode("n" + number);
        // As the pod garbage collector and the pods' controllers would.
        addNode(number, random);
      }
    }
  }

  // ---- what must be so ----

  /** All cordons off, and all pods placed. */
  private void settle() throws Exception {
    inThreads(
        NODES,
        i ->
            bench
                .admin()
                .patch("/api/v1/nodes/n" + i, Objects.json("{'spec':{'unschedulable':null}}")));
    int[] waiting = new int[1];
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
    do {
      assertThat(System.nanoTime()).as("%d pods wait", waiting[0]).isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(LONG ? 1_000 : 50);
      waiting[0] = 0;
      bench
          .admin()
          .list(
              "/api/v1/namespaces/default/pods?fieldSelector=spec.nodeName%3D",
              pod -> waiting[0]++);
    } while (waiting[0] > 0);
  }

  /** Asked until what is under way has arrived. */
  private List<String> differences(KubernetesScheduler scheduler) throws Exception {
    List<String> found = List.of();
    for (int tries = 0; tries < 20; tries++) {
      List<JsonNode> nodes = Bench.list(bench.admin(), "/api/v1/nodes");
      List<JsonNode> pods = Bench.list(bench.admin(), "/api/v1/pods");
      List<JsonNode> namespaces = Bench.list(bench.admin(), "/api/v1/namespaces");
      CompletableFuture<List<String>> asked = new CompletableFuture<>();
      LoopReader.read(
          scheduler.term(),
          cluster -> asked.complete(ClusterDifferences.of(cluster, nodes, pods, namespaces)));
      found = asked.get(2, TimeUnit.MINUTES);
      if (found.isEmpty()) {
        break;
      }
      TimeUnit.MILLISECONDS.sleep(250);
    }
    return found;
  }

  private interface Step {
    void take(int i) throws IOException;
  }

  private static void inThreads(int count, Step step) throws Exception {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int mine = t;
      all.add(
          CompletableFuture.runAsync(
              () -> {
                try {
                  for (int i = mine; i < count; i += THREADS) {
                    step.take(i);
                  }
                } catch (IOException failed) {
                  throw new java.io.UncheckedIOException(failed);
                }
              },
              task -> new Thread(task, "steps").start()));
    }
    for (CompletableFuture<Void> each : all) {
      each.get();
    }
  }
}

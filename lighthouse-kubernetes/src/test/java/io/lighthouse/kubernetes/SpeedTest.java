package io.lighthouse.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.control.Auditor;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.RealControlPlane;
import io.lighthouse.kubernetes.control.SchedulerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The rate and the processor time a pod of this scheduler and of the stock one, by turns, on one
 * real API server: a backlog is there, the scheduler starts, all are bound. Nothing is asserted
 * about time. {@code mvn -Pkubernetes -pl lighthouse-kubernetes -am test -Dtest=SpeedTest
 * -Dlighthouse.kubernetes.speed=true}; the table is written to {@code kubernetes-speed.md} in the
 * module's build folder.
 */
@EnabledIfSystemProperty(named = "lighthouse.kubernetes.speed", matches = "true")
class SpeedTest {
  private static final int NODES = Integer.getInteger("lighthouse.kubernetes.nodes", 1_000);
  private static final int PODS = Integer.getInteger("lighthouse.kubernetes.pods", 2_000);
  private static final int CREATORS = 8;

  /** The options for the JVM with which ./lighthouse starts it. */
  private static final String AS_STARTED = "-XX:TieredStopAtLevel=1";

  private final List<String> table = new ArrayList<>();

  @TempDir private Path folder;

  private enum Shape {
    PLAIN,
    SPREAD,
    ANTI_AFFINITY
  }

  @Test
  void isMeasuredBesideTheStockScheduler() throws Exception {
    add("| pods | scheduler | pods/s | s | its CPU ms/pod | once started | API server | etcd |");
    add("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    try (RealControlPlane plane = new RealControlPlane()) {
      Bench bench = new Bench(plane.admin());
      inParallel(NODES, i -> bench.addNode("n" + i, "z" + i % 3, "16", "64Gi", 110));
      String shapes = System.getProperty("lighthouse.kubernetes.shapes", "PLAIN,SPREAD");
      for (String word : shapes.split(",")) {
        Shape shape = Shape.valueOf(word);
        for (int round = 0;
            round < Integer.getInteger("lighthouse.kubernetes.rounds", 1);
            round++) {
          if (!Boolean.getBoolean("lighthouse.kubernetes.ours")) {
            bindBare(plane, bench, shape);
            measure(plane, bench, shape, true);
          }
          measure(plane, bench, shape, false);
        }
      }
    }
  }

  /** Written row by row: such a run is long. */
  private void add(String row) throws IOException {
    table.add(row);
    Path report = Path.of(System.getProperty("lighthouse.build"), "kubernetes-speed.md");
    Files.writeString(report, String.join("\n", table) + "\n");
  }

  private static ObjectNode pod(Shape shape, String name, String scheduler) {
    ObjectNode pod = Objects.pod(name, "100m", "256Mi");
    ObjectNode spec = pod.withObjectProperty("spec").put("schedulerName", scheduler);
    String selector = "'labelSelector':{'matchLabels':{'app':'test'}}";
    switch (shape) {
      case PLAIN -> {}
      case SPREAD ->
          spec.set(
              "topologySpreadConstraints",
              Objects.json(
                      "{'x':[{'maxSkew':1,'topologyKey':'topology.kubernetes.io/zone',"
                          + "'whenUnsatisfiable':'DoNotSchedule',%s}]}",
                      selector)
                  .get("x"));
      case ANTI_AFFINITY -> {
        // Groups of 20, each pod of a group on a node of its own.
        String group = "g" + Integer.parseInt(name.substring(1)) / 20;
        pod.withObjectProperty("metadata").withObjectProperty("labels").put("group", group);
        spec.set("affinity", Objects.apartFrom(group));
      }
    }
    return pod;
  }

  /**
   * The bindings alone: nobody decides and nobody watches. As many at a time as the scheduler has
   * workers, over one connection, as its own account: what the server can do at most.
   */
  private void bindBare(RealControlPlane plane, Bench bench, Shape shape) throws Exception {
    inParallel(PODS, i -> bench.add(pod(shape, "p" + i, "nobody")));
    Duration server = plane.processorTime("kube-apiserver");
    Duration etcd = plane.processorTime("etcd");
    double seconds;
    try (ApiServer account = new ApiServer(plane.scheduler(), Duration.ofSeconds(30))) {
      long began = System.nanoTime();
      inParallel(
          SchedulerSettings.STANDARD.binding().workers(),
          PODS,
          i ->
              account.post(
                  "/api/v1/namespaces/default/pods/p" + i + "/binding",
                  Objects.json(
                      "{'apiVersion':'v1','kind':'Binding','metadata':{'name':'p%d'},"
                          + "'target':{'apiVersion':'v1','kind':'Node','name':'n%d'}}",
                      i, i % NODES)));
      seconds = (System.nanoTime() - began) * 1e-9;
    }
    add(
        String.format(
            Locale.ROOT,
            "| %s | bindings alone | %.0f | %.1f | | | %.2f | %.2f |",
            shape.name().toLowerCase(Locale.ROOT),
            PODS / seconds,
            seconds,
            each(plane.processorTime("kube-apiserver").minus(server)),
            each(plane.processorTime("etcd").minus(etcd))));
    inParallel(PODS, i -> bench.deletePod("p" + i));
  }

  private void measure(RealControlPlane plane, Bench bench, Shape shape, boolean stock)
      throws Exception {
    String name = stock ? "default-scheduler" : "lighthouse";
    inParallel(PODS, i -> bench.add(pod(shape, "p" + i, name)));
    Duration server = plane.processorTime("kube-apiserver");
    Duration etcd = plane.processorTime("etcd");
    long began = System.nanoTime();
    Duration used;
    Duration start = Duration.ZERO;
    long ended;
    if (stock) {
      plane.startStockScheduler();
      ended = allBound(bench);
      used = plane.processorTime("kube-scheduler");
      plane.stopStockScheduler();
    } else {
      String settings = "{leaderElection: {enabled: false}, monitor: {port: -1}}";
      String options = System.getProperty("lighthouse.kubernetes.jvm", AS_STARTED);
      try (SchedulerProcess ours =
          new SchedulerProcess(folder, plane.kubeconfig(), settings, options.split(" "))) {
        Bench.until(() -> ours.log().contains("\"synced\""), () -> "not synced");
        start = ours.processorTime();
        ended = allBound(bench);
        used = ours.processorTime();
        ours.stop();
      }
    }
    double seconds = (ended - began) * 1e-9;
    add(
        String.format(
            Locale.ROOT,
            "| %s | %s | %.0f | %.1f | %.2f | %s | %.2f | %.2f |",
            shape.name().toLowerCase(Locale.ROOT),
            stock ? "kube-scheduler" : "lighthouse",
            PODS / seconds,
            seconds,
            each(used),
            stock ? "" : String.format(Locale.ROOT, "%.2f", each(used.minus(start))),
            each(plane.processorTime("kube-apiserver").minus(server)),
            each(plane.processorTime("etcd").minus(etcd))));
    assertThat(Auditor.overbooked(bench)).isEmpty();
    List<JsonNode> pods = bench.pods();
    inParallel(pods.size(), i -> bench.deletePod(Bench.name(pods.get(i))));
  }

  private static double each(Duration time) {
    return time.toNanos() * 1e-6 / PODS;
  }

  /** Asks seldom, and for the count alone: what is asked costs the server, too. */
  private static long allBound(Bench bench) throws Exception {
    String path =
        "/api/v1/namespaces/default/pods?fieldSelector=spec.nodeName%3D&limit=1&resourceVersion=0";
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(20);
    while (true) {
      long at = System.nanoTime();
      if (bench.admin().get(path).path("items").isEmpty()) {
        return at;
      }
      assertThat(at).as("pods without a node after twenty minutes").isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private interface Step {
    void take(int i) throws IOException;
  }

  private static void inParallel(int count, Step step) throws Exception {
    inParallel(CREATORS, count, step);
  }

  private static void inParallel(int atOnce, int count, Step step) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(atOnce);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int each = i;
        all.add(
            threads.submit(
                () -> {
                  step.take(each);
                  return null;
                }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    } finally {
      threads.shutdown();
    }
  }
}

package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.client.ChangeStream;
import io.lighthouse.kubernetes.config.SchedulerSettings;
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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The rate, and the processor time for each pod, of this scheduler and the stock one, by turns, on
 * one real API server. There is a backlog, the scheduler starts, and all pods are bound. Nothing is
 * asserted about time. {@code mvn -Pkubernetes -pl lighthouse-kubernetes -am test -Dtest=SpeedTest
 * -Dlighthouse.kubernetes.speed=true -Dlighthouse.kubernetes.rounds=1}; the table is written to
 * {@code kubernetes-speed.md} in the module's build folder.
 */
@EnabledIfSystemProperty(named = "lighthouse.kubernetes.speed", matches = "true")
class SpeedTest {
  private static final int NODES = Integer.getInteger("lighthouse.kubernetes.nodes", 1_000);
  private static final int PODS = Integer.getInteger("lighthouse.kubernetes.pods", 2_000);
  private static final int CREATORS = 8;

  private static final String ALL_PODS = "/api/v1/namespaces/default/pods";

  private static final String EVENTS = "/apis/events.k8s.io/v1/namespaces/default/events";

  private final List<String> table = new ArrayList<>();

  @TempDir private Path folder;

  private enum Shape {
    PLAIN,
    SPREAD,
    ANTI_AFFINITY
  }

  @Test
  void isMeasuredBesideTheStockScheduler() throws Exception {
    add(
        "| pods | scheduler | pods/s | from the first to the last | its CPU ms/pod | once started"
            + " | API server | etcd | events |");
    add("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    if (System.getProperty("lighthouse.kubernetes.jvm", "").isEmpty()) {
      // What it builds at first use is none of what is measured.
      SchedulerProcess.build();
    }
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
            bindBare(plane, bench, shape, false);
            bindBare(plane, bench, shape, true);
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
   * The bindings alone, without decisions and watches. As many at a time as the scheduler has
   * workers, as its own account: what the server can do at most. Or with what any scheduler does
   * besides: an event for each, as many as the scheduler's settings let through, while a watch of
   * the pods is read to the end.
   */
  private void bindBare(RealControlPlane plane, Bench bench, Shape shape, boolean whole)
      throws Exception {
    inParallel(PODS, i -> bench.add(pod(shape, "p" + i, "nobody")));
    SchedulerSettings settings = SchedulerSettings.STANDARD;
    TokenBucket rate = new TokenBucket(settings.eventsPerSecond(), System::nanoTime);
    try (ApiServer account = new ApiServer(plane.scheduler(), Duration.ofSeconds(30));
        Bound bound = new Bound(whole ? account : null)) {
      Use use = new Use(plane, bench, SpeedTest::ownTime);
      inParallel(
          settings.binding().workers(),
          PODS,
          i -> {
            account.tell(
                ALL_PODS + "/p" + i + "/binding",
                Objects.json(
                    "{'apiVersion':'v1','kind':'Binding','metadata':{'name':'p%d'},"
                        + "'target':{'apiVersion':'v1','kind':'Node','name':'n%d'}}",
                    i, i % NODES));
            if (whole) {
              for (long wait = rate.take(); wait > 0; wait = rate.take()) {
                LockSupport.parkNanos(wait);
              }
              account.tell(EVENTS, event(i));
            }
          });
      if (whole) {
        bound.await();
      }
      add(use.row(shape, whole ? "bindings, events, a watch" : "bindings alone", bound, null));
    }
    inParallel(PODS, i -> bench.deletePod("p" + i));
  }

  /** Counts the pods that come to nodes, by a watch of its own. */
  private static final class Bound implements AutoCloseable {
    private final CountDownLatch waiting = new CountDownLatch(PODS);
    private long first;
    private volatile long last;
    private final ChangeStream watch;

    /** Of pods that have no node yet; without a server there is no watch. */
    Bound(ApiServer server) throws IOException {
      if (server == null) {
        watch = null;
        return;
      }
      watch =
          new ChangeStream(
              server, ALL_PODS, server.list(ALL_PODS, pod -> {}), Duration.ofMinutes(1));
      Thread thread = new Thread(this::follow, "bound");
      thread.setDaemon(true);
      thread.start();
    }

    private void follow() {
      Set<String> seen = new HashSet<>();
      try {
        while (waiting.getCount() > 0) {
          watch.run(
              (type, pod) -> {
                if (!Bench.nodeOf(pod).isEmpty() && seen.add(Bench.name(pod))) {
                  last = System.nanoTime();
                  first = first == 0 ? last : first;
                  waiting.countDown();
                }
              });
        }
      } catch (IOException closed) {
        // At the end; before it, the test learns that it is not in time.
      }
    }

    void await() throws InterruptedException {
      assertThat(waiting.await(20, TimeUnit.MINUTES))
          .as("%d pods without a node after twenty minutes", waiting.getCount())
          .isTrue();
    }

    /** Pods a second between the first that came to a node and the last; empty without a watch. */
    String rate() {
      return watch == null
          ? ""
          : String.format(Locale.ROOT, "%.0f", (PODS - 1) / ((last - first) * 1e-9));
    }

    @Override
    public void close() {
      if (watch != null) {
        watch.close();
      }
    }
  }

  /** An event of the size of the scheduler's own. */
  private static ObjectNode event(int i) {
    return Objects.json(
        "{'apiVersion':'events.k8s.io/v1','kind':'Event',"
            + "'metadata':{'name':'p%d.%016x','namespace':'default'},"
            + "'eventTime':'2026-11-23T00:00:00.000000Z','reportingController':'lighthouse',"
            + "'reportingInstance':'bare','action':'Binding','type':'Normal','reason':'Scheduled',"
            + "'regarding':{'apiVersion':'v1','kind':'Pod','namespace':'default','name':'p%d'},'note':'Successfully"
            + " assigned default/p%d to n%d (strategy spread, decision %064x)'}",
        i, System.nanoTime(), i, i, i % NODES, i);
  }

  private static Duration ownTime() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** A reading of processor time. */
  private interface Clock {
    Duration now() throws IOException;
  }

  /** What is used from now on, until its row is made. */
  private static final class Use {
    private final RealControlPlane plane;
    private final Bench bench;
    private final Clock its;
    private final Duration server;
    private final Duration etcd;
    private final Duration before;
    private final long events;
    private final long began = System.nanoTime();

    Use(RealControlPlane plane, Bench bench, Clock its) throws IOException {
      this.plane = plane;
      this.bench = bench;
      this.its = its;
      events = events(bench);
      server = plane.processorTime("kube-apiserver");
      etcd = plane.processorTime("etcd");
      before = its.now();
    }

    /** What was used until now; of a process that had used some when it was started. */
    String row(Shape shape, String who, Bound bound, Duration start) throws IOException {
      return row(shape, who, bound, start, its.now().minus(before));
    }

    String row(Shape shape, String who, Bound bound, Duration start, Duration used)
        throws IOException {
      double seconds = (System.nanoTime() - began) * 1e-9;
      Duration serverUsed = plane.processorTime("kube-apiserver").minus(server);
      Duration etcdUsed = plane.processorTime("etcd").minus(etcd);
      return String.format(
          Locale.ROOT,
          "| %s | %s | %.0f | %s | %.2f | %s | %.2f | %.2f | %d |",
          shape.name().toLowerCase(Locale.ROOT),
          who,
          PODS / seconds,
          bound.rate(),
          each(used),
          start == null ? "" : String.format(Locale.ROOT, "%.2f", each(used.minus(start))),
          each(serverUsed),
          each(etcdUsed),
          events(bench) - events);
    }

    /** How many there are, without reading them. */
    private static long events(Bench bench) throws IOException {
      JsonNode page = bench.admin().get(EVENTS + "?limit=1");
      return page.path("items").size() + page.path("metadata").path("remainingItemCount").asLong(0);
    }
  }

  private void measure(RealControlPlane plane, Bench bench, Shape shape, boolean stock)
      throws Exception {
    String name = stock ? "default-scheduler" : "lighthouse";
    inParallel(PODS, i -> bench.add(pod(shape, "p" + i, name)));
    try (Bound bound = new Bound(bench.admin())) {
      Use use = new Use(plane, bench, () -> Duration.ZERO);
      if (stock) {
        plane.startStockScheduler();
        bound.await();
        add(use.row(shape, "kube-scheduler", bound, null, plane.processorTime("kube-scheduler")));
        plane.stopStockScheduler();
      } else {
        try (SchedulerProcess ours = start(plane)) {
          Bench.until(() -> ours.log().contains("\"synced\""), () -> ours.logged());
          Duration start = ours.processorTime();
          bound.await();
          add(use.row(shape, "lighthouse", bound, start, ours.processorTime()));
          ours.stop();
        }
      }
    }
    assertThat(Auditor.overbooked(bench)).isEmpty();
    List<JsonNode> pods = bench.pods();
    inParallel(pods.size(), i -> bench.deletePod(Bench.name(pods.get(i))));
  }

  /** By ./lighthouse, or with options for the JVM, or more settings, that are tried out. */
  private SchedulerProcess start(RealControlPlane plane) throws IOException {
    String settings =
        "{leaderElection: {enabled: false}, monitor: {port: -1}"
            + System.getProperty("lighthouse.kubernetes.more", "")
            + "}";
    String options = System.getProperty("lighthouse.kubernetes.jvm", "");
    return options.isEmpty()
        ? SchedulerProcess.launched(folder, plane.kubeconfig(), settings)
        : new SchedulerProcess(folder, plane.kubeconfig(), settings, options.split(" "));
  }

  private static double each(Duration time) {
    return time.toNanos() * 1e-6 / PODS;
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

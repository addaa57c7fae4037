package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.decide.Clusters;
import io.lighthouse.kubernetes.config.SchedulerSettings;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.ScriptedServer;
import io.lighthouse.kubernetes.monitor.ClusterService;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** What a turn of the loop decides, and when that is carried out. */
class SchedulingCycleTest {
  private static final SchedulerSettings SETTINGS = SchedulerSettings.STANDARD;

  private final PodQueue queue =
      new PodQueue(Duration.ofSeconds(1), Duration.ofSeconds(10), pod -> pod.groupKey());

  private final AtomicBoolean leads = new AtomicBoolean(true);
  @AutoClose private final ScriptedServer server = new ScriptedServer();

  /** A strategy that takes as long for a pod as the pods of a turn may take together. */
  private static Distributors.Builder slow() {
    return Distributors.of(
        "slow",
        (pod, nodes) -> {
          long begun = System.nanoTime();
          while (System.nanoTime() - begun < SchedulingCycle.LONGEST_DECIDING) {
            Thread.onSpinWait();
          }
          return nodes.first();
        });
  }

  private void addPod(Cluster cluster, String name) {
    ObjectNode pod = Objects.pod(name, "1", "0");
    pod.withObjectProperty("metadata").put("uid", name).put("namespace", "default");
    cluster.podChanged(pod);
    queue.add(cluster.waitingPod(name).orElseThrow(), false);
  }

  private CallWorkers workers() {
    return new CallWorkers(
        "test",
        1,
        SETTINGS.binding().timeout(),
        new LinkedBlockingQueue<>(),
        leads::get,
        (thread, thrown) -> thrown.printStackTrace());
  }

  @Test
  void aPodThatTakesLongIsBoundBeforeTheNextAndEndsTheTurn() throws Exception {
    Cluster cluster = Clusters.of(slow());
    cluster.nodeChanged(Objects.node("n1", "a", "64", "64Gi", 99));
    addPod(cluster, "p");
    addPod(cluster, "q");
    CountDownLatch answer = new CountDownLatch(1);
    server.thenFrom(answer, 403, "{}");
    try (ClusterService service =
            new ClusterService(server.access(), SETTINGS, line -> {}, Clock.systemUTC(), null);
        CallWorkers workers = workers()) {
      PodsOnTheWay onTheWay =
          new PodsOnTheWay(
              service,
              SETTINGS,
              cluster,
              queue,
              null,
              new Binder(service.server(), workers, node -> true, service.metrics()),
              new VolumeWriter(null, workers),
              new DeviceWriter(null, workers, Clock.systemUTC()));
      SchedulingCycle cycle =
          new SchedulingCycle(
              service, SETTINGS.binding(), cluster, queue, null, onTheWay, null, null);
      try {
        cycle.run();
        assertThat(onTheWay.inFlight()).isOne();
        cycle.run();
        assertThat(onTheWay.inFlight()).isEqualTo(2);
      } finally {
        leads.set(false);
        answer.countDown();
      }
    }
  }
}

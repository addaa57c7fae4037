package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.decide.Clusters;
import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.volume.StorageKind;
import io.lighthouse.kubernetes.config.SettingsFile;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.ScriptedServer;
import io.lighthouse.kubernetes.control.Storage;
import io.lighthouse.kubernetes.monitor.ClusterService;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** How many pods are counted as on the way. */
class PodsOnTheWayTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final Cluster cluster = Clusters.of(Distributors.installed().strategy("prioritized"));
  @AutoClose private final ScriptedServer server = new ScriptedServer();

  /** A pod with a claim that gets its volume with the node. */
  private Binding placedPod() {
    cluster.nodeChanged(Objects.node("n1", "a", "64", "64Gi", 99));
    cluster.storageChanged(
        StorageKind.CLASS,
        Objects.json(
            "{'metadata':{'name':'made'},'provisioner':'d',"
                + "'volumeBindingMode':'WaitForFirstConsumer'}"));
    cluster.storageChanged(
        StorageKind.CLAIM,
        Objects.json(
            "{'metadata':{'name':'p','namespace':'default','uid':'c','resourceVersion':'7'},"
                + "'spec':{'storageClassName':'made',"
                + "'resources':{'requests':{'storage':'1Gi'}}}}"));
    ObjectNode pod = Storage.pod("p", "p");
    pod.withObjectProperty("metadata").put("uid", "p").put("namespace", "default");
    cluster.podChanged(pod);
    return new Binding((Decision.Bind) cluster.decide(List.of("p")).get(0), "p", 0);
  }

  private CallWorkers workers() {
    return new CallWorkers(
        "test",
        1,
        LIMIT,
        new LinkedBlockingQueue<>(),
        () -> true,
        (thread, thrown) -> thrown.printStackTrace());
  }

  @Test
  void aPodCountsWhileItsVolumesAreBeingWritten() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    server.thenFrom(
        answer,
        200,
        "{'metadata':{'name':'p','namespace':'default','uid':'c','annotations':"
            + "{'volume.kubernetes.io/selected-node':'n1'}},'spec':{}}");
    try (ClusterService service =
            new ClusterService(
                server.access(),
                SettingsFile.read("s", "{}"),
                line -> {},
                Clock.systemUTC(),
                null);
        CallWorkers volumes = workers();
        CallWorkers others = workers()) {
      ObjectWrites writes =
          new ObjectWrites(service.server(), volumes, service.metrics(), "volume");
      PodsOnTheWay onTheWay =
          new PodsOnTheWay(
              service,
              SettingsFile.read("s", "{}"),
              cluster,
              null,
              null,
              new Binder(service.server(), others, node -> true, service.metrics()),
              new VolumeWriter(writes, volumes),
              new DeviceWriter(writes, others, Clock.systemUTC()));
      onTheWay.bind("p", List.of(placedPod()));
      assertThat(onTheWay.waiting()).isEqualTo(1);
      answer.countDown();
    }
  }
}

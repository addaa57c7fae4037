package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.decide.Clusters;
import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import io.lighthouse.kubernetes.cluster.volume.VolumeWork;
import io.lighthouse.kubernetes.config.SchedulerSettings;
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
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** How many pods are counted as on the way, and how many may be. */
class PodsOnTheWayTest {
  private static final Duration LIMIT = Duration.ofSeconds(1);

  private final Cluster cluster =
      Clusters.withDevices(Distributors.installed().strategy("prioritized"));
  private final AtomicBoolean leads = new AtomicBoolean(true);
  @AutoClose private final ScriptedServer server = new ScriptedServer();

  /** A pod with a claim of its name that gets its volume with the node. */
  private Binding placedPod(String name) {
    cluster.nodeChanged(Objects.node("n1", "a", "64", "64Gi", 99));
    cluster.changed(
        Resource.STORAGE_CLASSES,
        Objects.json(
            "{'metadata':{'name':'made'},'provisioner':'d',"
                + "'volumeBindingMode':'WaitForFirstConsumer'}"));
    claim(name, "", "");
    ObjectNode pod = Storage.pod(name, name);
    pod.withObjectProperty("metadata").put("uid", name).put("namespace", "default");
    cluster.podChanged(pod);
    return new Binding((Decision.Bind) cluster.decide(List.of(name)).get(0), name, 0);
  }

  private void claim(String name, String annotations, String spec) {
    cluster.changed(
        Resource.CLAIMS,
        Objects.json(
            "{'metadata':{'name':'%s','namespace':'default','uid':'c-%s','resourceVersion':'7',"
                + "'annotations':{%s}},"
                + "'spec':{'storageClassName':'made',"
                + "'resources':{'requests':{'storage':'1Gi'}}%s}}",
            name, name, annotations, spec));
  }

  private void bindClaim(String name) {
    claim(
        name,
        "'volume.kubernetes.io/selected-node':'n1','pv.kubernetes.io/bind-completed':'yes'",
        ",'volumeName':'v-" + name + "'");
    cluster.changed(
        Resource.VOLUMES,
        Objects.json(
            "{'metadata':{'name':'v-%s'},'spec':{'storageClassName':'made',"
                + "'capacity':{'storage':'1Gi'},'claimRef':{'namespace':'default','name':'%s',"
                + "'uid':'c-%s'}}}",
            name, name, name));
  }

  private CallWorkers workers() {
    return new CallWorkers(
        "test",
        1,
        LIMIT,
        new LinkedBlockingQueue<>(),
        leads::get,
        (thread, thrown) -> thrown.printStackTrace());
  }

  /** What a test does while no call is answered. */
  @FunctionalInterface
  private interface Steps {
    void take(PodsOnTheWay onTheWay);
  }

  private void whileNoCallIsAnswered(String settings, Steps steps) throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    server.thenFrom(answer, 403, "{}");
    SchedulerSettings read = SettingsFile.read("s", settings);
    try (ClusterService service =
            new ClusterService(server.access(), read, line -> {}, Clock.systemUTC(), null);
        CallWorkers volumes = workers();
        CallWorkers devices = workers();
        CallWorkers bindings = workers()) {
      ObjectWrites writes =
          new ObjectWrites(service.server(), volumes, service.metrics(), "volume");
      PodsOnTheWay onTheWay =
          new PodsOnTheWay(
              service,
              read,
              cluster,
              null,
              null,
              new Binder(service.server(), bindings, node -> true, service.metrics()),
              new VolumeWriter(writes, volumes),
              new DeviceWriter(writes, devices, Clock.systemUTC()));
      try {
        steps.take(onTheWay);
      } finally {
        leads.set(false);
        answer.countDown();
      }
    }
  }

  @Test
  void aPodCountsWhileItsVolumesAreBeingWritten() throws Exception {
    whileNoCallIsAnswered(
        "{}",
        onTheWay -> {
          onTheWay.bind("p", List.of(placedPod("p")));
          assertThat(onTheWay.waiting()).isEqualTo(1);
        });
  }

  private void getsItsVolume(PodsOnTheWay onTheWay, Binding binding) {
    String name = binding.uid();
    onTheWay.bind(name, List.of(binding));
    VolumeWork work = cluster.volumes().work(name).orElseThrow();
    onTheWay.volumesWritten(new Message.VolumesWritten(binding, work, List.of(), ""));
    bindClaim(name);
    onTheWay.changed(Resource.CLAIMS, "default/" + name);
  }

  /** It may be on its node. */
  @Test
  void aVictimWhoseBindingWasSentIsNotPutBack() throws Exception {
    whileNoCallIsAnswered(
        "{}",
        onTheWay -> {
          Binding binding = placedPod("p");
          getsItsVolume(onTheWay, binding);
          onTheWay.endVolumeWaits(1);
          assertThatItsBindingWasSent(onTheWay, binding);
        });
  }

  private static void assertThatItsBindingWasSent(PodsOnTheWay onTheWay, Binding binding) {
    List<WaitingPod> victims = List.of(binding.decision().pod());
    Decision.Preempt preempt =
        new Decision.Preempt(
            WaitingPods.of("u", "u"), "m", "n1", victims, List.of(), List.of(), "w");
    assertThat(onTheWay.putBackVictims(preempt)).isEqualTo(preempt);
  }

  /** A pod of the gang g on n1 with a claim to the device of its name. */
  private Binding placedWithDevice(String name) {
    cluster.nodeChanged(Objects.node("n1", "a", "64", "64Gi", 99));
    cluster.changed(
        Resource.DEVICE_CLASSES,
        Objects.json("{'metadata':{'name':'any'},'spec':{'selectors':[]}}"));
    cluster.changed(
        Resource.RESOURCE_SLICES,
        Objects.json(
            "{'metadata':{'name':'s'},'spec':{'driver':'example.com','pool':{'name':'n1',"
                + "'generation':1,'resourceSliceCount':1},'nodeName':'n1',"
                + "'devices':[{'name':'d0'},{'name':'d1'}]}}"));
    cluster.changed(
        Resource.RESOURCE_CLAIMS,
        Objects.json(
            "{'metadata':{'name':'%s','namespace':'default','uid':'c-%s'},'spec':{'devices':"
                + "{'requests':[{'name':'r','exactly':{'deviceClassName':'any'}}]}}}",
            name, name));
    ObjectNode pod = Objects.pod(name, "1", "0");
    pod.withObjectProperty("spec")
        .putArray("resourceClaims")
        .addObject()
        .put("name", name)
        .put("resourceClaimName", name);
    return placedInGang(name, pod);
  }

  private Binding placedInGang(String name, ObjectNode pod) {
    pod.withObjectProperty("metadata").put("uid", name).put("namespace", "default");
    cluster.podChanged(pod);
    return new Binding((Decision.Bind) cluster.decide(List.of(name)).get(0), "g", 0);
  }

  /** As where one of its pods was put back for a more urgent one, and found a node again. */
  @Test
  void aGangIsWholeWhereAPodIsPlacedAgainWhileItsClaimsAreWritten() throws Exception {
    whileNoCallIsAnswered(
        "{}",
        onTheWay -> {
          Binding writes = placedWithDevice("p");
          Binding first = placedInGang("q", Objects.pod("q", "1", "0"));
          Binding again = new Binding(first.decision(), "g", 1);
          onTheWay.bind("g", List.of(writes, first));
          onTheWay.bind("g", List.of(again));
          onTheWay.devicesWritten(new Message.DevicesWritten(writes, List.of(), "", false));
          assertThatItsBindingWasSent(onTheWay, writes);
          assertThatItsBindingWasSent(onTheWay, again);
        });
  }

  /** Its earlier place is no concern of the gang any more. */
  @Test
  void aGangIsWholeWhereOnlyAnEarlierWriteFailed() throws Exception {
    whileNoCallIsAnswered(
        "{}",
        onTheWay -> {
          Binding first = placedWithDevice("p");
          Binding again = new Binding(first.decision(), "g", 1);
          onTheWay.bind("g", List.of(first));
          onTheWay.bind("g", List.of(again));
          onTheWay.devicesWritten(new Message.DevicesWritten(first, List.of(), "no", false));
          onTheWay.devicesWritten(new Message.DevicesWritten(again, List.of(), "", false));
          assertThatItsBindingWasSent(onTheWay, again);
        });
  }

  @Test
  void asManyPodsWithVolumesAreBoundAsMayBeInFlight() throws Exception {
    whileNoCallIsAnswered(
        "binding: {inFlight: 2}",
        onTheWay -> {
          for (String name : List.of("p", "q", "r")) {
            getsItsVolume(onTheWay, placedPod(name));
          }
          onTheWay.endVolumeWaits(2);
          assertThat(onTheWay.inFlight()).isEqualTo(2);
          int writes = 3;
          assertThat(onTheWay.waiting()).isEqualTo(writes + 1);
        });
  }
}

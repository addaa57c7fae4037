package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.FailingGateway;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.Storage;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Pods whose claims get their volumes with the pod's node. The test is the volume controller. */
class VolumeBindingTest extends OnControlPlane {
  private static final String IMPATIENT = QUICK.replace("2s}", "2s, volumeTimeout: 500ms}");
  private static final String NONE = "kubernetes.io/no-provisioner";
  private static final String MAKES = "example.com/provisioner";

  /** Within this time a pod would have been bound that did not wait. */
  private static final long MOMENT = 400;

  @BeforeEach
  void addNodes() throws IOException {
    for (int i = 0; i < 3; i++) {
      bench.addNode("n" + i, "z" + i, "4", "8Gi", 20);
    }
  }

  private static void assertUnbound(String pod) throws Exception {
    TimeUnit.MILLISECONDS.sleep(MOMENT);
    assertThat(Bench.nodeOf(bench.pod(pod))).isEmpty();
  }

  private long lines(String part) {
    return log.stream().filter(line -> line.contains(part)).count();
  }

  @Test
  void aVolumeGetsItsClaimBeforeThePodGetsItsNode() throws Exception {
    Storage storage = new Storage(plane.admin(), "static", NONE);
    storage.addVolume("static-v", "n1");
    storage.addClaim("static-c");
    bench.add(Storage.pod("static-p", "static-c"));
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      storage.awaitReference("static-v", "static-c");
      assertThat(storage.reference("static-v").path("uid"))
          .isEqualTo(storage.claim("static-c").path("metadata").path("uid"));
      assertThat(storage.volume("static-v").path("metadata").path("annotations").toString())
          .contains("\"pv.kubernetes.io/bound-by-controller\":\"yes\"");
      assertUnbound("static-p");
      storage.bind("static-c", "static-v");
      assertThat(bench.awaitNode("static-p")).isEqualTo("n1");
      assertThat(scheduler.monitor()).isEmpty();
    }
  }

  @Test
  void aClaimGetsANodeForWhichItsVolumeIsMade() throws Exception {
    Storage storage = new Storage(plane.admin(), "dynamic", MAKES);
    storage.addClaim("dynamic-c");
    bench.add(Storage.pod("dynamic-p", "dynamic-c"));
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      String node = storage.awaitSelected("dynamic-c");
      assertUnbound("dynamic-p");
      storage.provision("dynamic-c", node);
      assertThat(bench.awaitNode("dynamic-p")).isEqualTo(node);
      assertThat(scheduler.monitor()).isEmpty();
    }
  }

  /** However many they are, and however often they are tried before it. */
  @Test
  void aPodWithoutVolumesDoesNotWaitForTheWritesOfOthers() throws Exception {
    Storage storage = new Storage(plane.admin(), "many", MAKES);
    for (int i = 0; i < 12; i++) {
      storage.addClaim("many-" + i);
      ObjectNode pod = Storage.pod("many-" + i, "many-" + i);
      pod.withObjectProperty("spec").put("priorityClassName", "system-node-critical");
      if (plane.isFake()) {
        // What the admission of a real server does.
        pod.withObjectProperty("spec").put("priority", 2_000_001_000);
      }
      bench.add(pod);
    }
    bench.add(Objects.pod("plain", "1", "1Gi"));
    try (FailingGateway gateway = new FailingGateway(plane.scheduler(), 1)) {
      gateway.answer("/persistentvolumeclaims/", 503);
      String one = QUICK.replace("2s}", "2s, inFlight: 1}");
      try (KubernetesScheduler scheduler = scheduler(gateway.access(), one)) {
        bench.awaitNode("plain");
        assertThat(scheduler.monitor()).isEmpty();
      }
    }
  }

  @Test
  void twoPodsDoNotGetOneVolume() throws Exception {
    Storage storage = new Storage(plane.admin(), "one", NONE);
    storage.addVolume("one-v", "n2");
    storage.addClaim("one-a");
    storage.addClaim("one-b");
    bench.add(Storage.pod("one-a", "one-a"));
    bench.add(Storage.pod("one-b", "one-b"));
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      Bench.until(() -> !storage.reference("one-v").isMissingNode(), () -> "no claim in " + log);
      String got = storage.reference("one-v").path("name").asString();
      String other = got.equals("one-a") ? "one-b" : "one-a";
      storage.bind(got, "one-v");
      assertThat(bench.awaitNode(got)).isEqualTo("n2");
      assertThat(Bench.message(bench.await(other, pod -> !Bench.message(pod).isEmpty())))
          .startsWith(
              "0/3 nodes are available: 3 node(s) didn't find available persistent volumes to bind.");
      storage.addVolume("one-w", "n0");
      storage.awaitReference("one-w", other);
      storage.bind(other, "one-w");
      assertThat(bench.awaitNode(other)).isEqualTo("n0");
      assertThat(scheduler.monitor()).isEmpty();
    }
  }

  @Test
  void aPodWaitsForItsClaimToCome() throws Exception {
    Storage storage = new Storage(plane.admin(), "late", MAKES);
    bench.add(Storage.pod("late-p", "late-c"));
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      assertThat(Bench.message(bench.await("late-p", pod -> !Bench.message(pod).isEmpty())))
          .startsWith("0/3 nodes are available: persistentvolumeclaim \"late-c\" not found.");
      storage.addClaim("late-c");
      storage.provision("late-c", storage.awaitSelected("late-c"));
      bench.awaitNode("late-p");
      assertThat(scheduler.monitor()).isEmpty();
    }
  }

  @Test
  void afterTheTimeLimitThePodIsDecidedAgain() throws Exception {
    Storage storage = new Storage(plane.admin(), "slow", MAKES);
    storage.addClaim("slow-c");
    bench.add(Storage.pod("slow-p", "slow-c"));
    try (KubernetesScheduler scheduler = scheduler(IMPATIENT)) {
      String node = storage.awaitSelected("slow-c");
      JsonNode late =
          bench.await("slow-p", pod -> Bench.message(pod).startsWith("binding volumes: "));
      assertThat(Bench.message(late)).isEqualTo("binding volumes: not bound within 500ms");
      Bench.until(() -> lines("volumes-not-bound") > 1, () -> "not tried again: " + log);
      assertThat(storage.selectedNode("slow-c")).isEqualTo(node);
      assertThat(Bench.nodeOf(bench.pod("slow-p"))).isEmpty();
      storage.provision("slow-c", node);
      assertThat(bench.awaitNode("slow-p")).isEqualTo(node);
      assertThat(scheduler.monitor()).isEmpty();
    }
  }

  @Test
  void aProvisionerThatFailsGetsAnotherChance() throws Exception {
    Storage storage = new Storage(plane.admin(), "failing", MAKES);
    storage.addClaim("failing-c");
    bench.add(Storage.pod("failing-p", "failing-c"));
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      storage.awaitSelected("failing-c");
      storage.unselect("failing-c");
      Bench.until(
          () -> lines("provisioning failed for PVC \\\"failing-c\\\"") > 0,
          () -> "not given back: " + log);
      String node = storage.awaitSelected("failing-c");
      storage.provision("failing-c", node);
      assertThat(bench.awaitNode("failing-p")).isEqualTo(node);
      assertThat(scheduler.monitor()).isEmpty();
    }
  }

  @Test
  void aNodeThatGoesEndsTheWaitForItsVolumes() throws Exception {
    Storage storage = new Storage(plane.admin(), "moves", MAKES);
    storage.addClaim("moves-c");
    bench.add(Storage.pod("moves-p", "moves-c"));
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      String node = storage.awaitSelected("moves-c");
      Bench.until(() -> scheduler.term().inFlight() == 1, () -> "does not wait: " + log);
      bench.deleteNode(node);
      Bench.until(
          () -> lines("node \\\"" + node + "\\\" not found") > 0, () -> "still waits: " + log);
      assertThat(scheduler.monitor()).isEmpty();
    }
  }

  @Test
  void aNewLeaderGoesOnWhereTheOldOneEnded() throws Exception {
    Storage storage = new Storage(plane.admin(), "restart", MAKES);
    Storage local = new Storage(plane.admin(), "restart-local", NONE);
    for (String name : new String[] {"restart-a", "restart-b"}) {
      storage.addClaim(name);
      bench.add(Storage.pod(name, name));
    }
    local.addVolume("restart-v", "n0");
    local.addVolume("restart-w", "n2");
    local.addClaim("restart-l");
    bench.add(Storage.pod("restart-l", "restart-l"));
    String first;
    String second;
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      first = storage.awaitSelected("restart-a");
      second = storage.awaitSelected("restart-b");
      Bench.until(
          () -> reference(local, "restart-v", "restart-w") != null, () -> "no claim in " + log);
      assertThat(scheduler.monitor()).isEmpty();
    }
    // One claim is bound while no scheduler runs, the others afterwards.
    storage.provision("restart-a", first);
    String volume = reference(local, "restart-v", "restart-w");
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      assertThat(bench.awaitNode("restart-a")).isEqualTo(first);
      assertUnbound("restart-b");
      assertThat(storage.selectedNode("restart-b")).isEqualTo(second);
      assertThat(reference(local, "restart-v", "restart-w")).isEqualTo(volume);
      storage.provision("restart-b", second);
      local.bind("restart-l", volume);
      assertThat(bench.awaitNode("restart-b")).isEqualTo(second);
      assertThat(bench.awaitNode("restart-l")).isEqualTo(volume.equals("restart-v") ? "n0" : "n2");
      assertThat(scheduler.monitor()).isEmpty();
    }
  }

  /** The one of some volumes that is for a claim; null where none is. */
  private static String reference(Storage storage, String... volumes) throws IOException {
    String found = null;
    for (String volume : volumes) {
      if (!storage.reference(volume).isMissingNode()) {
        assertThat(found).as("a second volume beside %s", volume).isNull();
        found = volume;
      }
    }
    return found;
  }

  @Test
  void aPodThatGoesFreesItsVolume() throws Exception {
    Storage storage = new Storage(plane.admin(), "goes", MAKES);
    storage.addClaim("goes-c");
    bench.add(Storage.pod("goes-p", "goes-c"));
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      String node = storage.awaitSelected("goes-c");
      bench.deletePod("goes-p");
      Bench.until(
          () -> scheduler.term() != null && scheduler.term().inFlight() == 0,
          () -> "still waits: " + log);
      bench.add(Storage.pod("goes-q", "goes-c"));
      storage.provision("goes-c", node);
      assertThat(bench.awaitNode("goes-q")).isEqualTo(node);
    }
  }

  /** A finalizer keeps the pod, but the server does not bind it any more. */
  @Test
  void aPodThatIsBeingDeletedFreesItsRoom() throws Exception {
    Storage storage = new Storage(plane.admin(), "ends", MAKES);
    storage.addClaim("ends-c");
    ObjectNode pod = Storage.pod("ends-p", "ends-c");
    pod.withObjectProperty("metadata").putArray("finalizers").add("example.com/keep");
    bench.add(pod);
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      storage.awaitSelected("ends-c");
      bench.deletePod("ends-p");
      for (int i = 0; i < 3; i++) {
        bench.add(Objects.pod("ends-" + i, "4", "64Mi"));
      }
      for (int i = 0; i < 3; i++) {
        bench.awaitNode("ends-" + i);
      }
      assertThat(Bench.nodeOf(bench.pod("ends-p"))).isEmpty();
      assertThat(lines("volumes-not-bound")).as("no call has failed").isZero();
      assertThat(scheduler.monitor()).isEmpty();
    } finally {
      bench
          .admin()
          .patch(
              "/api/v1/namespaces/default/pods/ends-p",
              Objects.json("{'metadata':{'finalizers':null}}"));
    }
  }
}

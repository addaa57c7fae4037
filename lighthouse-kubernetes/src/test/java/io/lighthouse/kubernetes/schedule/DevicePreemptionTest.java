package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.DeviceObjects;
import io.lighthouse.kubernetes.control.PriorityPods;
import io.lighthouse.kubernetes.control.PriorityPods.Importance;
import io.lighthouse.kubernetes.control.RealControlPlane;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Important pods with claims to devices come to full nodes. As for kube-scheduler, an eviction
 * frees processors and no device: its DynamicResources has no PreFilterExtensions. The test is the
 * driver and the claim controller.
 */
class DevicePreemptionTest extends OnDevices {
  /** Within this time a pod would have been evicted or bound that was not. */
  private static final long MOMENT = 400;

  private static PriorityPods pods;

  @BeforeAll
  static void start() {
    pods = new PriorityPods(plane, bench);
  }

  private static JsonNode add(String name, Importance of, String cpu, String... claims)
      throws IOException {
    return bench.add(DeviceObjects.withClaims(pods.pod(name, of, cpu), claims));
  }

  /** Adds a pod that is on a node, and has a device of it. */
  private static void placeWithDevice(
      String name, Importance of, String cpu, String node, String device) throws IOException {
    devices.addClaim(name, 1);
    ObjectNode pod = DeviceObjects.withClaims(pods.pod(name, of, cpu), name);
    // The claim has its device before the pod is seen on the node.
    pod.withObjectProperty("spec").put("schedulerName", "another");
    devices.allocate(name, node, device, bench.add(pod));
    bench.bind(name, node);
  }

  private static boolean ends(String pod) throws IOException {
    try {
      return PriorityPods.ends(bench.pod(pod));
    } catch (ApiException gone) {
      assertThat(gone.code()).isEqualTo(404);
      return true;
    }
  }

  private static void assertHere(String... names) throws Exception {
    TimeUnit.MILLISECONDS.sleep(MOMENT);
    for (String name : names) {
      assertThat(ends(name)).as(name).isFalse();
    }
  }

  @Test
  void processorsAreFreedOnTheNodeThatHasAFreeDevice() throws Exception {
    devices.addDevices("n1", 1);
    for (int i = 0; i < 3; i++) {
      // By importance the victim would be on another node.
      pods.place("low-" + i, i == 1 ? Importance.CLUSTER : Importance.PLAIN, "4", "n" + i);
    }
    devices.addClaim("c", 1);
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      add("urgent", Importance.NODE, "2", "c");
      bench.await("low-1", PriorityPods::ends);
      assertHere("low-0", "low-2");
      assertThat(DeviceObjects.isAllocated(devices.claim("c"))).isFalse();
      bench.deletePod("low-1");
      assertThat(bench.awaitNode("urgent")).isEqualTo("n1");
      assertThat(DeviceObjects.devicesOf(devices.claim("c"))).containsExactly("n1/d0");
      assertHere("low-0", "low-2");
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @Test
  void aPodThatWaitsForVictimsKeepsTheDeviceThatItNeeds() throws Exception {
    devices.addDevices("n1", 1);
    pods.place("low", Importance.PLAIN, "4", "n1");
    devices.addClaim("c", 1);
    devices.addClaim("d", 1);
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      add("urgent", Importance.NODE, "2", "c");
      bench.await("low", PriorityPods::ends);
      // It needs no processors, so it fits beside the pod that ends.
      add("other", Importance.PLAIN, "0", "d");
      bench.awaitMessage("other", "0/3 nodes are available: 3 cannot allocate all claims.");
      bench.deletePod("low");
      assertThat(bench.awaitNode("urgent")).isEqualTo("n1");
      assertThat(DeviceObjects.devicesOf(devices.claim("c"))).containsExactly("n1/d0");
      bench.deletePod("urgent");
      devices.control();
      assertThat(bench.awaitNode("other")).isEqualTo("n1");
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @Test
  void nobodyIsEvictedForADevice() throws Exception {
    devices.addDevices("n1", 1);
    placeWithDevice("low", Importance.PLAIN, "1", "n1", "d0");
    devices.addClaim("c", 1);
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      add("urgent", Importance.NODE, "1", "c");
      bench.awaitMessage(
          "urgent",
          "0/3 nodes are available: 3 cannot allocate all claims. preemption: 0/3 nodes are"
              + " available: 3 Preemption is not helpful for scheduling.");
      assertHere("low");
      // Once it has gone, its claim gives the device back.
      bench.deletePod("low");
      devices.control();
      assertThat(bench.awaitNode("urgent")).isEqualTo("n1");
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @Test
  void nobodyIsEvictedForProcessorsOfNodesWithoutAFreeDevice() throws Exception {
    devices.addDevices("n1", 1);
    pods.place("low-0", Importance.PLAIN, "4", "n0");
    placeWithDevice("low-1", Importance.PLAIN, "4", "n1", "d0");
    devices.addClaim("c", 1);
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      add("urgent", Importance.NODE, "2", "c");
      bench.awaitMessage(
          "urgent",
          "0/3 nodes are available: 1 cannot allocate all claims, 2 Insufficient cpu. preemption:"
              + " 0/3 nodes are available: 1 Preemption is not helpful for scheduling, 2 cannot"
              + " allocate all claims.");
      assertHere("low-0", "low-1");
      // A device that comes makes the eviction of a pod helpful.
      devices.addDevices("n0", 1);
      bench.await("low-0", PriorityPods::ends);
      assertHere("low-1");
      bench.deletePod("low-0");
      assertThat(bench.awaitNode("urgent")).isEqualTo("n0");
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @Test
  void theStockSchedulerEvictsNobodyThereEither() throws Exception {
    Assumptions.assumeTrue(plane instanceof RealControlPlane, "needs kube-scheduler");
    ((RealControlPlane) plane).startStockScheduler();
    devices.addDevices("n1", 1);
    pods.place("low-0", Importance.PLAIN, "4", "n0");
    placeWithDevice("low-1", Importance.PLAIN, "4", "n1", "d0");
    devices.addClaim("c", 1);
    ObjectNode urgent = DeviceObjects.withClaims(pods.pod("urgent", Importance.NODE, "2"), "c");
    urgent.withObjectProperty("spec").put("schedulerName", "default-scheduler");
    bench.add(urgent);
    JsonNode refused = bench.await("urgent", now -> Bench.message(now).contains("preemption: "));
    assertThat(Bench.message(refused))
        .startsWith("0/3 nodes are available: 1 cannot allocate all claims, 2 Insufficient cpu.")
        .contains("1 Preemption is not helpful for scheduling, 2 cannot allocate all claims.");
    assertHere("low-0", "low-1");
    devices.addDevices("n0", 1);
    bench.await("low-0", PriorityPods::ends);
    assertHere("low-1");
  }

  @Test
  void podsAreEvictedOnlyOnTheNodeOfTheDevicesThatAClaimHas() throws Exception {
    for (int i = 0; i < 3; i++) {
      devices.addDevices("n" + i, 1);
      pods.place("low-" + i, i == 2 ? Importance.CLUSTER : Importance.PLAIN, "4", "n" + i);
    }
    devices.addClaim("c", 1);
    JsonNode urgent = add("urgent", Importance.NODE, "2", "c");
    // As an earlier turn of the pod left it, when the node had room.
    devices.allocate("c", "n2", "d0", urgent);
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      bench.await("low-2", PriorityPods::ends);
      assertHere("low-0", "low-1");
      bench.deletePod("low-2");
      assertThat(bench.awaitNode("urgent")).isEqualTo("n2");
      assertHere("low-0", "low-1");
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @Test
  void theDeviceOfAVictimIsFreeOnceItsClaimHasGivenItBack() throws Exception {
    devices.addDevices("n1", 2);
    placeWithDevice("low", Importance.PLAIN, "3", "n1", "d0");
    pods.place("other-0", Importance.NODE, "4", "n0");
    pods.place("other-2", Importance.NODE, "4", "n2");
    devices.addClaim("c", 1);
    devices.addClaim("d", 1);
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      add("urgent", Importance.CLUSTER, "3", "c");
      bench.await("low", PriorityPods::ends);
      bench.deletePod("low");
      assertThat(bench.awaitNode("urgent")).isEqualTo("n1");
      assertThat(DeviceObjects.devicesOf(devices.claim("c"))).containsExactly("n1/d1");
      // The victim's claim has its device until the controller takes it.
      add("next", Importance.PLAIN, "500m", "d");
      bench.awaitMessage(
          "next", "0/3 nodes are available: 1 cannot allocate all claims, 2 Insufficient");
      assertThat(DeviceObjects.devicesOf(devices.claim("low"))).containsExactly("n1/d0");
      devices.control();
      assertThat(bench.awaitNode("next")).isEqualTo("n1");
      assertThat(DeviceObjects.devicesOf(devices.claim("d"))).containsExactly("n1/d0");
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }
}

package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.control.DeviceObjects;
import io.lighthouse.kubernetes.control.FailingGateway;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** When a claim gives its devices back, and when it keeps them. */
class DevicesGivenBackTest extends OnDevices {
  /** After this number of failed calls, devices are not given back. */
  private static final int WRITE_TRIES = 4;

  @Test
  void aPodThatGoesBeforeItIsBoundFreesItsDevice() throws Exception {
    devices.addDevices("n1", 1);
    devices.addClaim("goes", 1);
    devices.addClaim("comes", 1);
    bench.add(DeviceObjects.pod("goes", "goes"));
    try (FailingGateway gateway = new FailingGateway(plane.scheduler(), 1);
        KubernetesScheduler scheduler = scheduler(gateway.access(), QUICK)) {
      gateway.failBinding(1, Integer.MAX_VALUE);
      devices.awaitAllocated("goes");
      bench.add(DeviceObjects.pod("comes", "comes"));
      bench.awaitMessage("comes", "0/3 nodes are available: 3 cannot allocate all claims.");
      bench.deletePod("goes");
      devices.control();
      assertThat(bench.awaitNode("comes")).isEqualTo("n1");
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @Test
  void aClaimOnAFullNodeGivesItsDeviceBackAndThePodGoesElsewhere() throws Exception {
    addDevicesToAllNodes(1);
    fill("n0");
    devices.addClaim("c", 1);
    JsonNode pod = bench.add(DeviceObjects.pod("p", "c"));
    // As an earlier turn of the pod left it, when the node had room.
    devices.allocate("c", "n0", "d0", pod);
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      String node = bench.awaitNode("p");
      assertThat(node).isIn("n1", "n2");
      assertThat(DeviceObjects.devicesOf(devices.claim("c"))).containsExactly(node + "/d0");
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @Test
  void aDeviceThatCouldNotBeGivenBackIsGivenBackLater() throws Exception {
    addDevicesToAllNodes(1);
    fill("n0");
    devices.addClaim("c", 1);
    devices.allocate("c", "n0", "d0");
    bench.add(DeviceObjects.pod("p", "c"));
    try (FailingGateway gateway = new FailingGateway(plane.scheduler(), 1)) {
      gateway.failWrites("/c/status", WRITE_TRIES);
      try (KubernetesScheduler scheduler = scheduler(gateway.access(), QUICK)) {
        assertThat(bench.awaitNode("p")).isIn("n1", "n2");
        assertThat(log).anyMatch(line -> line.contains("devices-not-freed"));
        assertThat(scheduler.monitor()).isEmpty();
      }
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @Test
  void aClaimThatAnotherPodUsesKeepsItsDevice() throws Exception {
    addDevicesToAllNodes(1);
    devices.addClaim("c", 1);
    ObjectNode other = DeviceObjects.pod("other", "c");
    other.withObjectProperty("spec").put("schedulerName", "another");
    devices.allocate("c", "n0", "d0", bench.add(other));
    fill("n0");
    bench.add(DeviceObjects.pod("p", "c"));
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      bench.awaitMessage(
          "p",
          "0/3 nodes are available: 1 Insufficient cpu, 2 resourceclaim not available on the node.");
      assertStaysUnbound("p");
      assertThat(DeviceObjects.devicesOf(devices.claim("c"))).containsExactly("n0/d0");
      // Once the other pod has gone, nothing keeps the claim there.
      bench.deletePod("other");
      devices.control();
      assertThat(bench.awaitNode("p")).isIn("n1", "n2");
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }
}

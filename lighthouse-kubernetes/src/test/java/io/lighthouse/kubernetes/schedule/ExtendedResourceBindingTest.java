package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.DeviceObjects;
import io.lighthouse.kubernetes.control.FailingGateway;
import io.lighthouse.kubernetes.control.GangKind;
import io.lighthouse.kubernetes.control.Objects;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Pods that request an extended resource which the class of devices provides: each gets a claim
 * that is created for it. The test is the driver and the claim controller.
 */
class ExtendedResourceBindingTest extends OnDevices {
  private static final String QUICK = OnDevices.QUICK.replace("duration: 3s", "duration: 30s");
  private static final String CLAIMS = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
  private static final String POD = "/api/v1/namespaces/default/pods/p";
  private static final String ANNOTATION = "resource.kubernetes.io/extended-resource-claim";

  /** More failures than tries in one attempt, so the pod is decided again. */
  private static final int MANY = 20;

  @BeforeAll
  static void needTheFeature() {
    Assumptions.assumeTrue(HAS_EXTENDED_RESOURCES, "the server does not have them");
  }

  @BeforeEach
  void provideResource() throws IOException {
    devices.provideResource();
  }

  private static String claimOf(String pod) throws IOException {
    return DeviceObjects.extendedClaimOf(bench.pod(pod));
  }

  private static JsonNode awaitMessage(String pod, String part) throws Exception {
    return bench.await(pod, now -> Bench.message(now).contains(part));
  }

  /** The pod p is bound and has the only claim that there is, with devices of its node. */
  private static void assertBoundWithTheOnlyClaim(int count) throws Exception {
    String node = bench.awaitNode("p");
    List<JsonNode> claims = new ArrayList<>(devices.claims());
    claims.removeIf(claim -> Bench.name(claim).startsWith("mark-"));
    assertThat(claims).hasSize(1);
    JsonNode claim = claims.get(0);
    assertThat(claimOf("p")).isEqualTo(Bench.name(claim));
    assertThat(DeviceObjects.devicesOf(claim)).hasSize(count);
    assertThat(DeviceObjects.devicesOf(claim)).allMatch(device -> device.startsWith(node + "/"));
  }

  @Test
  void theClaimIsCreatedAndNamedBeforeThePodIsBound() throws Exception {
    devices.addDevices("n1", 2);
    bench.add(DeviceObjects.podOfResource("p", 2));
    String uid = bench.pod("p").at("/metadata/uid").asString();
    try (FailingGateway gateway = new FailingGateway(plane.scheduler(), 1);
        KubernetesScheduler scheduler = scheduler(gateway.access(), QUICK)) {
      assertThat(bench.awaitNode("p")).isEqualTo("n1");
      String name = "p-extended-resources-" + uid;
      JsonNode claim = devices.claim(name);
      assertThat(DeviceObjects.devicesOf(claim)).containsExactly("n1/d0", "n1/d1");
      assertThat(DeviceObjects.reservedFor(claim)).containsExactly(uid);
      assertThat(claim.path("metadata").path("annotations").path(ANNOTATION).asString())
          .isEqualTo("true");
      assertThat(claim.at("/metadata/ownerReferences/0/uid").asString()).isEqualTo(uid);
      assertThat(claim.at("/metadata/finalizers/0").asString()).isEqualTo(DeviceObjects.FINALIZER);
      assertThat(bench.pod("p").at("/status/extendedResourceClaimStatus"))
          .isEqualTo(
              Objects.json(
                  "{'requestMappings':[{'containerName':'c','requestName':'container-0-request-1',"
                      + "'resourceName':'%s'}],'resourceClaimName':'%s'}",
                  DeviceObjects.RESOURCE, name));
      List<String> writes = new ArrayList<>(gateway.writes());
      writes.removeIf(write -> !write.contains("/pods/") && !write.contains("claims"));
      assertThat(writes)
          .containsExactly(
              "POST " + CLAIMS,
              "PATCH " + CLAIMS + "/" + name + "/status",
              "PATCH " + POD + "/status",
              "POST " + POD + "/binding");
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @Test
  void aPodWaitsForTheDevicesOfAnother() throws Exception {
    devices.addDevices("n1", 1);
    bench.add(DeviceObjects.podOfResource("p", 1));
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      bench.awaitNode("p");
      String first = claimOf("p");
      bench.add(DeviceObjects.podOfResource("q", 1));
      awaitMessage("q", "0/3 nodes are available: 3 cannot allocate all claims.");
      bench.deletePod("p");
      devices.control();
      assertThat(bench.awaitNode("q")).isEqualTo("n1");
      assertThat(devices.claims()).noneMatch(claim -> Bench.name(claim).equals(first));
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @Test
  void aPodWaitsForTheClassToCome() throws Exception {
    devices.clear();
    devices.addDevices("n1", 1);
    bench.add(DeviceObjects.podOfResource("p", 1));
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      awaitMessage("p", "3 Insufficient " + DeviceObjects.RESOURCE);
      devices.addClass();
      devices.provideResource();
      assertThat(bench.awaitNode("p")).isEqualTo("n1");
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @Test
  void onANodeThatOffersTheResourceItselfNoClaimIsMade() throws Exception {
    ObjectNode status =
        Objects.json(
            "{'status':{'allocatable':{'%s':'2'},'capacity':{'%s':'2'}}}",
            DeviceObjects.RESOURCE, DeviceObjects.RESOURCE);
    bench.admin().patch("/api/v1/nodes/n2/status", status);
    bench.add(DeviceObjects.podOfResource("p", 2));
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      assertThat(bench.awaitNode("p")).isEqualTo("n2");
      assertThat(claimOf("p")).isEmpty();
      assertThat(devices.claims()).isEmpty();
      bench.add(DeviceObjects.podOfResource("q", 1));
      awaitMessage("q", "1 Insufficient " + DeviceObjects.RESOURCE + ", 2 cannot allocate");
      assertThat(scheduler.monitor()).isEmpty();
    }
  }

  /** Whatever call fails, and however often: what it has left is deleted, and the pod is bound. */
  @ParameterizedTest
  @ValueSource(strings = {"/resourceclaims", "/status", "/pods/p/status", "/pods/p/binding"})
  void aCallThatFailsIsTriedAgainFromTheStart(String end) throws Exception {
    devices.addDevices("n1", 1);
    bench.add(DeviceObjects.podOfResource("p", 1));
    try (FailingGateway gateway = new FailingGateway(plane.scheduler(), 1)) {
      gateway.failWrites(end, MANY);
      try (KubernetesScheduler scheduler = scheduler(gateway.access(), QUICK)) {
        assertBoundWithTheOnlyClaim(1);
        assertThat(gateway.failures()).isEqualTo(MANY);
        assertThat(scheduler.monitor()).isEmpty();
      }
      boolean isCreated = !end.equals("/resourceclaims");
      assertThat(gateway.writes().stream().anyMatch(write -> write.startsWith("DELETE " + CLAIMS)))
          .isEqualTo(isCreated);
    }
    assertThat(auditor.findings()).isEmpty();
  }

  /** The first leader ends when some call has failed; the second one has what it has left. */
  @ParameterizedTest
  @ValueSource(strings = {"/resourceclaims", "/status", "/pods/p/status", "/pods/p/binding"})
  void aNewLeaderDeletesWhatTheOldOneHasLeft(String end) throws Exception {
    devices.addDevices("n1", 1);
    bench.add(DeviceObjects.podOfResource("p", 1));
    try (FailingGateway gateway = new FailingGateway(plane.scheduler(), 1)) {
      gateway.failWrites(end, Integer.MAX_VALUE);
      try (KubernetesScheduler scheduler = scheduler(gateway.access(), QUICK)) {
        Bench.until(() -> gateway.failures() > 0, () -> "nothing failed: " + log);
        assertThat(scheduler.monitor()).isEmpty();
      }
    }
    assertThat(Bench.nodeOf(bench.pod("p"))).isEmpty();
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      assertBoundWithTheOnlyClaim(1);
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  /** As kube-scheduler leaves it, with a name that the server made. */
  @Test
  void theClaimOfAnotherSchedulerIsDeleted() throws Exception {
    devices.addDevices("n1", 1);
    JsonNode pod = bench.add(DeviceObjects.podOfResource("p", 1));
    bench
        .admin()
        .post(
            CLAIMS,
            Objects.json(
                "{'apiVersion':'resource.k8s.io/v1','kind':'ResourceClaim','metadata':{"
                    + "'name':'p-extended-resources-x7bq2','annotations':{'%s':'true'},"
                    + "'ownerReferences':[{'apiVersion':'v1','kind':'Pod','name':'p','uid':'%s',"
                    + "'controller':true}]},'spec':{'devices':{'requests':[%s]}}}",
                ANNOTATION, pod.at("/metadata/uid").asString(), DeviceObjects.exactly(1)));
    devices.allocate("p-extended-resources-x7bq2", "n1", "d0", pod);
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      assertBoundWithTheOnlyClaim(1);
      assertThat(claimOf("p")).doesNotEndWith("x7bq2");
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  /** Two pods that need all devices of a node each: the second one is not to get what is left. */
  @Test
  void aDeviceOfALeftClaimIsNotGivenToAnotherPod() throws Exception {
    devices.addDevices("n1", 2);
    bench.add(DeviceObjects.podOfResource("p", 2));
    try (FailingGateway gateway = new FailingGateway(plane.scheduler(), 1)) {
      gateway.failWrites("/pods/p/status", MANY);
      try (KubernetesScheduler scheduler = scheduler(gateway.access(), QUICK)) {
        Bench.until(() -> gateway.failures() > 0, () -> "nothing failed: " + log);
        bench.add(DeviceObjects.podOfResource("q", 2));
        Bench.until(
            () ->
                !Bench.nodeOf(bench.pod("p")).isEmpty() || !Bench.nodeOf(bench.pod("q")).isEmpty(),
            () -> "none is bound: " + log);
        assertThat(scheduler.monitor()).isEmpty();
      }
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @Test
  void noPodOfAGangIsBoundBeforeTheClaimsOfAllAreWritten() throws Exception {
    devices.addDevices("n1", 2);
    for (String name : List.of("p", "q")) {
      bench.add(GangKind.LABELS.member(DeviceObjects.podOfResource(name, 1), "gang", 2));
    }
    try (FailingGateway gateway = new FailingGateway(plane.scheduler(), 1)) {
      gateway.failWrites("/pods/q/status", MANY);
      try (KubernetesScheduler scheduler = scheduler(gateway.access(), QUICK)) {
        Bench.until(() -> gateway.failures() > 0, () -> "nothing failed: " + log);
        bench.awaitAllBound(2);
        assertThat(scheduler.monitor()).isEmpty();
      }
      List<String> writes = new ArrayList<>(gateway.writes());
      int lastStatus = writes.lastIndexOf("PATCH /api/v1/namespaces/default/pods/q/status");
      assertThat(writes.subList(0, lastStatus)).noneMatch(write -> write.endsWith("/binding"));
      assertThat(gateway.failures()).isEqualTo(MANY);
    }
    assertThat(auditor.findings()).isEmpty();
  }
}

package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.DeviceObjects;
import io.lighthouse.kubernetes.control.FailingGateway;
import io.lighthouse.kubernetes.control.Objects;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Pods whose claims get their devices with the pod's node. The test is the driver and the claim
 * controller.
 */
class DeviceBindingTest extends OnDevices {
  private static final String CLAIM_PATH =
      "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/";
  private static final String POD_PATH = "/api/v1/namespaces/default/pods/";

  /** More pods with one claim than the threads that write at the same time. */
  private static final int SHARERS = 20;

  private static String awaitMessage(String pod) throws Exception {
    return Bench.message(bench.await(pod, now -> !Bench.message(now).isEmpty()));
  }

  private static String uid(String pod) throws IOException {
    return bench.pod(pod).path("metadata").path("uid").asString();
  }

  private static Set<String> boundPods() throws IOException {
    Set<String> names = new TreeSet<>();
    for (JsonNode pod : bench.pods()) {
      if (!Bench.nodeOf(pod).isEmpty()) {
        names.add(Bench.name(pod));
      }
    }
    return names;
  }

  @Test
  void aClaimIsAllocatedAndReservedBeforeItsPodIsBound() throws Exception {
    addDevicesToAllNodes(2);
    devices.addClaim("c", 2);
    bench.add(DeviceObjects.pod("p", "c"));
    try (FailingGateway gateway = new FailingGateway(plane.scheduler(), 1);
        KubernetesScheduler scheduler = scheduler(gateway.access(), QUICK)) {
      String node = bench.awaitNode("p");
      JsonNode claim = devices.claim("c");
      assertThat(DeviceObjects.devicesOf(claim)).containsExactly(node + "/d0", node + "/d1");
      assertThat(claim.path("metadata").path("finalizers").toString())
          .isEqualTo("[\"" + DeviceObjects.FINALIZER + "\"]");
      JsonNode reservedFor = claim.path("status").path("reservedFor");
      assertThat(reservedFor).hasSize(1);
      assertThat(reservedFor.get(0))
          .isEqualTo(Objects.json("{'name':'p','resource':'pods','uid':'%s'}", uid("p")));
      JsonNode allocation = claim.path("status").path("allocation");
      assertThat(allocation.at("/nodeSelector/nodeSelectorTerms/0/matchFields/0"))
          .isEqualTo(Objects.json("{'key':'metadata.name','operator':'In','values':['%s']}", node));
      assertThat(allocation.at("/devices/results/0/request").asString()).isEqualTo("r");
      assertThat(allocation.at("/devices/results/0/driver").asString()).isEqualTo("example.com");
      List<String> writes = new ArrayList<>(gateway.writes());
      writes.removeIf(write -> !write.contains("/pods/") && !write.contains("claims"));
      assertThat(writes)
          .containsExactly(
              "PATCH " + CLAIM_PATH + "c",
              "PATCH " + CLAIM_PATH + "c/status",
              "POST " + POD_PATH + "p/binding");
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  /** However many they are, and however urgent. */
  @Test
  void aPodWithoutClaimsDoesNotWaitForTheWritesOfOthers() throws Exception {
    addDevicesToAllNodes(2);
    try (FailingGateway gateway = new FailingGateway(plane.scheduler(), 1)) {
      gateway.answer("/resourceclaims/", 503);
      String one = QUICK.replace("2s}", "2s, inFlight: 1}");
      try (KubernetesScheduler scheduler = scheduler(gateway.access(), one)) {
        for (int i = 0; i < 4; i++) {
          devices.addClaim("c" + i, 1);
          bench.add(DeviceObjects.pod("p" + i, "c" + i));
        }
        Bench.until(() -> gateway.failures() > 0, () -> "no claim is written: " + log);
        bench.add(Objects.pod("plain", "1", "1Gi"));
        bench.awaitNode("plain");
        assertThat(scheduler.monitor()).isEmpty();
      }
    }
  }

  @Test
  void allClaimsOfAPodGetDevicesOfOneNode() throws Exception {
    devices.addDevices("n0", 2);
    devices.addDevices("n1", 3);
    devices.addDevices("n2", 1);
    devices.addClaim("one", 1);
    devices.addClaim("two", 2);
    bench.add(DeviceObjects.pod("p", "one", "two"));
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      assertThat(bench.awaitNode("p")).isEqualTo("n1");
      Set<String> given = new TreeSet<>(DeviceObjects.devicesOf(devices.claim("one")));
      given.addAll(DeviceObjects.devicesOf(devices.claim("two")));
      assertThat(given).containsExactly("n1/d0", "n1/d1", "n1/d2");
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @Test
  void theSecondChoiceIsGivenWhereTheFirstIsNotThere() throws Exception {
    devices.addDevices("n1", 3);
    devices.addClaim("first", DeviceObjects.twoOrOne());
    devices.addClaim("second", DeviceObjects.twoOrOne());
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      bench.add(DeviceObjects.pod("first", "first"));
      assertThat(bench.awaitNode("first")).isEqualTo("n1");
      bench.add(DeviceObjects.pod("second", "second"));
      assertThat(bench.awaitNode("second")).isEqualTo("n1");
      String request = "/status/allocation/devices/results/0/request";
      assertThat(devices.claim("first").at(request).asString()).isEqualTo("r/two");
      assertThat(DeviceObjects.devicesOf(devices.claim("first"))).hasSize(2);
      assertThat(devices.claim("second").at(request).asString()).isEqualTo("r/one");
      assertThat(DeviceObjects.devicesOf(devices.claim("second"))).hasSize(1);
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @Test
  void aClaimWithoutRequestsNeedsNoDevice() throws Exception {
    devices.addDevices("n1", 1);
    fill("n1");
    devices.addClaim("none", "");
    bench.add(DeviceObjects.pod("p", "none"));
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      assertThat(bench.awaitNode("p")).isNotEqualTo("n1");
      JsonNode claim = devices.claim("none");
      assertThat(DeviceObjects.isAllocated(claim)).isTrue();
      assertThat(DeviceObjects.reservedFor(claim)).containsExactly(uid("p"));
      assertThat(scheduler.monitor()).isEmpty();
    }
  }

  @Test
  void twoPodsNeverGetOneDevice() throws Exception {
    devices.addDevices("n1", 2);
    for (String name : List.of("a", "b", "c")) {
      devices.addClaim(name, 1);
      bench.add(DeviceObjects.pod(name, name));
    }
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      Bench.until(() -> boundPods().size() == 2, () -> "not two bound: " + log);
      Set<String> bound = boundPods();
      Set<String> left = new TreeSet<>(Set.of("a", "b", "c"));
      left.removeAll(bound);
      String refused = left.iterator().next();
      bench.awaitMessage(refused, "0/3 nodes are available: 3 cannot allocate all claims.");
      assertStaysUnbound(refused);
      bench.deletePod(bound.iterator().next());
      devices.control();
      assertThat(bench.awaitNode(refused)).isEqualTo("n1");
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @Test
  void podsThatShareAClaimAllLandOnItsNode() throws Exception {
    addDevicesToAllNodes(1);
    devices.addClaim("shared", 1);
    Set<String> uids = new HashSet<>();
    for (int i = 0; i < SHARERS; i++) {
      bench.add(DeviceObjects.pod("p" + i, "shared"));
      uids.add(uid("p" + i));
    }
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      bench.awaitAllBound(SHARERS);
      Set<String> nodes = new TreeSet<>();
      for (JsonNode pod : bench.pods()) {
        nodes.add(Bench.nodeOf(pod));
      }
      assertThat(nodes).hasSize(1);
      JsonNode claim = devices.claim("shared");
      assertThat(DeviceObjects.devicesOf(claim)).containsExactly(nodes.iterator().next() + "/d0");
      assertThat(DeviceObjects.reservedFor(claim)).isEqualTo(uids);
      // That another pod has written to the claim first is no failure. A busy machine may lose its
      // lease meanwhile.
      assertThat(log)
          .noneMatch(line -> line.contains("devices-not-bound") && !line.contains("no leader"));
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @Test
  void aPodOfATemplateWaitsUntilItsClaimIsMade() throws Exception {
    addDevicesToAllNodes(1);
    bench.add(DeviceObjects.podOfTemplate("p"));
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      // One that comes later has its node: the first one was passed over.
      devices.addClaim("c", 1);
      bench.add(DeviceObjects.pod("q", "c"));
      bench.awaitNode("q");
      assertStaysUnbound("p");
      assertThat(Bench.message(bench.pod("p"))).isEmpty();
      devices.control();
      String node = bench.awaitNode("p");
      String made =
          bench.pod("p").at("/status/resourceClaimStatuses/0/resourceClaimName").asString();
      assertThat(DeviceObjects.devicesOf(devices.claim(made))).containsExactly(node + "/d0");
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @Test
  void aMadeClaimOfAnotherPodIsNotTaken() throws Exception {
    addDevicesToAllNodes(1);
    devices.addClaim("of-another", 1);
    bench.add(DeviceObjects.podOfTemplate("p"));
    bench.patchStatus(
        "p",
        Objects.json(
            "{'status':{'resourceClaimStatuses':[{'name':'c0',"
                + "'resourceClaimName':'of-another'}]}}"));
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      bench.awaitMessage(
          "p",
          "0/3 nodes are available: ResourceClaim default/of-another was not created for Pod"
              + " default/p (Pod is not owner).");
      assertStaysUnbound("p");
      assertThat(DeviceObjects.isAllocated(devices.claim("of-another"))).isFalse();
      assertThat(scheduler.monitor()).isEmpty();
    }
  }

  @Test
  void aPodWaitsForItsClaimAndForTheClassToCome() throws Exception {
    devices.clear();
    addDevicesToAllNodes(1);
    bench.add(DeviceObjects.pod("p", "late"));
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      assertThat(awaitMessage("p"))
          .startsWith("0/3 nodes are available: could not find v1.ResourceClaim \"default/late\".");
      devices.addClaim("late", 1);
      bench.awaitMessage(
          "p", "0/3 nodes are available: request r: device class example does not exist.");
      devices.addClass();
      bench.awaitNode("p");
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @Test
  void aPodWaitsForDevicesToCome() throws Exception {
    devices.addClaim("c", 1);
    bench.add(DeviceObjects.pod("p", "c"));
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      bench.awaitMessage("p", "0/3 nodes are available: 3 cannot allocate all claims.");
      devices.addDevices("n2", 1);
      assertThat(bench.awaitNode("p")).isEqualTo("n2");
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @Test
  void aClaimThatAnotherSchedulerAllocatedKeepsThePodOnItsNode() throws Exception {
    addDevicesToAllNodes(2);
    devices.addClaim("c", 1);
    devices.allocate("c", "n2", "d1");
    // The device is taken: the other claims get the other devices.
    for (int i = 0; i < 5; i++) {
      devices.addClaim("other" + i, 1);
      bench.add(DeviceObjects.pod("other" + i, "other" + i));
    }
    bench.add(DeviceObjects.pod("p", "c"));
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      assertThat(bench.awaitNode("p")).isEqualTo("n2");
      bench.awaitAllBound(6);
      assertThat(DeviceObjects.devicesOf(devices.claim("c"))).containsExactly("n2/d1");
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @Test
  void aNewLeaderGoesOnWhereTheOldOneEnded() throws Exception {
    addDevicesToAllNodes(1);
    List<String> names = List.of("a", "b", "c");
    for (String name : names) {
      devices.addClaim(name, 1);
      bench.add(DeviceObjects.pod(name, name));
    }
    List<List<String>> given = new ArrayList<>();
    try (FailingGateway gateway = new FailingGateway(plane.scheduler(), 1)) {
      gateway.failWrites("/binding", Integer.MAX_VALUE);
      try (KubernetesScheduler scheduler = scheduler(gateway.access(), QUICK)) {
        for (String name : names) {
          given.add(DeviceObjects.devicesOf(devices.awaitAllocated(name)));
        }
        assertThat(boundPods()).isEmpty();
        assertThat(scheduler.monitor()).isEmpty();
      }
    }
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      for (int i = 0; i < names.size(); i++) {
        String node = bench.awaitNode(names.get(i));
        assertThat(DeviceObjects.devicesOf(devices.claim(names.get(i)))).isEqualTo(given.get(i));
        assertThat(given.get(i)).containsExactly(node + "/d0");
      }
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @Test
  void withoutTheSettingPodsWithClaimsAreNotSupported() throws Exception {
    addDevicesToAllNodes(1);
    devices.addClaim("c", 1);
    bench.add(DeviceObjects.pod("p", "c"));
    bench.add(DeviceObjects.podOfTemplate("q"));
    try (KubernetesScheduler scheduler = scheduler(OnControlPlane.QUICK)) {
      for (String pod : List.of("p", "q")) {
        assertThat(awaitMessage(pod)).isEqualTo("not supported: resourceClaims");
      }
      assertStaysUnbound("p");
      assertThat(scheduler.monitor()).isEmpty();
    }
  }

  @Test
  void requestsThatAreNotSupportedAreNamedWithTheirClaim() throws Exception {
    addDevicesToAllNodes(1);
    // The server takes claims with admin access only in namespaces with this label.
    bench
        .admin()
        .patch(
            "/api/v1/namespaces/default",
            Objects.json("{'metadata':{'labels':{'resource.kubernetes.io/admin-access':'true'}}}"));
    devices.addClaim(
        "all", "{'name':'r','exactly':{'deviceClassName':'example','allocationMode':'All'}}");
    devices.addClaim(
        "admin", "{'name':'r','exactly':{'deviceClassName':'example','adminAccess':true}}");
    bench.add(DeviceObjects.pod("all", "all"));
    bench.add(DeviceObjects.pod("admin", "admin"));
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      assertThat(awaitMessage("all"))
          .isEqualTo("not supported: resource claim all: request r.allocationMode: All");
      assertThat(awaitMessage("admin"))
          .isEqualTo("not supported: resource claim admin: request r.adminAccess");
      assertStaysUnbound("all");
      assertStaysUnbound("admin");
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @Test
  void aDeviceWithATaintIsGivenOnlyToClaimsThatTolerateIt() throws Exception {
    Assumptions.assumeTrue(
        devices.addTaintedDevices("n1", 2, "NoSchedule"), "DRADeviceTaints is off");
    devices.addClaim("plain", 1);
    devices.addClaim(
        "tolerant",
        "{'name':'r','exactly':{'deviceClassName':'example','tolerations':[{"
            + "'key':'example.com/hot','operator':'Exists','effect':'NoSchedule'}]}}");
    bench.add(DeviceObjects.pod("plain", "plain"));
    bench.add(DeviceObjects.pod("tolerant", "tolerant"));
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      assertThat(bench.awaitNode("tolerant")).isEqualTo("n1");
      assertThat(
              devices
                  .claim("tolerant")
                  .at("/status/allocation/devices/results/0/tolerations/0/key")
                  .asString())
          .isEqualTo("example.com/hot");
      bench.awaitMessage("plain", "0/3 nodes are available: 3 cannot allocate all claims.");
      assertStaysUnbound("plain");
      devices.addDevices("n2", 1);
      assertThat(bench.awaitNode("plain")).isEqualTo("n2");
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  /** The auditor that the other tests rely on: it finds each mistake of a wrong scheduler. */
  @Test
  void theAuditorFindsMistakes() throws Exception {
    addDevicesToAllNodes(1);
    for (String name : List.of("a", "b", "c")) {
      devices.addClaim(name, 1);
    }
    JsonNode a = bench.add(DeviceObjects.pod("a", "a"));
    bench.add(DeviceObjects.pod("b", "b"));
    bench.add(DeviceObjects.pod("c", "c"));
    devices.allocate("a", "n0", "d0", a);
    assertThat(auditor.findings()).isEmpty();
    devices.allocate("b", "n0", "d0");
    assertThat(auditor.findings()).containsExactly("n0/d0 is given to b and a");
    bench.bind("a", "n1");
    bench.bind("b", "n0");
    bench.bind("c", "n2");
    assertThat(auditor.findings())
        .contains(
            "a on n1 is bound, and a has [n0/d0]",
            "b on n0 is bound, and b is not reserved for it",
            "c on n2 is bound, and c has no devices");
  }
}

package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.control.Auditor;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.ControlPlane;
import io.lighthouse.kubernetes.control.DeviceObjects;
import io.lighthouse.kubernetes.control.FailingGateway;
import io.lighthouse.kubernetes.control.GangKind;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.SchedulerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Gangs whose pods have claims to devices: no pod is bound before the claims of all of them are
 * written. What fails in between neither loses a device nor gives it twice. The test is the driver
 * and the claim controller.
 */
class DeviceGangsTest extends OnDevices {
  /** Within this time a pod would have been bound that did not wait. */
  private static final long MOMENT = 400;

  private static boolean servesPodGroups;

  /** A PodGroup outlives its test, so each has a name of its own. */
  private static int gangs;

  private final String gang = "g" + gangs++;

  @BeforeAll
  static void servePodGroups() throws Exception {
    String minor = System.getenv().getOrDefault("KUBE_MINOR", "1.36");
    servesPodGroups = plane.isFake() || minor.equals("1.36");
    if (!plane.isFake() && servesPodGroups) {
      plane.close();
      plane = ControlPlane.withPodGroups();
      bench = new Bench(plane.admin());
      DeviceObjects.grantRights(plane);
      devices = new DeviceObjects(bench);
    }
  }

  /** The server of 1.36 has PodGroups. */
  private static String quick() {
    return servesPodGroups ? QUICK + "podGroups: {enabled: true}\n" : QUICK;
  }

  private static void addGang(GangKind kind, String name, List<ObjectNode> pods)
      throws IOException {
    addGang(kind, name, pods.size(), pods);
  }

  private static void addGang(GangKind kind, String name, int least, List<ObjectNode> pods)
      throws IOException {
    if (kind == GangKind.POD_GROUP) {
      Assumptions.assumeTrue(servesPodGroups, "PodGroups came with 1.36");
    }
    kind.add(bench, name, least, pods);
  }

  /** Adds the claims of a gang to one device each, and answers pods that have one each. */
  private static List<ObjectNode> podsWithClaims(String gang, int count) throws IOException {
    List<ObjectNode> pods = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      devices.addClaim(gang + "-" + i, 1);
      pods.add(DeviceObjects.pod(gang + "-" + i, gang + "-" + i));
    }
    return pods;
  }

  private KubernetesScheduler behind(FailingGateway gateway) {
    return scheduler(gateway.access(), quick());
  }

  private static Map<String, String> bound(String gang) throws IOException {
    return bench.nodesOf(gang + "-");
  }

  private Map<String, String> awaitBound(String name, int members) throws Exception {
    Bench.until(() -> bound(name).size() == members, () -> "not bound: " + name + ": " + log);
    return bound(name);
  }

  private static void assertUnbound(String gang) throws Exception {
    TimeUnit.MILLISECONDS.sleep(MOMENT);
    assertThat(bound(gang)).isEmpty();
  }

  /** The devices of the claims of a gang, each as often as it is given. */
  private static List<String> given(String gang) throws IOException {
    List<String> given = new ArrayList<>();
    for (JsonNode claim : devices.claims()) {
      if (Bench.name(claim).startsWith(gang + "-")) {
        given.addAll(DeviceObjects.devicesOf(claim));
      }
    }
    given.sort(null);
    return given;
  }

  private static boolean hasBindingBefore(List<String> writes, String last) {
    int end = writes.lastIndexOf(last);
    return writes.subList(0, end).stream().anyMatch(write -> write.endsWith("/binding"));
  }

  private static String statusOf(String claim) {
    return "PATCH /apis/resource.k8s.io/v1/namespaces/default/resourceclaims/" + claim + "/status";
  }

  @ParameterizedTest
  @EnumSource(GangKind.class)
  void allClaimsOfAGangAreWrittenBeforeItsFirstBinding(GangKind kind) throws Exception {
    addDevicesToAllNodes(2);
    List<ObjectNode> pods = podsWithClaims(gang, 3);
    for (int i = 3; i < 6; i++) {
      pods.add(DeviceObjects.podOfTemplate(gang + "-" + i));
    }
    pods.add(Objects.pod(gang + "-6", "100m", "64Mi"));
    addGang(kind, gang, pods);
    try (FailingGateway gateway = new FailingGateway(plane.scheduler(), 1);
        KubernetesScheduler scheduler = behind(gateway)) {
      // The members of the template have no claims yet.
      assertUnbound(gang);
      devices.control();
      awaitBound(gang, 7);
      assertThat(given(gang)).containsExactly("n0/d0", "n0/d1", "n1/d0", "n1/d1", "n2/d0", "n2/d1");
      List<String> writes = gateway.writes();
      for (JsonNode claim : devices.claims()) {
        if (DeviceObjects.isAllocated(claim)) {
          assertThat(hasBindingBefore(writes, statusOf(Bench.name(claim)))).isFalse();
        }
      }
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(GangKind.class)
  void aGangForWhichThereAreTooFewDevicesGetsNone(GangKind kind) throws Exception {
    devices.addDevices("n0", 1);
    devices.addDevices("n1", 1);
    addGang(kind, gang, podsWithClaims(gang, 3));
    try (KubernetesScheduler scheduler = scheduler(quick())) {
      for (int i = 0; i < 3; i++) {
        bench.awaitMessage(gang + "-" + i, "0/3 nodes are available: ");
      }
      assertUnbound(gang);
      assertThat(given(gang)).isEmpty();
      // The devices are free for others.
      devices.addClaim("alone", 1);
      bench.add(DeviceObjects.pod("alone", "alone"));
      bench.awaitNode("alone");
      assertUnbound(gang);
      devices.addDevices("n2", 2);
      awaitBound(gang, 3);
      assertThat(given(gang)).hasSize(3).doesNotHaveDuplicates();
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(GangKind.class)
  void aGangThatSharesAClaimIsOnItsNode(GangKind kind) throws Exception {
    addDevicesToAllNodes(1);
    devices.addClaim(gang + "-shared", 1);
    List<ObjectNode> pods = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ObjectNode pod = Objects.pod(gang + "-" + i, "1", "64Mi");
      pods.add(DeviceObjects.withClaims(pod, gang + "-shared"));
    }
    addGang(kind, gang, pods);
    try (KubernetesScheduler scheduler = scheduler(quick())) {
      // A node has four processors.
      for (int i = 0; i < 5; i++) {
        bench.awaitMessage(gang + "-" + i, "0/3 nodes are available: ");
      }
      assertUnbound(gang);
      assertThat(given(gang)).isEmpty();
      bench.deletePod(gang + "-4");
      ObjectNode small = Objects.pod(gang + "-5", "0", "64Mi");
      DeviceObjects.withClaims(small, gang + "-shared");
      bench.add(kind.member(small, gang, 5));
      Map<String, String> bound = awaitBound(gang, 5);
      assertThat(new HashSet<>(bound.values())).hasSize(1);
      assertThat(given(gang)).containsExactly(bound.get(gang + "-0") + "/d0");
      Set<String> uids = new HashSet<>();
      for (JsonNode pod : bench.pods()) {
        uids.add(pod.path("metadata").path("uid").asString());
      }
      assertThat(DeviceObjects.reservedFor(devices.claim(gang + "-shared"))).isEqualTo(uids);
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(GangKind.class)
  void aGangIsNotBoundWhileAClaimOfItCannotBeWritten(GangKind kind) throws Exception {
    addDevicesToAllNodes(2);
    addGang(kind, gang, podsWithClaims(gang, 4));
    String failing = statusOf(gang + "-2");
    try (FailingGateway gateway = new FailingGateway(plane.scheduler(), 1)) {
      gateway.failWrites(failing.replace("PATCH ", ""), Integer.MAX_VALUE);
      try (KubernetesScheduler scheduler = behind(gateway)) {
        for (int i = 0; i < 4; i++) {
          bench.awaitMessage(
              gang + "-" + i, i == 2 ? "binding devices: " : "not bound, for in its gang ");
        }
        assertUnbound(gang);
        assertThat(given(gang)).hasSize(3).doesNotHaveDuplicates();
        gateway.failWrites("", 0);
        awaitBound(gang, 4);
        List<String> writes = gateway.writes();
        assertThat(hasBindingBefore(writes, failing)).isFalse();
        // What was written the first time is used.
        for (int i : new int[] {0, 1, 3}) {
          assertThat(writes).filteredOn(statusOf(gang + "-" + i)::equals).hasSize(1);
        }
        assertThat(given(gang)).hasSize(4).doesNotHaveDuplicates();
        assertThat(scheduler.monitor()).isEmpty();
      }
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @Test
  void aPodGroupIsBoundOnceEnoughOfItsPodsHaveTheirClaims() throws Exception {
    addDevicesToAllNodes(2);
    addGang(GangKind.POD_GROUP, gang, 3, podsWithClaims(gang, 4));
    try (FailingGateway gateway = new FailingGateway(plane.scheduler(), 1)) {
      gateway.failWrites(statusOf(gang + "-2").replace("PATCH ", ""), Integer.MAX_VALUE);
      try (KubernetesScheduler scheduler = behind(gateway)) {
        assertThat(awaitBound(gang, 3)).doesNotContainKey(gang + "-2");
        bench.awaitMessage(gang + "-2", "binding devices: ");
        gateway.failWrites("", 0);
        awaitBound(gang, 4);
        assertThat(given(gang)).hasSize(4).doesNotHaveDuplicates();
        assertThat(scheduler.monitor()).isEmpty();
      }
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(GangKind.class)
  void theDevicesOfAGangThatGoesAreFree(GangKind kind) throws Exception {
    addDevicesToAllNodes(1);
    addGang(kind, gang, podsWithClaims(gang, 3));
    try (FailingGateway gateway = new FailingGateway(plane.scheduler(), 1)) {
      gateway.failWrites(statusOf(gang + "-2").replace("PATCH ", ""), Integer.MAX_VALUE);
      try (KubernetesScheduler scheduler = behind(gateway)) {
        bench.awaitMessage(gang + "-2", "binding devices: ");
        assertThat(given(gang)).hasSize(2);
        assertUnbound(gang);
        for (int i = 0; i < 3; i++) {
          bench.deletePod(gang + "-" + i);
        }
        devices.control();
        String other = gang + "-other";
        addGang(kind, other, podsWithClaims(other, 3));
        awaitBound(other, 3);
        assertThat(given(other)).containsExactly("n0/d0", "n1/d0", "n2/d0");
        assertThat(scheduler.monitor()).isEmpty();
      }
    }
    assertThat(auditor.findings()).isEmpty();
  }

  /** As they are left where the bindings of a gang were not sent, and other pods came. */
  @ParameterizedTest
  @EnumSource(GangKind.class)
  void aGangOnAFullNodeGivesItsDevicesBackAndGoesElsewhere(GangKind kind) throws Exception {
    addDevicesToAllNodes(2);
    fill("n0");
    addGang(kind, gang, podsWithClaims(gang, 3));
    devices.allocate(gang + "-0", "n0", "d0", bench.pod(gang + "-0"));
    devices.allocate(gang + "-1", "n0", "d1", bench.pod(gang + "-1"));
    try (KubernetesScheduler scheduler = scheduler(quick())) {
      assertThat(awaitBound(gang, 3).values()).doesNotContain("n0");
      assertThat(given(gang)).hasSize(3).doesNotContain("n0/d0", "n0/d1");
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(GangKind.class)
  void theSharedClaimOfAGangOnAFullNodeGivesItsDeviceBack(GangKind kind) throws Exception {
    addDevicesToAllNodes(1);
    fill("n0");
    devices.addClaim(gang + "-shared", 1);
    List<ObjectNode> pods = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      pods.add(DeviceObjects.pod(gang + "-" + i, gang + "-shared"));
    }
    addGang(kind, gang, pods);
    devices.allocate(gang + "-shared", "n0", "d0", bench.pod(gang + "-0"), bench.pod(gang + "-1"));
    try (KubernetesScheduler scheduler = scheduler(quick())) {
      assertThat(new HashSet<>(awaitBound(gang, 3).values())).hasSize(1).doesNotContain("n0");
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(GangKind.class)
  void aGangThatLacksAMemberGivesItsDeviceBack(GangKind kind) throws Exception {
    devices.addDevices("n0", 1);
    addGang(kind, gang, 2, podsWithClaims(gang, 1));
    devices.allocate(gang + "-0", "n0", "d0", bench.pod(gang + "-0"));
    devices.addClaim("alone", 1);
    bench.add(DeviceObjects.pod("alone", "alone"));
    try (KubernetesScheduler scheduler = scheduler(quick())) {
      assertThat(bench.awaitNode("alone")).isEqualTo("n0");
      bench.awaitMessage(gang + "-0", "0/3 nodes are available: pod group " + gang);
      assertUnbound(gang);
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  /** One member needs a whole node, and the devices that the others have are on two nodes. */
  @ParameterizedTest
  @EnumSource(GangKind.class)
  void aGangThatLacksProcessorsGivesItsDevicesBackAndGoesElsewhere(GangKind kind) throws Exception {
    addDevicesToAllNodes(2);
    fill("n2");
    List<ObjectNode> pods = podsWithClaims(gang, 2);
    pods.add(Objects.pod(gang + "-2", "4", "64Mi"));
    addGang(kind, gang, pods);
    devices.allocate(gang + "-0", "n0", "d0", bench.pod(gang + "-0"));
    devices.allocate(gang + "-1", "n1", "d0", bench.pod(gang + "-1"));
    // The driver withdraws its devices: the claim keeps the one that it has, and no other gets one.
    Bench.delete(bench.admin(), "/apis/resource.k8s.io/v1/resourceslices/n0");
    try (KubernetesScheduler scheduler = scheduler(quick())) {
      assertThat(awaitBound(gang, 3)).containsEntry(gang + "-2", "n0");
      assertThat(given(gang)).containsExactly("n1/d0", "n1/d1");
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  /** Gives a claim one of the devices that there are. */
  private interface Giving {
    void give(String claim, int gang, int member) throws IOException;
  }

  /** Neither gang has enough devices while the other keeps its own. */
  @ParameterizedTest
  @EnumSource(GangKind.class)
  void twoGangsThatHoldAPartOfTheDevicesDoNotWaitForEachOther(GangKind kind) throws Exception {
    devices.addDevices("n0", 2);
    devices.addDevices("n1", 2);
    assertTwoGangsDoNotWait(
        kind,
        (claim, of, member) -> devices.allocate(claim, "n" + of, "d" + member, bench.pod(claim)));
  }

  /** The same where all nodes reach the devices. */
  @ParameterizedTest
  @EnumSource(GangKind.class)
  void twoGangsThatHoldAPartOfTheDevicesOfAllNodesDoNotWaitForEachOther(GangKind kind)
      throws Exception {
    devices.addDevicesOfAllNodes(4);
    assertTwoGangsDoNotWait(
        kind,
        (claim, of, member) ->
            devices.allocateOfAllNodes(claim, "d" + (2 * of + member), bench.pod(claim)));
  }

  /** Two members of each gang of three have a device. */
  private void assertTwoGangsDoNotWait(GangKind kind, Giving giving) throws Exception {
    String first = gang + "-a";
    String second = gang + "-b";
    addGang(kind, first, podsWithClaims(first, 3));
    addGang(kind, second, podsWithClaims(second, 3));
    for (int member = 0; member < 2; member++) {
      giving.give(first + "-" + member, 0, member);
      giving.give(second + "-" + member, 1, member);
    }
    assertBothAreBoundInTheEnd(first, second);
  }

  /** One gang gives its devices to the other, and has its own once there are two more. */
  private void assertBothAreBoundInTheEnd(String first, String second) throws Exception {
    try (KubernetesScheduler scheduler = scheduler(quick())) {
      Bench.until(
          () -> bound(first).size() == 3 || bound(second).size() == 3, () -> "none: " + log);
      String left = bound(first).isEmpty() ? first : second;
      Bench.until(() -> given(left).isEmpty(), () -> left + " keeps devices: " + log);
      assertUnbound(left);
      devices.addDevices("n2", 2);
      awaitBound(left, 3);
      assertThat(given(gang)).hasSize(6).doesNotHaveDuplicates();
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  /** Another pod takes the place of a member before the next process begins. */
  @ParameterizedTest
  @EnumSource(GangKind.class)
  void aNewLeaderGoesOnBetweenTheClaimsOfAGangAndItsBindings(GangKind kind) throws Exception {
    addDevicesToAllNodes(2);
    addGang(kind, gang, podsWithClaims(gang, 4));
    try (FailingGateway gateway = new FailingGateway(plane.scheduler(), 1)) {
      gateway.failWrites("/binding", Integer.MAX_VALUE);
      try (KubernetesScheduler scheduler = behind(gateway)) {
        for (int i = 0; i < 4; i++) {
          devices.awaitAllocated(gang + "-" + i);
        }
        assertThat(scheduler.monitor()).isEmpty();
      }
    }
    assertThat(bound(gang)).isEmpty();
    List<String> before = given(gang);
    assertThat(before).hasSize(4).doesNotHaveDuplicates();
    String full = before.get(0).substring(0, 2);
    fill(full);
    try (KubernetesScheduler scheduler = scheduler(quick())) {
      assertThat(awaitBound(gang, 4).values()).doesNotContain(full);
      assertThat(given(gang)).hasSize(4).doesNotHaveDuplicates();
      assertThat(scheduler.monitor()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }

  /**
   * The first process is killed when some claims have their devices. It cannot write one of them.
   */
  @ParameterizedTest
  @EnumSource(GangKind.class)
  void theProcessIsKilledWhileTheClaimsOfAGangAreWritten(GangKind kind) throws Exception {
    addDevicesToAllNodes(3);
    String hasty = quick().replace("3s", "1500ms").replace("2s", "700ms");
    try (FailingGateway gateway = new FailingGateway(plane.scheduler(), kind.ordinal());
        DeviceObjects controller = new DeviceObjects(bench);
        Auditor bindings = new Auditor(bench)) {
      gateway.failWrites(statusOf(gang + "-2").replace("PATCH ", ""), Integer.MAX_VALUE);
      String server = "server: \"" + gateway.access().server() + "\"";
      String text = Files.readString(plane.kubeconfig());
      Path behind = folder.resolve("gateway.conf");
      Files.writeString(behind, text.replaceFirst("server: \"[^\"]*\"", server));
      try (SchedulerProcess first = new SchedulerProcess(folder, behind, hasty)) {
        Bench.until(first::hasLed, first::logged);
        try (SchedulerProcess second = new SchedulerProcess(folder, plane.kubeconfig(), hasty)) {
          List<ObjectNode> pods = podsWithClaims(gang, 4);
          for (int i = 4; i < 8; i++) {
            pods.add(DeviceObjects.podOfTemplate(gang + "-" + i));
          }
          addGang(kind, gang, pods);
          controller.run();
          Bench.until(() -> given(gang).size() == 7, first::logged);
          assertUnbound(gang);
          first.kill();
          Bench.until(second::hasLed, second::logged);
          awaitBound(gang, 8);
        }
      }
      assertThat(given(gang)).hasSize(8).doesNotHaveDuplicates();
      assertThat(bindings.findings()).isEmpty();
    }
    assertThat(auditor.findings()).isEmpty();
  }
}

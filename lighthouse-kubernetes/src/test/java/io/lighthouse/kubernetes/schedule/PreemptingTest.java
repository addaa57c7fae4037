package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.client.ClusterAccess;
import io.lighthouse.kubernetes.client.Kubeconfig;
import io.lighthouse.kubernetes.config.SettingsFile;
import io.lighthouse.kubernetes.control.Auditor;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.ControlPlane;
import io.lighthouse.kubernetes.control.FailingGateway;
import io.lighthouse.kubernetes.control.FaultyProxy;
import io.lighthouse.kubernetes.control.Objects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Important pods come to full nodes: the right pods are evicted, once, and the important ones get
 * their places. On the fake in every build, on a real server under the profile kubernetes.
 */
class PreemptingTest {
  private static final String QUICK =
      """
      leaderElection: {duration: 1500ms}
      binding: {timeout: 700ms}
      queue: {firstPause: 20ms, longestPause: 300ms}
      monitor: {port: -1}
      """;

  private static final String PODS = "/api/v1/namespaces/default/pods/";
  private static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";

  private static ControlPlane plane;
  private static Bench bench;

  @TempDir private Path folder;
  private final Queue<String> log = new ConcurrentLinkedQueue<>();

  @BeforeAll
  static void start() throws Exception {
    plane = ControlPlane.start();
    bench = new Bench(plane.admin());
  }

  @AfterAll
  static void stop() {
    plane.close();
  }

  @BeforeEach
  void clear() throws IOException {
    bench.clear();
  }

  private KubernetesScheduler scheduler(String settings) {
    return scheduler(plane.scheduler(), settings);
  }

  private KubernetesScheduler scheduler(ClusterAccess access, String settings) {
    return KubernetesScheduler.start(access, SettingsFile.read("settings", settings), log::add);
  }

  /** How important a pod is; a real server knows these classes without more ado. */
  private enum Class {
    PLAIN(0),
    CLUSTER(2_000_000_000),
    NODE(2_000_001_000);

    private final int priority;

    Class(int priority) {
      this.priority = priority;
    }
  }

  private static ObjectNode pod(String name, Class of, String cpu) {
    ObjectNode pod = Objects.pod(name, cpu, "1Mi");
    ObjectNode spec = pod.withObjectProperty("spec");
    if (of != Class.PLAIN) {
      spec.put("priorityClassName", "system-" + of.name().toLowerCase() + "-critical");
    }
    if (plane.isFake()) {
      // What the admission of a real server does.
      spec.put("priority", of.priority);
    }
    return pod;
  }

  /** Adds a pod that is on a node already. */
  private static void place(String name, Class of, String cpu, String node) throws IOException {
    ObjectNode pod = pod(name, of, cpu);
    pod.withObjectProperty("spec").put("nodeName", node);
    bench.add(pod);
  }

  private static boolean ends(JsonNode pod) {
    return pod.path("metadata").has("deletionTimestamp");
  }

  private static String nominated(JsonNode pod) {
    return pod.path("status").path("nominatedNodeName").asString("");
  }

  private static JsonNode condition(JsonNode pod, String type) {
    for (JsonNode condition : pod.path("status").path("conditions")) {
      if (condition.path("type").asString("").equals(type)) {
        return condition;
      }
    }
    return Objects.json("{}");
  }

  private static List<String> preempted() throws IOException {
    List<String> names = new ArrayList<>();
    for (JsonNode event : bench.events()) {
      if (event.path("reason").asString("").equals("Preempted")) {
        names.add(event.path("regarding").path("name").asString(""));
      }
    }
    return names;
  }

  private static boolean isHere(String pod) throws IOException {
    try {
      return !ends(bench.pod(pod));
    } catch (ApiException gone) {
      return false;
    }
  }

  @Test
  void evictsTheLeastImportantAndGivesTheirPlaceToTheImportant() throws Exception {
    bench.addNode("n0", "a", "4", "8Gi", 20);
    bench.addNode("n1", "a", "4", "8Gi", 20);
    place("big-0", Class.CLUSTER, "2", "n0");
    place("small-0", Class.PLAIN, "2", "n0");
    place("big-1", Class.CLUSTER, "4", "n1");
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      bench.add(pod("urgent-0", Class.NODE, "2"));
      JsonNode victim = bench.await("small-0", PreemptingTest::ends);
      JsonNode target = condition(victim, "DisruptionTarget");
      assertThat(target.path("status").asString()).isEqualTo("True");
      assertThat(target.path("reason").asString()).isEqualTo("PreemptionByScheduler");
      assertThat(target.path("message").asString())
          .isEqualTo("lighthouse: preempting to accommodate a higher priority pod");
      JsonNode urgent = bench.pod("urgent-0");
      assertThat(nominated(urgent)).isEqualTo("n0");
      assertThat(Bench.scheduled(urgent).path("message").asString())
          .startsWith("0/2 nodes are available: 2 Insufficient cpu.");
      bench.await(
          "urgent-0",
          pod ->
              Bench.scheduled(pod)
                  .path("message")
                  .asString("")
                  .contains("preemption: not eligible due to a terminating pod on the nominated"));
      // A less important pod does not get the place meanwhile.
      bench.add(pod("late-0", Class.PLAIN, "1"));
      bench.await("late-0", pod -> !Bench.scheduled(pod).path("message").asString("").isEmpty());
      String uid = urgent.path("metadata").path("uid").asString();
      Bench.until(() -> preempted().contains("small-0"), () -> "no event among " + log);
      assertThat(bench.events())
          .anyMatch(
              event ->
                  event
                      .path("note")
                      .asString("")
                      .equals("Preempted by pod " + uid + " on node n0"));
      bench.deletePod("small-0");
      assertThat(bench.awaitNode("urgent-0")).isEqualTo("n0");
      assertThat(isHere("big-0")).isTrue();
      assertThat(isHere("big-1")).isTrue();
      assertThat(log)
          .anyMatch(line -> line.contains("\"preempts\"") && line.contains("default/small-0"));
      assertThat(scheduler.server()).isNotNull();
    }
  }

  @Test
  void sparesPodsWhoseBudgetIsUsedUp() throws Exception {
    bench.addNode("n0", "a", "2", "8Gi", 20);
    bench.addNode("n1", "a", "2", "8Gi", 20);
    ObjectNode guarded = pod("guarded-0", Class.PLAIN, "2");
    guarded.withObjectProperty("spec").put("nodeName", "n0");
    guarded.withObjectProperty("metadata").withObjectProperty("labels").put("app", "guarded");
    bench.add(guarded);
    place("other-0", Class.CLUSTER, "2", "n1");
    bench
        .admin()
        .post(
            BUDGETS,
            Objects.json(
                "{'apiVersion':'policy/v1','kind':'PodDisruptionBudget','metadata':{"
                    + "'name':'guard'},'spec':{'minAvailable':1,"
                    + "'selector':{'matchLabels':{'app':'guarded'}}}}"));
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      bench.add(pod("urgent-1", Class.NODE, "2"));
      bench.await("other-0", PreemptingTest::ends);
      bench.deletePod("other-0");
      assertThat(bench.awaitNode("urgent-1")).isEqualTo("n1");
      assertThat(isHere("guarded-0")).isTrue();
      assertThat(scheduler.server()).isNotNull();
    } finally {
      bench.admin().delete(BUDGETS + "/guard");
    }
  }

  @Test
  void evictsNothingWhereThatIsSwitchedOff() throws Exception {
    bench.addNode("n0", "a", "2", "8Gi", 20);
    place("small-2", Class.PLAIN, "2", "n0");
    try (KubernetesScheduler scheduler = scheduler(QUICK + "preemption: {enabled: false}\n")) {
      bench.add(pod("urgent-2", Class.NODE, "2"));
      JsonNode refused =
          bench.await(
              "urgent-2", pod -> !Bench.scheduled(pod).path("message").asString("").isEmpty());
      assertThat(Bench.scheduled(refused).path("message").asString()).doesNotContain("preemption");
      assertThat(nominated(refused)).isEmpty();
      assertThat(isHere("small-2")).isTrue();
      assertThat(scheduler.server()).isNotNull();
    }
  }

  @Test
  void losesItsNominationWhenNoNodeIsLeft() throws Exception {
    bench.addNode("n0", "a", "2", "8Gi", 20);
    place("small-3", Class.PLAIN, "2", "n0");
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      bench.add(pod("urgent-3", Class.NODE, "2"));
      bench.await("small-3", PreemptingTest::ends);
      bench.addNode("n1", "a", "1", "8Gi", 20);
      bench.deleteNode("n0");
      JsonNode refused = bench.await("urgent-3", pod -> nominated(pod).isEmpty());
      assertThat(Bench.scheduled(refused).path("message").asString())
          .contains(
              "0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available:"
                  + " 1 Preemption is not helpful for scheduling.");
      assertThat(scheduler.server()).isNotNull();
    }
  }

  @Test
  void goesOnFromTheObjectsThatAnotherProcessLeft() throws Exception {
    bench.addNode("n0", "a", "4", "8Gi", 20);
    place("first-4", Class.PLAIN, "2", "n0");
    place("second-4", Class.PLAIN, "2", "n0");
    bench.add(pod("urgent-4", Class.NODE, "4"));
    // It nominated the pod, and stopped after the first eviction.
    bench
        .admin()
        .patch(PODS + "urgent-4/status", Objects.json("{'status':{'nominatedNodeName':'n0'}}"));
    bench
        .admin()
        .patch(
            PODS + "first-4/status",
            Objects.json(
                "{'status':{'conditions':[{'type':'DisruptionTarget','status':'True',"
                    + "'reason':'PreemptionByScheduler','message':''}]}}"));
    bench.admin().delete(PODS + "first-4");
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      bench.await(
          "urgent-4",
          pod -> Bench.scheduled(pod).path("message").asString("").contains("terminating pod"));
      assertThat(isHere("second-4")).isTrue();
      bench.deletePod("first-4");
      bench.await("second-4", PreemptingTest::ends);
      bench.deletePod("second-4");
      assertThat(bench.awaitNode("urgent-4")).isEqualTo("n0");
      assertThat(preempted()).doesNotContain("first-4");
      assertThat(scheduler.server()).isNotNull();
    }
  }

  // ---- faults ----

  private static final int NODES = 4;

  /** Each node is full of plain pods, and as many important pods come as half of them. */
  private void fill(String round) throws IOException {
    for (int i = 0; i < NODES; i++) {
      bench.addNode("n" + i, "a", "4", "8Gi", 20);
      for (int k = 0; k < 4; k++) {
        place("small-" + round + "-" + i + k, Class.PLAIN, "1", "n" + i);
      }
    }
  }

  /** Ends pods that are being deleted, and waits until all important pods have a node. */
  private void endPodsUntilAllArePlaced(String round, int important) throws Exception {
    Map<String, String> left = new TreeMap<>();
    Bench.until(
        () -> {
          left.clear();
          for (JsonNode pod : bench.pods()) {
            String name = Bench.name(pod);
            if (ends(pod)) {
              bench.deletePod(name);
            } else if (name.startsWith("urgent-" + round) && Bench.nodeOf(pod).isEmpty()) {
              left.put(name, Bench.scheduled(pod).path("message").asString(""));
            }
          }
          return left.isEmpty();
        },
        () -> "without a node: " + left);
    // What was evicted is exactly what had to go.
    TimeUnit.MILLISECONDS.sleep(300);
    List<String> there = new ArrayList<>();
    for (JsonNode pod : bench.pods()) {
      if (!ends(pod)) {
        there.add(Bench.name(pod));
      }
    }
    assertThat(there).filteredOn(name -> name.startsWith("urgent")).hasSize(important);
    assertThat(there).filteredOn(name -> name.startsWith("small")).hasSize(4 * NODES - important);
    Map<String, Integer> events = new TreeMap<>();
    for (String name : preempted()) {
      if (name.startsWith("small-" + round)) {
        events.merge(name, 1, Integer::sum);
      }
    }
    assertThat(events.values()).allMatch(count -> count == 1);
  }

  @Test
  void evictsNoPodTwiceAndNoneTooManyThoughConnectionsAreCut() throws Exception {
    Random random = new Random(5);
    fill("cut");
    try (FaultyProxy proxy = new FaultyProxy(plane.admin().uri());
        Auditor auditor = new Auditor(bench);
        KubernetesScheduler scheduler = scheduler(through(proxy), QUICK)) {
      for (int i = 0; i < 8; i++) {
        bench.add(pod("urgent-cut-" + i, Class.NODE, "1"));
        TimeUnit.MILLISECONDS.sleep(random.nextInt(60));
        proxy.cut();
      }
      endPodsUntilAllArePlaced("cut", 8);
      assertThat(auditor.findings()).isEmpty();
      assertThat(scheduler.server()).isNotNull();
    }
  }

  private ClusterAccess through(FaultyProxy proxy) throws IOException {
    String direct = Files.readString(plane.kubeconfig());
    Path file = folder.resolve("proxy.conf");
    Files.writeString(file, direct.replace(plane.admin().uri().toString(), proxy.uri().toString()));
    return Kubeconfig.read(file, Optional.empty());
  }

  @Test
  void evictsNoPodTwiceThoughAnswersFailBeforeAndAfterTheyTookEffect() throws Exception {
    fill("gate");
    try (FailingGateway gateway = new FailingGateway(plane.scheduler(), 7);
        Auditor auditor = new Auditor(bench);
        KubernetesScheduler scheduler = scheduler(gateway.access(), QUICK)) {
      gateway.fail(25);
      for (int i = 0; i < 8; i++) {
        bench.add(pod("urgent-gate-" + i, Class.NODE, "1"));
      }
      endPodsUntilAllArePlaced("gate", 8);
      gateway.fail(0);
      assertThat(gateway.failures()).isPositive();
      assertThat(auditor.findings()).isEmpty();
      assertThat(scheduler.server()).isNotNull();
    }
  }

  @Test
  void anotherReplicaGoesOnWhereTheLeaderStopped() throws Exception {
    fill("stop");
    try (Auditor auditor = new Auditor(bench);
        KubernetesScheduler second = second()) {
      for (int i = 0; i < 8; i++) {
        bench.add(pod("urgent-stop-" + i, Class.NODE, "1"));
      }
      Bench.until(
          () -> log.stream().anyMatch(line -> line.contains("\"preempts\"")), () -> "" + log);
      first.close();
      endPodsUntilAllArePlaced("stop", 8);
      assertThat(auditor.findings()).isEmpty();
      assertThat(second.server()).isNotNull();
    } finally {
      first.close();
    }
  }

  private KubernetesScheduler first;

  private KubernetesScheduler second() throws Exception {
    first = scheduler(QUICK);
    Bench.until(
        () -> log.stream().anyMatch(line -> line.contains("\"event\":\"leads\"")),
        () -> "no leader: " + log);
    return scheduler(QUICK);
  }
}

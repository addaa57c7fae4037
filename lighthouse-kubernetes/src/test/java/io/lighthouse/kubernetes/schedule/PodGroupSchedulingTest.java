package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.config.SettingsFile;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.ControlPlane;
import io.lighthouse.kubernetes.control.FailingGateway;
import io.lighthouse.kubernetes.control.Manifests;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.RealControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * PodGroup objects: on the fake in every build, on a real server of 1.36 with its feature gates
 * under the profile kubernetes. There kube-scheduler with GangScheduling has to do the same.
 */
class PodGroupSchedulingTest {
  private static final String GROUPS =
      "/apis/scheduling.k8s.io/v1alpha2/namespaces/default/podgroups";
  private static final String SETTINGS =
      """
      leaderElection: {enabled: false}
      binding: {timeout: 2s}
      queue: {firstPause: 50ms, longestPause: 500ms}
      monitor: {port: -1}
      """;

  /** The looks, 250 ms apart, after which nothing more happens. */
  private static final int SAME = 10;

  /** After this number of failed calls, a binding is given up, and the pod decided again. */
  private static final int BINDING_TRIES = 4;

  private static ControlPlane plane;
  private static Bench bench;

  private final Queue<String> log = new ConcurrentLinkedQueue<>();

  @BeforeAll
  static void startControlPlane() throws Exception {
    boolean real = "real".equals(System.getProperty("lighthouse.kubernetes"));
    String minor = System.getenv().getOrDefault("KUBE_MINOR", "1.36");
    Assumptions.assumeTrue(!real || minor.equals("1.36"), "PodGroups came with 1.36");
    plane = ControlPlane.withPodGroups();
    bench = new Bench(plane.admin());
  }

  @AfterAll
  static void stopControlPlane() {
    if (plane != null) {
      plane.close();
    }
  }

  @BeforeEach
  void clear() throws Exception {
    bench.clear();
    for (String group : List.of("g", "training")) {
      deleteGroup(group);
    }
    for (int i = 0; i < 2; i++) {
      bench.addNode("n" + i, "a", "4", "8Gi", 20);
    }
  }

  private static void deleteGroup(String name) throws Exception {
    try {
      // Its finalizer is that of a controller which does not run here.
      plane.admin().patch(GROUPS + "/" + name, Objects.json("{'metadata':{'finalizers':null}}"));
      Bench.delete(plane.admin(), GROUPS + "/" + name);
    } catch (ApiException gone) {
      assertThat(gone.code()).isEqualTo(404);
    }
  }

  private static void addGroup(String policy) throws IOException {
    plane
        .admin()
        .post(
            GROUPS,
            Objects.json(
                "{'apiVersion':'scheduling.k8s.io/v1alpha2','kind':'PodGroup','metadata':{"
                    + "'name':'g','namespace':'default'},'spec':{'schedulingPolicy':{%s}}}",
                policy));
  }

  private static void addMember(String name, String cpu, String scheduler) throws IOException {
    ObjectNode pod = Objects.pod(name, cpu, "1Mi");
    ObjectNode spec = pod.withObjectProperty("spec");
    spec.put("schedulerName", scheduler);
    spec.putObject("schedulingGroup").put("podGroupName", "g");
    bench.add(pod);
  }

  private KubernetesScheduler scheduler(String more) {
    return KubernetesScheduler.start(
        plane.scheduler(), SettingsFile.read("settings", SETTINGS + more), log::add);
  }

  private KubernetesScheduler withPodGroups() {
    return scheduler("podGroups: {enabled: true}\n");
  }

  private static TreeSet<String> bound() throws IOException {
    TreeSet<String> names = new TreeSet<>();
    for (JsonNode pod : bench.pods()) {
      if (!Bench.nodeOf(pod).isEmpty()) {
        names.add(Bench.name(pod));
      }
    }
    return names;
  }

  private static JsonNode awaitRefusal(String pod) throws Exception {
    return bench.await(pod, now -> !Bench.message(now).isEmpty());
  }

  @Test
  void withoutTheSettingSuchPodsAreRefused() throws Exception {
    addGroup("'basic':{}");
    addMember("a", "1", "lighthouse");
    try (KubernetesScheduler scheduler = scheduler("")) {
      assertThat(Bench.message(awaitRefusal("a"))).isEqualTo("not supported: schedulingGroup");
      assertThat(scheduler.monitor()).isEmpty();
    }
  }

  @Test
  void podsWaitForTheirGroupAndAGangForItsPods() throws Exception {
    addMember("a", "1", "lighthouse");
    try (KubernetesScheduler scheduler = withPodGroups()) {
      assertThat(Bench.message(awaitRefusal("a")))
          .isEqualTo("0/2 nodes are available: pod group g is not there.");
      addGroup("'gang':{'minCount':3}");
      bench.await("a", pod -> Bench.message(pod).endsWith("pod group g has only 1 of 3 pods."));
      addMember("b", "4", "lighthouse");
      addMember("c", "4", "lighthouse");
      bench.await("a", pod -> Bench.message(pod).endsWith("has only 2 of 3 pods with a node."));
      assertThat(bound()).isEmpty();
      bench.addNode("n2", "a", "4", "8Gi", 20);
      bench.awaitAllBound(3);
      // The gang is there; further members go one by one.
      addMember("d", "9", "lighthouse");
      assertThat(Bench.message(awaitRefusal("d")))
          .startsWith("0/3 nodes are available: 3 Insufficient");
      addMember("e", "1", "lighthouse");
      bench.awaitNode("e");
      assertThat(scheduler.monitor()).isEmpty();
    }
  }

  @Test
  void theExampleIsPlaced() throws Exception {
    Path example =
        Path.of(System.getProperty("lighthouse.root"), "examples/kubernetes/pod-group.yaml");
    for (JsonNode object : Manifests.read(Files.readString(example))) {
      if (object.path("kind").asString("").equals("PodGroup")) {
        plane.admin().post(GROUPS, object);
      } else {
        bench.add(object);
      }
    }
    try (KubernetesScheduler scheduler = withPodGroups()) {
      bench.awaitAllBound(3);
      assertThat(scheduler.monitor()).isEmpty();
    }
  }

  @Test
  void aMemberWhoseBindingFailsIsBoundLater() throws Exception {
    addGroup("'gang':{'minCount':3}");
    for (String name : List.of("a", "b", "c")) {
      addMember(name, "1", "lighthouse");
    }
    try (FailingGateway gateway = new FailingGateway(plane.scheduler(), 7)) {
      gateway.failBinding(2, BINDING_TRIES);
      try (KubernetesScheduler scheduler =
          KubernetesScheduler.start(
              gateway.access(),
              SettingsFile.read("settings", SETTINGS + "podGroups: {enabled: true}\n"),
              log::add)) {
        bench.awaitAllBound(3);
        assertThat(gateway.failures()).isEqualTo(BINDING_TRIES);
        assertThat(log)
            .filteredOn(line -> line.contains("not-bound") && line.contains("REFUSED"))
            .hasSize(1);
        assertThat(scheduler.monitor()).isEmpty();
      }
    }
  }

  /**
   * What the pods of a gang request that a scheduler binds, once nothing more happens. The order
   * among equal pods is its own.
   */
  private static List<String> outcome(String scheduler, String policy, List<String> cpus)
      throws Exception {
    addGroup(policy);
    for (int i = 0; i < cpus.size(); i++) {
      addMember("p" + i, cpus.get(i), scheduler);
    }
    // kube-scheduler writes no condition for a pod that waits for its gang.
    TreeSet<String> before = bound();
    for (int same = 0; same < SAME; same++) {
      Thread.sleep(250);
      TreeSet<String> now = bound();
      same = now.equals(before) ? same : -1;
      before = now;
    }
    List<String> sizes = new ArrayList<>();
    for (JsonNode pod : bench.pods()) {
      if (!Bench.nodeOf(pod).isEmpty()) {
        sizes.add(pod.at("/spec/containers/0/resources/requests/cpu").asString(""));
      }
      bench.deletePod(Bench.name(pod));
    }
    deleteGroup("g");
    Collections.sort(sizes);
    return sizes;
  }

  /**
   * Pods of a group.
   *
   * @param cpus what they request
   * @param fitting what those request that fit on the two nodes
   */
  private record Case(List<String> cpus, List<String> fitting) {}

  @Test
  void theStockSchedulerBindsAsManyOfEachSize() throws Exception {
    Assumptions.assumeTrue(plane instanceof RealControlPlane, "needs kube-scheduler");
    ((RealControlPlane) plane).startStockScheduler();
    List<String> policies = List.of("'basic':{}", "'gang':{'minCount':1}", "'gang':{'minCount':3}");
    List<Case> cases =
        List.of(
            new Case(List.of("1"), List.of("1")),
            new Case(List.of("1", "1"), List.of("1", "1")),
            new Case(List.of("1", "1", "1"), List.of("1", "1", "1")),
            new Case(List.of("4", "4", "4"), List.of("4", "4")),
            new Case(List.of("2", "2", "9", "2", "2"), List.of("2", "2", "2", "2")),
            new Case(List.of("2", "2", "2", "2", "2"), List.of("2", "2", "2", "2")),
            new Case(List.of("9", "1", "1"), List.of("1", "1")),
            new Case(List.of("9", "1", "1", "1"), List.of("1", "1", "1")));
    try (KubernetesScheduler scheduler = withPodGroups()) {
      for (String policy : policies) {
        for (Case one : cases) {
          boolean isTooSmall = policy.contains("3") && one.fitting.size() < 3;
          List<String> expected = isTooSmall ? List.of() : one.fitting;
          for (String name : List.of("lighthouse", "default-scheduler")) {
            assertThat(outcome(name, policy, one.cpus))
                .as("%s: %s %s", name, policy, one.cpus)
                .isEqualTo(expected);
          }
        }
      }
      assertThat(scheduler.monitor()).isEmpty();
    }
  }
}

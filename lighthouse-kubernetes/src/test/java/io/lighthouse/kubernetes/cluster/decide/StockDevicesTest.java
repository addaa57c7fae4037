package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.config.SettingsFile;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.RealControlPlane;
import io.lighthouse.kubernetes.schedule.KubernetesScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Compares three judges of pods with claims to devices, on the same random clusters: the real
 * kube-scheduler, {@link StockDevices} and Lighthouse. All three accept the same pods, and refuse
 * the others with the same counts of reasons. The devices that the real scheduler chooses are right
 * by {@link StockDevices}, and both others continue with them.
 *
 * <p>These are left out, as {@code docs/kubernetes.md} says that they differ: selectors that fail,
 * {@code bindingConditions}, {@code adminAccess} in open claims, devices that were shared once, and
 * pods that name a claim twice. Pods without some of their claims are left out too: the real
 * scheduler does not consider them.
 *
 * <p>{@code -Dlighthouse.kubernetes.clusters=100} for many. A cluster with differences is tried
 * once more with ten times {@code lighthouse.kubernetes.learns}.
 */
@EnabledIfSystemProperty(named = "lighthouse.kubernetes", matches = "real")
class StockDevicesTest {
  private static final int CLUSTERS = Integer.getInteger("lighthouse.kubernetes.clusters", 12);
  private static final long FIRST = Long.getLong("lighthouse.kubernetes.seed", 1);

  /** How long the stock scheduler may take to learn of a change, in milliseconds. */
  private static final long LEARNS = Long.getLong("lighthouse.kubernetes.learns", 150);

  private final Map<String, Integer> seen = new TreeMap<>();

  private static RealControlPlane plane;
  private static ApiServer admin;

  @BeforeAll
  static void start() throws Exception {
    plane = new RealControlPlane();
    admin = plane.admin();
    admin.patch(
        "/api/v1/namespaces/default",
        Objects.json("{'metadata':{'labels':{'resource.kubernetes.io/admin-access':'true'}}}"));
    plane.startStockScheduler();
  }

  @AfterAll
  static void stop() {
    plane.close();
  }

  @Test
  void allocatesDevicesAsTheStockSchedulerDoes() throws Exception {
    List<String> differences = new ArrayList<>();
    for (long seed = FIRST; seed < FIRST + CLUSTERS; seed++) {
      String found = new DeviceDifferential(admin, seen, seed, LEARNS).run();
      if (!found.isEmpty()) {
        System.out.println("StockDevicesTest, once more: seed " + seed + ": " + found);
        found = new DeviceDifferential(admin, seen, seed, 10 * LEARNS).run();
      }
      if (!found.isEmpty()) {
        differences.add("seed " + seed + ": " + found);
      }
    }
    System.out.println("StockDevicesTest: " + seen);
    assertThat(differences).as(seen.toString()).isEmpty();
    assertThat(seen.get("bound")).isGreaterThan(CLUSTERS);
    assertThat(seen.get("refused")).isGreaterThan(CLUSTERS);
    assertThat(seen)
        .containsKeys(
            "share of a device",
            "second option",
            "shared claim",
            "extended resource",
            "extended resource of the node");
  }

  /** The stock scheduler only adds a pod to an allocation that has a time. */
  @Test
  void aPodOfTheStockSchedulerSharesAClaimThatLighthouseAllocated() throws Exception {
    Bench bench = new Bench(admin);
    bench.addNode("n0", "a", "4", "8Gi", 9);
    admin.post(Resource.DEVICE_CLASSES.path(), Objects.json("{'metadata':{'name':'any'}}"));
    admin.post(
        Resource.RESOURCE_SLICES.path(),
        Objects.json(
            "{'metadata':{'name':'s'},'spec':{'driver':'example.com','nodeName':'n0','devices':"
                + "[{'name':'d'}],'pool':{'name':'p','generation':0,'resourceSliceCount':1}}}"));
    admin.post(
        DeviceDifferential.CLAIMS,
        Objects.json(
            "{'metadata':{'name':'c'},'spec':{'devices':{'requests':"
                + "[{'name':'r','exactly':{'deviceClassName':'any'}}]}}}"));
    String settings = "{resourceClaims: {enabled: true}, monitor: {port: -1}}";
    try (KubernetesScheduler scheduler =
        KubernetesScheduler.start(
            Optional.of(plane.folder().resolve("admin.conf")),
            Optional.empty(),
            SettingsFile.read("settings", settings),
            line -> {})) {
      bench.add(pod("of-lighthouse", "lighthouse"));
      assertThat(bench.awaitNode("of-lighthouse")).isEqualTo("n0");
      assertThat(scheduler.monitor()).isEmpty();
    }
    bench.add(pod("of-stock", "default-scheduler"));
    JsonNode judged = bench.await("of-stock", pod -> Bench.scheduled(pod).has("status"));
    assertThat(Bench.nodeOf(judged)).as(judged.toString()).isEqualTo("n0");
    DeviceDifferential.clear(admin);
  }

  private static ObjectNode pod(String name, String scheduler) {
    ObjectNode pod = Objects.pod(name, "1", "0");
    ObjectNode spec = pod.withObjectProperty("spec").put("schedulerName", scheduler);
    spec.putArray("resourceClaims").addObject().put("name", "u").put("resourceClaimName", "c");
    return pod;
  }
}

package io.lighthouse.kubernetes.schedule;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.config.SettingsFile;
import io.lighthouse.kubernetes.control.Auditor;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.FaultyProxy;
import io.lighthouse.kubernetes.control.Objects;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Pods in, bindings out: on the fake in every build, on a real server, with the rights of {@code
 * deploy/kubernetes}, under the profile kubernetes.
 */
class SchedulingTest extends OnControlPlane {
  private static final String QUICK = OnControlPlane.QUICK.replace("port: -1", "port: 0");

  private KubernetesScheduler scheduler() {
    return scheduler(QUICK);
  }

  @Test
  void placesPodsWithinWhatNodesHaveAndSaysWhoChose() throws Exception {
    for (int i = 0; i < 3; i++) {
      bench.addNode("n" + i, "z" + i, "4", "8Gi", 20);
    }
    for (int i = 0; i < 12; i++) {
      bench.add(Objects.pod("p" + i, "1", "1Gi"));
    }
    try (KubernetesScheduler scheduler = scheduler()) {
      bench.awaitAllBound(12);
      Map<String, Integer> counts = new TreeMap<>();
      bench.pods().forEach(pod -> counts.merge(Bench.nodeOf(pod), 1, Integer::sum));
      assertThat(counts).isEqualTo(Map.of("n0", 4, "n1", 4, "n2", 4));
      assertThat(Auditor.overbooked(bench)).isEmpty();
      Bench.until(
          () -> events("p0").stream().anyMatch(event -> reason(event).equals("Scheduled")),
          () -> "no event among " + log);
      assertThat(events("p0").get(0).path("note").asString())
          .contains("default/p0 to " + Bench.nodeOf(bench.pod("p0")))
          .containsPattern("strategy spread, decision [0-9a-f]{64}");
      assertThat(scheduler.monitor()).isPresent();
      URI monitor = scheduler.monitor().get();
      assertThat(read(monitor.resolve("/healthz"))).isEqualTo("200 ok\n");
      assertThat(read(monitor.resolve("/readyz"))).isEqualTo("200 ok\n");
      assertThat(read(monitor.resolve("/metrics")))
          .contains("lighthouse_kubernetes_bindings_total{outcome=\"bound\"} 12.0")
          .contains("lighthouse_kubernetes_leads 1.0");
      assertThat(read(monitor.resolve("/other"))).startsWith("404");
    }
    assertThat(log).allMatch(line -> line.startsWith("{\"time\":\"")).isNotEmpty();
  }

  @Test
  void podsOfAServiceAndOfAReplicaSetAreSpread() throws Exception {
    for (String name : List.of("n0", "n1", "n2")) {
      bench.addNode(name, "a", "8", "8Gi", 20);
    }
    String services = "/api/v1/namespaces/default/services";
    String sets = "/apis/apps/v1/namespaces/default/replicasets";
    plane
        .admin()
        .post(
            services,
            Objects.json(
                "{'apiVersion':'v1','kind':'Service','metadata':{'name':'web',"
                    + "'namespace':'default'},'spec':{'selector':{'app':'web'},"
                    + "'ports':[{'port':80}]}}"));
    plane
        .admin()
        .post(
            sets,
            Objects.json(
                "{'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{'name':'db',"
                    + "'namespace':'default'},'spec':{'replicas':0,"
                    + "'selector':{'matchLabels':{'app':'db'}},'template':{"
                    + "'metadata':{'labels':{'app':'db'}},"
                    + "'spec':{'containers':[{'name':'c','image':'none'}]}}}}"));
    for (int i = 0; i < 9; i++) {
      ObjectNode pod = Objects.pod("p" + i, "1", "1Mi");
      ObjectNode metadata = (ObjectNode) pod.get("metadata");
      String app = List.of("web", "db", "other").get(i % 3);
      metadata.putObject("labels").put("app", app);
      if (app.equals("db")) {
        metadata
            .putArray("ownerReferences")
            .add(
                Objects.json(
                    "{'apiVersion':'apps/v1','kind':'ReplicaSet','name':'db','uid':'u',"
                        + "'controller':true}"));
      }
      bench.add(pod);
    }
    try (KubernetesScheduler scheduler = scheduler(QUICK.replace("spread", "prioritized"))) {
      bench.awaitAllBound(9);
      Map<String, Set<String>> nodes = new TreeMap<>();
      bench
          .pods()
          .forEach(
              pod ->
                  nodes
                      .computeIfAbsent(
                          pod.at("/metadata/labels/app").asString(""), app -> new TreeSet<>())
                      .add(Bench.nodeOf(pod)));
      Set<String> all = Set.of("n0", "n1", "n2");
      assertThat(scheduler.term().isSynced()).isTrue();
      assertThat(nodes).isEqualTo(Map.of("web", all, "db", all, "other", Set.of("n0")));
    } finally {
      Bench.delete(plane.admin(), services + "/web");
      Bench.delete(plane.admin(), sets + "/db");
    }
  }

  @Test
  void podsOfEachSchedulerNameHaveTheirProfile() throws Exception {
    for (String name : List.of("n0", "n1", "n2")) {
      bench.addNode(name, "a", "8", "8Gi", 20);
    }
    for (int i = 0; i < 9; i++) {
      ObjectNode pod = Objects.pod("p" + i, "500m", "1Mi");
      String name = List.of("evenly", "packed", "other").get(i % 3);
      ((ObjectNode) pod.get("spec")).put("schedulerName", name);
      bench.add(pod);
    }
    String settings =
        QUICK.replace(
            "strategy: {name: spread}",
            "profiles: {evenly: {}, packed: {strategy: {name: MostAllocated}}}");
    try (KubernetesScheduler scheduler = scheduler(settings)) {
      Bench.until(
          () -> bench.pods().stream().filter(pod -> !Bench.nodeOf(pod).isEmpty()).count() == 6,
          () -> "not bound: " + log);
      // The scheduler learns of its last binding a moment later.
      Bench.until(
          () -> scheduler.term().queue().size() == 0, () -> scheduler.term().queue() + ": " + log);
      Map<String, Set<String>> nodes = new TreeMap<>();
      for (JsonNode pod : bench.pods()) {
        String name = pod.at("/spec/schedulerName").asString("");
        nodes.computeIfAbsent(name, none -> new TreeSet<>()).add(Bench.nodeOf(pod));
      }
      assertThat(nodes.get("evenly")).containsExactly("n0", "n1", "n2");
      assertThat(nodes.get("packed")).hasSize(1);
      assertThat(nodes.get("other")).containsExactly("");
      Bench.until(() -> !events("p1").isEmpty(), () -> "no event among " + log);
      JsonNode event = events("p1").get(0);
      assertThat(event.path("reportingController").asString("")).isEqualTo("packed");
      assertThat(event.path("note").asString("")).contains("strategy bin-pack");
    }
    assertThat(log.toString())
        .contains("\"scheduler_name\":\"evenly, packed\",\"strategy\":\"spread, bin-pack\"");
  }

  @Test
  void aStrategyOfWholeBatchesCannotBeOneOfSeveral() {
    String settings =
        QUICK.replace("strategy: {name: spread}", "profiles: {a: {}, b: {strategy: {name: pack}}}");
    assertThatThrownBy(() -> scheduler(settings))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage(
            "profile 'b': strategy is 'pack'; allowed: one that places pod by pod, where there"
                + " are several profiles");
  }

  private static String read(URI uri) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                // Less than the half minute that the server grants an unfinished request.
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20)).build(),
                HttpResponse.BodyHandlers.ofString());
    return answer.statusCode() + " " + answer.body();
  }

  private static String reason(JsonNode event) {
    return event.path("reason").asString("");
  }

  private static List<JsonNode> events(String pod) throws IOException {
    String uid = bench.pod(pod).path("metadata").path("uid").asString("");
    return bench.events().stream()
        .filter(event -> event.path("regarding").path("uid").asString("").equals(uid))
        .toList();
  }

  @Test
  void aLoopThatBreaksBeginsAnewWithFreshLists() throws Exception {
    bench.addNode("n0", "a", "2", "8Gi", 20);
    bench.add(Objects.pod("big", "3", "1Gi"));
    AtomicBoolean broken = new AtomicBoolean();
    Consumer<String> breaking =
        line -> {
          log.add(line);
          if (line.contains("\"refused\"") && broken.compareAndSet(false, true)) {
            throw new IllegalStateException("planted");
          }
        };
    try (KubernetesScheduler scheduler =
        KubernetesScheduler.start(
            plane.scheduler(), SettingsFile.read("settings", QUICK), breaking)) {
      Bench.until(broken::get, () -> "nothing refused in " + log);
      bench.addNode("n1", "a", "4", "8Gi", 20);
      assertThat(bench.awaitNode("big")).isEqualTo("n1");
      assertThat(log).anyMatch(line -> line.contains("term-failed") && line.contains("planted"));
      assertThat(log.stream().filter(line -> line.contains("\"synced\""))).hasSize(2);
      assertThat(read(scheduler.monitor().orElseThrow().resolve("/healthz"))).startsWith("200");
    }
  }

  @Test
  void saysWhyNotAndPlacesWhenARoomAppears() throws Exception {
    bench.addNode("n0", "a", "2", "8Gi", 20);
    bench.add(Objects.pod("big", "3", "1Gi"));
    try (KubernetesScheduler scheduler = scheduler()) {
      JsonNode refused =
          bench.await("big", pod -> !Bench.scheduled(pod).path("message").asString("").isEmpty());
      assertThat(Bench.scheduled(refused).path("status").asString()).isEqualTo("False");
      assertThat(Bench.scheduled(refused).path("reason").asString()).isEqualTo("Unschedulable");
      assertThat(Bench.scheduled(refused).path("message").asString())
          .startsWith("0/1 nodes are available: 1 Insufficient cpu.");
      Bench.until(
          () -> events("big").stream().anyMatch(event -> reason(event).equals("FailedScheduling")),
          () -> "no event among " + log);
      bench.addNode("n1", "a", "4", "8Gi", 20);
      assertThat(bench.awaitNode("big")).isEqualTo("n1");
      assertThat(Bench.scheduled(bench.pod("big")).path("status").asString()).isEqualTo("True");
      // Room appears also where a pod goes.
      bench.add(Objects.pod("next", "2", "1Gi"));
      assertThat(bench.awaitNode("next")).isEqualTo("n0");
      bench.add(Objects.pod("last", "2", "1Gi"));
      bench.await("last", pod -> !Bench.scheduled(pod).path("message").asString("").isEmpty());
      bench.deletePod("next");
      assertThat(bench.awaitNode("last")).isEqualTo("n0");
      assertThat(scheduler.monitor()).isPresent();
    }
  }

  @Test
  void placesAWaitingPodWhenAPlacedOneIsRelabelledOrShrinks() throws Exception {
    bench.addNode("n0", "a", "4", "8Gi", 20);
    ObjectNode there = Objects.pod("there", "3", "1Gi");
    ((ObjectNode) there.at("/metadata/labels")).put("group", "g");
    bench.add(there);
    try (KubernetesScheduler scheduler = scheduler()) {
      bench.awaitNode("there");
      ObjectNode apart = Objects.pod("apart", "1", "1Gi");
      apart.withObjectProperty("spec").set("affinity", Objects.apartFrom("g"));
      bench.add(apart);
      bench.await("apart", pod -> !Bench.scheduled(pod).path("message").asString("").isEmpty());
      String path = "/api/v1/namespaces/default/pods/there";
      bench.admin().patch(path, Objects.json("{'metadata':{'labels':{'group':null}}}"));
      assertThat(bench.awaitNode("apart")).isEqualTo("n0");
      bench.add(Objects.pod("big", "2", "1Gi"));
      bench.await("big", pod -> !Bench.scheduled(pod).path("message").asString("").isEmpty());
      String less =
          "{'spec':{'containers':[{'name':'c','image':'none','resources':{'requests':"
              + "{'cpu':'1','memory':'1Gi'}}}]}}";
      bench.admin().patch(path + "/resize", Objects.json(less));
      assertThat(bench.awaitNode("big")).isEqualTo("n0");
      assertThat(scheduler.monitor()).isPresent();
    }
  }

  @Test
  void isNotReadyBeforeItKnowsTheClusterAlsoWithoutALease() throws Exception {
    bench.addNode("n0", "a", "4", "8Gi", 20);
    try (FaultyProxy proxy = new FaultyProxy(plane.admin().uri())) {
      proxy.holdAnswers(true);
      String settings = QUICK.replace("duration: 3s", "enabled: false");
      try (KubernetesScheduler scheduler =
          KubernetesScheduler.start(
              Optional.of(proxy.kubeconfig(plane, folder)),
              Optional.empty(),
              SettingsFile.read("settings", settings),
              log::add)) {
        URI ready = scheduler.monitor().orElseThrow().resolve("/readyz");
        assertThat(read(ready)).isEqualTo("503 the cluster is being listed\n");
        proxy.holdAnswers(false);
        Bench.until(() -> read(ready).equals("200 ok\n"), () -> "not ready: " + log);
      }
    }
  }

  @Test
  void answersProbesWhileOtherClientsNeverEndTheirRequests() throws Exception {
    List<Socket> slow = new ArrayList<>();
    try (KubernetesScheduler scheduler = scheduler()) {
      URI monitor = scheduler.monitor().orElseThrow();
      for (int i = 0; i < 8; i++) {
        Socket socket = new Socket(monitor.getHost(), monitor.getPort());
        slow.add(socket);
        socket.getOutputStream().write("GET /healthz HTTP/1.1\r\n".getBytes(US_ASCII));
      }
      assertThat(read(monitor.resolve("/healthz"))).startsWith("200");
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  @Test
  void looksAtNoPodOfOthersAndAtNoGatedOne() throws Exception {
    bench.addNode("n0", "a", "4", "8Gi", 20);
    ObjectNode other = Objects.pod("other", "1", "1Gi");
    other.withObjectProperty("spec").put("schedulerName", "somebody-else");
    bench.add(other);
    ObjectNode gated = Objects.pod("gated", "1", "1Gi");
    gated
        .withObjectProperty("spec")
        .putArray("schedulingGates")
        .addObject()
        .put("name", "example.com/wait");
    bench.add(gated);
    try (KubernetesScheduler scheduler = scheduler()) {
      bench.add(Objects.pod("mine", "1", "1Gi"));
      bench.awaitNode("mine");
      bench.add(Objects.pod("mine-too", "1", "1Gi"));
      bench.awaitNode("mine-too");
      assertThat(Bench.nodeOf(bench.pod("other"))).isEmpty();
      assertThat(Bench.scheduled(bench.pod("other")).isEmpty()).isTrue();
      assertThat(Bench.nodeOf(bench.pod("gated"))).isEmpty();
      assertThat(Bench.scheduled(bench.pod("gated")).path("reason").asString())
          .isEqualTo("SchedulingGated");
      bench
          .admin()
          .patch(
              "/api/v1/namespaces/default/pods/gated",
              Objects.json("{'spec':{'schedulingGates':null}}"));
      assertThat(bench.awaitNode("gated")).isEqualTo("n0");
      assertThat(scheduler.monitor()).isPresent();
    }
  }

  @Test
  void refusesLoudlyWhatItDoesNotSupport() throws Exception {
    bench.addNode("n0", "a", "4", "8Gi", 20);
    ObjectNode pod = Objects.pod("claims", "1", "1Gi");
    ObjectNode volume = pod.withObjectProperty("spec").putArray("volumes").addObject();
    volume.put("name", "v").putObject("awsElasticBlockStore").put("volumeID", "vol-1");
    bench.add(pod);
    try (KubernetesScheduler scheduler = scheduler()) {
      JsonNode refused =
          bench.await(
              "claims", now -> !Bench.scheduled(now).path("message").asString("").isEmpty());
      assertThat(Bench.scheduled(refused).path("message").asString()).startsWith("not supported: ");
      assertThat(Bench.nodeOf(refused)).isEmpty();
      assertThat(scheduler.monitor()).isPresent();
    }
  }

  @Test
  void aPodWithAResourceClaimIsRefusedInItsConditionAndByAnEvent() throws Exception {
    bench.addNode("n0", "a", "4", "8Gi", 20);
    ObjectNode pod = Objects.pod("gpu", "1", "1Gi");
    pod.withObjectProperty("spec")
        .putArray("resourceClaims")
        .addObject()
        .put("name", "gpu")
        .put("resourceClaimTemplateName", "gpu");
    bench.add(pod);
    try (KubernetesScheduler scheduler = scheduler()) {
      String refusal = "not supported: resourceClaims";
      bench.await("gpu", now -> Bench.scheduled(now).path("message").asString("").equals(refusal));
      Bench.until(
          () ->
              events("gpu").stream()
                  .anyMatch(
                      event ->
                          reason(event).equals("FailedScheduling")
                              && event.path("note").asString("").equals(refusal)),
          () -> "no event among " + log);
      JsonNode now = bench.pod("gpu");
      assertThat(Bench.nodeOf(now)).isEmpty();
      // A real server counts the changes of a pod.
      assertThat(Bench.scheduled(now).path("observedGeneration"))
          .isEqualTo(now.at("/metadata/generation"));
      assertThat(scheduler.monitor()).isPresent();
    }
  }

  @Test
  void decidesNothingWhereTheServerHasNoPodGroups() throws Exception {
    Assumptions.assumeFalse(plane.isFake(), "the fake has all kinds");
    bench.addNode("n0", "a", "4", "8Gi", 20);
    bench.add(Objects.pod("p", "1", "1Gi"));
    try (KubernetesScheduler scheduler = scheduler(QUICK + "podGroups: {enabled: true}\n")) {
      URI monitor = scheduler.monitor().orElseThrow();
      Bench.until(
          () ->
              3
                  <= log.stream()
                      .filter(line -> line.contains("list-failed") && line.contains("pod-groups"))
                      .count(),
          () -> "too few failed lists among " + log);
      // All else is known, so only the PodGroups are missing.
      for (Resource resource : Resource.OF_PLACEMENT) {
        String listed = "lighthouse_kubernetes_lists_total{resource=\"" + resource.word() + "\"}";
        Bench.until(() -> read(monitor.resolve("/metrics")).contains(listed), () -> "no " + listed);
      }
      assertThat(read(monitor.resolve("/readyz"))).startsWith("503");
      assertThat(Bench.nodeOf(bench.pod("p"))).isEmpty();
    }
  }

  @Test
  void goesOnThroughARestartOfTheServer() throws Exception {
    for (int i = 0; i < 4; i++) {
      bench.addNode("n" + i, "a", "10", "80Gi", 50);
    }
    try (Auditor auditor = new Auditor(bench);
        KubernetesScheduler scheduler = scheduler()) {
      for (int i = 0; i < 15; i++) {
        bench.add(Objects.pod("before-" + i, "1", "1Gi"));
      }
      plane.restart();
      for (int i = 0; i < 15; i++) {
        bench.add(Objects.pod("after-" + i, "1", "1Gi"));
      }
      bench.awaitAllBound(30);
      assertThat(auditor.findings()).isEmpty();
      assertThat(scheduler.monitor()).isPresent();
    }
  }

  @Test
  void oneOfTwoReplicasWorksAndTheOtherTakesOver() throws Exception {
    bench.addNode("n0", "a", "20", "80Gi", 50);
    try (Auditor auditor = new Auditor(bench);
        KubernetesScheduler second = startSecond()) {
      bench.add(Objects.pod("first", "1", "1Gi"));
      bench.awaitNode("first");
      assertThat(leaders()).isEqualTo(1);
      // Both were started; the first one is stopped in order, and the lease is free at once.
      first.close();
      bench.add(Objects.pod("then", "1", "1Gi"));
      bench.awaitNode("then");
      Bench.until(() -> leaders() == 2, () -> "leaders: " + log);
      assertThat(auditor.findings()).isEmpty();
      assertThat(second.monitor()).isPresent();
    } finally {
      first.close();
    }
  }

  private KubernetesScheduler first;

  private KubernetesScheduler startSecond() throws Exception {
    first = scheduler();
    Bench.until(() -> leaders() == 1, () -> "no leader: " + log);
    return scheduler();
  }

  private long leaders() {
    return log.stream().filter(line -> line.contains("\"event\":\"leads\"")).count();
  }

  @Test
  void placesTheUrgentBeforeTheOld() throws Exception {
    bench.addNode("n0", "a", "1", "8Gi", 20);
    bench.add(Objects.pod("old", "1", "1Gi"));
    ObjectNode urgent = Objects.pod("urgent", "1", "1Gi");
    urgent.withObjectProperty("spec").put("priorityClassName", "system-node-critical");
    if (plane.isFake()) {
      // What the admission of a real server does.
      urgent.withObjectProperty("spec").put("priority", 2_000_001_000);
    }
    bench.add(urgent);
    try (KubernetesScheduler scheduler = scheduler()) {
      assertThat(bench.awaitNode("urgent")).isEqualTo("n0");
      bench.await("old", pod -> Bench.scheduled(pod).path("status").asString("").equals("False"));
      assertThat(scheduler.monitor()).isPresent();
    }
  }
}

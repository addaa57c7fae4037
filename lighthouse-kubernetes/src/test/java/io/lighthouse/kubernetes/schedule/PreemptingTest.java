package io.lighthouse.kubernetes.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.client.ApiException;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.PriorityPods;
import io.lighthouse.kubernetes.control.PriorityPods.Importance;
import io.lighthouse.kubernetes.control.Storage;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Important pods come to full nodes: the right pods are evicted, once, and the important ones get
 * their places. On the fake in every build, on a real server under the profile kubernetes.
 */
class PreemptingTest extends OnControlPlane {
  private static final String QUICK =
      """
      leaderElection: {duration: 1500ms}
      binding: {timeout: 700ms}
      queue: {firstPause: 20ms, longestPause: 300ms}
      monitor: {port: -1}
      """;

  private static final String PODS = "/api/v1/namespaces/default/pods/";
  private static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";

  private static PriorityPods pods;

  @BeforeAll
  static void start() throws Exception {
    pods = new PriorityPods(plane, bench);
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

  private static boolean isHere(String pod) throws IOException {
    try {
      return !PriorityPods.ends(bench.pod(pod));
    } catch (ApiException gone) {
      return false;
    }
  }

  @Test
  void evictsTheLeastImportantAndGivesTheirPlaceToTheImportant() throws Exception {
    bench.addNode("n0", "a", "4", "8Gi", 20);
    bench.addNode("n1", "a", "4", "8Gi", 20);
    pods.place("big-0", Importance.CLUSTER, "2", "n0");
    pods.place("small-0", Importance.PLAIN, "2", "n0");
    pods.place("big-1", Importance.CLUSTER, "4", "n1");
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      bench.add(pods.pod("urgent-0", Importance.NODE, "2"));
      JsonNode victim = bench.await("small-0", PriorityPods::ends);
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
      bench.add(pods.pod("late-0", Importance.PLAIN, "1"));
      bench.await("late-0", pod -> !Bench.scheduled(pod).path("message").asString("").isEmpty());
      String uid = urgent.path("metadata").path("uid").asString();
      Bench.until(() -> pods.preempted().contains("small-0"), () -> "no event among " + log);
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
    ObjectNode guarded = pods.pod("guarded-0", Importance.PLAIN, "2");
    guarded.withObjectProperty("spec").put("nodeName", "n0");
    guarded.withObjectProperty("metadata").withObjectProperty("labels").put("app", "guarded");
    bench.add(guarded);
    pods.place("other-0", Importance.CLUSTER, "2", "n1");
    bench
        .admin()
        .post(
            BUDGETS,
            Objects.json(
                "{'apiVersion':'policy/v1','kind':'PodDisruptionBudget','metadata':{"
                    + "'name':'guard'},'spec':{'minAvailable':1,"
                    + "'selector':{'matchLabels':{'app':'guarded'}}}}"));
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      bench.add(pods.pod("urgent-1", Importance.NODE, "2"));
      bench.await("other-0", PriorityPods::ends);
      bench.deletePod("other-0");
      assertThat(bench.awaitNode("urgent-1")).isEqualTo("n1");
      assertThat(isHere("guarded-0")).isTrue();
      assertThat(scheduler.server()).isNotNull();
    } finally {
      Bench.delete(bench.admin(), BUDGETS + "/guard");
    }
  }

  @Test
  void evictsNothingWhereThatIsSwitchedOff() throws Exception {
    bench.addNode("n0", "a", "2", "8Gi", 20);
    pods.place("small-2", Importance.PLAIN, "2", "n0");
    try (KubernetesScheduler scheduler = scheduler(QUICK + "preemption: {enabled: false}\n")) {
      bench.add(pods.pod("urgent-2", Importance.NODE, "2"));
      JsonNode refused =
          bench.await(
              "urgent-2", pod -> !Bench.scheduled(pod).path("message").asString("").isEmpty());
      assertThat(Bench.scheduled(refused).path("message").asString()).doesNotContain("preemption");
      assertThat(nominated(refused)).isEmpty();
      assertThat(isHere("small-2")).isTrue();
      assertThat(scheduler.server()).isNotNull();
    }
  }

  /** An earlier process has nominated it, which evicted pods. */
  @Test
  void losesItsNominationAlsoWhereNothingIsEvicted() throws Exception {
    bench.addNode("n0", "a", "2", "8Gi", 20);
    pods.place("small-6", Importance.PLAIN, "1", "n0");
    bench.add(pods.pod("urgent-6", Importance.NODE, "2"));
    bench
        .admin()
        .patch(PODS + "urgent-6/status", Objects.json("{'status':{'nominatedNodeName':'n0'}}"));
    try (KubernetesScheduler scheduler = scheduler(QUICK + "preemption: {enabled: false}\n")) {
      bench.await("urgent-6", pod -> nominated(pod).isEmpty() && !Bench.message(pod).isEmpty());
      // Its room is that of others.
      bench.add(pods.pod("late-6", Importance.PLAIN, "1"));
      assertThat(bench.awaitNode("late-6")).isEqualTo("n0");
      assertThat(scheduler.server()).isNotNull();
    }
  }

  /** It has not been on its node yet, so nothing is deleted. */
  @Test
  void putsAPodBackThatWaitsForItsVolumes() throws Exception {
    bench.addNode("n0", "a", "2", "8Gi", 20);
    Storage storage = new Storage(plane.admin(), "preempted", "example.com/provisioner");
    storage.addClaim("preempted");
    ObjectNode small = pods.pod("small-5", Importance.PLAIN, "2");
    small
        .withObjectProperty("spec")
        .set("volumes", Storage.pod("any", "preempted").at("/spec/volumes"));
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      String uid = bench.add(small).at("/metadata/uid").asString();
      storage.awaitSelected("preempted");
      bench.add(pods.pod("urgent-5", Importance.NODE, "2"));
      assertThat(bench.awaitNode("urgent-5")).isEqualTo("n0");
      bench.awaitMessage("small-5", "0/1 nodes are available: 1 Insufficient cpu.");
      bench.deletePod("urgent-5");
      storage.provision("preempted", "n0");
      assertThat(bench.awaitNode("small-5")).isEqualTo("n0");
      assertThat(bench.pod("small-5").at("/metadata/uid").asString()).isEqualTo(uid);
      assertThat(pods.preempted()).doesNotContain("small-5");
      assertThat(log)
          .anyMatch(line -> line.contains("\"victims\":\"\",\"put_back\":\"default/small-5\""));
      assertThat(scheduler.server()).isNotNull();
    }
  }

  @Test
  void losesItsNominationWhenNoNodeIsLeft() throws Exception {
    bench.addNode("n0", "a", "2", "8Gi", 20);
    pods.place("small-3", Importance.PLAIN, "2", "n0");
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      bench.add(pods.pod("urgent-3", Importance.NODE, "2"));
      bench.await("small-3", PriorityPods::ends);
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
    pods.place("first-4", Importance.PLAIN, "2", "n0");
    pods.place("second-4", Importance.PLAIN, "2", "n0");
    bench.add(pods.pod("urgent-4", Importance.NODE, "4"));
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
    Bench.delete(bench.admin(), PODS + "first-4");
    try (KubernetesScheduler scheduler = scheduler(QUICK)) {
      bench.await(
          "urgent-4",
          pod -> Bench.scheduled(pod).path("message").asString("").contains("terminating pod"));
      assertThat(isHere("second-4")).isTrue();
      bench.deletePod("first-4");
      bench.await("second-4", PriorityPods::ends);
      bench.deletePod("second-4");
      assertThat(bench.awaitNode("urgent-4")).isEqualTo("n0");
      assertThat(pods.preempted()).doesNotContain("first-4");
      assertThat(scheduler.server()).isNotNull();
    }
  }
}

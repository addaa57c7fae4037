package io.lighthouse.kubernetes.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.config.SettingsFile;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.FailingGateway;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.Replicas;
import io.lighthouse.kubernetes.schedule.KubernetesScheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Plans of a live cluster that are carried out: with a scheduler that places what comes in the
 * place of evicted pods, and budgets that forbid.
 */
class EvictionsTest extends PlanBench {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String CSI_NODES = "/apis/storage.k8s.io/v1/csinodes";
  private static final String SETTINGS =
      """
      leaderElection: {enabled: false}
      queue: {firstPause: 20ms, longestPause: 300ms}
      monitor: {port: -1}
      """;

  private final Queue<String> told = new ConcurrentLinkedQueue<>();

  /** What happens to the cluster while a plan is carried out. */
  @FunctionalInterface
  private interface Meanwhile {
    void happens() throws Exception;
  }

  private KubernetesPlan.Outcome carryOut(
      KubernetesPlan plan, Duration patience, Meanwhile meanwhile) throws Exception {
    FutureTask<Void> other =
        new FutureTask<>(
            () -> {
              meanwhile.happens();
              return null;
            });
    new Thread(other).start();
    KubernetesPlan.Outcome outcome = plan.carryOut(patience, told::add);
    other.get();
    return outcome;
  }

  private static KubernetesScheduler scheduler() {
    return KubernetesScheduler.start(
        Optional.of(plane.kubeconfig()),
        Optional.empty(),
        SettingsFile.read("s", SETTINGS),
        line -> {});
  }

  /** A pod of the controller that has a node and is being deleted. */
  private static void addEnding(String name) throws IOException {
    bench.add(owned(on(name, "n1"), "ReplicaSet"));
    bench.admin().delete("/api/v1/namespaces/default/pods/" + name);
    assertThat(bench.pod(name).path("metadata").has("deletionTimestamp")).isTrue();
  }

  private static boolean isCordoned(String node) throws IOException {
    return bench.nodes().stream()
        .filter(one -> Bench.name(one).equals(node))
        .allMatch(one -> one.path("spec").path("unschedulable").asBoolean(false));
  }

  private static void running(int pods) throws Exception {
    Bench.until(
        () -> {
          List<JsonNode> all = bench.pods();
          return all.size() == pods
              && all.stream()
                  .allMatch(p -> p.path("status").path("phase").asString("").equals("Running"));
        },
        () -> "not running");
  }

  @Test
  void whatNobodyWouldBringBackStaysUnlessItIsAskedFor() throws Exception {
    bench.add(on("bare", "n0"));
    ObjectNode scratch = owned(on("scratch", "n0"), "ReplicaSet");
    scratch.withObjectProperty("spec").withArrayProperty("volumes").addObject().put("name", "v");
    ((ObjectNode) scratch.path("spec").path("volumes").path(0)).putObject("emptyDir");
    bench.add(scratch);
    bench.add(owned(on("daemon", "n0"), "DaemonSet"));
    KubernetesPlan none = KubernetesPlan.make(planner, drain("n0"));
    assertThat(none.plan().unmet()).containsExactly("n0");
    assertThat(none.freed()).isEmpty();
    assertThat(none.remarks())
        .containsExactly(
            "default/scratch cannot go: its emptyDir volumes would be lost"
                + " (--delete-emptydir-data)",
            "default/bare cannot go: no controller would bring it back (--force)");
    KubernetesPlan.Outcome nothing = none.carryOut(LONG, told::add);
    assertThat(nothing).isEqualTo(new KubernetesPlan.Outcome(0, 0, Optional.empty()));
    assertThat(told).isEmpty();
    assertThat(podsOn("n0")).containsExactly("bare", "daemon", "scratch");
    bench.deletePod("scratch");

    KubernetesPlan forced =
        KubernetesPlan.make(
            planner,
            new KubernetesPlan.Request("drain", List.of("n0"), PlanLimits.NONE, true, false));
    assertThat(forced.remarks()).isEmpty();
    assertThat(forced.plan().moves()).isOne();
    KubernetesPlan.Outcome done =
        carryOut(
            forced,
            LONG,
            () -> {
              bench.await("bare", pod -> pod.path("metadata").has("deletionTimestamp"));
              bench.deletePod("bare");
            });
    assertThat(done).isEqualTo(new KubernetesPlan.Outcome(1, 1, Optional.empty()));
    assertThat(told)
        .containsExactly(
            "cordoned n0",
            "evicted default/bare from n0",
            "default/bare is gone for good: no controller brings it back");
    assertThat(podsOn("n0")).containsExactly("daemon");
  }

  @Test
  void noPodComesInThePlaceOfOneWithoutAController() throws Exception {
    bench.add(on("bare", "n0"));
    KubernetesPlan plan =
        KubernetesPlan.make(
            planner,
            new KubernetesPlan.Request("drain", List.of("n0"), PlanLimits.NONE, true, false));
    KubernetesPlan.Outcome outcome =
        carryOut(
            plan,
            Duration.ofSeconds(2),
            () -> {
              bench.await("bare", pod -> pod.path("metadata").has("deletionTimestamp"));
              bench.add(Objects.pod("other", "1", "1Gi"));
            });
    assertThat(outcome.stopped()).contains("default/bare was evicted and has not ended within 2 s");
  }

  /** The controller makes a pod for each that goes, and no pod names the one that it replaces. */
  @Test
  void theReplacementOfAnotherPodOfTheControllerIsNotThatOfTheEvictedOne() throws Exception {
    bench.add(owned(on("one", "n0"), "ReplicaSet"));
    bench.add(owned(on("two", "n1"), "ReplicaSet"));
    KubernetesPlan plan = KubernetesPlan.make(planner, drain("n0"));
    KubernetesPlan.Outcome outcome =
        carryOut(
            plan,
            Duration.ofSeconds(2),
            () -> {
              bench.await("one", pod -> pod.path("metadata").has("deletionTimestamp"));
              bench.deletePod("two");
              bench.deletePod("one");
              bench.add(owned(Objects.pod("three", "1", "1Gi"), "ReplicaSet"));
              bench.add(owned(on("four", "n1"), "ReplicaSet"));
            });
    assertThat(outcome.stopped())
        .contains("default/three, in the place of default/one, found no node within 2 s");
  }

  @Test
  void aControllerThatNeedsFewerPodsMeanwhileDoesNotStopThePlan() throws Exception {
    bench.add(owned(on("one", "n0"), "ReplicaSet"));
    bench.add(owned(on("two", "n1"), "ReplicaSet"));
    KubernetesPlan plan = KubernetesPlan.make(planner, drain("n0"));
    KubernetesPlan.Outcome outcome =
        carryOut(
            plan,
            Duration.ofSeconds(2),
            () -> {
              bench.await("one", pod -> pod.path("metadata").has("deletionTimestamp"));
              addEnding("ending");
              bench.add(owned(on("three", "n1"), "ReplicaSet"));
              bench.deletePod("two");
              bench.deletePod("one");
            });
    assertThat(outcome).isEqualTo(new KubernetesPlan.Outcome(1, 1, Optional.empty()));
  }

  @Test
  void waitsForTheReplacementOfAPodThatIsBeingDeleted() throws Exception {
    bench.add(owned(on("one", "n0"), "ReplicaSet"));
    bench.add(owned(on("two", "n1"), "ReplicaSet"));
    KubernetesPlan plan = KubernetesPlan.make(planner, drain("n0"));
    bench.admin().delete("/api/v1/namespaces/default/pods/one");
    bench.add(owned(Objects.pod("three", "1", "1Gi"), "ReplicaSet"));
    KubernetesPlan.Outcome outcome = carryOutAndEnd(plan, "one", "n0");
    assertThat(outcome.stopped())
        .contains("default/three, in the place of default/one, found no node within 2 s");
  }

  /** As when a Deployment is rolled out meanwhile, or the replacement has a node already. */
  @Test
  void goesOnAfterAPodThatIsBeingDeletedWhereNoneWaits() throws Exception {
    bench.add(owned(on("one", "n0"), "ReplicaSet"));
    bench.add(owned(on("two", "n1"), "ReplicaSet"));
    for (int i = 0; i < 2; i++) {
      KubernetesPlan plan = KubernetesPlan.make(planner, drain("n0"));
      bench.admin().delete("/api/v1/namespaces/default/pods/one");
      if (i == 1) {
        bench.add(owned(on("three", "n1"), "ReplicaSet"));
      }
      KubernetesPlan.Outcome outcome = carryOutAndEnd(plan, "one", "n0");
      assertThat(outcome).isEqualTo(new KubernetesPlan.Outcome(1, 1, Optional.empty()));
      bench.admin().patch("/api/v1/nodes/n0", Objects.json("{'spec':{'unschedulable':false}}"));
      bench.add(owned(on("one", "n0"), "ReplicaSet"));
    }
  }

  /**
   * A StatefulSet makes a pod only once the one of its name has gone; it gives up the last first.
   */
  @Test
  void waitsForThePodThatAStatefulSetMakesOnceAnotherHasGone() throws Exception {
    bench.add(owned(on("db-9", "n0"), "StatefulSet"));
    bench.add(owned(on("db-10", "n1"), "StatefulSet"));
    KubernetesPlan scaled = KubernetesPlan.make(planner, drain("n1"));
    bench.admin().delete("/api/v1/namespaces/default/pods/db-10");
    assertThat(carryOutAndEnd(scaled, "db-10", "n1").stopped()).as("scaled down").isEmpty();
    bench.add(owned(on("db-10", "n2"), "StatefulSet"));
    KubernetesPlan plan = KubernetesPlan.make(planner, drain("n0"));
    bench.admin().delete("/api/v1/namespaces/default/pods/db-9");
    assertThat(carryOutAndEnd(plan, "db-9", "n0").stopped())
        .contains("StatefulSet o made no pod in the place of default/db-9 within 2 s");
  }

  /** As of a Job: it makes a pod when another begins to end. */
  @Test
  void aReplacementMayHaveGoneBeforeTheEvictedPod() throws Exception {
    bench.add(owned(on("one", "n0"), "Job"));
    KubernetesPlan plan = KubernetesPlan.make(planner, drain("n0"));
    KubernetesPlan.Outcome outcome =
        carryOut(
            plan,
            Duration.ofSeconds(2),
            () -> {
              bench.await("one", pod -> pod.path("metadata").has("deletionTimestamp"));
              bench.add(owned(on("two", "n1"), "Job"));
              bench.deletePod("two");
              bench.deletePod("one");
            });
    assertThat(outcome).isEqualTo(new KubernetesPlan.Outcome(1, 1, Optional.empty()));
    assertThat(told).anyMatch(line -> line.startsWith("default/two was on n1 in its place"));
  }

  @Test
  void namesAReplacementThatEndsToo() throws Exception {
    bench.add(owned(on("one", "n0"), "ReplicaSet"));
    KubernetesPlan plan = KubernetesPlan.make(planner, drain("n0"));
    KubernetesPlan.Outcome outcome =
        carryOut(
            plan,
            Duration.ofSeconds(2),
            () -> {
              bench.await("one", pod -> pod.path("metadata").has("deletionTimestamp"));
              addEnding("two");
              bench.deletePod("one");
            });
    assertThat(outcome.stopped())
        .contains("default/two, in the place of default/one, is being deleted, too");
  }

  /** The pod ends when the plan has evicted it. */
  private KubernetesPlan.Outcome carryOutAndEnd(KubernetesPlan plan, String pod, String node)
      throws Exception {
    KubernetesPlan.Outcome outcome =
        carryOut(
            plan,
            Duration.ofSeconds(2),
            () -> {
              Bench.until(
                  () -> told.contains("evicted default/" + pod + " from " + node), told::toString);
              bench.deletePod(pod);
            });
    told.clear();
    return outcome;
  }

  /** The first by name, whatever the order of their uids. */
  @Test
  void namesOneThatWaitsAndNotOneThatEnds() throws Exception {
    bench.add(owned(on("one", "n0"), "ReplicaSet"));
    KubernetesPlan plan = KubernetesPlan.make(planner, drain("n0"));
    KubernetesPlan.Outcome outcome =
        carryOut(
            plan,
            Duration.ofSeconds(2),
            () -> {
              bench.await("one", pod -> pod.path("metadata").has("deletionTimestamp"));
              for (int i = 9; i > 0; i--) {
                addEnding("ending-" + i);
                bench.add(owned(Objects.pod("waits-" + i, "1", "1Gi"), "ReplicaSet"));
              }
              bench.deletePod("one");
            });
    assertThat(outcome.stopped())
        .contains("default/waits-1, in the place of default/one, found no node within 2 s");
  }

  @Test
  void cordonsNoNodeThatIsCordonedAlthoughAnotherObjectHasItsName() throws Exception {
    ApiServer admin = bench.admin();
    String[] nodes = {"n0", "n1", "n2"};
    try {
      for (String node : nodes) {
        admin.patch("/api/v1/nodes/" + node, Objects.json("{'spec':{'unschedulable':true}}"));
        admin.post(
            CSI_NODES,
            Objects.json(
                "{'apiVersion':'storage.k8s.io/v1','kind':'CSINode','metadata':{'name':'%s'},"
                    + "'spec':{'drivers':[]}}",
                node));
      }
      KubernetesPlan plan = KubernetesPlan.make(planner, drain(nodes));
      assertThat(plan.freed()).containsExactly(nodes);
      // The objects arrive in any order.
      for (int i = 0; i < 5; i++) {
        plan.carryOut(LONG, told::add);
      }
      assertThat(told).isEmpty();
    } finally {
      for (String node : nodes) {
        admin.delete(CSI_NODES + "/" + node);
      }
    }
  }

  @Test
  void drainsANodeWithinItsBudget() throws Exception {
    try (KubernetesScheduler scheduler = scheduler();
        Replicas web = new Replicas(bench, "web", Objects.pod("web", "1", "1Gi"), 6)) {
      assertThat(scheduler.monitor()).isEmpty();
      running(web.wanted());
      web.budget(5);
      String node = "n1";
      List<String> before = podsOn(node);
      KubernetesPlan plan = KubernetesPlan.make(planner, drain(node));
      KubernetesPlan.Outcome outcome = plan.carryOut(LONG, told::add);
      assertThat(outcome.stopped()).as("%s", told).isEmpty();
      assertThat(outcome.evicted()).isEqualTo(before.size()).isPositive();
      assertThat(podsOn(node)).isEmpty();
      assertThat(isCordoned(node)).isTrue();
      running(6);
      assertThat(told).first().isEqualTo("cordoned " + node);
      assertThat(told.stream().filter(line -> line.contains("in its place")))
          .hasSize(before.size());
      web.noBudget();
    }
  }

  /** The pod is gone before the call is repeated, for it ends at once. */
  @Test
  void anEvictionWhoseAnswerIsLostIsOne() throws Exception {
    try (KubernetesScheduler scheduler = scheduler();
        FailingGateway gateway = new FailingGateway(planner, 1);
        Replicas web = new Replicas(bench, "web", Objects.pod("web", "1", "1Gi"), 3)) {
      assertThat(scheduler.monitor()).isEmpty();
      running(web.wanted());
      String node = Bench.nodeOf(bench.pods().get(0));
      int before = podsOn(node).size();
      gateway.loseAnswers("/eviction", before);
      KubernetesPlan.Outcome outcome =
          KubernetesPlan.make(gateway.access(), drain(node)).carryOut(LONG, told::add);
      assertThat(outcome.stopped()).as("%s", told).isEmpty();
      assertThat(outcome.evicted()).as("%s", told).isEqualTo(before).isPositive();
      assertThat(told.stream().filter(line -> line.contains("in its place"))).hasSize(before);
    }
  }

  @Test
  void aBudgetThatForbidsIsWaitedForAndThenKeptTo() throws Exception {
    try (KubernetesScheduler scheduler = scheduler();
        Replicas strict = new Replicas(bench, "strict", Objects.pod("strict", "1", "1Gi"), 3)) {
      assertThat(scheduler.monitor()).isEmpty();
      running(strict.wanted());
      strict.budget(3);
      String node = Bench.nodeOf(bench.pods().get(0));
      List<String> before = podsOn(node);
      KubernetesPlan.Outcome outcome =
          KubernetesPlan.make(planner, drain(node)).carryOut(Duration.ofSeconds(1), told::add);
      assertThat(outcome.evicted()).isZero();
      assertThat(outcome.stopped().orElseThrow())
          .contains("could not be evicted within 1 s", "disruption budget");
      assertThat(told).anyMatch(line -> line.contains("may not go yet"));
      assertThat(podsOn(node)).isEqualTo(before);
      assertThat(isCordoned(node)).isTrue();

      // The budget gives way while it is waited for.
      KubernetesPlan.Outcome then =
          carryOut(
              KubernetesPlan.make(planner, drain(node)),
              LONG,
              () -> {
                TimeUnit.MILLISECONDS.sleep(500);
                strict.budget(2);
              });
      assertThat(then.stopped()).as("%s", told).isEmpty();
      assertThat(then.evicted()).isEqualTo(before.size());
      strict.noBudget();
    }
  }

  @Test
  void saysWhyTheReplacementHasNoNode() throws Exception {
    // No scheduler runs: the replacement of the first pod waits for ever.
    try (Replicas lone = new Replicas(bench, "lone", on("lone", "n0"), 2)) {
      running(2);
      KubernetesPlan plan = KubernetesPlan.make(planner, drain("n0"));
      lone.makeNone();
      KubernetesPlan.Outcome none = plan.carryOut(Duration.ofSeconds(1), told::add);
      assertThat(none.evicted()).isOne();
      assertThat(none.stopped().orElseThrow())
          .matches("ReplicaSet lone made no pod in the place of default/lone-\\d within 1 s");
      assertThat(podsOn("n0")).hasSize(1);
    }
    bench.clear();
    bench.addNode("n0", "z0", "4", "8Gi", 20);
    bench.addNode("n1", "z1", "4", "8Gi", 20);
    try (KubernetesScheduler scheduler = scheduler();
        Replicas big = new Replicas(bench, "big", Objects.pod("big", "4", "1Gi"), 1)) {
      assertThat(scheduler.monitor()).isEmpty();
      running(big.wanted());
      String node = Bench.nodeOf(bench.pods().get(0));
      KubernetesPlan plan = KubernetesPlan.make(planner, drain(node));
      // Another pod takes the room that was planned.
      bench.add(owned(on("other", node.equals("n0") ? "n1" : "n0"), "ReplicaSet"));
      KubernetesPlan.Outcome stopped = plan.carryOut(Duration.ofSeconds(2), told::add);
      assertThat(stopped.stopped().orElseThrow())
          .contains("in the place of default/big-0, found no node within 2 s: 0/2 nodes are")
          .contains("Insufficient cpu");
      assertThat(stopped.evicted()).isOne();
    }
  }

  @Test
  void consolidatesOntoFewerNodes() throws Exception {
    try (KubernetesScheduler scheduler = scheduler();
        Replicas few = new Replicas(bench, "few", Objects.pod("few", "1", "1Gi"), 3)) {
      assertThat(scheduler.monitor()).isEmpty();
      running(few.wanted());
      assertThat(bench.pods().stream().map(Bench::nodeOf).distinct()).hasSize(3);
      KubernetesPlan.Request request =
          new KubernetesPlan.Request(
              "consolidate", List.of(), PlanLimits.NONE.withMoves(5), false, false);
      KubernetesPlan plan = KubernetesPlan.make(planner, request);
      assertThat(plan.freed()).hasSize(2);
      KubernetesPlan.Outcome outcome = plan.carryOut(LONG, told::add);
      assertThat(outcome).isEqualTo(new KubernetesPlan.Outcome(2, 2, Optional.empty()));
      assertThat(bench.pods().stream().map(Bench::nodeOf).distinct()).hasSize(1);
    }
  }
}

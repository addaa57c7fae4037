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
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Plans of a live cluster that are carried out: with a scheduler that places what comes in the
 * place of evicted pods, and budgets that forbid.
 */
class EvictionsTest extends PlanBench {
  private static final Duration LONG = Duration.ofSeconds(60);

  /** For plans that stop, or go on only then. */
  private static final Duration SHORT = Duration.ofSeconds(2);

  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";

  private static final String CONDITION =
      "{'type':'%s','status':'True','reason':'r','message':'m'}";

  private static final String CSI_NODES = "/apis/storage.k8s.io/v1/csinodes";
  private static final String SETTINGS =
      """
      leaderElection: {enabled: false}
      queue: {firstPause: 20ms, longestPause: 300ms}
      monitor: {port: -1}
      """;

  private static final KubernetesPlan.Outcome DONE =
      new KubernetesPlan.Outcome(1, 1, Optional.empty());

  private static final String FORBIDDEN = "may not go yet";
  private final Queue<String> told = new ConcurrentLinkedQueue<>();

  /** What happens to the cluster while a plan is carried out. */
  @FunctionalInterface
  private interface Meanwhile {
    void happens() throws Exception;
  }

  /**
   * Carries a plan out.
   *
   * @param line what a line of its progress has when something happens. The plan waits for nothing
   *     more before that is over.
   */
  private KubernetesPlan.Outcome carryOut(
      KubernetesPlan plan, Duration patience, String line, Meanwhile meanwhile) throws Exception {
    return plan.carryOut(
        patience,
        next -> {
          told.add(next);
          if (next.contains(line)) {
            try {
              meanwhile.happens();
            } catch (Exception failed) {
              throw new AssertionError(failed);
            }
          }
        });
  }

  private KubernetesPlan.Outcome carryOut(KubernetesPlan plan, Meanwhile onceAPodIsEvicted)
      throws Exception {
    return carryOut(plan, SHORT, "evicted ", onceAPodIsEvicted);
  }

  private static KubernetesPlan drainN0() throws IOException {
    return KubernetesPlan.make(planner, drain("n0"));
  }

  private static KubernetesPlan.Request withForce() {
    return new KubernetesPlan.Request("drain", List.of("n0"), PlanLimits.NONE, true, false);
  }

  /** Another pod of the same controller is on n1. */
  private static void addTwo() throws IOException {
    bench.add(owned(on("one", "n0"), "ReplicaSet"));
    bench.add(owned(on("two", "n1"), "ReplicaSet"));
  }

  private static void addWaiting(String pod, String kind) throws IOException {
    bench.add(owned(Objects.pod(pod, "1", "1Gi"), kind));
  }

  private static String noNodeFor(String pod) {
    return "default/" + pod + ", in the place of default/one, found no node within 2 s";
  }

  private static void end(String pod, String phase) throws IOException {
    bench
        .admin()
        .patch(
            "/api/v1/namespaces/default/pods/" + pod + "/status",
            Objects.json("{'status':{'phase':'%s'}}", phase));
  }

  private static void beginToDelete(String pod) throws IOException {
    Bench.delete(bench.admin(), "/api/v1/namespaces/default/pods/" + pod);
    assertThat(bench.pod(pod).path("metadata").has("deletionTimestamp")).isTrue();
  }

  /** A pod of the controller that has a node and is being deleted. */
  private static void addEnding(String name) throws IOException {
    bench.add(owned(on(name, "n1"), "ReplicaSet"));
    beginToDelete(name);
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

    KubernetesPlan forced = KubernetesPlan.make(planner, withForce());
    assertThat(forced.remarks()).isEmpty();
    assertThat(forced.plan().moves()).isOne();
    KubernetesPlan.Outcome done = carryOut(forced, LONG, "evicted ", () -> bench.deletePod("bare"));
    assertThat(done).isEqualTo(DONE);
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
    KubernetesPlan.Outcome outcome =
        carryOut(
            KubernetesPlan.make(planner, withForce()),
            () -> bench.add(Objects.pod("other", "1", "1Gi")));
    assertThat(outcome.stopped()).contains("default/bare was evicted and has not ended within 2 s");
  }

  /** The controller makes a pod for each that goes, and no pod names the one that it replaces. */
  @Test
  void theReplacementOfAnotherPodOfTheControllerIsNotThatOfTheEvictedOne() throws Exception {
    addTwo();
    KubernetesPlan.Outcome outcome =
        carryOut(
            drainN0(),
            () -> {
              bench.deletePod("two");
              bench.deletePod("one");
              addWaiting("three", "ReplicaSet");
              bench.add(owned(on("four", "n1"), "ReplicaSet"));
            });
    assertThat(outcome.stopped()).contains(noNodeFor("three"));
  }

  @Test
  void aControllerThatNeedsFewerPodsMeanwhileDoesNotStopThePlan() throws Exception {
    addTwo();
    KubernetesPlan.Outcome outcome =
        carryOut(
            drainN0(),
            () -> {
              addEnding("ending");
              bench.add(owned(on("three", "n1"), "ReplicaSet"));
              bench.deletePod("two");
              bench.deletePod("one");
            });
    assertThat(outcome).isEqualTo(DONE);
  }

  @Test
  void waitsForTheReplacementOfAPodThatIsBeingDeleted() throws Exception {
    addTwo();
    KubernetesPlan plan = drainN0();
    beginToDelete("one");
    addWaiting("three", "ReplicaSet");
    assertThat(carryOut(plan, () -> bench.deletePod("one")).stopped()).contains(noNodeFor("three"));
  }

  /** As when a Deployment is rolled out meanwhile, or the replacement has a node already. */
  @Test
  void goesOnAfterAPodThatIsBeingDeletedWhereNoneWaits() throws Exception {
    addTwo();
    for (int i = 0; i < 2; i++) {
      KubernetesPlan plan = drainN0();
      beginToDelete("one");
      if (i == 1) {
        bench.add(owned(on("three", "n1"), "ReplicaSet"));
      }
      assertThat(carryOut(plan, () -> bench.deletePod("one"))).isEqualTo(DONE);
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
    beginToDelete("db-10");
    assertThat(carryOut(scaled, () -> bench.deletePod("db-10"))).as("scaled down").isEqualTo(DONE);
    bench.add(owned(on("db-10", "n2"), "StatefulSet"));
    KubernetesPlan plan = drainN0();
    beginToDelete("db-9");
    assertThat(carryOut(plan, () -> bench.deletePod("db-9")).stopped())
        .contains("StatefulSet o made no pod in the place of default/db-9 within 2 s");
  }

  /** A Job makes a pod when another begins to end, and it may be done soon. */
  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aReplacementOfAJobMayHaveFinishedBeforeTheEvictedPod() throws Exception {
    bench.add(owned(on("one", "n0"), "Job"));
    KubernetesPlan.Outcome outcome =
        carryOut(
            drainN0(),
            Duration.ofHours(1),
            "evicted ",
            () -> {
              bench.add(owned(on("two", "n1"), "Job"));
              end("two", "Succeeded");
              bench.deletePod("one");
            });
    assertThat(outcome).isEqualTo(DONE);
    assertThat(told).anyMatch(line -> line.startsWith("default/two was on n1 in its place"));
  }

  /** As where the first of them has failed. */
  @Test
  void theNextReplacementOfAJobIsWaitedFor() throws Exception {
    bench.add(owned(on("one", "n0"), "Job"));
    KubernetesPlan.Outcome outcome =
        carryOut(
            drainN0(),
            () -> {
              bench.add(owned(on("two", "n1"), "Job"));
              bench.deletePod("two");
              addWaiting("three", "Job");
              bench.deletePod("one");
            });
    assertThat(outcome.stopped()).contains(noNodeFor("three"));
  }

  /** The one that finishes had a node before the eviction, and its successor has one. */
  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void anotherPodOfAJobThatFinishesMeanwhileReplacesNone() throws Exception {
    bench.add(owned(on("one", "n0"), "Job"));
    bench.add(owned(on("two", "n1"), "Job"));
    KubernetesPlan.Outcome outcome =
        carryOut(
            drainN0(),
            Duration.ofHours(1),
            "evicted ",
            () -> {
              end("two", "Succeeded");
              bench.add(owned(on("three", "n1"), "Job"));
              bench.deletePod("one");
              // Time for a plan that does not wait to end before that.
              CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS)
                  .execute(() -> addOfJob("four"));
            });
    assertThat(outcome).isEqualTo(DONE);
    assertThat(told).anyMatch(line -> line.startsWith("default/four is on n1 in its place"));
  }

  /** Whether it failed is read; 403 is the answer where the role is that of an earlier version. */
  @ParameterizedTest
  @CsvSource({"0, three is", "503, three is", "403, two was"})
  @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aPodOfAJobThatFailsReplacesNone(int answer, String replacement) throws Exception {
    bench.add(owned(on("one", "n0"), "Job"));
    try (FailingGateway gateway = new FailingGateway(planner, 1)) {
      if (answer > 0) {
        gateway.answer("/pods/two", answer);
      }
      KubernetesPlan.Outcome outcome =
          carryOut(
              KubernetesPlan.make(gateway.access(), drain("n0")),
              Duration.ofHours(1),
              "evicted ",
              () -> {
                bench.add(owned(on("two", "n1"), "Job"));
                end("two", "Failed");
                bench.deletePod("one");
                if (answer != 403) {
                  // Time for a plan that does not wait to end before that.
                  CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS)
                      .execute(() -> addOfJob("three"));
                }
              });
      assertThat(outcome).isEqualTo(DONE);
      assertThat(told)
          .anyMatch(line -> line.startsWith("default/" + replacement + " on n1 in its place"));
    }
  }

  /** The status of a Job that is suspended or complete; what a server wants of the second. */
  private static ObjectNode statusOfJob(String end) {
    ObjectNode object = Objects.json("{'status':{'conditions':[" + CONDITION + "]}}", end);
    ObjectNode status = (ObjectNode) object.path("status");
    if (end.equals("Complete")) {
      status.put("startTime", "2026-11-22T12:00:00Z").put("completionTime", "2026-11-22T12:01:00Z");
      status.withArrayProperty("conditions").add(Objects.json(CONDITION, "SuccessCriteriaMet"));
    }
    return object;
  }

  @ParameterizedTest
  @ValueSource(strings = {"Complete", "Suspended", "Deleted"})
  @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aJobThatMakesNoMorePodsIsNotWaitedFor(String end) throws Exception {
    // The real server keeps one that is being deleted: nothing removes its finalizer there.
    String name = "ends-" + end.toLowerCase(Locale.ROOT);
    String job = JOBS + "/" + name;
    JsonNode made =
        bench
            .admin()
            .post(
                JOBS,
                Objects.json(
                    "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'%s'},'spec':{"
                        + "'template':{'spec':{'restartPolicy':'Never','containers':["
                        + "{'name':'c','image':'i'}]}}}}",
                    name));
    bench.add(owned(on("one", "n0"), made));
    KubernetesPlan.Outcome outcome =
        carryOut(
            drainN0(),
            Duration.ofHours(1),
            "evicted ",
            () -> {
              bench.deletePod("one");
              if (end.equals("Deleted")) {
                Bench.delete(bench.admin(), job);
              } else {
                bench.admin().patch(job + "/status", statusOfJob(end));
              }
            });
    assertThat(outcome).isEqualTo(DONE);
    assertThat(told)
        .last()
        .isEqualTo("no pod is in the place of default/one: its Job makes no more");
    if (!end.equals("Deleted")) {
      Bench.delete(bench.admin(), job);
    }
  }

  /** Creates a controller that wants one pod. */
  private static JsonNode addController(String path, String kind, String selector)
      throws IOException {
    String version = path.startsWith("/api/") ? "v1" : "apps/v1";
    return bench
        .admin()
        .post(
            path,
            Objects.json(
                "{'apiVersion':'%s','kind':'%s','metadata':{'name':'shrinks'},'spec':{"
                    + "'replicas':1,'selector':%s,'template':{'metadata':{'labels':{'a':'b'}},"
                    + "'spec':{'containers':[{'name':'c','image':'i'}]}}}}",
                version, kind, selector));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "/apis/apps/v1/namespaces/default/replicasets ReplicaSet {'matchLabels':{'a':'b'}} false",
        "/apis/apps/v1/namespaces/default/replicasets ReplicaSet {'matchLabels':{'a':'b'}} true",
        "/apis/apps/v1/namespaces/default/statefulsets StatefulSet {'matchLabels':{'a':'b'}} false",
        "/api/v1/namespaces/default/replicationcontrollers ReplicationController {'a':'b'} false"
      },
      quoteCharacter = '"')
  @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aControllerThatIsScaledDownOrDeletedIsNotWaitedFor(
      String path, String kind, String selector, boolean isDeleted) throws Exception {
    JsonNode controller = addController(path, kind, selector);
    String shrinks = path + "/shrinks";
    bench.add(owned(on("one-0", "n0"), controller));
    try {
      KubernetesPlan.Outcome outcome =
          carryOut(
              drainN0(),
              Duration.ofHours(1),
              "evicted ",
              () -> {
                bench.deletePod("one-0");
                if (isDeleted) {
                  Bench.delete(bench.admin(), shrinks);
                } else {
                  bench.admin().patch(shrinks, Objects.json("{'spec':{'replicas':0}}"));
                }
              });
      assertThat(outcome).isEqualTo(DONE);
      assertThat(told)
          .last()
          .isEqualTo("no pod is in the place of default/one-0: its " + kind + " makes no more");
    } finally {
      if (!isDeleted) {
        Bench.delete(bench.admin(), shrinks);
      }
    }
  }

  /** It makes db-1 again, also while it has a pod that is beyond its number. */
  @ParameterizedTest
  @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  @CsvSource({
    "db-1, 2, StatefulSet shrinks made no pod in the place of default/db-1 within 2 s",
    "db-2, 2, "
  })
  void aStatefulSetMakesPodsUpToItsNumberOnly(String pod, int replicas, String stopped)
      throws Exception {
    String path = "/apis/apps/v1/namespaces/default/statefulsets";
    JsonNode set = addController(path, "StatefulSet", "{'matchLabels':{'a':'b'}}");
    for (int i = 0; i < 3; i++) {
      String name = "db-" + i;
      bench.add(owned(on(name, name.equals(pod) ? "n0" : "n1"), set));
    }
    Duration patience = stopped == null ? Duration.ofHours(1) : SHORT;
    try {
      KubernetesPlan.Outcome outcome =
          carryOut(
              drainN0(),
              patience,
              "evicted ",
              () -> {
                bench.deletePod(pod);
                bench
                    .admin()
                    .patch(path + "/shrinks", Objects.json("{'spec':{'replicas':%d}}", replicas));
              });
      assertThat(outcome.stopped()).isEqualTo(Optional.ofNullable(stopped));
    } finally {
      Bench.delete(bench.admin(), path + "/shrinks");
    }
  }

  private static void addOfJob(String name) {
    try {
      bench.add(owned(on(name, "n1"), "Job"));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** It is made anew, but the controller may need fewer pods by then. */
  @Test
  void aReplacementOfAReplicaSetMayHaveGoneBeforeTheEvictedPod() throws Exception {
    bench.add(owned(on("one", "n0"), "ReplicaSet"));
    KubernetesPlan.Outcome outcome =
        carryOut(
            drainN0(),
            () -> {
              bench.add(owned(on("two", "n1"), "ReplicaSet"));
              bench.deletePod("two");
              bench.deletePod("one");
            });
    assertThat(outcome).isEqualTo(DONE);
  }

  @Test
  void namesAReplacementThatEndsToo() throws Exception {
    bench.add(owned(on("one", "n0"), "ReplicaSet"));
    KubernetesPlan.Outcome outcome =
        carryOut(
            drainN0(),
            () -> {
              addEnding("two");
              bench.deletePod("one");
            });
    assertThat(outcome.stopped())
        .contains("default/two, in the place of default/one, is being deleted, too");
  }

  /** The first by name, whatever the order of their uids. */
  @Test
  void namesOneThatWaitsAndNotOneThatEnds() throws Exception {
    bench.add(owned(on("one", "n0"), "ReplicaSet"));
    KubernetesPlan.Outcome outcome =
        carryOut(
            drainN0(),
            () -> {
              for (int i = 9; i > 0; i--) {
                addEnding("ending-" + i);
                addWaiting("waits-" + i, "ReplicaSet");
              }
              bench.deletePod("one");
            });
    assertThat(outcome.stopped()).contains(noNodeFor("waits-1"));
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
        Bench.delete(admin, CSI_NODES + "/" + node);
      }
    }
  }

  @Test
  void namesAControllerThatMakesNoReplacement() throws Exception {
    try (Replicas lone = new Replicas(bench, "lone", on("lone", "n0"), 2)) {
      running(2);
      KubernetesPlan plan = drainN0();
      lone.makeNone();
      KubernetesPlan.Outcome none =
          carryOut(plan, () -> Bench.until(() -> podsOn("n0").size() == 1, told::toString));
      assertThat(none.evicted()).isOne();
      assertThat(none.stopped().orElseThrow())
          .matches("ReplicaSet lone made no pod in the place of default/lone-\\d within 2 s");
      assertThat(podsOn("n0")).hasSize(1);
    }
  }

  /** A scheduler places the replacements. */
  @Nested
  class WithAScheduler {
    private KubernetesScheduler scheduler;
    private Replicas replicas;

    @BeforeEach
    void startScheduler() {
      scheduler =
          KubernetesScheduler.start(
              Optional.of(plane.kubeconfig()),
              Optional.empty(),
              SettingsFile.read("s", SETTINGS),
              line -> {});
    }

    @AfterEach
    void stop() throws IOException {
      replicas.close();
      scheduler.close();
    }

    private void addReplicas(int wanted, String cpu) throws Exception {
      replicas = new Replicas(bench, "web", Objects.pod("web", cpu, "1Gi"), wanted);
      running(wanted);
    }

    private static String someNode() throws IOException {
      return Bench.nodeOf(bench.pods().get(0));
    }

    private static boolean isSomeRefused() throws IOException {
      return bench.pods().stream().anyMatch(pod -> Bench.message(pod).startsWith("0/3 nodes"));
    }

    private long replacements() {
      return told.stream().filter(line -> line.contains("in its place")).count();
    }

    @Test
    void drainsANodeWithinItsBudget() throws Exception {
      addReplicas(6, "1");
      replicas.budget(5);
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
      assertThat(replacements()).isEqualTo(before.size());
      replicas.noBudget();
    }

    /** The pod is gone before the call is repeated, for it ends at once. */
    @Test
    void anEvictionWhoseAnswerIsLostIsOne() throws Exception {
      addReplicas(3, "1");
      String node = someNode();
      int before = podsOn(node).size();
      try (FailingGateway gateway = new FailingGateway(planner, 1)) {
        gateway.loseAnswers("/eviction", before);
        KubernetesPlan.Outcome outcome =
            KubernetesPlan.make(gateway.access(), drain(node)).carryOut(LONG, told::add);
        assertThat(outcome.stopped()).as("%s", told).isEmpty();
        assertThat(outcome.evicted()).as("%s", told).isEqualTo(before).isPositive();
        assertThat(replacements()).isEqualTo(before);
      }
    }

    @Test
    void aBudgetThatForbidsIsWaitedForAndThenKeptTo() throws Exception {
      addReplicas(3, "1");
      replicas.budget(3);
      String node = someNode();
      List<String> before = podsOn(node);
      KubernetesPlan.Outcome outcome =
          KubernetesPlan.make(planner, drain(node)).carryOut(Duration.ofSeconds(1), told::add);
      assertThat(outcome.evicted()).isZero();
      assertThat(outcome.stopped().orElseThrow())
          .contains("could not be evicted within 1 s", "disruption budget");
      assertThat(told).anyMatch(line -> line.contains(FORBIDDEN));
      assertThat(podsOn(node)).isEqualTo(before);
      assertThat(isCordoned(node)).isTrue();

      // The budget gives way while it is waited for.
      KubernetesPlan.Outcome then =
          carryOut(
              KubernetesPlan.make(planner, drain(node)), LONG, FORBIDDEN, () -> replicas.budget(2));
      assertThat(then.stopped()).as("%s", told).isEmpty();
      assertThat(then.evicted()).isEqualTo(before.size());
      replicas.noBudget();
    }

    @Test
    void saysWhyTheReplacementHasNoNode() throws Exception {
      addReplicas(1, "4");
      String node = someNode();
      KubernetesPlan plan = KubernetesPlan.make(planner, drain(node));
      // Other pods take the room that was planned.
      for (String other : List.of("n0", "n1", "n2")) {
        if (!other.equals(node)) {
          bench.add(owned(on("other-" + other, other), "ReplicaSet"));
        }
      }
      KubernetesPlan.Outcome stopped =
          carryOut(plan, () -> Bench.until(WithAScheduler::isSomeRefused, told::toString));
      assertThat(stopped.stopped().orElseThrow())
          .contains("in the place of default/web-0, found no node within 2 s: 0/3 nodes are")
          .contains("Insufficient cpu");
      assertThat(stopped.evicted()).isOne();
    }

    @Test
    void consolidatesOntoFewerNodes() throws Exception {
      addReplicas(3, "1");
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

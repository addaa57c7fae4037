package io.lighthouse.kubernetes.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.kubernetes.client.ApiServer;
import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.Objects;
import io.lighthouse.kubernetes.control.Replicas;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Plans of a live cluster that are carried out: what is waited for, and what stops them. */
class EvictionsTest extends EvictionBench {
  private static final String CSI_NODES = "/apis/storage.k8s.io/v1/csinodes";
  private static final String STATEFUL_SETS = "/apis/apps/v1/namespaces/default/statefulsets";

  private static KubernetesPlan.Request withForce() {
    return new KubernetesPlan.Request("drain", List.of("n0"), PlanLimits.NONE, true, false);
  }

  /** Another pod of the same controller is on n1. */
  private static void addTwo() throws IOException {
    bench.add(owned(on("one", "n0"), "ReplicaSet"));
    bench.add(owned(on("two", "n1"), "ReplicaSet"));
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
    JsonNode set = addController(STATEFUL_SETS, "StatefulSet", "{'matchLabels':{'a':'b'}}");
    bench.admin().patch(STATEFUL_SETS + "/shrinks", Objects.json("{'spec':{'replicas':99}}"));
    try {
      bench.add(owned(on("db-9", "n0"), set));
      bench.add(owned(on("db-10", "n1"), set));
      KubernetesPlan scaled = KubernetesPlan.make(planner, drain("n1"));
      beginToDelete("db-10");
      assertThat(carryOut(scaled, () -> bench.deletePod("db-10")))
          .as("scaled down")
          .isEqualTo(DONE);
      bench.add(owned(on("db-10", "n2"), set));
      KubernetesPlan plan = drainN0();
      beginToDelete("db-9");
      assertThat(carryOut(plan, () -> bench.deletePod("db-9")).stopped())
          .contains("StatefulSet shrinks made no pod in the place of default/db-9 within 2 s");
    } finally {
      Bench.delete(bench.admin(), STATEFUL_SETS + "/shrinks");
    }
  }

  /** What a StatefulSet of another API does once a pod has gone is not known. */
  @Test
  void doesNotWaitForThePodOfAnotherKindOfStatefulSet() throws Exception {
    bench.add(owned(on("db-0", "n0"), "StatefulSet"));
    bench.add(owned(on("db-1", "n1"), "StatefulSet"));
    KubernetesPlan plan = drainN0();
    beginToDelete("db-0");
    assertThat(carryOut(plan, () -> bench.deletePod("db-0"))).isEqualTo(DONE);
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
      assertIsNotReplaced(
          "one-0",
          kind,
          () -> {
            if (isDeleted) {
              Bench.delete(bench.admin(), shrinks);
            } else {
              bench.admin().patch(shrinks, Objects.json("{'spec':{'replicas':0}}"));
            }
          });
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
    JsonNode set = addController(STATEFUL_SETS, "StatefulSet", "{'matchLabels':{'a':'b'}}");
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
                    .patch(
                        STATEFUL_SETS + "/shrinks",
                        Objects.json("{'spec':{'replicas':%d}}", replicas));
              });
      assertThat(outcome.stopped()).isEqualTo(Optional.ofNullable(stopped));
    } finally {
      Bench.delete(bench.admin(), STATEFUL_SETS + "/shrinks");
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
}

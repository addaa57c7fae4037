package io.lighthouse.kubernetes.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.advice.PlanLimits;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A scheduler places what comes in the place of evicted pods, within budgets that forbid. */
class EvictionsWithASchedulerTest extends EvictionBench {
  private static final String SETTINGS =
      """
      leaderElection: {enabled: false}
      queue: {firstPause: 20ms, longestPause: 300ms}
      monitor: {port: -1}
      """;

  private static final String FORBIDDEN = "may not go yet";

  private static boolean isCordoned(String node) throws IOException {
    return bench.nodes().stream()
        .filter(one -> Bench.name(one).equals(node))
        .allMatch(one -> one.path("spec").path("unschedulable").asBoolean(false));
  }

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
  void stopScheduler() throws IOException {
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
        carryOut(
            plan, () -> Bench.until(EvictionsWithASchedulerTest::isSomeRefused, told::toString));
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

package io.lighthouse.kubernetes.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.control.Bench;
import io.lighthouse.kubernetes.control.Objects;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import tools.jackson.databind.JsonNode;

/** Plans that are carried out while something happens to the cluster. */
abstract class EvictionBench extends PlanBench {
  static final Duration LONG = Duration.ofSeconds(60);

  /** For plans that stop, or go on only then. */
  static final Duration SHORT = Duration.ofSeconds(2);

  static final KubernetesPlan.Outcome DONE = new KubernetesPlan.Outcome(1, 1, Optional.empty());

  final Queue<String> told = new ConcurrentLinkedQueue<>();

  /** What happens to the cluster while a plan is carried out. */
  @FunctionalInterface
  interface Meanwhile {
    void happens() throws Exception;
  }

  /**
   * Carries a plan out.
   *
   * @param line what a line of its progress has when something happens. The plan waits for nothing
   *     more before that is over.
   */
  KubernetesPlan.Outcome carryOut(
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

  KubernetesPlan.Outcome carryOut(KubernetesPlan plan, Meanwhile onceAPodIsEvicted)
      throws Exception {
    return carryOut(plan, SHORT, "evicted ", onceAPodIsEvicted);
  }

  /**
   * Drains n0 of a pod whose controller makes no more, and does not wait for another one.
   *
   * @param change what becomes of the controller once the pod is evicted and gone
   */
  void assertIsNotReplaced(String pod, String kind, Meanwhile change) throws Exception {
    KubernetesPlan.Outcome outcome =
        carryOut(
            drainN0(),
            Duration.ofHours(1),
            "evicted ",
            () -> {
              bench.deletePod(pod);
              change.happens();
            });
    assertThat(outcome).isEqualTo(DONE);
    assertThat(told)
        .last()
        .isEqualTo("no pod is in the place of default/" + pod + ": its " + kind + " makes no more");
  }

  static KubernetesPlan drainN0() throws IOException {
    return KubernetesPlan.make(planner, drain("n0"));
  }

  static void addWaiting(String pod, String kind) throws IOException {
    bench.add(owned(Objects.pod(pod, "1", "1Gi"), kind));
  }

  static String noNodeFor(String pod) {
    return "default/" + pod + ", in the place of default/one, found no node within 2 s";
  }

  static void running(int pods) throws Exception {
    Bench.until(
        () -> {
          List<JsonNode> all = bench.pods();
          return all.size() == pods
              && all.stream()
                  .allMatch(p -> p.path("status").path("phase").asString("").equals("Running"));
        },
        () -> "not running");
  }
}

package io.lighthouse.kubernetes.shadow;

import io.lighthouse.api.Rubric;
import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.decide.Clusters;
import io.lighthouse.kubernetes.monitor.JsonLog;
import io.lighthouse.kubernetes.monitor.SchedulerMetrics;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The models of a shadow without a server: a test tells what happens, and owns the clock. */
final class FollowedCluster {
  /** Pods that name this scheduler are compared. */
  static final String SCHEDULER = "lighthouse";

  final List<String> log = new ArrayList<>();
  final ShadowFindings findings;
  ClusterPair pair;

  /** The cluster of the pair that would be; it is made last. */
  private Cluster ours;

  Comparisons comparisons;
  private final String strategy;
  private final Comparisons.Limits limits;
  private final Set<String> reported = new HashSet<>();
  private final Set<String> known = new HashSet<>();
  private boolean synced = true;
  private long now = 1;

  FollowedCluster(String strategy) {
    this(strategy, Comparisons.Limits.STANDARD);
  }

  FollowedCluster(String strategy, Comparisons.Limits limits) {
    findings =
        new ShadowFindings(
            new JsonLog(log::add, Clock.systemUTC()),
            new SchedulerMetrics(),
            Clock.systemUTC(),
            () -> now);
    this.strategy = strategy;
    this.limits = limits;
    watchAnew();
  }

  /** The models begin anew, as after a failed watch; they are empty. */
  final void watchAnew() {
    known.clear();
    pair = new ClusterPair(() -> ours = Clusters.of(engine(strategy)));
    comparisons = new Comparisons(pair, SCHEDULER, findings, reported, limits, () -> now);
  }

  /** An engine with a strategy. */
  static Distributors.Builder engine(String strategy) {
    return Distributors.installed().strategy(strategy).rubric(Rubric.of("cpu", 1));
  }

  /** What happens until {@link #synced} is what the first lists bring. */
  FollowedCluster listing() {
    synced = false;
    return this;
  }

  void synced() {
    synced = true;
  }

  void node(JsonNode node) {
    comparisons.nodeChanged(node);
  }

  void pod(JsonNode pod) {
    String uid = pod.at("/metadata/uid").asString();
    comparisons.podChanged(uid, pod, known.add(uid), synced);
  }

  /** The pod is bound, as the server shows it. */
  void bind(ObjectNode pod, String node) {
    pod(bound(pod, node));
  }

  static ObjectNode bound(JsonNode pod, String node) {
    ObjectNode bound = (ObjectNode) pod.deepCopy();
    bound.withObjectProperty("spec").put("nodeName", node);
    return bound;
  }

  /** The other scheduler refuses the pod. */
  void refuse(ObjectNode pod, String message) {
    ObjectNode refused = pod.deepCopy();
    refused
        .withObjectProperty("status")
        .putArray("conditions")
        .addObject()
        .put("type", "PodScheduled")
        .put("status", "False")
        .put("reason", "Unschedulable")
        .put("message", message);
    pod(refused);
  }

  /** The node that a pod is on in "ours"; empty where it has none. */
  String nodeInOurs(String uid) {
    return ours.assumedNode(uid).orElse("");
  }

  void gone(String uid) {
    known.remove(uid);
    comparisons.podGone(uid);
  }

  /** Time passes in steps of a second, each with a turn. */
  void pass(Duration time) {
    for (long second = 0; second < time.toSeconds(); second++) {
      now += TimeUnit.SECONDS.toNanos(1);
      comparisons.turn();
    }
  }

  long count(ComparisonOutcome outcome) {
    return report().counts().get(outcome);
  }

  long count(ComparisonOutcome.Group group) {
    return report().count(group);
  }

  ShadowReport report() {
    return findings.report("https://server", SCHEDULER, "strategy");
  }

  /** The difference that was found last. */
  Difference last() {
    return report().last().get(0);
  }
}

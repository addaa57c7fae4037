package io.lighthouse.kubernetes.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.kubernetes.cluster.decide.Cluster;
import io.lighthouse.kubernetes.cluster.decide.Clusters;
import io.lighthouse.kubernetes.cluster.decide.Decision;
import io.lighthouse.kubernetes.cluster.decide.RandomCluster;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.control.Objects;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The shadow of a scheduler that is Lighthouse itself finds no difference; a scheduler with a
 * planted fault is found out, with its reason. The clusters are random, with all constraints.
 */
class ShadowProperties {
  private static final int PODS = 25;
  private static final String[] STRATEGIES = {"prioritized", "spread", "bin-pack"};
  private static final Duration SETTLED = Duration.ofSeconds(6);

  /** Another scheduler: Lighthouse, whose decisions a fault may change. */
  private static final class Life {
    final RandomCluster random;
    final Cluster other;
    final FollowedCluster shadow;
    final Map<String, ObjectNode> bound = new LinkedHashMap<>();
    final Map<String, ObjectNode> waiting = new LinkedHashMap<>();

    Life(long seed, String others, String ours) {
      this(seed, others, new FollowedCluster(ours));
    }

    Life(long seed, String others, FollowedCluster ours) {
      random = new RandomCluster(seed);
      other = Clusters.of(FollowedCluster.engine(others));
      shadow = ours.listing();
      random.namespaces.forEach(
          namespace -> {
            other.namespaceChanged(namespace);
            shadow.pair.changed(Resource.NAMESPACES, namespace);
          });
      random.nodes.forEach(
          node -> {
            other.nodeChanged(node);
            shadow.node(node);
          });
      random.placed.forEach(
          pod -> {
            other.podChanged(pod);
            shadow.pod(pod);
          });
      shadow.synced();
    }

    ObjectNode comes() {
      ObjectNode pod = random.pod(false);
      other.podChanged(pod);
      shadow.pod(pod);
      return pod;
    }

    /** The node of a pod by the other scheduler; empty where it has none. */
    String decide(ObjectNode pod) {
      String uid = uid(pod);
      return other.decide(List.of(uid)).get(0) instanceof Decision.Bind bind ? bind.node() : "";
    }

    /** The decision becomes known. */
    void known(ObjectNode pod, String node) {
      if (node.isEmpty()) {
        waiting.put(uid(pod), pod);
        shadow.refuse(pod, "refused");
      } else {
        waiting.remove(uid(pod));
        bound.put(uid(pod), FollowedCluster.bound(pod, node));
        other.podChanged(bound.get(uid(pod)));
        shadow.bind(pod, node);
      }
    }

    /** A pod ends, or a node changes. */
    void change() {
      if (!bound.isEmpty() && random.chance(60)) {
        String uid = bound.keySet().stream().skip(random.below(bound.size())).findFirst().get();
        bound.remove(uid);
        other.podGone(uid);
        shadow.gone(uid);
      } else {
        ObjectNode node = random.node("n" + random.below(4));
        other.nodeChanged(node);
        shadow.node(node);
      }
    }

    private static String uid(JsonNode pod) {
      return pod.at("/metadata/uid").asString();
    }
  }

  @Property(tries = 150)
  void theShadowOfLighthouseItselfAgreesOnEveryPod(@ForAll long seed) {
    String strategy = STRATEGIES[Math.floorMod(seed, STRATEGIES.length)];
    Life life = new Life(seed, strategy, strategy);
    for (int i = 0; i < PODS; i++) {
      ObjectNode pod = life.comes();
      life.known(pod, life.decide(pod));
      if (life.random.chance(30)) {
        life.change();
      }
      if (!life.waiting.isEmpty() && life.random.chance(30)) {
        ObjectNode again = life.waiting.values().iterator().next();
        life.known(again, life.decide(again));
      }
    }
    ShadowReport report = life.shadow.report();
    assertThat(report.last()).isEmpty();
    assertThat(report.counts().get(ComparisonOutcome.AS_GOOD)).isZero();
    assertThat(report.compared()).isBetween((long) PODS, 2L * PODS);
    // A pod that was refused first may have another node: the other scheduler tried it later.
    life.bound.forEach(
        (uid, pod) -> {
          if (life.shadow.pair.isFollowed(uid)) {
            assertThat(life.shadow.nodeInOurs(uid)).isNotEmpty();
          }
        });
  }

  @Tag("planted")
  @Test
  void noticesAnotherStrategy() {
    long ranked = 0;
    for (int seed = 0; seed < 20; seed++) {
      Life life = new Life(seed, "bin-pack", "spread");
      for (int i = 0; i < PODS; i++) {
        ObjectNode pod = life.comes();
        life.known(pod, life.decide(pod));
      }
      ranked += life.shadow.count(ComparisonOutcome.RANKED);
      assertThat(life.shadow.count(ComparisonOutcome.Group.VERDICT)).isZero();
      assertThat(life.shadow.report().last())
          .allSatisfy(one -> assertThat(one.by()).isEqualTo("strategy spread"));
    }
    assertThat(ranked).isGreaterThan(20);
  }

  /** The second best node is never called the same, nor refused. */
  @Property(tries = 100)
  void theSecondBestNodeIsRankedOrAsGood(@ForAll long seed) {
    Life life = new Life(seed, "spread", "spread");
    for (int i = 0; i < PODS; i++) {
      ObjectNode pod = life.comes();
      List<String> ranking = life.other.questions().ranking(life.other.waitingEntry(Life.uid(pod)));
      long differ =
          life.shadow.count(ComparisonOutcome.RANKED)
              + life.shadow.count(ComparisonOutcome.AS_GOOD);
      if (ranking.size() < 2) {
        life.known(pod, ranking.isEmpty() ? "" : ranking.get(0));
        continue;
      }
      life.known(pod, ranking.get(1));
      assertThat(
              life.shadow.count(ComparisonOutcome.RANKED)
                  + life.shadow.count(ComparisonOutcome.AS_GOOD))
          .isEqualTo(differ + 1);
    }
    life.shadow.pass(SETTLED);
    assertThat(life.shadow.count(ComparisonOutcome.SAME_NODE)).isZero();
    assertThat(life.shadow.count(ComparisonOutcome.Group.VERDICT)).isZero();
    life.shadow.report().last().forEach(one -> assertThat(one.ours()).isNotEqualTo(one.there()));
  }

  /** A scheduler that does not know of taints is found out on each pod that it puts on one. */
  @Property(tries = 100)
  void aSchedulerThatIgnoresTaintsDiffersInTheVerdict(@ForAll long seed) {
    Life life = new Life(seed, "spread", "spread");
    Map<String, Boolean> hasTaint = new HashMap<>();
    for (JsonNode node : life.random.nodes) {
      ObjectNode blind = (ObjectNode) node.deepCopy();
      boolean hard = blind.at("/spec/unschedulable").asBoolean(false);
      for (JsonNode taint : blind.at("/spec/taints")) {
        hard |= !taint.path("effect").asString().equals("PreferNoSchedule");
      }
      hasTaint.put(node.at("/metadata/name").asString(), hard);
      blind.withObjectProperty("spec").removeAll();
      life.other.nodeChanged(blind);
    }
    int wrong = 0;
    for (int i = 0; i < PODS; i++) {
      ObjectNode pod = life.random.pod(false);
      // Spread is left out: by its policies, taints decide which nodes it counts.
      pod.withObjectProperty("spec")
          .remove(List.of("tolerations", "topologySpreadConstraints", "nodeName"));
      life.other.podChanged(pod);
      life.shadow.pod(pod);
      String node = life.decide(pod);
      if (!node.isEmpty()) {
        life.known(pod, node);
        wrong += hasTaint.get(node) ? 1 : 0;
      }
    }
    life.shadow.pass(SETTLED);
    assertThat(life.shadow.count(ComparisonOutcome.Group.VERDICT)).isEqualTo(wrong);
    assertThat(life.shadow.report().last())
        .filteredOn(one -> one.outcome().group() == ComparisonOutcome.Group.VERDICT)
        .allSatisfy(one -> assertThat(hasTaint.get(one.there())).isTrue())
        .allSatisfy(one -> assertThat(one.by()).isIn("TaintToleration", "NodeUnschedulable"));
  }

  /** The largest number of bindings that are under way at a time. */
  private static final int UNDER_WAY = 6;

  /** A pod that fits only beside others, or only apart from its like. */
  private static ObjectNode dependent(RandomCluster random) {
    ObjectNode pod = random.pod(false);
    ObjectNode spec = pod.withObjectProperty("spec");
    spec.remove(List.of("topologySpreadConstraints", "affinity", "nodeSelector"));
    boolean isSpread = random.chance(60);
    String app = random.pick("web", "db");
    if (isSpread) {
      pod.withObjectProperty("metadata").withObjectProperty("labels").put("app", app);
    }
    String pods =
        "'topologyKey':'topology.kubernetes.io/zone','labelSelector':{'matchLabels':{'app':'%s'}}"
            .formatted(app);
    spec.setAll(
        isSpread
            ? Objects.json(
                "{'topologySpreadConstraints':[{'maxSkew':1,'whenUnsatisfiable':'DoNotSchedule',"
                    + pods
                    + "}]}")
            : Objects.json(
                "{'affinity':{'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{"
                    + pods
                    + "}]}}}"));
    return pod;
  }

  private static long verdictsOfShuffledBindings(long seed, Comparisons.Limits limits) {
    Life life = new Life(seed, "spread", new FollowedCluster("spread", limits));
    for (int i = 0; i < 6; i++) {
      ObjectNode node = Objects.node("m" + i, "z" + i % 3, "8", "16Gi", 40);
      life.other.nodeChanged(node);
      life.shadow.node(node);
    }
    Random order = new Random(seed);
    for (int round = 0; round < 5; round++) {
      Map<ObjectNode, String> decided = new LinkedHashMap<>();
      for (int i = 0; i < UNDER_WAY; i++) {
        ObjectNode pod = dependent(life.random);
        life.other.podChanged(pod);
        life.shadow.pod(pod);
        decided.put(pod, life.decide(pod));
      }
      List<ObjectNode> known = new ArrayList<>(decided.keySet());
      Collections.shuffle(known, order);
      for (ObjectNode pod : known) {
        if (!decided.get(pod).isEmpty()) {
          life.known(pod, decided.get(pod));
        }
      }
      life.shadow.pass(SETTLED);
    }
    return life.shadow.count(ComparisonOutcome.Group.VERDICT);
  }

  @Property(tries = 100)
  void bindingsThatBecomeKnownInAnotherOrderAreNoDifferenceOfVerdict(@ForAll long seed) {
    assertThat(verdictsOfShuffledBindings(seed, Comparisons.Limits.STANDARD)).isZero();
  }

  /** With these seeds, a pod with affinity beside the refused one was the first of its kind. */
  @ParameterizedTest
  @ValueSource(longs = {1749, 4760, 5493, 5931, 6782})
  void aPodBesideTheRefusedOneMayHaveBeenTheFirstOfItsKind(long seed) {
    assertThat(verdictsOfShuffledBindings(seed, Comparisons.Limits.STANDARD)).isZero();
  }

  @Test
  void withoutWaitingTheOrderOfBindingsWouldBeADifferenceOfVerdict() {
    Comparisons.Limits hasty = new Comparisons.Limits(Duration.ZERO, Duration.ofSeconds(30));
    long found = 0;
    for (int seed = 0; seed < 100; seed++) {
      found += verdictsOfShuffledBindings(seed, hasty);
    }
    assertThat(found).isPositive();
  }
}

package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.decide.StockPreemption.Answer;
import io.lighthouse.kubernetes.cluster.decide.StockPreemption.Fault;
import io.lighthouse.kubernetes.cluster.mirror.ClusterState;
import io.lighthouse.kubernetes.cluster.object.WaitingPod;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The victims and the node that the stock scheduler would choose, on random clusters with
 * priorities, disruption budgets, nominations and all constraints that are supported.
 */
class PreemptionProperties {
  private static final int CLUSTERS = Integer.getInteger("lighthouse.kubernetes.preemptions", 250);
  private static final int PODS = 8;

  /** How often each interesting case came up. */
  private static final Map<String, Integer> CASES = new TreeMap<>();

  @Test
  void choosesTheVictimsThatTheStockSchedulerWouldChoose() {
    CASES.clear();
    for (int seed = 0; seed < CLUSTERS; seed++) {
      Lives.agreeing(new Life(seed, Fault.NONE), seed, PODS);
    }
    Lives.occurred(
        CASES,
        CLUSTERS / 50,
        "preempts",
        "several victims",
        "violates a budget",
        "victims are ending",
        "by spread",
        "by affinity",
        "by anti-affinity",
        "by anti-affinity to a nominated pod",
        "by ports",
        "several nodes",
        "waits",
        "never",
        "hopeless");
  }

  @Tag("planted")
  @ParameterizedTest
  @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void noticesARuleThatIsGotWrong(Fault fault) {
    Lives.disagree(fault, 12 * CLUSTERS, PODS, seed -> new Life(seed, fault));
  }

  /** A full cluster to which important pods come, one by one. */
  private static final class Life implements Lives.Life {
    final RandomCluster random;
    final Random dice;
    final Cluster cluster =
        Clusters.withPreemption(Distributors.installed().strategy("prioritized"));
    final List<JsonNode> pods = new ArrayList<>();
    final List<JsonNode> budgets = new ArrayList<>();
    final Fault fault;

    /**
     * Whether pods of others are nominated. They have no rules, and the newcomers only
     * anti-affinity then.
     */
    final boolean nominates;

    Life(long seed, Fault fault) {
      random = new RandomCluster(seed);
      dice = new Random(seed * 31 + 7);
      this.fault = fault;
      nominates = dice.nextInt(5) == 0;
      pods.addAll(random.placed);
      int more = random.nodes.size() * (1 + dice.nextInt(4));
      for (int i = 0; i < more; i++) {
        ObjectNode pod = random.pod(true);
        ((ObjectNode) pod.get("spec")).put("nodeName", anyNode());
        pods.add(pod);
      }
      pods.forEach(pod -> dress((ObjectNode) pod));
      for (int i = 0; nominates && i < 5; i++) {
        pods.add(nominated(i));
      }
      Clusters.replaceAll(cluster, random.nodes, pods, random.namespaces);
      int count = dice.nextInt(4);
      for (int i = 0; i < count; i++) {
        budgets.add(budget("b" + i));
        cluster.budgetChanged("b" + i, budgets.get(i));
      }
    }

    private String anyNode() {
      return random.nodes.get(dice.nextInt(random.nodes.size())).at("/metadata/name").asString();
    }

    @SafeVarargs
    private <T> T pick(T... among) {
      return among[dice.nextInt(among.length)];
    }

    /** Gives a placed pod a priority, a start, and perhaps an end. */
    private void dress(ObjectNode pod) {
      ((ObjectNode) pod.get("spec")).put("priority", pick(-7, -7, 0, 0, 1, 1, 5, 9));
      ObjectNode status = (ObjectNode) pod.get("status");
      if (dice.nextInt(4) > 0) {
        status.put("startTime", "2026-11-22T10:00:0" + dice.nextInt(4) + "Z");
      }
      if (dice.nextInt(12) == 0) {
        ((ObjectNode) pod.get("metadata")).put("deletionTimestamp", "2026-11-22T11:00:00Z");
      }
      if (pod.get("metadata").has("deletionTimestamp") && dice.nextInt(3) > 0) {
        status
            .withArrayProperty("conditions")
            .addObject()
            .put("type", "DisruptionTarget")
            .put("status", "True")
            .put("reason", "PreemptionByScheduler");
      }
    }

    private ObjectNode nominated(int number) {
      ObjectNode pod = RandomCluster.JSON.createObjectNode();
      pod.putObject("metadata")
          .put("name", "nominated" + number)
          .put("uid", "nominated" + number)
          .put("namespace", pick("default", "team"))
          .putObject("labels")
          .put("app", pick("web", "db", "none", "none"));
      ObjectNode spec = pod.putObject("spec");
      spec.put("schedulerName", "other").put("priority", pick(0, 3, 6, 9));
      spec.putArray("containers")
          .addObject()
          .putObject("resources")
          .putObject("requests")
          .put("cpu", pick("1", "2"));
      pod.putObject("status").put("nominatedNodeName", anyNode());
      return pod;
    }

    private ObjectNode budget(String name) {
      ObjectNode budget = RandomCluster.JSON.createObjectNode();
      budget.putObject("metadata").put("name", name).put("namespace", pick("default", "team"));
      ObjectNode labels = budget.putObject("spec").putObject("selector").putObject("matchLabels");
      if (dice.nextInt(6) > 0) {
        labels.put("app", pick("web", "db", "cache"));
      }
      if (dice.nextInt(4) == 0) {
        labels.put("tier", pick("front", "back"));
      }
      ObjectNode status = budget.putObject("status").put("disruptionsAllowed", pick(0, 0, 1, 2));
      if (dice.nextInt(3) == 0) {
        ObjectNode disrupted = status.putObject("disruptedPods");
        for (int i = 0; i < 2 + pods.size() / 3; i++) {
          JsonNode pod = pods.get(dice.nextInt(pods.size()));
          disrupted.put(pod.at("/metadata/name").asString(), "2026-11-22T10:00:00Z");
        }
      }
      return budget;
    }

    private ObjectNode newcomer() {
      ObjectNode pod = random.pod(false);
      ObjectNode spec = (ObjectNode) pod.get("spec");
      spec.put("priority", pick(0, 1, 2, 5, 6, 8, 10));
      if (dice.nextInt(20) == 0) {
        spec.put("preemptionPolicy", "Never");
      }
      if (dice.nextInt(2) == 0) {
        spec.withArrayProperty("containers")
            .addObject()
            .put("name", "more")
            .putObject("resources")
            .putObject("requests")
            .put("cpu", pick("500m", "1", "2"));
      }
      if (dice.nextInt(4) == 0) {
        ((ObjectNode) pod.get("metadata")).put("namespace", "default");
        spec.putArray("topologySpreadConstraints")
            .addObject()
            .put("topologyKey", "zone")
            .put("maxSkew", 1)
            .put("whenUnsatisfiable", "DoNotSchedule")
            .putObject("labelSelector")
            .putObject("matchLabels")
            .put("app", pick("web", "db"));
      }
      if (nominates) {
        JsonNode apart = spec.path("affinity").path("podAntiAffinity");
        spec.remove(List.of("affinity", "topologySpreadConstraints"));
        if (!apart.isEmpty()) {
          spec.putObject("affinity").set("podAntiAffinity", apart);
        }
        if (dice.nextBoolean()) {
          avoidNominated(spec.withObjectProperty("affinity").withObjectProperty("podAntiAffinity"));
        }
      }
      if (dice.nextInt(4) == 0) {
        ((ObjectNode) pod.get("status")).put("nominatedNodeName", anyNode());
      }
      return pod;
    }

    /** Only nominated pods have this label. */
    private void avoidNominated(ObjectNode apart) {
      ObjectNode term =
          apart.withArrayProperty("requiredDuringSchedulingIgnoredDuringExecution").addObject();
      term.put("topologyKey", "kubernetes.io/hostname")
          .putArray("namespaces")
          .add("default")
          .add("team");
      term.putObject("labelSelector").putObject("matchLabels").put("app", "none");
    }

    private void count(String what, boolean holds) {
      if (holds) {
        CASES.merge(what, 1, Integer::sum);
      }
    }

    private StockPreemption stock(Fault fault) {
      return new StockPreemption(random.nodes, pods, random.namespaces, budgets, fault);
    }

    private Map<String, String> state() {
      return ClusterState.of(cluster.fleet(), cluster.pods, cluster.namespaces).fields();
    }

    /** The next pod comes and is decided; what the two disagree about. */
    @Override
    public Optional<String> step() {
      ObjectNode pod = newcomer();
      String uid = pod.at("/metadata/uid").asString();
      String nominated = pod.at("/status/nominatedNodeName").asString("");
      cluster.podChanged(pod);
      StockPreemption stock = stock(fault);
      Set<String> feasible = new TreeSet<>();
      for (JsonNode node : random.nodes) {
        if (stock.filter(pod, node, List.of()).isEmpty()) {
          feasible.add(node.at("/metadata/name").asString());
        } else if (nominates) {
          StockPreemption careless = stock(Fault.ANTI_AFFINITY_IS_NOT_TO_NOMINATED_PODS);
          boolean isAvoided = careless.filter(pod, node, List.of()).isEmpty();
          count("by anti-affinity to a nominated pod", isAvoided);
        }
      }
      // The counts that its constraints ask for are made before the states are compared.
      Clusters.verdicts(cluster, uid);
      Map<String, String> before = state();
      long generation = cluster.fleet().distributor().generation();
      Decision decision = cluster.decide(List.of(uid)).get(0);
      if (!feasible.isEmpty() || decision instanceof Decision.Bind) {
        boolean right =
            decision instanceof Decision.Bind bind
                && feasible.contains(bind.node())
                && (!feasible.contains(nominated) || bind.node().equals(nominated));
        if (!right) {
          return Optional.of(
              pod + " fits " + feasible + ", nominated " + nominated + ": " + decision);
        }
        bind(pod, ((Decision.Bind) decision).node());
        return Optional.empty();
      }
      Answer answer = stock.answer(pod);
      if (decision instanceof Decision.Refused refused && isUnderWay(answer, nominated)) {
        count("under way", true);
        boolean right =
            !refused.message().contains("preemption") && refused.lostNomination().isEmpty();
        cluster.podGone(uid);
        return right ? Optional.empty() : Optional.of(refused + "\ninstead of " + answer);
      }
      if (decision instanceof Decision.Refused refused) {
        boolean right =
            answer.node().isEmpty()
                && refused.message().contains(". preemption: " + answer.says())
                && refused.lostNomination().equals(answer.keepsNomination() ? "" : nominated);
        if (!right) {
          return Optional.of(pod + "\nis refused: " + refused + "\ninstead of " + answer);
        }
        assertThat(state()).isEqualTo(before);
        assertThat(cluster.fleet().distributor().generation()).isEqualTo(generation);
        count("waits", answer.says().contains("terminating"));
        count("never", answer.says().contains("Never"));
        count("hopeless", answer.says().contains("No preemption victims"));
        cluster.podGone(uid);
        return Optional.empty();
      }
      Decision.Preempt preempt = (Decision.Preempt) decision;
      Optional<String> difference = compare(preempt, answer);
      if (difference.isPresent()) {
        return Optional.of(pod + "\n" + difference.get());
      }
      return carryOut(pod, preempt, before);
    }

    /** Whether the pod is nominated already, and all victims are ending. */
    private boolean isUnderWay(Answer answer, String nominated) {
      boolean all = true;
      for (JsonNode pod : pods) {
        if (answer.victims().contains(pod.at("/metadata/uid").asString())) {
          all &= pod.get("metadata").has("deletionTimestamp");
        }
      }
      return all && !nominated.isEmpty() && answer.node().equals(nominated);
    }

    private Optional<String> compare(Decision.Preempt preempt, Answer answer) {
      List<WaitingPod> all = new ArrayList<>(preempt.victims());
      all.addAll(preempt.ending());
      Set<String> uids = new HashSet<>();
      all.forEach(victim -> uids.add(victim.uid()));
      boolean same =
          preempt.node().equals(answer.node()) && uids.equals(Set.copyOf(answer.victims()));
      List<String> order = new ArrayList<>(answer.victims());
      preempt.ending().forEach(one -> order.remove(one.uid()));
      same &= order.equals(preempt.victims().stream().map(WaitingPod::uid).toList());
      return same ? Optional.empty() : Optional.of(preempt + "\ninstead of " + answer);
    }

    /** The victims go, and the pod gets its node; or the preemption fails first. */
    private Optional<String> carryOut(
        ObjectNode pod, Decision.Preempt preempt, Map<String, String> before) {
      String uid = pod.at("/metadata/uid").asString();
      cover(pod, preempt);
      if (dice.nextBoolean()) {
        cluster.preemptionEnded(preempt, Set.of());
        assertThat(state()).isEqualTo(before);
        Decision again = cluster.decide(List.of(uid)).get(0);
        if (!again.equals(preempt)) {
          return Optional.of(preempt + "\nthen " + again);
        }
      }
      Set<String> evicted = new HashSet<>();
      preempt.victims().forEach(victim -> evicted.add(victim.uid()));
      cluster.preemptionEnded(preempt, evicted);
      preempt.displaced().forEach(this::takeNominationBack);
      ObjectNode nominated = pod.deepCopy();
      ((ObjectNode) nominated.get("status")).put("nominatedNodeName", preempt.node());
      cluster.podChanged(nominated);
      Decision waits = cluster.decide(List.of(uid)).get(0);
      boolean waiting =
          waits instanceof Decision.Refused refused
              && refused.message().contains("a terminating pod on the nominated node")
              && refused.lostNomination().isEmpty();
      if (!waiting && !evicted.isEmpty()) {
        return Optional.of("does not wait for " + preempt + ": " + waits);
      }
      if (waits instanceof Decision.Preempt other) {
        return Optional.of("after " + preempt + " is to be evicted " + other);
      }
      preempt.ending().forEach(victim -> evicted.add(victim.uid()));
      evicted.forEach(cluster::podGone);
      pods.removeIf(other -> evicted.contains(other.at("/metadata/uid").asString()));
      Decision then = cluster.decide(List.of(uid)).get(0);
      if (!(then instanceof Decision.Bind bind) || !bind.node().equals(preempt.node())) {
        return Optional.of("after " + preempt + " comes " + then);
      }
      bind(pod, preempt.node());
      return Optional.empty();
    }

    private void takeNominationBack(WaitingPod displaced) {
      for (JsonNode pod : pods) {
        if (pod.at("/metadata/uid").asString().equals(displaced.uid())) {
          ((ObjectNode) pod.get("status")).remove("nominatedNodeName");
          cluster.podChanged(pod);
        }
      }
    }

    private void cover(JsonNode pod, Decision.Preempt preempt) {
      count("preempts", true);
      count("several victims", preempt.victims().size() > 1);
      count("violates a budget", !preempt.why().startsWith("0 "));
      count("victims are ending", !preempt.ending().isEmpty());
      count("several nodes", !preempt.why().contains("least harm of 1 "));
      String message = preempt.message();
      count("by spread", message.contains("topology spread constraints"));
      count("by anti-affinity", message.contains("anti-affinity rules"));
      count("by ports", message.contains("free ports"));
      count(
          "by affinity",
          pod.at("/spec/affinity/podAffinity")
              .has("requiredDuringSchedulingIgnoredDuringExecution"));
    }

    private void bind(ObjectNode pod, String node) {
      ObjectNode bound = pod.deepCopy();
      ((ObjectNode) bound.get("spec")).put("nodeName", node);
      ((ObjectNode) bound.get("status")).put("startTime", "2026-11-22T10:00:02Z");
      cluster.podChanged(bound);
      pods.add(bound);
    }
  }
}

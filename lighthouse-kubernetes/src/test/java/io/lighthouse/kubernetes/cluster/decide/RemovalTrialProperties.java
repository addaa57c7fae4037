package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.api.Condition;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Rule;
import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.mirror.NodeEntry;
import io.lighthouse.kubernetes.cluster.mirror.PodEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a trial says of a node without some pods is what the node says once these pods are gone. On
 * random clusters with all constraints and storage, for nodes whose pods are in the way.
 */
class RemovalTrialProperties {
  private static final int CLUSTERS = 200;
  private static final int PODS = 12;

  private static final Map<String, Integer> CASES = new TreeMap<>();

  /** What a wrong trial gets wrong. */
  enum Fault {
    NONE,
    /** The newcomer's rules are those of the cluster with all pods. */
    SAME_RULES,
    /** No node holds too many volumes. */
    NO_VOLUME_COUNT,
    /** The newcomer is the first of its kind everywhere. */
    ALWAYS_FIRST,
    /** The last of the pods stays. */
    ONE_STAYS
  }

  @Test
  void aTrialSaysWhatTheNodeSaysOnceThePodsAreGone() {
    CASES.clear();
    for (int seed = 0; seed < CLUSTERS; seed++) {
      Lives.agreeing(new Life(seed, Fault.NONE), seed, PODS);
    }
    Lives.occurred(
        CASES,
        CLUSTERS / 50 - 1,
        "fits",
        "refused",
        "spared",
        "not spared",
        "fits by volumes",
        "refused by max volume",
        "fits as the first of its kind",
        "refused by pod affinity",
        "refused by anti-affinity",
        "refused by spread");
  }

  @Tag("planted")
  @ParameterizedTest
  @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void noticesAWrongTrial(Fault fault) {
    Lives.disagree(fault, CLUSTERS, PODS, seed -> new Life(seed, fault));
  }

  /** A cluster to which pods come that find their places taken. */
  private static final class Life implements Lives.Life {
    final RandomCluster random;
    final RandomStorage storage;
    final Fault fault;
    final Cluster cluster = Clusters.of(Distributors.installed().strategy("spread"));

    /** The same, in which pods are removed. */
    final Cluster real = Clusters.of(Distributors.installed().strategy("spread"));

    final Map<String, JsonNode> pods = new HashMap<>();

    Life(int seed, Fault fault) {
      this.fault = fault;
      random = new RandomCluster(seed);
      storage = new RandomStorage(seed, random.nodes, true);
      int more = 2 * random.nodes.size();
      for (int i = 0; i < more; i++) {
        ObjectNode pod = random.pod(true);
        JsonNode node = random.nodes.get(random.below(random.nodes.size()));
        pod.withObjectProperty("spec").put("nodeName", node.at("/metadata/name").asString());
        random.placed.add(pod);
      }
      for (JsonNode pod : random.placed) {
        addVolumes((ObjectNode) pod);
        pods.put(pod.at("/metadata/uid").asString(), pod);
      }
      for (Cluster one : List.of(cluster, real)) {
        Clusters.replaceAll(one, random.nodes, random.placed, random.namespaces);
      }
      storage.listen(
          (kind, object) -> {
            cluster.changed(kind, object);
            real.changed(kind, object);
          });
    }

    private void addVolumes(ObjectNode pod) {
      if (random.chance(70)) {
        storage.addVolumes(pod);
      }
    }

    @Override
    public Optional<String> step() {
      ObjectNode pod = random.pod(false);
      ObjectNode spec = pod.withObjectProperty("spec");
      addVolumes(pod);
      if (random.chance(60)) {
        spec.remove(List.of("nodeSelector", "topologySpreadConstraints"));
        spec.putArray("tolerations").addObject().put("operator", "Exists");
      }
      if (random.chance(20)) {
        near(pod);
      }
      String uid = pod.at("/metadata/uid").asString();
      cluster.podChanged(pod);
      real.podChanged(pod);
      Newcomer newcomer = cluster.translator.translate(cluster.pods.get(uid).facts);
      RemovalTrial trial =
          new RemovalTrial(cluster.fleet(), cluster.translator, newcomer, List.<PodEntry>of());
      Optional<String> difference = Optional.empty();
      for (String name : occupied(newcomer)) {
        NodeEntry node = cluster.fleet().nodes().get(name);
        if (difference.isEmpty() && !newcomer.facts.exceeds(node.facts) && !node.pods.isEmpty()) {
          difference = compare(uid, newcomer, trial, node).map(text -> pod + "\n" + text);
        }
      }
      cluster.podGone(uid);
      real.podGone(uid);
      return difference;
    }

    /** Gives a pod affinity to its own kind. */
    private void near(ObjectNode pod) {
      ObjectNode spec = pod.withObjectProperty("spec");
      spec.remove("affinity");
      String app = pod.at("/metadata/labels/app").asString("web");
      pod.withObjectProperty("metadata").withObjectProperty("labels").put("app", app);
      spec.putObject("affinity")
          .putObject("podAffinity")
          .putArray("requiredDuringSchedulingIgnoredDuringExecution")
          .addObject()
          .put("topologyKey", "zone")
          .putObject("labelSelector")
          .putObject("matchLabels")
          .put("app", app);
    }

    /** The nodes that may fit once pods have left them. */
    private Set<String> occupied(Newcomer newcomer) {
      PodRefusal refusal =
          RefusalText.of(
              newcomer,
              cluster
                  .fleet()
                  .distributor()
                  .explain(newcomer.workload(cluster.fleet().immunities(newcomer.facts))));
      Set<String> nodes = new LinkedHashSet<>(refusal.occupied());
      nodes.addAll(refusal.lacking());
      return nodes;
    }

    private Optional<String> compare(
        String uid, Newcomer newcomer, RemovalTrial trial, NodeEntry node) {
      String name = node.facts.name();
      List<PodEntry> removed = new ArrayList<>(node.pods);
      removed.removeIf(pod -> random.chance(25));
      RemovalTrial.OnNode without = trial.on(node);
      removed.forEach(without::remove);
      List<String> said =
          fault == Fault.NONE ? without.refusal() : wrong(fault, newcomer, node, removed);
      boolean fits = without.fits();
      List<String> expected = once(removed, uid, name);
      note(newcomer, node, removed, String.join(", ", expected));
      if (!said.stream().sorted().toList().equals(expected)
          || fault == Fault.NONE && fits != expected.isEmpty()) {
        return Optional.of(name + " without " + removed + ": " + said + ", not " + expected);
      }
      if (!fits) {
        return Optional.empty();
      }
      for (PodEntry pod : List.copyOf(removed)) {
        removed.remove(pod);
        boolean spared = without.spares(pod);
        if (spared != once(removed, uid, name).isEmpty()) {
          return Optional.of(name + " spares " + pod.uid() + ": " + spared);
        }
        count(spared ? "spared" : "not spared");
        if (!spared) {
          removed.add(pod);
        }
      }
      return Optional.empty();
    }

    private List<String> wrong(
        Fault wrong, Newcomer newcomer, NodeEntry node, List<PodEntry> removed) {
      List<PodEntry> gone =
          wrong == Fault.ONE_STAYS && !removed.isEmpty()
              ? removed.subList(0, removed.size() - 1)
              : removed;
      String name = node.facts.name();
      Newcomer right = cluster.translator.without(newcomer, name, Set.copyOf(gone));
      Newcomer now =
          switch (wrong) {
            case SAME_RULES -> newcomer;
            case NO_VOLUME_COUNT -> right.onOneNode(false);
            case ALWAYS_FIRST -> first(right, name, Set.copyOf(gone));
            default -> right;
          };
      return cluster
          .fleet()
          .distributor()
          .tryOut(
              RemovalTrial.releases(gone),
              trial ->
                  RefusalText.texts(
                      now,
                      new NodeVerdict(
                          name,
                          false,
                          RemovalTrial.reasons(
                              trial,
                              now.workload(cluster.fleet().immunities(newcomer.facts)),
                              name))));
    }

    /** The newcomer as the first of its kind; the number of volumes counts. */
    private Newcomer first(Newcomer newcomer, String node, Set<PodEntry> gone) {
      Newcomer first = newcomer.onOneNode(true);
      if (cluster.translator.hasTooManyVolumes(newcomer.facts, node, gone)) {
        first.where(new Condition.NotIn(Rule.NODE, Set.of(node)), RefusalCause.VOLUME_COUNT);
      }
      return first;
    }

    /** What the node says once the pods are gone; then they are back. */
    private List<String> once(List<PodEntry> gone, String uid, String node) {
      gone.forEach(pod -> real.podGone(pod.uid()));
      List<String> verdict = Clusters.verdict(real, uid, node).stream().sorted().toList();
      gone.forEach(pod -> real.podChanged(pods.get(pod.uid())));
      return verdict;
    }

    private void note(Newcomer newcomer, NodeEntry node, List<PodEntry> removed, String verdict) {
      if (!verdict.isEmpty()) {
        count("refused");
        for (String text : List.of("max volume", "pod affinity", "anti-affinity", "spread")) {
          count("refused by " + text, verdict.contains(text));
        }
        return;
      }
      count("fits");
      String old = wrong(Fault.SAME_RULES, newcomer, node, removed).toString();
      count("fits by volumes", old.contains("max volume"));
      count("fits as the first of its kind", old.contains("pod affinity"));
    }

    private static void count(String what, boolean holds) {
      if (holds) {
        count(what);
      }
    }

    private static void count(String what) {
      CASES.merge(what, 1, Integer::sum);
    }
  }
}

package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.decide.StockFilters.Fault;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The verdict of the stock scheduler, pod by pod and node by node, on random clusters with all
 * constraints that are supported; the placements, and the counts of the refusals.
 */
class FeasibilityProperties {
  /** How many clusters; each gets twenty pods. */
  private static final int CLUSTERS = Integer.getInteger("lighthouse.kubernetes.clusters", 500);

  private static final int PODS = 20;
  private static final String[] STRATEGIES = {"prioritized", "round-robin", "spread"};

  @Test
  void everyNodeSaysToEveryPodWhatTheStockSchedulerWouldSay() {
    int fits = 0;
    int refused = 0;
    for (int seed = 0; seed < CLUSTERS; seed++) {
      Life life = Lives.agreeing(new Life(seed, Fault.NONE), seed, PODS);
      fits += life.fits;
      refused += life.refused;
    }
    // Neither side of the comparison is empty.
    assertThat(fits).isGreaterThan(CLUSTERS * 3);
    assertThat(refused).isGreaterThan(CLUSTERS * 3);
  }

  @Tag("planted")
  @ParameterizedTest
  @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void noticesARuleThatIsGotWrong(Fault fault) {
    Lives.disagree(fault, CLUSTERS, PODS, seed -> new Life(seed, fault));
  }

  /** A cluster to which pods come, one by one, judged by the stock rules. */
  private static final class Life implements Lives.Life {
    final RandomCluster random;
    final Cluster cluster;
    final List<JsonNode> pods;
    final Fault fault;
    int fits;
    int refused;

    Life(long seed, Fault fault) {
      random = new RandomCluster(seed);
      this.fault = fault;
      cluster =
          Clusters.of(
              Distributors.installed().strategy(STRATEGIES[(int) (seed % STRATEGIES.length)]));
      pods = new ArrayList<>(random.placed);
      Clusters.replaceAll(cluster, random.nodes, pods, random.namespaces);
    }

    /** The next pod comes and is decided; what the two disagree about. */
    @Override
    public Optional<String> step() {
      ObjectNode pod = random.pod(false);
      String uid = pod.at("/metadata/uid").asString();
      cluster.podChanged(pod);
      StockFilters stock = new StockFilters(random.nodes, pods, random.namespaces, fault);
      Map<String, List<String>> expected = new LinkedHashMap<>();
      for (JsonNode node : random.nodes) {
        expected.put(node.at("/metadata/name").asString(), sorted(stock.filter(pod, node)));
      }
      Map<String, List<String>> found = new LinkedHashMap<>();
      boolean named = false;
      for (Map.Entry<String, List<String>> entry : Clusters.verdicts(cluster, uid).entrySet()) {
        // Nodes that are ruled out by name have no other reason.
        boolean byName = entry.getValue().toString().contains("[NodeAffinity]");
        named |= byName;
        found.put(entry.getKey(), byName ? expected.get(entry.getKey()) : sorted(entry.getValue()));
        if (byName && expected.get(entry.getKey()).isEmpty()) {
          return Optional.of(entry.getKey() + " is ruled out by name, but feasible");
        }
      }
      if (!found.equals(expected)) {
        return Optional.of(pod + "\nis told " + found + "\ninstead of " + expected);
      }
      Decision decision = cluster.decide(List.of(uid)).get(0);
      if (decision instanceof Decision.Bind bind) {
        fits++;
        if (!stock.feasible(pod).contains(bind.node())) {
          return Optional.of(pod + "\ngoes to " + bind.node());
        }
        ObjectNode bound = pod.deepCopy();
        ((ObjectNode) bound.get("spec")).put("nodeName", bind.node());
        if (random.chance(70)) {
          cluster.podChanged(bound);
        }
        pods.add(bound);
        return Optional.empty();
      }
      refused++;
      if (!stock.feasible(pod).isEmpty()) {
        return Optional.of(pod + "\nis refused: " + decision);
      }
      String message = ((Decision.Refused) decision).message();
      boolean counted = named || message.startsWith(stock.message(pod));
      return counted
          ? Optional.empty()
          : Optional.of(message + "\ninstead of " + stock.message(pod));
    }

    private static List<String> sorted(List<String> texts) {
      return texts.stream().sorted().toList();
    }
  }
}

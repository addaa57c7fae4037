package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Rubric;
import io.lighthouse.core.Distributors;
import io.lighthouse.kubernetes.cluster.object.PodFacts;
import io.lighthouse.kubernetes.cluster.object.Resource;
import io.lighthouse.kubernetes.profile.StrategyByPod;
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
 * Random clusters with pods of several scheduler names. Each pod must get the decision of a cluster
 * that has the profile of its name alone, and the same nodes and pods.
 */
class ProfilesProperties {
  private static final int CLUSTERS = Integer.getInteger("lighthouse.kubernetes.clusters", 500) / 5;
  private static final int PODS = 20;
  private static final List<String> NAMES = List.of("first", "cpu", "memory", "even");

  /** Ways of getting the profiles wrong. */
  enum Fault {
    NONE,
    FIRST_PROFILE_FOR_ALL,
    LAST_PROFILE_FOR_ALL,
    ONE_RUBRIC,
    SPREAD_OF_THE_FIRST,
    IMAGES_OF_THE_FIRST,
    STRATEGY_OF_THE_FIRST
  }

  @Test
  void aPodIsDecidedAsIfItsProfileWereTheOnlyOne() {
    int bound = 0;
    for (int seed = 0; seed < CLUSTERS; seed++) {
      Life life = Lives.agreeing(new Life(seed, Fault.NONE), seed, PODS);
      bound += life.bound;
    }
    assertThat(bound).isGreaterThan(CLUSTERS * 3);
  }

  @Tag("planted")
  @ParameterizedTest
  @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void noticesAProfileThatIsGotWrong(Fault fault) {
    Lives.disagree(fault, CLUSTERS, PODS, seed -> new Life(seed, fault));
  }

  private static StrategyByPod.Part part(String name) {
    Optional<Rubric> rubric =
        switch (name) {
          case "cpu" -> Optional.of(Rubric.of(Map.of("cpu", "1")));
          case "memory" -> Optional.of(Rubric.of(Map.of("memory", "1")));
          default -> Optional.empty();
        };
    String strategy = profile(name).strategy();
    return new StrategyByPod.Part(Distributors.installed().find(strategy), Map.of(), rubric);
  }

  private static Profiles.Profile profile(String name) {
    return switch (name) {
      case "first" -> new Profiles.Profile("prioritized", List.of(), false);
      case "cpu" -> new Profiles.Profile("bin-pack", List.of("zone"), false);
      case "memory" -> new Profiles.Profile("bin-pack", List.of(), true);
      default -> Clusters.standard("balance");
    };
  }

  /** A cluster to which pods come, one by one. */
  private static final class Life implements Lives.Life {
    final RandomCluster random;
    final List<JsonNode> pods;
    final Fault fault;
    int bound;

    Life(long seed, Fault fault) {
      random = new RandomCluster(seed);
      pods = new ArrayList<>(random.placed);
      this.fault = fault;
      for (JsonNode node : random.nodes) {
        if (random.chance(50)) {
          ((ObjectNode) node.get("status"))
              .putArray("images")
              .addObject()
              .put("sizeBytes", 900L << 20)
              .putArray("names")
              .add("large:v1");
        }
      }
    }

    /** The next pod comes; the difference between the two decisions. */
    @Override
    public Optional<String> step() {
      ObjectNode pod = random.pod(false);
      String name = NAMES.get(random.below(NAMES.size()));
      ((ObjectNode) pod.get("spec")).put("schedulerName", name);
      if (random.chance(50)) {
        pod.at("/spec/containers").forEach(one -> ((ObjectNode) one).put("image", "large:v1"));
      }
      Decision together = decide(several(), pod);
      Decision alone = decide(only(name), pod);
      if (together instanceof Decision.Bind bind) {
        bound++;
        ((ObjectNode) pod.get("spec")).put("nodeName", bind.node());
        pods.add(pod);
      }
      return together.equals(alone)
          ? Optional.empty()
          : Optional.of(pod + "\nhas " + together + "\ninstead of " + alone);
    }

    private Decision decide(Cluster cluster, JsonNode pod) {
      Clusters.replaceAll(cluster, random.nodes, pods, random.namespaces);
      cluster.changed(
          Resource.SERVICES,
          ClusterBench.json(
              "{'metadata':{'namespace':'default','name':'web'},"
                  + "'spec':{'selector':{'app':'web'}}}"));
      cluster.podChanged(pod);
      return cluster.decide(List.of(pod.at("/metadata/uid").asString())).get(0);
    }

    private static Cluster only(String name) {
      StrategyByPod.Part part = part(name);
      return Cluster.withProfiles(
          new Profiles(Map.of(name, profile(name))),
          names -> {
            Distributors.Builder builder = Distributors.of(part.strategy());
            part.rubric().ifPresent(builder::rubric);
            return builder;
          },
          false,
          PodFacts.Reads.NEITHER);
    }

    private Cluster several() {
      Map<String, Profiles.Profile> profiles = new LinkedHashMap<>();
      Map<String, StrategyByPod.Part> parts = new LinkedHashMap<>();
      Profiles.Profile first = profile(NAMES.get(0));
      for (String name : NAMES) {
        Profiles.Profile profile = profile(name);
        StrategyByPod.Part part = part(name);
        switch (fault) {
          case ONE_RUBRIC ->
              part =
                  name.equals("memory")
                      ? new StrategyByPod.Part(part.strategy(), Map.of(), part("cpu").rubric())
                      : part;
          case SPREAD_OF_THE_FIRST ->
              profile =
                  new Profiles.Profile(
                      profile.strategy(), first.spreadBy(), profile.prefersImages());
          case IMAGES_OF_THE_FIRST ->
              profile =
                  new Profiles.Profile(
                      profile.strategy(), profile.spreadBy(), first.prefersImages());
          case STRATEGY_OF_THE_FIRST -> part = part(NAMES.get(0));
          case FIRST_PROFILE_FOR_ALL -> {
            profile = first;
            part = part(NAMES.get(0));
          }
          case LAST_PROFILE_FOR_ALL -> {
            profile = profile("even");
            part = part("even");
          }
          default -> {}
        }
        profiles.put(name, profile);
        parts.put(name, part);
      }
      return Cluster.withProfiles(
          new Profiles(profiles),
          names -> Distributors.of(new StrategyByPod(parts, names)),
          false,
          PodFacts.Reads.NEITHER);
    }
  }
}

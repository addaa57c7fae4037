package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Random clusters whose nodes get and lose images. For each pod, the strategy must be offered
 * exactly the nodes that {@link StockImages} finds best.
 */
class ImageLocalityProperties {
  private static final int CLUSTERS = Integer.getInteger("lighthouse.kubernetes.clusters", 500);
  private static final int PODS = 20;

  @Test
  void nodesWithTheImagesOfAPodArePreferred() {
    int preferred = 0;
    for (int seed = 0; seed < CLUSTERS; seed++) {
      Life life = Lives.agreeing(new Life(seed, StockImages.Fault.NONE), seed, PODS);
      preferred += life.preferred;
    }
    assertThat(preferred).as("pods for which some nodes were worse").isGreaterThan(CLUSTERS * 3);
  }

  @Tag("planted")
  @ParameterizedTest
  @EnumSource(value = StockImages.Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void noticesARuleThatIsGotWrong(StockImages.Fault fault) {
    Lives.disagree(fault, CLUSTERS, PODS, seed -> new Life(seed, fault));
  }

  /** A cluster to which pods come, one by one. */
  private static final class Life implements Lives.Life {
    private static final String[] IMAGES = {
      "web:v1", "db:latest", "host:5000/db:latest", "cache:v2", "log:latest"
    };

    final Random random;
    final List<String> offered = new ArrayList<>();
    final Cluster cluster = Clusters.of(Distributors.of("emptiest", this::choose));
    final List<JsonNode> nodes = new ArrayList<>();
    final List<JsonNode> pods = new ArrayList<>();
    final long[] sizes = new long[IMAGES.length];
    final StockImages stock;
    int preferred;

    Life(long seed, StockImages.Fault fault) {
      random = new Random(seed);
      stock = new StockImages(nodes, pods, fault);
      for (int i = 0; i < sizes.length; i++) {
        sizes[i] = pick(20L, 150L, 400L, 900L, 3000L) << 20;
      }
      int count = 2 + random.nextInt(5);
      for (int i = 0; i < count; i++) {
        nodes.add(node("n" + i));
        cluster.nodeChanged(nodes.get(i));
      }
    }

    FleetNode choose(Workload pod, Candidates candidates) {
      offered.clear();
      candidates.forEach(node -> offered.add(node.name()));
      return pod.name().hashCode() % 3 == 0 ? candidates.first() : candidates.emptiest();
    }

    boolean chance(int percent) {
      return random.nextInt(100) < percent;
    }

    @SafeVarargs
    final <T> T pick(T... among) {
      return among[random.nextInt(among.length)];
    }

    ObjectNode node(String name) {
      ObjectNode node = RandomCluster.JSON.createObjectNode();
      node.putObject("metadata").put("name", name);
      ObjectNode status = node.putObject("status");
      status
          .putObject("allocatable")
          .put("cpu", pick("31", "67"))
          .put("memory", pick("1009", "997"))
          .put("pods", pick("41", "53"));
      ArrayNode images = status.putArray("images");
      for (int i = 0; i < IMAGES.length; i++) {
        if (chance(i == 0 ? 95 : 45)) {
          ObjectNode image = images.addObject().put("sizeBytes", sizes[i]);
          image.putArray("names").add("other@sha256:" + i).add(IMAGES[i]);
        }
      }
      return node;
    }

    String image() {
      return pick("web:v1", "db", "host:5000/db", "cache:v2", "log:latest", "log", "none");
    }

    ObjectNode pod() {
      ObjectNode pod = RandomCluster.JSON.createObjectNode();
      String name = "p" + pods.size();
      pod.putObject("metadata").put("name", name).put("uid", name).put("namespace", "default");
      ObjectNode spec = pod.putObject("spec").put("schedulerName", "lighthouse");
      ArrayNode containers = spec.putArray("containers");
      ObjectNode first = containers.addObject().put("name", "c").put("image", image());
      ObjectNode requests = first.putObject("resources").putObject("requests");
      if (chance(50)) {
        requests.put("cpu", pick("1", "3"));
      }
      if (chance(50)) {
        requests.put("memory", pick("17", "101"));
      }
      if (chance(30)) {
        containers.addObject().put("name", "d").put("image", image());
      }
      if (chance(25)) {
        spec.putArray("initContainers").addObject().put("name", "i").put("image", image());
      }
      if (chance(25)) {
        ObjectNode volume = spec.putArray("volumes").addObject().put("name", "v");
        volume.putObject("image").put("reference", image());
      }
      return pod;
    }

    /** The next pod comes and is decided; the difference to the naive model. */
    @Override
    public Optional<String> step() {
      if (chance(20)) {
        int at = random.nextInt(nodes.size());
        String name = nodes.get(at).at("/metadata/name").asString();
        ObjectNode same = (ObjectNode) nodes.get(at).deepCopy();
        ((ObjectNode) same.get("status")).set("images", node(name).at("/status/images"));
        nodes.set(at, same);
        if (chance(10)) {
          cluster.nodeGone(name);
        }
        cluster.nodeChanged(same);
      }
      ObjectNode pod = pod();
      cluster.podChanged(pod);
      Optional<List<String>> best = stock.best(pod);
      Decision decision = cluster.decide(List.of(pod.at("/metadata/uid").asString())).get(0);
      ((ObjectNode) pod.get("spec")).put("nodeName", ((Decision.Bind) decision).node());
      pods.add(pod);
      if (chance(70)) {
        cluster.podChanged(pod);
      }
      List<String> found = offered.stream().sorted().toList();
      if (best.isEmpty() || found.equals(best.get().stream().sorted().toList())) {
        preferred += found.size() < nodes.size() ? 1 : 0;
        return Optional.empty();
      }
      return Optional.of(pod + "\nis offered " + found + " instead of " + best + "\n" + nodes);
    }
  }
}

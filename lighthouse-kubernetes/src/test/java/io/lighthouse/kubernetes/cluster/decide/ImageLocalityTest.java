package io.lighthouse.kubernetes.cluster.decide;

import static io.lighthouse.kubernetes.cluster.decide.ClusterBench.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.Distributors;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ImageLocalityTest {
  private static final long MEGABYTE = 1L << 20;

  private final Cluster cluster = Clusters.of(Distributors.installed().strategy("spread"));

  private void node(String name, String image, long size) {
    cluster.nodeChanged(
        json(
            "{'metadata':{'name':'%s'},'status':{'allocatable':{'cpu':'4','pods':'110'},'images':[%s]}}"
                .formatted(
                    name,
                    image.isEmpty()
                        ? ""
                        : "{'names':['%s'],'sizeBytes':%d}".formatted(image, size))));
  }

  private Decision.Bind bind(int number, String image) {
    cluster.podChanged(
        json(
            "{'metadata':{'name':'p%1$d','namespace':'default','uid':'p%1$d'},'spec':{"
                    .formatted(number)
                + "'containers':[{'name':'c','image':'%s','resources':{'requests':{'cpu':'100m'}}}]}}"
                    .formatted(image)));
    return (Decision.Bind) cluster.decide(List.of("p" + number)).get(0);
  }

  private Map<String, Integer> nodesOf(int pods, String image) {
    Map<String, Integer> counts = new TreeMap<>();
    for (int i = 0; i < pods; i++) {
      counts.merge(bind(i, image).node(), 1, Integer::sum);
    }
    return counts;
  }

  @Test
  void aNodeWithALargeImageIsTaken() {
    for (int i = 0; i < 10; i++) {
      node("n" + i, "", 0);
    }
    node("with", "large:v1", 3000 * MEGABYTE);
    assertThat(bind(0, "large:v1").node()).isEqualTo("with");
  }

  @Test
  void anImageDoesNotHeapPodsOnItsNode() {
    for (int i = 0; i < 10; i++) {
      node("n" + i, "", 0);
    }
    node("with", "large:v1", 3000 * MEGABYTE);
    // The score of the image is 25 of 100: the node may be fuller than the fleet by 20 percent.
    Map<String, Integer> counts = nodesOf(220, "large:v1");
    assertThat(counts.get("with")).isEqualTo(28);
    counts.remove("with");
    assertThat(counts.values()).hasSize(10).allMatch(count -> count == 19 || count == 20);
  }

  @Test
  void anImageThatFewNodesOfALargeFleetHaveDoesNotCount() {
    for (int i = 0; i < 50; i++) {
      node("n" + i, "", 0);
    }
    node("with", "large:v1", 1000 * MEGABYTE);
    assertThat(bind(0, "large:v1").node()).isEqualTo("n0");
  }

  @Test
  void decisionsAboutOtherPodsAreTheSameAsWithoutImages() {
    node("n1", "", 0);
    node("n2", "", 0);
    bind(0, "small");
    cluster.podGone("p0");
    Decision before = bind(0, "small");
    cluster.podGone("p0");
    node("n2", "large:v1", 900 * MEGABYTE);
    assertThat(bind(0, "small")).isEqualTo(before);
    cluster.podGone("p0");
    assertThat(bind(0, "large:v1").node()).isEqualTo("n2");
  }
}

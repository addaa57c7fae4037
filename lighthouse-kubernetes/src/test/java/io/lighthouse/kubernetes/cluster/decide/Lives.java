package io.lighthouse.kubernetes.cluster.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Random clusters to which pods come, each made from a seed and judged by a second judge. */
final class Lives {
  private Lives() {}

  /** One cluster. */
  interface Life {
    /** The next pod comes; what the two judges disagree about. */
    Optional<String> step();
  }

  /** Pods come to a cluster, and the judges agree about each; returns the cluster. */
  static <L extends Life> L agreeing(L life, int seed, int pods) {
    for (int i = 0; i < pods; i++) {
      assertThat(life.step()).as("seed %s, pod %s", seed, i).isEmpty();
    }
    return life;
  }

  /**
   * Each interesting case occurred.
   *
   * @param seen how often each case occurred
   * @param most a number that each is above
   */
  static void occurred(Map<String, Integer> seen, int most, String... cases) {
    for (String one : cases) {
      assertThat(seen.getOrDefault(one, 0)).as("%s in %s", one, seen).isGreaterThan(most);
    }
  }

  /** In one of the clusters the judges disagree, as one of them has a planted fault. */
  static void disagree(Object fault, int clusters, int pods, IntFunction<Life> life) {
    boolean noticed =
        IntStream.range(0, clusters)
            .mapToObj(life)
            .anyMatch(one -> IntStream.range(0, pods).anyMatch(i -> one.step().isPresent()));
    assertThat(noticed).as("%s is noticed", fault).isTrue();
  }
}

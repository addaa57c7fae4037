package io.lighthouse.tests.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Equal nodes, each of which three workloads fill without a rest. Few such fillings exist. A search
 * for the best filling of a node finds them all, so {@code start=first-fit} leaves it out.
 */
class PackRecombinationTest {
  private static final int FILLINGS = 20;

  /** Workloads that fill {@link #FILLINGS} nodes by three; those of a filling are friendly. */
  private static List<Workload> batch() {
    Random random = new Random(1);
    List<Workload> batch = new ArrayList<>();
    for (int filling = 0; filling < FILLINGS; filling++) {
      int[][] amounts = new int[3][3];
      for (int d = 0; d < 3; d++) {
        amounts[0][d] = 20 + random.nextInt(31);
        amounts[1][d] = 20 + random.nextInt(31);
        amounts[2][d] = 100 - amounts[0][d] - amounts[1][d];
      }
      for (int i = 0; i < 3; i++) {
        int[] of = amounts[i];
        Resources all = Resources.of("cpu", of[0], "mem", of[1], "disk", of[2]);
        Workload workload = Workload.of("w" + batch.size(), all);
        batch.add(workload.withAversionGroups("g" + i + filling % 2));
      }
    }
    Collections.shuffle(batch, random);
    return batch;
  }

  private static Assignments packed(List<Workload> batch) {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 2 * FILLINGS; i++) {
      nodes.add(Node.of("n" + i, Resources.of("cpu", 100, "mem", 100, "disk", 100)));
    }
    Map<String, String> settings = Map.of("steps", "10000000", "start", "first-fit");
    Distributor fleet =
        Distributors.installed().strategy("pack").settings(settings).nodes(nodes).build();
    Assignments answer = fleet.assign(batch);
    assertThat(answer.allPlaced()).isTrue();
    return answer;
  }

  @Test
  void recombinedFillingsKeepRivalsApart() {
    List<Workload> batch = batch();
    Assignments answer = packed(batch);
    Set<String> seen = new HashSet<>();
    for (Workload workload : batch) {
      Optional<String> node = answer.asMap().get(workload.name());
      assertThat(seen.add(node.orElseThrow() + workload.aversionGroups())).isTrue();
    }
  }
}

package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rules by level, where the rows of the index express the whole rule and where they do not. The
 * levels have few domains or many, on more nodes than those on which the finder checks itself.
 */
class ExactRowsTest {
  private static final int NODES = 2_200;

  /** The members in each rack by first fit, where a third of the nodes is full. */
  private static Map<Integer, Integer> byRack(int racks, int members, Rule... rules) {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      nodes.add(Node.of("n" + i, Resources.of("cpu", 3)).in("rack", "r" + i % racks));
    }
    Distributor fleet =
        Distributors.of("first", (workload, candidates) -> candidates.first()).nodes(nodes).build();
    List<Workload> batch = new ArrayList<>();
    for (int i = 0; i < NODES; i++) { // By then an index has been worth it.
      batch.add(Workload.of("filler-" + i, Resources.of("cpu", 1 + i % 2)));
    }
    fleet.assign(batch);
    batch.clear();
    for (int i = 0; i < members; i++) {
      batch.add(
          Workload.of("w" + i, Resources.of("cpu", 1))
              .withTerms(Terms.NONE.inGroups("web").rules(rules)));
    }
    Map<Integer, Integer> counts = new TreeMap<>();
    for (Optional<String> node : fleet.assign(batch).asMap().values()) {
      node.ifPresent(
          name -> counts.merge(Integer.parseInt(name.substring(1)) % racks, 1, Integer::sum));
    }
    return counts;
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 64, 65, 300})
  void atMostTwoOfARackAreThere(int racks) {
    Map<Integer, Integer> counts = byRack(racks, 2 * racks + 7, new Rule.Most(2, "web", "rack"));
    assertThat(counts).hasSize(racks);
    assertThat(counts.values()).containsOnly(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 64, 65, 300})
  void noRackHoldsTwoMoreThanAnother(int racks) {
    Map<Integer, Integer> counts = byRack(racks, 3 * racks / 2, new Rule.Skew(1, "web", "rack", 1));
    assertThat(counts).hasSize(racks);
    assertThat(counts.values()).containsOnly(1, 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 64, 65, 300})
  void allStandWhereTheFirstStands(int racks) {
    Map<Integer, Integer> counts = byRack(racks, NODES, new Rule.Least(1, "web", "rack"));
    assertThat(counts).hasSize(1);
    assertThat(counts.values().iterator().next()).isGreaterThan(1);
  }
}

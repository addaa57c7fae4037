package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Enough nodes are removed to renumber the others: more groups than a few are counted again. */
class RenumberedGroupsTest {
  private static final int GROUPS = 30;

  private static Node node(int number) {
    return new Node(
        "n" + number, Resources.of(Map.of("cpu", "1000")), List.of(), false, Map.of(), Map.of());
  }

  /** One of a group, of which no node may hold two. */
  private static Workload member(String name, int group) {
    Terms terms =
        Terms.NONE.inGroups(Set.of("g" + group)).rules(new Rule.Most(1, "g" + group, Rule.NODE));
    return new Workload(name, Resources.of(Map.of("cpu", "1")), Set.of(), Set.of(), terms);
  }

  @Test
  void groupsAreCountedAnewWhenNodesAreNumberedAnew() {
    Distributor fleet =
        Distributors.of("first", (workload, candidates) -> candidates.first())
            .nodes(IntStream.range(0, 1_000).mapToObj(RenumberedGroupsTest::node).toList())
            .build();
    for (int group = 0; group < GROUPS; group++) {
      fleet.apply(new Change.Assign(member("a" + group, group), "n999"));
    }
    for (int node = 0; node < 998; node++) {
      fleet.apply(new Change.RemoveNode("n" + node));
    }
    for (int group = 0; group < GROUPS; group++) {
      assertThat(fleet.assign(List.of(member("b" + group, group))).node(0)).contains("n998");
      assertThat(fleet.assign(List.of(member("c" + group, group))).node(0)).isEmpty();
    }
    fleet.apply(new Change.Release("a7"));
    assertThat(fleet.assign(List.of(member("c7", 7))).node(0)).contains("n999");
  }
}

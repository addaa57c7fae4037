package io.lighthouse.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

class GroupsProperties {
  @Property(shrinking = ShrinkingMode.OFF)
  void countsMembersOfAGroupOnANodeAsOftenAsTheyCame(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int nodes = 2 + random.nextInt(90);
    Groups groups = new Groups(() -> {});
    Map<String, int[]> oracle = new HashMap<>();
    for (int step = 0; step < 600; step++) {
      String group = "group-" + random.nextInt(6);
      int node = random.nextInt(nodes);
      int[] members = oracle.computeIfAbsent(group, none -> new int[200]);
      if (random.nextInt(5) < 3) {
        add(groups, group, node, 1);
        members[node]++;
      } else if (members[node] > 0) {
        add(groups, group, node, -1);
        members[node]--;
      } else if (random.nextInt(4) == 0 && nodes > 2 && isEmpty(oracle, node)) {
        renumber(groups, Renumbering.without(node, nodes));
        oracle.values().forEach(of -> System.arraycopy(of, node + 1, of, node, 199 - node));
        nodes--;
      }
      if (random.nextInt(40) == 0) {
        Groups left = groups;
        groups = new Groups(groups, () -> {});
        add(left, "group-0", 0, 1); // The copy must not change with the original.
      }
      holdsExactly(groups, oracle, nodes);
    }
  }

  /** Places a workload that is averse to a group (sign 1), or ends its placement (-1). */
  private static void add(Groups groups, String name, int node, int sign) {
    int id = groups.intern(name);
    groups.get(id).averse.add(node, 100, sign);
    groups.dropIfUnused(id);
  }

  private static NodeSet holders(Groups groups, String name) {
    int id = groups.find(name);
    NodeSet nodes = id < 0 ? null : groups.get(id).averse.nodes();
    return nodes == null || nodes.size() == 0 ? null : nodes;
  }

  private static void renumber(Groups groups, int[] renumbered) {
    for (int id = 0; id < groups.ids(); id++) {
      if (groups.get(id) != null) {
        groups.get(id).averse.renumber(renumbered);
      }
    }
  }

  private static boolean isEmpty(Map<String, int[]> oracle, int node) {
    return oracle.values().stream().allMatch(members -> members[node] == 0);
  }

  private static void holdsExactly(Groups groups, Map<String, int[]> oracle, int nodes) {
    oracle.forEach(
        (group, members) -> {
          NodeSet holders = holders(groups, group);
          int size = 0;
          for (int node = 0; node < nodes; node++) {
            size += members[node] > 0 ? 1 : 0;
            boolean has = holders != null && holders.has(node);
            int id = groups.find(group);
            int count = id < 0 ? 0 : groups.get(id).averse.of(node);
            if (has != members[node] > 0 || count != members[node]) {
              throw new AssertionError(group + " on node " + node + ": " + members[node]);
            }
          }
          assertThat(holders == null ? 0 : holders.size()).isEqualTo(size);
          if (size == 0) {
            assertThat(holders).isNull();
          }
        });
  }

  @Example
  void aGroupThatIsGoneGivesItsPlaceToTheNextWithoutLeavingMembersBehind() {
    Groups groups = new Groups(() -> {});
    add(groups, "old", 3, 1);
    add(groups, "old", 3, 1);
    add(groups, "old", 3, -1);
    assertThat(holders(groups, "old").has(3)).isTrue();
    add(groups, "old", 3, -1);
    assertThat(holders(groups, "old")).isNull();
    add(groups, "new", 5, 1);
    assertThat(holders(groups, "new").has(3)).isFalse();
    add(groups, "new", 5, -1);
    assertThat(holders(groups, "new")).isNull();
  }

  @Example
  void aGroupThatAnOpenBatchNamesKeepsItsIdThoughNobodyIsPlaced() {
    Groups groups = new Groups(() -> {});
    int id = groups.use("named");
    add(groups, "named", 3, 1);
    add(groups, "named", 3, -1);
    assertThat(groups.find("named")).isEqualTo(id);
    assertThat(holders(groups, "named")).isNull();
    assertThat(new Groups(groups, () -> {}).find("named"))
        .as("no batch is open in a copy")
        .isEqualTo(-1);
    groups.unuse(id);
    assertThat(groups.find("named")).isEqualTo(-1);
  }
}

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
    Groups groups = new Groups();
    Map<String, int[]> oracle = new HashMap<>();
    for (int step = 0; step < 600; step++) {
      String group = "group-" + random.nextInt(6);
      int node = random.nextInt(nodes);
      int[] members = oracle.computeIfAbsent(group, none -> new int[200]);
      if (random.nextInt(5) < 3) {
        groups.add(groups.intern(group), node, nodes);
        members[node]++;
      } else if (members[node] > 0) {
        groups.remove(groups.find(group), node);
        members[node]--;
      } else if (random.nextInt(4) == 0 && nodes > 2 && isEmpty(oracle, node)) {
        groups.renumber(Renumbering.without(node, nodes));
        oracle.values().forEach(of -> System.arraycopy(of, node + 1, of, node, 199 - node));
        nodes--;
      }
      if (random.nextInt(40) == 0) {
        Groups left = groups;
        groups = groups.copy();
        left.add(
            left.intern("group-0"),
            0,
            nodes); // What happens to the original is not the copy's business.
      }
      holdsExactly(groups, oracle, nodes);
    }
  }

  private static boolean isEmpty(Map<String, int[]> oracle, int node) {
    return oracle.values().stream().allMatch(members -> members[node] == 0);
  }

  private static void holdsExactly(Groups groups, Map<String, int[]> oracle, int nodes) {
    oracle.forEach(
        (group, members) -> {
          NodeSet holders = groups.holders(group);
          int size = 0;
          for (int node = 0; node < nodes; node++) {
            size += members[node] > 0 ? 1 : 0;
            boolean has = holders != null && holders.has(node);
            int count = groups.find(group) < 0 ? 0 : groups.members(groups.find(group), node);
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
    Groups groups = new Groups();
    groups.add(groups.intern("old"), 3, 10);
    groups.add(groups.intern("old"), 3, 10);
    groups.remove(groups.find("old"), 3);
    assertThat(groups.holders("old").has(3)).isTrue();
    groups.remove(groups.find("old"), 3);
    assertThat(groups.holders("old")).isNull();
    groups.add(groups.intern("new"), 5, 10);
    assertThat(groups.holders("new").has(3)).isFalse();
    groups.remove(groups.find("new"), 5);
    assertThat(groups.holders("new")).isNull();
  }

  @Example
  void aGroupThatAnOpenBatchNamesKeepsItsIdThoughNobodyIsPlaced() {
    Groups groups = new Groups();
    int id = groups.use("named");
    groups.add(id, 3, 10);
    groups.remove(id, 3);
    assertThat(groups.find("named")).isEqualTo(id);
    assertThat(groups.holders("named")).isNull();
    assertThat(groups.copy().find("named")).as("no batch is open in a copy").isEqualTo(-1);
    groups.unuse(id);
    assertThat(groups.find("named")).isEqualTo(-1);
  }
}

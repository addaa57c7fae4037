package io.lighthouse.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

class NodeSetProperties {
  @Property(shrinking = ShrinkingMode.OFF)
  void holdsWhatATreeSetHoldsWhateverIsAddedRemovedOrTakenFromTheFleet(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int nodes = 1 + random.nextInt(random.nextBoolean() ? 200 : 9000);
    NodeSet set = new NodeSet();
    TreeSet<Integer> oracle = new TreeSet<>();
    for (int step = 0; step < 400; step++) {
      int node = random.nextInt(nodes);
      switch (random.nextInt(6)) {
        case 0, 1, 2 -> {
          if (oracle.add(node)) {
            set.add(node, nodes);
          }
        }
        case 3 -> {
          if (oracle.remove(node)) {
            set.remove(node);
          }
        }
        case 4 -> {
          if (nodes > 1 && !oracle.contains(node)) {
            set.renumber(Renumbering.without(node, nodes));
            oracle = moveUp(oracle, node);
            nodes--;
          }
        }
        default -> nodes += random.nextInt(70);
      }
      assertThat(set.has(node)).isEqualTo(oracle.contains(node));
      if (nodes < 200 || step % 20 == 0) {
        holdsExactly(set, oracle, nodes);
      }
    }
    holdsExactly(set, oracle, nodes);
  }

  private static TreeSet<Integer> moveUp(TreeSet<Integer> oracle, int gone) {
    return oracle.stream()
        .map(member -> member > gone ? member - 1 : member)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static void holdsExactly(NodeSet set, TreeSet<Integer> oracle, int nodes) {
    assertThat(set.size()).isEqualTo(oracle.size());
    int words = (nodes + 63) >> 6;
    long[] free = set.free(words);
    if (free != null) {
      assertThat(free.length).isGreaterThanOrEqualTo(words);
    }
    for (int node = 0; node < nodes; node++) {
      boolean has = oracle.contains(node);
      if (set.has(node) != has
          || (free != null && (free[node >> 6] >>> node & 1) != (has ? 0 : 1))) {
        throw new AssertionError("node " + node + " of " + oracle);
      }
    }
  }

  @Example
  void turnsFromAListIntoBitsOnceItIsLargeForItsFleet() {
    NodeSet set = new NodeSet();
    for (int node = 0; node < 100; node += 2) {
      set.add(node, 100);
    }
    assertThat(set.free(2)).hasSize(2);
    assertThat(set.size()).isEqualTo(50);

    NodeSet sparse = new NodeSet();
    for (int node = 0; node < 16; node++) {
      sparse.add(node * 1000, 100_000);
    }
    assertThat(sparse.free(2)).isNull();
  }

  @Example
  void bitsSayThatNodesBeyondTheirEndAreNoMembers() {
    NodeSet set = new NodeSet();
    for (int node = 0; node < 40; node++) {
      set.add(node, 64);
    }
    assertThat(set.has(5000)).isFalse();
    assertThat(set.free(4)).endsWith(-1L, -1L, -1L);
    set.add(200, 300);
    assertThat(set.has(200)).isTrue();
    assertThat(set.size()).isEqualTo(41);
  }

  @Example
  void aCopyIsIndependentAsAListAndAsBits() {
    for (int members : new int[] {3, 60}) {
      NodeSet set = new NodeSet();
      for (int node = 0; node < members; node++) {
        set.add(node, 64);
      }
      NodeSet copy = new NodeSet(set);
      set.remove(1);
      copy.add(63, 64);
      assertThat(set.has(1)).isFalse();
      assertThat(set.has(63)).isFalse();
      assertThat(copy.has(1)).isTrue();
      assertThat(copy.has(63)).isTrue();
      assertThat(copy.size()).isEqualTo(members + 1);
      assertThat(set.size()).isEqualTo(members - 1);
    }
  }
}

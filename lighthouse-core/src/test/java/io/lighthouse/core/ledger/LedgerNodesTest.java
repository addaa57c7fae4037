package io.lighthouse.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.Node;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Nodes that come, go and come back, in a ledger and in its copies. */
class LedgerNodesTest {
  private final Ledger ledger = new Ledger();

  private static Node node(String name, Object... resources) {
    return Node.of(name, Resources.of(resources));
  }

  @Test
  void aNodeMayComeBackUnderItsNameFromAnywhereInTheFleet() {
    ledger.addNodes(List.of(node("a", "cpu", 1), node("b", "cpu", 2), node("c", "cpu", 3)));
    for (String gone : List.of("c", "b", "a", "b")) {
      ledger.removeNode(ledger.node(gone));
      ledger.addNodes(List.of(node(gone, "cpu", 7)));
      assertThat(ledger.index(ledger.node(gone))).as("it is the last now").isEqualTo(2);
      assertThat(ledger.lefts(ledger.node(gone))).isEqualTo(Resources.of("cpu", 7));
    }
    assertThat(IntStream.range(0, 3).mapToObj(i -> ledger.nodeName(ledger.slot(i))))
        .containsExactly("c", "a", "b");
  }

  @Test
  void aCopyGivesBackAResourceWithTheLastNodeThatHasIt() {
    ledger.addNodes(List.of(node("a", "rare", 1), node("b", "rare", 1), node("c", "cpu", 1)));
    Ledger copy = ledger.copy();
    assertThat(List.of(copy.node("a"), copy.node("b"), copy.node("c"))).containsExactly(0, 1, 2);
    copy.removeNode(0);
    copy.commit();
    assertThat(copy.column("rare")).as("b still has it").isNotNegative();
    copy.removeNode(1);
    copy.commit();
    assertThat(copy.column("rare")).isEqualTo(-1);
    assertThat(ledger.column("rare")).as("of the original").isNotNegative();
  }

  @Test
  void nodesOfTheSameNamesShareALayoutAndOthersDoNot() {
    ledger.addNodes(
        List.of(
            node("a", "cpu", 1, "mem", 1),
            node("b", "cpu", 2, "mem", "inf"),
            node("c", "cpu", 1, "disk", 1)));
    ledger.resize(2, Resources.of("cpu", 1, "mem", 5));
    assertThat(ledger.layout(0)).isSameAs(ledger.layout(1)).isSameAs(ledger.layout(2));
    ledger.resize(0, Resources.of("cpu", 1));
    assertThat(ledger.layout(0)).isNotEqualTo(ledger.layout(1));
    Ledger copy = ledger.copy();
    assertThat(copy.layout(1)).isSameAs(copy.layout(2)).isNotSameAs(ledger.layout(1));
    copy.addNodes(List.of(node("d", "cpu", 9, "mem", 9)));
    assertThat(copy.layout(3)).isSameAs(copy.layout(1));
  }

  @Test
  void anUnknownNodeIsToldTheOthersAsLongAsTheyAreAtMostTwenty() {
    StringBuilder names = new StringBuilder("one of n10");
    ledger.addNodes(List.of(node("n10", "cpu", 1)));
    for (int i = 11; i < 30; i++) {
      ledger.addNodes(List.of(node("n" + i, "cpu", 1)));
      names.append(", n").append(i);
    }
    assertThatThrownBy(() -> ledger.node("x")).hasMessageContaining(names.toString());
    ledger.addNodes(List.of(node("n30", "cpu", 1)));
    assertThatThrownBy(() -> ledger.node("x")).hasMessageContaining("one of its 21 nodes");
  }

  @Test
  void whoANodeBringsAlongIsPlacedInTheOrderGivenAndLeavesThePositionAlone() {
    Workload first = Workload.of("w1", Resources.of("cpu", 1));
    Workload second = Workload.of("w0", Resources.of("cpu", 2)).withAversionGroups("g");
    ledger.addNodes(
        List.of(
            node("a", "cpu", 1),
            new Node("b", Resources.of("cpu", 4), List.of(first, second), true)));
    assertThat(ledger.workloads(1)).containsExactly(first, second);
    assertThat(ledger.held(0)).isZero();
    assertThat(ledger.held(1)).isEqualTo(2);
    assertThat(ledger.capacities(1)).isEqualTo(Resources.of("cpu", 7));
    assertThat(ledger.cordoned(1)).isTrue();
    assertThat(ledger.holders("g").has(1)).isTrue();
    assertThat(ledger.placedCount()).isEqualTo(2);
    assertThat(ledger.lastPlaced()).isEqualTo(-1);
  }

  @Test
  void aRefusedNodeGivesBackTheNamesOfWhoItBrings() {
    Workload brought = Workload.of("w", Resources.of("cpu", 1));
    Node good = new Node("a", Resources.of("cpu", 4), List.of(brought), false);
    assertThatThrownBy(() -> ledger.addNodes(List.of(good, node("b", "cpu", "1e30"))))
        .isInstanceOf(InvalidInputException.class);
    assertThat(ledger.placedNode("w")).isNegative();
    ledger.addNodes(List.of(good));
    assertThat(ledger.workloads(0)).containsExactly(brought);
  }

  @Test
  void idsOfResourcesThatWentAreGivenOutAgain() {
    ledger.addNodes(List.of(node("n", "cpu", 1)));
    for (int i = 0; i < 50; i++) {
      ledger.addNodes(List.of(node("m", "tag-" + i, 0)));
      ledger.open(List.of(Workload.of("w", Resources.of("nobody-has-" + i, 1)))).close();
      ledger.commit();
      assertThat(ledger.column("nobody-has-" + i)).isEqualTo(-1);
      assertThat(ledger.column("tag-" + i)).isNotNegative();
      ledger.resize(1, Resources.of("other-" + i, 0));
      ledger.commit();
      assertThat(ledger.column("tag-" + i)).isEqualTo(-1);
      ledger.removeNode(1);
      ledger.commit();
      assertThat(ledger.column("other-" + i)).isEqualTo(-1);
    }
    assertThat(ledger.resourceIds()).isLessThanOrEqualTo(3);
    assertThat(ledger.column("cpu")).isZero();
  }

  @Test
  void theCapacityOfEachResourceStaysWhateverIsLeftOfIt() {
    Workload held = Workload.of("w", Resources.of("cpu", 2, "mem", "0.5"));
    ledger.addNodes(
        List.of(
            new Node("n", Resources.of("cpu", 1, "mem", 4, "sky", "inf"), List.of(held), false)));
    assertThat(List.of(ledger.left(0, 0), ledger.left(0, 1))).containsExactly(1L, 40L);
    assertThat(List.of(ledger.capacity(0, 0), ledger.capacity(0, 1))).containsExactly(3L, 45L);
    assertThat(ledger.capacity(0, 2)).isEqualTo(Long.MAX_VALUE);
    assertThat(ledger.quantity(ledger.layout(0).id(1), ledger.capacity(0, 1)))
        .isEqualTo(Quantity.of("4.5"));
  }
}

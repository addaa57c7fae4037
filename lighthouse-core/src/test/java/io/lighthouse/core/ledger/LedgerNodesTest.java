package io.lighthouse.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.demand.Batch;
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
    ledger
        .nodeChanges()
        .add(List.of(node("a", "cpu", 1), node("b", "cpu", 2), node("c", "cpu", 3)));
    for (String gone : List.of("c", "b", "a", "b")) {
      ledger.nodeChanges().remove(ledger.nodes().node(gone));
      ledger.nodeChanges().add(List.of(node(gone, "cpu", 7)));
      assertThat(ledger.nodes().index(ledger.nodes().node(gone)))
          .as("it is the last now")
          .isEqualTo(2);
      assertThat(ledger.accounts().lefts(ledger.nodes().node(gone)))
          .isEqualTo(Resources.of("cpu", 7));
    }
    assertThat(IntStream.range(0, 3).mapToObj(i -> ledger.nodes().nodeName(ledger.nodes().slot(i))))
        .containsExactly("c", "a", "b");
  }

  @Test
  void aCopyGivesBackAResourceWithTheLastNodeThatHasIt() {
    ledger
        .nodeChanges()
        .add(List.of(node("a", "rare", 1), node("b", "rare", 1), node("c", "cpu", 1)));
    Ledger copy = ledger.copy();
    assertThat(List.of(copy.nodes().node("a"), copy.nodes().node("b"), copy.nodes().node("c")))
        .containsExactly(0, 1, 2);
    copy.nodeChanges().remove(0);
    copy.commit();
    assertThat(copy.resources().find("rare")).as("b still has it").isNotNegative();
    copy.nodeChanges().remove(1);
    copy.commit();
    assertThat(copy.resources().find("rare")).isEqualTo(-1);
    assertThat(ledger.resources().find("rare")).as("of the original").isNotNegative();
  }

  @Test
  void nodesOfTheSameNamesShareALayoutAndOthersDoNot() {
    ledger
        .nodeChanges()
        .add(
            List.of(
                node("a", "cpu", 1, "mem", 1),
                node("b", "cpu", 2, "mem", "inf"),
                node("c", "cpu", 1, "disk", 1)));
    ledger.nodeChanges().resize(2, Resources.of("cpu", 1, "mem", 5));
    assertThat(ledger.accounts().layout(0))
        .isSameAs(ledger.accounts().layout(1))
        .isSameAs(ledger.accounts().layout(2));
    ledger.nodeChanges().resize(0, Resources.of("cpu", 1));
    assertThat(ledger.accounts().layout(0)).isNotEqualTo(ledger.accounts().layout(1));
    Ledger copy = ledger.copy();
    assertThat(copy.accounts().layout(1))
        .isSameAs(copy.accounts().layout(2))
        .isNotSameAs(ledger.accounts().layout(1));
    copy.nodeChanges().add(List.of(node("d", "cpu", 9, "mem", 9)));
    assertThat(copy.accounts().layout(3)).isSameAs(copy.accounts().layout(1));
  }

  @Test
  void anUnknownNodeIsToldTheOthersAsLongAsTheyAreAtMostTwenty() {
    StringBuilder names = new StringBuilder("one of n10");
    ledger.nodeChanges().add(List.of(node("n10", "cpu", 1)));
    for (int i = 11; i < 30; i++) {
      ledger.nodeChanges().add(List.of(node("n" + i, "cpu", 1)));
      names.append(", n").append(i);
    }
    assertThatThrownBy(() -> ledger.nodes().node("x")).hasMessageContaining(names.toString());
    ledger.nodeChanges().add(List.of(node("n30", "cpu", 1)));
    assertThatThrownBy(() -> ledger.nodes().node("x")).hasMessageContaining("one of its 21 nodes");
  }

  @Test
  void whoANodeBringsAlongIsPlacedInTheOrderGivenAndLeavesThePositionAlone() {
    Workload first = Workload.of("w1", Resources.of("cpu", 1));
    Workload second = Workload.of("w0", Resources.of("cpu", 2)).withAversionGroups("g");
    ledger
        .nodeChanges()
        .add(
            List.of(
                node("a", "cpu", 1),
                new Node("b", Resources.of("cpu", 4), List.of(first, second), true)));
    assertThat(ledger.placements().workloads(1)).containsExactly(first, second);
    assertThat(ledger.placements().count(0)).isZero();
    assertThat(ledger.placements().count(1)).isEqualTo(2);
    assertThat(ledger.accounts().capacities(1)).isEqualTo(Resources.of("cpu", 7));
    assertThat(ledger.accounts().cordoned(1)).isTrue();
    assertThat(LedgerExamples.holders(ledger, "g").has(1)).isTrue();
    assertThat(ledger.placements().placedCount()).isEqualTo(2);
    assertThat(ledger.lastPlaced()).isEqualTo(-1);
  }

  @Test
  void aRefusedNodeGivesBackTheNamesOfWhoItBrings() {
    Workload brought = Workload.of("w", Resources.of("cpu", 1));
    Node good = new Node("a", Resources.of("cpu", 4), List.of(brought), false);
    assertThatThrownBy(() -> ledger.nodeChanges().add(List.of(good, node("b", "cpu", "1e30"))))
        .isInstanceOf(InvalidInputException.class);
    assertThat(ledger.placements().placedNode("w")).isNegative();
    ledger.nodeChanges().add(List.of(good));
    assertThat(ledger.placements().workloads(0)).containsExactly(brought);
  }

  @Test
  void idsOfResourcesThatWentAreGivenOutAgain() {
    ledger.nodeChanges().add(List.of(node("n", "cpu", 1)));
    for (int i = 0; i < 50; i++) {
      ledger.nodeChanges().add(List.of(node("m", "tag-" + i, 0)));
      Batch.open(ledger, List.of(Workload.of("w", Resources.of("nobody-has-" + i, 1)))).close();
      ledger.commit();
      assertThat(ledger.resources().find("nobody-has-" + i)).isEqualTo(-1);
      assertThat(ledger.resources().find("tag-" + i)).isNotNegative();
      ledger.nodeChanges().resize(1, Resources.of("other-" + i, 0));
      ledger.commit();
      assertThat(ledger.resources().find("tag-" + i)).isEqualTo(-1);
      ledger.nodeChanges().remove(1);
      ledger.commit();
      assertThat(ledger.resources().find("other-" + i)).isEqualTo(-1);
    }
    assertThat(ledger.resources().resourceIds()).isLessThanOrEqualTo(3);
    assertThat(ledger.resources().find("cpu")).isZero();
  }

  @Test
  void theCapacityOfEachResourceStaysWhateverIsLeftOfIt() {
    Workload held = Workload.of("w", Resources.of("cpu", 2, "mem", "0.5"));
    ledger
        .nodeChanges()
        .add(
            List.of(
                new Node(
                    "n", Resources.of("cpu", 1, "mem", 4, "sky", "inf"), List.of(held), false)));
    assertThat(List.of(ledger.accounts().left(0, 0), ledger.accounts().left(0, 1)))
        .containsExactly(1L, 40L);
    assertThat(List.of(ledger.accounts().capacity(0, 0), ledger.accounts().capacity(0, 1)))
        .containsExactly(3L, 45L);
    assertThat(ledger.accounts().capacity(0, 2)).isEqualTo(Long.MAX_VALUE);
    assertThat(
            ledger
                .resources()
                .quantity(ledger.accounts().layout(0).id(1), ledger.accounts().capacity(0, 1)))
        .isEqualTo(Quantity.of("4.5"));
  }
}

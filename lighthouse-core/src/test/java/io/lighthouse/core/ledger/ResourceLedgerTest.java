package io.lighthouse.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InternalErrorException;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.core.account.Audit;
import io.lighthouse.core.demand.Batch;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ResourceLedgerTest extends LedgerExamples {
  @Nested
  class Placing {
    @Test
    void subtractsEachRequirementExactly() {
      nodes(node("n", "cpu", "0.3", "mem", 4, "tag", 0));
      for (int i = 0; i < 3; i++) {
        place(workload("w" + i, "cpu", "0.1", "tag", 0), 0);
      }
      assertThat(ledger.accounts().lefts(0)).isEqualTo(Resources.of("cpu", 0, "mem", 4, "tag", 0));
      assertThat(ledger.accounts().capacities(0))
          .isEqualTo(Resources.of("cpu", "0.3", "mem", 4, "tag", 0));
      assertThat(ledger.accounts().negatives(0)).isZero();
    }

    @Test
    void leavesInfiniteQuantitiesAsTheyAre() {
      nodes(node("n", "sky", "inf", "ward", "-inf"));
      place(workload("w", "sky", 1000, "ward", "-7.25"), 0);
      assertThat(ledger.accounts().lefts(0)).isEqualTo(Resources.of("sky", "inf", "ward", "-inf"));
      assertThat(ledger.accounts().negatives(0)).isEqualTo(1);
      release("w");
      assertThat(ledger.accounts().lefts(0)).isEqualTo(Resources.of("sky", "inf", "ward", "-inf"));
      assertThat(ledger.accounts().negatives(0)).isEqualTo(1);
    }

    @Test
    void givesWhatANegativeRequirementGives() {
      nodes(node("n", "debt", -2, "cpu", 1));
      assertThat(ledger.accounts().negatives(0)).isEqualTo(1);
      place(workload("w", "debt", -2, "cpu", -3), 0);
      assertThat(ledger.accounts().lefts(0)).isEqualTo(Resources.of("debt", 0, "cpu", 4));
      assertThat(ledger.accounts().negatives(0)).isZero();
      release("w");
      assertThat(ledger.accounts().lefts(0)).isEqualTo(Resources.of("debt", -2, "cpu", 1));
      assertThat(ledger.accounts().negatives(0)).isEqualTo(1);
    }

    @Test
    void changesNothingWhereTheWorkloadDoesNotFit() {
      nodes(node("n", "cpu", -1, "mem", 1), node("m", "cpu", 4));
      assertDoesNotFit(workload("w", "cpu", -3, "mem", 2), 0); // Some cpu has been given by then.
      assertDoesNotFit(workload("w", "cpu", 2, "mem", 1), 1);
    }

    private void assertDoesNotFit(Workload workload, int node) {
      NodeBooks before = new NodeBooks(ledger);
      Batch batch = Batch.open(ledger, List.of(workload));
      assertThatThrownBy(() -> ledger.place(batch.entry(0), node, batch.demand(0)))
          .isInstanceOf(InternalErrorException.class)
          .hasMessageContaining("which it does not fit");
      batch.close();
      assertThat(new NodeBooks(ledger)).isEqualTo(before);
      Audit audit = new Audit();
      ledger.audit(audit);
      assertThat(audit.findings()).isEmpty();
    }

    @Test
    void countsWhatAnImmuneWorkloadDrivesBelowZero() {
      nodes(node("n", "cpu", 1, "mem", 1));
      place(workload("w", "cpu", 3), 0);
      assertThat(ledger.accounts().lefts(0)).isEqualTo(Resources.of("cpu", -2, "mem", 1));
      assertThat(ledger.accounts().negatives(0)).isEqualTo(1);
    }

    @Test
    void movesThePositionAndReleasingDoesNot() {
      nodes(node("a", "cpu", 9), node("b", "cpu", 9));
      assertThat(ledger.lastPlaced()).isEqualTo(-1);
      place(workload("w", "cpu", 1), 1);
      assertThat(ledger.lastPlaced()).isEqualTo(1);
      release("w");
      assertThat(ledger.lastPlaced()).isEqualTo(1);
    }

    @Test
    void happensWhollyOrNotAtAllWhereABatchIsWrong() {
      nodes(node("n", "cpu", 9));
      place(workload("here", "cpu", 1), 0);
      NodeBooks before = new NodeBooks(ledger);
      assertThatThrownBy(
              () ->
                  Batch.open(
                      ledger, List.of(workload("new", "cpu", 1), workload("here", "cpu", 1))))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContainingAll("workload 'here'", "name", "placed", "node 'n'");
      assertThatThrownBy(
              () ->
                  Batch.open(ledger, List.of(workload("new", "cpu", 1), workload("new", "cpu", 2))))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContainingAll("workload 'new'", "given twice in the batch");
      assertThat(new NodeBooks(ledger)).isEqualTo(before);
      place(workload("new", "cpu", 1), 0); // The name was given back.
    }
  }

  @Nested
  class Releasing {
    @Test
    void restoresTheExactQuantities() {
      nodes(node("n", "cpu", "1.000000001"), node("m", "cpu", 5));
      NodeBooks empty = new NodeBooks(ledger);
      place(workload("a", "cpu", "0.333333333"), 0);
      place(workload("b", "cpu", "0.1"), 0);
      place(workload("c", "cpu", "0.000000001"), 1);
      release("b", "a", "c");
      assertThat(new NodeBooks(ledger).lefts).isEqualTo(empty.lefts);
      assertThat(ledger.placements().placedCount()).isZero();
    }

    @Test
    void keepsTheOthersInTheOrderInWhichTheyCame() {
      nodes(node("n", "cpu", 9));
      for (String name : List.of("a", "b", "c", "d", "e")) {
        place(workload(name, "cpu", 1), 0);
      }
      release("c");
      release("a", "e");
      assertThat(names(0)).containsExactly("b", "d");
      place(workload("c", "cpu", 1), 0);
      assertThat(names(0)).containsExactly("b", "d", "c");
    }

    @Test
    void answersTheWorkloadsInTheOrderAsked() {
      nodes(node("n", "cpu", 9));
      place(workload("a", "cpu", 1), 0);
      place(workload("b", "cpu", 1), 0);
      assertThat(
              ledger.release(
                  new int[] {ledger.placements().entryOf("b"), ledger.placements().entryOf("a")}))
          .extracting(Workload::name)
          .containsExactly("b", "a");
    }

    @Test
    void isRefusedForWhatIsNotPlaced() {
      nodes(node("n", "cpu", 9));
      assertThatThrownBy(() -> ledger.placements().entryOf("ghost"))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContainingAll("'ghost'", "allowed: the name of a placed workload");
    }

    @Test
    void worksForWhatIsBelowZeroAndLeavesItThere() {
      nodes(node("n", "cpu", 1));
      place(workload("giver", "cpu", -5), 0);
      place(workload("taker", "cpu", 6), 0);
      release("giver");
      assertThat(ledger.accounts().lefts(0)).isEqualTo(Resources.of("cpu", -5));
      assertThat(ledger.accounts().negatives(0)).isEqualTo(1);
    }
  }

  @Nested
  class NodesBroughtAlong {
    @Test
    void haveTheirCapacityFromWhatIsLeftPlusWhatTheyHold() {
      Workload held = workload("w", "cpu", "1.5", "sky", 3).withAversionGroups("g");
      nodes(new Node("n", Resources.of("cpu", -1, "sky", "inf"), List.of(held), false));
      assertThat(ledger.accounts().capacities(0))
          .isEqualTo(Resources.of("cpu", "0.5", "sky", "inf"));
      assertThat(ledger.accounts().lefts(0)).isEqualTo(Resources.of("cpu", -1, "sky", "inf"));
      assertThat(ledger.accounts().negatives(0)).isEqualTo(1);
      assertThat(LedgerExamples.holders(ledger, "g").has(0)).isTrue();
      assertThat(ledger.lastPlaced()).isEqualTo(-1);
      release("w");
      assertThat(ledger.accounts().lefts(0)).isEqualTo(Resources.of("cpu", "0.5", "sky", "inf"));
      assertThat(LedgerExamples.holders(ledger, "g")).isNull();
    }

    @Test
    void roundBothWays() {
      Workload held = workload("w", "cpu", "0.0000000001");
      nodes(new Node("n", Resources.of("cpu", "0.9999999999"), List.of(held), false));
      assertThat(ledger.accounts().lefts(0)).isEqualTo(Resources.of("cpu", "0.999999999"));
      assertThat(ledger.accounts().capacities(0)).isEqualTo(Resources.of("cpu", "1"));
    }

    @Test
    void areRefusedAllWhereOneIsWrong() {
      nodes(node("old", "cpu", 1));
      place(workload("w", "cpu", 1), 0);
      NodeBooks before = new NodeBooks(ledger);
      Node good = node("good", "tag", 0);
      Node holdsW = new Node("bad", Resources.of("cpu", 1), List.of(workload("w")), false);
      assertThatThrownBy(() -> nodes(good, holdsW))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContainingAll("workload 'w'", "name", "node 'bad'");
      assertThatThrownBy(() -> nodes(good, node("old", "cpu", 1)))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContainingAll("node 'old'", "name", "each name once");
      assertThatThrownBy(() -> nodes(good, good)).isInstanceOf(InvalidInputException.class);
      assertThatThrownBy(() -> nodes(good, node("bad", "cpu", "1e30")))
          .isInstanceOf(InvalidInputException.class);
      assertThat(new NodeBooks(ledger)).isEqualTo(before);
      assertThat(ledger.resources().resourceId("tag")).isEqualTo(-1);
      nodes(good); // Neither its name nor anything else was taken.
      assertThat(ledger.nodes().nodeCount()).isEqualTo(2);
    }
  }

  @Nested
  class Removing {
    @Test
    void passesThePositionToTheNodeBefore() {
      nodes(node("a", "cpu", 9), node("b", "cpu", 9), node("c", "cpu", 9));
      ledger.lastPlaced(1);
      ledger.nodeChanges().remove(2);
      assertThat(ledger.lastPlaced()).isEqualTo(1);
      ledger.nodeChanges().remove(1);
      assertThat(ledger.lastPlaced()).isZero();
      ledger.nodeChanges().remove(0);
      assertThat(ledger.lastPlaced()).isEqualTo(-1);
      assertThat(ledger.nodes().nodeCount()).isZero();
    }

    @Test
    void movesUpTheNodesBehindWithAllThatTheyHold() {
      nodes(node("a", "cpu", 1), node("b", "x", 2), node("c", "cpu", 3));
      place(workload("w", "cpu", 1).withAversionGroups("g"), 2);
      place(workload("v", "x", 1), 1);
      ledger.nodeChanges().cordon(2, true);
      ledger.nodeChanges().remove(0);
      assertThat(ledger.nodes().index(ledger.nodes().node("b"))).isZero();
      assertThat(ledger.nodes().index(ledger.nodes().node("c"))).isEqualTo(1);
      int b = ledger.nodes().slot(0);
      int c = ledger.nodes().slot(1);
      assertThat(names(b)).containsExactly("v");
      assertThat(names(c)).containsExactly("w");
      assertThat(ledger.accounts().cordoned(c)).isTrue();
      assertThat(ledger.placements().placedNode("w")).isEqualTo(c);
      assertThat(LedgerExamples.holders(ledger, "g").has(c)).isTrue();
      assertThat(ledger.accounts().lefts(c)).isEqualTo(Resources.of("cpu", 2));
      assertThatThrownBy(() -> ledger.nodes().node("a"))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContainingAll("'a'", "one of b, c");
    }

    @Test
    void givesBackTheResourceThatOnlyThatNodeHad() {
      nodes(node("a", "rare", 1), node("b", "cpu", 1));
      ledger.nodeChanges().remove(0);
      assertThat(ledger.resources().resourceId("rare")).isEqualTo(-1);
      ledger.commit();
      assertThat(ledger.resources().find("rare")).isEqualTo(-1);
      nodes(node("c", "fresh", "0.5"));
      assertThat(ledger.accounts().lefts(ledger.nodes().node("c")))
          .isEqualTo(Resources.of("fresh", "0.5"));
    }
  }

  @Nested
  class Resizing {
    @Test
    void changesWhatIsLeftByTheDifference() {
      nodes(node("n", "cpu", 10));
      place(workload("w", "cpu", 4), 0);
      ledger.nodeChanges().resize(0, Resources.of("cpu", "3.5"));
      assertThat(ledger.accounts().lefts(0)).isEqualTo(Resources.of("cpu", "-0.5"));
      assertThat(ledger.accounts().negatives(0)).isEqualTo(1);
      release("w");
      assertThat(ledger.accounts().lefts(0)).isEqualTo(Resources.of("cpu", "3.5"));
    }

    @Test
    void turnsFiniteIntoInfiniteAndBack() {
      nodes(node("n", "cpu", 10));
      place(workload("w", "cpu", 4), 0);
      ledger.nodeChanges().resize(0, Resources.of("cpu", "inf"));
      assertThat(ledger.accounts().lefts(0)).isEqualTo(Resources.of("cpu", "inf"));
      place(workload("v", "cpu", "0.25"), 0);
      ledger.nodeChanges().resize(0, Resources.of("cpu", "-inf"));
      assertThat(ledger.accounts().negatives(0)).isEqualTo(1);
      ledger.nodeChanges().resize(0, Resources.of("cpu", 20));
      assertThat(ledger.accounts().lefts(0)).isEqualTo(Resources.of("cpu", "15.75"));
      assertThat(ledger.accounts().negatives(0)).isZero();
      release("w", "v");
      assertThat(ledger.accounts().lefts(0)).isEqualTo(Resources.of("cpu", 20));
    }

    @Test
    void addsAndDropsResources() {
      nodes(node("n", "cpu", 10, "tag", 0));
      place(workload("w", "cpu", 1), 0);
      ledger.nodeChanges().resize(0, Resources.of("cpu", 10, "mem", 5, "ward", "-inf"));
      assertThat(ledger.accounts().lefts(0))
          .isEqualTo(Resources.of("cpu", 9, "mem", 5, "ward", "-inf"));
      assertThat(ledger.resources().resourceId("tag")).isEqualTo(-1);
      assertThat(names(0)).containsExactly("w");
    }

    @Test
    void isRefusedWhereAResourceInUseWouldGo() {
      nodes(node("n", "cpu", 10, "mem", 1));
      place(workload("w", "mem", 0), 0);
      NodeBooks before = new NodeBooks(ledger);
      assertThatThrownBy(() -> ledger.nodeChanges().resize(0, Resources.of("cpu", 10, "new", 1)))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContainingAll("node 'n'", "capacity.mem", "missing", "workload 'w'");
      assertThat(new NodeBooks(ledger)).isEqualTo(before);
      ledger.commit();
      assertThat(ledger.resources().find("new")).isEqualTo(-1);
    }

    @Test
    void isRefusedOutOfRangeAndChangesNothing() {
      nodes(node("n", "cpu", 10));
      NodeBooks before = new NodeBooks(ledger);
      assertThatThrownBy(
              () ->
                  ledger
                      .nodeChanges()
                      .resize(0, Resources.of("cpu", "4611686018427387904", "x", 1)))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContainingAll("node 'n'", "resources.cpu", "4611686018427387904", "2^62");
      assertThat(new NodeBooks(ledger)).isEqualTo(before);
      ledger.commit();
      assertThat(ledger.resources().find("x")).isEqualTo(-1);
    }
  }

  @Nested
  class Copies {
    @Test
    void shareNothingThatChanges() {
      nodes(node("n", "cpu", 10, "tag", 0), node("m", "cpu", 3));
      place(workload("w", "cpu", 2).withAversionGroups("g"), 0);
      Ledger copy = ledger.copy();
      NodeBooks before = new NodeBooks(ledger);
      assertThat(new NodeBooks(copy)).isEqualTo(before);

      copy.release(new int[] {copy.placements().entryOf("w")});
      copy.nodeChanges().cordon(1, true);
      copy.nodeChanges().resize(0, Resources.of("cpu", "0.001"));
      copy.nodeChanges().add(List.of(node("o", "else", 1)));
      copy.nodeChanges().remove(1);
      assertThat(new NodeBooks(ledger)).isEqualTo(before);
      assertThat(LedgerExamples.holders(ledger, "g").has(0)).isTrue();

      NodeBooks after = new NodeBooks(copy);
      place(workload("v", "cpu", "0.5"), 1);
      ledger.nodeChanges().cordon(0, true);
      assertThat(new NodeBooks(copy)).isEqualTo(after);
    }
  }

  @Test
  void answersWhoIsWhereOnlyForWhatIsPlaced() {
    nodes(node("n", "cpu", 1));
    Batch batch = Batch.open(ledger, List.of(workload("w", "cpu", 1)));
    assertThat(ledger.placements().placedNode("w")).isNegative();
    assertThatThrownBy(() -> ledger.placements().entryOf("w"))
        .isInstanceOf(InvalidInputException.class);
    batch.close();
    assertThat(ledger.placements().placedNode("w")).isNegative();
    assertThatThrownBy(() -> ledger.nodes().node("n0"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContainingAll("node", "'n0'", "one of n");
  }

  @Test
  void namesOnlyTheNumberOfNodesWhereTheyAreMany() {
    for (int i = 0; i < 21; i++) {
      nodes(node("n" + i, "cpu", 1));
    }
    assertThatThrownBy(() -> ledger.nodes().node("x")).hasMessageContaining("one of its 21 nodes");
    assertThatThrownBy(() -> new Ledger().nodes().node("x"))
        .hasMessageContaining("none, it has no nodes");
  }
}

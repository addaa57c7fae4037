package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.InvalidChangeException;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Changes as values: what each does, and what is reported where one fails. */
class ChangesTest {
  private final Distributor fleet =
      Distributors.of(LivingFleet.roundRobin())
          .nodes(
              Node.of("n1", Resources.of("cpu", 3, "mem", 8))
                  .withWorkloads(workload("old", 2), workload("older", 1)),
              Node.of("n2", Resources.of("cpu", 4)),
              new Node("n3", Resources.of("cpu", 4), List.of(), true))
          .lastPlaced("n3")
          .build();

  private static Workload workload(String name, Object cpu) {
    return Workload.of(name, Resources.of("cpu", cpu));
  }

  private static List<Object> state(Distributor distributor) {
    Snapshot now = distributor.snapshot();
    return List.of(now.nodes(), now.lastPlaced(), now.placedCount(), now.generation());
  }

  private List<String> on(String node) {
    return fleet.node(node).workloads().stream().map(Workload::name).toList();
  }

  @Nested
  class CarriedOut {
    @Test
    void severalAreOneGeneration() {
      assertThat(
              fleet.apply(
                  new Change.AddNode(Node.of("n4", Resources.of("cpu", 1))),
                  new Change.Assign(workload("a", 1), "n4"),
                  new Change.Cordon("n4"),
                  new Change.Resize("n1", Resources.of("cpu", 5, "mem", 1)),
                  new Change.Release("older"),
                  new Change.Uncordon("n3"),
                  new Change.Move("old", "n1", "n3"),
                  new Change.RemoveNode("n1")))
          .isEqualTo(1);
      assertThat(fleet.generation()).isEqualTo(1);
      assertThat(fleet.snapshot().nodes())
          .extracting(NodeState::name)
          .containsExactly("n2", "n3", "n4");
      assertThat(on("n3")).containsExactly("old");
      assertThat(fleet.node("n4").cordoned()).isTrue();
      assertThat(fleet.snapshot().lastPlaced()).contains("n4");
      assertThat(fleet.apply(List.of())).isEqualTo(1);
      assertThat(fleet.apply(new Change.Cordon("n4"))).isEqualTo(1);
    }

    @Test
    void theyAreTheShortFormsTwins() {
      Distributor twin = fleet.copy();
      Node n4 = Node.of("n4", Resources.of("cpu", 2));
      fleet.apply(new Change.AddNode(n4));
      twin.addNode(n4);
      fleet.apply(new Change.Resize("n4", Resources.of("cpu", 3)));
      twin.resize("n4", Resources.of("cpu", 3));
      fleet.apply(new Change.Cordon("n4"));
      twin.cordon("n4");
      fleet.apply(new Change.Uncordon("n4"));
      twin.uncordon("n4");
      fleet.apply(new Change.Release("old"));
      twin.release("old");
      fleet.apply(new Change.RemoveNode("n4"));
      twin.removeNode("n4");
      assertThat(state(fleet)).isEqualTo(state(twin));
    }

    @Test
    void anAssignmentMovesThePositionAndAMoveDoesNot() {
      fleet.apply(new Change.Assign(workload("a", 1), "n2"));
      assertThat(fleet.snapshot().lastPlaced()).contains("n2");
      fleet.apply(new Change.Move("a", "n2", "n1"), new Change.Move("old", "n1", "n2"));
      assertThat(fleet.snapshot().lastPlaced()).contains("n2");
      assertThat(on("n1")).containsExactly("older", "a");
    }

    @Test
    void aMoveIsNeverHalf() {
      fleet.resize("n2", Resources.of("cpu", 1));
      List<Object> before = state(fleet);
      doesNotGo(
          0,
          "move 'old' from 'n1' to 'n2'",
          "workload 'old': to is 'n2', which it does not fit (short cpu); allowed: ",
          new Change.Move("old", "n1", "n2"));
      assertThat(state(fleet)).isEqualTo(before);
      assertThat(on("n1")).as("in its old place").containsExactly("old", "older");
    }

    /** Beside itself it would be averse, or need room twice. */
    @Test
    void aMoveIsNeverOnBothNodes() {
      fleet.apply(
          new Change.Uncordon("n3"),
          new Change.Assign(workload("whole", 4), "n2"),
          new Change.Move("whole", "n2", "n3"),
          new Change.Move("whole", "n3", "n2"));
      assertThat(fleet.node("n2").left()).isEqualTo(Resources.of("cpu", 0));
      assertThat(fleet.node("n3").left()).isEqualTo(Resources.of("cpu", 4));
    }

    @Test
    void anAssignmentMayGoToAnAverseNode() {
      fleet.apply(
          new Change.Assign(workload("a", 1).withAversionGroups("g"), "n1"),
          new Change.Assign(workload("b", 1).withAversionGroups("g"), "n1"));
      assertThat(on("n1")).containsExactly("old", "older", "a", "b");
    }

    @Test
    void aReleaseMayLeaveLessThanNothing() {
      fleet.apply(
          new Change.Assign(workload("giver", -3), "n2"),
          new Change.Assign(workload("taker", 7), "n2"),
          new Change.Release("giver"));
      assertThat(fleet.node("n2").left()).isEqualTo(Resources.of("cpu", -3));
    }

    @Test
    void anEqualCapacityIsNoChange() {
      fleet.apply(new Change.Resize("n2", Resources.of("cpu", "4.0")));
      fleet.resize("n2", Resources.of("cpu", "4.0000000000001"));
      assertThat(fleet.generation()).as("rounded down to what it has").isZero();
      fleet.resize("n2", Resources.of("cpu", 4, "mem", 0));
      assertThat(fleet.generation()).isEqualTo(1);
    }

    @Test
    void anEqualCapacityOfADomainIsNoChange() {
      fleet.apply(new Change.Declare(Domain.of("rack", "r", Resources.of("power", 4))));
      List<Long> told = new ArrayList<>();
      fleet.onChange((generation, changes) -> told.add(generation));
      List<Object> before = state(fleet);
      fleet.apply(new Change.ResizeDomain("rack", "r", Resources.of("power", "4.0")));
      fleet.apply(new Change.ResizeDomain("rack", "r", Resources.of("power", "4.0000000000001")));
      assertThat(state(fleet)).as("the generation, too").isEqualTo(before);
      fleet.apply(new Change.ResizeDomain("rack", "r", Resources.of("power", 4, "net", 0)));
      assertThat(fleet.domain("rack", "r").capacity())
          .isEqualTo(Resources.of("power", 4, "net", 0));
      assertThat(told).containsExactly(2L);
    }
  }

  private void doesNotGo(int step, String change, String wrong, Change... changes) {
    List<Object> before = state(fleet);
    assertThatThrownBy(() -> fleet.apply(changes))
        .isInstanceOfSatisfying(
            InvalidChangeException.class,
            thrown -> {
              assertThat(thrown.step()).isEqualTo(step);
              assertThat(thrown.change()).isEqualTo(changes[step]);
              assertThat(thrown.getCause().getMessage()).contains(wrong);
            })
        .hasMessageStartingWith(
            "change " + (step + 1) + " of " + changes.length + " (" + change + "): " + wrong)
        .hasMessageContaining("allowed: ");
    assertThat(state(fleet)).isEqualTo(before);
  }

  @Nested
  class DoesNotGo {
    private final Change sound = new Change.Cordon("n1");

    @Test
    void whatIsWrongIsNamedWithItsStep() {
      doesNotGo(
          1,
          "add node 'n2'",
          "node 'n2': name is given twice",
          sound,
          new Change.AddNode(Node.of("n2", Resources.none())));
      doesNotGo(
          0,
          "add node 'n9'",
          "workload 'old': name is placed twice",
          new Change.AddNode(
              Node.of("n9", Resources.none()).withWorkloads(Workload.of("old", Resources.none()))));
    }

    @Test
    void nodesThatAreNotThere() {
      doesNotGo(0, "remove node 'x'", "distributor: node is 'x'", new Change.RemoveNode("x"));
      doesNotGo(1, "cordon node 'x'", "distributor: node is 'x'", sound, new Change.Cordon("x"));
      doesNotGo(0, "uncordon node 'x'", "distributor: node is 'x'", new Change.Uncordon("x"));
      doesNotGo(
          0,
          "resize node 'x' to {}",
          "distributor: node is 'x'",
          new Change.Resize("x", Resources.none()));
      doesNotGo(
          0,
          "assign 'a' to 'x'",
          "distributor: node is 'x'",
          new Change.Assign(workload("a", 1), "x"));
      doesNotGo(
          0,
          "move 'old' from 'n1' to 'x'",
          "distributor: node is 'x'",
          new Change.Move("old", "n1", "x"));
      doesNotGo(
          0,
          "move 'old' from 'x' to 'n2'",
          "distributor: node is 'x'",
          new Change.Move("old", "x", "n2"));
    }

    @Test
    void workloadsThatAreNotThereOrElsewhere() {
      doesNotGo(
          2,
          "release 'old'",
          "distributor: workload is 'old'",
          sound,
          new Change.Release("old"),
          new Change.Release("old"));
      doesNotGo(
          0,
          "move 'x' from 'n1' to 'n2'",
          "distributor: workload is 'x'",
          new Change.Move("x", "n1", "n2"));
      doesNotGo(
          0,
          "move 'old' from 'n2' to 'n3'",
          "workload 'old': from is 'n2'; allowed: the node that it is on, 'n1'",
          new Change.Move("old", "n2", "n3"));
      doesNotGo(
          0,
          "move 'old' from 'n1' to 'n1'",
          "workload 'old': to is 'n1'",
          new Change.Move("old", "n1", "n1"));
    }

    @Test
    void nodesThatAreNotEmptyAndResourcesInUse() {
      doesNotGo(
          0, "remove node 'n1'", "node 'n1': workloads is 2 placed", new Change.RemoveNode("n1"));
      doesNotGo(
          0,
          "resize node 'n1' to {mem: 1}",
          "node 'n1': capacity.cpu is missing",
          new Change.Resize("n1", Resources.of("mem", 1)));
    }

    @Test
    void namesInUseAndQuantitiesOutOfRange() {
      doesNotGo(
          1,
          "assign 'a' to 'n2'",
          "workload 'a': name is placed on node 'n1'",
          new Change.Assign(workload("a", 1), "n1"),
          new Change.Assign(workload("a", 1), "n2"));
      doesNotGo(
          1,
          "assign 'a' to 'n2'",
          "workload 'a': requirements.cpu is 1E+40",
          sound,
          new Change.Assign(workload("a", "1e40"), "n2"));
      doesNotGo(
          0,
          "resize node 'n2' to {cpu: 1" + "0".repeat(40) + "}",
          "node 'n2': resources.cpu is 1E+40",
          new Change.Resize("n2", Resources.of("cpu", "1e40")));
    }

    @Test
    void whatDoesNotFitComesWithItsReasons() {
      assertThatThrownBy(() -> fleet.apply(sound, new Change.Assign(workload("a", 5), "n3")))
          .isInstanceOfSatisfying(
              InvalidChangeException.class,
              thrown ->
                  assertThat(thrown.reasons())
                      .containsExactly(
                          new Reason.Cordoned(),
                          new Reason.Insufficient(
                              "cpu", Quantity.of(4), Quantity.of(5), Quantity.of(1))));
      assertThatThrownBy(() -> fleet.apply(new Change.Assign(workload("a", 5), "n2"), sound, sound))
          .hasMessageStartingWith(
              "change 1 of 3 (assign 'a' to 'n2'): workload 'a': node is 'n2', which it does not"
                  + " fit (short cpu); allowed: ");
      assertThatThrownBy(() -> fleet.apply(new Change.Release("x")))
          .isInstanceOfSatisfying(
              InvalidChangeException.class, thrown -> assertThat(thrown.reasons()).isEmpty());
    }

    @Test
    void nothingIsNoChange() {
      assertThatThrownBy(() -> fleet.apply(Arrays.asList(sound, null)))
          .isInstanceOf(NullPointerException.class);
      assertThat(fleet.node("n1").cordoned()).isFalse();
    }
  }
}

package io.lighthouse.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.demand.BatchOfOne;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The range of amounts where scales change and figures are kept: what is placed and what nodes have
 * counts at the scale of the day, below 2^62 = 4,611,686,018,427,387,904 units.
 */
class LedgerRangeTest {
  private static final String HALF = "2305843009213693952"; // 2^61

  private final Ledger ledger = new Ledger();
  private Demand demand;

  private static Workload workload(String name, String cpu) {
    return Workload.of(name, Resources.of("cpu", cpu));
  }

  private void place(Workload workload) {
    BatchOfOne.place(ledger, workload, 0);
  }

  private void release(String name) {
    ledger.release(new int[] {ledger.placements().entryOf(name)});
    ledger.commit();
  }

  private int digits() {
    return ledger.resources().digits(ledger.resources().resourceId("cpu"));
  }

  /** The sum of magnitudes stays at its limit, also where each alone is beyond it. */
  @Test
  void refusesABatchOfWorkloadsThatAreEachOutOfRange() {
    ledger.nodeChanges().add(List.of(Node.of("n", Resources.of("cpu", 1))));
    for (int count = 1; count <= 9; count++) {
      List<Workload> different = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        different.add(workload("w" + i, "10000000000000000000"));
      }
      List<Workload> alike = workload("w", "10000000000000000000").replicas(count);
      for (List<Workload> batch : List.of(different, alike)) {
        assertThatThrownBy(() -> Batch.open(ledger, batch))
            .as("%d workloads", count)
            .isInstanceOf(InvalidInputException.class)
            .hasMessageContainingAll("requirements.cpu", "2^62 / 10^0");
      }
    }
  }

  /** A run of equal workloads counts as many times as it is long. */
  @Test
  void countsEveryWorkloadOfARun() {
    ledger.nodeChanges().add(List.of(Node.of("n", Resources.of("cpu", 0))));
    Batch.open(ledger, workload("fits", HALF).replicas(1)).close();
    assertThatThrownBy(() -> Batch.open(ledger, workload("over", HALF).replicas(2)))
        .isInstanceOf(InvalidInputException.class);
    Batch.open(ledger, workload("small", "1537228672809129301").replicas(2)).close();
    // Three times 1,537,228,672,809,129,301 is one less than 2^62, and that is in range.
    Batch.open(ledger, workload("small", "1537228672809129301").replicas(3)).close();
    assertThatThrownBy(
            () -> Batch.open(ledger, workload("large", "1537228672809129302").replicas(3)))
        .isInstanceOf(InvalidInputException.class);
  }

  @Test
  void countsWhatIsPlacedTenfoldOnceAnotherBringsADigit() {
    ledger.nodeChanges().add(List.of(Node.of("n", Resources.of("cpu", 0))));
    place(workload("large", "300000000000000000"));
    place(workload("fine", "0.1"));
    assertThat(digits()).isEqualTo(1);
    // Together 5e17, and with one digit only 2^62 / 10 = 4.6e17 can be counted.
    assertThatThrownBy(() -> place(workload("more", "200000000000000000")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContainingAll("workload 'more'", "requirements.cpu", "2^62 / 10^1");
    place(workload("less", "100000000000000000"));
  }

  @Test
  void countsWhatIsPlacedATenthOnceADigitIsGivenUp() {
    ledger.nodeChanges().add(List.of(Node.of("n", Resources.of("cpu", 0))));
    place(workload("large", "120000000000000000"));
    place(workload("fine", "0.1"));
    release("fine");
    place(workload("huge", "4300000000000000000"));
    assertThat(digits()).as("there is no room for a digit").isZero();
    assertThatThrownBy(() -> place(workload("more", "300000000000000000")))
        .isInstanceOf(InvalidInputException.class);
    release("large");
    place(workload("more", "300000000000000000"));
  }

  @Test
  void scalesAWholeBatchAnewWhereADigitIsGivenUp() {
    ledger.nodeChanges().add(List.of(Node.of("n", Resources.of("cpu", 0, "mem", "0.25"))));
    place(workload("fine", "0.1"));
    release("fine");
    List<Workload> large = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      large.add(Workload.of("w" + i, Resources.of("cpu", "100000000000000000" + i, "mem", i)));
    }
    Batch batch = Batch.open(ledger, large);
    for (int i = 0; i < 3; i++) {
      demand = batch.demand(i);
      ledger.putBack(batch.entry(i), 0, demand);
    }
    batch.close();
    assertThat(digits()).isZero();
    assertThat(ledger.accounts().lefts(0))
        .isEqualTo(Resources.of("cpu", "-3000000000000000003", "mem", "-2.75"));
  }

  @Test
  void countsTheLargestNodeTenfoldOnceAWorkloadBringsADigit() {
    ledger.nodeChanges().add(List.of(Node.of("n", Resources.of("cpu", "400000000000000000"))));
    place(workload("fine", "0.1"));
    assertThat(digits()).isEqualTo(1);
    assertThatThrownBy(() -> place(workload("more", "70000000000000000")))
        .isInstanceOf(InvalidInputException.class);
    place(workload("less", "60000000000000000"));
  }

  @Test
  void refusesADigitThatWhatIsThereHasNoRoomFor() {
    ledger.nodeChanges().add(List.of(Node.of("n", Resources.of("cpu", 0))));
    place(workload("large", "450000000000000000"));
    assertThatThrownBy(() -> place(workload("w", "20000000000000000.1")))
        .as("4.5e17 placed and 2e16 more, where 4.6e17 is the limit")
        .isInstanceOf(InvalidInputException.class);
    place(workload("v", "10000000000000000.1"));
    ledger.nodeChanges().resize(0, Resources.of("cpu", 0, "mem", "450000000000000000"));
    assertThatThrownBy(() -> place(Workload.of("w", Resources.of("mem", "20000000000000000.1"))))
        .as("the same beside what a node has")
        .isInstanceOf(InvalidInputException.class);
    place(Workload.of("w", Resources.of("mem", "10000000000000000.1")));
  }

  @Test
  void countsTheCapacityOfANodeAndNotWhatIsLeftOfIt() {
    ledger.nodeChanges().add(List.of(Node.of("n", Resources.of("a", 1, "cpu", HALF, "z", 1))));
    place(workload("w", "2305843009213693950"));
    place(workload("v", "1"));
    assertThatThrownBy(() -> place(workload("u", "1")))
        .as("2^61 on the node, and 2^61 required")
        .isInstanceOf(InvalidInputException.class);
    release("v");
    place(workload("u", "1"));
  }

  @Test
  void countsWhatANodeBringsAlongInItsCapacityAndAmongTheRequirements() {
    Node brings = new Node("n", Resources.of("cpu", 0), List.of(workload("w", HALF)), false);
    assertThatThrownBy(() -> ledger.nodeChanges().add(List.of(brings)))
        .as("a capacity of 2^61, and 2^61 required")
        .isInstanceOf(InvalidInputException.class);
    assertThat(ledger.nodes().nodeCount()).isZero();
    ledger.commit();
    assertThat(ledger.resources().find("cpu")).isEqualTo(-1);
    Node less =
        new Node("n", Resources.of("cpu", 0), List.of(workload("w", "2305843009213693951")), false);
    ledger.nodeChanges().add(List.of(less));
    assertThat(ledger.accounts().capacities(0))
        .isEqualTo(Resources.of("cpu", "2305843009213693951"));
  }

  @Test
  void namesTheResourceWhereNeitherNodesNorWorkloadsThatComeInAreFinite() {
    ledger.nodeChanges().add(List.of(Node.of("n", Resources.of("cpu", "inf"))));
    place(workload("w", "4000000000000000000"));
    // A node of one whole unit is in range, one of nine digits asks for more of it than there is.
    ledger.nodeChanges().add(List.of(Node.of("m", Resources.of("cpu", 1))));
    assertThatThrownBy(
            () ->
                ledger.nodeChanges().add(List.of(Node.of("o", Resources.of("cpu", "0.000000001")))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContainingAll(
            "node 'o'", "resources.cpu", "0.000000001", "now 4000000000000000001");
  }

  @Test
  void namesTheFirstOfTheLargestThatComeIn() {
    ledger.nodeChanges().add(List.of(Node.of("n", Resources.of("cpu", 1))));
    List<Workload> batch =
        List.of(workload("a", "1"), workload("b", HALF), workload("c", "-" + HALF));
    assertThatThrownBy(() -> Batch.open(ledger, batch))
        .hasMessageContainingAll("workload 'b'", "requirements.cpu", HALF);
    List<Node> nodes =
        List.of(
            Node.of("open", Resources.of("cpu", "inf")),
            Node.of("x", Resources.of("cpu", "5000000000000000000")),
            Node.of("y", Resources.of("cpu", "5000000000000000000")));
    assertThatThrownBy(() -> ledger.nodeChanges().add(nodes))
        .hasMessageContainingAll("node 'x'", "resources.cpu", "5000000000000000000");
  }

  @Test
  void writesOutANumberOfUpToFortyDigitsAndShortensALongerOne() {
    String forty = "1" + "0".repeat(39);
    assertThatThrownBy(
            () -> ledger.nodeChanges().add(List.of(Node.of("n", Resources.of("cpu", forty)))))
        .hasMessageContaining("resources.cpu is " + forty + ";");
    assertThatThrownBy(
            () -> ledger.nodeChanges().add(List.of(Node.of("n", Resources.of("cpu", "1e40")))))
        .hasMessageContaining("resources.cpu is 1E+40;");
    ledger.nodeChanges().add(List.of(Node.of("n", Resources.of("cpu", 1))));
    assertThatThrownBy(
            () -> Batch.open(ledger, List.of(workload("w", "1.25e400"), workload("v", "1"))))
        .hasMessageContainingAll("requirements.cpu is 1.25E+400;", "now 1.25E+400, below");
  }
}

package io.lighthouse.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.order.ScoreOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * An index is built once as many nodes have been looked at as it costs, and not before: here a
 * hundred nodes, three times each. The question after that is the first to have it.
 */
class FinderPatienceTest {
  private final Ledger ledger = new Ledger();
  private Demand demand;
  private Finder finder;

  @BeforeEach
  void aHundredNodesOfWhichOneIsLarge() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      nodes.add(Node.of("n" + i, Resources.of("cpu", i == 49 ? 9 : 1)));
    }
    ledger.nodeChanges().add(nodes);
    finder = new Finder(ledger, 3);
  }

  private Demand demand(int cpu) {
    return demand(Workload.of("w", Resources.of("cpu", cpu)));
  }

  private Demand demand(Workload workload) {
    Batch batch = Batch.open(ledger, List.of(workload));
    finder.expect(batch);
    demand = batch.demand(0);
    batch.close();
    return demand;
  }

  private boolean indexed() {
    return Twin.levels(finder) != null;
  }

  /** Repeats a search; returns how often it ran without an index. */
  private int questionsWithout(Runnable question) {
    for (int asked = 0; asked < 1_000; asked++) {
      question.run();
      if (indexed()) {
        return asked;
      }
    }
    throw new AssertionError("never built");
  }

  @Test
  void aSearchThatFindsNothingLooksAtAll() {
    demand(10);
    assertThat(questionsWithout(() -> assertThat(Twin.first(finder, demand, 70)).isNegative()))
        .isEqualTo(3);
  }

  @Test
  void aSearchLooksAtTheNodesUpToTheOneThatItFinds() {
    demand(9);
    assertThat(questionsWithout(() -> assertThat(Twin.first(finder, demand, 0)).isEqualTo(49)))
        .as("50 nodes each")
        .isEqualTo(6);
  }

  @Test
  void aSearchThatWrapsRoundLooksAtBothEnds() {
    demand(9);
    assertThat(questionsWithout(() -> assertThat(Twin.first(finder, demand, 75)).isEqualTo(49)))
        .as("75 nodes each")
        .isEqualTo(4);
  }

  @Test
  void aSearchThatFindsAnAverseNodeHasLookedForAFriendlyOneEverywhere() {
    Batch rival =
        Batch.open(ledger, List.of(Workload.of("r", Resources.none()).withAversionGroups("g")));
    demand = rival.demand(0);
    ledger.place(rival.entry(0), 49, demand);
    rival.close();
    demand(Workload.of("w", Resources.of("cpu", 9)).withAversionGroups("g"));
    assertThat(questionsWithout(() -> assertThat(Twin.first(finder, demand, 0)).isEqualTo(49)))
        .isEqualTo(3);
  }

  @Test
  void aSearchByAnOrderLooksAtAll() {
    demand(1);
    ScoreOrder order = finder.orderBy(Rubric.of("cpu", 1));
    assertThat(
            questionsWithout(
                () -> assertThat(Twin.first(finder, demand, order, true)).isEqualTo(49)))
        .isEqualTo(3);
  }

  @Test
  void aSearchForTheNextLooksFromWhereItBeginsToWhereItEnds() {
    demand(9);
    assertThat(
            questionsWithout(() -> assertThat(Twin.next(finder, demand, 40, true)).isEqualTo(49)))
        .as("9 nodes before it each time")
        .isEqualTo(34);
  }

  @Test
  void aSearchForTheNextThatFindsNoneLooksToTheEnd() {
    demand(9);
    assertThat(questionsWithout(() -> assertThat(Twin.next(finder, demand, 50, true)).isNegative()))
        .isEqualTo(6);
  }

  @Test
  void anIndexStaysWhenANodeComesOrGoesOrIsResized() {
    demand(10);
    questionsWithout(() -> Twin.first(finder, demand, 0));
    ledger.nodeChanges().add(List.of(Node.of("late", Resources.of("cpu", 1))));
    ledger.nodeChanges().remove(100);
    ledger.nodeChanges().remove(7);
    ledger.nodeChanges().resize(9, Resources.of("cpu", 2));
    ledger.commit();
    assertThat(indexed()).isTrue();
    assertThat(Twin.first(finder, demand, 0)).isEqualTo(NodeTable.NONE);
  }

  @Test
  void whatHasBeenLookedAtCountsOnWhenANodeComes() {
    demand(10);
    Twin.first(finder, demand, 0);
    Twin.first(finder, demand, 0);
    ledger.nodeChanges().remove(0);
    assertThat(questionsWithout(() -> Twin.first(finder, demand, 0))).isEqualTo(1);
  }

  @Test
  void allIsEarnedAnewWhenManyNodesComeAtOnce() {
    demand(10);
    questionsWithout(() -> Twin.first(finder, demand, 0));
    ledger
        .nodeChanges()
        .add(
            List.of(
                Node.of("late", Resources.of("cpu", 1)), Node.of("later", Resources.of("cpu", 1))));
    assertThat(indexed()).isFalse();
    assertThat(questionsWithout(() -> Twin.first(finder, demand, 0))).isEqualTo(3);
  }

  @Test
  void aFleetWithoutNodesHasNone() {
    finder = new Finder(new Ledger(), 0);
    demand(Workload.of("w", Resources.none()));
    assertThat(Twin.first(finder, demand, 0)).isEqualTo(NodeTable.NONE);
    assertThat(indexed()).isFalse();
  }
}

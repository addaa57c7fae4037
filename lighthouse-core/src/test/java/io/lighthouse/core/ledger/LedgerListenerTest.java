package io.lighthouse.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.demand.BatchOfOne;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a ledger tells of itself: all that an index needs to stay right, and no more. */
class LedgerListenerTest {
  private final Ledger ledger = new Ledger();
  private Demand demand;
  private final List<String> told = new ArrayList<>();

  @BeforeEach
  void listen() {
    ledger
        .nodeChanges()
        .add(
            List.of(
                Node.of("a", Resources.of("cpu", 9, "sky", "inf", "tag", 0)),
                Node.of("b", Resources.of("cpu", 5))));
    ledger.listenToPlacements(
        (node, charged, sign) -> {
          StringBuilder now = new StringBuilder((sign > 0 ? "placed on " : "gone from ") + node);
          for (int i = 0; i < charged.size(); i++) {
            int slot = ledger.accounts().layout(node).slot(charged.id(i));
            now.append(", ")
                .append(charged.need(i))
                .append(": ")
                .append(ledger.accounts().left(node, slot));
          }
          told.add(now.toString());
        });
    ledger.listen(
        new LedgerListener() {
          @Override
          public void cordonChanged(int node) {
            told.add("cordon " + node + " " + ledger.accounts().cordoned(node));
          }

          @Override
          public void nodeAdded(int node) {
            told.add("came " + node + " with " + ledger.accounts().lefts(node));
          }

          @Override
          public void nodeRemoving(int node) {
            told.add("leaving " + node + " with " + ledger.accounts().lefts(node));
          }

          @Override
          public void slotFreed(int node) {
            told.add("freed " + node);
          }

          @Override
          public void renumbered(int[] renumbered) {
            told.add("renumbered " + renumbered.length);
          }

          @Override
          public void reshaped() {
            told.add("reshaped");
          }
        });
  }

  private static Workload workload(String name, Object... requirements) {
    return Workload.of(name, Resources.of(requirements));
  }

  private void place(Workload workload, int node) {
    BatchOfOne.place(ledger, workload, node);
  }

  @Test
  void tellsOfAPlacementJustAfterIt() {
    place(workload("w", "cpu", 2, "sky", 3, "tag", 0), 0);
    assertThat(told).containsExactly("placed on 0, 2: 7, 3: " + Long.MAX_VALUE + ", 0: 0");
  }

  @Test
  void tellsOfAPlacementThatChangesNothing() {
    place(workload("w"), 1);
    assertThat(told).containsExactly("placed on 1");
  }

  @Test
  void tellsOfEveryStepOfARollBackAndOfARelease() {
    place(workload("v", "cpu", 1), 1);
    Batch batch = Batch.open(ledger, List.of(workload("w", "cpu", 2)));
    demand = batch.demand(0);
    ledger.place(batch.entry(0), 0, demand);
    ledger.remove(batch.entry(0), demand);
    ledger.place(batch.entry(0), 1, demand);
    told.clear();
    ledger.rollBack(0);
    assertThat(told).containsExactly("gone from 1, 2: 4", "placed on 0, 2: 7", "gone from 0, 2: 9");
    batch.close();
    told.clear();
    ledger.release(new int[] {ledger.placements().entryOf("v")});
    assertThat(told).containsExactly("gone from 1, 1: 5");
  }

  @Test
  void tellsOfACordonOnlyWhereItChanges() {
    ledger.nodeChanges().cordon(1, true);
    ledger.nodeChanges().cordon(1, true);
    ledger.nodeChanges().cordon(0, false);
    ledger.nodeChanges().cordon(1, false);
    assertThat(told).containsExactly("cordon 1 true", "cordon 1 false");
  }

  @Test
  void tellsOnceThatAllIsStaleWhenManyNodesCome() {
    ledger
        .nodeChanges()
        .add(List.of(Node.of("c", Resources.of("cpu", 1)), Node.of("d", Resources.of("cpu", 1))));
    assertThat(told).containsExactly("reshaped");
  }

  @Test
  void tellsOfANodeThatComesIsResizedAndGoes() {
    ledger.nodeChanges().add(List.of(Node.of("c", Resources.of("cpu", 1))));
    ledger.nodeChanges().resize(2, Resources.of("cpu", 2));
    ledger.nodeChanges().remove(2);
    ledger.commit();
    assertThat(told)
        .containsExactly(
            "came 2 with {cpu: 1}",
            "leaving 2 with {cpu: 1}",
            "came 2 with {cpu: 2}",
            "leaving 2 with {cpu: 2}",
            "freed 2");
  }

  @Test
  void tellsOfNodesThatARollBackBringsAndTakesAway() {
    ledger.commit();
    ledger
        .nodeChanges()
        .add(
            List.of(
                new Node("c", Resources.of("cpu", 1), List.of(workload("w", "cpu", 2)), false)));
    ledger.nodeChanges().remove(1);
    ledger.nodeChanges().resize(0, Resources.of("cpu", 1));
    told.clear();
    ledger.rollBack(0);
    ledger.commit();
    assertThat(told)
        .containsExactly(
            "leaving 0 with {cpu: 1}",
            "came 0 with {cpu: 9, sky: inf, tag: 0}",
            "came 1 with {cpu: 5}",
            "leaving 2 with {cpu: 1}",
            "freed 2");
  }

  @Test
  void tellsOfNewNumbersOnceMostSlotsAreDead() {
    List<String> nodes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      ledger.nodeChanges().add(List.of(Node.of("n" + i, Resources.of("cpu", 1))));
      nodes.add("n" + i);
    }
    for (String name : nodes.subList(0, 65)) {
      ledger.nodeChanges().remove(ledger.nodes().node(name));
      told.clear();
      ledger.commit();
    }
    assertThat(told).containsExactly("freed 66", "renumbered 102", "reshaped");
    assertThat(ledger.nodes().slotCount()).isEqualTo(37);
    assertThat(ledger.nodes().node("n99")).isEqualTo(36);
    assertThat(ledger.nodes().node("b")).isEqualTo(1);
  }

  @Test
  void tellsOfANodeOnceWhoItBringsIsOnIt() {
    ledger
        .nodeChanges()
        .add(
            List.of(
                new Node("c", Resources.of("cpu", 1), List.of(workload("w", "cpu", 2)), false)));
    assertThat(told).containsExactly("came 2 with {cpu: 1}");
  }

  @Test
  void tellsThatAllIsStaleWhenAScaleChangesThatANodeIsKeptIn() {
    Batch.open(ledger, List.of(workload("w", "cpu", "0.5"))).close();
    assertThat(told).containsExactly("reshaped");
    Batch.open(ledger, List.of(workload("w", "cpu", "0.1"))).close();
    Batch.open(ledger, List.of(workload("w", "nobody-has-this", "0.1"))).close();
    assertThat(told).as("nothing else changed").containsExactly("reshaped");
  }

  @Test
  void tellsNothingOfWhatIsRefused() {
    List<Workload> twins = List.of(workload("w", "cpu", "0.5"), workload("w", "cpu", 1));
    assertThatThrownBy(() -> Batch.open(ledger, twins)).isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(() -> ledger.nodeChanges().resize(0, Resources.of("cpu", "1e30")))
        .isInstanceOf(InvalidInputException.class);
    assertThatThrownBy(
            () -> ledger.nodeChanges().add(List.of(Node.of("a", Resources.of("cpu", "0.5")))))
        .isInstanceOf(InvalidInputException.class);
    assertThat(told).isEmpty();
  }

  @Test
  void tellsOfNoNodeThatLeavesBeforeItCame() {
    ledger.domainChanges().declare(Domain.of("rack", "r", Resources.of("power", 1)));
    ledger.commit();
    Workload giver = workload("w").withTerms(Terms.NONE.sharing("rack", Resources.of("power", -1)));
    Node node = Node.of("c", Resources.of("cpu", 1)).in("rack", "r").withWorkloads(giver);
    ledger.listen(
        new LedgerListener() {
          @Override
          public void loosened() {
            throw new OutOfMemoryError("planted");
          }
        });
    assertThatThrownBy(() -> ledger.nodeChanges().add(List.of(node)))
        .isInstanceOf(OutOfMemoryError.class);
    ledger.rollBack(0);
    assertThat(told).containsExactly("freed 2", "reshaped");
  }

  /** One listener learned of the node and another did not, so each begins anew. */
  @Test
  void tellsThatAllIsStaleWhereMemoryEndsAmongTheListeners() {
    ledger.commit();
    List<String> behind = new ArrayList<>();
    ledger.listen(
        new LedgerListener() {
          @Override
          public void nodeAdded(int node) {
            throw new OutOfMemoryError("planted");
          }
        });
    ledger.listen(
        new LedgerListener() {
          @Override
          public void nodeAdded(int node) {
            behind.add("came " + node);
          }

          @Override
          public void nodeRemoving(int node) {
            behind.add("leaving " + node);
          }

          @Override
          public void reshaped() {
            behind.add("reshaped");
          }
        });
    Node node = Node.of("c", Resources.of("cpu", 1));
    assertThatThrownBy(() -> ledger.nodeChanges().add(List.of(node)))
        .isInstanceOf(OutOfMemoryError.class);
    ledger.rollBack(0);
    assertThat(behind).containsExactly("reshaped");
    assertThat(told).containsExactly("came 2 with {cpu: 1}", "freed 2", "reshaped");
  }
}

package io.lighthouse.core.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Workload;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Demand;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The comparison with the oracle can fail: an index that is not told of one kind of change is found
 * out. The fleet is larger than those on which the finder checks itself.
 */
class PlantedIndexTest {
  private static final int NODES = 2_100;
  private static final Rubric RUBRIC = Rubric.of("cpu", 1);

  private final Twin twin = new Twin(0);
  private Demand demand;

  @BeforeEach
  void fillTheFleetAndBuildTheIndex() {
    twin.add(
        IntStream.range(0, NODES)
            .mapToObj(i -> Node.of("n" + i, Resources.of("cpu", 2 + i % 7)))
            .toList());
    askOnce("warm-up", 2, true);
    twin.checkState();
  }

  /** Opens a batch of one, asks by place or by order, and closes it. */
  private void askOnce(String name, int cpu, boolean byOrder) {
    Workload workload = Workload.of(name, Resources.of("cpu", cpu));
    Batch batch = Batch.open(twin.ledger, List.of(workload));
    twin.finder.expect(batch);
    demand = batch.demand(0);
    try {
      if (byOrder) {
        twin.first(workload, demand, RUBRIC, false);
      } else {
        twin.first(workload, demand, 0);
      }
    } finally {
      batch.close();
    }
  }

  private void place(String name, int cpu, int node) {
    twin.place(Workload.of(name, Resources.of("cpu", cpu)), node);
  }

  @Test
  void anHonestIndexPasses() {
    assertThatCode(this::livesThroughAllKindsOfChange).doesNotThrowAnyException();
  }

  @Test
  void anIndexThatDoesNotHearOfReleasesIsFoundOut() {
    twin.tellsInstead(
        new Deaf(twin.finder) {
          @Override
          public void charged(int node, Demand demand, int sign) {
            if (sign > 0) {
              super.charged(node, demand, sign);
            }
          }
        });
    isFoundOut();
  }

  @Test
  void anIndexThatDoesNotHearOfOpenedNodesIsFoundOut() {
    twin.tellsInstead(
        new Deaf(twin.finder) {
          @Override
          public void cordonChanged(int node) {}
        });
    isFoundOut();
  }

  @Test
  void anOrderThatDoesNotHearOfPlacementsIsFoundOut() {
    twin.tellsInstead(
        new Deaf(twin.finder) {
          @Override
          public void charged(int node, Demand demand, int sign) {
            finder.keeper.constraints.resourceRows.charged(node, demand, sign);
          }
        });
    isFoundOut();
  }

  @Test
  void anIndexThatDoesNotHearOfNewNodesIsFoundOut() {
    twin.tellsInstead(
        new Deaf(twin.finder) {
          @Override
          public void reshaped() {}

          @Override
          public void nodeAdded(int node) {}

          @Override
          public void nodeRemoving(int node) {}
        });
    isFoundOut();
  }

  @Test
  void anIndexThatDoesNotHearOfOneNodeThatComesIsFoundOut() {
    twin.tellsInstead(
        new Deaf(twin.finder) {
          @Override
          public void nodeAdded(int node) {}
        });
    isFoundOut();
  }

  @Test
  void anIndexThatDoesNotHearOfOneNodeThatLeavesIsFoundOut() {
    twin.tellsInstead(
        new Deaf(twin.finder) {
          @Override
          public void nodeRemoving(int node) {}
        });
    isFoundOut();
  }

  @Test
  void anIndexWhoseRulesForgetANodeThatCameIsFoundOut() {
    twin.tellsInstead(
        new Deaf(twin.finder) {
          @Override
          public void nodeAdded(int node) {
            super.nodeAdded(node);
            finder.keeper.constraints.openNodes.nodeRemoving(node);
            finder.keeper.constraints.resourceRows.nodeRemoving(node);
          }
        });
    isFoundOut();
  }

  @Test
  void aMemoThatHearsOfWhatLoosensIsRight() {
    assertThatCode(this::closesTheWholeFleetAndOpensItAgain).doesNotThrowAnyException();
  }

  /** What a search found out while the fleet was closed holds no more. */
  @Test
  void aMemoThatIsUsedBesideARuleThatLoosensIsFoundOut() {
    twin.tellsInstead(
        new Deaf(twin.finder) {
          @Override
          public void loosened() {
            twin.keepBounds();
          }
        });
    assertThatThrownBy(this::closesTheWholeFleetAndOpensItAgain).isInstanceOf(AssertionError.class);
  }

  private void closesTheWholeFleetAndOpensItAgain() {
    twin.ledger
        .domainChanges()
        .declare(Domain.of(Rule.FLEET, Rule.FLEET, Resources.none()).asCordoned());
    twin.commit();
    Workload workload = Workload.of("refused", Resources.of("cpu", 2));
    Batch batch = Batch.open(twin.ledger, List.of(workload));
    demand = batch.demand(0);
    assertThat(Twin.first(twin.finder, demand, 0)).isEqualTo(NodeTable.NONE);
    batch.close();
    twin.ledger.domainChanges().cordon(Rule.FLEET, Rule.FLEET, false);
    twin.commit();
    askOnce("placed", 2, false);
  }

  private void isFoundOut() {
    assertThatThrownBy(this::livesThroughAllKindsOfChange)
        .isInstanceOfAny(AssertionError.class, IndexOutOfBoundsException.class);
  }

  private void livesThroughAllKindsOfChange() {
    place("filler-5", 7, 5); // cpu 2 + 5: full
    place("filler-6", 7, 6); // cpu 2 + 6: one left, the lowest of all
    askOnce("a", 7, false);
    askOnce("b", 1, true);
    twin.release(List.of("filler-5"));
    askOnce("c", 7, false);
    askOnce("d", 7, true);
    for (int node = 0; node < 70; node++) {
      twin.cordon(node, true);
    }
    askOnce("e", 7, false);
    for (int node = 0; node < 70; node++) {
      twin.cordon(node, false);
    }
    askOnce("f", 7, false);
    twin.remove(5);
    twin.add(List.of(Node.of("last", Resources.of("cpu", 100))));
    askOnce("g", 50, false);
    askOnce("h", 7, true);
    Workload nothing = Workload.of("nothing", Resources.none());
    twin.resize(1_999, Resources.of("cpu", 1, "ward", "-inf"));
    twin.remove(2_000);
    Batch batch = Batch.open(twin.ledger, List.of(nothing));
    demand = batch.demand(0);
    twin.first(nothing, demand, 1_999);
    batch.close();
    twin.resize(11, Resources.of("cpu", 700));
    askOnce("i", 700, false);
    twin.resize(11, Resources.of("mem", 1));
    askOnce("j", 100, false);
    askOnce("k", 2, true);
  }
}

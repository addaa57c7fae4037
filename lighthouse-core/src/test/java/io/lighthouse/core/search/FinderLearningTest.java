package io.lighthouse.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.core.bitmap.RowScan;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.index.Levels;
import io.lighthouse.core.ledger.Demand;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * When the levels of an index are learned anew: where too many survivors do not fit, and what is
 * required has changed.
 */
class FinderLearningTest {
  private Demand demand;
  private final Twin twin = new Twin(0);

  private static Node node(String name, Object... resources) {
    return Node.of(name, Resources.of(resources));
  }

  private static Workload workload(String name, Object... requirements) {
    return Workload.of(name, Resources.of(requirements));
  }

  /** Has the finder expect one workload for each of these amounts. */
  private void expect(int... amounts) {
    List<Workload> workloads = new ArrayList<>();
    for (int i = 0; i < amounts.length; i++) {
      workloads.add(workload("expected-" + i, "cpu", amounts[i]));
    }
    Batch batch = Batch.open(twin.ledger, workloads);
    twin.finder.expect(batch);
    batch.close();
  }

  /** Of a group, so that a search leaves no bound behind, and the next one looks again. */
  private Workload wanted(int cpu) {
    Workload workload = workload("w", "cpu", cpu).withAversionGroups("g");
    Batch batch = Batch.open(twin.ledger, List.of(workload));
    demand = batch.demand(0);
    batch.close();
    return workload;
  }

  @Test
  void levelsThatServeAreKeptThoughOthersAreRequired() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      nodes.add(node("n" + i, "cpu", i % 10));
    }
    twin.add(nodes);
    for (int i = 0; i < 50; i++) {
      twin.cordon(i, true);
    }
    expect(2, 5);
    Workload workload = wanted(5);
    twin.first(workload, demand, 0);
    Levels first = Twin.levels(twin.finder);
    for (int i = 0; i < 6; i++) {
      expect(new int[100]); // New workloads now require nothing.
    }
    for (int i = 0; i < 1_000; i++) {
      assertThat(Twin.first(twin.finder, demand, 0)).isEqualTo(55);
      assertThat(Twin.next(twin.finder, demand, 56, false)).isEqualTo(56);
      assertThat(Twin.next(twin.finder, demand, 60, false)).isEqualTo(65);
    }
    twin.all(workload, demand, true);
    assertThat(Twin.levels(twin.finder)).as("every survivor fits").isSameAs(first);
  }

  @Test
  void levelsThatServeBadlyAreKeptWhereNoOthersWouldBeLearned() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      nodes.add(node("n" + i, "cpu", 10));
    }
    twin.add(nodes);
    expect(0, 100);
    Workload workload = wanted(50);
    twin.first(workload, demand, 0);
    Levels first = Twin.levels(twin.finder);
    for (int i = 0; i < 1_000; i++) {
      assertThat(Twin.first(twin.finder, demand, 0)).as("not one of them fits").isNegative();
    }
    assertThat(Twin.levels(twin.finder)).isSameAs(first);
    expect(50);
    for (int i = 0; i < 5_000 && Twin.levels(twin.finder) == first; i++) {
      Twin.first(twin.finder, demand, 0);
    }
    assertThat(Twin.levels(twin.finder)).as("until others would").isNotSameAs(first);
  }

  @Test
  void levelsAreLearnedAnewAndOrdersFollow() {
    areLearnedAnew(false);
  }

  @Test
  void levelsAreLearnedAnewWhereOnlyAnOrderIsAsked() {
    areLearnedAnew(true);
  }

  private void areLearnedAnew(boolean byOrderOnly) {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 90; i++) {
      nodes.add(node("n" + i, "cpu", 10 + i % 9));
    }
    twin.add(nodes);
    Rubric rubric = Rubric.of("cpu", 1);
    Levels first = null;
    for (int round = 0; round < 120; round++) {
      // At first nearly nothing is required; then more than any node has.
      List<Workload> workloads = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        // Of a group, so that the search leaves no bound behind, and looks again each time.
        workloads.add(
            workload("w" + round + "-" + i, "cpu", round == 0 ? 1 : 20 + i % 3)
                .withAversionGroups("g"));
      }
      Batch batch = Batch.open(twin.ledger, workloads);
      twin.finder.expect(batch);
      demand = batch.demand(0);
      if (!byOrderOnly) {
        twin.first(workloads.get(0), demand, 0);
        twin.next(workloads.get(0), demand, 0, false);
      }
      twin.first(workloads.get(0), demand, rubric, false);
      twin.first(workloads.get(0), demand, rubric, true);
      batch.close();
      first = round == 0 ? Twin.levels(twin.finder) : first;
    }
    assertThat(first).isNotNull();
    assertThat(Twin.levels(twin.finder)).as("learned anew").isNotNull().isNotSameAs(first);
    Workload small = workload("small", "cpu", 1);
    Batch batch = Batch.open(twin.ledger, List.of(small));
    demand = batch.demand(0);
    assertThat(twin.first(small, demand, rubric, true)).isNotNegative();
    twin.all(small, demand, true);
    batch.close();
  }

  /** On few nodes every name is common. */
  @Test
  void aFleetThatHasGrownHasAsFewBitmapsOfNamesAsOneAddedAtOnce() {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      nodes.add(
          i % 4 == 3
              ? node("n" + i, "cpu", 9)
              : node("n" + i, "cpu", 9, "a-" + i, "-inf", "b-" + i, "-inf", "c-" + i, "-inf"));
    }
    Set<Levels> built = new HashSet<>();
    for (int i = 0; i < nodes.size(); i++) {
      twin.add(nodes.subList(i, i + 1));
      if (i >= 60) {
        twin.first(wanted(1), demand, 0);
        built.add(Twin.levels(twin.finder));
      }
    }
    assertThat(built).as("for 61, 123 and 247 nodes").hasSize(3);
    Twin atOnce = new Twin(0);
    atOnce.add(nodes);
    assertThat(nameRows(atOnce)).isEqualTo(1);
    assertThat(nameRows(twin)).isEqualTo(1);
    twin.checkState();
  }

  /** How many bitmaps of names and negative amounts a search reads. */
  private int nameRows(Twin of) {
    Batch batch = Batch.open(of.ledger, List.of(workload("w", "cpu", 1)));
    Demand plain = batch.demand(0);
    Twin.first(of.finder, plain, 0);
    RowScan rows = new RowScan();
    try (Query query = of.finder.bind(plain)) {
      query.addNameRows(rows);
    }
    batch.close();
    return rows.count();
  }
}

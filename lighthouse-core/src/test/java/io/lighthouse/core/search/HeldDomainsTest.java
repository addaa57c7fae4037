package io.lighthouse.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.bitmap.RowScan;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.demand.BatchOfOne;
import io.lighthouse.core.ledger.Ledger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Domains that the rules of workloads there close for newcomers, by bitmaps. */
class HeldDomainsTest {
  private static final int NODES = 2_000;

  private final Ledger ledger = new Ledger();
  private final Finder finder = new Finder(ledger, 0);

  private static Workload member(String name) {
    return Workload.of(name, Resources.of("cpu", 1)).withTerms(Terms.NONE.inGroups("g"));
  }

  private static Workload holder(int zone) {
    Terms terms = Terms.NONE.inGroups("g").rules(new Rule.Most(1, "g", "zone"));
    return Workload.of("holder-" + zone, Resources.of("cpu", 1)).withTerms(terms);
  }

  /** Zones in turn; the last node is in none. */
  private void fill(int zones) {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      Node node = Node.of("n" + i, Resources.of("cpu", 9));
      nodes.add(i == NODES - 1 ? node : node.in("zone", "z" + i % zones));
    }
    ledger.nodeChanges().add(nodes);
    for (int zone = 0; zone < zones; zone++) {
      BatchOfOne.place(ledger, holder(zone), zone);
    }
  }

  private int first(Workload workload) {
    try (Query query = finder.bind(BatchOfOne.demand(ledger, workload))) {
      return finder.first(query, 0);
    }
  }

  /** How many nodes the bitmaps of a workload let pass. */
  private int passed(Workload workload) {
    try (Query query = finder.bind(BatchOfOne.demand(ledger, workload))) {
      RowScan scan = new RowScan();
      query.addRows(scan, true);
      int passed = 0;
      for (int word = 0; scan.count() > 0 && word < NODES / 64; word++) {
        passed += Long.bitCount(scan.word(word, scan.count()));
      }
      return scan.count() == 0 ? NODES : passed;
    }
  }

  /** Up to 64 zones have a bitmap for each set of them; up to 124 have one for each query. */
  @ParameterizedTest
  @ValueSource(ints = {1, 50, 64, 65, 120, 400})
  void areLeftOutUntilTheHolderLeaves(int zones) {
    fill(zones);
    assertThat(first(member("w"))).as("the node without a zone").isEqualTo(NODES - 1);
    assertThat(passed(member("w")))
        .as("nodes that are checked")
        .matches(nodes -> zones > 124 ? nodes > NODES / 2 : nodes < 64);
    int left = zones / 2;
    ledger.release(new int[] {ledger.placements().entryOf("holder-" + left)});
    assertThat(first(member("w"))).isEqualTo(left);
    BatchOfOne.place(ledger, member("other"), left);
    assertThat(first(member("w"))).as("no rule there limits the other").isEqualTo(left);
    BatchOfOne.place(ledger, holder(left), left);
    assertThat(first(member("w"))).isEqualTo(NODES - 1);
    ledger.nodeChanges().cordon(NODES - 1, true);
    assertThat(first(member("w"))).isEqualTo(NodeTable.NONE);
    assertThat(first(Workload.of("no-member", Resources.of("cpu", 1)))).isZero();
  }
}

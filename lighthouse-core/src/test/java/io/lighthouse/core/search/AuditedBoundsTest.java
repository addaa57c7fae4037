package io.lighthouse.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.core.account.Audit;
import io.lighthouse.core.account.NodeTable;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Demand;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The audit finds a lower bound that something given back has made untrue. */
class AuditedBoundsTest {
  private static final int NODES = 2_100;
  private static final Workload WHOLE = Workload.of("whole", Resources.of("cpu", 4));

  private final Twin twin = new Twin(0);

  @Test
  void findsABoundBehindTheNodeOfARelease() {
    twin.add(
        IntStream.range(0, NODES).mapToObj(i -> Node.of("n" + i, Resources.of("cpu", 4))).toList());
    for (int node = 0; node < 50; node++) {
      twin.place(WHOLE.named("w" + node), node);
    }
    Batch batch = Batch.open(twin.ledger, List.of(WHOLE));
    Demand demand;
    twin.finder.expect(batch);
    demand = batch.demand(0);
    assertThat(twin.first(WHOLE, demand, 0)).isEqualTo(50);
    batch.close();
    assertThat(audit()).isEmpty();
    twin.tellsInstead(
        new Deaf(twin.finder) {
          @Override
          public void charged(int node, Demand charged, int sign) {
            finder.keeper.constraints.resourceRows.charged(node, charged, sign);
          }
        });
    twin.release(List.of("w3"));
    assertThat(audit()).hasSize(1).first().asString().contains("bound");
  }

  /** The bounds depend on the accounts of domains, too. */
  @Test
  void findsABoundThatAnOpenedDomainShouldHaveCleared() {
    twin.add(
        IntStream.range(0, NODES).mapToObj(i -> Node.of("n" + i, Resources.of("cpu", 4))).toList());
    twin.ledger
        .domainChanges()
        .declare(Domain.of(Rule.FLEET, Rule.FLEET, Resources.none()).asCordoned());
    twin.commit();
    Batch batch = Batch.open(twin.ledger, List.of(WHOLE));
    twin.finder.expect(batch);
    assertThat(Twin.first(twin.finder, batch.demand(0), 0)).isEqualTo(NodeTable.NONE);
    batch.close();
    assertThat(audit()).isEmpty();
    twin.tellsInstead(
        new Deaf(twin.finder) {
          @Override
          public void loosened() {
            twin.keepBounds();
          }
        });
    twin.ledger.domainChanges().cordon(Rule.FLEET, Rule.FLEET, false);
    twin.commit();
    assertThat(audit()).hasSize(1).first().asString().contains("bound");
  }

  /** What a domain gets back serves all of its nodes, not only that of the release. */
  @Test
  void aReleaseInADomainClearsTheBounds() {
    findsNoneWhileADomainIsOverdrawn();
    twin.release(List.of("w"));
    assertThat(audit()).isEmpty();
  }

  @Test
  void findsABoundThatAReleaseInADomainShouldHaveCleared() {
    findsNoneWhileADomainIsOverdrawn();
    twin.tellsInstead(
        new Deaf(twin.finder) {
          @Override
          public void loosened() {}
        });
    twin.release(List.of("w"));
    assertThat(audit()).hasSize(1).first().asString().contains("bound");
  }

  private void findsNoneWhileADomainIsOverdrawn() {
    twin.add(
        IntStream.range(0, NODES).mapToObj(i -> Node.of("n" + i, Resources.of("cpu", 4))).toList());
    twin.ledger
        .domainChanges()
        .declare(Domain.of(Rule.FLEET, Rule.FLEET, Resources.of("power", 1)));
    Workload overdraws =
        WHOLE
            .named("w")
            .withImmunities("power")
            .withTerms(Terms.NONE.sharing(Rule.FLEET, Resources.of("power", 2)));
    twin.place(overdraws, NODES - 1);
    Batch batch = Batch.open(twin.ledger, List.of(WHOLE));
    twin.finder.expect(batch);
    assertThat(Twin.first(twin.finder, batch.demand(0), 0)).isEqualTo(NodeTable.NONE);
    batch.close();
  }

  private List<String> audit() {
    Audit audit = new Audit();
    twin.finder.audit(audit);
    return audit.findings();
  }
}

package io.lighthouse.tests.answers;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Remedies;
import io.lighthouse.api.advice.Remedies.Kind;
import io.lighthouse.api.advice.Remedies.Prospect;
import io.lighthouse.core.Distributors;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A workload that wants others beside it fits no node that is empty. */
class RemediesOfCompanyTest {
  private static final Workload WEB =
      Workload.of("web", Resources.of("cpu", 1))
          .withTerms(Terms.NONE.rules(new Rule.Least(1, "cache", "node")));

  private static Distributor fleet(Workload... placed) {
    Distributor fleet =
        Distributors.installed()
            .strategy("prioritized")
            .nodes(Node.of("n1", Resources.of("cpu", 2)), Node.of("n2", Resources.of("cpu", 4)))
            .build();
    for (Workload one : placed) {
      fleet.apply(new Change.Assign(one, "n1"));
    }
    return fleet;
  }

  @Test
  void theOneInTheWayIsReleasedAndNotItsCompany() {
    Workload cache =
        Workload.of("cache-1", Resources.of("cpu", 1)).withTerms(Terms.NONE.inGroups("cache"));
    Distributor fleet = fleet(cache, Workload.of("other", Resources.of("cpu", 1)));
    Remedies remedies = fleet.advisor().remedies(WEB, Set.of());
    assertThat(remedies.prospect()).isEqualTo(Prospect.NOT_NOW);
    assertThat(remedies.remedies())
        .filteredOn(remedy -> remedy.kind() == Kind.RELEASE)
        .singleElement()
        .satisfies(
            remedy -> {
              assertThat(remedy.node()).isEqualTo("n1");
              assertThat(remedy.changes()).containsExactly(new Change.Release("other"));
            });
  }

  @Test
  void withoutCompanyNoReleaseHelps() {
    Distributor fleet = fleet(Workload.of("other", Resources.of("cpu", 1)));
    Remedies remedies = fleet.advisor().remedies(WEB, Set.of());
    assertThat(remedies.prospect()).isEqualTo(Prospect.NEVER);
    assertThat(remedies.remedies())
        .extracting(remedy -> remedy.kind())
        .doesNotContain(Kind.RELEASE);
  }
}

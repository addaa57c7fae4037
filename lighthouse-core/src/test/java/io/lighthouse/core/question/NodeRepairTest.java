package io.lighthouse.core.question;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Remedies.Kind;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.Distributors;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Remedies on one node. */
class NodeRepairTest {
  @Test
  void aCombinedRemedyDoesNotChangeWhatIsLacking() {
    Resources has = Resources.of("cpu", 1, "reserved", Quantity.NEGATIVE_INFINITY);
    Distributor fleet =
        Distributors.of("first", (workload, candidates) -> candidates.first())
            .nodes(Node.of("node", has))
            .build();
    Workload workload = Workload.of("w", Resources.of("cpu", 3, "tag", 0));
    NodeRepair repair = new NodeRepair(fleet, workload, fleet.explain(workload).nodes().get(0));
    Map<String, Quantity> before = repair.more(Kind.GROW);
    assertThat(before).containsOnlyKeys("cpu");
    assertThat(repair.of(Kind.COMBINED)).isPresent();
    assertThat(repair.more(Kind.GROW)).isEqualTo(before);
  }
}

package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A rule at the top may name a level at which the first node comes to stand only later. */
class LateLevelTest {
  private static Workload web(String name) {
    return Workload.of(name, Resources.of("cpu", 1)).withTerms(Terms.NONE.inGroups("web"));
  }

  private static Node node(String name) {
    return Node.of(name, Resources.of("cpu", 4)).in("rack", "r");
  }

  @Test
  void aRuleAtTheTopCountsAtALevelThatComesLater() {
    Distributor fleet =
        Distributors.of("first", (workload, candidates) -> candidates.first())
            .nodes(List.of(Node.of("n0", Resources.of("cpu", 1))))
            .rules(List.of(new Rule.Most(1, "web", "rack")))
            .build();
    fleet.addNode(node("n1"));
    assertThat(fleet.assign(List.of(web("w0"), web("w1"), web("w2"))).asMap().values())
        .containsExactly(Optional.of("n0"), Optional.of("n1"), Optional.empty());
  }
}

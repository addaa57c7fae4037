package io.lighthouse.core.constraint;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.core.Distributors;
import io.lighthouse.core.budget.CountedLoops;
import java.util.ArrayList;
import java.util.List;

/** Explanations of a workload that the rules of placed workloads keep from all nodes. */
public final class CountedExplanations {
  private CountedExplanations() {}

  /** The turns of loops of an explanation, where each domain of a level has a holder. */
  public static long turns(String level, int count) {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nodes.add(Node.of("n" + i, Resources.of("slots", 2)).in("rack", "r" + i / 10));
    }
    Distributor fleet =
        Distributors.of("first", (workload, candidates) -> candidates.first()).nodes(nodes).build();
    Resources one = Resources.of("slots", 1);
    Terms member = Terms.NONE.inGroups("g");
    fleet.assign(
        Workload.of("holder", one)
            .withTerms(member.rules(new Rule.Most(1, "g", level)))
            .replicas(count));
    fleet.assign(Workload.of("other", one).replicas(count));
    CountedLoops.take();
    fleet.explain(Workload.of("new", one).withTerms(member));
    return CountedLoops.take();
  }
}

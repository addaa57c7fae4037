package io.lighthouse.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.core.budget.StepBudget;
import io.lighthouse.core.constraint.NamedRules;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.search.Finder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is remembered of the nodes that a workload fits. */
class OtherNodesTest {
  private final Ledger ledger = new Ledger();

  private static Node node(String name, int cpu) {
    return Node.of(name, Resources.of("cpu", cpu));
  }

  private static Workload workload(String name, Terms terms) {
    return Workload.of(name, Resources.of("cpu", 1)).withTerms(terms);
  }

  private int place(String node, Workload workload) {
    Batch batch = Batch.open(ledger, List.of(workload));
    ledger.place(batch.entry(0), ledger.nodes().node(node), batch.demand(0));
    batch.close();
    ledger.commit();
    return ledger.placements().entryOf(workload.name());
  }

  /** While the member is away, its node takes no workload that needs it. */
  @Test
  void aMemberThatIsBackOpensItsNode() {
    ledger.nodeChanges().add(List.of(node("a", 1), node("b", 2), node("c", 1)));
    ledger.commit();
    place("a", workload("needs", Terms.NONE.rules(new Rule.Least(1, "g", Rule.NODE))));
    int member = place("b", workload("member", Terms.NONE.inGroups("g")));
    PlanSession session =
        new PlanSession(
            ledger,
            new Finder(ledger, NamedRules.NONE),
            PlanLimits.NONE,
            new StepBudget(StepBudget.OF_A_PLAN));
    OtherNodes others = new OtherNodes(session, new NeedTable(session, new int[0]));

    PlanSession.Mark before = session.mark();
    session.move(member, ledger.nodes().node("c"));
    assertThat(others.hasAny()).as("the member back to its node").isTrue();
    session.rollBack(before);
    session.pin(member, true);

    assertThat(others.hasAnyNow()).isTrue();
  }
}

package io.lighthouse.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.constraint.NamedRules;
import io.lighthouse.core.constraint.Query;
import io.lighthouse.core.demand.Batch;
import io.lighthouse.core.ledger.Demand;
import io.lighthouse.core.ledger.Ledger;
import io.lighthouse.core.oracle.NaiveFleet;
import io.lighthouse.core.oracle.ProblemMaker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Every reason and every refusal is the oracle's. */
class ExplainerProperties {
  private int refused;
  private int reasonsSeen;

  @Property(shrinking = ShrinkingMode.OFF)
  void everyReasonIsTrueAndNoneIsMissing(@ForAll long seed) {
    ProblemMaker maker = new ProblemMaker(seed);
    Ledger ledger = new Ledger();
    NaiveFleet naive = new NaiveFleet();
    for (int i = 0; i < 1 + maker.nodes % 20; i++) {
      Node node = maker.node();
      ledger.nodeChanges().add(List.of(node));
      naive.add(node);
    }
    // With an index, which counts what falls short for all nodes, or without one.
    Finder finder = new Finder(ledger, maker.chance(3) ? 1_000 : 0);
    Explainer explainer = new Explainer(finder);
    List<Workload> workloads = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      workloads.add(maker.workload());
    }
    Batch batch = Batch.open(ledger, workloads);
    if (!maker.chance(4)) {
      finder.expect(batch);
    }
    Demand demand;
    for (int i = 0; i < workloads.size(); i++) {
      Workload workload = workloads.get(i);
      demand = batch.demand(i);
      Query query = finder.bind(demand);
      for (int node = 0; node < naive.size(); node++) {
        List<Reason> reasons = explainer.broken(node, query);
        assertThat(reasons)
            .as(workload + " on " + naive.left(node))
            .isEqualTo(naive.reasons(node, workload));
        if (naive.averse(node, workload)) {
          assertThat(query.aversion.reason(node, 0)).isEqualTo(naive.aversion(node, workload));
        }
        reasonsSeen += reasons.size();
      }
      assertThat(explainer.refusal(query)).isEqualTo(naive.refusal(workload));
      query.close();
      refused++;
      int place = maker.random.nextInt(naive.size());
      if (demand.areAllIn(ledger.accounts().layout(place)) && maker.chance(2)) {
        ledger.putBack(batch.entry(i), place, demand); // Also where it does not fit.
        naive.place(workload, place);
      }
    }
    ledger.commit();
    batch.close();
    assertThat(refused).isPositive();
  }

  private static Refusal refusal(Workload workload, Node... nodes) {
    Ledger ledger = new Ledger();
    ledger.nodeChanges().add(List.of(nodes));
    Batch batch = Batch.open(ledger, List.of(workload));
    Demand demand;
    demand = batch.demand(0);
    Finder finder = new Finder(ledger, 0);
    Refusal refusal = new Explainer(finder).refusal(finder.bind(demand));
    batch.close();
    return refusal;
  }

  private static Node node(String name, Object... resources) {
    return Node.of(name, Resources.of(resources));
  }

  @Example
  void nearestIsFewestBrokenThenTheSmallestLargestShortfallThenNodeOrder() {
    Workload workload = Workload.of("w", Resources.of("cpu", 8, "mem", 4));
    Refusal refusal =
        refusal(
            workload,
            node("both", "cpu", 7, "mem", 3), // two broken
            node("half", "cpu", 4, "mem", 9), // one broken, by half
            node("none", "cpu", 9), // one broken, wholly
            node("quarter", "cpu", 8, "mem", 3), // one broken, by a quarter
            node("quarter-too", "cpu", 6, "mem", 4), // the same
            new Node("closed", Resources.of("cpu", 8, "mem", 4), List.of(), true)); // no shortfall
    assertThat(refusal.nearest())
        .extracting(NodeVerdict::node)
        .containsExactly("closed", "quarter", "quarter-too");
    assertThat(refusal.counts())
        .containsExactly(
            new ReasonCount(Reason.Kind.CORDONED, "", 1),
            new ReasonCount(Reason.Kind.MISSING, "mem", 1),
            new ReasonCount(Reason.Kind.SHORT, "cpu", 3),
            new ReasonCount(Reason.Kind.SHORT, "mem", 2));
  }

  @Example
  void whatNoRequirementMeasuresIsInfinitelyFar() {
    Refusal refusal =
        refusal(
            Workload.of("w", Resources.of("cpu", "0.000000001", "tag", 0)),
            node("ward", "cpu", 1, "tag", 0, "spiders", "-inf"),
            node("debt", "cpu", 1, "tag", 0, "debt", -1),
            node("untagged", "cpu", 1),
            node("far", "cpu", "-4000000000", "tag", 0));
    assertThat(refusal.nearest())
        .extracting(NodeVerdict::node)
        .containsExactly("far", "ward", "debt");
  }

  @Example
  void anImmunityTakesTheReasonAwayButNotTheMissingName() {
    Workload workload =
        Workload.of("w", Resources.of("cpu", 2)).withImmunities("spiders", "cpu", "tag");
    Refusal refusal =
        refusal(workload, node("a", "spiders", "-inf"), node("b", "cpu", -1, "spiders", "-inf"));
    assertThat(refusal.nearest())
        .containsExactly(
            new NodeVerdict("b", true, List.of(new Reason.Declined())),
            new NodeVerdict("a", false, List.of(new Reason.Missing("cpu", Quantity.of(2)))));
  }

  @Example
  void aFleetWithoutNodesHasNothingToCount() {
    assertThat(refusal(Workload.of("w", Resources.of("cpu", 1))))
        .isEqualTo(new Refusal("w", 0, List.of(), List.of()));
  }

  @Example
  void aSummaryLeavesOutTheNodeThatWasChosen() {
    Ledger ledger = new Ledger();
    ledger
        .nodeChanges()
        .add(
            List.of(
                node("a", "cpu", 1),
                node("b", "cpu", 9),
                node("c", "cpu", 9),
                node("d", "mem", 1)));
    Batch batch = Batch.open(ledger, List.of(Workload.of("w", Resources.of("cpu", 2))));
    Demand demand;
    demand = batch.demand(0);
    batch.close();
    Finder finder = new Finder(ledger, NamedRules.NONE);
    Explainer explainer = new Explainer(finder);
    Query query = finder.bind(demand);
    List<NodeVerdict> verdicts =
        List.of(
            new NodeVerdict("a", false, explainer.broken(0, query)),
            new NodeVerdict("b", true, List.of()),
            new NodeVerdict("c", true, List.of(new Reason.Later("b"))),
            new NodeVerdict("d", false, explainer.broken(3, query)));
    Refusal summary = explainer.summary(query, verdicts, Optional.empty());
    assertThat(summary.workload()).isEqualTo("w");
    assertThat(summary.nearest())
        .containsExactly(verdicts.get(2), verdicts.get(0), verdicts.get(3));
    assertThat(summary.counts())
        .containsExactly(
            new ReasonCount(Reason.Kind.MISSING, "cpu", 1),
            new ReasonCount(Reason.Kind.SHORT, "cpu", 1),
            new ReasonCount(Reason.Kind.LATER, "", 1));
  }
}

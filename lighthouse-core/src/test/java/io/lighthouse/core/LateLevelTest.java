package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Rules may name a level before the first node names it. */
class LateLevelTest {
  private static final Rule AT_MOST_ONE = new Rule.Most(1, "web", "rack");

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
            .rules(List.of(AT_MOST_ONE))
            .build();
    fleet.addNode(node("n1"));
    assertThat(fleet.assign(List.of(web("w0"), web("w1"), web("w2"))).asMap().values())
        .containsExactly(Optional.of("n0"), Optional.of("n1"), Optional.empty());
  }

  private static Distributor fleet() {
    return Distributors.of("first", (workload, candidates) -> candidates.first())
        .nodes(
            List.of(Node.of("n0", Resources.of("cpu", 1)), Node.of("n1", Resources.of("mem", 1))))
        .build();
  }

  private static Workload holder(String name) {
    return web(name).withTerms(Terms.NONE.inGroups("web").rules(AT_MOST_ONE));
  }

  private static void assertRefused(Distributor fleet, Change change) {
    assertThatThrownBy(() -> fleet.apply(change)).isInstanceOf(InvalidInputException.class);
  }

  @Test
  void aPlacedHolderCountsAtALevelThatComesLater() {
    Distributor fleet = fleet();
    fleet.assign(List.of(holder("holder")));
    fleet.addNode(node("n2"));
    fleet.apply(new Change.Assign(web("w0"), "n2"));
    assertRefused(fleet, new Change.Move("holder", "n0", "n2"));
  }

  @Test
  void aPlacedHolderBindsNewcomersAtALevelThatComesLater() {
    Distributor fleet = fleet();
    fleet.assign(List.of(holder("holder")));
    fleet.addNode(node("n2"));
    fleet.apply(new Change.Move("holder", "n0", "n2"));
    assertRefused(fleet, new Change.Assign(web("w0"), "n2"));
    assertThat(fleet.fitting(web("w0"))).containsExactly("n0");
  }

  @Test
  void aHolderThatANodeBroughtCountsAtALevelThatComesLater() {
    Distributor fleet = fleet();
    fleet.addNode(Node.of("n2", Resources.of("cpu", 1)).withWorkloads(holder("holder")));
    fleet.addNode(node("n3"));
    fleet.apply(new Change.Assign(web("w0"), "n3"));
    assertRefused(fleet, new Change.Move("holder", "n2", "n3"));
  }

  @Test
  void aHolderOfTheStartCountsAtALevelThatComesLater() {
    Distributor fleet =
        Distributors.of("first", (workload, candidates) -> candidates.first())
            .nodes(List.of(Node.of("n0", Resources.of("cpu", 1)).withWorkloads(holder("holder"))))
            .build();
    fleet.addNode(node("n2"));
    fleet.apply(new Change.Assign(web("w0"), "n2"));
    assertRefused(fleet, new Change.Move("holder", "n0", "n2"));
  }

  /** The release is undone after a level came, so the holder is placed again beside it. */
  @Test
  void aHolderThatIsRolledBackCountsAtALevelThatCameMeanwhile() {
    Distributor fleet = fleet();
    fleet.assign(List.of(holder("holder")));
    fleet.tryOut(
        List.of(new Change.Release("holder"), new Change.AddNode(node("n2"))), tried -> null);
    fleet.addNode(node("n2"));
    fleet.apply(new Change.Assign(web("w0"), "n2"));
    assertRefused(fleet, new Change.Move("holder", "n0", "n2"));
    assertThat(AuditTest.audit(fleet)).isEmpty();
  }

  @Test
  void aCopyCountsAtALevelThatComesLater() {
    Distributor first = fleet();
    first.assign(List.of(holder("holder")));
    Distributor fleet = first.copy();
    fleet.addNode(node("n2"));
    fleet.apply(new Change.Assign(web("w0"), "n2"));
    assertRefused(fleet, new Change.Move("holder", "n0", "n2"));
  }

  @Test
  void aDeclaredDomainMayBringTheLevel() {
    Distributor fleet = fleet();
    fleet.assign(List.of(holder("holder")));
    fleet.apply(new Change.Declare(Domain.of("rack", "r", Resources.of("power", 1))));
    fleet.addNode(node("n2"));
    fleet.apply(new Change.Assign(web("w0"), "n2"));
    assertRefused(fleet, new Change.Move("holder", "n0", "n2"));
  }

  /** Levels that are forgotten give their indexes to those that remain. */
  @Test
  void aHolderCountsAtItsLevelAfterOthersWereForgotten() {
    Distributor fleet = fleet();
    for (int i = 0; i < 50; i++) {
      fleet.addNode(Node.of("old-" + i, Resources.none()).in("old-" + i, "r"));
    }
    fleet.addNode(node("n2"));
    fleet.apply(new Change.Assign(holder("holder"), "n2"));
    for (int i = 50; i < 100; i++) {
      fleet.addNode(Node.of("old-" + i, Resources.none()).in("old-" + i, "r"));
    }
    fleet.addNode(node("n3"));
    for (int i = 0; i < 100; i++) {
      fleet.removeNode("old-" + i);
      assertThat(fleet.fitting(web("w0"))).as("after %d levels", i).containsExactly("n0");
      assertThat(AuditTest.audit(fleet)).isEmpty();
    }
    assertThat(fleet.copy().fitting(web("w0"))).containsExactly("n0");
    assertRefused(fleet, new Change.Assign(web("w0"), "n3"));
  }
}

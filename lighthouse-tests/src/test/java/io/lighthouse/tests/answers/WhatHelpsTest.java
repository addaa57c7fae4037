package io.lighthouse.tests.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.lighthouse.api.Change;
import io.lighthouse.api.Condition;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Gang;
import io.lighthouse.api.Node;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Remedies;
import io.lighthouse.api.advice.Remedies.Kind;
import io.lighthouse.api.advice.Remedies.Prospect;
import io.lighthouse.api.advice.Remedies.Remedy;
import io.lighthouse.api.advice.Shortage;
import io.lighthouse.api.advice.Supposition;
import io.lighthouse.api.advice.WhatIf;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.quantity.Unit;
import io.lighthouse.core.Distributors;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Remedies, shortages and what-if where a resource is given, shared, or has a unit. */
class WhatHelpsTest {
  private static Distributors.Builder builder(Node... nodes) {
    return Distributors.installed().strategy("prioritized").nodes(nodes);
  }

  private static Workload workload(String name, Object... needs) {
    return Workload.of(name, Resources.of(needs));
  }

  private static Workload sharing(Workload one, String level, Object... needs) {
    return one.withTerms(one.terms().sharing(level, Resources.of(needs)));
  }

  private static Remedy remedy(Distributor fleet, Workload of, Kind kind) {
    return fleet.advisor().remedies(of, Set.of()).remedies().stream()
        .filter(one -> one.kind() == kind)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aProtectedWorkloadThatIsNotPlacedIsRefused() {
    Distributor fleet = builder(Node.of("a", Resources.of("cpu", 2))).build();
    fleet.assign(workload("old", "cpu", 2));

    assertThatThrownBy(
            () -> fleet.advisor().remedies(workload("new", "cpu", 2), Set.of("old", "odl", "x")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("distributor: workload is 'odl'; allowed: the name of a placed workload");
    assertThat(fleet.advisor().remedies(workload("new", "cpu", 2), Set.of("old")).remedies())
        .noneMatch(one -> one.kind() == Kind.RELEASE);
  }

  @Test
  void aDomainThatIsNotDeclaredIsDeclared() {
    Distributor fleet = builder(Node.of("a", Resources.of("cpu", 4)).in("rack", "r1")).build();
    Workload powered = sharing(workload("w", "cpu", 2), "rack", "power", 2);
    Workload licensed = sharing(workload("l", "cpu", 1), "fleet", "licence", 1);

    Remedy power = remedy(fleet, powered, Kind.GROW);
    Remedy licence = remedy(fleet, licensed, Kind.GROW);
    assertThat(power.changes())
        .containsExactly(new Change.Declare(Domain.of("rack", "r1", Resources.of("power", 2))));
    fleet.apply(power.changes());
    fleet.apply(licence.changes());
    assertThat(fleet.assign(List.of(powered, licensed)).allPlaced()).isTrue();
  }

  @Test
  void whatLacksADomainIsAShortage() {
    Distributor fleet = builder(Node.of("a", Resources.of("cpu", 4)).in("rack", "r1")).build();
    Workload powered = sharing(workload("w", "cpu", 2), "rack", "power", 2);
    List<Shortage> shortages = fleet.advisor().shortages(List.of(powered, workload("x", "cpu", 9)));
    assertThat(shortages)
        .extracting(Shortage::resources)
        .containsExactly(List.of("power@rack"), List.of("cpu"));
    fleet.apply(shortages.get(0).changes());
    assertThat(fleet.snapshot().nodeOf("w")).contains("a");
  }

  @Test
  void ofAResourceThatIsGivenANodeNeedsNothing() {
    Distributor fleet = builder(Node.of("a", Resources.of("cpu", 3))).build();
    Workload giver = workload("x", "mem", -2);
    Remedy grow = remedy(fleet, giver, Kind.GROW);
    assertThat(grow.changes())
        .containsExactly(new Change.Resize("a", Resources.of("cpu", 3, "mem", 0)));
    fleet.apply(grow.changes());
    assertThat(fleet.fitting(workload("other", "cpu", 1))).containsExactly("a");
    assertThat(fleet.assign(giver).allPlaced()).isTrue();
  }

  @Test
  void aDomainNeedsNothingOfWhatIsGiven() {
    Distributor fleet =
        builder(Node.of("a", Resources.of("cpu", 3)).in("rack", "r1"))
            .domains(Domain.of("rack", "r1", Resources.of("power", 1)))
            .build();
    Workload giver = sharing(workload("x", "cpu", 1), "rack", "cooling", -2);
    Remedy grow = remedy(fleet, giver, Kind.GROW);
    assertThat(grow.changes())
        .containsExactly(
            new Change.ResizeDomain("rack", "r1", Resources.of("power", 1, "cooling", 0)));
    fleet.apply(grow.changes());
    assertThat(fleet.assign(giver).allPlaced()).isTrue();
  }

  @Test
  void aReleaseHelpsBesideOneThatGivesAShare() {
    Distributor fleet =
        builder(Node.of("a", Resources.of("cpu", 1)))
            .domains(Domain.of("fleet", "fleet", Resources.of("licence", 0)))
            .build();
    fleet.apply(new Change.Assign(sharing(workload("g"), "fleet", "licence", -1), "a"));
    fleet.apply(new Change.Assign(workload("h", "cpu", 1), "a"));
    Workload wanting = sharing(workload("x", "cpu", 1), "fleet", "licence", 1);
    Remedies remedies = fleet.advisor().remedies(wanting, Set.of());
    assertThat(remedies.prospect()).isEqualTo(Prospect.NOT_NOW);
    assertThat(remedy(fleet, wanting, Kind.RELEASE).changes())
        .containsExactly(new Change.Release("h"));
  }

  @Test
  void whatFitsIsInNoShortage() {
    Distributor fleet =
        builder(Node.of("a", Resources.of("cpu", 4)), Node.of("b", Resources.of("cpu", 1))).build();
    List<Shortage> shortages =
        fleet.advisor().shortages(List.of(workload("fits", "cpu", 2), workload("big", "cpu", 5)));
    assertThat(shortages).extracting(Shortage::workloads).containsExactly(List.of("big"));
  }

  @Test
  void shortagesTakeNoNameTwice() {
    Distributor fleet = builder(Node.of("a", Resources.of("cpu", 4))).build();
    fleet.assign(workload("there", "cpu", 1));
    Workload big = workload("big", "cpu", 9);
    assertThatThrownBy(() -> fleet.advisor().shortages(List.of(big, big)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("workload 'big'")
        .hasMessageContaining("given twice in the batch");
    assertThatThrownBy(() -> fleet.advisor().shortages(List.of(workload("there", "gpu", 9))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("workload 'there'")
        .hasMessageContaining("placed on node 'a'");
  }

  @Test
  void aCutThatPassesOverAUnitIsNotProven() {
    Node stepped =
        Node.of("a", Resources.of("cpu", "7.5"))
            .withUnits(Map.of("cpu", new Unit(Quantity.ZERO, Quantity.INFINITY, Quantity.of(2))));
    Node plain = Node.of("b", Resources.of("cpu", 4));
    assertThat(remedy(builder(stepped, plain).build(), workload("x", "cpu", 7), Kind.CUT).exact())
        .isFalse();
    assertThat(remedy(builder(plain).build(), workload("x", "cpu", 7), Kind.CUT).exact()).isTrue();
  }

  /** The immunity covers what is short and off its unit, too. */
  @Test
  void whatIsToleratedIsToleratedAtEveryLevel() {
    Unit pairs = new Unit(Quantity.ZERO, Quantity.INFINITY, Quantity.of(2));
    Distributor fleet =
        builder(
                Node.of("a", Resources.of("power", 2))
                    .withUnits(Map.of("power", pairs))
                    .in("rack", "r1"))
            .domains(Domain.of("rack", "r1", Resources.of("power", -1)))
            .build();

    Remedy tolerate = remedy(fleet, workload("x", "power", 3), Kind.TOLERATE);
    assertThat(tolerate.workload().immunities()).containsExactly("power");
    assertThat(tolerate.cost()).isEqualTo(Quantity.ONE);
    assertThat(fleet.fitting(tolerate.workload())).containsExactly("a");
    assertThat(fleet.advisor().remedies(workload("y", "power", 3, "cpu", 1), Set.of()).remedies())
        .as("no immunity replaces a resource that is missing")
        .noneMatch(one -> one.kind() == Kind.TOLERATE);
  }

  /** A fifth less power would do on the second node. */
  @Test
  void aCutThatPassesOverADomainIsNotProven() {
    Node small = Node.of("a", Resources.of("cpu", 2)).in("rack", "r1");
    Node large = Node.of("b", Resources.of("cpu", 9)).in("rack", "r2");
    Workload powered = sharing(workload("x", "cpu", 8), "rack", "power", 5);
    Domain first = Domain.of("rack", "r1", Resources.of("power", 9));
    Domain second = Domain.of("rack", "r2", Resources.of("power", 4));

    Remedy cut = remedy(builder(small, large).domains(first, second).build(), powered, Kind.CUT);
    assertThat(cut.cost()).isEqualTo(Quantity.of("0.75"));
    assertThat(cut.exact()).isFalse();
    assertThat(remedy(builder(small).domains(first).build(), powered, Kind.CUT).exact()).isTrue();
  }

  @Test
  void growthThatPassesOverAConditionIsNotProven() {
    Node near = Node.of("a", Resources.of("cpu", 2, "mem", 1, "disk", 1));
    Node far = Node.of("b", Resources.of("mem", 8));
    Workload choosy =
        workload("x", "cpu", 1, "disk", 1)
            .withTerms(
                Terms.NONE.where(new Condition.Has("mem", Quantity.of(4), Quantity.INFINITY)));
    Remedy grow = remedy(builder(near, far).build(), choosy, Kind.GROW);
    assertThat(grow.node()).isEqualTo("b");
    assertThat(grow.cost()).isEqualTo(Quantity.of(2));
    assertThat(grow.exact()).isFalse();
    Remedy least = remedy(builder(near, far).build(), workload("y", "cpu", 3), Kind.GROW);
    assertThat(least.exact()).as("nothing costs less than 1").isTrue();
    assertThat(remedy(builder(far).build(), choosy, Kind.GROW).exact()).isTrue();
  }

  @Test
  void whatASuppositionPlacesWaitsNoMore() {
    Distributor fleet = builder(Node.of("a", Resources.of("cpu", 1))).build();
    fleet.assign(workload("old", "cpu", 1));
    Workload waiting = workload("x", "cpu", 2);
    Node bringing = Node.of("b", Resources.of("cpu", 2)).withWorkloads(waiting);
    WhatIf answer =
        fleet
            .advisor()
            .whatIf(
                List.of(waiting),
                List.of(new Supposition.Apply(new Change.AddNode(bringing))),
                WhatIf.Placing.GOING_ON);
    assertThat(answer.then().placed()).isEqualTo(2);
    assertThat(answer.refusals()).isEmpty();

    WhatIf moved =
        fleet
            .advisor()
            .whatIf(
                List.of(),
                List.of(
                    new Supposition.AddNodes(1, Node.of("c", Resources.of("cpu", 1))),
                    new Supposition.RemoveNode("a"),
                    new Supposition.Apply(new Change.Assign(workload("old", "cpu", 1), "c-1"))),
                WhatIf.Placing.GOING_ON);
    assertThat(moved.fates())
        .extracting(WhatIf.Fate::workload, WhatIf.Fate::kind)
        .containsExactly(tuple("old", WhatIf.Kind.MOVED));
  }

  /** A zone without a node that is possible for the workload does not count for its skew. */
  @Test
  void aNodeThatBecomesPossibleMakesItsDomainCountForASkew() {
    Terms web = Terms.NONE.inGroups("web");
    Terms spread = web.rules(new Rule.Skew(1, "web", "zone", 1));
    Distributor fleet = builder(Node.of("a", Resources.of("cpu", 4)).in("zone", "z")).build();
    fleet.assign(workload("web-1", "cpu", 1).withTerms(web));

    Workload tagged = workload("web-2", "cpu", 1, "ssd", 0).withTerms(spread);
    Remedy tag = remedy(fleet, tagged, Kind.TAG);
    assertThat(tag.changes())
        .containsExactly(new Change.Resize("a", Resources.of("cpu", 4, "ssd", 0)));
    assertThat(tag.cost()).isEqualTo(Quantity.of(1));
    assertThat(fleet.advisor().shortages(List.of(tagged)))
        .extracting(Shortage::resources)
        .containsExactly(List.of("ssd"));

    Workload large = workload("web-3", "cpu", 4, "gpu", 1).withTerms(spread);
    assertThat(remedy(fleet, large, Kind.GROW).changes())
        .containsExactly(new Change.Resize("a", Resources.of("cpu", 5, "gpu", 1)));

    fleet.cordon("a");
    Workload plain = workload("web-4", "cpu", 1).withTerms(spread);
    assertThat(remedy(fleet, plain, Kind.UNCORDON).exact()).isTrue();
    assertThat(remedy(fleet, tagged, Kind.COMBINED).changes()).hasSize(2);
  }

  /** A zone that counts already, and without a member, keeps the floor at 0 whatever is tagged. */
  @Test
  void aTrialThatFailsForASkewHidesNoCheaperRemedy() {
    Terms web = Terms.NONE.inGroups("web");
    Distributor fleet =
        builder(
                Node.of("a", Resources.of("cpu", 9)).in("zone", "y"),
                Node.of("b", Resources.of("cpu", 9)).in("zone", "z"),
                Node.of("c", Resources.of("cpu", 0, "ssd", 0, "nvme", 0)).in("zone", "x"))
            .build();
    fleet.apply(new Change.Assign(workload("web-1", "cpu", 1).withTerms(web), "a"));
    Workload spread =
        workload("web-2", "cpu", 1, "ssd", 0, "nvme", 0)
            .withTerms(web.rules(new Rule.Skew(1, "web", "zone", 1)));

    Remedy tag = remedy(fleet, spread, Kind.TAG);
    assertThat(tag.node()).isEqualTo("b");
    assertThat(tag.cost()).isEqualTo(Quantity.of(2));
    assertThat(tag.exact()).isTrue();
  }

  /** An immunity to a resource covers its unit, too: then the node is possible. */
  @Test
  void aNodeThatAnImmunityMakesPossibleCountsForASkew() {
    Unit pairs = new Unit(Quantity.ZERO, Quantity.INFINITY, Quantity.of(2));
    Terms web = Terms.NONE.inGroups("web");
    Distributor fleet =
        builder(
                Node.of("a", Resources.of("power", 9))
                    .withUnits(Map.of("power", pairs))
                    .in("rack", "r1"))
            .domains(Domain.of("rack", "r1", Resources.of("power", -1)))
            .build();
    fleet.assign(workload("web-1").withImmunities("power").withTerms(web));

    Workload odd =
        workload("web-2", "power", 3).withTerms(web.rules(new Rule.Skew(1, "web", "rack", 1)));
    assertThat(remedy(fleet, odd, Kind.TOLERATE).workload().immunities()).containsExactly("power");
  }

  /** What lost its node came with another batch than what waits. */
  @Test
  void gangsOfOneNameInTwoBatchesAreTwoGangs() {
    Distributor fleet =
        builder(
                Node.of("a", Resources.of("cpu", 2)).in("rack", "r"),
                Node.of("b", Resources.of("cpu", 2)).in("rack", "r"))
            .build();
    Terms before = Terms.NONE.inGang(Gang.of("g").within("rack"));
    fleet.assign(workload("old-1", "cpu", 1).withTerms(before));
    Workload newer = workload("new", "cpu", 1).withTerms(Terms.NONE.inGang(Gang.of("g")));
    List<Supposition> lost = List.of(new Supposition.RemoveNode("a"));

    WhatIf waits = fleet.advisor().whatIf(newer.replicas(4), lost, WhatIf.Placing.GOING_ON);
    assertThat(waits.then()).isEqualTo(new WhatIf.Figures(1, 1, 1, 4));
    assertThat(waits.refusals())
        .extracting(refusal -> refusal.gang().orElseThrow())
        .allSatisfy(gang -> assertThat(gang.gang()).isEqualTo("g"))
        .allSatisfy(gang -> assertThat(gang.members()).isEqualTo(4));

    WhatIf bothLost = fleet.advisor().whatIf(newer.replicas(3), lost, WhatIf.Placing.GOING_ON);
    assertThat(bothLost.then()).isEqualTo(new WhatIf.Figures(1, 1, 2, 2));
    assertThat(bothLost.refusals())
        .extracting(refusal -> refusal.gang().orElseThrow())
        .allSatisfy(gang -> assertThat(gang.gang()).isEqualTo("g"))
        .allSatisfy(gang -> assertThat(gang.members()).isEqualTo(1))
        .hasSize(2);
  }

  /** What is placed came with another batch than what waits, and so do its copies. */
  @Test
  void aNewReplicaOfWhatIsPlacedIsInNoGangThatWaits() {
    for (String level : List.of("rack", "zone")) {
      Distributor fleet =
          builder(Node.of("a", Resources.of("cpu", 2)).in("rack", "r").in("zone", "z")).build();
      Terms placed = Terms.NONE.inGang(Gang.of("g").within(level));
      fleet.assign(workload("web-1", "cpu", 1).withTerms(placed));
      Workload waiting =
          workload("job", "cpu", 1).withTerms(Terms.NONE.inGang(Gang.of("g").within("rack")));

      WhatIf answer =
          fleet
              .advisor()
              .whatIf(
                  List.of(waiting),
                  List.of(new Supposition.Scale("web", 3)),
                  WhatIf.Placing.AFRESH);
      assertThat(answer.then()).isEqualTo(new WhatIf.Figures(1, 1, 2, 2));
      assertThat(answer.refusals()).extracting(Refusal::workload).containsExactly("web-2", "web-3");
      assertThat(answer.refusals().get(0).gang().orElseThrow().gang()).isEqualTo("g");
    }
  }
}

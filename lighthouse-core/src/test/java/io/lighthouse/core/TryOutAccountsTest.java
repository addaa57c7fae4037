package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.InvalidChangeException;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is tried out leaves quantities, their scales and domains as they were. */
class TryOutAccountsTest {
  private static Workload workload(String name, Object cpu) {
    return Workload.of(name, Resources.of("cpu", cpu)).withAversionGroups("g");
  }

  private static List<Object> state(Distributor distributor) {
    Snapshot now = distributor.snapshot();
    return List.of(now.nodes(), now.lastPlaced(), now.placedCount(), now.generation());
  }

  /** 0.1 needs a digit, for which there is no room beside 4.4e18: it must be found again. */
  @Test
  void aDigitThatWasGivenUpIsTakenBack() {
    Distributor fine =
        Distributors.of(LivingFleet.roundRobin())
            .nodes(Node.of("n1", Resources.of("cpu", "inf")), Node.of("n2", Resources.of("cpu", 1)))
            .build();
    fine.assign(workload("fine", "0.1"), workload("finer", "0.000000001"));
    List<Object> before = state(fine);
    fine.tryOut(
        List.of(new Change.Release("fine"), new Change.Release("finer")),
        tried -> {
          tried.apply(new Change.Assign(workload("huge", "4400000000000000000"), "n1"));
          return null;
        });
    assertThat(state(fine)).isEqualTo(before);
    assertThatThrownBy(
            () ->
                fine.apply(
                    new Change.Release("fine"),
                    new Change.Release("finer"),
                    new Change.Assign(workload("huge", "4400000000000000000"), "n1"),
                    new Change.RemoveNode("n1")))
        .isInstanceOf(InvalidChangeException.class);
    assertThat(state(fine)).isEqualTo(before);
  }

  /** It is rounded up to 1, and 1 needs no digit, though what was given has twelve. */
  @Test
  void aRoundedRequirementComesBackAtItsScale() {
    Distributor rounding =
        Distributors.of(new LivingFleet.ThereAndBack())
            .nodes(Node.of("n1", Resources.of("cpu", 3)))
            .build();
    rounding.assign(Workload.of("rounded", Resources.of("cpu", "0.999999999999")));
    assertThat(rounding.node("n1").left()).isEqualTo(Resources.of("cpu", 2));
    rounding.releaseAll();
    assertThat(rounding.node("n1").left()).isEqualTo(Resources.of("cpu", 3));
  }

  /** The bound of the largest node must not stay that of a fleet without it. */
  @Test
  void theRangeIsThatOfTheFleetAsItIsAfterwards() {
    Distributor large =
        Distributors.of(LivingFleet.roundRobin())
            .nodes(
                Node.of("n1", Resources.of("cpu", "4000000000000000000")),
                Node.of("n2", Resources.of("cpu", "inf")))
            .build();
    Workload huge = workload("huge", "4500000000000000000");
    for (Change smaller :
        List.of(new Change.Resize("n1", Resources.of("cpu", 1)), new Change.RemoveNode("n1"))) {
      large.tryOut(List.of(smaller), tried -> tried.assign(huge));
      assertThatThrownBy(() -> large.assign(huge))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("2^62");
    }
  }

  private static Distributor of(Node... nodes) {
    return Distributors.of(LivingFleet.roundRobin()).nodes(nodes).build();
  }

  /**
   * Beside 4e18 there is no room for nine digits; without it there is, for as long as it is away.
   */
  @Test
  void aLargeCapacityComesBackToAFleetThatGotDigitsMeanwhile() {
    for (Change away :
        List.of(new Change.RemoveNode("n1"), new Change.Resize("n1", Resources.of("cpu", 1)))) {
      Distributor large =
          of(
              Node.of("n1", Resources.of("cpu", "4000000000000000000")),
              Node.of("n2", Resources.of("cpu", 1)));
      List<Object> before = state(large);
      large.tryOut(List.of(away), tried -> tried.assign(workload("fine", "0.000000001")));
      assertThat(state(large)).isEqualTo(before);
    }
  }

  @Test
  void aLargeRequirementComesBackToAFleetThatGotDigitsMeanwhile() {
    Distributor large = of(Node.of("n1", Resources.of("cpu", "inf")));
    large.assign(workload("huge", "4000000000000000000"));
    List<Object> before = state(large);
    large.tryOut(
        List.of(new Change.Release("huge")),
        tried -> tried.assign(workload("fine", "0.000000001")));
    assertThat(state(large)).isEqualTo(before);
  }

  /** The digit of a capacity is given up for the large one that takes its place. */
  @Test
  void aFineCapacityComesBackInThePlaceOfALargeOne() {
    Distributor fine =
        of(
            Node.of("n1", Resources.of("cpu", "1.5")).withWorkloads(workload("old", 2)),
            Node.of("n2", Resources.of("cpu", 1)));
    fine.resize("n1", Resources.of("cpu", "1.5")); // 2 of 1.5 are taken: -0.5 are left.
    List<Object> before = state(fine);
    fine.tryOut(
        List.of(new Change.Resize("n1", Resources.of("cpu", "4000000000000000000"))),
        tried -> {
          assertThat(tried.node("n1").left()).isEqualTo(Resources.of("cpu", "3999999999999999998"));
          return null;
        });
    assertThat(state(fine)).isEqualTo(before);
  }

  // ---- domains, and scales that change while an index follows ----

  private static Distributor inRacks() {
    Workload old = workload("old", 1).withTerms(Terms.NONE.sharing("rack", power("0.5")));
    return Distributors.of(LivingFleet.roundRobin())
        .nodes(
            Node.of("n1", Resources.of("cpu", 4)).in("rack", "r1").withWorkloads(old),
            Node.of("n2", Resources.of("cpu", 4)).in("rack", "r2"),
            Node.of("n3", Resources.of("cpu", 4)))
        .domains(List.of(Domain.of("rack", "r1", power(2)), Domain.of("rack", "r2", power(3))))
        .build();
  }

  private static Resources power(Object amount) {
    return Resources.of("power", amount);
  }

  static List<Change> everyKindOfADomain() {
    return List.of(
        new Change.Declare(Domain.of("rack", "r3", power("0.000000001"))),
        new Change.Declare(Domain.of("row", "first", power("inf"))),
        new Change.Undeclare("rack", "r2"),
        new Change.ResizeDomain("rack", "r1", Resources.of("power", "0.125", "net", 1)),
        new Change.CordonDomain("rack", "r1", true),
        new Change.Regroup("old", Set.of("others")),
        new Change.AddNode(Node.of("n4", Resources.of("cpu", 1)).in("rack", "r4")),
        new Change.RemoveNode("n2"),
        new Change.Move("old", "n1", "n2"),
        new Change.Release("old"));
  }

  @ParameterizedTest
  @MethodSource("everyKindOfADomain")
  void everyKindInAFleetOfDomainsIsGoneAfterwards(Change change) {
    Distributor racks = inRacks();
    List<Object> before = stateWithDomains(racks);
    List<Object> then = racks.tryOut(List.of(change), TryOutAccountsTest::stateWithDomains);
    Distributor carriedOut = inRacks();
    carriedOut.apply(change);
    assertThat(then).isEqualTo(stateWithDomains(carriedOut)).isNotEqualTo(before);
    assertThat(stateWithDomains(racks)).isEqualTo(before);
    List<Workload> later = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      Terms terms = Terms.NONE.sharing("rack", power("0.7")).inGroups("others");
      later.add(
          workload("later" + i, "0.5").withTerms(terms.rules(new Rule.Most(2, "others", "rack"))));
    }
    assertThat(racks.assign(later)).isEqualTo(inRacks().assign(later));
  }

  private static List<Object> stateWithDomains(Distributor distributor) {
    Snapshot now = distributor.snapshot();
    return List.of(now.nodes(), now.domains(), now.lastPlaced());
  }

  /**
   * A finer quantity in a trial rescales a resource that the index and a kept order have rows of.
   * The roll back leaves them at a scale that they were not made at.
   */
  @Test
  void aScaleThatChangesMeanwhileLeavesTheAnswersAsTheyWere() {
    Rubric rubric = Rubric.of("cpu", 1, "mem", "0.5");
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      nodes.add(Node.of("n" + i, Resources.of("cpu", 8 + i % 5, "mem", 16 + i % 3)));
    }
    Distributor large = Distributors.of(LivingFleet.byScore(rubric)).nodes(nodes).build();
    for (int round = 0; round < 60; round++) {
      large.assign(many("warm" + round, 4, "1", "2"));
    }
    int made = 0;
    for (String finer : List.of("0.5", "0.001", "0.000000001")) {
      for (Change change :
          List.of(
              new Change.AddNode(Node.of("extra", Resources.of("cpu", finer, "mem", 1))),
              new Change.Resize("n7", Resources.of("cpu", finer, "mem", 99)),
              new Change.Declare(Domain.of("rack", "r", Resources.of("cpu", finer))))) {
        Distributor untouched = large.copy();
        String name = "batch" + made++;
        large.tryOut(
            List.of(change),
            tried -> {
              assertThat(tried.fitting(workload("w", "0.25"))).isNotEmpty();
              return tried.assign(many(name, 20, "0.125", "0.5"));
            });
        List<Workload> batch = many(name, 10, "1", "0.25");
        assertThat(large.assign(batch)).isEqualTo(untouched.assign(batch));
        assertThat(large.snapshot().nodes()).isEqualTo(untouched.snapshot().nodes());
      }
    }
  }

  private static List<Workload> many(String name, int count, String cpu, String mem) {
    return Workload.of(name, Resources.of("cpu", cpu, "mem", mem)).replicas(count);
  }
}

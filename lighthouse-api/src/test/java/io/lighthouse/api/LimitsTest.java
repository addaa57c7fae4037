package io.lighthouse.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.advice.Headroom;
import io.lighthouse.api.advice.Offer;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.advice.Supposition;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Limits of plans, offers, shapes and suppositions: valid and refused values. */
class LimitsTest {
  private static final Node EMPTY = Node.of("n", Resources.of("cpu", 4));

  private static final Node TAKEN =
      new Node(
          "n", Resources.of("cpu", 4), List.of(Workload.of("w", Resources.of("cpu", 1))), false);

  private static void refuses(ThrowingCallable made, String... words) {
    assertThatThrownBy(made)
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContainingAll(words);
  }

  @Test
  void aPlanMayMoveNobodyButNotLess() {
    assertThat(PlanLimits.NONE.withMoves(0).mostMoves()).isZero();
    refuses(() -> PlanLimits.NONE.withMoves(-1), "limits", "moves", "-1", "0 or more");
    assertThat(PlanLimits.NONE.withMoved(Resources.of("cpu", 0)).mostMoved().size()).isEqualTo(1);
    refuses(() -> PlanLimits.NONE.withMoved(Resources.of("cpu", "-1e-9")), "limits", "cpu");
    assertThat(PlanLimits.NONE.withMostOfAGroup(1).mostOfAGroup()).isEqualTo(1);
    refuses(() -> PlanLimits.NONE.withMostOfAGroup(0), "limits", "of a group", "1 or more");
    assertThat(PlanLimits.NONE.withPinned(Set.of("b", "a")).pinned()).containsExactly("a", "b");
    refuses(() -> PlanLimits.NONE.withPinned(Set.of("")), "limits", "pinned");
    refuses(() -> PlanLimits.NONE.withAvoided(Set.of("")), "limits", "avoided");
  }

  @Test
  void aGoalNamesEachNodeOnceInTheOrderGiven() {
    PlanGoal.Drain drain = new PlanGoal.Drain(List.of("b", "a", "b"));
    assertThat(drain.nodes()).containsExactly("b", "a");
    assertThat(drain.word()).isEqualTo("drain");
    assertThat(new PlanGoal.Evacuate(List.of("b", "a", "b")).nodes()).containsExactly("b", "a");
    assertThat(new PlanGoal.Place(List.of()).workloads()).isEmpty();
  }

  @Test
  void anOfferHasAPriceALimitAndEmptyNodes() {
    assertThat(new Offer(EMPTY, Quantity.ZERO, 0).name()).isEqualTo("n");
    for (String price : List.of("-1e-9", "inf", "-inf")) {
      refuses(() -> new Offer(EMPTY, Quantity.of(price), 1), "offer 'n'", "price");
    }
    refuses(() -> new Offer(EMPTY, Quantity.ZERO, -1), "offer 'n'", "limit", "-1");
    refuses(() -> new Offer(TAKEN, Quantity.ZERO, 1), "offer 'n'", "workloads");
  }

  @Test
  void aShapeOfHeadroomHasOneCopyOrMoreAndNoGang() {
    Workload shape = Workload.of("s", Resources.of("cpu", 1));
    assertThat(new Headroom.Part(shape, 1).copies()).isEqualTo(1);
    refuses(() -> new Headroom.Part(shape, 0), "shape 's'", "copies", "1 or more");
    Workload gang = shape.withTerms(Terms.NONE.inGang(Gang.of("g")));
    refuses(() -> new Headroom.Part(gang, 1), "shape 's'", "gang");
  }

  @Test
  void suppositionsAreToldAsTheyAreWritten() {
    assertThat(new Supposition.AddNodes(2, EMPTY.in("rack", "r1")))
        .hasToString("add 2 x cpu=4 in rack=r1");
    refuses(() -> new Supposition.AddNodes(0, EMPTY), "add", "count", "1 or more");
    refuses(() -> new Supposition.AddNodes(1, TAKEN), "add", "workloads");
    assertThat(new Supposition.Scale("web", 0)).hasToString("scale web=0");
    refuses(() -> new Supposition.Scale("web", -1), "scale", "replicas", "-1");
    assertThat(new Supposition.Move("w", "n")).hasToString("move w n");
    assertThat(new Supposition.Apply(new Change.CordonDomain("zone", "a", false)))
        .hasToString("uncordon zone=a");
  }

  @Test
  void aBudgetIsNoneOrMore() {
    assertThat(Budget.ofSteps(0).within(Duration.ZERO).steps()).isZero();
    refuses(() -> Budget.ofSteps(-1), "budget", "steps", "-1");
    refuses(() -> Budget.ofSteps(1).within(Duration.ofNanos(-1)), "budget", "time");
  }
}

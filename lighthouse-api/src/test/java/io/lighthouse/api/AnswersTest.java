package io.lighthouse.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.advice.Choice;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.Remedies;
import io.lighthouse.api.advice.Shortage;
import io.lighthouse.api.advice.Sizing;
import io.lighthouse.api.advice.WhatIf;
import io.lighthouse.api.quantity.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The methods of answer values, and that callers cannot change an answer. */
class AnswersTest {
  private static final Workload WEB = Workload.of("web", Resources.of("cpu", 1));
  private static final Change MOVE = new Change.Move("a", "n1", "n2");
  private static final Change RELEASE = new Change.Release("b");

  /**
   * Changing the list that an answer was made from does not change the answer; the answer's own
   * list cannot be changed.
   */
  private static <A, E> void keeps(
      Function<List<E>, A> made, Function<A, List<E>> read, E element) {
    List<E> given = new ArrayList<>(List.of(element));
    A answer = made.apply(given);
    given.clear();
    assertThat(read.apply(answer)).containsExactly(element);
    assertThatThrownBy(() -> read.apply(answer).clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  private static void misses(String what, ThrowingCallable made) {
    assertThatNullPointerException().isThrownBy(made).withMessage(what);
  }

  @Nested
  class ChoicesTest {
    private final Choice.Term term = Choice.Term.of("age", Quantity.of(3));
    private final Choice.Candidate first =
        new Choice.Candidate("n1", false, List.of(0L), Optional.empty(), List.of(term));

    private Choice choice(boolean placed, List<Choice.Candidate> candidates) {
      return new Choice(
          "web", Choice.Order.NODES, false, placed, candidates, Choice.Decider.NODES, "");
    }

    @Test
    void theFirstCandidateIsChosenUnlessTheStrategyDeclines() {
      assertThat(choice(true, List.of(first)).chosen()).contains("n1");
      assertThat(choice(false, List.of(first)).chosen()).isEmpty();
      assertThat(choice(false, List.of()).chosen()).isEmpty();
    }

    @Test
    void aTermOfAStrategyIsItsOwnValue() {
      assertThat(term)
          .isEqualTo(new Choice.Term("age", Quantity.of(3), Quantity.ONE, Quantity.of(3)));
    }

    @Test
    void theyKeepWhatTheyWereMadeOf() {
      keeps(of -> choice(true, of), Choice::candidates, first);
      keeps(
          of -> new Choice.Candidate("n", true, of, Optional.empty(), List.of()),
          Choice.Candidate::excess,
          4L);
      keeps(
          of -> new Choice.Candidate("n", true, List.of(), Optional.empty(), of),
          Choice.Candidate::terms,
          term);
      misses(
          "order", () -> new Choice("w", null, false, false, List.of(), Choice.Decider.NAME, ""));
      misses(
          "decider", () -> new Choice("w", Choice.Order.TURN, false, false, List.of(), null, ""));
      misses("score", () -> new Choice.Candidate("n", false, List.of(), null, List.of()));
      misses("value", () -> new Choice.Term("cpu", Quantity.ONE, Quantity.ONE, null));
    }
  }

  @Nested
  class PlansTest {
    private final Plan.Figures figures = new Plan.Figures(2, 2, Quantity.ZERO, 0);

    private Plan plan(List<List<Change>> waves, List<String> unmet, boolean reached) {
      return new Plan(
          new PlanGoal.Consolidate(),
          7,
          waves,
          unmet,
          figures,
          figures,
          new Plan.Bound("emptied", Quantity.ONE, reached),
          List.of());
    }

    @Test
    void aPlanIsItsWavesOneAfterTheOther() {
      Plan plan = plan(List.of(List.of(MOVE), List.of(RELEASE, MOVE)), List.of(), true);
      assertThat(plan.changes()).containsExactly(MOVE, RELEASE, MOVE);
      assertThat(plan.moves()).as("not who is released").isEqualTo(2);
      assertThat(plan.optimal()).isTrue();
      Plan none = plan(List.of(), List.of("n1"), false);
      assertThat(none.changes()).isEmpty();
      assertThat(none.moves()).isZero();
      assertThat(none.optimal()).isFalse();
    }

    @Test
    void itKeepsWhatItWasMadeOf() {
      keeps(of -> plan(of, List.of(), true), Plan::waves, List.of(MOVE));
      keeps(of -> plan(List.of(of), List.of(), true), plan -> plan.waves().get(0), MOVE);
      keeps(of -> plan(List.of(), of, true), Plan::unmet, "n1");
    }
  }

  @Nested
  class WhatHelpsTest {
    @Test
    void kindsOfRemediesStandInTheirOrder() {
      assertThat(Remedies.Kind.values())
          .containsExactly(
              Remedies.Kind.UNCORDON,
              Remedies.Kind.TOLERATE,
              Remedies.Kind.TAG,
              Remedies.Kind.CUT,
              Remedies.Kind.GROW,
              Remedies.Kind.COMBINED,
              Remedies.Kind.MOVE,
              Remedies.Kind.RELEASE);
    }

    @Test
    void theyKeepWhatTheyWereMadeOf() {
      Remedies.Remedy remedy = remedy(List.of(RELEASE));
      keeps(
          of -> new Remedies("w", Remedies.Prospect.NOT_NOW, of, List.of()),
          Remedies::remedies,
          remedy);
      Reason reason = new Reason.Cordoned();
      keeps(
          of -> new Remedies("w", Remedies.Prospect.NEVER, List.of(), of), Remedies::waits, reason);
      keeps(this::remedy, Remedies.Remedy::changes, RELEASE);
      keeps(of -> shortage(of, List.of(), List.of()), Shortage::resources, "power@rack");
      keeps(of -> shortage(List.of(), of, List.of()), Shortage::workloads, "web");
      keeps(of -> shortage(List.of(), List.of(), of), Shortage::changes, MOVE);
      misses("cost", () -> new Remedies.Remedy(Remedies.Kind.CUT, "n", WEB, List.of(), null, true));
    }

    private Remedies.Remedy remedy(List<Change> changes) {
      return new Remedies.Remedy(Remedies.Kind.RELEASE, "n", WEB, changes, Quantity.ONE, true);
    }

    private Shortage shortage(
        List<String> resources, List<String> workloads, List<Change> changes) {
      return new Shortage(resources, workloads, Resources.none(), changes);
    }
  }

  @Nested
  class SizesTest {
    private Sizing sizing(List<Sizing.Count> counts, List<String> unplaced) {
      return new Sizing(counts, Quantity.of(9), Quantity.of(8), false, unplaced, 12);
    }

    @Test
    void theNodesOfAllOffersCount() {
      assertThat(sizing(List.of(), List.of()).nodes()).isZero();
      assertThat(
              sizing(
                      List.of(
                          new Sizing.Count("small", 2),
                          new Sizing.Count("none", 0),
                          new Sizing.Count("large", 40)),
                      List.of())
                  .nodes())
          .isEqualTo(42);
    }

    @Test
    void theyKeepWhatTheyWereMadeOf() {
      keeps(of -> sizing(of, List.of()), Sizing::counts, new Sizing.Count("small", 1));
      keeps(of -> sizing(List.of(), of), Sizing::unplaced, "web");
    }
  }

  @Nested
  class WhatWouldBeTest {
    @Test
    void itKeepsWhatItWasMadeOf() {
      WhatIf.Figures figures = new WhatIf.Figures(1, 1, 1, 0);
      WhatIf.Fate fate =
          new WhatIf.Fate("web", WhatIf.Kind.MOVED, Optional.of("n1"), Optional.of("n2"));
      keeps(of -> new WhatIf(figures, figures, of, List.of()), WhatIf::fates, fate);
      misses("then", () -> new WhatIf.Fate("web", WhatIf.Kind.GONE, Optional.empty(), null));
    }

    @Test
    void aGangSaysWhichAndWhere() {
      misses("gang", () -> new GangRefusal(null, 2, 1, Optional.empty(), -1));
      misses("domain", () -> new GangRefusal("ring", 2, 1, null, -1));
    }
  }
}

package io.lighthouse.benchmarks.placer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import io.lighthouse.benchmarks.problem.ProblemGenerator;
import io.lighthouse.benchmarks.problem.ProblemSpec;
import java.util.Arrays;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is compared must be comparable: the others answer exactly as Lighthouse does. */
class PlacersTest {
  private static final BenchmarkProblem PLAIN = ProblemGenerator.generate(ProblemSpec.plain(60));
  private static final BenchmarkProblem FEW_SHAPES =
      ProblemGenerator.generate(new ProblemSpec(60, 2, 95, 10, false));
  private static final BenchmarkProblem RULES =
      ProblemGenerator.generate(new ProblemSpec(60, 4, 95, 0, true));

  @Nested
  class TheNaivePlacer {
    @ParameterizedTest
    @EnumSource(names = {"PRIORITIZED", "ROUND_ROBIN", "BIN_PACK"})
    void answersAsLighthouseDoes(Contestant rule) {
      for (BenchmarkProblem problem : new BenchmarkProblem[] {PLAIN, FEW_SHAPES, RULES}) {
        wholeRun(problem, rule, new NaivePlacer(problem, rule));
      }
    }

    @ParameterizedTest
    @EnumSource(names = {"PRIORITIZED", "ROUND_ROBIN", "BIN_PACK"})
    void goesOnFromAnyMomentOfARun(Contestant rule) {
      SampledRun.nanosPerAttempt(
          RULES, rule, lighthouse(RULES, rule), new NaivePlacer(RULES, rule), 7, 20);
    }
  }

  @Nested
  class ThePlainScan {
    @ParameterizedTest
    @EnumSource(names = {"PRIORITIZED", "ROUND_ROBIN", "BIN_PACK"})
    void answersAsLighthouseDoes(Contestant rule) {
      for (BenchmarkProblem problem : new BenchmarkProblem[] {PLAIN, FEW_SHAPES}) {
        wholeRun(problem, rule, new PlainScan(problem, rule));
      }
    }

    @Test
    void refusesAProblemWithRules() {
      assertThatThrownBy(() -> new PlainScan(RULES, Contestant.PRIORITIZED))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no rules");
    }
  }

  @Nested
  class ASample {
    @Test
    void thatAnswersOtherwiseIsRefused() {
      Answer wrong = lighthouse(PLAIN, Contestant.PRIORITIZED);
      wrong.nodeOf()[0]++;

      assertThatThrownBy(
              () ->
                  SampledRun.nanosPerAttempt(
                      PLAIN,
                      Contestant.PRIORITIZED,
                      wrong,
                      new NaivePlacer(PLAIN, Contestant.PRIORITIZED),
                      1,
                      600))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Lighthouse says");
    }
  }

  @Nested
  class TheCheckOfAnswers {
    @ParameterizedTest
    @EnumSource
    void findsNothingWrongWithLighthouse(Contestant contestant) {
      Answer answer = lighthouse(PLAIN, contestant);

      assertThat(Soundness.findings(PLAIN, answer)).isEmpty();
      assertThat(Soundness.refusedWithoutNeed(PLAIN, answer)).isEmpty();
      assertThat(answer.placed()).isBetween(300, 600);
    }

    @Test
    void findsAnOvercommittedNode() {
      int[] allOnOne = new int[PLAIN.workloads().size()];

      assertThat(Soundness.findings(PLAIN, new Answer(allOnOne)))
          .isNotEmpty()
          .allMatch(finding -> finding.contains(PLAIN.nodes().get(0).name()));
    }

    @Test
    void findsARefusalWithoutNeed() {
      int[] nobody = new int[PLAIN.workloads().size()];
      Arrays.fill(nobody, StepPlacer.NONE);

      assertThat(Soundness.refusedWithoutNeed(PLAIN, new Answer(nobody))).hasSize(600);
    }
  }

  private static Answer lighthouse(BenchmarkProblem problem, Contestant contestant) {
    return Answer.of(problem, contestant.distributor(problem).assign(problem.workloads())::node);
  }

  /** Throws at the first answer that differs. */
  private static void wholeRun(BenchmarkProblem problem, Contestant rule, StepPlacer placer) {
    Answer answer = lighthouse(problem, rule);
    assertThat(answer.placed()).isPositive();
    SampledRun.nanosPerAttempt(problem, rule, answer, placer, 1, problem.workloads().size());
  }
}

package io.lighthouse.benchmarks.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.benchmarks.placer.Answer;
import io.lighthouse.benchmarks.placer.Contestant;
import io.lighthouse.benchmarks.placer.Soundness;
import io.lighthouse.benchmarks.problem.BenchmarkProblem;
import io.lighthouse.benchmarks.problem.ProblemGenerator;
import io.lighthouse.benchmarks.problem.ProblemSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PeersTest {
  private static final BenchmarkProblem PROBLEM = ProblemGenerator.generate(ProblemSpec.plain(50));

  @ParameterizedTest
  @EnumSource
  void aPeerPlacesSoundlyAndRefusesNothingWithoutNeed(Peer.Kind kind) {
    Answer answer = answer(kind, PROBLEM);

    assertThat(Soundness.findings(PROBLEM, answer)).isEmpty();
    assertThat(Soundness.refusedWithoutNeed(PROBLEM, answer)).isEmpty();
    assertThat(answer.placed()).isBetween(250, 500);
  }

  /** So that the comparison is about speed alone. */
  @Test
  void timefoldFirstFitIsOurs() {
    Answer ours =
        Answer.of(
            PROBLEM, Contestant.PRIORITIZED.distributor(PROBLEM).assign(PROBLEM.workloads())::node);

    assertThat(answer(Peer.Kind.TIMEFOLD_FIRST_FIT, PROBLEM).nodeOf()).isEqualTo(ours.nodeOf());
  }

  @Test
  void fenzoRefusesAProblemThatItHasNoWordsFor() {
    BenchmarkProblem two = ProblemGenerator.generate(new ProblemSpec(5, 2, 95, 0, false));

    assertThatThrownBy(() -> Peer.Kind.FENZO_FIRST_FIT.prepare(two))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("4 resources");
  }

  private static Answer answer(Peer.Kind kind, BenchmarkProblem problem) {
    try (Peer peer = kind.prepare(problem)) {
      peer.place();
      return peer.answer();
    }
  }
}

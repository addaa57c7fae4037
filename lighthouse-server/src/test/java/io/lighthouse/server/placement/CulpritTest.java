package io.lighthouse.server.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.error.InternalErrorException;
import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.api.error.StrategyException;
import io.lighthouse.api.rule.RuleException;
import org.junit.jupiter.api.Test;

/**
 * Tests the broken part for each kind of exception directly: no input and no plug-in makes the
 * engine fail in a test.
 */
class CulpritTest {
  @Test
  void isTheOneThatMustAct() {
    assertThat(Culprit.of(new StrategyException("s", "s.jar", "threw", null)))
        .isEqualTo(Culprit.STRATEGY);
    assertThat(Culprit.of(new LighthouseException("two strategies of one name")))
        .isEqualTo(Culprit.STRATEGY);
    assertThat(Culprit.of(new RuleException("r", "r.jar", "threw", null))).isEqualTo(Culprit.RULE);
    assertThat(Culprit.of(new InternalErrorException("the rows disagree", null)))
        .isEqualTo(Culprit.LIGHTHOUSE);
  }

  @Test
  void hasAProblemTypeOfItsOwn() {
    InternalErrorException bug = new InternalErrorException("the rows disagree", null);
    var problem = Culprit.of(bug).problem(bug.getMessage());

    assertThat(problem.status()).isEqualTo(500);
    assertThat(problem.type()).isEqualTo("internal");
    assertThat(problem.detail())
        .isEqualTo("this is a bug of Lighthouse, please report it: the rows disagree");
    assertThat(Culprit.values())
        .extracting(culprit -> culprit.problem("").type())
        .containsExactly("strategy", "rule", "internal");
  }
}

package io.lighthouse.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.InvalidInputException.Thing;
import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.api.error.StrategyException;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ExceptionsTest {

  @Nested
  class ACallersMistake {
    @Test
    void namesTheThingTheFieldTheValueAndWhatIsAllowed() {
      InvalidInputException mistake =
          new InvalidInputException("node 'n1'", "resources.cpu", "NaN", "a decimal");

      assertThat(mistake).hasMessage("node 'n1': resources.cpu is NaN; allowed: a decimal");
      assertThat(mistake.subject()).isEqualTo("node 'n1'");
      assertThat(mistake.field()).isEqualTo("resources.cpu");
      assertThat(mistake.found()).isEqualTo("NaN");
      assertThat(mistake.allowed()).isEqualTo("a decimal");
      assertThat(mistake).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void tellsWhichThingItIsAbout() {
      assertThat(about(Thing.node("n1"))).isEqualTo("node 'n1'");
      assertThat(about(Thing.workload("w"))).isEqualTo("workload 'w'");
      assertThat(about(Thing.domain("rack", "r1"))).isEqualTo("domain 'r1' of level 'rack'");
      assertThat(about(Thing.rule("near"))).isEqualTo("rule 'near'");
      assertThat(about(Thing.rule("near", Map.of("most", "2")))).isEqualTo("rule 'near'");
      assertThat(new InvalidInputException("node 'n1'", "name", "x", "y").thing()).isEmpty();
    }

    private String about(Thing thing) {
      InvalidInputException mistake = new InvalidInputException(thing, "name", "x", "y");
      assertThat(mistake.thing()).contains(thing);
      assertThat(mistake).hasMessage(mistake.subject() + ": name is x; allowed: y");
      return mistake.subject();
    }

    @Test
    void shortensALongValueWithoutSplittingACharacter() {
      String emoji = "\ud83d\ude00";

      assertThat(found("x".repeat(200))).isEqualTo("x".repeat(200));
      assertThat(found("x".repeat(201))).isEqualTo("x".repeat(200) + "... (201 characters)");
      assertThat(found("x".repeat(199) + emoji))
          .isEqualTo("x".repeat(199) + "... (201 characters)");
      assertThat(found("x".repeat(198) + emoji + "y"))
          .isEqualTo("x".repeat(198) + emoji + "... (201 characters)");
    }

    private String found(String value) {
      return new InvalidInputException("subject", "field", value, "less").found();
    }
  }

  @Nested
  class ABrokenStrategy {
    @Test
    void isNamedWithItsOriginAndWhatItDid() {
      RuntimeException cause = new RuntimeException("boom");
      StrategyException broken =
          new StrategyException("emptiest-first", "org.example.Emptiest in x.jar", "threw", cause);

      assertThat(broken)
          .hasMessage("strategy 'emptiest-first' (org.example.Emptiest in x.jar) threw")
          .hasCause(cause)
          .isInstanceOf(LighthouseException.class)
          .isNotInstanceOf(IllegalArgumentException.class);
      assertThat(broken.strategy()).isEqualTo("emptiest-first");
      assertThat(broken.origin()).isEqualTo("org.example.Emptiest in x.jar");
    }

    @Test
    void mayHaveThrownNothing() {
      assertThat(new StrategyException("s", "o", "declined", null)).hasNoCause();
      assertThat(new LighthouseException("broken")).hasMessage("broken").hasNoCause();
    }
  }
}

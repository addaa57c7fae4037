package io.lighthouse.tests.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Gang;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.core.Distributors;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the parser of problems refuses, the Java API refuses, too. */
class RefusedProblemsTest {
  private static Distributors.Builder builder() {
    return Distributors.installed()
        .strategy("prioritized")
        .nodes(Node.of("n", Resources.of("cpu", 9)).in("rack", "r").in("zone", "z"));
  }

  private static Workload member(String name, Gang gang) {
    return Workload.of(name, Resources.of("cpu", 1)).withTerms(Terms.NONE.inGang(gang));
  }

  @Test
  void membersOfAGangThatNameDifferentLevels() {
    Distributor fleet = builder().build();
    Workload one = member("one", Gang.of("g").within("rack"));
    for (Gang other : List.of(Gang.of("g").within("zone"), Gang.of("g"))) {
      assertThatThrownBy(() -> fleet.assign(one, member("two", other)))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("two")
          .hasMessageContaining("gang.within")
          .hasMessageContaining("'rack', as the first member of gang 'g'");
      assertThat(fleet.snapshot().nodeOf("one")).isEmpty();
    }
    assertThat(fleet.assign(one, member("two", Gang.of("g").within("rack"))).asMap()).hasSize(2);
  }

  @Test
  void rulesOfAFleetThatCountNothing() {
    assertThatThrownBy(() -> builder().rules(new Rule.Where(List.of())))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("rules[0]");
    assertThatThrownBy(
            () -> builder().rules(new Rule.Apart("g", "node"), new Rule.Skew(0, "g", "zone", 1)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("rules[1].skew");
  }
}

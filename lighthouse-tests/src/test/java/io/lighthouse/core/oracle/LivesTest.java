package io.lighthouse.core.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Change;
import io.lighthouse.api.Condition;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Rule;
import io.lighthouse.tests.referee.Cases;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Lives of fleets with domains, rules, gangs, regroupings and changes of nodes, beside the oracle:
 * after every step both say the same of everything. There are 700 lives, or as many as {@code
 * -Dlighthouse.lives} says, with the seeds from 0 on.
 */
class LivesTest {
  private static final int LIVES = Integer.getInteger("lighthouse.lives", 700);

  /**
   * What has to come up five times, or the lives would show little. As the seeds are the same in
   * each run, so are the counts: 500 lives reach it always or never.
   */
  private static final List<String> CASES =
      List.of(
          "placed",
          "refused",
          "gang placed",
          "gang placed in a domain",
          "gang placed in another domain than the first",
          "gang undone",
          "gang undone in every domain",
          "gang whose first member found nothing",
          "preference narrowed",
          "cordoned",
          "cordoned at",
          "missing",
          "missing at",
          "unit",
          "unit at",
          "short",
          "short at",
          "shortcoming",
          "shortcoming at",
          "ward",
          "ward at",
          "no-domain",
          "not-selected",
          "crowded",
          "crowded by another",
          "alone",
          "skewed",
          "released",
          "added node",
          "removed node",
          "resized node",
          "declared",
          "undeclared",
          "resized domain",
          "cordoned domain",
          "regrouped",
          "moved",
          "late level",
          "assigned to a node",
          "refused change",
          "rolled back",
          "tried out",
          "all or nothing",
          "written out and read",
          "copied");

  /** A plug-in's rule and a strategy that declines have tests of their own. */
  private static final Set<Class<?>> ELSEWHERE =
      Set.of(Rule.Named.class, Reason.ByRule.class, Reason.Declined.class);

  /** Every kind of the sealed families. */
  private static final List<String> KINDS =
      Stream.of(Change.class, Rule.class, Condition.class, Reason.class)
          .flatMap(family -> Cases.kinds(family).stream())
          .filter(kind -> !ELSEWHERE.contains(kind))
          .map(Class::getSimpleName)
          .toList();

  /** Lives in which a fault has to show. */
  private static final int SHOWN_IN = 1_500;

  static Set<Fault> faults() {
    return Fault.ofDomainsRulesAndGangs();
  }

  @ParameterizedTest
  @MethodSource("faults")
  void showEveryFault(Fault fault) {
    assertThat(IntStream.range(0, SHOWN_IN))
        .as("some life shows it")
        .anyMatch(seed -> new Life(seed, new TreeMap<>(), fault).run().isPresent());
  }

  @Test
  void goOnAsTheOracleSays() {
    Map<String, Integer> counts = new TreeMap<>();
    List<String> differences = new ArrayList<>();
    IntStream.range(0, LIVES)
        .forEach(
            seed -> {
              Life life = new Life(seed, counts);
              life.run().ifPresent(differences::add);
              if (differences.size() == 5) {
                throw new AssertionError(String.join("\n\n", differences));
              }
            });

    assertThat(differences).isEmpty();
    if (LIVES >= 500) {
      assertThat(counts).containsKeys(CASES.toArray(String[]::new));
      assertThat(counts).containsKeys(KINDS.toArray(String[]::new));
      CASES.forEach(one -> assertThat(counts.get(one)).as(one).isGreaterThanOrEqualTo(5));
    }
  }
}

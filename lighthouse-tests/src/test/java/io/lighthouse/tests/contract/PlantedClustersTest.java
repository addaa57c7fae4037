package io.lighthouse.tests.contract;

import static io.lighthouse.tests.contract.NaiveSubject.SEEDS;
import static io.lighthouse.tests.contract.NaiveSubject.hearing;
import static io.lighthouse.tests.contract.NaiveSubject.judged;
import static io.lighthouse.tests.contract.NaiveSubject.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Condition;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.core.oracle.Fault;
import io.lighthouse.tests.generate.RandomFleet;
import io.lighthouse.tests.generate.Scenarios;
import io.lighthouse.tests.referee.Law;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Engines that get one thing wrong of domains, rules or gangs, before the laws of clusters: the law
 * that forbids it finds it. And one that gets nothing wrong, in which nothing is found.
 */
@Tag("planted")
class PlantedClustersTest {
  @Test
  void nothingIsFoundInASoundEngine() {
    for (int seed = 1; seed <= SEEDS / 4; seed++) {
      assertThat(judged(NaiveSubject.wrong(Fault.NONE), seed)).as("seed %d", seed).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "FORGETS_WHAT_IS_SHARED_ON_RELEASE, BOOKS",
    "LOOKS_ONLY_AT_WHAT_IS_SHARED, NEGATIVES",
    "PLACES_IN_CLOSED_DOMAINS, CORDON",
    "LETS_IMMUNITY_HOLD_ON_NODES_ONLY, REFUSAL",
    "IGNORES_UNITS, UNITS",
    "TAKES_NOWHERE_FOR_SOMEWHERE_ELSE, REFUSAL",
    "LOOKS_AT_WHAT_IS_LEFT_IN_A_CONDITION, SELECTION",
    "FORGETS_THE_BOUNDS_OF_OTHERS, MOST",
    "LETS_APART_BIND_ITS_HOLDER_ONLY, MOST",
    "COUNTS_ITSELF_AS_A_STRANGER, MOST",
    "LETS_NOBODY_BE_THE_FIRST, REFUSAL",
    "COUNTS_CLOSED_DOMAINS_FOR_THE_FLOOR, REFUSAL",
    "COUNTS_ONLY_POSSIBLE_NODES_FOR_THE_FLOOR, REFUSAL",
    "IGNORES_MIN_DOMAINS, SKEW",
    "COUNTS_NO_AVERSION_GROUPS, MOST",
    "COUNTS_NO_AVERSION_GROUPS, LEAST",
    "TAKES_PREFERENCES_BACKWARDS, BEST",
    "PREFERS_BEFORE_AVERSION, BEST",
    "LEAVES_A_GANG_BEHIND, BOOKS",
    "TRIES_ONE_DOMAIN_ONLY, GANG",
    "KEEPS_THE_POSITION_OF_A_GANG, POSITION",
    "REGROUPS_NOBODY, BOOKS",
    "FORGETS_THE_RULES_AT_THE_TOP, MOST"
  })
  void everyFaultIsFoundByItsLaw(Fault fault, Law law) {
    assertThat(NaiveSubject.isFound(NaiveSubject.wrong(fault), finding -> finding.law() == law))
        .isTrue();
  }

  /** The law of room covers nodes and domains; this is a fault of domains only. */
  @Test
  void anOvercommittedDomainIsFound() {
    Subject wrong = hearing(one -> one.withTerms(with(one.terms(), Map.of(), one.terms().rules())));
    assertThat(
            NaiveSubject.isFound(
                wrong,
                finding ->
                    finding.law() == Law.ROOM
                        && finding.found().contains("Insufficient")
                        && finding.found().contains("At[")))
        .isTrue();
  }

  private static Stream<String> planted(int column) throws NoSuchMethodException {
    String[] table =
        PlantedClustersTest.class
            .getDeclaredMethod("everyFaultIsFoundByItsLaw", Fault.class, Law.class)
            .getAnnotation(CsvSource.class)
            .value();
    return Stream.of(table).map(row -> row.split(", ")[column]);
  }

  @Test
  void everyFaultOfDomainsRulesAndGangsIsPlanted() throws NoSuchMethodException {
    assertThat(planted(0).map(Fault::valueOf)).containsAll(Fault.ofDomainsRulesAndGangs());
  }

  /** The rows there join some faults; their number shows that one is missing. */
  @Test
  void theDocumentHasTheNumberOfFaults() throws IOException {
    Path page = Path.of(System.getProperty("lighthouse.root"), "docs/quality.md");
    int faults = Fault.ofDomainsRulesAndGangs().size();
    assertThat(Files.readString(page).replaceAll("\\s+", " "))
        .contains("one of " + faults + " more faults", "Each of the " + faults + " faults");
  }

  @Test
  void everyLawOfDomainsRulesAndGangsHasItsFault() throws NoSuchMethodException {
    Set<Law> found = EnumSet.of(Law.TOP_RULES, Law.DOMAIN_NAMES, Law.DOMAIN_PLAIN);
    planted(1).map(Law::valueOf).forEach(found::add);
    assertThat(found).containsAll(EnumSet.range(Law.UNITS, Law.DOMAIN_PLAIN));
  }

  // ---- laws that say the same in two ways ----

  /** The law is broken by the wrong engine in the scenario of some seed. */
  private static void isFound(Law law, Subject wrong, BiConsumer<Subject, Integer> check) {
    for (int seed = 1; seed <= SEEDS; seed++) {
      try {
        check.accept(wrong, seed);
      } catch (BrokenLaw broken) {
        if (broken.law() != Law.SOUND_CALLS) { // A call that fails belongs to that law alone.
          assertThat(broken.law()).isEqualTo(law);
          return;
        }
      }
    }
    throw new AssertionError("not found by " + law + " in " + SEEDS + " seeds");
  }

  private static BiConsumer<Subject, Integer> inTwoWays(Consumer<Wordings> check) {
    return (subject, seed) ->
        check.accept(new Wordings(Scenarios.ofSeed(seed), new CallRecord(), subject));
  }

  private static Terms with(Terms terms, Map<String, Resources> shared, List<Rule> rules) {
    return new Terms(
        shared, terms.groups(), terms.where(), rules, terms.preferences(), terms.gang());
  }

  @Test
  void rulesAtTheTopThatAreForgottenAreFound() {
    Subject wrong = NaiveSubject.wrong(Fault.FORGETS_THE_RULES_AT_THE_TOP);
    isFound(Law.TOP_RULES, wrong, inTwoWays(Wordings::rulesAtTheTop));
  }

  @Test
  void aReleaseThatForgetsDomainsIsFound() {
    Subject wrong = NaiveSubject.wrong(Fault.FORGETS_WHAT_IS_SHARED_ON_RELEASE);
    isFound(Law.RELEASE, wrong, (subject, seed) -> Twins.released(run(subject, seed)));
  }

  @Test
  void preferencesThatAreTakenForRulesAreFound() {
    Subject wrong =
        hearing(
            workload -> {
              List<Rule> rules = new ArrayList<>(workload.terms().rules());
              workload.terms().preferences().stream()
                  .filter(rule -> rule instanceof Rule.Most || rule instanceof Rule.Least)
                  .forEach(rules::add);
              return workload.withTerms(with(workload.terms(), workload.terms().shared(), rules));
            });
    assertThat(NaiveSubject.isFound(wrong, finding -> finding.law() == Law.REFUSAL)).isTrue();
  }

  @Test
  void namesThatMatterAreFound() {
    Subject wrong =
        NaiveSubject.made(
            fleet -> {
              List<Node> nodes = new ArrayList<>(fleet.nodes());
              nodes.sort(Comparator.comparing(node -> node.domains().toString()));
              return NaiveSubject.naive(
                  Fault.NONE,
                  new RandomFleet(nodes, fleet.domains(), fleet.rules(), fleet.lastPlaced()));
            });
    isFound(Law.DOMAIN_NAMES, wrong, inTwoWays(Wordings::otherNames));
  }

  @Test
  void labelsThatMatterToPlainWorkloadsAreFound() {
    Terms inAZone = Terms.NONE.where(new Condition.Somewhere("zone"));
    Subject wrong = hearing(workload -> workload.withTerms(inAZone));
    isFound(Law.DOMAIN_PLAIN, wrong, inTwoWays(Wordings::plainProblems));
  }

  @Test
  void aMovedResourceThatIsForgottenIsFound() {
    Subject wrong =
        hearing(
            workload -> {
              Map<String, Resources> shared = new HashMap<>(workload.terms().shared());
              shared.remove("own");
              return workload.withTerms(with(workload.terms(), shared, workload.terms().rules()));
            });
    isFound(Law.BOOKS, wrong, inTwoWays(Wordings::movedResource));
  }

  @Test
  void aSoundEngineSaysTheSameInBothWays() {
    Subject sound = NaiveSubject.wrong(Fault.NONE);
    for (int seed = 1; seed <= SEEDS / 10; seed++) {
      Twins.released(run(sound, seed));
      Twins.copy(run(sound, seed), seed % 12);
      Twins.writtenOut(run(sound, seed), seed % 12);
      inTwoWays(Wordings::rulesAtTheTop).accept(sound, seed);
      inTwoWays(Wordings::otherNames).accept(sound, seed);
      inTwoWays(Wordings::plainProblems).accept(sound, seed);
      inTwoWays(Wordings::movedResource).accept(sound, seed);
    }
  }
}

package io.lighthouse.tests.planted;

import static io.lighthouse.tests.planted.LawRun.TRIES;
import static io.lighthouse.tests.planted.LawRun.assertCaught;
import static io.lighthouse.tests.planted.LawRun.reportOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.core.oracle.Fault;
import io.lighthouse.core.oracle.Strategy;
import io.lighthouse.tests.referee.Law;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the laws report of planted faults: the law, the smallest problem, and its record. */
@Tag("planted")
class ReportsOfLawsTest {
  /** A line of a report that shows a node, as made or as added. */
  private static final Pattern NODE = Pattern.compile(" *(\\d+\\. attempt add )?node .*");

  @AfterEach
  void digUp() {
    PlantedLedger.fault = Fault.NONE;
    PlantedLedger.naive = Strategy.PRIORITIZED;
    WrongStrategies.STOPPED.set(true);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rulesAtTheTopAreRules",
        "plainProblemsAnswerAsBefore",
        "namesAndOrderOfDomainsSayNothing",
        "allOrNothingLeavesNothingBehind",
        "answersWhenABudgetEnds",
        "distributorsShareNothing",
        "whatIsTriedOutLeavesNothingBehind",
        "carriesOutAllChangesOrNone",
        "releaseRestoresExactly"
      })
  void callsThatFailAreReportedByTheirOwnLawOnly(String law) {
    PlantedStrategy.strategy = WrongStrategies::dropsTheLastOfABatch;
    assertThat(LawRun.of(PlantedStrategy.class, law, 200, false)).isEmpty();
    assertThat(reportOf(PlantedStrategy.class, "answersEverySoundCall", Law.SOUND_CALLS, false))
        .startsWith("broken law: " + Law.SOUND_CALLS.sentence())
        .contains("record:");
  }

  /** Fails where no node is in a rack, as on the twin of this law. */
  @Test
  void aCallThatOnlyATwinFailsIsReportedWithItsRecord() {
    PlantedStrategy.strategy = WrongStrategies::failsInABareFleet;
    assertThat(
            reportOf(PlantedStrategy.class, "plainProblemsAnswerAsBefore", Law.DOMAIN_PLAIN, false))
        .startsWith("broken law: " + Law.DOMAIN_PLAIN.sentence())
        .contains("fails-in-a-bare-fleet", "StrategyException", "record:");
  }

  @Test
  void aStrategyThatNeverEndsIsReportedAndItsThreadAbandoned() {
    WrongStrategies.STOPPED.set(false);
    Optional<Throwable> report =
        LawRun.of(PlantedStrategy.Endless.class, "answersEverySoundCall", TRIES, true);
    assertCaught(report);
    // Which call it is depends on chance: any in which the strategy has a turn.
    String message = report.orElseThrow().getMessage();
    assertThat(message).startsWith("broken law: " + Law.IN_TIME.sentence());
    assertThat(message).containsPattern("no end after 2 s of: (assign|explain|attempt)");
    String call = message.replaceFirst("(?s).*no end after 2 s of: (.*?)\\Rrecord:.*", "$1");
    assertThat(message).as("the call is the last of the record").endsWith(". " + call);
    assertThat(LawRun.of(PlantedStrategy.Endless.class, "placesOnlyWhereItFits", TRIES, true))
        .as("another law, afterwards")
        .get()
        .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
        .hasMessageContaining("given up");
  }

  /** The smallest of three runs is looked at, for once in a while one has a workload more. */
  @Test
  void aFindingNamesTheLawTheSmallestProblemAndWhatWasExpected() {
    PlantedLedger.fault = Fault.OVERLOOKS_ONE_RESOURCE;
    PlantedLedger.naive = Strategy.ROUND_ROBIN;
    Predicate<String> isWorkload = line -> line.contains("workload ");
    String report =
        smallestReport(PlantedLedger.OfNodes.class, "placesOnlyWhereItFits", Law.ROOM, isWorkload);
    assertThat(report)
        .contains("broken law: no node is overcommitted")
        .contains("expected a node that it fits, found placed on")
        .contains("strategy 'round-robin', settings {}, rubric {cpu: 1, mem: 0.5}")
        // One node, there from the start or added, and resized or not: shrinking leaves that to
        // chance, for a step that the others need cannot be left out alone.
        .containsPattern("made from (0 nodes|1 node)[,\n]")
        .containsPattern("[2-6]\\. assign");
    assertThat(report.lines().filter(isWorkload)).hasSizeBetween(2, 3);
  }

  /**
   * A gang that fits the second domain that is tried: one or two nodes show it, there or added.
   *
   * <p>A step names its node by an index, so a node cannot always be left out alone: 3 of 1,000
   * runs end with three or four.
   */
  @Test
  void aFindingInAScenarioWithDomainsIsShrunkToo() {
    PlantedLedger.fault = Fault.TRIES_ONE_DOMAIN_ONLY;
    PlantedLedger.naive = Strategy.ROUND_ROBIN;
    Predicate<String> isNode = NODE.asMatchPredicate();
    String report = smallestReport(PlantedLedger.class, "gangsAreWholeOrGone", Law.GANG, isNode);
    assertThat(report.lines().filter(isNode)).hasSizeBetween(1, 2);
  }

  @Test
  void aFindingAboutAnExplanationShowsTheWorkload() {
    PlantedLedger.fault = Fault.IGNORES_CORDONS;
    PlantedLedger.naive = Strategy.ROUND_ROBIN;
    assertThat(reportOf(PlantedLedger.OfNodes.class, "explainsTruly", Law.REASONS, true))
        .containsPattern("to be explained: assign \\[.*]\\n +workload ");
  }

  /** Of three runs of a law, the report with the fewest lines of a kind. */
  private static String smallestReport(
      Class<?> contract, String law, Law broken, Predicate<String> isCounted) {
    return Stream.generate(() -> reportOf(contract, law, broken, true))
        .limit(3)
        .min(Comparator.comparingLong(report -> report.lines().filter(isCounted).count()))
        .orElseThrow();
  }

  @Test
  void aGeneratorThatKnowsNoAversionIsCaught() {
    Optional<Throwable> report =
        LawRun.of(
            PlantedStrategy.WithoutRivals.class, "scenariosReachTheInterestingCases", TRIES, false);
    assertCaught(report);
    assertThat(report.orElseThrow())
        .hasMessageContaining("avers")
        .hasMessageContaining("no scenario meets the case");
  }
}

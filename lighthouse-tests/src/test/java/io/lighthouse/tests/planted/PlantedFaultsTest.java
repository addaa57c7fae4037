package io.lighthouse.tests.planted;

import static io.lighthouse.tests.planted.LawRun.TRIES;
import static io.lighthouse.tests.planted.LawRun.assertCaught;
import static io.lighthouse.tests.planted.LawRun.reportOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.core.oracle.Fault;
import io.lighthouse.core.oracle.Strategy;
import io.lighthouse.tests.contract.StrategyContract;
import io.lighthouse.tests.referee.Law;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import net.jqwik.api.Property;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every planted fault is caught by the law that is meant to catch it. */
@Tag("planted")
class PlantedFaultsTest {
  private static final String REFERENCE = "everyAnswerAndEveryStateIsTheNaiveOne";

  @AfterEach
  void digUp() {
    PlantedLedger.fault = Fault.NONE;
    PlantedLedger.naive = Strategy.PRIORITIZED;
  }

  static Stream<Arguments> wrongLedgers() {
    return Stream.of(
        ledger(Fault.COUNTS_IN_FLOATS, "keepsExactBooksThroughAnyMixOfCalls", Law.BOOKS),
        ledger(Fault.ROUNDS_REQUIREMENTS_DOWN, "keepsExactBooksThroughAnyMixOfCalls", Law.BOOKS),
        ledger(Fault.ROUNDS_NODES_UP, "keepsExactBooksThroughAnyMixOfCalls", Law.BOOKS),
        ledger(Fault.KEEPS_THE_SCALE_OF_THE_NODE, "keepsExactBooksThroughAnyMixOfCalls", Law.BOOKS),
        ledger(Fault.COMMITS_ONE_RESOURCE_ONLY, "keepsExactBooksThroughAnyMixOfCalls", Law.BOOKS),
        ledger(Fault.LOSES_A_RELEASE, "releaseRestoresExactly", Law.RELEASE),
        ledger(Fault.OVERLOOKS_ONE_RESOURCE, "placesOnlyWhereItFits", Law.ROOM),
        ledger(Fault.IS_OFF_BY_ONE_UNIT, "placesOnlyWhereItFits", Law.ROOM),
        ledger(Fault.TAKES_MISSING_FOR_ZERO, "placesOnlyWhereItFits", Law.NAMES),
        ledger(Fault.LETS_IMMUNITY_REPLACE_EXISTENCE, "placesOnlyWhereItFits", Law.NAMES),
        ledger(Fault.LOOKS_ONLY_AT_WHAT_IS_REQUIRED, "placesOnlyWhereItFits", Law.NEGATIVES),
        ledger(Fault.TAKES_A_WARD_FOR_A_LARGE_SHORTCOMING, "placesOnlyWhereItFits", Law.NEGATIVES),
        ledger(Fault.USES_UP_INFINITY, "keepsExactBooksThroughAnyMixOfCalls", Law.BOOKS),
        ledger(Fault.IGNORES_CORDONS, "placesOnlyWhereItFits", Law.CORDON),
        ledger(Fault.FORGETS_AVERSION, "takesTheBestCandidates", Law.AVERSION),
        ledger(Fault.FORGETS_BROUGHT_RIVALS, "takesTheBestCandidates", Law.AVERSION),
        ledger(Fault.REMEMBERS_RELEASED_RIVALS, "takesTheBestCandidates", Law.AVERSION),
        ledger(Fault.OVERLOOKS_THE_LAST_NODE, "refusesOnlyWhereNothingFits", Law.REFUSAL),
        ledger(Fault.NAMES_ONE_REASON_ONLY, "refusesWithTrueReasons", Law.REASONS),
        ledger(Fault.ANSWERS_IN_TURN_ORDER, "answersEverySoundCall", Law.ANSWER),
        ledger(
            Fault.LEAVES_A_PLACEMENT_BEHIND, "allOrNothingLeavesNothingBehind", Law.ALL_OR_NOTHING),
        ledger(
            Fault.ROLLS_BACK_ALL_BUT_THE_POSITION,
            "allOrNothingLeavesNothingBehind",
            Law.ALL_OR_NOTHING),
        ledger(
            Fault.MOVES_THE_POSITION_ON_RELEASE,
            "keepsExactBooksThroughAnyMixOfCalls",
            Law.POSITION),
        ledger(
            Fault.KEEPS_THE_POSITION_ON_REMOVAL,
            "keepsExactBooksThroughAnyMixOfCalls",
            Law.POSITION),
        ledger(
            Fault.FORGETS_PLACEMENTS_ON_RESIZE, "keepsExactBooksThroughAnyMixOfCalls", Law.BOOKS),
        ledger(Fault.SHARES_NODES_WITH_ITS_COPY, "aCopyGoesOnAlikeAndApart", Law.COPY),
        ledger(Fault.COPIES_ALL_BUT_THE_POSITION, "aCopyGoesOnAlikeAndApart", Law.COPY),
        ledger(Fault.PLACES_A_WRONG_BATCH_HALF, "wrongInputChangesNothing", Law.WRONG_CALLS),
        ledger(Fault.RELEASES_A_WRONG_LIST_HALF, "wrongInputChangesNothing", Law.WRONG_CALLS),
        ledger(Fault.TAKES_NAMESAKES, "wrongInputChangesNothing", Law.WRONG_CALLS),
        ledger(Fault.LETS_QUANTITIES_WRAP_ROUND, "wrongInputChangesNothing", Law.WRONG_CALLS),
        ledger(Fault.WRITES_OUT_WITHOUT_CORDONS, "keepsExactBooksThroughAnyMixOfCalls", Law.BOOKS),
        ledger(Fault.LOCKS_NOTHING, "concurrentCallersSeeSomeSerialOrder", Law.SERIAL),
        ledger(Fault.IGNORES_CORDONS, "explainsTruly", Law.REASONS),
        ledger(Fault.CARRIES_OUT_CHANGES_HALF, "carriesOutAllChangesOrNone", Law.CHANGES),
        ledger(Fault.CARRIES_OUT_CHANGES_HALF, "wrongInputChangesNothing", Law.WRONG_CALLS),
        ledger(
            Fault.MOVES_THE_POSITION_WITH_A_MOVE,
            "keepsExactBooksThroughAnyMixOfCalls",
            Law.POSITION),
        ledger(
            Fault.MOVES_WITHOUT_ASKING_WHETHER_IT_FITS,
            "wrongInputChangesNothing",
            Law.WRONG_CALLS),
        ledger(Fault.RECYCLES_A_CORDON, "keepsExactBooksThroughAnyMixOfCalls", Law.BOOKS),
        ledger(
            Fault.ROLLS_BACK_A_TRIAL_WITHOUT_THE_POSITION,
            "whatIsTriedOutLeavesNothingBehind",
            Law.TRY_OUT),
        ledger(
            Fault.ROLLS_BACK_A_TRIAL_WITHOUT_CAPACITIES,
            "whatIsTriedOutLeavesNothingBehind",
            Law.TRY_OUT),
        ledger(
            Fault.ROLLS_BACK_A_TRIAL_WITHOUT_THE_ORDER_ON_A_NODE,
            "whatIsTriedOutLeavesNothingBehind",
            Law.TRY_OUT),
        ledger(Fault.LEAVES_A_TRIED_NAME_TAKEN, "whatIsTriedOutLeavesNothingBehind", Law.TRY_OUT),
        ledger(
            Fault.GROWS_THE_GENERATION_WITHOUT_A_CHANGE,
            "generationsGrowWithChangesAndOnlyWithThem",
            Law.GENERATION),
        ledger(
            Fault.KEEPS_THE_GENERATION_THROUGH_A_RESIZE,
            "generationsGrowWithChangesAndOnlyWithThem",
            Law.GENERATION),
        ledger(
            Fault.COUNTS_EVERY_RESIZE_OF_A_DOMAIN,
            "generationsGrowWithChangesAndOnlyWithThem",
            Law.GENERATION),
        ledger(Fault.TAKES_A_DOMAIN_TWICE, "wrongInputChangesNothing", Law.WRONG_CALLS),
        ledger(Fault.ENDS_A_DOMAIN_IN_USE, "wrongInputChangesNothing", Law.WRONG_CALLS),
        ledger(Fault.RESIZES_A_DOMAIN_BELOW_ITS_USE, "wrongInputChangesNothing", Law.WRONG_CALLS),
        ledger(Fault.TELLS_BEFORE_THE_COMMIT, "whatIsToldCanBeRepeated", Law.TOLD),
        ledger(Fault.TELLS_OF_WHAT_WAS_UNDONE, "whatIsToldCanBeRepeated", Law.TOLD),
        ledger(Fault.TELLS_IN_REVERSE, "whatIsToldCanBeRepeated", Law.TOLD),
        ledger(Fault.TRIES_ONE_DOMAIN_ONLY, "gangsAreWholeOrGone", Law.GANG),
        ledger(Fault.TAKES_PREFERENCES_BACKWARDS, "takesTheBestCandidates", Law.BEST),
        ledger(Fault.FORGETS_THE_RULES_AT_THE_TOP, "rulesAtTheTopAreRules", Law.TOP_RULES));
  }

  private static Arguments ledger(Fault fault, String property, Law law) {
    return Arguments.of(fault, property, law);
  }

  @ParameterizedTest(name = "{0} by {1}, {2}")
  @MethodSource("wrongLedgers")
  void aWrongLedgerIsCaughtByItsLaw(Fault fault, String property, Law law) {
    PlantedLedger.fault = fault;
    PlantedLedger.naive =
        fault == Fault.ANSWERS_IN_TURN_ORDER ? Strategy.BIN_PACK : Strategy.ROUND_ROBIN;
    assertThat(reportOf(PlantedLedger.class, property, law, false))
        .startsWith("broken law: " + law.sentence());
  }

  @Test
  void everyFaultOfTheNaiveEngineIsPlanted() {
    assertThat(wrongLedgers().map(planted -> (Fault) planted.get()[0]).distinct())
        .containsAll(Fault.ofNodesAndCalls());
  }

  static Stream<Arguments> wrongStrategies() {
    return Stream.of(
        strategy("throws now and then", WrongStrategies::throwsNowAndThen, "answersEverySoundCall"),
        strategy("answers null", WrongStrategies::answersNull, "answersEverySoundCall"),
        strategy(
            "answers a node of another fleet",
            WrongStrategies::answersOfAnotherFleet,
            "answersEverySoundCall"),
        strategy(
            "takes the first node of all",
            WrongStrategies::takesTheFirstNodeOfAll,
            "answersEverySoundCall"),
        strategy(
            "declines undeclared", WrongStrategies::declinesUndeclared, "answersEverySoundCall"),
        strategy(
            "drops the last of a batch",
            WrongStrategies::dropsTheLastOfABatch,
            "answersEverySoundCall"),
        strategy(
            "places a batch without aversion",
            WrongStrategies::batchWithoutAversion,
            "answersEverySoundCall"),
        strategy(
            "returns when its budget ends",
            WrongStrategies::returnsWhenItsBudgetEnds,
            "answersWhenABudgetEnds"),
        strategy(
            "throws its own when its budget ends",
            WrongStrategies::throwsItsOwnWhenItsBudgetEnds,
            "answersWhenABudgetEnds"),
        strategy("chooses at random", WrongStrategies::random, "sameInputGivesTheSameAnswer"),
        strategy("chooses by the clock", WrongStrategies::byClock, "sameInputGivesTheSameAnswer"),
        strategy(
            "keeps a position in its placer, lost with a copy",
            WrongStrategies::keepsAPositionInItsPlacer,
            "aCopyGoesOnAlikeAndApart"),
        strategy(
            "keeps a position in its placer, lost when written out",
            WrongStrategies::keepsAPositionInItsPlacer,
            "whatIsWrittenOutGoesOnAlike"),
        strategy(
            "keeps a position in its placer, not rolled back",
            WrongStrategies::keepsAPositionInItsPlacer,
            "allOrNothingLeavesNothingBehind"),
        strategy(
            "keeps a position for all distributors",
            WrongStrategies::keepsAPositionForAll,
            "distributorsShareNothing"),
        strategy(
            "has other terms for each node",
            WrongStrategies::hasOtherTermsForEachNode,
            "explainsTruly"),
        strategy(
            "has terms against its choice",
            WrongStrategies::hasTermsAgainstItsChoice,
            "explainsTruly"),
        strategy("fails at its terms", WrongStrategies::failsAtItsTerms, "explainsTruly"),
        strategy("refuses its defaults", WrongStrategies::refusesItsDefaults, "saysWhatItIs"),
        strategy(
            "has two settings of one name",
            WrongStrategies::hasTwoSettingsOfOneName,
            "saysWhatItIs"),
        strategy(
            "looks at domains undeclared",
            WrongStrategies::overZones,
            "plainProblemsAnswerAsBefore"),
        strategy(
            "looks at the rules of workloads only",
            WrongStrategies::lastUnderRules,
            "rulesAtTheTopAreRules"),
        strategy(
            "goes by the names of domains",
            WrongStrategies::byNamesOfZones,
            "namesAndOrderOfDomainsSayNothing"),
        strategy("counts its copies", WrongStrategies::countsItsCopies, "aCopyGoesOnAlikeAndApart"),
        strategy(
            "orders the batch, but says sequential",
            WrongStrategies::ordersTheBatchButSaysSequential,
            "aBatchEqualsItsWorkloadsOneByOne"));
  }

  private static Arguments strategy(String name, Supplier<PlacementStrategy> made, String law) {
    // A fault that lies in the instance needs one instance: the contract asks for it again and
    // again.
    return Arguments.of(name, made, law);
  }

  @ParameterizedTest(name = "{0}, by {2}")
  @MethodSource("wrongStrategies")
  void aWrongStrategyIsCaught(String name, Supplier<PlacementStrategy> made, String law) {
    PlantedStrategy.strategy = made;
    assertCaught(LawRun.of(PlantedStrategy.class, law, TRIES, false));
  }

  @Test
  void aStrategyThatRefusesItsDefaultsIsCaughtWithSettingsToo() {
    assertThat(
            reportOf(
                PlantedStrategy.RefusesItsDefaults.class, "saysWhatItIs", Law.DESCRIPTION, false))
        .startsWith("broken law: " + Law.DESCRIPTION.sentence())
        .contains("its own defaults", "'none'");
  }

  @Test
  void aSettingWithoutADefaultMayBeNecessary() {
    assertThat(LawRun.of(PlantedStrategy.NeedsASetting.class, "saysWhatItIs", 1, false)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plainProblemsAnswerAsBefore",
        "namesAndOrderOfDomainsSayNothing",
        "takesTheBestCandidates",
        "aCopyGoesOnAlikeAndApart"
      })
  void aStrategyThatSaysThatItLooksAtDomainsIsSound(String law) {
    assertThat(LawRun.of(PlantedStrategy.SpreadsOverZones.class, law, 500, false)).isEmpty();
  }

  static Stream<Class<?>> strategiesThatHangOnTheProcess() {
    return Stream.of(
        PlantedStrategy.ByIdentity.class,
        PlantedStrategy.ByLocale.class,
        PlantedStrategy.ByHashOrder.class,
        PlantedStrategy.ByProcessors.class,
        PlantedStrategy.ByProcessorsOnItsOwnFleets.class);
  }

  @ParameterizedTest
  @MethodSource("strategiesThatHangOnTheProcess")
  void aStrategyThatHangsOnItsProcessIsCaught(Class<?> contract) {
    // A build starts two processes once and plays a few scenarios in them. Chance may miss the
    // scenario that shows the fault, so several builds are allowed.
    Optional<Throwable> report = Optional.empty();
    for (int build = 0; build < 12 && report.isEmpty(); build++) {
      report = LawRun.of(contract, "freshProcessesGiveTheSameAnswer", TRIES, false);
    }
    assertCaught(report);
  }

  @Test
  void aStrategyThatCallsBackIsCaught() {
    assertCaught(LawRun.of(PlantedStrategy.CallsBack.class, "answersEverySoundCall", TRIES, false));
  }

  @ParameterizedTest
  @ValueSource(
      classes = {PlantedStrategy.SaysNeverFewer.class, PlantedStrategy.StopsSimpleStrategies.class})
  void aStrategyThatPlacesFewerThanItSaysIsCaught(Class<?> contract) {
    assertThat(reportOf(contract, "neverPlacesFewerThanASimplerStrategy", Law.NEVER_FEWER, false))
        .startsWith("broken law: " + Law.NEVER_FEWER.sentence())
        .contains("beside 'spread'");
  }

  static Stream<Arguments> othersThanTheirReference() {
    return Stream.of(
        reference("skips one", WrongStrategies::prioritizedThatSkipsOne, Strategy.PRIORITIZED),
        reference("stays", WrongStrategies::roundRobinThatStays, Strategy.ROUND_ROBIN),
        reference("leaps", WrongStrategies::roundRobinThatLeaps, Strategy.ROUND_ROBIN),
        reference("takes the roomiest", WrongStrategies::binPackOfTheRoomiest, Strategy.BIN_PACK),
        reference("packs as given", WrongStrategies::binPackAsGiven, Strategy.BIN_PACK));
  }

  private static Arguments reference(
      String name, Supplier<PlacementStrategy> made, Strategy naive) {
    return Arguments.of(name, made, naive);
  }

  @ParameterizedTest(name = "{2} that {0}")
  @MethodSource("othersThanTheirReference")
  void aStrategyThatDiffersFromItsReferenceIsCaught(
      String name, Supplier<PlacementStrategy> made, Strategy naive) {
    PlantedStrategy.OtherThanItsReference.strategy = made;
    PlantedStrategy.OtherThanItsReference.naive = naive;
    assertCaught(LawRun.of(PlantedStrategy.OtherThanItsReference.class, REFERENCE, TRIES, false));
  }

  @Test
  void theDocumentHasARowForEachWrongStrategy() throws IOException {
    Path page = Path.of(System.getProperty("lighthouse.root"), "docs/quality.md");
    String rows = Files.readString(page);
    assertThat(wrongStrategies())
        .allSatisfy(
            planted ->
                assertThat(rows)
                    .contains("| " + planted.get()[0] + " | `" + planted.get()[2] + "` |"));
  }

  /** A law that no fault is planted for may be one that cannot fail. */
  @Test
  void everyPropertyHasItsFault() {
    Set<String> properties = new TreeSet<>();
    for (Method method : StrategyContract.class.getDeclaredMethods()) {
      if (method.isAnnotationPresent(Property.class)) {
        properties.add(method.getName());
      }
    }
    Set<String> caught = new TreeSet<>();
    wrongLedgers().forEach(planted -> caught.add((String) planted.get()[1]));
    wrongStrategies().forEach(planted -> caught.add((String) planted.get()[2]));
    caught.add("freshProcessesGiveTheSameAnswer");
    // ReportsOfLawsTest plants the faults of these.
    caught.add("scenariosReachTheInterestingCases");
    caught.add("neverPlacesFewerThanASimplerStrategy");
    // PlantedClustersTest plants the fault of this.
    caught.add("aResourceMovedToADomainChangesNothing");
    assertThat(caught).isEqualTo(properties);
  }
}

package io.lighthouse.tests.contract;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.referee.Call;
import io.lighthouse.tests.referee.Conduct;
import io.lighthouse.tests.referee.Law;
import io.lighthouse.tests.referee.LawfulAnswers;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsReport;

/**
 * Every law of placement as properties, for one strategy.
 *
 * <pre>{@code
 * class EmptiestFirstContractTest extends StrategyContract {
 *   protected PlacementStrategy strategy() {
 *     return new EmptiestFirst();
 *   }
 * }
 * }</pre>
 *
 * <p><b>Needs</b> jqwik's engine in the test run, and a class without arguments to its constructor.
 * How often a law is tried is jqwik's own setting, {@code jqwik.tries.default}. <b>Reports</b> the
 * law that is broken, what was expected and found, and the minutes of the smallest scenario that
 * jqwik's shrinking came to.
 *
 * <p>What the strategy declares of itself decides what is asked of it: {@link
 * PlacementStrategy#sequential} brings in {@link #aBatchEqualsItsWorkloadsOneByOne}, {@link
 * PlacementStrategy#mayDecline} takes out {@link #refusesOnlyWhereNothingFits}, a {@link
 * BatchPlacer} is judged on the final state of a batch.
 *
 * <p>Only {@link #comesToAnEnd} knows a clock, and it lends it to the others: a check that takes
 * longer than {@link #patience} is abandoned, and all further ones fail at once.
 */
public abstract class StrategyContract extends ClusterLaws {
  /** For subclasses. */
  protected StrategyContract() {}

  // ---- judged by the referee, call by call ----

  /**
   * {@link Law#SOUND_CALLS}.
   *
   * @param scenario what is played
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void answersEverySoundCall(@ForAll("scenarios") Scenario scenario) {
    judge(Law.SOUND_CALLS, "answersEverySoundCall", scenario);
  }

  /**
   * {@link Law#ANSWER}.
   *
   * @param scenario what is played
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void answersEveryWorkloadInTheOrderGiven(@ForAll("scenarios") Scenario scenario) {
    judge(Law.ANSWER, "answersEveryWorkloadInTheOrderGiven", scenario);
  }

  /**
   * {@link Law#NAMES}.
   *
   * @param scenario what is played
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void placesOnlyWhereEveryRequiredNameExists(@ForAll("scenarios") Scenario scenario) {
    judge(Law.NAMES, "placesOnlyWhereEveryRequiredNameExists", scenario);
  }

  /**
   * {@link Law#ROOM}.
   *
   * @param scenario what is played
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void neverOvercommits(@ForAll("scenarios") Scenario scenario) {
    judge(Law.ROOM, "neverOvercommits", scenario);
  }

  /**
   * {@link Law#NEGATIVES}.
   *
   * @param scenario what is played
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void neverPlacesBesideAnUnremediedNegative(@ForAll("scenarios") Scenario scenario) {
    judge(Law.NEGATIVES, "neverPlacesBesideAnUnremediedNegative", scenario);
  }

  /**
   * {@link Law#CORDON}.
   *
   * @param scenario what is played
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void neverPlacesOnACordonedNode(@ForAll("scenarios") Scenario scenario) {
    judge(Law.CORDON, "neverPlacesOnACordonedNode", scenario);
  }

  /**
   * {@link Law#AVERSION}.
   *
   * @param scenario what is played
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void usesAnAverseNodeOnlyWhereNoFriendlyOneFits(@ForAll("scenarios") Scenario scenario) {
    judge(Law.AVERSION, "usesAnAverseNodeOnlyWhereNoFriendlyOneFits", scenario);
  }

  /**
   * {@link Law#REFUSAL}.
   *
   * @param scenario what is played
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void refusesOnlyWhereNothingFits(@ForAll("scenarios") Scenario scenario) {
    judge(Law.REFUSAL, "refusesOnlyWhereNothingFits", scenario);
  }

  /**
   * {@link Law#REASONS}, of refusals.
   *
   * @param scenario what is played
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void refusesWithTrueReasons(@ForAll("scenarios") Scenario scenario) {
    judge(Law.REASONS, "refusesWithTrueReasons", scenario);
  }

  /**
   * {@link Law#BOOKS}.
   *
   * @param scenario what is played
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void keepsExactBooksThroughAnyMixOfCalls(@ForAll("scenarios") Scenario scenario) {
    judge(Law.BOOKS, "keepsExactBooksThroughAnyMixOfCalls", scenario);
  }

  /**
   * {@link Law#RELEASE}: what comes back; and that nothing at all is left of it.
   *
   * @param scenario what is played
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void releaseRestoresExactly(@ForAll("scenarios") Scenario scenario) {
    check(
        "releaseRestoresExactly",
        minutes -> {
          Trial trial = new Trial(subject(), scenario, minutes);
          raise(Law.RELEASE, trial.judged((call, answer) -> {}));
          trial.ask(new Call.ReleaseAll());
          trial
              .distributor
              .snapshot()
              .nodes()
              .forEach(
                  node ->
                      BrokenLaw.unlessEqual(
                          Law.RELEASE,
                          "left on the empty node '" + node.name() + "'",
                          node.capacity(),
                          node.left()));
        });
  }

  /**
   * {@link Law#POSITION}.
   *
   * @param scenario what is played
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void keepsTheRoundRobinPosition(@ForAll("scenarios") Scenario scenario) {
    judge(Law.POSITION, "keepsTheRoundRobinPosition", scenario);
  }

  // ---- compared with a second distributor ----

  /**
   * {@link Law#ALL_OR_NOTHING}.
   *
   * @param scenario what is played
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void allOrNothingLeavesNothingBehind(@ForAll("scenarios") Scenario scenario) {
    check(
        "allOrNothingLeavesNothingBehind",
        minutes -> {
          new Twins(subject(), minutes).allOrNothing(scenario);
          raise(
              Law.ALL_OR_NOTHING,
              new Trial(subject(), scenario, new Minutes()).judged((call, answer) -> {}));
        });
  }

  /**
   * {@link Law#SAME_ANSWER}, in this process.
   *
   * @param scenario what is played
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void sameInputGivesTheSameAnswer(@ForAll("scenarios") Scenario scenario) {
    check(
        "sameInputGivesTheSameAnswer",
        minutes -> new Twins(subject(), minutes).sameAnswer(scenario));
  }

  /**
   * {@link Law#SAME_ANSWER}, in processes of other locale, time zone and hashes.
   *
   * @param seed of the scenarios that every process plays
   */
  @Property(tries = 1)
  public void freshProcessesGiveTheSameAnswer(@ForAll @IntRange(min = 1) int seed) {
    check(
        "freshProcessesGiveTheSameAnswer",
        minutes -> FreshProcesses.check(getClass(), seed, minutes));
  }

  /**
   * {@link Law#APART}.
   *
   * @param scenario what is played
   * @param other what is played in between
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void distributorsShareNothing(
      @ForAll("scenarios") Scenario scenario, @ForAll("scenarios") Scenario other) {
    check(
        "distributorsShareNothing",
        minutes -> new Twins(subject(), minutes).apart(scenario, other));
  }

  /**
   * {@link Law#ONE_BY_ONE}; nothing is asked of a strategy that is not sequential.
   *
   * @param scenario what is played
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void aBatchEqualsItsWorkloadsOneByOne(@ForAll("scenarios") Scenario scenario) {
    check(
        "aBatchEqualsItsWorkloadsOneByOne",
        minutes -> {
          if (strategy().sequential()) {
            new Twins(subject(), minutes).oneByOne(scenario);
          }
        });
  }

  /**
   * {@link Law#COPY}.
   *
   * @param scenario what is played
   * @param before how much of it is played first
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void aCopyGoesOnAlikeAndApart(
      @ForAll("scenarios") Scenario scenario, @ForAll @IntRange(max = 5) int before) {
    check(
        "aCopyGoesOnAlikeAndApart",
        minutes -> new Twins(subject(), minutes).copy(scenario, before));
  }

  /**
   * {@link Law#WRITTEN_OUT}.
   *
   * @param scenario what is played
   * @param before how much of it is played first
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void whatIsWrittenOutGoesOnAlike(
      @ForAll("scenarios") Scenario scenario, @ForAll @IntRange(max = 5) int before) {
    check(
        "whatIsWrittenOutGoesOnAlike",
        minutes -> new Twins(subject(), minutes).writtenOut(scenario, before));
  }

  // ---- changes as values ----

  /**
   * {@link Law#CHANGES}.
   *
   * @param scenario what is played
   * @param before how much of it is played first
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void carriesOutAllChangesOrNone(
      @ForAll("changing") Scenario scenario, @ForAll @IntRange(max = 5) int before) {
    check(
        "carriesOutAllChangesOrNone",
        minutes -> new ChangeLaws(subject(), minutes).allOrNone(scenario, before));
  }

  /**
   * {@link Law#TRY_OUT}.
   *
   * @param scenario what is played
   * @param tried what is tried out in between
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void whatIsTriedOutLeavesNothingBehind(
      @ForAll("scenarios") Scenario scenario, @ForAll("changing") Scenario tried) {
    check(
        "whatIsTriedOutLeavesNothingBehind",
        minutes -> new ChangeLaws(subject(), minutes).tryOut(scenario, tried));
  }

  /**
   * {@link Law#GENERATION}.
   *
   * @param scenario what is played
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void generationsGrowWithChangesAndOnlyWithThem(@ForAll("scenarios") Scenario scenario) {
    check(
        "generationsGrowWithChangesAndOnlyWithThem",
        minutes -> new ChangeLaws(subject(), minutes).generations(scenario));
  }

  /**
   * {@link Law#TOLD}.
   *
   * @param scenario what is played
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void whatIsToldCanBeRepeated(@ForAll("scenarios") Scenario scenario) {
    check("whatIsToldCanBeRepeated", minutes -> new ChangeLaws(subject(), minutes).told(scenario));
  }

  // ---- the rest ----

  /**
   * {@link Law#REASONS}, of explanations.
   *
   * @param scenario what is played
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void explainsTruly(@ForAll("scenarios") Scenario scenario) {
    check(
        "explainsTruly",
        minutes -> {
          Subject subject = subject();
          if (subject.conduct().order().isPresent()) {
            new Explanations(subject, minutes).check(scenario);
          }
        });
  }

  /**
   * {@link Law#WRONG_CALLS}, before and after everything.
   *
   * @param scenario what is played
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void wrongInputChangesNothing(@ForAll("scenarios") Scenario scenario) {
    check(
        "wrongInputChangesNothing",
        minutes -> {
          Trial trial = new Trial(subject(), scenario, minutes);
          WrongCalls.check(trial.distributor);
          trial.play((call, answer) -> {});
          WrongCalls.check(trial.distributor);
        });
  }

  /**
   * {@link Law#SERIAL}.
   *
   * @param scenario what is played
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void concurrentCallersSeeSomeSerialOrder(@ForAll("crowded") Scenario scenario) {
    check(
        "concurrentCallersSeeSomeSerialOrder",
        minutes -> new SerialOrder(subject(), minutes).check(scenario));
  }

  /**
   * {@link Law#LAWFUL}; nothing is asked of a strategy that may decline or places batches whole.
   *
   * @param scenario what is played
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void answersToTinyProblemsAreLawful(@ForAll("tiny") Scenario scenario) {
    check(
        "answersToTinyProblemsAreLawful",
        minutes -> {
          Subject subject = subject();
          Conduct conduct = subject.conduct();
          if (!conduct.mayDecline() && conduct.order().isPresent()) {
            Trial trial = new Trial(subject, scenario, minutes);
            trial.play((call, answer) -> lawful(conduct, scenario, (Call.Assign) call, answer));
          }
        });
  }

  private static void lawful(Conduct conduct, Scenario scenario, Call.Assign call, Object answer) {
    List<Workload> turns = conduct.inTurn(call.batch(), scenario.nodes());
    Set<List<Optional<String>>> lawful = LawfulAnswers.to(scenario.nodes(), turns);
    List<Optional<String>> found =
        turns.stream().map(turn -> ((Assignments) answer).nodeOf(turn.name())).toList();
    if (!lawful.contains(found)) {
      throw new BrokenLaw(
          Law.LAWFUL, "nodes of " + turns.stream().map(Workload::name).toList(), lawful, found);
    }
  }

  /**
   * {@link Law#IN_TIME}. It is not shrunk: a second try would have to be abandoned as well.
   *
   * @param scenario what is played
   */
  @Property(edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
  public void comesToAnEnd(@ForAll("scenarios") Scenario scenario) {
    check(
        "comesToAnEnd",
        minutes -> {
          try {
            new Trial(subject(), scenario, minutes).play((call, answer) -> {});
          } catch (BrokenLaw failing) {
            minutes.add("an end of another kind: " + failing.findings());
          }
        });
  }

  /**
   * The laws are not kept merely because the scenarios never put them to the test.
   *
   * @param scenario what is played
   */
  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  @StatisticsReport(StatisticsReport.StatisticsReportMode.OFF)
  public void scenariosReachTheInterestingCases(@ForAll("scenarios") Scenario scenario) {
    Sightings sightings = new Sightings();
    check(
        "scenariosReachTheInterestingCases",
        minutes -> {
          try {
            Trial trial = new Trial(subject(), scenario, minutes);
            trial.play(
                (call, answer) -> sightings.look(call, answer, trial.distributor.snapshot()));
          } catch (BrokenLaw failing) {
            minutes.add("cut short: " + failing.findings());
          }
        });
    sightings.seen().forEach(sight -> Statistics.label("cases").collect(sight));
    Set<String> wanted = new TreeSet<>(Sightings.OF_FLEETS);
    if (!strategy().mayDecline()) {
      wanted.addAll(Sightings.OF_PLACEMENTS);
    }
    Statistics.label("cases")
        .coverage(
            coverage -> wanted.forEach(sight -> coverage.check(sight).count(times -> times > 0)));
  }
}

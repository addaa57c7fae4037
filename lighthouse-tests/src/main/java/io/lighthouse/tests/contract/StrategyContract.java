package io.lighthouse.tests.contract;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.tests.generate.Dice;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.generate.Scenarios;
import io.lighthouse.tests.referee.Call;
import io.lighthouse.tests.referee.Conduct;
import io.lighthouse.tests.referee.Law;
import io.lighthouse.tests.referee.LawfulAnswers;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
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
 * <p>What the strategy declares about itself selects the laws: {@link PlacementStrategy#sequential}
 * brings in {@link #aBatchEqualsItsWorkloadsOneByOne}, {@link PlacementStrategy#mayDecline} takes
 * out {@link #refusesOnlyWhereNothingFits}, a {@link BatchPlacer} is judged on the final state of a
 * batch.
 *
 * <p>Only {@link #comesToAnEnd} is about time, but every law is timed: a check that takes longer
 * than {@link #patience} is abandoned, and all further ones fail at once.
 */
public abstract class StrategyContract extends JudgedLaws {
  /** For subclasses. */
  protected StrategyContract() {}

  // ---- compared with a second distributor ----

  /**
   * {@link Law#ALL_OR_NOTHING}.
   *
   * @param scenario a fleet and its calls
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
   * @param scenario a fleet and its calls
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
   * @param seed the seed of the scenarios that every process plays
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
   * @param scenario a fleet and its calls
   * @param other the calls of another fleet, made in between
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void distributorsShareNothing(
      @ForAll("scenarios") Scenario scenario, @ForAll("scenarios") Scenario other) {
    check(
        "distributorsShareNothing",
        minutes -> new Twins(subject(), minutes).apart(scenario, other));
  }

  /**
   * {@link Law#ONE_BY_ONE}; it applies to sequential strategies only.
   *
   * @param scenario a fleet and its calls
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
   * @param scenario a fleet and its calls
   * @param before how many of its calls come first
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
   * @param scenario a fleet and its calls
   * @param before how many of its calls come first
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
   * @param scenario a fleet and its calls
   * @param before how many of its calls come first
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
   * @param scenario a fleet and its calls
   * @param tried the calls that are tried out in between
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
   * @param scenario a fleet and its calls
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
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void whatIsToldCanBeRepeated(@ForAll("scenarios") Scenario scenario) {
    check("whatIsToldCanBeRepeated", minutes -> new ChangeLaws(subject(), minutes).told(scenario));
  }

  // ---- worded in two ways ----

  /** {@link Law#PREFERENCE}; for strategies that do not decline. */
  @Property(tries = 1)
  public void preferencesNeverRefuse() {
    if (!strategy().mayDecline()) {
      each("preferencesNeverRefuse", Wordings::preferences);
    }
  }

  /** {@link Law#TOP_RULES}. */
  @Property(tries = 1)
  public void rulesAtTheTopAreRules() {
    each("rulesAtTheTopAreRules", Wordings::rulesAtTheTop);
  }

  /** {@link Law#DOMAIN_NAMES}. */
  @Property(tries = 1)
  public void namesAndOrderOfDomainsSayNothing() {
    each("namesAndOrderOfDomainsSayNothing", Wordings::otherNames);
  }

  /** {@link Law#DOMAIN_PLAIN}. */
  @Property(tries = 1)
  public void plainProblemsAnswerAsBefore() {
    each("plainProblemsAnswerAsBefore", Wordings::plainProblems);
  }

  /** {@link Law#DOMAIN_BOOKS}; only where {@link #looksAtEveryResource} is false. */
  @Property(tries = 1)
  public void aResourceMovedToADomainChangesNothing() {
    if (!looksAtEveryResource()) {
      each("aResourceMovedToADomainChangesNothing", Wordings::movedResource);
    }
  }

  /** {@link Law#COPY}, {@link Law#WRITTEN_OUT} and {@link Law#RELEASE}, with domains and rules. */
  @Property(tries = 1)
  public void clustersAreCopiedWrittenOutAndReleasedWhole() {
    for (int seed = 1; seed <= clusters(); seed++) {
      Scenario scenario = Scenarios.ofSeed(seed);
      int before = seed % scenario.sketches().size();
      check(
          "clustersAreCopiedWrittenOutAndReleasedWhole",
          minutes -> {
            new Twins(subject(), minutes).copy(scenario, before);
            new Twins(subject(), minutes).writtenOut(scenario, before);
            new Twins(subject(), minutes).released(scenario);
          });
    }
  }

  private void each(String property, Consumer<Wordings> law) {
    for (int seed = 1; seed <= clusters(); seed++) {
      int present = seed;
      check(
          property,
          minutes -> {
            minutes.add("seed " + present);
            law.accept(new Wordings(new Dice(present), minutes, subject()));
          });
    }
  }

  /**
   * Whether the strategy's choice depends on resources that the rubric gives no weight.
   *
   * @return true, by default; false brings in {@link #aResourceMovedToADomainChangesNothing}
   */
  protected boolean looksAtEveryResource() {
    return true;
  }

  // ---- the rest ----

  /**
   * {@link Law#REASONS}, of explanations.
   *
   * @param scenario a fleet and its calls
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
   * @param scenario a fleet and its calls
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
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void concurrentCallersSeeSomeSerialOrder(@ForAll("crowded") Scenario scenario) {
    check(
        "concurrentCallersSeeSomeSerialOrder",
        minutes -> new SerialOrder(subject(), minutes).check(scenario));
  }

  /**
   * {@link Law#LAWFUL}; it applies to strategies that take turns and do not decline.
   *
   * @param scenario a fleet and its calls
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
   * @param scenario a fleet and its calls
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
   * The scenarios put the laws to the test: each interesting case occurs.
   *
   * @param scenario a fleet and its calls
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

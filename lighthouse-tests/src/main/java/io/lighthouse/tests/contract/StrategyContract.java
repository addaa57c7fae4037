package io.lighthouse.tests.contract;

import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.referee.Law;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.Lifespan;
import net.jqwik.api.lifecycle.Store;
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
 * law that is broken, what was expected and found, and the record of the smallest scenario that
 * jqwik's shrinking came to.
 *
 * <p>What the strategy declares about itself selects the laws: {@link PlacementStrategy#sequential}
 * brings in {@link #aBatchEqualsItsWorkloadsOneByOne}, {@link PlacementStrategy#mayDecline} takes
 * out {@link #refusesOnlyWhereNothingFits}, a {@link BatchPlacer} is judged on the final state of a
 * batch.
 *
 * <p>Every law is timed: a check that takes longer than {@link #patience} breaks {@link
 * Law#IN_TIME}. It is abandoned, and all further ones fail at once.
 */
public abstract class StrategyContract extends ContractFrame {
  /** For subclasses. */
  protected StrategyContract() {}

  // ---- judged by the referee ----

  /**
   * {@link Law#SOUND_CALLS} and {@link Law#ANSWER}.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void answersEverySoundCall(@ForAll("scenarios") Scenario scenario) {
    judge(scenario, Law.SOUND_CALLS, Law.ANSWER);
  }

  /**
   * {@link Law#NAMES}, {@link Law#ROOM}, {@link Law#NEGATIVES}, {@link Law#CORDON}, {@link
   * Law#SELECTION}, {@link Law#UNITS}, {@link Law#MOST}, {@link Law#LEAST} and {@link Law#SKEW}.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void placesOnlyWhereItFits(@ForAll("scenarios") Scenario scenario) {
    judge(
        scenario,
        Law.NAMES,
        Law.ROOM,
        Law.NEGATIVES,
        Law.CORDON,
        Law.SELECTION,
        Law.UNITS,
        Law.MOST,
        Law.LEAST,
        Law.SKEW);
  }

  /**
   * {@link Law#AVERSION} and {@link Law#BEST}.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void takesTheBestCandidates(@ForAll("scenarios") Scenario scenario) {
    judge(scenario, Law.AVERSION, Law.BEST);
  }

  /**
   * {@link Law#REFUSAL}.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void refusesOnlyWhereNothingFits(@ForAll("scenarios") Scenario scenario) {
    judge(scenario, Law.REFUSAL);
  }

  /**
   * {@link Law#REASONS}, of refusals.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void refusesWithTrueReasons(@ForAll("scenarios") Scenario scenario) {
    judge(scenario, Law.REASONS);
  }

  /**
   * {@link Law#GANG}.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void gangsAreWholeOrGone(@ForAll("scenarios") Scenario scenario) {
    judge(scenario, Law.GANG);
  }

  /**
   * {@link Law#BOOKS} and {@link Law#POSITION}.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void keepsExactBooksThroughAnyMixOfCalls(@ForAll("scenarios") Scenario scenario) {
    judge(scenario, Law.BOOKS, Law.POSITION);
  }

  /**
   * {@link Law#RELEASE}: what comes back; and that nothing at all is left of it.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void releaseRestoresExactly(@ForAll("scenarios") Scenario scenario) {
    judge(scenario, Law.RELEASE);
    check(Law.RELEASE, scenario, Twins::released);
  }

  // ---- compared with a second distributor ----

  /**
   * {@link Law#ALL_OR_NOTHING}.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void allOrNothingLeavesNothingBehind(@ForAll("scenarios") Scenario scenario) {
    check(Law.ALL_OR_NOTHING, scenario, Twins::allOrNothing);
    judge(scenario, Law.ALL_OR_NOTHING);
  }

  /**
   * {@link Law#SAME_ANSWER}, in this process.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void sameInputGivesTheSameAnswer(@ForAll("scenarios") Scenario scenario) {
    check(Law.SAME_ANSWER, scenario, Twins::sameAnswer);
  }

  /**
   * {@link Law#SAME_ANSWER}, in processes of other locale, time zone, hashes and processors.
   *
   * @param seed the seed of the scenarios that every process plays
   */
  @Property(tries = 1)
  public void freshProcessesGiveTheSameAnswer(@ForAll @IntRange(min = 1) int seed) {
    FreshProcesses processes = FreshProcesses.of(this, seed);
    check(Law.SAME_ANSWER, processes::check);
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
    check(Law.APART, scenario, run -> Twins.apart(run, other));
  }

  /**
   * {@link Law#ONE_BY_ONE}; it applies to sequential strategies only.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void aBatchEqualsItsWorkloadsOneByOne(@ForAll("scenarios") Scenario scenario) {
    if (strategy().sequential()) {
      check(Law.ONE_BY_ONE, scenario, Twins::oneByOne);
    }
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
    check(Law.COPY, scenario, run -> Twins.copy(run, before));
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
    check(Law.WRITTEN_OUT, scenario, run -> Twins.writtenOut(run, before));
  }

  /**
   * {@link Law#NEVER_FEWER}, than the strategies of {@link #neverFewerThan}.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void neverPlacesFewerThanASimplerStrategy(@ForAll("scenarios") Scenario scenario) {
    List<PlacementStrategy> simpler = neverFewerThan();
    if (!simpler.isEmpty()) {
      check(Law.NEVER_FEWER, scenario, run -> Twins.neverFewer(run, simpler, this::builder));
    }
  }

  /**
   * {@link Law#BUDGET}.
   *
   * @param scenario a fleet and its calls
   * @param steps the budget of each batch
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void answersWhenABudgetEnds(
      @ForAll("scenarios") Scenario scenario, @ForAll @IntRange(max = 60) int steps) {
    check(Law.BUDGET, scenario, run -> Twins.budgeted(run, steps));
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
    check(Law.CHANGES, scenario, run -> ChangeLaws.allOrNone(run, before));
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
    check(Law.TRY_OUT, scenario, run -> ChangeLaws.tryOut(run, tried));
  }

  /**
   * {@link Law#GENERATION}.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void generationsGrowWithChangesAndOnlyWithThem(@ForAll("scenarios") Scenario scenario) {
    check(Law.GENERATION, scenario, ChangeLaws::generations);
  }

  /**
   * {@link Law#TOLD}.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void whatIsToldCanBeRepeated(@ForAll("scenarios") Scenario scenario) {
    check(Law.TOLD, scenario, ChangeLaws::told);
  }

  // ---- worded in two ways ----

  /**
   * {@link Law#TOP_RULES}.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void rulesAtTheTopAreRules(@ForAll("scenarios") Scenario scenario) {
    worded(Law.TOP_RULES, scenario, Wordings::rulesAtTheTop);
  }

  /**
   * {@link Law#DOMAIN_NAMES}.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void namesAndOrderOfDomainsSayNothing(@ForAll("scenarios") Scenario scenario) {
    worded(Law.DOMAIN_NAMES, scenario, Wordings::otherNames);
  }

  /**
   * {@link Law#DOMAIN_PLAIN}; only where {@link #looksAtDomains} is false.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void plainProblemsAnswerAsBefore(@ForAll("scenarios") Scenario scenario) {
    if (!looksAtDomains()) {
      worded(Law.DOMAIN_PLAIN, scenario, Wordings::plainProblems);
    }
  }

  /**
   * {@link Law#BOOKS}, of domains; only where {@link #looksAtEveryResource} is false.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void aResourceMovedToADomainChangesNothing(@ForAll("scenarios") Scenario scenario) {
    if (!looksAtEveryResource()) {
      worded(Law.BOOKS, scenario, Wordings::movedResource);
    }
  }

  private void worded(Law law, Scenario scenario, Consumer<Wordings> inTwoWays) {
    check(law, record -> inTwoWays.accept(new Wordings(scenario, record, subject())));
  }

  // ---- the rest ----

  /** {@link Law#DESCRIPTION}. */
  @Property(tries = 1)
  public void saysWhatItIs() {
    check(Law.DESCRIPTION, record -> describes(record));
  }

  /**
   * {@link Law#REASONS}, of explanations, and {@link Law#TERMS}.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void explainsTruly(@ForAll("scenarios") Scenario scenario) {
    check(Law.REASONS, scenario, Explanations::check);
    check(Law.TERMS, scenario, Explanations::terms);
  }

  /**
   * {@link Law#WRONG_CALLS}, before and after everything.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void wrongInputChangesNothing(@ForAll("scenarios") Scenario scenario) {
    check(
        Law.WRONG_CALLS,
        scenario,
        run -> {
          WrongCalls.check(run.distributor);
          run.play();
          WrongCalls.check(run.distributor);
        });
  }

  /**
   * {@link Law#SERIAL}.
   *
   * @param scenario a fleet and its calls
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  public void concurrentCallersSeeSomeSerialOrder(@ForAll("crowded") Scenario scenario) {
    check(Law.SERIAL, scenario, run -> new SerialOrder(run).check());
  }

  /**
   * The scenarios put the laws to the test: each interesting case occurs. The tag lets a further
   * run of the same laws leave this out.
   *
   * @param scenario a fleet and its calls
   */
  @Tag("coverage")
  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  @StatisticsReport(StatisticsReport.StatisticsReportMode.OFF)
  public void scenariosReachTheInterestingCases(@ForAll("scenarios") Scenario scenario) {
    Set<String> missing =
        Store.getOrCreate(
                "the cases that no scenario has met yet",
                Lifespan.PROPERTY,
                () -> Sightings.wanted(strategy().mayDecline()))
            .get();
    Statistics.label("cases").coverage(atTheEnd -> requireNone(missing));
    if (missing.isEmpty()) {
      return;
    }
    Sightings sightings = new Sightings();
    check(
        Law.IN_TIME,
        scenario,
        run -> {
          try {
            run.play(one -> sightings.look(one, run.distributor.snapshot()));
          } catch (BrokenLaw failing) { // The calls before it count.
            run.record.add("cut short: " + failing.findings());
          }
        });
    missing.removeAll(sightings.seen());
  }

  private static void requireNone(Set<String> missing) {
    if (!missing.isEmpty()) {
      throw new AssertionError(
          "no scenario meets the cases "
              + missing
              + "; more tries may meet them, unless calls fail or the scenarios do not have them");
    }
  }
}

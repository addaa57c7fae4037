package io.lighthouse.tests.contract;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BatchOrder;
import io.lighthouse.api.strategy.BatchPlacer;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Setting;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.generate.Scenarios;
import io.lighthouse.tests.referee.Call;
import io.lighthouse.tests.referee.Conduct;
import io.lighthouse.tests.referee.Finding;
import io.lighthouse.tests.referee.Law;
import io.lighthouse.tests.referee.LawfulAnswers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
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
public abstract class StrategyContract {
  private static final int CALLERS = 3;

  /** For subclasses. */
  protected StrategyContract() {}

  /**
   * The strategy under test.
   *
   * @return an instance; a new one at every call, where the strategy can be made anew
   */
  protected abstract PlacementStrategy strategy();

  /**
   * The settings to test it with.
   *
   * @return values by name; none by default
   */
  protected Map<String, String> settings() {
    return Map.of();
  }

  /**
   * The rubric of the problems, which a strategy may use or ignore.
   *
   * @return a rubric over {@code cpu} and {@code mem}, by default
   */
  protected Optional<Rubric> rubric() {
    return Optional.of(Rubric.of("cpu", 1, "mem", "0.5"));
  }

  /**
   * How long a check may take before the strategy is taken to never end.
   *
   * @return two minutes, by default
   */
  protected Duration patience() {
    return Duration.ofMinutes(2);
  }

  /**
   * Makes a distributor. To be overridden only by who tests a distributor of his own.
   *
   * @param strategy an instance
   * @param nodes the nodes
   * @param lastPlaced the round-robin position, or nothing
   * @return a new distributor
   */
  protected Distributor newDistributor(
      PlacementStrategy strategy, List<Node> nodes, Optional<String> lastPlaced) {
    Distributors.Builder builder = Distributors.of(strategy).nodes(nodes).settings(settings());
    rubric().ifPresent(builder::rubric);
    lastPlaced.ifPresent(builder::lastPlaced);
    return builder.build();
  }

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
   * * {@link Law#LAWFUL}; nothing is asked of a strategy that may decline or places batches whole.
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

  // ---- what the properties stand on ----

  /**
   * Scenarios for most laws.
   *
   * @return any scenarios
   */
  @Provide
  public Arbitrary<Scenario> scenarios() {
    return Scenarios.any();
  }

  /**
   * Scenarios that can be searched.
   *
   * @return tiny ones
   */
  @Provide
  public Arbitrary<Scenario> tiny() {
    return Scenarios.tiny();
  }

  /**
   * Scenarios for callers at once.
   *
   * @return a batch for each caller
   */
  @Provide
  public Arbitrary<Scenario> crowded() {
    return Scenarios.crowded(CALLERS);
  }

  /** The strategy as the laws see it. */
  final Subject subject() {
    Conduct conduct = conduct();
    return new Subject() {
      @Override
      public PlacementStrategy strategy() {
        return StrategyContract.this.strategy();
      }

      @Override
      public Conduct conduct() {
        return conduct;
      }

      @Override
      public Distributor make(
          PlacementStrategy strategy, List<Node> nodes, Optional<String> lastPlaced) {
        return newDistributor(strategy, nodes, lastPlaced);
      }
    };
  }

  /** Asks a placer for an empty fleet how it goes about batches. */
  private Conduct conduct() {
    PlacementStrategy strategy = strategy();
    AtomicReference<Placer> placer = new AtomicReference<>();
    PlacementStrategy probe =
        new PlacementStrategy() {
          @Override
          public String name() {
            return strategy.name();
          }

          @Override
          public List<Setting> settings() {
            return strategy.settings();
          }

          @Override
          public Placer newPlacer(Fleet fleet, Settings settings) {
            placer.set(strategy.newPlacer(fleet, settings));
            return placer.get();
          }
        };
    Distributors.Builder builder = Distributors.of(probe).settings(settings());
    rubric().ifPresent(builder::rubric);
    builder.build();
    Optional<BatchOrder> order =
        placer.get() instanceof BatchPlacer ? Optional.empty() : Optional.of(placer.get().order());
    return new Conduct(order, strategy.mayDecline());
  }

  private void judge(Law law, String property, Scenario scenario) {
    check(
        property,
        minutes ->
            raise(law, new Trial(subject(), scenario, minutes).judged((call, answer) -> {})));
  }

  private static void raise(Law law, List<Finding> findings) {
    List<Finding> broken = new ArrayList<>(findings);
    broken.removeIf(finding -> finding.law() != law);
    if (!broken.isEmpty()) {
      throw new BrokenLaw(broken, null);
    }
  }

  /** Runs a check under watch; failing calls are the business of one law alone. */
  private void check(String property, Consumer<Minutes> check) {
    Minutes minutes = new Minutes();
    try {
      Watch.over(getClass(), property, patience(), minutes, () -> check.accept(minutes));
    } catch (BrokenLaw broken) {
      if (broken.law() != Law.SOUND_CALLS || property.equals("answersEverySoundCall")) {
        throw new AssertionError(report(broken, minutes), broken.getCause());
      }
    }
  }

  private String report(BrokenLaw broken, Minutes minutes) {
    StringBuilder text = new StringBuilder("broken law: " + broken.law().sentence());
    text.append("\n  strategy '").append(strategy().name()).append("', settings ");
    text.append(settings()).append(", rubric ");
    text.append(rubric().map(rubric -> rubric.weights().toString()).orElse("none"));
    broken.findings().forEach(finding -> text.append("\n  ").append(finding));
    return text.append("\nminutes:").append(minutes).toString();
  }
}

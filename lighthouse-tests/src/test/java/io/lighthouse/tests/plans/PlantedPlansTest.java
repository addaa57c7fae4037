package io.lighthouse.tests.plans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.InvalidChangeException;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.tests.answers.Fleets;
import io.lighthouse.tests.generate.Dice;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.generate.Scenarios;
import io.lighthouse.tests.plans.PlanLaws.Planner;
import io.lighthouse.tests.referee.Cases;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * For each kind of goal, the laws find a planner that gets it wrong. Its plans are lawful and their
 * figures are true, but its changes do not serve the goal.
 */
@Tag("planted")
class PlantedPlansTest {
  /** The number of tiny fleets to try in which some plan helps. */
  private static final int ENOUGH = 12;

  /** The most fleets to draw until enough are found. */
  private static final int MOST_FLEETS = 4_000;

  private static final Planner SOUND = (fleet, goal, limits) -> fleet.advisor().plan(goal, limits);

  /** Wrong in one way each; its waves are sound. */
  private enum Fault {
    DOES_NOTHING((fleet, goal) -> List.of()),
    DOES_THE_OPPOSITE(
        (fleet, goal) ->
            EveryPlan.changes(fleet.snapshot(), goal).stream()
                .filter(change -> harms(change, fleet, goal))
                .limit(1)
                .map(List::of)
                .toList()),
    REACHES_FOR_ANOTHER_GOAL(
        (fleet, goal) ->
            fleet.advisor().plan(other(goal, fleet.snapshot()), PlanLimits.NONE).waves());

    private final BiFunction<Distributor, PlanGoal, List<List<Change>>> waves;

    Fault(BiFunction<Distributor, PlanGoal, List<List<Change>>> waves) {
      this.waves = waves;
    }
  }

  /** Waves that are wrong in one way each; the changes are sound. */
  private enum WaveFault {
    ALL_IN_ONE_WAVE(plan -> List.of(plan.changes())),
    ONE_WAVE_EACH(plan -> plan.changes().stream().map(List::of).toList()),
    ONE_TOO_EARLY(plan -> joined(plan.waves()));

    private final Function<Plan, List<List<Change>>> waves;

    WaveFault(Function<Plan, List<List<Change>>> waves) {
      this.waves = waves;
    }

    /** The same with the first change of the second wave in the first. */
    private static List<List<Change>> joined(List<List<Change>> waves) {
      if (waves.size() < 2) {
        return waves;
      }
      List<List<Change>> joined = new ArrayList<>();
      waves.forEach(wave -> joined.add(new ArrayList<>(wave)));
      joined.get(0).add(joined.get(1).remove(0));
      joined.removeIf(List::isEmpty);
      return joined;
    }

    Plan plan(Distributor fleet, PlanGoal goal, PlanLimits limits) {
      Plan sound = SOUND.plan(fleet, goal, limits);
      return sound.changes().isEmpty()
          ? sound
          : new Plan(
              sound.goal(),
              sound.generation(),
              waves.apply(sound),
              sound.unmet(),
              sound.before(),
              sound.after(),
              sound.bound(),
              sound.obstacles());
    }
  }

  /** Obstacles that are wrong in one way each; the changes are sound. */
  private enum ObstacleFault {
    NAMES_NOTHING(obstacle -> Optional.empty()),
    BLAMES_THE_SEARCH(
        obstacle ->
            Optional.of(
                new Plan.Obstacle(
                    obstacle.workload(),
                    obstacle.node(),
                    Plan.Obstacle.Cause.NOT_FOUND,
                    obstacle.why(),
                    Optional.empty()))),
    BLAMES_THE_NODES(
        obstacle ->
            Optional.of(
                new Plan.Obstacle(
                    obstacle.workload(),
                    obstacle.node(),
                    Plan.Obstacle.Cause.NO_NODE,
                    obstacle.why(),
                    obstacle.refusal()))),
    NAMES_NO_NODE(
        obstacle ->
            Optional.of(
                new Plan.Obstacle(
                    obstacle.workload(),
                    Optional.empty(),
                    obstacle.cause(),
                    obstacle.why(),
                    obstacle.refusal())));

    private final Function<Plan.Obstacle, Optional<Plan.Obstacle>> wrong;

    ObstacleFault(Function<Plan.Obstacle, Optional<Plan.Obstacle>> wrong) {
      this.wrong = wrong;
    }

    Plan plan(Distributor fleet, PlanGoal goal, PlanLimits limits) {
      Plan sound = SOUND.plan(fleet, goal, limits);
      return new Plan(
          sound.goal(),
          sound.generation(),
          sound.waves(),
          sound.unmet(),
          sound.before(),
          sound.after(),
          sound.bound(),
          sound.obstacles().stream().map(wrong).flatMap(Optional::stream).toList());
    }
  }

  private static boolean harms(Change change, Distributor fleet, PlanGoal goal) {
    Snapshot start = fleet.snapshot();
    Distributor then = fleet.copy();
    try {
      then.apply(change);
    } catch (InvalidChangeException doesNotFit) {
      return false;
    }
    Quantity reached = EveryPlan.figure(start, then.snapshot(), goal);
    return EveryPlan.better(goal, EveryPlan.figure(start, start, goal), reached);
  }

  private static PlanGoal other(PlanGoal goal, Snapshot fleet) {
    return goal.match(
        new PlanGoal.Cases<>() {
          @Override
          public PlanGoal place(PlanGoal.Place place) {
            return new PlanGoal.Consolidate();
          }

          @Override
          public PlanGoal drain(PlanGoal.Drain drain) {
            return new PlanGoal.Drain(others(drain.nodes()));
          }

          @Override
          public PlanGoal consolidate(PlanGoal.Consolidate consolidate) {
            return new PlanGoal.Rebalance();
          }

          @Override
          public PlanGoal rebalance(PlanGoal.Rebalance rebalance) {
            return new PlanGoal.Consolidate();
          }

          @Override
          public PlanGoal evacuate(PlanGoal.Evacuate evacuate) {
            return new PlanGoal.Evacuate(others(evacuate.nodes()));
          }

          @Override
          public PlanGoal repair(PlanGoal.Repair repair) {
            return new PlanGoal.Consolidate();
          }

          private List<String> others(List<String> nodes) {
            return fleet.nodes().stream()
                .map(NodeState::name)
                .filter(node -> !nodes.contains(node))
                .toList();
          }
        });
  }

  /** Gets goals of one kind wrong, and reports truly what it does. */
  private static Planner wrong(Class<?> kind, Fault fault) {
    return (fleet, goal, limits) -> {
      Plan sound = SOUND.plan(fleet, goal, limits);
      return kind.isInstance(goal) ? reported(sound, fault.waves.apply(fleet, goal), fleet) : sound;
    };
  }

  private static Plan reported(Plan sound, List<List<Change>> waves, Distributor fleet) {
    Distributor then = fleet.copy();
    waves.forEach(wave -> then.apply(wave));
    Snapshot after = then.snapshot();
    Quantity best = sound.bound().best();
    boolean reaches = EveryPlan.figure(fleet.snapshot(), after, sound.goal()).equals(best);
    return new Plan(
        sound.goal(),
        sound.generation(),
        waves,
        Recount.unmet(sound.goal(), after),
        sound.before(),
        Recount.of(after),
        new Plan.Bound(sound.bound().figure(), best, reaches),
        sound.obstacles());
  }

  /** Checks every law of plans. Of the fleets in which some plan helps, a third must be helped. */
  private static void laws(Class<?> kind, Planner planner) {
    int could = 0;
    int did = 0;
    for (int seed = 0; could < ENOUGH; seed++) {
      assertThat(seed).as("fleets in which a plan could help: %d", could).isLessThan(MOST_FLEETS);
      Random random = new Random(seed);
      Scenario scenario = Scenarios.tiny().generator(1000).next(random).value();
      Workload newcomer = Scenarios.workloads().generator(1000).next(random).value();
      Distributor fleet = Fleets.played(scenario, "prioritized");
      Snapshot start = fleet.snapshot();
      PlanGoal goal =
          PlanDraws.goals(start, List.of(newcomer.named("newcomer")), new Dice(seed)).stream()
              .filter(kind::isInstance)
              .findFirst()
              .orElseThrow();
      Quantity before = EveryPlan.figure(start, start, goal);
      boolean helps =
          EveryPlan.better(goal, EveryPlan.best(fleet, goal, Integer.MAX_VALUE), before);
      PlanLaws.check(fleet, goal, PlanLimits.NONE, planner, random);
      could += helps ? 1 : 0;
      did +=
          EveryPlan.better(goal, EveryPlan.figure(start, fleet.snapshot(), goal), before) ? 1 : 0;
    }
    assertThat(3 * did)
        .as("%d plans helped where %d could", did, could)
        .isGreaterThanOrEqualTo(could);
  }

  static Stream<Class<?>> kinds() {
    return Cases.kinds(PlanGoal.class).stream();
  }

  static Stream<Arguments> faults() {
    return kinds()
        .flatMap(kind -> Stream.of(Fault.values()).map(fault -> Arguments.of(kind, fault)));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theAdvisorKeepsEveryLaw(Class<?> kind) {
    laws(kind, SOUND);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void aWrongPlannerIsFound(Class<?> kind, Fault fault) {
    assertThatThrownBy(() -> laws(kind, wrong(kind, fault))).isInstanceOf(AssertionError.class);
  }

  @ParameterizedTest
  @EnumSource
  void wrongWavesAreFound(WaveFault fault) {
    assertThat(IntStream.range(0, MOST_FLEETS)).anyMatch(seed -> fails(seed, fault::plan));
    assertThat(IntStream.range(0, 100)).noneMatch(seed -> fails(seed, SOUND));
  }

  @ParameterizedTest
  @EnumSource
  void wrongObstaclesAreFound(ObstacleFault fault) {
    assertThat(IntStream.range(0, MOST_FLEETS)).anyMatch(seed -> fails(seed, fault::plan));
  }

  @Test
  void aPlanThatStopsEarlyIsFound() {
    Planner stopsEarly =
        (fleet, goal, limits) -> {
          Plan sound = SOUND.plan(fleet, goal, limits);
          int last = sound.waves().size() - 1;
          return last >= 0 && goal instanceof PlanGoal.Rebalance
              ? reported(sound, sound.waves().subList(0, last), fleet)
              : sound;
        };
    assertThat(IntStream.range(0, MOST_FLEETS)).anyMatch(seed -> fails(seed, stopsEarly));
  }

  private static boolean fails(int seed, Planner planner) {
    Random random = new Random(seed);
    Scenario scenario = Scenarios.of(6, 8, 8).generator(1000).next(random).value();
    Distributor fleet = Fleets.played(scenario, "prioritized");
    Workload newcomer = Scenarios.workloads().generator(1000).next(random).value();
    Dice dice = new Dice(seed);
    PlanGoal goal =
        dice.one(PlanDraws.goals(fleet.snapshot(), List.of(newcomer.named("newcomer")), dice));
    try {
      Plan plan = PlanLaws.check(fleet, goal, PlanLimits.NONE, planner, random);
      new ObstacleJudge(fleet, plan, PlanLimits.NONE).check();
      return false;
    } catch (AssertionError | InvalidInputException found) {
      return true;
    }
  }

  @Test
  void everyKindOfGoalIsDrawn() {
    Snapshot empty =
        Fleets.played(new Scenario(List.of(), Optional.empty(), List.of()), "prioritized")
            .snapshot();
    assertThat(PlanDraws.goals(empty, List.of(), new Dice(1)))
        .extracting(goal -> (Object) goal.getClass())
        .containsExactlyInAnyOrderElementsOf(kinds().toList());
  }
}

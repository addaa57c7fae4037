package io.lighthouse.tests.plans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.Distributors;
import io.lighthouse.tests.answers.Fleets;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.generate.Scenarios;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Every plan for fleets that came about somehow: lawful at every step, and what it says. */
class PlanProperties {
  @Property(tries = 2000, edgeCases = EdgeCasesMode.NONE)
  void everyStepIsLawfulAndTheEndIsAsSaid(
      @ForAll("scenarios") Scenario scenario,
      @ForAll("newcomers") List<Workload> newcomers,
      @ForAll long seed) {
    Distributor fleet = Fleets.played(scenario, "prioritized");
    Random random = new Random(seed);
    PlanGoal goal = goal(fleet, newcomers, random);
    PlanLimits limits = limits(fleet, random);
    Snapshot before = fleet.snapshot();
    long generation = fleet.generation();

    Plan plan = fleet.advisor().plan(goal, limits);

    assertThat(fleet.generation()).isEqualTo(generation).isEqualTo(plan.generation());
    assertThat(fleet.snapshot().nodes()).as("nothing has changed").isEqualTo(before.nodes());
    assertThat(fleet.snapshot().lastPlaced()).isEqualTo(before.lastPlaced());
    assertThat(plan.before()).isEqualTo(Recount.of(before));
    checkLimits(plan, limits, before);

    Distributor replayed = fleet.copy();
    plan.changes().forEach(change -> replayed.apply(change));
    assertThat(plan.after()).isEqualTo(Recount.of(replayed.snapshot()));
    Quantity reached = EveryPlan.figure(before, replayed.snapshot(), goal);
    assertThat(EveryPlan.better(goal, reached, plan.bound().best()))
        .as("%s is better than the bound of %s", reached, plan)
        .isFalse();
    assertThat(plan.optimal()).isEqualTo(reached.equals(plan.bound().best()));

    Distributor otherwise = fleet.copy();
    for (List<Change> wave : plan.waves()) {
      List<Change> shuffled = new ArrayList<>(wave);
      Collections.shuffle(shuffled, random);
      otherwise.apply(shuffled);
    }
    assertThat(Recount.of(otherwise.snapshot())).isEqualTo(plan.after());

    fleet.apply(plan.generation(), plan.changes());
    assertThat(fleet.snapshot().nodes()).isEqualTo(replayed.snapshot().nodes());
    if (!plan.changes().isEmpty()) {
      assertThatThrownBy(() -> fleet.apply(plan.generation(), plan.changes()))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContainingAll("plan", "generation");
    }
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void noSequenceOfMovesBeatsTheBoundAndOptimalMeansIt(
      @ForAll("tiny") Scenario scenario,
      @ForAll("newcomer") List<Workload> newcomers,
      @ForAll long seed) {
    Distributor fleet = Fleets.played(scenario, "prioritized");
    Random random = new Random(seed);
    PlanGoal goal = goal(fleet, newcomers, random);
    int most = random.nextBoolean() ? Integer.MAX_VALUE : random.nextInt(3);
    Quantity best = EveryPlan.best(fleet, goal, most);
    Plan plan = fleet.advisor().plan(goal, PlanLimits.NONE.withMoves(most));
    assertThat(EveryPlan.better(goal, best, plan.bound().best()))
        .as("%s reaches %s, beyond the bound of %s", fleet.snapshot().nodes(), best, plan)
        .isFalse();
    if (plan.optimal()) {
      Distributor end = fleet.copy();
      end.apply(plan.changes());
      assertThat(EveryPlan.figure(fleet.snapshot(), end.snapshot(), goal)).isEqualTo(best);
    }
  }

  /** A kind that is never drawn would make these laws blind to it. */
  @Example
  void drawsEveryKindOfGoal() {
    Distributor fleet = Distributors.of("first", (load, nodes) -> nodes.first()).build();
    Random random = new Random(14);
    Set<Class<?>> drawn = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      drawn.add(goal(fleet, List.of(), random).getClass());
    }
    assertThat(drawn).containsExactlyInAnyOrder(PlanGoal.class.getPermittedSubclasses());
  }

  private static PlanGoal goal(Distributor fleet, List<Workload> newcomers, Random random) {
    List<String> nodes = new ArrayList<>();
    for (NodeState node : fleet.snapshot().nodes()) {
      if (random.nextInt(3) == 0) {
        nodes.add(node.name());
      }
    }
    return switch (random.nextInt(6)) {
      case 0 -> new PlanGoal.Drain(nodes);
      case 1 -> new PlanGoal.Evacuate(nodes);
      case 2 -> new PlanGoal.Consolidate();
      case 3 -> new PlanGoal.Rebalance();
      case 4 -> new PlanGoal.Repair();
      default -> {
        List<Workload> named = new ArrayList<>();
        newcomers.forEach(one -> named.add(one.named("newcomer-" + named.size())));
        yield new PlanGoal.Place(named);
      }
    };
  }

  private static PlanLimits limits(Distributor fleet, Random random) {
    PlanLimits limits = PlanLimits.NONE;
    Set<String> pinned = new HashSet<>();
    Set<String> avoided = new HashSet<>();
    for (NodeState node : fleet.snapshot().nodes()) {
      if (random.nextInt(6) == 0) {
        avoided.add(node.name());
      }
      node.workloads().stream()
          .filter(workload -> random.nextInt(8) == 0)
          .forEach(workload -> pinned.add(workload.name()));
    }
    limits = random.nextBoolean() ? limits : limits.withMoves(random.nextInt(5));
    limits = random.nextBoolean() ? limits : limits.withPinned(pinned).withAvoided(avoided);
    limits = random.nextBoolean() ? limits : limits.withMostOfAGroup(1 + random.nextInt(2));
    return random.nextInt(4) > 0
        ? limits
        : limits.withMoved(Resources.of("cpu", random.nextInt(6)));
  }

  private static void checkLimits(Plan plan, PlanLimits limits, Snapshot before) {
    assertThat(plan.moves()).isLessThanOrEqualTo(limits.mostMoves());
    Map<String, Workload> workloads = new HashMap<>();
    before.nodes().forEach(node -> node.workloads().forEach(one -> workloads.put(one.name(), one)));
    BigDecimal moved = BigDecimal.ZERO;
    for (List<Change> wave : plan.waves()) {
      Map<String, Integer> ofGroup = new HashMap<>();
      for (Change change : wave) {
        if (change instanceof Change.Assign assign) {
          assertThat(limits.avoided()).doesNotContain(assign.node());
          workloads.put(assign.workload().name(), assign.workload());
        } else {
          Change.Move move = (Change.Move) change;
          assertThat(limits.avoided()).doesNotContain(move.to());
          assertThat(limits.pinned()).doesNotContain(move.workload());
          Workload workload = workloads.get(move.workload());
          workload.aversionGroups().forEach(group -> ofGroup.merge(group, 1, Integer::sum));
          moved =
              moved.add(
                  workload
                      .requirements()
                      .get("cpu")
                      .map(cpu -> cpu.toBigDecimal().max(BigDecimal.ZERO))
                      .orElse(BigDecimal.ZERO));
        }
      }
      assertThat(ofGroup.values()).allMatch(count -> count <= limits.mostOfAGroup());
    }
    if (limits.mostMoved().has("cpu")) {
      assertThat(moved)
          .isLessThanOrEqualTo(limits.mostMoved().get("cpu").orElseThrow().toBigDecimal());
    }
  }

  @Provide
  Arbitrary<Scenario> scenarios() {
    return Scenarios.of(6, 8, 8);
  }

  @Provide
  Arbitrary<Scenario> tiny() {
    return Scenarios.tiny();
  }

  @Provide
  Arbitrary<List<Workload>> newcomers() {
    return Scenarios.workloads().list().ofMaxSize(4);
  }

  @Provide
  Arbitrary<List<Workload>> newcomer() {
    return Scenarios.workloads().list().ofMaxSize(1);
  }
}

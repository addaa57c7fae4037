package io.lighthouse.core.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Gang;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Subscription;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.json.Problem;
import io.lighthouse.tests.generate.Dice;
import io.lighthouse.tests.plans.PlanDraws;
import io.lighthouse.tests.plans.WaveJudge;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Filled fleets with domains, rules and gangs, and plans for them. The oracle carries out each
 * change of either, one by one, and refuses one that breaks a rule at its turn. There are 700
 * fleets, or as many as {@code -Dlighthouse.lives} says, with the seeds from 0 on.
 */
class PlansWithRulesTest {
  private static final int LIVES = Integer.getInteger("lighthouse.lives", 700);

  /** The least number of waves is searched for plans of at most this many changes. */
  private static final int MOST_WITH_LEAST = 6;

  /** Fleets in which a fault has to show. */
  private static final int SHOWN_IN = 500;

  private static final List<String> STRATEGIES =
      List.of("prioritized", "spread", "balance", "pack");

  private static final List<String> CASES =
      List.of(
          "placed",
          "refused",
          "gang placed",
          "moved",
          "in one wave",
          "newcomer placed",
          "reached",
          "unmet");

  private final Map<String, Integer> counts = new TreeMap<>();

  @Test
  void everyChangeIsLawfulByTheOracle() {
    for (int seed = 0; seed < LIVES; seed++) {
      live(seed, Fault.NONE);
    }
    if (LIVES >= 500) {
      CASES.forEach(name -> assertThat(counts).as("%s", counts).containsKey(name));
      assertThat(areFew(counts.get("waves"))).as("%s", counts).isTrue();
      assertThat(areFew(counts.get("changes in waves"))).as("one by one: %s", counts).isFalse();
    }
  }

  /** Whether waves are at most a hundredth more than the changes need, whatever their order. */
  private boolean areFew(int waves) {
    return 100 * waves <= 101 * counts.get("least waves");
  }

  /** Other placements may have depended on a workload that left with its gang. */
  @Test
  void packIsBlamedForNothing() {
    for (int seed = 0; seed < LIVES; seed++) {
      Dice dice = new Dice(seed);
      Distributor fleet = Problems.distributor(Problems.drawn(dice), "pack");
      List<Workload> batch = dice.batch();
      assertThatCode(() -> fleet.assign(batch)).as("seed " + seed).doesNotThrowAnyException();
    }
  }

  /** An oracle that is too strict refuses what is lawful: so what is carried out is looked at. */
  @ParameterizedTest
  @EnumSource(names = {"COUNTS_ITSELF_AS_A_STRANGER", "LETS_NOBODY_BE_THE_FIRST"})
  void showsAnOracleThatIsWrong(Fault fault) {
    assertThat(IntStream.range(0, SHOWN_IN)).anyMatch(seed -> fails(seed, fault));
  }

  private boolean fails(long seed, Fault fault) {
    try {
      live(seed, fault);
      return false;
    } catch (AssertionError | InvalidInputException shown) {
      return true;
    }
  }

  private void live(long seed, Fault fault) {
    Dice dice = new Dice(seed);
    Problem problem = Problems.drawn(dice);
    Distributor fleet =
        Problems.distributor(problem, STRATEGIES.get((int) (seed % STRATEGIES.size())));
    Oracle oracle = Problems.oracle(problem, "prioritized", fault);
    for (int batch = 1 + dice.below(3); batch > 0; batch--) {
      fill(fleet, oracle, dice.batch(), "seed " + seed);
    }
    for (int plan = 2; plan > 0; plan--) {
      plan(fleet, oracle, dice, "seed " + seed);
    }
  }

  private void fill(Distributor fleet, Oracle oracle, List<Workload> batch, String seed) {
    List<Change> told = new ArrayList<>();
    Subscription listening = fleet.onChange((generation, changes) -> told.addAll(changes));
    var answer = fleet.assign(batch);
    listening.close();
    count("placed", answer.placedCount());
    count("refused", answer.refusedCount());
    told.forEach(change -> carryOut(change, oracle, seed));
    compare(fleet, oracle, seed);
    count("gang placed", gangs(batch, fleet.snapshot(), seed));
  }

  private void plan(Distributor fleet, Oracle oracle, Dice dice, String seed) {
    Snapshot before = fleet.snapshot();
    PlanGoal goal = dice.one(PlanDraws.goals(before, dice.batch(), dice));
    PlanLimits limits = PlanDraws.limits(before, dice);
    String about = seed + ": " + goal + " within " + limits;

    Plan plan = fleet.advisor().plan(goal, limits);

    assertThat(fleet.snapshot().nodes()).as(about).isEqualTo(before.nodes());
    assertThat(plan.moves()).as(about).isLessThanOrEqualTo(limits.mostMoves());
    Oracle start = oracle.copy();
    WaveJudge judge = new WaveJudge(order -> isLawful(start, order));
    assertThat(judge.failingOrder(plan.waves(), new Random(plan.generation())))
        .as("%s by %s", about, plan)
        .isEmpty();
    if (plan.changes().size() <= MOST_WITH_LEAST && limits.mostOfAGroup() == Integer.MAX_VALUE) {
      count("waves", plan.waves().size());
      count("least waves", judge.leastWaves(plan.changes(), wave -> true));
      count("changes in waves", plan.changes().size());
    }
    count("in one wave", plan.changes().size() - plan.waves().size());
    for (Change change : plan.changes()) {
      if (change instanceof Change.Move move) {
        assertThat(limits.pinned()).as(about).doesNotContain(move.workload());
        assertThat(limits.avoided()).as(about).doesNotContain(move.to());
        count("moved", 1);
      } else {
        count("newcomer placed", 1);
      }
      carryOut(change, oracle, about + " by " + plan);
    }
    fleet.apply(plan.generation(), plan.changes());
    compare(fleet, oracle, about);
    if (goal instanceof PlanGoal.Place place) {
      gangs(place.workloads(), fleet.snapshot(), about);
    }
    count(plan.unmet().isEmpty() ? "reached" : "unmet", 1);
  }

  private static boolean isLawful(Oracle fleet, List<Change> order) {
    Oracle other = fleet.copy();
    try {
      order.forEach(other::apply);
      return true;
    } catch (InvalidInputException unlawful) {
      return false;
    }
  }

  private static void carryOut(Change change, Oracle oracle, String about) {
    try {
      oracle.apply(change);
    } catch (InvalidInputException unlawful) {
      throw new AssertionError(about + ": " + change + " is unlawful", unlawful);
    }
  }

  private static void compare(Distributor fleet, Oracle oracle, String about) {
    assertThat(fleet.snapshot().nodes()).as(about).isEqualTo(oracle.nodes());
    assertThat(fleet.snapshot().domains()).as(about).isEqualTo(oracle.domains());
  }

  /** How many gangs of a batch are placed: each wholly or not at all, in one domain where asked. */
  private static int gangs(List<Workload> batch, Snapshot fleet, String about) {
    Map<String, Set<String>> domains = new HashMap<>();
    Map<String, Integer> members = new HashMap<>();
    Map<String, Integer> placed = new HashMap<>();
    for (Workload workload : batch) {
      workload.terms().gang().ifPresent(gang -> members.merge(gang.name(), 1, Integer::sum));
    }
    for (NodeState node : fleet.nodes()) {
      for (Workload workload : node.workloads()) {
        Gang gang = workload.terms().gang().orElse(null);
        if (gang != null && members.containsKey(gang.name())) {
          placed.merge(gang.name(), 1, Integer::sum);
          gang.within()
              .ifPresent(
                  level ->
                      domains
                          .computeIfAbsent(gang.name(), none -> new HashSet<>())
                          .add(domain(node, level)));
        }
      }
    }
    placed.forEach(
        (gang, count) -> assertThat(count).as("%s: %s", about, gang).isEqualTo(members.get(gang)));
    domains.forEach((gang, of) -> assertThat(of).as("%s: %s", about, gang).hasSize(1));
    return placed.size();
  }

  private static String domain(NodeState node, String level) {
    return switch (level) {
      case Rule.NODE -> node.name();
      case Rule.FLEET -> Rule.FLEET;
      default -> node.domains().getOrDefault(level, "none");
    };
  }

  private void count(String what, int times) {
    if (times > 0) {
      counts.merge(what, times, Integer::sum);
    }
  }
}

package io.lighthouse.core.oracle;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Rubric;
import io.lighthouse.core.Distributors;
import io.lighthouse.json.Problem;
import io.lighthouse.tests.generate.Dice;
import io.lighthouse.tests.generate.RandomFleet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The engine for a problem, and what it answers in the oracle's words. */
public final class Problems {
  private Problems() {}

  /** Draws a fleet and a rubric: a problem without workloads that want a place. */
  public static Problem drawn(Dice dice) {
    RandomFleet fleet = dice.fleet();
    Problem problem =
        Problem.of(fleet.nodes(), List.of())
            .withDomains(fleet.domains())
            .withRules(fleet.rules())
            .withRubric(Rubric.of("cpu", 1, "mem", dice.chance(2) ? "0.5" : -1));
    return fleet.lastPlaced().map(problem::withLastPlaced).orElse(problem);
  }

  /** The oracle for a problem, before its workloads come. */
  public static Oracle oracle(Problem problem, String strategy, Fault fault) {
    return new Oracle(
        Strategy.named(strategy),
        problem.rubric().orElse(Rubric.of()),
        new World(
            fault, problem.rules(), problem.domains(), problem.nodes(), problem.lastPlaced()));
  }

  /** A distributor with all that a problem says but its workloads. */
  public static Distributor distributor(Problem problem, String strategy) {
    Distributors.Builder builder =
        Distributors.installed()
            .strategy(strategy)
            .domains(problem.domains())
            .rules(problem.rules())
            .nodes(problem.nodes());
    problem.rubric().ifPresent(builder::rubric);
    if (strategy.equals("pack")) {
      builder.setting("steps", "2000");
    }
    problem.lastPlaced().ifPresent(builder::lastPlaced);
    return builder.build();
  }

  /** By workload, in the order given: its node, or null. */
  public static Map<String, String> placed(Assignments answer) {
    Map<String, String> placed = new LinkedHashMap<>();
    answer.asMap().forEach((workload, node) -> placed.put(workload, node.orElse(null)));
    return placed;
  }
}

package io.lighthouse.json.write;

import io.lighthouse.api.Change;
import io.lighthouse.api.advice.Plan;
import java.util.function.Function;

/**
 * Writes a plan. Its members are {@code goal}, {@code waves}, {@code unmet}, {@code before}, {@code
 * after}, {@code bound} and {@code obstacles}. A wave has {@code changes}, each with {@code
 * workload}, {@code from} where it is a move, and {@code to}. Before and after have {@code placed},
 * {@code nodes_in_use}, {@code fullest} and {@code averse}. The bound has {@code figure}, {@code
 * best} and {@code reached}.
 */
public final class PlanWriter {
  private PlanWriter() {}

  /**
   * Writes the members of an answer.
   *
   * @param json where to
   * @param plan the plan
   * @param words the words for the reason of an obstacle
   */
  public static void write(AnswerWriter json, Plan plan, Function<Plan.Obstacle, String> words) {
    json.member("goal", plan.goal().word());
    json.objects(
        "waves",
        plan.waves(),
        (inside, wave) -> inside.objects("changes", wave, PlanWriter::write));
    json.names("unmet", plan.unmet());
    json.object("before", inside -> write(inside, plan.before()));
    json.object("after", inside -> write(inside, plan.after()));
    json.object(
        "bound",
        inside ->
            inside
                .member("figure", plan.bound().figure())
                .member("best", plan.bound().best())
                .member("reached", plan.bound().reached()));
    json.objects(
        "obstacles",
        plan.obstacles(),
        (inside, obstacle) -> {
          inside.member("workload", obstacle.workload().name());
          inside.member("node", obstacle.node().orElse(null));
          inside.member("why", words.apply(obstacle));
          obstacle.refusal().ifPresent(refusal -> inside.refusal("refusal", refusal));
        });
  }

  private static void write(AnswerWriter json, Change change) {
    change.match(new ChangeMembers(json));
  }

  /** Writes the members of a change that a plan can have. */
  private record ChangeMembers(AnswerWriter json) implements Change.SomeCases<AnswerWriter> {
    @Override
    public AnswerWriter move(Change.Move move) {
      json.member("workload", move.workload());
      return json.member("from", move.from()).member("to", move.to());
    }

    @Override
    public AnswerWriter assign(Change.Assign assign) {
      return json.member("workload", assign.workload().name()).member("to", assign.node());
    }

    @Override
    public AnswerWriter other(Change other) {
      throw new IllegalArgumentException("no plan has the change " + other);
    }
  }

  private static void write(AnswerWriter json, Plan.Figures figures) {
    json.member("placed", figures.placed())
        .member("nodes_in_use", figures.nodesInUse())
        .member("fullest", figures.fullest())
        .member("averse", figures.averse());
  }
}

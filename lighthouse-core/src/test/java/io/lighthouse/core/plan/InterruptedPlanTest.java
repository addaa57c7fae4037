package io.lighthouse.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.api.rule.Judgement;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.api.rule.Reads;
import io.lighthouse.api.rule.RuleCheck;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.core.Distributors;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A plan whose thread is interrupted ends with what it has by then, and no workload is moved. */
class InterruptedPlanTest {
  private final Distributor fleet =
      Distributors.of("first", (workload, candidates) -> candidates.first())
          .nodes(
              List.of(
                  node("n1").withWorkloads(one("a"), one("b")),
                  node("n2").withWorkloads(one("c")),
                  node("n3")))
          .build();

  private static Node node(String name) {
    return Node.of(name, Resources.of("cpu", 4));
  }

  private static Workload one(String name) {
    return Workload.of(name, Resources.of("cpu", 1)).withAversionGroups("g");
  }

  static Stream<PlanGoal> goals() {
    return Stream.of(
        new PlanGoal.Place(List.of(one("new"))),
        new PlanGoal.Drain(List.of("n1")),
        new PlanGoal.Evacuate(List.of("n2")),
        new PlanGoal.Rebalance(),
        new PlanGoal.Repair());
  }

  @AfterEach
  void clear() {
    Thread.interrupted();
  }

  @ParameterizedTest
  @MethodSource("goals")
  void endsWithWhatItHas(PlanGoal goal) {
    assertThat(fleet.advisor().plan(goal, PlanLimits.NONE).changes()).as("left alone").isNotEmpty();
    var nodes = fleet.snapshot().nodes();

    Plan plan =
        fleet.tryOut(
            List.of(),
            tried -> {
              Thread.currentThread().interrupt();
              return tried.advisor().plan(goal, PlanLimits.NONE);
            });

    assertThat(Thread.interrupted()).as("the flag stays set").isTrue();
    assertThat(plan.changes()).isEmpty();
    assertThat(plan.after()).isEqualTo(plan.before());
    assertThat(plan.optimal()).isFalse();
    assertThat(fleet.snapshot().nodes()).isEqualTo(nodes);
    assertThat(fleet.advisor().plan(goal, PlanLimits.NONE).changes())
        .as("and afterwards")
        .isNotEmpty();
  }

  /** Each workload is refused by a rule of a plug-in, which evaluates it on each node. */
  @Test
  void obstaclesEndWhereTheThreadIsInterrupted() {
    AtomicInteger evaluations = new AtomicInteger();
    AtomicInteger last = new AtomicInteger(Integer.MAX_VALUE);
    PlacementRule refusing =
        new PlacementRule() {
          @Override
          public String name() {
            return "refusing";
          }

          @Override
          public Set<Reads> reads() {
            return Set.of(Reads.ACCOUNTS);
          }

          @Override
          public RuleCheck newCheck(Fleet nodes, Settings with) {
            return (workload, node) -> {
              if (evaluations.incrementAndGet() == last.get()) {
                Thread.currentThread().interrupt();
              }
              return Judgement.broken(1, "no");
            };
          }
        };
    Distributor ruled =
        Distributors.of("first", (workload, candidates) -> candidates.first())
            .rule(refusing)
            .nodes(node("n1"), node("n2"))
            .build();
    Terms refused = Terms.NONE.rules(new Rule.Named("refusing", Map.of()));
    PlanGoal goal =
        new PlanGoal.Place(
            IntStream.rangeClosed(1, 4).mapToObj(i -> shape(i).withTerms(refused)).toList());
    assertThat(ruled.advisor().plan(goal, PlanLimits.NONE).obstacles()).hasSize(4);

    last.set(evaluations.getAndSet(0));
    assertThat(ruled.advisor().plan(goal, PlanLimits.NONE).obstacles()).hasSize(3);
    assertThat(evaluations).as("also of the last workload").hasValue(last.get());
  }

  private static Workload shape(int cpu) {
    return Workload.of("w" + cpu, Resources.of("cpu", cpu));
  }
}

package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Reason;
import io.lighthouse.api.ReasonCount;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Immunities to a resource that no node has, but a domain. Nothing that was found out for others
 * may serve such a workload.
 */
class ImmuneToDomainsTest {
  /** Enough for an index, and for bounds that are worth remembering. */
  private static final int NODES_OF_A_ZONE = 1_500;

  private static final String WARD = "maintenance";

  private static final class FirstFit implements PlacementStrategy {
    @Override
    public String name() {
      return "first-fit";
    }

    @Override
    public Placer newPlacer(Fleet fleet, Settings settings) {
      return (workload, candidates) -> candidates.first();
    }
  }

  static List<PlacementStrategy> strategies() {
    return List.of(
        new FirstFit(), LivingFleet.roundRobin(), LivingFleet.byScore(Rubric.of("cpu", 1)));
  }

  /** Zone a has room and a ward; zone b has neither. */
  private static Distributor fleet(PlacementStrategy strategy, int nodes) {
    List<Node> all = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      all.add(Node.of("a" + i, Resources.of("cpu", 10)).in("zone", "a"));
    }
    for (int i = 0; i < nodes; i++) {
      all.add(Node.of("b" + i, Resources.of("cpu", 1)).in("zone", "b"));
    }
    return Distributors.of(strategy)
        .nodes(all)
        .domains(List.of(Domain.of("zone", "a", Resources.of(WARD, -1))))
        .build();
  }

  private static Workload strict(String name, int cpu) {
    return Workload.of(name, Resources.of("cpu", cpu));
  }

  private static Workload immune(String name, int cpu) {
    return strict(name, cpu).withImmunities(WARD);
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void theImmuneGoesWhereOthersWereRejected(PlacementStrategy strategy) {
    Distributor fleet = fleet(strategy, NODES_OF_A_ZONE);
    for (int i = 0; i < 100; i++) {
      assertThat(fleet.assign(strict("strict" + i, 5)).placedCount()).isZero();
    }
    List<Workload> batch = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      batch.add(strict("s" + i, 5));
    }
    batch.add(immune("i", 5));
    assertThat(fleet.assign(batch).nodeOf("i")).isPresent();
    assertThat(fleet.assign(immune("j", 6)).placedCount()).isEqualTo(1);
    assertThat(fleet.fitting(immune("k", 7))).hasSize(NODES_OF_A_ZONE - 2);
  }

  @Test
  void aRefusalOfTheImmuneNamesNoWard() {
    Distributor fleet = fleet(new FirstFit(), 3);
    Assignments answer =
        fleet.assign(List.of(strict("s", 99), immune("i", 99)), AssignOption.EXPLAIN);
    assertThat(kinds(answer.refusals().get(0)))
        .contains(Reason.Kind.SHORTCOMING, Reason.Kind.SHORT);
    assertThat(kinds(answer.refusals().get(1))).containsExactly(Reason.Kind.SHORT);
  }

  private static List<Reason.Kind> kinds(Refusal refusal) {
    return refusal.counts().stream().map(ReasonCount::kind).distinct().toList();
  }
}

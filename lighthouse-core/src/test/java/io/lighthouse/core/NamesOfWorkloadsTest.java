package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Budget;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Offer;
import io.lighthouse.api.advice.Sizing;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.rule.Judgement;
import io.lighthouse.api.rule.PlacementRule;
import io.lighthouse.api.rule.Reads;
import io.lighthouse.api.rule.RuleCheck;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which rules of plug-ins see the name of a workload. */
class NamesOfWorkloadsTest {
  private final List<String> seen = new ArrayList<>();

  /** Allows workloads whose names begin as the node's does. */
  private final class SameLetter implements PlacementRule {
    private final Reads reads;

    SameLetter(Reads reads) {
      this.reads = reads;
    }

    @Override
    public String name() {
      return "same-letter";
    }

    @Override
    public Set<Reads> reads() {
      return Set.of(reads);
    }

    @Override
    public RuleCheck newCheck(Fleet fleet, Settings with) {
      return (workload, node) -> {
        seen.add(workload.name());
        return workload.name().charAt(0) == node.name().charAt(0)
            ? Judgement.KEPT
            : Judgement.broken(1, "another letter");
      };
    }
  }

  private Distributor fleet(Reads reads, String... nodes) {
    List<Node> all = new ArrayList<>();
    for (String name : nodes) {
      all.add(Node.of(name, Resources.of("cpu", 9)));
    }
    return Distributors.of(LivingFleet.roundRobin()).rule(new SameLetter(reads)).nodes(all).build();
  }

  private static Workload workload(String name) {
    return Workload.of(name, Resources.of("cpu", 1))
        .withTerms(Terms.NONE.rules(new Rule.Named("same-letter", Map.of())));
  }

  @Test
  void aRuleThatReadsMoreThanNodesSeesTheName() {
    Distributor fleet = fleet(Reads.ACCOUNTS, "d", "p");
    assertThat(fleet.assign(workload("dev"), workload("prod")).asMap())
        .isEqualTo(Map.of("dev", Optional.of("d"), "prod", Optional.of("p")));
  }

  @Test
  void aSizeAsksARuleForEachName() {
    Distributor fleet = fleet(Reads.ACCOUNTS, "x");
    List<Offer> offers = List.of(offer("d"), offer("p"));
    Sizing sizing =
        fleet.advisor().size(List.of(workload("dev"), workload("prod")), offers, Budget.UNLIMITED);
    assertThat(sizing.nodes()).isEqualTo(2);
    assertThat(seen).containsOnly("dev", "prod");
  }

  private static Offer offer(String name) {
    return new Offer(Node.of(name, Resources.of("cpu", 9)), Quantity.of(1), 1);
  }

  /** One answer is kept for all workloads of a shape, so it must not depend on the first one. */
  @Test
  void aRuleThatReadsNodesAloneSeesNoName() {
    for (List<String> order : List.of(List.of("dev", "prod"), List.of("prod", "dev"))) {
      Distributor fleet = fleet(Reads.NODE, "d", "p", "w");
      for (String name : order) {
        assertThat(fleet.fitting(workload(name))).containsExactly("w");
        assertThat(fleet.assign(workload(name)).asMap()).containsEntry(name, Optional.of("w"));
      }
    }
    assertThat(seen).isNotEmpty().containsOnly("workload");
  }
}

package io.lighthouse.tests.plans;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Change;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Snapshot;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.PlanLimits;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** After {@code rebalance}, no exchange of one or two workloads lowers the fullest node. */
class ExchangesTest {
  private static final int FLEETS = 200;

  /** What the amounts of a node are after an exchange. */
  private record Amounts(int cpu, int mem, int ofCpu, int ofMem) {
    static Amounts of(NodeState node) {
      int cpu = 0;
      int mem = 0;
      for (Workload held : node.workloads()) {
        cpu += amount(held.requirements(), "cpu");
        mem += amount(held.requirements(), "mem");
      }
      return new Amounts(
          cpu, mem, cpu + amount(node.left(), "cpu"), mem + amount(node.left(), "mem"));
    }

    Amounts with(List<Workload> some, int sign) {
      int more = some.stream().mapToInt(one -> amount(one.requirements(), "cpu")).sum();
      int moreMem = some.stream().mapToInt(one -> amount(one.requirements(), "mem")).sum();
      return new Amounts(cpu + sign * more, mem + sign * moreMem, ofCpu, ofMem);
    }

    boolean fits() {
      return cpu <= ofCpu && mem <= ofMem;
    }

    double load() {
      return Math.max((double) cpu / ofCpu, (double) mem / ofMem);
    }
  }

  private static int amount(Resources resources, String name) {
    return resources.get(name).orElseThrow().toBigDecimal().intValueExact();
  }

  private static Distributor fleet(Random random) {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 3 + random.nextInt(3); i++) {
      int cpu = 20 + random.nextInt(15);
      nodes.add(Node.of("n" + i, Resources.of("cpu", cpu, "mem", 20 + random.nextInt(15))));
    }
    Distributor fleet = Distributors.installed().strategy("prioritized").nodes(nodes).build();
    List<Workload> workloads = new ArrayList<>();
    for (int i = 0; i < 4 * nodes.size(); i++) {
      Resources needs = Resources.of("cpu", random.nextInt(9), "mem", random.nextInt(9));
      workloads.add(Workload.of("w" + i, needs));
    }
    fleet.assign(workloads);
    return fleet;
  }

  /** An exchange that makes both nodes less full than the fullest one is. */
  private static Optional<String> exchange(Snapshot fleet) {
    NodeState fullest = fleet.nodes().get(0);
    for (NodeState node : fleet.nodes()) {
      fullest = Amounts.of(node).load() > Amounts.of(fullest).load() ? node : fullest;
    }
    Amounts here = Amounts.of(fullest);
    for (NodeState node : fleet.nodes()) {
      Amounts there = Amounts.of(node);
      for (List<Workload> leaves : subsets(fullest.workloads())) {
        for (List<Workload> comes : subsets(node.workloads())) {
          Amounts then = here.with(leaves, -1).with(comes, 1);
          Amounts other = there.with(comes, -1).with(leaves, 1);
          boolean feasible = there.with(leaves, 1).fits() || here.with(comes, 1).fits();
          if (node != fullest
              && feasible
              && Math.max(then.load(), other.load()) < here.load() - 1e-9) {
            return Optional.of(leaves + " of " + fullest.name() + " for " + comes);
          }
        }
      }
    }
    return Optional.empty();
  }

  /** All sets of one or two. */
  private static List<List<Workload>> subsets(List<Workload> of) {
    List<List<Workload>> subsets = new ArrayList<>();
    for (int i = 0; i < of.size(); i++) {
      subsets.add(List.of(of.get(i)));
      for (int j = i + 1; j < of.size(); j++) {
        subsets.add(List.of(of.get(i), of.get(j)));
      }
    }
    return subsets;
  }

  @Test
  void noExchangeLowersTheFullestNode() {
    int found = 0;
    for (int seed = 0; seed < FLEETS; seed++) {
      Distributor fleet = fleet(new Random(seed));
      found += exchange(fleet.snapshot()).isPresent() ? 1 : 0;
      Plan plan = fleet.advisor().plan(new PlanGoal.Rebalance(), PlanLimits.NONE);
      plan.changes().forEach((Change change) -> fleet.apply(change));
      assertThat(exchange(fleet.snapshot())).as("%d: %s", seed, plan).isEmpty();
    }
    assertThat(found).as("fleets in which there is one before").isGreaterThan(FLEETS / 2);
  }
}

package io.lighthouse.scheduler.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.core.Distributors;
import io.lighthouse.scheduler.NodeChoice;
import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.SchedulingReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Every strategy that is installed chooses in passes what it chooses in a distributor that has the
 * same nodes and is given one workload after the other.
 */
class StrategiesInPassesProperties {
  private static final Rubric RUBRIC = Rubric.of(Map.of("cpus", "1", "mem", "0.001"));

  @Provide
  Arbitrary<String> strategies() {
    return Arbitraries.of(
        Distributors.installed().strategies().stream().map(each -> each.name()).toList());
  }

  @Property
  void passesChooseAsADistributorDoes(@ForAll("strategies") String strategy, @ForAll long seed) {
    Random random = new Random(seed);
    Cluster cluster = new Cluster();
    cluster.policy =
        SchedulingPolicy.DEFAULT
            .withReserve(false)
            .withNodeChoice(NodeChoice.installed(strategy, Map.of(), Optional.of(RUBRIC)));
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(6); i++) {
      Resources has = vector(random, 4, 20);
      cluster.node("n" + i);
      cluster.offers("agent_n" + i, has);
      nodes.add(Node.of("n" + i, has));
    }
    Distributor distributor =
        Distributors.installed().strategy(strategy).rubric(RUBRIC).nodes(nodes).build();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < random.nextInt(12); i++) {
      Resources request = vector(random, 1, 7);
      String entry = "e" + (char) ('a' + i); // Equal priorities are queued by name.
      cluster.queue(entry, 1, request);
      distributor
          .assign(Workload.of(entry, request))
          .node(0)
          .ifPresent(node -> expected.add(entry + " on " + node));
    }
    List<String> found = new ArrayList<>();
    SchedulingReport report = cluster.pass();
    assertThat(report.failures()).isEmpty();
    report.queue().placements().forEach(at -> found.add(at.execution().id() + " on " + at.node()));
    assertThat(found).isEqualTo(expected);
  }

  /** Some are whole, some have digits after the point, some are large. */
  private static Resources vector(Random random, int from, int to) {
    int digits = random.nextInt(4);
    long scaled = (from + random.nextInt(to - from)) * (long) Math.pow(10, digits);
    Quantity cpus = Quantity.ofScaled(scaled + random.nextInt(1 + digits * 3), digits);
    long mem = (from + random.nextInt(to - from)) * (random.nextInt(4) == 0 ? 1L << 36 : 1000);
    return Resources.of("cpus", cpus, "mem", mem);
  }
}

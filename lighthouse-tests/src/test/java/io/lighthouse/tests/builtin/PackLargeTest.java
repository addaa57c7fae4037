package io.lighthouse.tests.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Budget;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.core.Distributors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code pack} on a batch that is large enough to be placed in parts. */
class PackLargeTest {
  /** Two parts: just above 2^26 pairs. With fewer nodes, assertions scan all at each turn. */
  private static final int NODES = 2_600;

  private static final int WORKLOADS = 26_000;

  private static final List<Node> FLEET = fleet();

  private static List<Node> fleet() {
    SplittableRandom random = new SplittableRandom(1);
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      int cpu = 2_000 + 1_000 * random.nextInt(4);
      nodes.add(Node.of("n" + i, Resources.of("cpu", cpu, "mem", 6_000 - cpu / 2)));
    }
    return nodes;
  }

  private static List<Workload> batch(int mean) {
    SplittableRandom random = new SplittableRandom(2);
    List<Workload> batch = new ArrayList<>();
    for (int i = 0; i < WORKLOADS; i++) {
      Resources needs =
          Resources.of("cpu", 1 + random.nextInt(2 * mean), "mem", 1 + random.nextInt(2 * mean));
      batch.add(Workload.of("w" + i, needs));
    }
    return batch;
  }

  private static Distributor fleet(String strategy, List<Node> nodes) {
    return Distributors.installed()
        .strategy(strategy)
        .rubric(Rubric.of("cpu", 1, "mem", 1))
        .nodes(nodes)
        .build();
  }

  private static int nodesUsed(Assignments answer) {
    Set<String> used = new HashSet<>();
    for (int i = 0; i < answer.size(); i++) {
      answer.node(i).ifPresent(used::add);
    }
    return used.size();
  }

  @Test
  void theAnswerIsTheSameForAnyNumberOfThreads() throws Exception {
    List<Workload> batch = batch(282);
    List<Assignments> answers = new ArrayList<>();
    for (int threads : new int[] {1, 3}) {
      ForkJoinPool pool = new ForkJoinPool(threads);
      try {
        answers.add(pool.submit(() -> fleet("pack", FLEET).assign(batch)).get());
      } finally {
        pool.shutdown();
      }
    }
    assertThat(answers.get(0).asMap()).isEqualTo(answers.get(1).asMap());
  }

  /** The mean need decides whether there is room for all: 60 % of it, or less than all. */
  @ParameterizedTest
  @ValueSource(ints = {235, 400, 517})
  void isNeverWorseThanASimpleStrategy(int mean) {
    List<Workload> batch = batch(mean);
    Assignments packed = fleet("pack", FLEET).assign(batch);
    for (String simple : List.of("prioritized", "round-robin", "spread", "balance", "bin-pack")) {
      Assignments other = fleet(simple, FLEET).assign(batch);
      assertThat(packed.placedCount()).as(simple).isGreaterThanOrEqualTo(other.placedCount());
      if (packed.placedCount() == other.placedCount()) {
        assertThat(nodesUsed(packed)).as(simple).isLessThanOrEqualTo(nodesUsed(other));
      }
    }
  }

  @Test
  void usesNoCordonedNode() {
    List<Node> nodes = new ArrayList<>(FLEET);
    nodes.replaceAll(node -> node.name().endsWith("7") ? node.asCordoned() : node);
    Assignments answer = fleet("pack", nodes).assign(batch(235));
    assertThat(answer.allPlaced()).isTrue();
    assertThat(answer.asMap().values())
        .allMatch(node -> !node.map(name -> name.endsWith("7")).orElse(false));
  }

  /** Where the time is over before anything is found, the answer is completed. */
  @Test
  void endsWhenTheTimeIsOver() {
    Budget none = Budget.UNLIMITED.within(Duration.ofNanos(1));
    Optional<String> unplaced = Optional.empty();
    assertThat(fleet("pack", FLEET).assign(batch(235), none).asMap().values())
        .doesNotContain(unplaced);
  }
}

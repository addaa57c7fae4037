package io.lighthouse.tests.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Batches that first fit cannot place whole and {@code pack} can: it moves workloads. */
class PackChainsTest {
  private static final Map<String, String> FROM_FIRST_FIT =
      Map.of("start", "first-fit", "goal", "place-all");

  private static Workload workload(String name, int cpu, int mem) {
    return Workload.of(name, Resources.of("cpu", cpu, "mem", mem));
  }

  private static Node node(String name, int cpu, int mem) {
    return Node.of(name, Resources.of("cpu", cpu, "mem", mem));
  }

  private static Assignments placed(
      String strategy, Map<String, String> settings, List<Node> nodes, List<Workload> batch) {
    Distributor fleet =
        Distributors.installed().strategy(strategy).settings(settings).nodes(nodes).build();
    return fleet.assign(batch);
  }

  /** First fit refuses this number of workloads, and none has to be refused. */
  private static void roomIsMade(int refused, List<Node> nodes, List<Workload> batch) {
    assertThat(placed("prioritized", Map.of(), nodes, batch).placedCount())
        .as("first fit")
        .isEqualTo(batch.size() - refused);
    assertThat(placed("pack", FROM_FIRST_FIT, nodes, batch).allPlaced()).isTrue();
    assertThat(placed("pack", Map.of("steps", "0"), nodes, batch.subList(0, 1)).allPlaced())
        .as("places what fits, whatever the steps")
        .isTrue();
  }

  @Test
  void oneLeavesForAnother() {
    roomIsMade(
        1,
        List.of(node("n0", 6, 6), node("n1", 2, 2)),
        List.of(workload("a", 2, 2), workload("b", 6, 6)));
  }

  @Test
  void threeLeaveForOne() {
    roomIsMade(
        1,
        List.of(node("n0", 6, 6), node("n1", 2, 2), node("n2", 2, 2), node("n3", 2, 2)),
        List.of(
            workload("a", 2, 2), workload("b", 2, 2), workload("c", 2, 2), workload("d", 6, 6)));
  }

  /** a goes from n0 to n1 alone, whence b goes to n2, so that c has n0. */
  @Test
  void whoIsEjectedEjectsAnother() {
    roomIsMade(
        1,
        List.of(node("n0", 9, 9), node("n1", 6, 9), node("n2", 3, 9)),
        List.of(workload("a", 5, 5), workload("b", 3, 6), workload("c", 9, 1)));
  }

  @Test
  void rivalsStayApartMeanwhile() {
    List<Node> nodes = List.of(node("n0", 4, 4), node("n1", 4, 4), node("n2", 2, 2));
    List<Workload> batch =
        List.of(
            workload("a", 2, 2).withAversionGroups("red"),
            workload("b", 2, 2).withAversionGroups("blue"),
            workload("c", 2, 2),
            workload("d", 4, 4).withAversionGroups("red"));
    assertThat(placed("prioritized", Map.of(), nodes, batch).asMap().get("d")).isEmpty();
    Assignments answer = placed("pack", FROM_FIRST_FIT, nodes, batch);
    assertThat(answer.allPlaced()).isTrue();
    assertThat(answer.asMap().get("a")).isNotEqualTo(answer.asMap().get("d"));
  }

  /**
   * A workload that is immune to cpu fits beside another only after it. The search does not try
   * such orders when the session follows it.
   */
  @Test
  void whatTheSessionRefusesIsTakenBack() {
    List<Workload> batch =
        List.of(
            Workload.of("a", Resources.of("cpu", 1)),
            workload("b", 3, 1).withImmunities("cpu"),
            workload("c", 1, 1));
    for (int nodes = 1; nodes < 4; nodes++) {
      List<Node> fleet = new ArrayList<>();
      for (int i = 0; i < nodes; i++) {
        fleet.add(node("n" + i, 1, 1));
      }
      assertThat(placed("pack", Map.of(), fleet, batch).placedCount())
          .isGreaterThanOrEqualTo(Math.min(nodes, 3));
    }
  }

  /**
   * Nodes of two shapes that a packing fills to the last unit; in the order given, first fit gives
   * the small ones the large nodes. It may not take the steps that it then needs to make room.
   */
  @Test
  void aFullFleetIsFilled() {
    List<Node> nodes = new ArrayList<>();
    List<Workload> batch = new ArrayList<>();
    List<Workload> large = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      nodes.add(node("large-" + i, 10, 4));
      nodes.add(node("small-" + i, 4, 10));
      batch.add(workload("low-" + i, 1, 4));
      batch.add(workload("flat-" + i, 3, 6));
      large.add(workload("wide-" + i, 10, 4));
    }
    batch.addAll(large);
    Assignments first = placed("prioritized", Map.of(), nodes, batch);
    assertThat(first.allPlaced()).isFalse();
    Map<String, String> few = Map.of("start", "first-fit", "goal", "place-all", "steps", "9000");
    assertThat(placed("pack", few, nodes, batch).allPlaced()).isTrue();
  }
}

package io.lighthouse.tests.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.core.Distributors;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.statistics.Statistics;

/** What {@code pack} owes beyond the laws that every strategy is held to. */
class PackProperties {
  /**
   * The amounts that a session offers in bulk are scaled, and their order is that of the names as
   * the fleet came to know them. Neither may tell in a decision.
   */
  @Property(tries = 500, shrinking = ShrinkingMode.OFF)
  void whatAFleetHasSeenBeforeDoesNotTell(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    String[] resources = {"cpu", "mem", "disk"};
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 2 + random.nextInt(5); i++) {
      nodes.add(Node.of("n" + i, resources(resources, random, 3, 40)));
    }
    List<Workload> batch = new ArrayList<>();
    for (int i = 0; i < 4 + random.nextInt(20); i++) {
      batch.add(Workload.of("w" + i, resources(resources, random, 1, 14)));
    }
    Distributor fresh = fleet(nodes);
    Distributor old = fleet(List.of());
    String[] backwards = {"odd", "disk", "mem", "cpu"};
    Resources finer = Resources.none();
    for (String resource : backwards) {
      finer = finer.with(resource, random.nextBoolean() ? "0.001" : "0.3");
    }
    assertThat(old.assign(Workload.of("before", finer)).placedCount()).isZero();
    nodes.forEach(old::addNode);
    assertThat(old.assign(Workload.of("before", finer)).placedCount()).isZero();
    Assignments answer = fresh.assign(batch);
    Statistics.collect(answer.allPlaced() ? "all placed" : "some refused");
    assertThat(old.assign(batch).asMap()).isEqualTo(answer.asMap());
    assertThat(old.snapshot().nodes()).isEqualTo(fresh.snapshot().nodes());
  }

  private static Resources resources(
      String[] names, SplittableRandom random, int least, int below) {
    Resources resources = Resources.none();
    for (String name : names) {
      resources = resources.with(name, least + random.nextInt(below));
    }
    return resources;
  }

  private static Distributor fleet(List<Node> nodes) {
    return Distributors.installed().strategy("pack").setting("steps", "5000").nodes(nodes).build();
  }

  /**
   * The engine judges the end. Those that give are never moved by the search, for others may live
   * on what they give; but they do not stay beside a rival while a friendly node fits.
   */
  @Property(tries = 1000, shrinking = ShrinkingMode.OFF)
  void givesALawfulEndWhereRivalsGive(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < 2 + random.nextInt(3); i++) {
      Node node = Node.of("n" + i, some(random, 0, 5));
      nodes.add(random.nextBoolean() ? node : node.withWorkloads(there("b" + i, random)));
    }
    List<Workload> batch = new ArrayList<>();
    for (int i = 0; i < 2 + random.nextInt(6); i++) {
      batch.add(workload("w" + i, random));
    }
    Distributor fleet = fleet(nodes);
    assertThatCode(() -> fleet.assign(batch)).doesNotThrowAnyException();
    boolean rivals =
        fleet.snapshot().nodes().stream()
            .anyMatch(
                node -> node.workloads().stream().filter(PackProperties::grouped).count() > 1);
    Statistics.label("rivals on one node").collect(rivals);
  }

  private static boolean grouped(Workload workload) {
    return !workload.aversionGroups().isEmpty();
  }

  private static Workload workload(String name, SplittableRandom random) {
    Workload workload = Workload.of(name, some(random, -3, 3));
    return random.nextInt(3) > 0 ? workload.withAversionGroups("red") : workload;
  }

  private static Workload there(String name, SplittableRandom random) {
    Workload workload = Workload.of(name, Resources.of("cpu", random.nextInt(3)));
    return random.nextBoolean() ? workload.withAversionGroups("red") : workload;
  }

  private static Resources some(SplittableRandom random, int least, int below) {
    Resources resources = Resources.of("cpu", random.nextInt(least, below));
    return random.nextBoolean() ? resources : resources.with("mem", random.nextInt(least, below));
  }
}

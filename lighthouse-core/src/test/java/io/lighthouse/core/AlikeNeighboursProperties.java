package io.lighthouse.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Condition;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Domain;
import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/**
 * Workloads whose terms are alike are placed in one batch, where results for one are reused for the
 * next. The placements are those made one by one, where every result is found anew.
 */
class AlikeNeighboursProperties {
  private static final int NODES = 60;

  private static Distributor fleet() {
    List<Node> nodes = new ArrayList<>();
    List<Domain> racks = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      Node node = Node.of("n" + i, Resources.of("cpu", 4 + i % 3, "mem", 6, "ward", i % 9 - 1));
      nodes.add(node.in("rack", "r" + i % 6).in("zone", "z" + i % 3).in("kind", "k" + i % 2));
    }
    for (int i = 0; i < 6; i++) {
      racks.add(Domain.of("rack", "r" + i, Resources.of("power", 30 + i)));
    }
    return Distributors.of("first", (workload, candidates) -> candidates.first())
        .nodes(nodes)
        .domains(racks)
        .build();
  }

  /** Made anew for each workload, so that only what they say can be the same. */
  private static Terms terms(int kind, SplittableRandom random) {
    String group = "g" + kind / 8 % 3;
    Terms grouped = Terms.NONE.inGroups(group);
    Rule apart = new Rule.Most(1, group, Rule.NODE);
    Rule few = new Rule.Most(2 + kind / 24, group, "rack");
    Rule even = new Rule.Skew(1, group, "zone", 1);
    Terms of =
        switch (kind % 8) {
          case 0 -> Terms.NONE;
          case 1 -> grouped;
          case 2 -> grouped.rules(apart);
          case 3 -> grouped.rules(even, few);
          case 4 -> grouped.rules(new Rule.Least(1, group, "rack"));
          case 5 -> Terms.NONE.rules(apart); // Of a group that it is not in.
          case 6 -> grouped.where(new Condition.In("kind", Set.of("k1"))).preferring(apart);
          default -> grouped.rules(apart, even).preferring(few);
        };
    return random.nextInt(3) > 0
        ? of
        : of.sharing("rack", Resources.of("power", 1 + random.nextInt(4)));
  }

  private static List<Workload> batch(SplittableRandom random, String prefix) {
    List<Workload> batch = new ArrayList<>();
    while (batch.size() < 90) {
      int kind = random.nextInt(48);
      int count = 1 + random.nextInt(random.nextInt(4) == 0 ? 80 : 12);
      Resources same = Resources.of("cpu", random.nextInt(3), "mem", 1);
      boolean oneShape = random.nextBoolean();
      for (int i = 0; i < count; i++) {
        Workload workload =
            Workload.of(
                    prefix + kind + "-" + batch.size(),
                    oneShape ? same : Resources.of("cpu", random.nextInt(3), "mem", 1))
                .withTerms(terms(kind, random));
        batch.add(
            switch (random.nextInt(12)) {
              case 0 -> workload.withImmunities("ward");
              case 1 -> workload.withAversionGroups("g" + random.nextInt(3));
              default -> workload;
            });
      }
    }
    return batch;
  }

  @Property(tries = 10, shrinking = ShrinkingMode.OFF)
  void aBatchIsPlacedAsOneByOne(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Distributor together = fleet();
    Distributor apart = fleet();
    for (int round = 0; round < 3; round++) {
      List<Workload> batch = batch(random, "b" + round + "-");
      Assignments all = together.assign(batch);
      List<String> placed = new ArrayList<>();
      for (int i = 0; i < batch.size(); i++) {
        Assignments one = apart.assign(List.of(batch.get(i)));
        assertThat(all.node(i)).as("%s", batch.get(i)).isEqualTo(one.node(0));
        if (one.allPlaced() && random.nextBoolean()) {
          placed.add(batch.get(i).name());
        }
      }
      assertThat(together.snapshot().nodes()).isEqualTo(apart.snapshot().nodes());
      together.release(placed);
      apart.release(placed);
    }
  }
}

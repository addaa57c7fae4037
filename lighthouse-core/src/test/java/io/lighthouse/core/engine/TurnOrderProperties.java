package io.lighthouse.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BatchOrder;
import io.lighthouse.api.strategy.Candidates;
import io.lighthouse.api.strategy.FleetNode;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.core.Distributors;
import io.lighthouse.core.oracle.NaiveFleet;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Turns go by score descending, equal ones by name, as plain decimals and code points say. */
class TurnOrderProperties {

  @Property(shrinking = ShrinkingMode.OFF)
  void isTheOrderOnPaper(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Rubric rubric =
        switch (random.nextInt(4)) {
          case 0 -> Rubric.of("cpu", 1, "mem", "0.5");
          case 1 -> Rubric.of("cpu", "1e30", "mem", "-1e-30", "nobody-has-this", 7);
          case 2 -> Rubric.of("cpu", "-0.1", "mem", 0);
          default -> Rubric.of();
        };
    List<Workload> batch = new ArrayList<>();
    String[] stems = {"a", "b", "\uff5e", "\ud83d\ude80", "A"};
    int size = random.nextInt(200);
    int values = 1 + random.nextInt(6);
    for (int i = 0; i < size; i++) {
      Object cpu = BigDecimal.valueOf(random.nextInt(values), random.nextInt(3));
      Object mem = BigDecimal.valueOf(random.nextInt(-values, values), 1);
      String name = stems[random.nextInt(5)] + random.nextInt(50) + "-" + i;
      batch.add(
          Workload.of(
              name,
              random.nextInt(5) == 0
                  ? Resources.of("cpu", cpu)
                  : Resources.of("cpu", cpu, "mem", mem)));
    }
    List<String> turns = new ArrayList<>();
    Placer placer =
        new Placer() {
          @Override
          public FleetNode choose(Workload workload, Candidates candidates) {
            turns.add(workload.name());
            return candidates.first();
          }

          @Override
          public BatchOrder order() {
            return BatchOrder.scoreDescending(rubric);
          }
        };
    Distributors.of("recording", placer)
        .nodes(Node.of("n", Resources.of("cpu", "inf", "mem", "inf")))
        .build()
        .assign(batch);

    List<Workload> sorted = new ArrayList<>(batch);
    sorted.sort(
        Comparator.comparing((Workload workload) -> NaiveFleet.score(workload, rubric))
            .reversed()
            .thenComparing(Workload::name, NaiveFleet::compareNames));
    assertThat(turns).isEqualTo(sorted.stream().map(Workload::name).toList());
  }
}

package io.lighthouse.benchmarks.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.lighthouse.api.Node;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Workload;
import io.lighthouse.api.quantity.Quantity;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ProblemGeneratorTest {
  private static final ProblemSpec RULES = new ProblemSpec(300, 4, ProblemSpec.TIGHT, 0, true);

  @Nested
  class TheSameSpecification {
    @Test
    void givesTheSameProblem() {
      assertThat(ProblemGenerator.generate(RULES)).isEqualTo(ProblemGenerator.generate(RULES));
    }

    /** Figures of two machines or two JDKs are about the same problem. */
    @Test
    void givesTheProblemThatItAlwaysGave() {
      CRC32 sum = new CRC32();
      String text = ProblemGenerator.generate(RULES).toString();
      // The sum is as old as the generator; the record was called Problem then.
      String then = "Problem" + text.substring(text.indexOf('['));
      sum.update(then.getBytes(StandardCharsets.UTF_8));

      assertThat(sum.getValue()).isEqualTo(4149900847L);
    }

    @Test
    void givesAnotherProblemWhereItDiffers() {
      assertThat(ProblemGenerator.generate(ProblemSpec.plain(50)).workloads())
          .isNotEqualTo(
              ProblemGenerator.generate(new ProblemSpec(50, 4, ProblemSpec.LOOSE, 0, false))
                  .workloads());
    }
  }

  @Nested
  class WithoutRules {
    private final BenchmarkProblem problem = ProblemGenerator.generate(ProblemSpec.plain(200));

    @Test
    void thereAreTenWorkloadsForEachNode() {
      assertThat(problem.nodes()).hasSize(200);
      assertThat(problem.workloads()).hasSize(2000);
    }

    @Test
    void demandIsTheWantedShareOfTheCapacityInEveryResource() {
      for (String resource : ProblemGenerator.resourceNames(4)) {
        double share = demand(resource).doubleValue() / capacity(resource).doubleValue();

        assertThat(share).as(resource).isCloseTo(0.95, within(0.001));
      }
    }

    @Test
    void requirementsAreAllDifferent() {
      assertThat(shapes(problem)).hasSize(2000);
    }

    @Test
    void everyQuantityIsAMultipleOfASixtyFourth() {
      assertThat(problem.workloads())
          .allSatisfy(
              workload ->
                  assertThat(workload.requirements().asMap().values())
                      .allMatch(ProblemGeneratorTest::isSixtyFourths));
    }

    private BigDecimal demand(String resource) {
      return problem.workloads().stream()
          .map(workload -> workload.requirements().get(resource).orElseThrow().toBigDecimal())
          .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private BigDecimal capacity(String resource) {
      return problem.nodes().stream()
          .map(node -> node.resources().get(resource).orElseThrow().toBigDecimal())
          .reduce(BigDecimal.ZERO, BigDecimal::add);
    }
  }

  @Nested
  class WithRules {
    private final BenchmarkProblem problem = ProblemGenerator.generate(RULES);

    @Test
    void nodesHaveAllOfThem() {
      List<Node> nodes = problem.nodes();

      assertThat(nodes).anyMatch(node -> node.resources().has("tag-a"));
      assertThat(nodes).anyMatch(node -> node.resources().has("ward-x"));
      assertThat(nodes).anyMatch(node -> !node.resources().has("cpu"));
      assertThat(nodes).anyMatch(node -> isWard(node, "mem") || isWard(node, "cpu"));
      assertThat(nodes)
          .anyMatch(node -> node.resources().get("cpu").equals(Optional.of(Quantity.of(-5))));
    }

    @Test
    void workloadsHaveAllOfThem() {
      List<Workload> workloads = problem.workloads();

      assertThat(workloads).anyMatch(workload -> workload.requirements().has("tag-b"));
      assertThat(workloads).anyMatch(workload -> workload.immunities().contains("ward-y"));
      assertThat(workloads).anyMatch(workload -> workload.immunities().contains("cpu"));
      assertThat(workloads).anyMatch(workload -> workload.aversionGroups().size() == 2);
      assertThat(workloads).anyMatch(workload -> !workload.requirements().has("cpu"));
      assertThat(workloads)
          .anyMatch(
              workload ->
                  workload.requirements().asMap().values().stream()
                      .anyMatch(quantity -> quantity.signum() < 0));
    }

    private static boolean isWard(Node node, String resource) {
      return node.resources().get(resource).filter(Quantity.NEGATIVE_INFINITY::equals).isPresent();
    }
  }

  @Test
  void shapesAreAsManyAsAskedFor() {
    BenchmarkProblem problem = ProblemGenerator.generate(new ProblemSpec(300, 2, 95, 20, false));

    assertThat(shapes(problem)).hasSize(20);
  }

  @Test
  void aSpecificationOutOfRangeIsRefused() {
    assertThatThrownBy(() -> new ProblemSpec(10, 9, 95, 0, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("resources 9");
  }

  private static Set<Resources> shapes(BenchmarkProblem problem) {
    Set<Resources> shapes = new HashSet<>();
    problem.workloads().forEach(workload -> shapes.add(workload.requirements()));
    return shapes;
  }

  private static boolean isSixtyFourths(Quantity quantity) {
    return quantity.toBigDecimal().multiply(BigDecimal.valueOf(64)).stripTrailingZeros().scale()
        <= 0;
  }
}

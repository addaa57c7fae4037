package io.lighthouse.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.core.Distributors;
import io.lighthouse.core.oracle.Fault;
import io.lighthouse.core.oracle.NaiveDistributor;
import io.lighthouse.core.oracle.Strategy;
import io.lighthouse.json.Problem;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every shared case and every random problem, exactly; skipped where the folder is absent. */
class ConformanceTest {
  static Stream<SharedCases.Case> documented() throws IOException {
    List<SharedCases.Case> cases = SharedCases.documented("conformance");
    assertThat(cases).hasSizeGreaterThanOrEqualTo(32);
    return cases.stream();
  }

  @ParameterizedTest
  @MethodSource("documented")
  void aDocumentedCaseIsAnsweredExactly(SharedCases.Case documented) {
    documented
        .expected()
        .forEach(
            (strategy, expected) -> {
              Map<String, Object> wanted = SharedCases.object(expected);
              Distributor distributor = distributor(documented.problem(), strategy);
              assertThat(placed(distributor, documented.problem()))
                  .as(strategy)
                  .isEqualTo(wanted.get("assignments"));
              assertThat(left(distributor)).as(strategy).isEqualTo(left(wanted.get("left")));
            });
  }

  static Stream<SharedCases.Case> random() throws IOException {
    List<SharedCases.Case> cases = SharedCases.random("conformance");
    assertThat(cases).hasSizeGreaterThanOrEqualTo(300);
    return cases.stream();
  }

  @ParameterizedTest
  @MethodSource("random")
  void aRandomProblemIsAnsweredExactly(SharedCases.Case random) {
    assertThat(random.expected()).containsOnlyKeys("prioritized", "round-robin", "bin-pack");
    random
        .expected()
        .forEach(
            (strategy, expected) -> {
              Distributor distributor = distributor(random.problem(), strategy);
              assertThat(placed(distributor, random.problem())).as(strategy).isEqualTo(expected);
              assertThat(left(distributor))
                  .as(strategy)
                  .isEqualTo(left(naive(random.problem(), strategy)));
            });
  }

  private static Distributor distributor(Problem problem, String strategy) {
    Distributors.Builder builder =
        Distributors.installed().strategy(strategy).nodes(problem.nodes());
    problem.rubric().ifPresent(builder::rubric);
    problem.lastPlaced().ifPresent(builder::lastPlaced);
    return builder.build();
  }

  private static Distributor naive(Problem problem, String strategy) {
    Rubric rubric = problem.rubric().orElse(Rubric.of());
    Distributor naive =
        new NaiveDistributor(
            Strategy.named(strategy), rubric, Fault.NONE, problem.nodes(), problem.lastPlaced());
    naive.assign(problem.workloads());
    return naive;
  }

  private static Map<String, String> placed(Distributor distributor, Problem problem) {
    Assignments answer = distributor.assign(problem.workloads());
    Map<String, String> placed = new LinkedHashMap<>();
    answer.asMap().forEach((workload, node) -> placed.put(workload, node.orElse(null)));
    return placed;
  }

  private static Map<String, Resources> left(Distributor distributor) {
    Map<String, Resources> left = new TreeMap<>();
    for (NodeState node : distributor.snapshot().nodes()) {
      left.put(node.name(), node.left());
    }
    return left;
  }

  private static Map<String, Resources> left(Object expected) {
    Map<String, Resources> left = new TreeMap<>();
    SharedCases.object(expected)
        .forEach(
            (node, quantities) -> left.put(node, Resources.of(SharedCases.object(quantities))));
    return left;
  }
}

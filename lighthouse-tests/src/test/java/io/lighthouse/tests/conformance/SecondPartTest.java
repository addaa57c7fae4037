package io.lighthouse.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.DomainState;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.GangRefusal;
import io.lighthouse.api.NodeState;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Refusal;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Snapshot;
import io.lighthouse.core.oracle.Fault;
import io.lighthouse.core.oracle.Oracle;
import io.lighthouse.core.oracle.Outcome;
import io.lighthouse.core.oracle.Problems;
import io.lighthouse.json.Problem;
import io.lighthouse.json.write.AnswerWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every shared case and random problem of domains, rules and gangs, exactly: the node of every
 * workload, what is left of nodes and domains, the reasons, and the gangs. Skipped where the folder
 * is absent.
 */
class SecondPartTest {
  private static final String PART = "conformance2";

  static Stream<SharedCases.Case> documented() throws IOException {
    List<SharedCases.Case> cases = SharedCases.documented(PART);
    assertThat(cases).hasSizeGreaterThanOrEqualTo(91);
    return cases.stream();
  }

  static Stream<SharedCases.Case> random() throws IOException {
    List<SharedCases.Case> cases = SharedCases.random(PART);
    assertThat(cases).hasSizeGreaterThanOrEqualTo(400);
    return cases.stream();
  }

  @ParameterizedTest
  @MethodSource("documented")
  void theOracleAgreesWithADocumentedCase(SharedCases.Case documented) {
    documented
        .expected()
        .forEach(
            (strategy, expected) -> {
              Map<String, Object> wanted = SharedCases.object(expected);
              Oracle oracle = Problems.oracle(documented.problem(), strategy, Fault.NONE);
              Outcome outcome = oracle.assign(documented.problem().workloads());
              assertThat(outcome.placed()).as(strategy).isEqualTo(wanted.get("assignments"));
              assertThat(leftOf(oracle.nodes())).as(strategy).isEqualTo(left(wanted.get("left")));
              assertThat(leftOfDomains(oracle.domains()))
                  .as(strategy)
                  .isEqualTo(leftOfDomains(wanted.get("left_of_domains")));
              assertThat(outcome.gangs().keySet())
                  .as(strategy)
                  .isEqualTo(members(wanted, "gangs").keySet());
              members(wanted, "gangs")
                  .forEach(
                      (member, gang) ->
                          assertThat(gang(outcome.gangs().get(member)))
                              .as(strategy)
                              .isEqualTo(gang));
              members(wanted, "why")
                  .forEach(
                      (workload, nodes) ->
                          SharedCases.object(nodes)
                              .forEach(
                                  (node, reasons) ->
                                      assertThat(reasons(outcome.why().get(workload).get(node)))
                                          .as(strategy + ", " + workload + " on " + node)
                                          .isEqualTo(reasons)));
            });
  }

  @ParameterizedTest
  @MethodSource("random")
  void theOracleAgreesWithARandomProblem(SharedCases.Case random) {
    assertThat(random.expected()).containsOnlyKeys("prioritized", "round-robin", "bin-pack");
    random
        .expected()
        .forEach(
            (strategy, expected) ->
                assertThat(
                        Problems.oracle(random.problem(), strategy, Fault.NONE)
                            .assign(random.problem().workloads())
                            .placed())
                    .as(strategy)
                    .isEqualTo(expected));
  }

  @ParameterizedTest
  @MethodSource("documented")
  void aDocumentedCaseIsAnsweredExactly(SharedCases.Case documented) {
    Problem problem = documented.problem();
    documented
        .expected()
        .forEach(
            (strategy, expected) -> {
              Map<String, Object> wanted = SharedCases.object(expected);
              checkReasons(strategy, problem, members(wanted, "why"));
              Distributor distributor = Problems.distributor(problem, strategy);
              Assignments answer = distributor.assign(problem.workloads(), AssignOption.EXPLAIN);
              assertThat(Problems.placed(answer)).as(strategy).isEqualTo(wanted.get("assignments"));
              Snapshot after = distributor.snapshot();
              assertThat(leftOf(after.nodes())).as(strategy).isEqualTo(left(wanted.get("left")));
              assertThat(leftOfDomains(after.domains()))
                  .as(strategy)
                  .isEqualTo(leftOfDomains(wanted.get("left_of_domains")));
              Map<String, Object> gangs = new TreeMap<>();
              for (Refusal refusal : answer.refusals()) {
                refusal.gang().ifPresent(gang -> gangs.put(refusal.workload(), gang(gang)));
              }
              assertThat(gangs).as(strategy).isEqualTo(members(wanted, "gangs"));
            });
  }

  private static void checkReasons(String strategy, Problem problem, Map<String, Object> why) {
    for (int i = 0; i < problem.workloads().size(); i++) {
      String workload = problem.workloads().get(i).name();
      if (why.containsKey(workload)) {
        Map<String, Object> found = new TreeMap<>();
        Explanation explanation =
            Problems.distributor(problem, strategy).explain(i, problem.workloads());
        explanation.nodes().forEach(node -> found.put(node.node(), reasons(node.reasons())));
        SharedCases.object(why.get(workload))
            .forEach(
                (node, reasons) ->
                    assertThat(found.get(node))
                        .as(strategy + ", " + workload + " on " + node)
                        .isEqualTo(reasons));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("random")
  void aRandomProblemIsAnsweredExactly(SharedCases.Case random) {
    random
        .expected()
        .forEach(
            (strategy, expected) -> {
              Distributor distributor = Problems.distributor(random.problem(), strategy);
              Assignments answer = distributor.assign(random.problem().workloads());
              assertThat(Problems.placed(answer)).as(strategy).isEqualTo(expected);
            });
  }

  private static Map<String, Object> members(Map<String, Object> of, String name) {
    return SharedCases.object(of.getOrDefault(name, Map.of()));
  }

  /** The words in which our own writer says a refusal's gang. */
  private static Object gang(GangRefusal gang) {
    Refusal refusal = new Refusal("w", 0, List.of(), List.of(), Optional.of(gang));
    return written(answer -> answer.refusal("r", refusal)).get("gang");
  }

  /** The words in which our own writer says reasons. */
  static Object reasons(List<Reason> reasons) {
    NodeVerdict verdict = new NodeVerdict("n", false, reasons);
    Refusal refusal = new Refusal("w", 0, List.of(), List.of(verdict));
    List<?> nearest = (List<?>) written(answer -> answer.refusal("r", refusal)).get("nearest");
    return SharedCases.object(nearest.get(0)).get("reasons");
  }

  private static Map<String, Object> written(java.util.function.Consumer<AnswerWriter> members) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      AnswerWriter.write(out, members);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    Object read = SharedCases.read(out.toString(StandardCharsets.UTF_8));
    return SharedCases.object(SharedCases.object(read).get("r"));
  }

  static Map<String, Resources> leftOf(List<NodeState> nodes) {
    Map<String, Resources> left = new TreeMap<>();
    nodes.forEach(node -> left.put(node.name(), node.left()));
    return left;
  }

  static Map<String, Resources> leftOfDomains(List<DomainState> domains) {
    Map<String, Resources> left = new TreeMap<>();
    domains.forEach(domain -> left.put(domain.level() + "/" + domain.name(), domain.left()));
    return left;
  }

  private static Map<String, Resources> left(Object expected) {
    Map<String, Resources> left = new TreeMap<>();
    SharedCases.object(expected)
        .forEach(
            (name, quantities) -> left.put(name, Resources.of(SharedCases.object(quantities))));
    return left;
  }

  private static Map<String, Resources> leftOfDomains(Object expected) {
    Map<String, Resources> left = new TreeMap<>();
    Map<String, Object> levels =
        expected == null ? new LinkedHashMap<>() : SharedCases.object(expected);
    levels.forEach(
        (level, domains) ->
            left(domains).forEach((name, rest) -> left.put(level + "/" + name, rest)));
    return left;
  }
}

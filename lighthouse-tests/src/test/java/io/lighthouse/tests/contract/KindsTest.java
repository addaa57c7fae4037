package io.lighthouse.tests.contract;

import static io.lighthouse.tests.contract.NaiveSubject.SEEDS;
import static io.lighthouse.tests.contract.NaiveSubject.answer;
import static io.lighthouse.tests.contract.NaiveSubject.hearing;
import static io.lighthouse.tests.contract.NaiveSubject.isFound;
import static io.lighthouse.tests.contract.NaiveSubject.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Change;
import io.lighthouse.api.Condition;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.InvalidChangeException;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.api.strategy.BatchOrder;
import io.lighthouse.core.oracle.Fault;
import io.lighthouse.core.oracle.NaiveDistributor;
import io.lighthouse.core.oracle.Strategy;
import io.lighthouse.tests.generate.Scenario;
import io.lighthouse.tests.generate.Scenarios;
import io.lighthouse.tests.generate.Sketch;
import io.lighthouse.tests.referee.Call;
import io.lighthouse.tests.referee.Cases;
import io.lighthouse.tests.referee.Conduct;
import io.lighthouse.tests.referee.Finding;
import io.lighthouse.tests.referee.Law;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every kind of a sealed family is generated, occurs in the scenarios of the seeds, and is missed
 * by a law when an engine drops it. A new kind without all this fails here.
 */
class KindsTest {
  /** The kinds that only other contracts can show: a plug-in's rule, a strategy that declines. */
  private static final Set<Class<?>> ELSEWHERE =
      Set.of(Rule.Named.class, Reason.ByRule.class, Reason.Declined.class);

  /** The law that misses a dropped rule of each kind. */
  private static final Map<Class<?>, Law> OF_RULES =
      Map.of(
          Rule.Most.class, Law.MOST,
          Rule.Least.class, Law.LEAST,
          Rule.Skew.class, Law.SKEW,
          Rule.Apart.class, Law.MOST,
          Rule.Where.class, Law.BEST);

  private static Stream<Class<?>> kinds(Class<?> sealed) {
    return Cases.kinds(sealed).stream().filter(kind -> !ELSEWHERE.contains(kind));
  }

  // ---- changes ----

  static Stream<Class<?>> changes() {
    return kinds(Change.class);
  }

  @Test
  void everyKindOfChangeIsGenerated() {
    Set<Class<?>> generated = new HashSet<>();
    for (int seed = 1; seed <= SEEDS; seed++) {
      for (Sketch sketch : Scenarios.ofSeed(seed).sketches()) {
        if (sketch instanceof Sketch.Attempt attempt) {
          generated.add(attempt.step().kind());
        }
      }
    }
    assertThat(generated).containsExactlyInAnyOrderElementsOf(changes().toList());
  }

  /** The laws judge every kind of call on domains, rules and gangs too. */
  @Test
  void everyKindOfCallIsGenerated() {
    Set<Class<?>> generated = new HashSet<>();
    for (int seed = 1; seed <= SEEDS; seed++) {
      Scenarios.ofSeed(seed).sketches().forEach(sketch -> generated.add(sketch.getClass()));
    }
    assertThat(generated).containsExactlyInAnyOrderElementsOf(Cases.kinds(Sketch.class));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void aChangeThatIsDroppedAmongSeveralIsFound(Class<?> kind) {
    Subject wrong =
        with(
            (sound, call) -> {
              if (call instanceof Call.Apply apply && apply.changes().size() > 1) {
                others(apply.changes(), kind).forEach(change -> new Call.Attempt(change).on(sound));
                return sound.generation();
              }
              return answer(call, sound);
            });
    assertThat(isFound(wrong, finding -> true)).isTrue();
  }

  /** The law of changes as values meets each kind, those of domains included. */
  @ParameterizedTest
  @MethodSource("changes")
  void aChangeThatStaysWhereAnotherDoesNotGoIsFound(Class<?> kind) {
    Subject wrong =
        with(
            (sound, call) -> {
              try {
                return answer(call, sound);
              } catch (InvalidChangeException impossible) {
                ((Call.Apply) call)
                    .changes().stream()
                        .limit(impossible.step())
                        .filter(kind::isInstance)
                        .forEach(change -> new Call.Attempt(change).on(sound));
                throw impossible;
              }
            });
    Random random = new Random(1);
    RandomGenerator<Scenario> changing = Scenarios.changing().generator(1000);
    assertThat(IntStream.range(0, SEEDS))
        .anyMatch(
            place -> {
              ScenarioRun run =
                  new ScenarioRun(wrong, changing.next(random).value(), new CallRecord());
              try {
                ChangeLaws.allOrNone(run, place);
                return false;
              } catch (BrokenLaw broken) {
                return broken.law() == Law.CHANGES;
              }
            });
  }

  @ParameterizedTest
  @MethodSource("changes")
  void aDroppedChangeIsFound(Class<?> kind) {
    Subject wrong =
        with(
            (sound, call) ->
                call instanceof Call.Apply apply
                        && apply.changes().stream().anyMatch(kind::isInstance)
                    ? sound.generation()
                    : answer(call, sound));
    assertThat(isFound(wrong, finding -> true)).isTrue();
  }

  /** A single change is made by its own method where there is one. */
  @ParameterizedTest
  @ValueSource(strings = {"addNode", "removeNode", "resize", "cordon", "uncordon"})
  void aMethodThatDoesNothingIsFound(String idle) {
    Subject wrong = NaiveSubject.made(fleet -> NaiveSubject.without(idle, fleet));
    Random random = new Random(1);
    RandomGenerator<Scenario> scenarios = Scenarios.any().generator(1000);
    assertThat(Stream.generate(() -> scenarios.next(random).value()).limit(SEEDS))
        .anyMatch(one -> !new ScenarioRun(wrong, one, new CallRecord()).judged().isEmpty());
  }

  // ---- reasons ----

  static Stream<Class<?>> reasons() {
    return kinds(Reason.class);
  }

  /** The same verdicts without the reasons of a kind, outside or inside of a domain. */
  private static Explanation without(Explanation whole, Class<?> kind) {
    List<NodeVerdict> verdicts = new ArrayList<>();
    for (NodeVerdict verdict : whole.nodes()) {
      List<Reason> rest =
          verdict.reasons().stream()
              .filter(reason -> !kind.isInstance(reason))
              .filter(reason -> !(reason instanceof Reason.At at && kind.isInstance(at.reason())))
              .toList();
      verdicts.add(new NodeVerdict(verdict.node(), verdict.fits(), rest));
    }
    return new Explanation(whole.workload(), verdicts, whole.summary());
  }

  @ParameterizedTest
  @MethodSource("reasons")
  void aReasonThatIsLeftOutIsFound(Class<?> kind) {
    Subject wrong =
        with(
            (sound, call) ->
                call instanceof Call.Explain
                    ? without((Explanation) call.on(sound), kind)
                    : answer(call, sound));
    assertThat(isFound(wrong, finding -> finding.law() == Law.REASONS)).isTrue();
  }

  // ---- rules ----

  static Stream<Class<?>> rules() {
    return kinds(Rule.class);
  }

  @Test
  void everyKindOfRuleIsGenerated() {
    Set<Class<?>> generated = new HashSet<>();
    for (int seed = 1; seed <= SEEDS; seed++) {
      for (Sketch sketch : Scenarios.ofSeed(seed).sketches()) {
        if (sketch instanceof Sketch.Assign assign) {
          for (Workload workload : assign.workloads()) {
            workload.terms().rules().forEach(rule -> generated.add(rule.getClass()));
            workload.terms().preferences().forEach(rule -> generated.add(rule.getClass()));
          }
        }
      }
    }
    assertThat(generated).containsExactlyInAnyOrderElementsOf(rules().toList());
    assertThat(OF_RULES.keySet()).isEqualTo(generated);
  }

  @ParameterizedTest
  @MethodSource("rules")
  void aDroppedRuleIsFoundByItsLaw(Class<?> kind) {
    Subject wrong = hearing(workload -> without(workload, kind));
    assertThat(isFound(wrong, finding -> finding.law() == OF_RULES.get(kind))).isTrue();
  }

  /** A batch that needs no reasons may take another path through the code. */
  @Test
  void aRuleThatIsDroppedInBatchesWithoutReasonsIsFound() {
    Subject wrong =
        with(
            (sound, call) ->
                call instanceof Call.Assign assign
                        && !assign.options().contains(AssignOption.EXPLAIN)
                    ? sound.assign(
                        assign.batch().stream()
                            .map(workload -> without(workload, Rule.Most.class))
                            .toList(),
                        assign.options().toArray(AssignOption[]::new))
                    : answer(call, sound));
    assertThat(isFound(wrong, finding -> finding.law() == Law.MOST)).isTrue();
  }

  private static Workload without(Workload workload, Class<?> kind) {
    Terms terms = workload.terms();
    return workload.withTerms(
        terms
            .rules(others(terms.rules(), kind).toArray(Rule[]::new))
            .preferring(others(terms.preferences(), kind).toArray(Rule[]::new)));
  }

  private static <T> Stream<T> others(List<T> all, Class<?> kind) {
    return all.stream().filter(one -> !kind.isInstance(one));
  }

  // ---- conditions ----

  static Stream<Class<?>> conditions() {
    return kinds(Condition.class);
  }

  @ParameterizedTest
  @MethodSource("conditions")
  void aDroppedConditionIsFoundByItsLaw(Class<?> kind) {
    Subject wrong = hearing(workload -> withoutConditions(workload, kind));
    assertThat(isFound(wrong, finding -> finding.law() == Law.SELECTION)).isTrue();
  }

  private static Workload withoutConditions(Workload workload, Class<?> kind) {
    Terms terms = workload.terms();
    return workload.withTerms(terms.where(others(terms.where(), kind).toArray(Condition[]::new)));
  }

  // ---- orders of a batch ----

  private static final Rubric RUBRIC = Rubric.of("cpu", 1, "mem", "0.5");

  /** An order of each kind, and a strategy whose batches have it. */
  private static final Map<BatchOrder, Strategy> ORDERS =
      Map.of(
          BatchOrder.asGiven(), Strategy.PRIORITIZED,
          BatchOrder.scoreDescending(RUBRIC), Strategy.BIN_PACK,
          BatchOrder.sizeDescending(), Strategy.SPREAD);

  private static Subject declaring(BatchOrder order, Strategy strategy) {
    return NaiveSubject.made(
        fleet -> new NaiveDistributor(strategy, RUBRIC, Fault.NONE, fleet),
        new Conduct(Optional.of(order), false));
  }

  private static List<Finding> findings(Subject subject) {
    return IntStream.rangeClosed(1, SEEDS / 10)
        .boxed()
        .flatMap(seed -> NaiveSubject.judged(subject, seed).stream())
        .toList();
  }

  @Test
  void everyKindOfOrderIsKnown() {
    assertThat(ORDERS.keySet())
        .extracting(order -> (Object) order.getClass())
        .containsExactlyInAnyOrderElementsOf(kinds(BatchOrder.class).toList());
  }

  static Stream<BatchOrder> orders() {
    return ORDERS.keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("orders")
  void anotherOrderThanTheDeclaredOneIsFound(BatchOrder order) {
    ORDERS.forEach(
        (taken, strategy) -> {
          Subject subject = declaring(order, strategy);
          if (taken.equals(order)) {
            assertThat(findings(subject)).as("%s, as declared", order).isEmpty();
          } else {
            assertThat(isFound(subject, finding -> true)).as("%s as %s", order, taken).isTrue();
          }
        });
  }
}

package io.lighthouse.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Change;
import io.lighthouse.api.Condition;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Explanation;
import io.lighthouse.api.NodeVerdict;
import io.lighthouse.api.Reason;
import io.lighthouse.api.Rule;
import io.lighthouse.api.Terms;
import io.lighthouse.api.Workload;
import io.lighthouse.core.oracle.Fault;
import io.lighthouse.tests.generate.Scenarios;
import io.lighthouse.tests.generate.Sketch;
import io.lighthouse.tests.referee.Call;
import io.lighthouse.tests.referee.Cases;
import io.lighthouse.tests.referee.Finding;
import io.lighthouse.tests.referee.Law;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kind of a sealed family is generated, occurs in the scenarios of the seeds, and is missed
 * by a law when an engine drops it. A new kind without all this fails here.
 */
class KindsTest {
  private static final int SEEDS = 1_000;

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

  private static boolean isFound(Subject wrong, Predicate<Finding> wanted) {
    for (int seed = 1; seed <= SEEDS; seed++) {
      Trial trial = new Trial(wrong, Scenarios.ofSeed(seed), new Minutes());
      if (trial.judged((call, answer) -> {}).stream().anyMatch(wanted)) {
        return true;
      }
    }
    return false;
  }

  /** The sound naive engine, some of whose calls a function takes over. */
  private static Subject with(BiFunction<Distributor, Call, Object> instead) {
    return NaiveSubject.made(fleet -> around(NaiveSubject.naive(Fault.NONE, fleet), instead));
  }

  private static Distributor around(
      Distributor sound, BiFunction<Distributor, Call, Object> instead) {
    return (Distributor)
        Proxy.newProxyInstance(
            KindsTest.class.getClassLoader(),
            new Class<?>[] {Distributor.class},
            (proxy, method, arguments) -> {
              Object first = arguments == null ? null : arguments[0];
              if (method.getName().equals("apply") && first instanceof Change[] changes) {
                return instead.apply(sound, new Call.Apply(List.of(changes)));
              }
              if (method.getName().equals("explain") && first instanceof Workload workload) {
                return instead.apply(sound, new Call.Explain(workload));
              }
              if (method.getName().equals("assign") && first instanceof List<?> batch) {
                List<Workload> workloads = new ArrayList<>();
                batch.forEach(one -> workloads.add((Workload) one));
                return instead.apply(sound, new Call.Assign(workloads, List.of()));
              }
              try {
                return method.invoke(sound, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
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

  private static Object answer(Call call, Distributor sound) {
    if (call instanceof Call.Apply apply) {
      return sound.apply(apply.changes());
    }
    return call instanceof Call.Assign assign
        ? sound.assign(assign.batch(), io.lighthouse.api.AssignOption.EXPLAIN)
        : call.on(sound);
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
    Subject wrong =
        with(
            (sound, call) ->
                call instanceof Call.Assign assign
                    ? answer(
                        new Call.Assign(
                            assign.batch().stream().map(one -> without(one, kind)).toList(),
                            List.of()),
                        sound)
                    : answer(call, sound));
    assertThat(isFound(wrong, finding -> finding.law() == OF_RULES.get(kind))).isTrue();
  }

  private static Workload without(Workload workload, Class<?> kind) {
    Terms terms = workload.terms();
    return workload.withTerms(
        new Terms(
            terms.shared(),
            terms.groups(),
            terms.where(),
            terms.rules().stream().filter(rule -> !kind.isInstance(rule)).toList(),
            terms.preferences().stream().filter(rule -> !kind.isInstance(rule)).toList(),
            terms.gang()));
  }

  // ---- conditions ----

  static Stream<Class<?>> conditions() {
    return kinds(Condition.class);
  }

  @ParameterizedTest
  @MethodSource("conditions")
  void aDroppedConditionIsFoundByItsLaw(Class<?> kind) {
    Subject wrong =
        with(
            (sound, call) ->
                call instanceof Call.Assign assign
                    ? answer(
                        new Call.Assign(
                            assign.batch().stream()
                                .map(one -> withoutConditions(one, kind))
                                .toList(),
                            List.of()),
                        sound)
                    : answer(call, sound));
    assertThat(isFound(wrong, finding -> finding.law() == Law.SELECTION)).isTrue();
  }

  private static Workload withoutConditions(Workload workload, Class<?> kind) {
    Terms terms = workload.terms();
    return workload.withTerms(
        new Terms(
            terms.shared(),
            terms.groups(),
            terms.where().stream().filter(condition -> !kind.isInstance(condition)).toList(),
            terms.rules(),
            terms.preferences(),
            terms.gang()));
  }
}

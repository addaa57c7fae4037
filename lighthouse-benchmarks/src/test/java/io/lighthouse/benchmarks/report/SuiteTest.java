package io.lighthouse.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.lighthouse.benchmarks.quality.InstanceSet;
import io.lighthouse.benchmarks.run.Case;
import io.lighthouse.benchmarks.run.CommandRun;
import io.lighthouse.benchmarks.run.Part;
import io.lighthouse.benchmarks.run.PrintedTables;
import io.lighthouse.benchmarks.run.Profile;
import io.lighthouse.benchmarks.run.QualityRun;
import io.lighthouse.benchmarks.run.Results;
import io.lighthouse.benchmarks.run.Suite;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

class SuiteTest {
  @ParameterizedTest
  @EnumSource
  void everyCaseNamesABenchmarkAndItsParameters(Profile profile) throws Exception {
    Set<Case> cases = cases(profile);

    assertThat(cases).hasSizeGreaterThan(20);
    for (Case wanted : cases) {
      if (!wanted.benchmark().equals(CommandRun.BENCHMARK)
          && !QualityRun.takes(wanted)
          && !PrintedTables.takes(wanted)) {
        String[] name = wanted.benchmark().split("\\.");
        Class<?> type = Class.forName("io.lighthouse.benchmarks.measure." + name[0]);
        Method method = type.getMethod(name[1]);
        assertThat(method.isAnnotationPresent(Benchmark.class)).as(name[1]).isTrue();
        assertThat(params(type)).as("%s", wanted).containsAll(wanted.params().keySet());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyCaseHasABudget(Profile profile) {
    for (Case wanted : cases(profile)) {
      assertThat(profile.effort(wanted).iterations()).as("%s", wanted).isPositive();
    }
  }

  /** Else a goal would be "not measured" for ever. */
  @Test
  void theGoalsAreAboutCasesThatAreMeasured() {
    Results results = new Results();
    cases(Profile.QUICK).forEach(wanted -> results.add(Fake.measurement(wanted)));

    assertThat(new Goals(results).table()).doesNotContain("not measured");
  }

  /** Fake batches place 100 workloads of 100 in a millisecond, which is 100,000 a second. */
  @Test
  void aGoalIsJudgedByWhatWasPlaced() {
    Results results = new Results();
    for (Case wanted : new Suite(Profile.QUICK, List.of()).cases(Part.BATCH)) {
      results.add(Fake.measurement(wanted));
    }

    assertThat(new Goals(results).table())
        .contains(
            "| bin-pack, 100,000 nodes | 80,000 /s | 100,000 /s | 100,000 | 1.25 x | yes |",
            "| first fit, 100,000 nodes | 800,000 /s | 100,000 /s | 100,000 | 0.12 x | **no** |",
            "| bytes a node | at most 250 | not measured |  |  |  |");
  }

  @Test
  void whatTakesTooLongIsLeftOutWithAWord() {
    Suite suite = new Suite(Profile.QUICK, List.of());
    Results results = new Results();
    suite.cases(Part.BATCH).forEach(wanted -> results.add(Fake.measurement(wanted)));

    assertThat(suite.cases(Part.BATCH)).doesNotContainAnyElementsOf(suite.leftOut());
    assertThat(new Tables(results, suite.leftOut()).of(Part.BATCH).lines())
        .filteredOn(line -> line.contains("left out"))
        .hasSize(suite.leftOut().size())
        .first()
        .asString()
        .contains("kept-order", "100,000");
  }

  @ParameterizedTest
  @EnumSource
  void everyPartHasATableOfItsCases(Part part) {
    Results results = new Results();
    new Suite(Profile.QUICK, List.of("shared/data/autoscaler/ca-binpacking.json.gz"))
        .cases(part)
        .forEach(wanted -> results.add(Fake.measurement(wanted)));

    assertThat(new Tables(results, List.of()).of(part))
        .contains("---")
        .doesNotContain("Not measured");
    assertThat(new Tables(new Results(), List.of()).of(part)).startsWith("Not measured");
  }

  /** Else a row of the goals would be "not measured" for ever. */
  @Test
  void theGoalsOfQualityAreAboutCasesThatAreMeasured() {
    Results results = new Results();
    cases(Profile.QUICK).forEach(wanted -> results.add(Fake.measurement(wanted)));

    assertThat(new QualityGoals(results).table())
        .doesNotContain("not measured")
        .contains(
            "| servers C1, pack, 4,000,000 steps, nodes used | 735 | not all placed | **all** |");
  }

  @Test
  void setsThatAreNotThereAreLeftOut() {
    Suite suite = new Suite(Profile.QUICK, List.of(), Set.of(InstanceSet.FLEETS_80));

    assertThat(suite.cases(Part.SERVERS)).isEmpty();
    assertThat(suite.cases(Part.VECTOR_PACKING)).isEmpty();
    assertThat(suite.cases(Part.FLEETS)).isNotEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aPartIsKnownByItsName(Part part) {
    assertThat(Part.named(part.toString())).isEqualTo(part);
    assertThatCode(() -> Part.named("part")).hasMessageContaining(part.toString());
  }

  private static Set<Case> cases(Profile profile) {
    return new Suite(profile, List.of("shared/data/autoscaler/ca-binpacking.json.gz"))
        .cases(EnumSet.allOf(Part.class));
  }

  private static Set<String> params(Class<?> type) {
    Set<String> names = new HashSet<>();
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      Arrays.stream(at.getDeclaredFields())
          .filter(field -> field.isAnnotationPresent(Param.class))
          .map(Field::getName)
          .forEach(names::add);
    }
    return names;
  }
}

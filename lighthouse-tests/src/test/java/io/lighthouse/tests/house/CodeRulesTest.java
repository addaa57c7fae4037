package io.lighthouse.tests.house;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static io.lighthouse.tests.house.Houses.API;
import static io.lighthouse.tests.house.Houses.CORE;
import static io.lighthouse.tests.house.Houses.JSON;
import static io.lighthouse.tests.house.Houses.STRATEGIES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import io.lighthouse.api.strategy.PlacementStrategy;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What no class may use, and how classes are named. */
class CodeRulesTest {
  private static final JavaClasses ALL = Houses.classes();

  @Nested
  class Exactness {
    private static final String[] EXACT = {CORE, STRATEGIES, "io.lighthouse.tests.referee.."};

    @Test
    void noFieldIsInBinaryFloatingPoint() {
      fields()
          .that()
          .areDeclaredInClassesThat(resideInAnyPackage(EXACT))
          .should(new NoFloatingPoint<>(field -> Set.of(field.getRawType())))
          .check(ALL);
    }

    @Test
    void noMethodTakesOrReturnsBinaryFloatingPoint() {
      methods()
          .that()
          .areDeclaredInClassesThat(resideInAnyPackage(EXACT))
          .should(
              new NoFloatingPoint<>(
                  method -> {
                    Set<JavaClass> types = new HashSet<>(method.getRawParameterTypes());
                    types.add(method.getRawReturnType());
                    return types;
                  }))
          .check(ALL);
    }

    @Test
    void nothingThatIsCalledTakesOrReturnsBinaryFloatingPoint() {
      noClasses()
          .that()
          .resideInAnyPackage(EXACT)
          .should()
          .accessTargetWhere(
              describe(
                  "the target takes or returns binary floating point",
                  access ->
                      access
                              .getTarget()
                              .getFullName()
                              .matches("java\\.lang\\.(Strict)?Math\\.(pow|sqrt|log|exp|rint)\\(.*")
                          || access
                              .getTarget()
                              .getFullName()
                              .matches(".*\\((.*, )?(double|float)(, .*)?\\)")
                          || access.getTarget().getName().matches("(double|float)Value")))
          .check(ALL);
    }
  }

  @Nested
  class SameInputSameAnswer {
    /** A table of names salts its hashes against flooding; ids are given in order of arrival. */
    private static final String SALTED = "io.lighthouse.core.account.NameTable";

    @Test
    void noClockAndNoChanceDecide() {
      noClasses()
          .that()
          .resideInAnyPackage(API, CORE, STRATEGIES)
          .and()
          .doNotHaveFullyQualifiedName(SALTED)
          // A caller may give a search a time limit; its answer may then differ, as Budget says.
          .and()
          .doNotHaveFullyQualifiedName("io.lighthouse.api.Budget")
          .and()
          .doNotHaveFullyQualifiedName("io.lighthouse.core.budget.StepBudget")
          .should()
          .accessTargetWhere(
              describe(
                  "the target is a clock or makes random numbers",
                  access -> {
                    String owner = access.getTargetOwner().getFullName();
                    String name = access.getTarget().getName();
                    return owner.matches("java\\.util\\.(Random|SplittableRandom|UUID)")
                        || owner.matches(
                            "java\\.util\\.(random\\..*|concurrent\\.ThreadLocalRandom)")
                        || owner.startsWith("java.time.")
                        || name.matches("currentTimeMillis|nanoTime|identityHashCode|random");
                  }))
          .check(ALL);
    }

    @Test
    void nothingIsPrinted() {
      noClasses()
          .that()
          .resideInAnyPackage(API, CORE, STRATEGIES, JSON)
          .should()
          .accessTargetWhere(
              describe(
                  "the target is a standard stream",
                  access ->
                      access.getTargetOwner().isEquivalentTo(System.class)
                          && access.getTarget().getName().matches("out|err|in")))
          .check(ALL);
    }
  }

  @Nested
  class Shape {
    /** A simple name must identify its class. */
    @Test
    void noTwoClassesHaveOneSimpleName() {
      assertThat(namesakes(ALL.stream())).isEmpty();
      assertThat(namesakes(Stream.concat(ALL.stream(), ALL.stream()))).isNotEmpty();
    }

    private static List<String> namesakes(Stream<JavaClass> classes) {
      Map<String, List<JavaClass>> byName =
          classes
              .filter(one -> one.isTopLevelClass() && !one.getSimpleName().endsWith("-info"))
              .collect(Collectors.groupingBy(JavaClass::getSimpleName));
      return byName.values().stream()
          .filter(of -> of.size() > 1)
          .map(of -> of.stream().map(JavaClass::getName).sorted().toList().toString())
          .sorted()
          .toList();
    }

    @Test
    void everyStrategyOfOursIsFinalAndSaysWhatItDoes() {
      classes()
          .that()
          .implement(PlacementStrategy.class)
          .and()
          .resideInAPackage(STRATEGIES)
          .should()
          .bePublic()
          .andShould()
          .haveModifier(JavaModifier.FINAL)
          .check(ALL);
    }

    @Test
    void noClassIsNamedForWantOfAName() {
      noClasses().should().haveSimpleNameEndingWith("Impl").check(ALL);
      noClasses().should().haveSimpleNameEndingWith("Util").check(ALL);
      noClasses().should().haveSimpleNameEndingWith("Utils").check(ALL);
      noClasses().should().haveSimpleNameEndingWith("Helper").check(ALL);
    }
  }

  /** The rules can fail: each is held against something that breaks it. */
  @Test
  void theRulesSeeWhatTheyForbid() {
    ArchRule coreKnowsOnlyItself =
        classes()
            .that()
            .resideInAPackage(CORE)
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(CORE, "java.."));
    assertThatThrownBy(() -> coreKnowsOnlyItself.check(ALL))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("io.lighthouse.api");
    ArchRule apiHasNoDouble =
        methods()
            .that()
            .areDeclaredInClassesThat(resideInAPackage(API))
            .should(new NoFloatingPoint<>(method -> Set.copyOf(method.getRawParameterTypes())));
    assertThatThrownBy(() -> apiHasNoDouble.check(ALL))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Quantity.of(double)");
  }

  private static DescribedPredicate<JavaAccess<?>> describe(
      String what, Predicate<JavaAccess<?>> predicate) {
    return DescribedPredicate.describe(what, predicate);
  }
}

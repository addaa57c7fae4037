package io.lighthouse.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.advice.PlanGoal;
import io.lighthouse.api.advice.Supposition;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.api.quantity.Unit;
import io.lighthouse.api.strategy.BatchOrder;
import java.io.File;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Every kind of a sealed family has one case of its own, named after it. */
class SealedFamiliesTest {
  static final List<Class<?>> FAMILIES =
      List.of(
          Rule.class,
          Condition.class,
          Change.class,
          Reason.class,
          PlanGoal.class,
          Supposition.class,
          BatchOrder.class);

  /** One value for each type of a kind's components. */
  private static final Map<Class<?>, Object> PARTS =
      Map.ofEntries(
          Map.entry(int.class, 1),
          Map.entry(long.class, 1L),
          Map.entry(boolean.class, true),
          Map.entry(String.class, "a"),
          Map.entry(Set.class, Set.of()),
          Map.entry(List.class, List.of()),
          Map.entry(Map.class, Map.of()),
          Map.entry(Optional.class, Optional.empty()),
          Map.entry(Quantity.class, Quantity.of(1)),
          Map.entry(Unit.class, Unit.ANY),
          Map.entry(Resources.class, Resources.none()),
          Map.entry(Node.class, Node.of("n", Resources.none())),
          Map.entry(Workload.class, Workload.of("w", Resources.none())),
          Map.entry(Domain.class, Domain.of("rack", "r", Resources.none())),
          Map.entry(Rubric.class, Rubric.of("cpu", 1)),
          Map.entry(Change.class, new Change.Cordon("n")),
          Map.entry(Reason.class, new Reason.Cordoned()));

  private static Stream<Class<?>> kinds(Class<?> family) {
    return Arrays.stream(family.getPermittedSubclasses())
        .flatMap(kind -> kind.isSealed() ? kinds(kind) : Stream.of(kind));
  }

  private static Object example(Class<?> kind) throws ReflectiveOperationException {
    Constructor<?> constructor = kind.getDeclaredConstructors()[0];
    return constructor.newInstance(
        Arrays.stream(constructor.getParameterTypes()).map(PARTS::get).toArray());
  }

  private static String caseOf(Class<?> kind) {
    String name = kind.getSimpleName();
    return Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }

  @ParameterizedTest
  @FieldSource("FAMILIES")
  void eachKindCallsTheCaseOfItsName(Class<?> family) throws Exception {
    Class<?> cases = Class.forName(family.getName() + "$Cases");
    Object names =
        Proxy.newProxyInstance(
            cases.getClassLoader(),
            new Class<?>[] {cases},
            (proxy, method, arguments) -> {
              assertThat(method.getParameterTypes()[0]).isEqualTo(arguments[0].getClass());
              return method.getName();
            });
    Method match = family.getMethod("match", cases);
    for (Class<?> kind : kinds(family).toList()) {
      assertThat(match.invoke(example(kind), names)).isEqualTo(caseOf(kind));
    }
    assertThat(cases.getMethods())
        .extracting(Method::getName)
        .containsExactlyInAnyOrderElementsOf(
            kinds(family).map(SealedFamiliesTest::caseOf).toList());
  }

  @Test
  void noFamilyIsForgotten() throws Exception {
    Path classes = Path.of(Rule.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<Class<?>> sealed = new ArrayList<>();
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.toList()) {
        String name = classes.relativize(file).toString().replace(File.separatorChar, '.');
        if (name.endsWith(".class") && !name.contains("-info") && !name.contains("$")) {
          Class<?> type = Class.forName(name.substring(0, name.length() - ".class".length()));
          if (type.isSealed()) {
            sealed.add(type);
          }
        }
      }
    }
    assertThat(sealed).containsExactlyInAnyOrderElementsOf(FAMILIES);
  }
}

package io.lighthouse.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The short forms of a distributor's calls delegate to the full ones. */
class DistributorTest {
  private static final Workload A = Workload.of("a", Resources.none());
  private static final Workload B = Workload.of("b", Resources.none());

  private final List<List<Object>> calls = new ArrayList<>();
  private Object answer;
  private final Distributor distributor = recording();

  @Test
  void aBatchOfAFewIsAnOrdinaryBatch() {
    answer = Assignments.of(new String[] {"a", "b"}, new String[2], List.of());

    assertThat(distributor.assign(A, B)).isSameAs(answer);
    assertThat(calls).containsExactly(List.of("assign", List.of(A, B), List.of()));
  }

  @Test
  void oneReleaseIsAReleaseOfOne() {
    answer = List.of(A);

    assertThat(distributor.release("a")).isEqualTo(A);
    assertThat(calls).containsExactly(List.of("release", List.of("a")));
  }

  @Test
  void aFewChangesAreAListOfChanges() {
    answer = 7L;

    assertThat(distributor.apply(new Change.Release("a"), new Change.Cordon("n"))).isEqualTo(7);
    assertThat(calls)
        .containsExactly(
            List.of("apply", List.of(new Change.Release("a"), new Change.Cordon("n"))));
  }

  @Test
  void aDistributorNeedNotGiveAdvice() {
    assertThatThrownBy(distributor::advisor)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("advice");
  }

  /** Runs default methods as they are and records every other call. */
  private Distributor recording() {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (method.isDefault()) {
            return InvocationHandler.invokeDefault(proxy, method, arguments);
          }
          List<Object> call = new ArrayList<>(List.of(method.getName()));
          for (Object argument : arguments) {
            call.add(argument instanceof Object[] array ? Arrays.asList(array) : argument);
          }
          calls.add(call);
          return answer;
        };
    return (Distributor)
        Proxy.newProxyInstance(
            Distributor.class.getClassLoader(), new Class<?>[] {Distributor.class}, handler);
  }
}

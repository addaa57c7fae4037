package io.lighthouse.api.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Default methods of a session, such as one that a test makes for a strategy. */
class SessionDefaultsTest {
  private final List<String> asked = new ArrayList<>();
  private final Session session = session();

  private Session session() {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (method.isDefault()) {
            return InvocationHandler.invokeDefault(proxy, method, arguments);
          }
          asked.add(method.getName());
          return null;
        };
    return (Session)
        Proxy.newProxyInstance(
            Session.class.getClassLoader(), new Class<?>[] {Session.class}, handler);
  }

  @Test
  void withoutABudgetItNeverEnds() {
    assertThat(session.over()).isFalse();
    assertThat(session.stepsLeft()).isEqualTo(Long.MAX_VALUE);
    session.keep();
    session.forget(3);
    assertThat(asked).isEmpty();
  }

  @Test
  void withoutAmountsItSaysSo() {
    assertThatThrownBy(() -> session.required(0, new long[1]))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("no amounts in bulk");
  }

  @Test
  void theEndOfABudgetIsNoFault() {
    assertThat(new BudgetOverException())
        .hasMessage("the budget of the search is over")
        .hasNoCause();
    assertThat(new BudgetOverException().getStackTrace()).isEmpty();
  }
}

package io.lighthouse.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.InternalErrorException;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.error.InvalidInputException.Thing;
import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.api.error.StrategyException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Changes as values, the exception for an invalid one, and budgets. */
class ChangeTest {
  private static final Workload WORKLOAD = Workload.of("w", Resources.of("cpu", 1));

  static final List<Change> EVERY_KIND =
      List.of(
          new Change.AddNode(Node.of("n", Resources.none())),
          new Change.RemoveNode("n"),
          new Change.Resize("n", Resources.of("cpu", "0.50")),
          new Change.Cordon("n"),
          new Change.Uncordon("n"),
          new Change.Assign(WORKLOAD, "n"),
          new Change.Move("w", "n", "m"),
          new Change.Release("w"),
          new Change.Declare(Domain.of("rack", "r", Resources.of("power", 3))),
          new Change.Undeclare("rack", "r"),
          new Change.ResizeDomain("rack", "r", Resources.none()),
          new Change.CordonDomain("rack", "r", true),
          new Change.Regroup("w", Set.of("g")));

  @Test
  void sayInWordsWhatIsToBe() {
    assertThat(EVERY_KIND)
        .extracting(Change::toString)
        .containsExactly(
            "add node 'n'",
            "remove node 'n'",
            "resize node 'n' to {cpu: 0.5}",
            "cordon node 'n'",
            "uncordon node 'n'",
            "assign 'w' to 'n'",
            "move 'w' from 'n' to 'm'",
            "release 'w'",
            "declare domain 'r' of level 'rack'",
            "undeclare domain 'r' of level 'rack'",
            "resize domain 'r' of level 'rack' to {}",
            "cordon domain 'r' of level 'rack'",
            "regroup 'w' to [g]");
    assertThat(new Change.CordonDomain("rack", "r", false))
        .hasToString("uncordon domain 'r' of level 'rack'");
    assertThat(Change.class.getPermittedSubclasses()).hasSize(EVERY_KIND.size());
  }

  @ParameterizedTest
  @FieldSource("EVERY_KIND")
  void areEqualByTheirParts(Change change) throws ReflectiveOperationException {
    Constructor<?> constructor = change.getClass().getDeclaredConstructors()[0];
    Object[] parts = parts(change);
    assertThat(constructor.newInstance(parts)).isEqualTo(change).hasSameHashCodeAs(change);
    EVERY_KIND.stream()
        .filter(other -> other != change)
        .forEach(other -> assertThat(other).isNotEqualTo(change));
  }

  @ParameterizedTest
  @FieldSource("EVERY_KIND")
  void haveNoPartThatIsNull(Change change) throws ReflectiveOperationException {
    Constructor<?> constructor = change.getClass().getDeclaredConstructors()[0];
    for (int i = 0; i < constructor.getParameterCount(); i++) {
      Object[] parts = parts(change);
      if (parts[i] instanceof Boolean) {
        continue;
      }
      parts[i] = null;
      assertThatThrownBy(() -> constructor.newInstance(parts))
          .isInstanceOf(InvocationTargetException.class)
          .cause()
          .isInstanceOf(NullPointerException.class);
    }
  }

  private static Object[] parts(Change change) throws ReflectiveOperationException {
    List<Object> parts = new ArrayList<>();
    for (var component : change.getClass().getRecordComponents()) {
      parts.add(component.getAccessor().invoke(change));
    }
    return parts.toArray();
  }

  @Nested
  class OneThatDoesNotGo {
    private final Change change = new Change.Move("w", "a", "b");
    private final InvalidChangeException thrown =
        new InvalidChangeException(
            1,
            5,
            change,
            new InvalidInputException("workload 'w'", "to", "'b'", "a node that it fits"),
            List.of(new Reason.Cordoned()));

    @Test
    void isNamedInFewWordsWhereItHasMany() {
      Change many = new Change.Regroup("w", Set.of("g".repeat(10_000)));
      InvalidInputException wrong =
          new InvalidInputException("distributor", "workload", "'w'", "a placed workload");
      assertThat(new InvalidChangeException(0, 1, many, wrong, List.of()).getMessage())
          .startsWith("change 1 of 1 (regroup 'w' to [ggg")
          .contains("... (10017 characters)): distributor: workload is 'w'")
          .hasSizeLessThan(400);
    }

    @Test
    void hasTheThingOfItsMistake() {
      Thing node = Thing.node("new");
      InvalidInputException wrong =
          new InvalidInputException(node, "resources.cpu", "1e30", "less than that");
      InvalidChangeException of = new InvalidChangeException(0, 1, change, wrong, List.of());
      assertThat(of.thing()).contains(node);
      assertThat(of.subject()).isEqualTo("change 1 of 1 (move 'w' from 'a' to 'b'): node 'new'");
      assertThat(thrown.thing()).isEmpty();
    }

    @Test
    void isNamedWithItsStepAndWhatIsWrong() {
      assertThat(thrown)
          .hasMessage(
              "change 2 of 5 (move 'w' from 'a' to 'b'): workload 'w': to is 'b'; allowed: a node"
                  + " that it fits")
          .isInstanceOf(InvalidInputException.class)
          .hasCauseInstanceOf(InvalidInputException.class);
      assertThat(thrown.step()).isEqualTo(1);
      assertThat(thrown.change()).isSameAs(change);
      assertThat(thrown.reasons()).containsExactly(new Reason.Cordoned());
      assertThat(thrown.subject())
          .isEqualTo("change 2 of 5 (move 'w' from 'a' to 'b'): workload 'w'");
      assertThat(thrown.field()).isEqualTo("to");
      assertThatThrownBy(() -> thrown.reasons().clear())
          .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void isReadBackWithoutItsChange() throws Exception {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      new ObjectOutputStream(bytes).writeObject(thrown);
      InvalidChangeException read =
          (InvalidChangeException)
              new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
      assertThat(read).hasMessage(thrown.getMessage());
      assertThat(read.step()).isEqualTo(1);
      assertThat(read.change()).isNull();
      assertThat(read.reasons()).isNull();
    }
  }

  @Nested
  class Budgets {
    @Test
    void areStepsAndTime() {
      assertThat(Budget.UNLIMITED).isEqualTo(new Budget(Long.MAX_VALUE, Optional.empty()));
      assertThat(Budget.ofSteps(7)).isEqualTo(new Budget(7, Optional.empty()));
      assertThat(Budget.ofSteps(7).within(Duration.ofMillis(3)))
          .isEqualTo(new Budget(7, Optional.of(Duration.ofMillis(3))));
      assertThat(Budget.ofSteps(0).within(Duration.ZERO).steps()).isZero();
    }

    @Test
    void areNotNegative() {
      assertThatThrownBy(() -> Budget.ofSteps(-1))
          .isInstanceOf(InvalidInputException.class)
          .hasMessage("budget: steps is -1; allowed: 0 or more");
      assertThatThrownBy(() -> Budget.UNLIMITED.within(Duration.ofNanos(-1)))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContainingAll("budget: time", "0 or more");
      assertThatThrownBy(() -> new Budget(1, null)).isInstanceOf(NullPointerException.class);
    }
  }

  @Test
  void lighthouseItselfMayBeBroken() {
    IllegalStateException cause = new IllegalStateException("boom");
    assertThat(new InternalErrorException("the engine threw: boom", cause))
        .hasMessage("this is a bug of Lighthouse, please report it: the engine threw: boom")
        .hasCause(cause)
        .isInstanceOf(LighthouseException.class)
        .isNotInstanceOf(StrategyException.class);
  }
}

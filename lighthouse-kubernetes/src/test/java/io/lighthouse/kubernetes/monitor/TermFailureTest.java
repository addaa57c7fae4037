package io.lighthouse.kubernetes.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What ends a term, and what the whole service. */
class TermFailureTest {
  private final List<Throwable> crashes = new ArrayList<>();
  private final TermFailure failure = new TermFailure((thread, cause) -> crashes.add(cause));

  @Test
  void theFirstReasonCounts() {
    failure.throwIfPresent();
    assertThat(failure.isPresent()).isFalse();
    RuntimeException cause = new IllegalArgumentException("first");
    failure.uncaughtException(new Thread("watch"), cause);
    failure.fail("second");
    failure.uncaughtException(new Thread("binder"), new IllegalArgumentException("third"));
    assertThat(failure.isPresent()).isTrue();
    assertThatThrownBy(failure::throwIfPresent)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("watch has ended: " + cause)
        .hasCause(cause);
    assertThat(crashes).isEmpty();
  }

  @Test
  void whatIsNotKnownIsAReason() {
    failure.fail("a binding may have happened");
    assertThatThrownBy(failure::throwIfPresent).hasMessage("a binding may have happened");
  }

  @Test
  void anErrorIsLeftToTheService() {
    OutOfMemoryError error = new OutOfMemoryError("planted");
    failure.uncaughtException(new Thread("watch"), error);
    assertThat(crashes).containsExactly(error);
    assertThat(failure.isPresent()).isFalse();
  }
}

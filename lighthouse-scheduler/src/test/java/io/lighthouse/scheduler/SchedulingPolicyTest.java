package io.lighthouse.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.scheduler.SchedulingPolicy.Refusals;
import io.lighthouse.scheduler.model.QueueOrder;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class SchedulingPolicyTest {
  private static final SchedulingPolicy POLICY = SchedulingPolicy.DEFAULT;

  private static void assertRefused(ThrowingCallable made, String message) {
    assertThatThrownBy(made).isInstanceOf(InvalidInputException.class).hasMessage(message);
  }

  @Test
  void numbersBelowOneAndNegativeTimesAreRefused() {
    assertRefused(
        () -> POLICY.withQueueWindow(0), "scheduling policy: queueWindow is 0; allowed: 1 or more");
    assertRefused(
        () -> with(QueueOrder.FIFO, 0, Duration.ZERO),
        "scheduling policy: shortagePasses is 0; allowed: 1 or more");
    assertRefused(
        () -> POLICY.withNodeGrace(Duration.ofSeconds(-1)),
        "scheduling policy: nodeGrace is PT-1S; allowed: no negative duration");
    assertRefused(
        () -> with(QueueOrder.FIFO, 1, Duration.ofSeconds(-1)),
        "scheduling policy: starvation is PT-1S; allowed: no negative duration");
    assertRefused(
        () -> new Refusals(0, Duration.ZERO),
        "scheduling policy: refusals.most is 0; allowed: 1 or more");
    assertRefused(
        () -> new Refusals(1, Duration.ofSeconds(-1)),
        "scheduling policy: refusals.avoidance is PT-1S; allowed: no negative duration");
    assertThat(with(QueueOrder.LIFO, 1, Duration.ZERO).order()).isEqualTo(QueueOrder.LIFO);
  }

  /** Else the first pass would end in the middle. */
  @Test
  void whatIsMissingIsNamed() {
    assertThatNullPointerException().isThrownBy(() -> POLICY.withOrder(null)).withMessage("order");
    assertThatNullPointerException()
        .isThrownBy(() -> POLICY.withNodeGrace(null))
        .withMessage("nodeGrace");
    assertThatNullPointerException()
        .isThrownBy(() -> with(QueueOrder.FIFO, 1, null))
        .withMessage("starvation");
    assertThatNullPointerException()
        .isThrownBy(() -> POLICY.withRefusals(null))
        .withMessage("refusals");
    assertThatNullPointerException()
        .isThrownBy(() -> new Refusals(1, null))
        .withMessage("refusals.avoidance");
    assertThatNullPointerException()
        .isThrownBy(() -> POLICY.withNodeChoice(null))
        .withMessage("nodeChoice");
  }

  private static SchedulingPolicy with(QueueOrder order, int shortagePasses, Duration starvation) {
    return new SchedulingPolicy(
        1,
        order,
        shortagePasses,
        true,
        starvation,
        Duration.ZERO,
        POLICY.refusals(),
        POLICY.nodeChoice());
  }
}

package io.lighthouse.scheduler.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunningExecutionTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final PendingExecution ORIGIN =
      PendingExecution.of("e", "type", 1, NOW, Resources.of("cpus", 1));

  private static RunningExecution fourSteps() {
    return new RunningExecution(
        new Placement(ORIGIN, "n", "agent"), NOW, Step.pullPreMainPost(ORIGIN));
  }

  /** Runs what is current and what remains to its end; the names of the steps, in order. */
  private static List<String> rest(RunningExecution execution) {
    List<String> names = new ArrayList<>();
    while (!execution.isFinished()) {
      Task task = execution.currentTask().or(execution::startNextTask).orElseThrow();
      names.add(task.name());
      execution.taskFinished(task.id(), NOW);
    }
    return names;
  }

  @Nested
  class TheNextTaskSeenWhileOneRuns {
    private final RunningExecution execution = fourSteps();
    private final Task pull = execution.startNextTask().orElseThrow();

    @Test
    void isTheOneThatStartsAfterwards() {
      Task seen = execution.nextTask().orElseThrow();
      assertThat(seen.name()).isEqualTo("pre");
      execution.taskFinished(pull.id(), NOW);
      assertThat(execution.startNextTask()).contains(seen);
    }

    @Test
    void doesNotReplaceALostStep() {
      execution.nextTask();
      assertThat(execution.taskLost(pull.id(), NOW)).isTrue();
      assertThat(execution.nextTask().orElseThrow().name()).isEqualTo("pull");
      assertThat(execution.nextTask().orElseThrow().id()).isNotEqualTo(pull.id());
      assertThat(rest(execution)).containsExactly("pull", "pre", "main", "post");
      assertThat(execution.status()).isEqualTo(RunningExecution.Status.COMPLETED);
    }

    @Test
    void doesNotReplaceARefusedStep() {
      execution.nextTask();
      assertThat(execution.taskNotLaunched(pull.id())).isTrue();
      assertThat(rest(execution)).containsExactly("pull", "pre", "main", "post");
    }
  }

  private static void callEveryGetter(RunningExecution execution) {
    execution.nextTask();
    execution.isNextTaskReady();
    execution.isFinished();
    execution.isStarved(NOW, Duration.ZERO);
    execution.waitingSince();
    execution.currentTask();
    execution.progress();
    assertThat(execution.toString()).isNotEmpty();
  }

  /** One random change, the same on both; whatever the state allows. */
  private static void change(Random random, RunningExecution execution, Instant when) {
    String current = execution.currentTask().map(Task::id).orElse("none");
    int what = random.nextInt(20);
    if (what < 9) {
      execution.startNextTask();
    } else if (what < 12) {
      execution.taskFinished(current, when);
    } else if (what < 15) {
      execution.taskLost(current, when);
    } else if (what < 18) {
      execution.taskNotLaunched(current);
    } else if (what == 18 && random.nextInt(8) == 0) {
      execution.cancel();
    } else if (what == 19 && random.nextInt(8) == 0) {
      execution.taskFailed(current, "task-failed", when);
    }
  }

  /** Two executions with the same history; the getters of only one of them are called. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void gettersChangeNothing(int seed) {
    RunningExecution read = fourSteps();
    RunningExecution unread = fourSteps();
    Random first = new Random(seed);
    Random second = new Random(seed);
    for (int i = 0; i < 60; i++) {
      Instant when = NOW.plusSeconds(i);
      callEveryGetter(read);
      change(first, read, when);
      change(second, unread, when);
      assertThat(read.progress()).isEqualTo(unread.progress());
    }
    assertThat(rest(read)).isEqualTo(rest(unread));
  }
}

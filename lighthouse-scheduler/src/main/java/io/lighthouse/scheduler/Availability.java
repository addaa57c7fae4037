package io.lighthouse.scheduler;

import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.ResourceVectors;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What one node would have for work of a priority once everything less important has ended. That is
 * the watermark, less all tasks that are no job tasks, less the equally or more important
 * executions.
 *
 * <p>Most passes never ask, so nothing is computed before the first question.
 */
final class Availability {
  private final Resources watermark;
  private final List<Task> tasks;
  private final List<RunningExecution> running;
  private final List<PendingExecution> accepted = new ArrayList<>();

  /**
   * By priority, what the executions of at most that priority leave; the first entry is for none of
   * them. Null before the first question.
   */
  private NavigableMap<Integer, Resources> left;

  Availability(Resources watermark, List<Task> tasks, List<RunningExecution> running) {
    this.watermark = watermark;
    this.tasks = tasks;
    this.running = running;
  }

  void add(PendingExecution execution) {
    accepted.add(execution);
  }

  void remove(PendingExecution execution) {
    accepted.remove(execution);
  }

  Resources forPriority(int priority) {
    if (left == null) {
      left = leftByPriority();
    }
    Resources available = left.floorEntry(priority).getValue();
    for (PendingExecution execution : accepted) {
      if (execution.priority() <= priority) {
        available = ResourceVectors.minus(available, execution.request());
      }
    }
    return available;
  }

  private NavigableMap<Integer, Resources> leftByPriority() {
    Resources sum = watermark;
    for (Task task : tasks) {
      if (task.family() != Task.Family.JOB) {
        sum = ResourceVectors.minus(sum, task.resources());
      }
    }
    List<RunningExecution> sorted = new ArrayList<>(running);
    sorted.sort(RunningExecution.MOST_IMPORTANT_FIRST);
    NavigableMap<Integer, Resources> sums = new TreeMap<>();
    sums.put(Integer.MIN_VALUE, sum);
    for (RunningExecution execution : sorted) {
      Resources held =
          execution
              .currentTask()
              .or(execution::nextTask)
              .map(Task::resources)
              .orElse(Resources.none());
      sum = ResourceVectors.minus(sum, held);
      sums.put(execution.priority(), sum);
    }
    return sums;
  }
}

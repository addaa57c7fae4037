package io.lighthouse.scheduler;

import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.ResourceVectors;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Task;
import java.util.ArrayList;
import java.util.List;

/**
 * What one node would have for work of a priority once everything less important has ended. That is
 * the watermark, less all tasks that are no job tasks, less the equally or more important
 * executions.
 *
 * <p>Most passes never ask, so nothing is computed before the first question. Then the executions
 * are sorted once, with running sums, and a question costs a binary search.
 */
final class Availability {
  private final Resources watermark;
  private final List<Task> tasks;
  private final List<RunningExecution> running;
  private final List<PendingExecution> accepted = new ArrayList<>();

  /** Priorities of the executions, ascending; null until asked for. */
  private int[] priorities;

  /**
   * What is left below the executions before an index of {@code priorities}; one more than those.
   */
  private Resources[] left;

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
    if (priorities == null) {
      prepare();
    }
    int low = 0;
    int high = priorities.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (priorities[middle] <= priority) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    Resources available = left[low];
    for (PendingExecution execution : accepted) {
      if (execution.priority() <= priority) {
        available = ResourceVectors.minus(available, execution.request());
      }
    }
    return available;
  }

  private void prepare() {
    Resources sum = watermark;
    for (Task task : tasks) {
      if (task.family() != Task.Family.JOB) {
        sum = ResourceVectors.minus(sum, task.resources());
      }
    }
    List<RunningExecution> sorted = new ArrayList<>(running);
    sorted.sort(RunningExecution.MOST_IMPORTANT_FIRST);
    int[] found = new int[sorted.size()];
    left = new Resources[found.length + 1];
    left[0] = sum;
    for (int i = 0; i < found.length; i++) {
      RunningExecution execution = sorted.get(i);
      found[i] = execution.priority();
      Resources held =
          execution
              .currentTask()
              .or(execution::nextTask)
              .map(Task::resources)
              .orElse(Resources.none());
      left[i + 1] = ResourceVectors.minus(left[i], held);
    }
    priorities = found;
  }
}

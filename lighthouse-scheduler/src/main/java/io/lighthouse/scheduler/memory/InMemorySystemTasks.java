package io.lighthouse.scheduler.memory;

import io.lighthouse.api.Names;
import io.lighthouse.api.Resources;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.scheduler.model.ResourceVectors;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.SystemTasks;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Jobs that run once in the cluster, and services of which a number shall run. Jobs are proposed
 * first, in the order in which they were added. A job is proposed until it has finished, but not
 * within two minutes of a failure. Then the missing tasks of each service follow. Thread-safe: one
 * lock.
 */
public final class InMemorySystemTasks implements SystemTasks, TaskListener {
  /** How long a job that failed is left alone. */
  public static final Duration PAUSE_AFTER_FAILURE = Duration.ofMinutes(2);

  /** What Scale's system tasks need. */
  public static final Resources USUAL = Resources.of("cpus", Quantity.of("0.5"), "mem", 512);

  /** By name, in the order in which they were added: jobs, then services. */
  private final Map<String, Kind> jobs = new LinkedHashMap<>();

  private final Map<String, Kind> services = new LinkedHashMap<>();
  private final TaskIds ids;

  /** Restored tasks of jobs and services that are not known yet, by id. */
  private final Map<String, Task> undeclared = new LinkedHashMap<>();

  /** One kind of system task. */
  private static final class Kind {
    Resources resources;
    int wanted;

    /** Not launched yet. */
    final List<Task> proposed = new ArrayList<>();

    /** Launched and not ended, by id. */
    final Map<String, Task> launched = new LinkedHashMap<>();

    /** Null if it has not failed. */
    Instant lastFailure;
  }

  /** None of either, for a process that never restarts. */
  public InMemorySystemTasks() {
    this("");
  }

  /**
   * None of either.
   *
   * @param incarnation a part of each id that no earlier start of the process had, without {@code
   *     '/'}; empty if the process never restarts
   * @throws InvalidInputException if it is ill-formed
   */
  public InMemorySystemTasks(String incarnation) {
    ids = new TaskIds(incarnation);
  }

  /**
   * A job that is to run once.
   *
   * @param name its name
   * @param resources what it needs
   * @throws InvalidInputException if a job of this name has not finished yet, or a quantity is
   *     negative or above 1e900
   */
  public synchronized void runOnce(String name, Resources resources) {
    Names.require(name, "system job", "name");
    if (jobs.containsKey(name) || services.containsKey(name)) {
      throw new InvalidInputException("system job '" + name + "'", "name", "in use", "a new one");
    }
    Kind kind = new Kind();
    kind.resources = ResourceVectors.request(resources, "system job '" + name + "'");
    kind.wanted = 1;
    jobs.put(name, kind);
    adopt(name, kind);
  }

  /**
   * A service, of which a number of tasks shall run. Running ones are not stopped where there are
   * more.
   *
   * @param name its name
   * @param resources what one task needs
   * @param wanted how many tasks shall run; 0 or more
   * @throws InvalidInputException if the number or a quantity is negative, a quantity is above
   *     1e900, or a job has this name
   */
  public synchronized void service(String name, Resources resources, int wanted) {
    Names.require(name, "service", "name");
    if (wanted < 0 || jobs.containsKey(name)) {
      throw new InvalidInputException(
          "service '" + name + "'",
          wanted < 0 ? "wanted" : "name",
          wanted < 0 ? Integer.toString(wanted) : "in use by a job",
          wanted < 0 ? "0 or more" : "a new one");
    }
    Resources request = ResourceVectors.request(resources, "service '" + name + "'");
    Kind kind = services.computeIfAbsent(name, same -> new Kind());
    kind.resources = request;
    kind.wanted = wanted;
    kind.proposed.clear();
    adopt(name, kind);
  }

  /**
   * A task of an earlier start of the process runs: it is not proposed again. Its job or service
   * may be declared before or afterwards.
   *
   * @param task a system task, as it was launched
   * @throws InvalidInputException if it is of another family, or could have been made here
   */
  public synchronized void restore(Task task) {
    if (task.family() != Task.Family.SYSTEM) {
      throw new InvalidInputException(
          "task '" + task.id() + "'", "family", task.family().name(), "SYSTEM");
    }
    ids.requireEarlier(task.id());
    Kind kind = kindOf(task);
    if (kind == null) {
      undeclared.put(task.id(), task);
    } else {
      kind.launched.put(task.id(), task);
    }
  }

  @Override
  public synchronized List<Task> due(Instant when) {
    List<Task> due = new ArrayList<>();
    jobs.forEach(
        (name, kind) -> {
          if (kind.lastFailure == null
              || Duration.between(kind.lastFailure, when).compareTo(PAUSE_AFTER_FAILURE) > 0) {
            propose(name, kind, due);
          }
        });
    services.values().removeIf(kind -> kind.wanted == 0 && kind.launched.isEmpty());
    services.forEach((name, kind) -> propose(name, kind, due));
    return due;
  }

  @Override
  public synchronized void launched(Task task, Instant when) {
    Kind kind = kindOf(task);
    if (kind != null) {
      // A service that was declared again since has forgotten the proposal, and not the task.
      kind.proposed.removeIf(same -> same.id().equals(task.id()));
      kind.launched.put(task.id(), task);
    }
  }

  @Override
  public synchronized void ended(Task task, End end, Instant when) {
    Kind kind = kindOf(task);
    undeclared.remove(task.id());
    if (kind == null || kind.launched.remove(task.id()) == null) {
      return;
    }
    if (end == End.FINISHED) {
      jobs.remove(task.name());
    } else if (end == End.FAILED || end == End.KILLED) {
      kind.lastFailure = when;
    }
  }

  /**
   * The jobs that have not finished.
   *
   * @return their names, as they were added
   */
  public synchronized List<String> openJobs() {
    return Collections.unmodifiableList(new ArrayList<>(jobs.keySet()));
  }

  private void propose(String name, Kind kind, List<Task> due) {
    int missing = Math.max(0, kind.wanted - kind.launched.size());
    while (kind.proposed.size() > missing) {
      kind.proposed.remove(kind.proposed.size() - 1);
    }
    while (kind.proposed.size() < missing) {
      kind.proposed.add(Task.system(ids.next("system/" + name), name, kind.resources));
    }
    due.addAll(kind.proposed);
  }

  /** Counts restored tasks as launched ones of a kind that has just been declared. */
  private void adopt(String name, Kind kind) {
    undeclared
        .values()
        .removeIf(task -> task.name().equals(name) && kind.launched.put(task.id(), task) == null);
  }

  private Kind kindOf(Task task) {
    if (task.family() != Task.Family.SYSTEM) {
      return null;
    }
    Kind job = jobs.get(task.name());
    return job != null ? job : services.get(task.name());
  }
}

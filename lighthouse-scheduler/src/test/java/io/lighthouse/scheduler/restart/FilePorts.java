package io.lighthouse.scheduler.restart;

import io.lighthouse.api.Resources;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.memory.FullVisibilityBook;
import io.lighthouse.scheduler.memory.InMemoryCatalogue;
import io.lighthouse.scheduler.memory.InMemoryEvents;
import io.lighthouse.scheduler.memory.InMemoryNodes;
import io.lighthouse.scheduler.memory.Maintenance;
import io.lighthouse.scheduler.model.DeviceLedger;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.QueueOrder;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.RunningExecution.Progress;
import io.lighthouse.scheduler.model.RunningExecution.Status;
import io.lighthouse.scheduler.model.Step;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.ExecutionStore;
import io.lighthouse.scheduler.port.PendingQueue;
import io.lighthouse.scheduler.port.PlacementFilter;
import io.lighthouse.scheduler.port.RunningExecutions;
import io.lighthouse.scheduler.port.TaskRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Ports of an integrator with a store of its own: one file, replaced as a whole by each change.
 * {@code docs/scheduling.md} describes the same for any store.
 *
 * <p>Work and its devices are written when the work is committed. The progress of an execution is
 * written together with its task before the launch. It is written again when the task has ended,
 * before the end is acknowledged.
 */
final class FilePorts implements PendingQueue, ExecutionStore, RunningExecutions, TaskRegistry {
  /** Called before and after everything that leaves a trace: tests stop the process there. */
  interface Points {
    void pass(String where);
  }

  private final Path file;
  private final Points points;
  private final DeviceLedger devices = new DeviceLedger();
  final FullVisibilityBook book = new FullVisibilityBook();
  final InMemoryNodes nodes = new InMemoryNodes(Maintenance.NONE);
  final InMemoryCatalogue catalogue = new InMemoryCatalogue();
  private final SchedulingPorts ports;

  private long incarnation;
  private long made;
  private Map<String, PendingExecution> queue = new LinkedHashMap<>();

  /** Committed and not over, by id. */
  private Map<String, RunningExecution> committed = new LinkedHashMap<>();

  /** How many tasks were started of those that went back to the queue, by id. */
  private Map<String, Integer> attempts = new LinkedHashMap<>();

  /** Launched and not ended, by id. */
  private Map<String, Task> tasks = new LinkedHashMap<>();

  /** How executions ended, by id. */
  private Map<String, Status> ended = new LinkedHashMap<>();

  /** The committed executions that {@link #add} has taken in. */
  private final Set<String> takenIn = new TreeSet<>();

  FilePorts(Path file, Points points) {
    this.file = file;
    this.points = points;
    ports =
        new SchedulingPorts(
            nodes,
            book,
            this,
            this,
            this,
            this,
            this::due,
            catalogue,
            new InMemoryEvents(),
            devices,
            PlacementFilter.ALL);
    if (Files.exists(file)) {
      read();
    }
    incarnation++;
    save();
  }

  SchedulingPorts ports() {
    return ports;
  }

  Map<String, Status> ended() {
    return ended;
  }

  boolean isIdle() {
    return queue.isEmpty() && committed.isEmpty();
  }

  void submit(PendingExecution entry) {
    if (!queue.containsKey(entry.id())
        && !committed.containsKey(entry.id())
        && !ended.containsKey(entry.id())) {
      queue.put(entry.id(), entry);
      save();
    }
  }

  void cancelQueued(String id) {
    queue.computeIfPresent(id, (same, entry) -> entry.asCancelled());
    save();
  }

  /** After a restart: whatever the engine does not know was recorded and never launched. */
  void reconcile(Predicate<String> known, Instant when) {
    for (Task task : current()) {
      if (!known.test(task.id())) {
        RunningExecution execution = committed.get(task.execution());
        if (execution != null) {
          execution.taskLost(task.id(), when);
        }
        tasks.remove(task.id());
      }
    }
    save();
  }

  /** The engine reports an end; to be acknowledged when this has returned. */
  void finished(String id, Instant when) {
    Task task = tasks.remove(id);
    if (task != null && committed.containsKey(task.execution())) {
      RunningExecution execution = committed.get(task.execution());
      execution.taskFinished(id, when);
      endIfFinished(execution);
    }
    save();
  }

  // The queue.

  @Override
  public List<PendingExecution> cancelled(int limit) {
    points.pass("cancelled");
    return queue.values().stream().filter(PendingExecution::cancelled).limit(limit).toList();
  }

  @Override
  public List<PendingExecution> head(QueueOrder order, Set<String> excluded, int limit) {
    points.pass("head");
    return queue.values().stream()
        .filter(entry -> !entry.cancelled() && !excluded.contains(entry.jobType()))
        .sorted(order)
        .limit(limit)
        .toList();
  }

  // The store: the new state is on disk before any of it counts.

  @Override
  public List<RunningExecution> commit(
      List<Placement> placed, List<PendingExecution> cancelled, Instant when) {
    points.pass("commit");
    Map<String, PendingExecution> oldQueue = new LinkedHashMap<>(queue);
    Map<String, RunningExecution> oldCommitted = new LinkedHashMap<>(committed);
    Map<String, Status> oldEnded = new LinkedHashMap<>(ended);
    List<RunningExecution> started = new ArrayList<>();
    for (PendingExecution entry : cancelled) {
      if (queue.remove(entry.id()) != null) {
        ended.put(entry.id(), Status.CANCELED);
      }
    }
    for (Placement placement : placed) {
      PendingExecution entry = queue.remove(placement.execution().id());
      if (entry != null && entry.cancelled()) {
        ended.put(entry.id(), Status.CANCELED);
      } else if (entry != null) {
        RunningExecution execution =
            RunningExecution.resume(
                placement,
                when,
                Step.pullPreMainPost(entry),
                new Progress(
                    Status.RUNNING,
                    "",
                    0,
                    attempts.getOrDefault(entry.id(), 0),
                    Optional.empty(),
                    when));
        committed.put(entry.id(), execution);
        started.add(execution);
      }
    }
    try {
      save();
    } catch (RuntimeException | Error failed) {
      queue = oldQueue;
      committed = oldCommitted;
      ended = oldEnded;
      throw failed;
    }
    points.pass("commit done");
    return started;
  }

  @Override
  public List<RunningExecution> requeue(List<RunningExecution> executions, Instant when) {
    points.pass("requeue");
    Map<String, PendingExecution> oldQueue = new LinkedHashMap<>(queue);
    Map<String, RunningExecution> oldCommitted = new LinkedHashMap<>(committed);
    Map<String, Integer> oldAttempts = new LinkedHashMap<>(attempts);
    List<RunningExecution> back = new ArrayList<>();
    for (RunningExecution execution : executions) {
      if (execution.status() == Status.RUNNING
          && execution.currentTask().isEmpty()
          && committed.remove(execution.id(), execution)) {
        queue.put(execution.id(), execution.origin());
        attempts.put(execution.id(), execution.progress().attempts());
        back.add(execution);
      }
    }
    try {
      save();
    } catch (RuntimeException | Error failed) {
      queue = oldQueue;
      committed = oldCommitted;
      attempts = oldAttempts;
      throw failed;
    }
    for (RunningExecution execution : back) {
      execution.requeue();
      takenIn.remove(execution.id());
    }
    points.pass("requeue done");
    return back;
  }

  // What runs.

  @Override
  public List<RunningExecution> snapshot() {
    points.pass("snapshot");
    return committed.values().stream()
        .filter(execution -> takenIn.contains(execution.id()))
        .sorted(RunningExecution.MOST_IMPORTANT_FIRST)
        .toList();
  }

  @Override
  public void add(List<RunningExecution> executions) {
    points.pass("add");
    for (RunningExecution execution : executions) {
      if (committed.containsKey(execution.id())) {
        takenIn.add(execution.id());
      }
    }
  }

  @Override
  public void fail(Collection<RunningExecution> executions, String cause, Instant when) {
    points.pass("fail");
    executions.forEach(execution -> execution.fail(cause));
    finished(executions, when);
  }

  @Override
  public void finished(Collection<RunningExecution> executions, Instant when) {
    executions.forEach(this::endIfFinished);
    save();
  }

  private void endIfFinished(RunningExecution execution) {
    if (execution.isFinished() && committed.remove(execution.id(), execution)) {
      takenIn.remove(execution.id());
      ended.put(execution.id(), execution.status());
    }
  }

  // The tasks.

  @Override
  public List<Task> current() {
    points.pass("current");
    return List.copyOf(tasks.values());
  }

  /** Before the launch: the tasks, and with them the progress of their executions. */
  @Override
  public void launched(List<Task> launched, Instant when) {
    points.pass("launched");
    Map<String, Task> oldTasks = new LinkedHashMap<>(tasks);
    launched.forEach(task -> tasks.putIfAbsent(task.id(), task));
    try {
      save();
    } catch (RuntimeException | Error failed) {
      tasks = oldTasks;
      throw failed;
    }
    points.pass("launched done");
  }

  @Override
  public void refused(List<Task> refused, Instant when) {
    refused.forEach(task -> tasks.remove(task.id()));
    save();
  }

  /** A service of one task. */
  private List<Task> due(Instant when) {
    points.pass("due");
    boolean runs = tasks.values().stream().anyMatch(task -> task.name().equals("handler"));
    String id = "system/handler/" + incarnation + "-" + made;
    if (runs) {
      made++;
      return List.of();
    }
    return List.of(Task.system(id, "handler", Resources.of("cpus", 1)));
  }

  // The file.

  private void save() {
    points.pass("save");
    List<String> lines = new ArrayList<>();
    lines.add("incarnation\t" + incarnation);
    queue.values().forEach(entry -> lines.add("pending\t" + write(entry)));
    for (RunningExecution execution : committed.values()) {
      Progress progress = execution.progress();
      lines.add(
          String.join(
              "\t",
              "running",
              write(execution.origin()),
              execution.node(),
              execution.agent(),
              execution.started().toString(),
              progress.status().name(),
              progress.failure(),
              Integer.toString(progress.step()),
              Integer.toString(progress.attempts()),
              progress.currentTask().orElse(""),
              progress.waitingSince().toString(),
              devices.of(execution.node(), execution.id()).toString()));
    }
    for (Task task : tasks.values()) {
      lines.add(
          String.join(
              "\t",
              "task",
              task.id(),
              task.family().name(),
              task.name(),
              task.agent(),
              task.execution(),
              write(task.resources())));
    }
    attempts.forEach((id, count) -> lines.add("attempts\t" + id + "\t" + count));
    ended.forEach((id, status) -> lines.add("ended\t" + id + "\t" + status));
    Path next = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.write(next, lines.subList(0, lines.size() / 2));
      points.pass("half written");
      Files.write(next, lines);
      points.pass("written");
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    points.pass("saved");
  }

  private void read() {
    try {
      for (String line : Files.readAllLines(file)) {
        String[] parts = line.split("\t", -1);
        switch (parts[0]) {
          case "incarnation" -> incarnation = Long.parseLong(parts[1]);
          case "pending" -> queue.put(parts[1], entry(parts));
          case "running" -> resume(parts);
          case "task" ->
              tasks.put(
                  parts[1],
                  new Task(
                      parts[1],
                      Task.Family.valueOf(parts[2]),
                      parts[3],
                      parts[4],
                      parts[5],
                      resources(parts[6], parts[7])));
          case "attempts" -> attempts.put(parts[1], Integer.valueOf(parts[2]));
          case "ended" -> ended.put(parts[1], Status.valueOf(parts[2]));
          default -> throw new IllegalStateException("line '" + line + "' of " + file);
        }
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private void resume(String[] parts) {
    PendingExecution origin = entry(parts);
    RunningExecution execution =
        RunningExecution.resume(
            new Placement(origin, parts[8], parts[9]),
            Instant.parse(parts[10]),
            Step.pullPreMainPost(origin),
            new Progress(
                Status.valueOf(parts[11]),
                parts[12],
                Integer.parseInt(parts[13]),
                Integer.parseInt(parts[14]),
                parts[15].isEmpty() ? Optional.empty() : Optional.of(parts[15]),
                Instant.parse(parts[16])));
    committed.put(execution.id(), execution);
    takenIn.add(execution.id());
    String numbers = parts[17].substring(1, parts[17].length() - 1);
    if (!numbers.isEmpty()) {
      devices.restore(
          execution.node(),
          execution.id(),
          Arrays.stream(numbers.split(", ")).map(Integer::valueOf).toList());
    }
  }

  private static String write(PendingExecution entry) {
    return String.join(
        "\t",
        entry.id(),
        entry.jobType(),
        Integer.toString(entry.priority()),
        entry.queued().toString(),
        write(entry.request()),
        Boolean.toString(entry.cancelled()));
  }

  private static String write(Resources resources) {
    return amount(resources, "cpus") + "\t" + amount(resources, "gpus");
  }

  private static String amount(Resources resources, String name) {
    return resources.get(name).orElse(Quantity.ZERO).toBigDecimal().toPlainString();
  }

  private static PendingExecution entry(String[] parts) {
    PendingExecution entry =
        PendingExecution.of(
            parts[1],
            parts[2],
            Integer.parseInt(parts[3]),
            Instant.parse(parts[4]),
            resources(parts[5], parts[6]));
    return Boolean.parseBoolean(parts[7]) ? entry.asCancelled() : entry;
  }

  private static Resources resources(String cpus, String gpus) {
    Resources resources = Resources.of("cpus", Quantity.of(cpus));
    return gpus.equals("0") ? resources : resources.with("gpus", Quantity.of(gpus));
  }
}

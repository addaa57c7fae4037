package io.lighthouse.scheduler.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Resources;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.scheduler.manager.SchedulingManager;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Step;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.ClusterClient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Node and system tasks run on while the scheduling process restarts. */
class RestartTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final Resources HALF = Resources.of("cpus", "0.5");
  private static final Maintenance ALL =
      new Maintenance(true, true, true, Resources.of("cpus", "0.1"));

  /** The cluster manager, which outlives the scheduling process. */
  private static final class Engine implements ClusterClient {
    final List<Task> launched = new ArrayList<>();

    @Override
    public boolean connected() {
      return true;
    }

    @Override
    public String session() {
      return "session";
    }

    @Override
    public List<Refusal> launch(String node, List<ResourceOffer> offers, List<Task> tasks) {
      launched.addAll(tasks);
      return List.of();
    }
  }

  private final Engine engine = new Engine();

  private static InMemoryPorts start(String incarnation, Maintenance maintenance) {
    FullVisibilityBook book = new FullVisibilityBook();
    book.allocatable("agent-1", Resources.of("cpus", 8));
    return new InMemoryPorts(book, maintenance, Step::main, new InMemoryQueue(), incarnation);
  }

  private void pass(InMemoryPorts memory, int second) {
    new SchedulingManager(memory.ports()).runPass(engine, NOW.plusSeconds(second));
  }

  private List<String> names() {
    return engine.launched.stream().map(Task::name).toList();
  }

  @Test
  void aServiceThatRunsIsNotLaunchedAgain() {
    InMemoryPorts before = start("1", Maintenance.NONE);
    before.agentConnected("host-1", "agent-1", NOW);
    before.systemTasks().service("handler", HALF, 2);
    pass(before, 0);
    assertThat(names()).containsExactly("handler", "handler");

    List<Task> recorded = before.tasks().current();
    InMemoryPorts after = start("2", Maintenance.NONE);
    after.restore(List.of(), recorded, NOW.plusSeconds(1));
    after.systemTasks().service("handler", HALF, 2);
    after.agentConnected("host-1", "agent-1", NOW.plusSeconds(1));
    pass(after, 2);
    assertThat(names()).hasSize(2);

    // One of them ends: it is replaced, under an id that no start has used.
    after.taskEnded(recorded.get(0).id(), TaskListener.End.FAILED, NOW.plusSeconds(3));
    pass(after, 4);
    assertThat(names()).hasSize(3);
    assertThat(engine.launched.stream().map(Task::id).distinct()).hasSize(3);
  }

  @Test
  void aJobThatRunsIsNotLaunchedAgainAndIsDoneWhenItEnds() {
    InMemoryPorts before = start("1", Maintenance.NONE);
    before.agentConnected("host-1", "agent-1", NOW);
    before.systemTasks().runOnce("update", HALF);
    pass(before, 0);

    InMemoryPorts after = start("2", Maintenance.NONE);
    after.systemTasks().runOnce("update", HALF);
    after.restore(List.of(), before.tasks().current(), NOW.plusSeconds(1));
    after.agentConnected("host-1", "agent-1", NOW.plusSeconds(1));
    pass(after, 2);
    assertThat(names()).containsExactly("update");
    String id = engine.launched.get(0).id();
    assertThat(after.taskEnded(id, TaskListener.End.FINISHED, NOW.plusSeconds(3))).isTrue();
    assertThat(after.systemTasks().openJobs()).isEmpty();
  }

  @Test
  void aNodeGoesOnWithItsMaintenanceWhereItStood() {
    InMemoryPorts before = start("1", ALL);
    InMemoryNode node = before.agentConnected("host-1", "agent-1", NOW);
    pass(before, 0);
    assertThat(names()).containsExactly("cleanup", "health-check");
    String cleanup = engine.launched.get(0).id();
    before.taskEnded(cleanup, TaskListener.End.FINISHED, NOW.plusSeconds(1));
    pass(before, 2);
    assertThat(names()).containsExactly("cleanup", "health-check", "image-pull");

    InMemoryPorts after = start("2", ALL);
    after.nodes().add("host-1").restore(node.upkeep());
    after.restore(List.of(), before.tasks().current(), NOW.plusSeconds(3));
    InMemoryNode restored = after.agentConnected("host-1", "agent-1", NOW.plusSeconds(3));
    pass(after, 4);
    assertThat(names()).hasSize(3);
    assertThat(restored.state()).isEqualTo(NodeStatus.IMAGE_PULL);
    String pull = engine.launched.get(2).id();
    after.taskEnded(pull, TaskListener.End.FINISHED, NOW.plusSeconds(5));
    assertThat(restored.state()).isEqualTo(NodeStatus.READY);

    // The next restart finds the node ready at once; the health check is still the one before.
    InMemoryPorts last = start("3", ALL);
    last.restore(List.of(), after.tasks().current(), NOW.plusSeconds(6));
    last.nodes().add("host-1").restore(restored.upkeep());
    assertThat(last.agentConnected("host-1", "agent-1", NOW.plusSeconds(6)).state())
        .isEqualTo(NodeStatus.READY);
    pass(last, 7);
    assertThat(names()).hasSize(3);
  }

  @Test
  void aNodeThatConnectsUnderAnotherAgentStartsAnew() {
    InMemoryPorts before = start("1", ALL);
    InMemoryNode node = before.agentConnected("host-1", "agent-0", NOW);
    InMemoryPorts after = start("2", ALL);
    after.nodes().add("host-1").restore(node.upkeep());
    after.restore(
        List.of(), List.of(Task.node("node/agent-0/cleanup/1-0", "cleanup", "agent-0", HALF)), NOW);
    after.agentConnected("host-1", "agent-1", NOW);
    assertThat(after.tasks().current()).isEmpty();
    pass(after, 1);
    assertThat(names()).containsExactly("cleanup", "health-check");
    assertThat(engine.launched.get(0).id()).isEqualTo("node/agent-1/cleanup/2-0");
  }

  @Test
  void whatWentBackToTheQueueCountsItsTasksOn() {
    PendingExecution entry = PendingExecution.of("e", "type", 1, NOW, HALF);
    InMemoryPorts before = start("1", Maintenance.NONE);
    before.queue().add(entry);
    Placement placement = new Placement(entry, "host-1", "agent-1");
    RunningExecution refused =
        before.executions().commit(List.of(placement), List.of(), NOW).get(0);
    refused.taskNotLaunched(refused.startNextTask().orElseThrow().id());
    assertThat(before.executions().requeue(List.of(refused), NOW)).containsExactly(refused);

    InMemoryPorts after = start("2", Maintenance.NONE);
    after.queue().add(entry);
    after.restore(List.of(resumed(placement, refused)), NOW);
    assertThat(after.executions().snapshot()).isEmpty();
    RunningExecution again = after.executions().commit(List.of(placement), List.of(), NOW).get(0);
    assertThat(again.nextTask().orElseThrow().id()).isEqualTo("e/main/1");
  }

  @Test
  void whatIsOverAndQueuedAgainCountsItsTasksOn() {
    PendingExecution entry = PendingExecution.of("e", "type", 1, NOW, HALF);
    Placement placement = new Placement(entry, "host-1", "agent-1");
    RunningExecution over = new RunningExecution(placement, NOW, Step.main(entry));
    over.taskFinished(over.startNextTask().orElseThrow().id(), NOW);

    InMemoryPorts after = start("2", Maintenance.NONE);
    after.restore(List.of(resumed(placement, over)), NOW);
    assertThat(after.executions().snapshot()).isEmpty();
    after.queue().add(entry);
    RunningExecution again = after.executions().commit(List.of(placement), List.of(), NOW).get(0);
    assertThat(again.nextTask().orElseThrow().id()).isEqualTo("e/main/1");
  }

  @Test
  void theEndOfWhatIsOverIsTold() {
    PendingExecution entry = PendingExecution.of("e", "type", 1, NOW, HALF);
    Placement placement = new Placement(entry, "host-1", "agent-1");
    RunningExecution over = new RunningExecution(placement, NOW, Step.main(entry));
    String task = over.startNextTask().orElseThrow().id();
    over.taskFailed(task, "task-failed", NOW.plusSeconds(1));
    // The process stops here: the progress is recorded, and no listener was called.

    InMemoryPorts after = start("2", Maintenance.NONE);
    after.restore(List.of(resumed(placement, over)), NOW.plusSeconds(2));
    pass(after, 3);
    InMemoryExecutions.Ended end =
        new InMemoryExecutions.Ended(
            "e", RunningExecution.Status.FAILED, "task-failed", "host-1", NOW.plusSeconds(1));
    assertThat(after.executions().nextMessage()).contains(end);
    assertThat(after.executions().nextMessage()).isEmpty();
    assertThat(after.executions().ended("e")).contains(end);
  }

  @Test
  void restoredEndsAreForgottenBeyondTheLimit() {
    List<RunningExecution> over = new ArrayList<>();
    for (int i = 0; i <= InMemoryExecutions.REMEMBERED; i++) {
      over.add(completed(i));
    }
    InMemoryPorts after = start("2", Maintenance.NONE);
    after.restore(over, NOW);
    assertThat(firstTaskOf(after, 0)).isEqualTo("e0/main/0");
    assertThat(firstTaskOf(after, 1)).isEqualTo("e1/main/1");
  }

  /** An execution as it is after a restart, with the progress that was recorded. */
  private static RunningExecution resumed(Placement placement, RunningExecution recorded) {
    return RunningExecution.resume(
        placement, NOW, Step.main(placement.execution()), recorded.progress());
  }

  private static Placement placement(int number) {
    PendingExecution entry = PendingExecution.of("e" + number, "type", 1, NOW, HALF);
    return new Placement(entry, "host-1", "agent-1");
  }

  private static RunningExecution completed(int number) {
    Placement placement = placement(number);
    RunningExecution over = new RunningExecution(placement, NOW, Step.main(placement.execution()));
    over.taskFinished(over.startNextTask().orElseThrow().id(), NOW);
    return over;
  }

  private static String firstTaskOf(InMemoryPorts memory, int number) {
    Placement placement = placement(number);
    memory.queue().add(placement.execution());
    return memory
        .executions()
        .commit(List.of(placement), List.of(), NOW)
        .get(0)
        .nextTask()
        .orElseThrow()
        .id();
  }

  @Test
  void whatRunsAgainAfterItsEndIsRestoredAsRunning() {
    PendingExecution entry = PendingExecution.of("e", "type", 1, NOW, HALF);
    Placement placement = new Placement(entry, "host-1", "agent-1");
    RunningExecution over = new RunningExecution(placement, NOW, Step.main(entry));
    over.taskFinished(over.startNextTask().orElseThrow().id(), NOW);
    RunningExecution again = new RunningExecution(placement, NOW, Step.main(entry));

    InMemoryPorts after = start("2", Maintenance.NONE);
    after.restore(List.of(over, again), NOW);
    assertThat(after.executions().snapshot()).containsExactly(again);
    assertThat(after.executions().ended("e")).isEmpty();
  }

  @Test
  void tasksOfTheSameIncarnationAreRefused() {
    InMemoryPorts unnamed = start("", Maintenance.NONE);
    Task task = Task.system("system/handler/0", "handler", HALF).on("agent-1");
    assertThatThrownBy(() -> unnamed.restore(List.of(), List.of(task), NOW))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("'system/handler/0'")
        .hasMessageContaining("incarnation");
    InMemoryPorts second = start("2", Maintenance.NONE);
    Task own = Task.node("node/agent-1/cleanup/2-7", "cleanup", "agent-1", HALF);
    assertThatThrownBy(() -> second.restore(List.of(), List.of(own), NOW))
        .isInstanceOf(InvalidInputException.class);
    Task job = Task.job("e/main/0", "main", "agent-1", "e", HALF);
    assertThatThrownBy(() -> second.restore(List.of(), List.of(job), NOW))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("JOB");
    assertThatThrownBy(() -> start("a/b", Maintenance.NONE))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("incarnation");
    assertThatThrownBy(
            () ->
                second
                    .agentConnected("h", "a", NOW)
                    .restore(
                        new InMemoryNode.Upkeep("a", true, true, java.util.Optional.empty(), 0)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("connected");
  }
}

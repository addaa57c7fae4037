package io.lighthouse.scheduler.memory;

import static io.lighthouse.scheduler.Fixtures.NOW;
import static io.lighthouse.scheduler.Fixtures.vector;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.scheduler.memory.TaskListener.End;
import io.lighthouse.scheduler.model.Step;
import io.lighthouse.scheduler.model.Task;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is known of tasks after their launch, and what reaches their listeners. */
class LaunchedTasksTest {
  private static final class ThrowingListener implements TaskListener {
    @Override
    public void ended(Task task, End end, Instant when) {
      throw new IllegalStateException("cannot end " + task.id());
    }
  }

  private static final class RecordedEnds implements TaskListener {
    final List<String> ended = new ArrayList<>();

    @Override
    public void ended(Task task, End end, Instant when) {
      ended.add(task.id() + " " + end);
    }
  }

  private final RecordedEnds recording = new RecordedEnds();
  private final InMemoryTasks tasks = new InMemoryTasks(List.of(new ThrowingListener(), recording));

  private static Task task(String id) {
    return Task.node(id, "health-check", "agent", vector(1));
  }

  @Test
  void anEndReachesEveryListenerWhateverTheOthersThrow() {
    tasks.launched(List.of(task("a")), NOW);
    assertThatThrownBy(() -> tasks.ended("a", End.FINISHED, NOW))
        .hasMessage("cannot end a")
        .hasNoSuppressedExceptions();
    assertThat(recording.ended).containsExactly("a FINISHED");
    assertThat(tasks.current()).isEmpty();
  }

  @Test
  void aLostAgentLosesAllItsTasksWhateverAListenerThrows() {
    tasks.launched(List.of(task("a"), task("b"), task("c")), NOW);
    assertThatThrownBy(() -> tasks.agentLost("agent", NOW))
        .hasMessage("cannot end a")
        .satisfies(
            first ->
                assertThat(first.getSuppressed())
                    .extracting(Throwable::getMessage)
                    .containsExactly("cannot end b", "cannot end c"));
    assertThat(recording.ended).containsExactly("a LOST", "b LOST", "c LOST");
    assertThat(tasks.current()).isEmpty();
  }

  @Test
  void anExceptionThatIsThrownEachTimeGathersNoneForEver() {
    IllegalStateException constant = new IllegalStateException("down");
    TaskListener down =
        new TaskListener() {
          @Override
          public void ended(Task task, End end, Instant when) {
            throw constant;
          }
        };
    InMemoryTasks registry = new InMemoryTasks(List.of(down, new ThrowingListener()));
    for (int i = 0; i < 500; i++) {
      registry.launched(List.of(task("a")), NOW);
      assertThatThrownBy(() -> registry.ended("a", End.FINISHED, NOW)).isSameAs(constant);
    }
    assertThat(constant.getSuppressed().length).isEqualTo(100);
  }

  @Test
  void allRefusedTasksAreForgottenWhateverAListenerThrows() {
    tasks.launched(List.of(task("a"), task("b")), NOW);
    assertThatThrownBy(() -> tasks.refused(List.of(task("a"), task("b")), NOW))
        .hasMessage("cannot end a");
    assertThat(recording.ended).containsExactly("a REFUSED", "b REFUSED");
    assertThat(tasks.current()).isEmpty();
  }

  @Test
  void aServiceThatIsDeclaredAgainDuringALaunchRunsNoTaskTooMany() {
    InMemorySystemTasks system = new InMemorySystemTasks();
    InMemoryTasks registry = new InMemoryTasks(List.of(system));
    system.service("handler", vector(1), 1);
    List<Task> due = system.due(NOW);
    system.service("handler", vector(2), 1);
    registry.launched(due, NOW);
    assertThat(system.due(NOW)).isEmpty();

    registry.ended(due.get(0).id(), End.FINISHED, NOW);
    assertThat(system.due(NOW)).extracting(Task::resources).containsExactly(vector(2));
  }

  @Test
  void aNodeThatIsAddedAgainMakesTasksWithNewIds() {
    InMemoryPorts ports = new InMemoryPorts(new OfferBook(), Maintenance.SCALE, Step::main);
    List<Task> first = ports.agentConnected("node", "agent", NOW).nodeTasks(NOW);
    ports.tasks().launched(first, NOW);
    ports.nodes().remove("node");
    List<Task> second = ports.agentConnected("node", "agent", NOW).nodeTasks(NOW);
    ports.tasks().launched(second, NOW);
    assertThat(ports.tasks().current()).hasSize(first.size() + second.size());
  }
}

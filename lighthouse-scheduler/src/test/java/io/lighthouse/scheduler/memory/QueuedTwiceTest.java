package io.lighthouse.scheduler.memory;

import static io.lighthouse.scheduler.Fixtures.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.Fixtures;
import io.lighthouse.scheduler.Fixtures.TestClient;
import io.lighthouse.scheduler.NodeChoice;
import io.lighthouse.scheduler.NotPlaced;
import io.lighthouse.scheduler.NotPlaced.Why;
import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.manager.SchedulingManager;
import io.lighthouse.scheduler.model.Step;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An execution that is queued again while it runs. */
class QueuedTwiceTest {
  private final FullVisibilityBook book = new FullVisibilityBook();
  private final InMemoryPorts memory = new InMemoryPorts(book, Maintenance.NONE, Step::main);
  private final TestClient client = new TestClient();
  private int second;

  @BeforeEach
  void start() {
    memory.catalogue().put(Fixtures.type("type"));
    memory.agentConnected("n", "agent", NOW);
    book.allocatable("agent", Resources.of("cpus", 8, "mem", 8, "gpus", 3));
  }

  private void queue(String id) {
    memory.queue().add(Fixtures.pending(id, 1, Resources.of("cpus", 1, "gpus", 1)));
  }

  private SchedulingReport pass(SchedulingManager manager) {
    return manager.runPass(client, NOW.plusSeconds(++second));
  }

  private Object devices(String id) {
    return memory.ports().devices().of("n", id);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void keepsItsDevicesAndTakesNoRoom(boolean withStrategy) {
    SchedulingPolicy policy =
        withStrategy
            ? SchedulingPolicy.DEFAULT.withNodeChoice(
                NodeChoice.installed("round-robin", Map.of(), Optional.empty()))
            : SchedulingPolicy.DEFAULT;
    SchedulingManager manager = new SchedulingManager(memory.ports(), policy);
    queue("a");
    queue("e");
    assertThat(pass(manager).queue().placements()).hasSize(2);
    final Object before = devices("e");
    memory.taskEnded("a/main/0", TaskListener.End.FINISHED, NOW);
    queue("e");
    queue("f");
    queue("g");
    SchedulingReport report = pass(manager);
    assertThat(report.failures()).isEmpty();
    assertThat(report.queue().placements())
        .extracting(placement -> placement.execution().id())
        .containsExactlyInAnyOrder("f", "g");
    assertThat(report.queue().notPlaced()).extracting(NotPlaced::why).containsExactly(Why.RUNS);
    assertThat(devices("e")).isEqualTo(before);
    assertThat(devices("f")).isNotEqualTo(before);
    assertThat(devices("g")).isNotEqualTo(before).isNotEqualTo(devices("f"));
  }
}

package io.lighthouse.scheduler;

import static io.lighthouse.scheduler.Fixtures.NOW;
import static io.lighthouse.scheduler.Fixtures.assertSame;
import static io.lighthouse.scheduler.Fixtures.capacity;
import static io.lighthouse.scheduler.Fixtures.gpus;
import static io.lighthouse.scheduler.Fixtures.offer;
import static io.lighthouse.scheduler.Fixtures.pending;
import static io.lighthouse.scheduler.Fixtures.running;
import static io.lighthouse.scheduler.Fixtures.vector;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.Fixtures.TestNode;
import io.lighthouse.scheduler.model.DeviceLedger;
import io.lighthouse.scheduler.model.NodeCapacity;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Step;
import io.lighthouse.scheduler.model.Task;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SchedulingNodeTest {
  private final TestNode host = new TestNode("1");
  private final List<Task> waiting = new ArrayList<>();

  private SchedulingNode node(Resources offered) {
    return node(offered, vector(100, 500));
  }

  private SchedulingNode node(Resources offered, Resources watermark) {
    return new SchedulingNode(
        host.agent, host, List.of(), List.of(), capacity(offered, Resources.none(), watermark));
  }

  private Task nodeTask(String name) {
    return Task.node("task-" + name, name, host.agent, vector("0.1", 32));
  }

  private void proposeHealthAndPull() {
    host.due.add(nodeTask("health"));
    host.due.add(nodeTask("pull"));
  }

  @Nested
  class NextTaskOfARunningExecution {
    private final RunningExecution execution = running("e", 1, "1", vector(1, 10));

    @Test
    void isTakenWhereItFits() {
      SchedulingNode node = node(vector(10, 50));
      assertThat(node.acceptJobExeNextTask(execution, waiting)).isFalse();
      assertThat(node.runningExecutions()).containsExactly(execution);
      assertSame(node.allocated(), vector(1, 10));
      assertSame(node.remaining(), vector(9, 40));
      assertThat(waiting).isEmpty();
      assertThat(execution.currentTask()).isEmpty();
    }

    @Test
    void isIgnoredWhereTheNodeIsNotReady() {
      host.nextTasks = false;
      assertIgnored();
    }

    @Test
    void isIgnoredOnceCancelled() {
      execution.cancel();
      assertIgnored();
    }

    @Test
    void waitsWhereItDoesNotFit() {
      SchedulingNode node = node(vector(10, 50));
      RunningExecution large = running("e", 1, "1", vector(11, 10));
      assertThat(node.acceptJobExeNextTask(large, waiting)).isTrue();
      assertThat(node.runningExecutions()).isEmpty();
      assertSame(node.allocated(), Resources.none());
      assertSame(node.remaining(), vector(10, 50));
      assertThat(waiting).containsExactly(large.nextTask().orElseThrow());
    }

    private void assertIgnored() {
      SchedulingNode node = node(vector(10, 50));
      assertThat(node.acceptJobExeNextTask(execution, waiting)).isFalse();
      assertThat(node.runningExecutions()).isEmpty();
      assertSame(node.allocated(), Resources.none());
      assertSame(node.remaining(), vector(10, 50));
      assertThat(waiting).isEmpty();
    }
  }

  @Nested
  class NewExecution {
    @Test
    void isTakenWhereItFits() {
      SchedulingNode node = node(vector(10, 50));
      PendingExecution entry = pending("e", 1, vector(1, 10));
      assertThat(node.acceptNewJobExe(entry)).isTrue();
      assertThat(node.newExecutions()).hasSize(1);
      assertThat(node.newExecutions().get(0).execution()).isEqualTo(entry);
      assertThat(node.newExecutions().get(0).node()).isEqualTo("1");
      assertThat(node.newExecutions().get(0).agent()).isEqualTo("agent_1");
      assertSame(node.allocated(), vector(1, 10));
      assertSame(node.remaining(), vector(9, 40));
    }

    @Test
    void takesTheOnlyDevice() {
      SchedulingNode node = node(gpus(10, 50, 1), gpus(10, 50, 1));
      assertThat(node.acceptNewJobExe(pending("e", 1, gpus(1, 10, 1)))).isTrue();
      assertSame(node.allocated(), gpus(1, 10, 1));
      assertSame(node.remaining(), gpus(9, 40, 0));
      assertThat(node.newExecutions().get(0).node()).isEqualTo("1");
    }

    @Test
    void takesOneDeviceOfFour() {
      SchedulingNode node = node(gpus(10, 50, 4), gpus(10, 50, 4));
      assertThat(node.acceptNewJobExe(pending("e", 1, gpus(1, 10, 1)))).isTrue();
      assertSame(node.allocated(), gpus(1, 10, 1));
      assertSame(node.remaining(), gpus(9, 40, 3));
      assertThat(node.newExecutions().get(0).node()).isEqualTo("1");
    }

    @Test
    void isRefusedForWantOfDevices() {
      SchedulingNode node =
          new SchedulingNode(
              host.agent,
              host,
              List.of(Task.node("t", "other", host.agent, gpus(0, 0, 1))),
              List.of(),
              capacity(gpus(10, 50, 1), gpus(0, 0, 1), gpus(10, 50, 2)));
      assertThat(node.acceptNewJobExe(pending("e", 1, gpus(1, 10, 2)))).isFalse();
    }

    @Test
    void isRefusedWithoutATraceWhereTheLedgerHasTooFewDevices() {
      DeviceLedger devices = new DeviceLedger();
      NodeCapacity all = capacity(gpus(10, 50, 3), Resources.none(), gpus(10, 50, 3));
      devices.learn("1", all);
      devices.reserve("1", "other", gpus(0, 0, 2));
      SchedulingNode node =
          new SchedulingNode(host.agent, host, List.of(), List.of(), all, devices);
      assertThat(node.acceptNewJobExe(pending("e", 1, gpus(1, 10, 2)))).isFalse();
      assertSame(node.allocated(), Resources.none());
      assertThat(devices.free("1")).containsExactly(2);
    }

    @Test
    void isRefusedWhereItDoesNotFit() {
      assertRefused(pending("e", 1, vector(11, 10)));
    }

    @Test
    void isRefusedWhereTheNodeIsNotReady() {
      host.newJobs = false;
      assertRefused(pending("e", 1, vector(1, 10)));
    }

    private void assertRefused(PendingExecution entry) {
      SchedulingNode node = node(vector(10, 50));
      assertThat(node.acceptNewJobExe(entry)).isFalse();
      assertThat(node.newExecutions()).isEmpty();
      assertSame(node.allocated(), Resources.none());
      assertSame(node.remaining(), vector(10, 50));
    }
  }

  @Nested
  class NodeTasks {
    @Test
    void areAllTakenWhereTheyFit() {
      proposeHealthAndPull();
      SchedulingNode node = node(vector(100, 5000), vector(100, 5000));
      assertThat(node.acceptNodeTasks(NOW, waiting)).isFalse();
      assertThat(node.allocatedTasks()).hasSize(2);
      assertSame(node.allocated(), vector("0.2", 64));
      assertSame(node.remaining(), vector("99.8", 4936));
      assertThat(waiting).isEmpty();
    }

    @Test
    void waitInTheirOrderWhereNoneFits() {
      proposeHealthAndPull();
      SchedulingNode node = node(vector(0, 50));
      assertThat(node.acceptNodeTasks(NOW, waiting)).isTrue();
      assertThat(node.allocatedTasks()).isEmpty();
      assertSame(node.allocated(), Resources.none());
      assertSame(node.remaining(), vector(0, 50));
      assertThat(waiting).extracting(Task::name).containsExactly("health", "pull");
    }

    @Test
    void aSmallerOneGetsInWhileALargerOneWaits() {
      host.due.add(Task.node("large", "large", host.agent, vector(5, 10)));
      host.due.add(nodeTask("health"));
      SchedulingNode node = node(vector(1, 50));
      assertThat(node.acceptNodeTasks(NOW, waiting)).isTrue();
      assertThat(node.allocatedTasks()).extracting(Task::name).containsExactly("health");
      assertThat(waiting).extracting(Task::name).containsExactly("large");
    }
  }

  @Nested
  class SystemTask {
    private final Task update = Task.system("s", "update", vector("0.5", 512));

    @Test
    void isTakenUnderTheNodesAgent() {
      SchedulingNode node = node(vector(1, 1000));
      assertThat(node.acceptSystemTask(update)).isTrue();
      assertThat(node.allocatedTasks()).containsExactly(update.on("agent_1"));
      assertSame(node.remaining(), vector("0.5", 488));
    }

    @Test
    void isRefusedWhereTheNodeIsNotReady() {
      host.systemTasks = false;
      SchedulingNode node = node(vector(1, 1000));
      assertThat(node.acceptSystemTask(update)).isFalse();
      assertSame(node.allocated(), Resources.none());
    }

    @Test
    void isRefusedWhereItDoesNotFit() {
      SchedulingNode node = node(vector(1, 511));
      assertThat(node.acceptSystemTask(update)).isFalse();
      assertThat(node.allocatedTasks()).isEmpty();
      assertSame(node.remaining(), vector(1, 511));
    }
  }

  @Nested
  class AllocatedOffers {
    private SchedulingNode node;

    private SchedulingNode loaded() {
      proposeHealthAndPull();
      node = node(vector(100, 500));
      node.acceptNodeTasks(NOW, waiting);
      node.acceptJobExeNextTask(running("a", 1, "1", vector(1, 10)), waiting);
      node.acceptJobExeNextTask(running("b", 1, "1", vector(2, 20)), waiting);
      assertSame(node.allocated(), vector("3.2", 94));
      return node;
    }

    @Test
    void thatSufficeForTheNodesTasksKeepThemWhereAnExecutionWasCancelled() {
      proposeHealthAndPull();
      node = node(vector(100, 500));
      node.acceptNodeTasks(NOW, waiting);
      RunningExecution cancelled = running("a", 1, "1", vector(1, 10));
      node.acceptJobExeNextTask(cancelled, waiting);
      cancelled.cancel();
      assertThat(node.addAllocatedOffers(List.of(offer("o", "agent_1", vector("0.2", 64)))))
          .isEmpty();
      assertThat(node.allocatedTasks()).hasSize(2);
      assertSame(node.allocated(), vector("0.2", 64));
      assertSame(node.remaining(), vector("99.8", 436));
    }

    @Test
    void thatSufficeForTheNodesTasksKeepThemWhereAFirstTaskNeedsLessThanItsExecution() {
      proposeHealthAndPull();
      node = node(vector(100, 500));
      node.acceptNodeTasks(NOW, waiting);
      PendingExecution origin = pending("a", 1, vector(5, 50));
      node.acceptNewJobExe(origin);
      Placement placement = node.newExecutions().get(0);
      List<Step> steps = List.of(new Step("pull", vector(1, 1)), new Step("main", vector(5, 50)));
      node.addScheduledJobExes(List.of(new RunningExecution(placement, NOW, steps)));
      assertThat(node.addAllocatedOffers(List.of(offer("o", "agent_1", vector("0.2", 64)))))
          .extracting(Task::name)
          .containsExactly("pull");
      assertThat(node.allocatedTasks()).hasSize(2);
      assertSame(node.allocated(), vector("0.2", 64));
    }

    @Test
    void thatSufficeChangeNothing() {
      List<ResourceOffer> offers =
          List.of(
              offer("o1", "agent_1", vector(1, 0)),
              offer("o2", "agent_1", vector("3.2", 94)),
              offer("o3", "agent_1", vector("7.5", 600, 800)));
      loaded().addAllocatedOffers(offers);
      assertThat(node.allocatedOffers()).isEqualTo(offers);
      assertThat(node.allocatedTasks()).hasSize(2);
      assertThat(node.runningExecutions()).hasSize(2);
      assertThat(node.newExecutions()).isEmpty();
      assertSame(node.allocated(), vector("3.2", 94));
      assertSame(node.remaining(), vector("96.8", 406));
    }

    @Test
    void thatSufficeForTasksOnlyDropTheExecutions() {
      List<ResourceOffer> offers =
          List.of(
              offer("o1", "agent_1", vector("0.5", 0)), offer("o2", "agent_1", vector("0.2", 64)));
      loaded().addAllocatedOffers(offers);
      assertThat(node.allocatedOffers()).isEqualTo(offers);
      assertThat(node.allocatedTasks()).hasSize(2);
      assertThat(node.runningExecutions()).isEmpty();
      assertSame(node.allocated(), vector("0.2", 64));
      assertSame(node.remaining(), vector("99.8", 436));
    }

    @Test
    void thatDoNotSufficeDropEverything() {
      List<ResourceOffer> offers = List.of(offer("o1", "agent_1", vector("0.1", 600)));
      loaded().addAllocatedOffers(offers);
      assertThat(node.allocatedOffers()).isEqualTo(offers);
      assertThat(node.allocatedTasks()).isEmpty();
      assertThat(node.runningExecutions()).isEmpty();
      assertSame(node.allocated(), Resources.none());
      assertSame(node.remaining(), vector(100, 500));
    }

    @Test
    void ofExactlyWhatIsLeftAfterDroppingAreEnough() {
      // 0.1 + 0.1 + 1 + 2 - 3 is more than 0.2 in binary floating point.
      loaded().addAllocatedOffers(List.of(offer("o1", "agent_1", vector("0.2", 64))));
      assertThat(node.allocatedTasks()).hasSize(2);
      assertSame(node.allocated(), vector("0.2", 64));
    }
  }

  @Nested
  class NewExecutionsAtTheEnd {
    @Test
    void areResetWithTheirResources() {
      SchedulingNode node = node(vector(100, 500));
      node.acceptNewJobExe(pending("a", 1, vector(2, 60)));
      node.acceptNewJobExe(pending("b", 1, vector("4.5", 400)));
      assertThat(node.newExecutions()).hasSize(2);
      assertSame(node.allocated(), vector("6.5", 460));
      node.resetNewJobExes();
      assertThat(node.newExecutions()).isEmpty();
      assertSame(node.allocated(), Resources.none());
      assertSame(node.remaining(), vector(100, 500));
    }

    @Test
    void areResetWithTheirDevices() {
      DeviceLedger devices = new DeviceLedger();
      NodeCapacity all = capacity(gpus(10, 50, 3), Resources.none(), gpus(10, 50, 3));
      SchedulingNode node =
          new SchedulingNode(host.agent, host, List.of(), List.of(), all, devices);
      node.acceptNewJobExe(pending("a", 1, gpus(1, 10, 2)));
      assertThat(devices.of("1", "a")).containsExactly(0, 1);
      node.resetNewJobExes();
      assertThat(devices.free("1")).containsExactly(0, 1, 2);
    }

    @Test
    void goOnAsRunningOnceCommittedWithoutChangingTheAccount() {
      SchedulingNode node = node(vector(100, 500));
      node.acceptNewJobExe(pending("a", 1, vector(2, 60)));
      RunningExecution committed = running("a", 1, "1", vector(2, 60));
      node.addScheduledJobExes(List.of(committed));
      assertThat(node.newExecutions()).isEmpty();
      assertThat(node.runningExecutions()).containsExactly(committed);
      assertSame(node.allocated(), vector(2, 60));
    }

    @Test
    void thatWereNotCommittedGiveTheirResourcesBack() {
      SchedulingNode node = node(vector(100, 500));
      node.acceptNewJobExe(pending("a", 1, vector(2, 60)));
      node.acceptNewJobExe(pending("b", 1, vector(3, 70)));
      node.addScheduledJobExes(List.of(running("b", 1, "1", vector(3, 70))));
      assertSame(node.allocated(), vector(3, 70));
      assertSame(node.remaining(), vector(97, 430));
    }
  }

  @Nested
  class Starting {
    @Test
    void yieldsNothingForWhatWasCancelledMeanwhile() {
      SchedulingNode node = node(vector(20, 100), vector(200, 700));
      RunningExecution first = running("a", 1, "1", vector(10, 50));
      RunningExecution second = running("b", 1, "1", vector(5, 25));
      node.acceptJobExeNextTask(first, waiting);
      node.acceptJobExeNextTask(second, waiting);
      assertThat(node.runningExecutions()).hasSize(2);
      first.cancel();
      assertThat(node.startJobExeTasks()).containsExactly(second);
      assertThat(node.runningExecutions()).isEmpty();
      assertThat(node.allocatedTasks()).containsExactly(second.currentTask().orElseThrow());
      assertSame(node.allocated(), vector(15, 75));
    }
  }
}

package io.lighthouse.scheduler;

import static io.lighthouse.scheduler.Fixtures.NOW;
import static io.lighthouse.scheduler.Fixtures.vector;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.LighthouseException;
import io.lighthouse.scheduler.Fixtures.TestNode;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.CapacityBook;
import io.lighthouse.scheduler.port.Catalogue;
import io.lighthouse.scheduler.port.ClusterClient;
import io.lighthouse.scheduler.port.ClusterNode;
import io.lighthouse.scheduler.port.ExecutionStore;
import io.lighthouse.scheduler.port.NodeDirectory;
import io.lighthouse.scheduler.port.PendingQueue;
import io.lighthouse.scheduler.port.PlacementFilter;
import io.lighthouse.scheduler.port.PortException;
import io.lighthouse.scheduler.port.RunningExecutions;
import io.lighthouse.scheduler.port.SchedulingEvents;
import io.lighthouse.scheduler.port.SystemTasks;
import io.lighthouse.scheduler.port.TaskRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every call of every port is guarded: what it throws, and null, is told with its name. */
class PortFaultsTest {
  private static final List<Class<?>> PORTS =
      List.of(
          CapacityBook.class,
          Catalogue.class,
          ClusterClient.class,
          ClusterNode.class,
          ExecutionStore.class,
          NodeDirectory.class,
          PendingQueue.class,
          PlacementFilter.class,
          RunningExecutions.class,
          SchedulingEvents.class,
          SystemTasks.class,
          TaskRegistry.class);

  private final Cluster cluster = new Cluster();

  /** What a call does instead of its work, or after it. */
  enum Fault {
    THROWS,
    THROWS_AFTERWARDS,
    ANSWERS_NULL,
    ANSWERS_NULL_AMONG_OTHERS
  }

  record Broken(String port, String method, Fault fault) {}

  static Stream<Broken> everyCall() {
    List<Broken> all = new ArrayList<>();
    for (Class<?> port : PORTS) {
      for (Method method : port.getMethods()) {
        // These are asked in situations of their own, below.
        if (List.of("requeue", "refused", "clear", "raise").contains(method.getName())) {
          continue;
        }
        all.add(new Broken(port.getSimpleName(), method.getName(), Fault.THROWS));
        all.add(new Broken(port.getSimpleName(), method.getName(), Fault.THROWS_AFTERWARDS));
        if (!method.getReturnType().isPrimitive()) {
          all.add(new Broken(port.getSimpleName(), method.getName(), Fault.ANSWERS_NULL));
        }
        if (method.getReturnType() == List.class) {
          all.add(
              new Broken(port.getSimpleName(), method.getName(), Fault.ANSWERS_NULL_AMONG_OTHERS));
        }
      }
    }
    return all.stream();
  }

  private <T> T broken(Class<T> port, T target, Broken how) {
    if (!port.getSimpleName().equals(how.port())) {
      return target;
    }
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) -> {
              boolean meant = method.getName().equals(how.method());
              if (meant && how.fault() == Fault.THROWS) {
                throw new IllegalStateException("out of order");
              }
              Object answer;
              try {
                answer = method.invoke(target, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
              if (!meant) {
                return answer;
              }
              return switch (how.fault()) {
                case ANSWERS_NULL -> null;
                case ANSWERS_NULL_AMONG_OTHERS -> Arrays.asList((Object) null);
                default -> throw new IllegalStateException("out of order");
              };
            }));
  }

  private SchedulingPorts broken(SchedulingPorts all, Broken how) {
    return new SchedulingPorts(
        broken(NodeDirectory.class, all.nodes(), how),
        broken(CapacityBook.class, all.book(), how),
        broken(PendingQueue.class, all.queue(), how),
        broken(ExecutionStore.class, all.store(), how),
        broken(RunningExecutions.class, all.running(), how),
        broken(TaskRegistry.class, all.tasks(), how),
        broken(SystemTasks.class, all.systemTasks(), how),
        broken(Catalogue.class, all.catalogue(), how),
        broken(SchedulingEvents.class, all.events(), how),
        all.devices(),
        broken(PlacementFilter.class, (execution, node) -> true, how));
  }

  @ParameterizedTest
  @MethodSource("everyCall")
  void isToldWithThePortAndItsMethod(Broken how) {
    // Every method is called in this pass: work that is new, lost, over and waiting, and an offer
    // that nobody wants.
    TestNode node = cluster.node("n");
    TestNode other = cluster.node("other");
    cluster.offers(node.agent, vector(8, 0));
    cluster.pass();
    cluster.offers(node.agent, vector(8, 0));
    cluster.offers(other.agent, vector("0.5", 0));
    cluster.queue("e", 1, vector(1, 0));
    cluster.runs("lost", 1, new TestNode("gone"), vector(1, 0));
    cluster.committed("over", 1, node, vector(1, 0)).cancel();
    SchedulingPorts ports = broken(cluster.ports, how);
    ClusterNode wrong = broken(ClusterNode.class, node, how);
    if (how.port().equals("ClusterNode")) {
      ports = ports.withNodes(() -> List.of(wrong, other));
    }
    ClusterClient client = broken(ClusterClient.class, cluster.client, how);
    List<LighthouseException> told = new ArrayList<>();
    try {
      told.addAll(new SchedulingManager(ports).runPass(client, NOW).failures());
    } catch (LighthouseException thrown) {
      told.add(thrown);
    }
    assertThat(told)
        .anySatisfy(
            failure -> {
              assertThat(failure).isInstanceOf(PortException.class);
              assertThat(((PortException) failure).port()).isEqualTo(how.port());
              assertThat(((PortException) failure).method()).isEqualTo(how.method());
            });

    boolean committed = cluster.memory.queue().get("e").isEmpty();
    assertThat(cluster.memory.executions().get("e").isPresent()).isEqualTo(committed);
  }

  @Test
  void aStoreThatAnswersNullHasCommittedAllTheSame() {
    cluster.node("n");
    cluster.offers("agent_n", vector(8, 0));
    cluster.queue("e", 1, vector(1, 0));
    Broken how = new Broken("ExecutionStore", "commit", Fault.ANSWERS_NULL);
    SchedulingManager manager = new SchedulingManager(broken(cluster.ports, how));
    SchedulingReport report = manager.runPass(cluster.client, NOW);
    assertThat(report.outcome()).isEqualTo(SchedulingReport.Outcome.DONE);
    assertThat(report.queue().whyNot("e").orElseThrow().why()).isEqualTo(NotPlaced.Why.UNCONFIRMED);
    assertThat(report.launchedTasks()).isZero();
    assertThat(cluster.memory.executions().get("e")).isPresent();
    cluster.memory.executions().recover();
    cluster.offers("agent_n", vector(8, 0));
    manager.runPass(cluster.client, NOW);
    assertThat(cluster.client.launched).extracting(Task::execution).containsExactly("e");
  }

  @Test
  void whatFailsAfterTheCommitLeavesItAndItsDevicesAlone() {
    cluster.node("n");
    cluster.offers("agent_n", Fixtures.gpus(8, 0, 1));
    cluster.queue("e", 1, Fixtures.gpus(1, 0, 1));
    Broken how = new Broken("CapacityBook", "allocate", Fault.THROWS);
    SchedulingManager manager = new SchedulingManager(broken(cluster.ports, how));
    SchedulingReport report = manager.runPass(cluster.client, NOW);
    assertThat(report.outcome()).isEqualTo(SchedulingReport.Outcome.LAUNCHES_HELD_BACK);
    assertThat(report.queue().placements()).hasSize(1);
    assertThat(cluster.ports.devices().of("n", "e")).containsExactly(0);
    assertThat(cluster.pass().launchedTasks()).isEqualTo(1);
  }

  @Test
  void aWarningThatCannotBeRaisedStopsNothing() {
    cluster.node("n");
    cluster.offers("agent_n", vector(8, 0));
    cluster.queue("large", 1, vector(9, 0));
    cluster.queue("e", 1, vector(1, 0));
    Broken how = new Broken("SchedulingEvents", "raise", Fault.THROWS);
    SchedulingReport report =
        new SchedulingManager(broken(cluster.ports, how)).runPass(cluster.client, NOW);
    assertThat(report.launchedTasks()).isEqualTo(1);
    assertThat(report.failures())
        .extracting(Throwable::getMessage)
        .allMatch(message -> message.startsWith("port SchedulingEvents: raise threw"));
  }

  /** A cluster manager that starts nothing. */
  private static final class Refusing extends Fixtures.TestClient {
    @Override
    public List<Refusal> launch(String node, List<ResourceOffer> offers, List<Task> tasks) {
      List<Refusal> refusals = new ArrayList<>();
      tasks.forEach(task -> refusals.add(new Refusal(task.id(), "no such image")));
      super.launch(node, offers, List.of());
      return refusals;
    }
  }

  static Stream<Broken> afterRefusals() {
    return Stream.of(
        new Broken("TaskRegistry", "refused", Fault.THROWS),
        new Broken("TaskRegistry", "refused", Fault.THROWS_AFTERWARDS),
        new Broken("ExecutionStore", "requeue", Fault.THROWS),
        new Broken("ExecutionStore", "requeue", Fault.THROWS_AFTERWARDS),
        new Broken("ExecutionStore", "requeue", Fault.ANSWERS_NULL),
        new Broken("ExecutionStore", "requeue", Fault.ANSWERS_NULL_AMONG_OTHERS));
  }

  @ParameterizedTest
  @MethodSource("afterRefusals")
  void aFaultBehindARefusedLaunchIsToldAndTheWorkIsNotLost(Broken how) {
    cluster.node("n");
    cluster.offers("agent_n", vector(8, 0));
    cluster.queue("e", 1, vector(1, 0));
    SchedulingPolicy atOnce =
        SchedulingPolicy.DEFAULT.withRefusals(new SchedulingPolicy.Refusals(1, Duration.ZERO));
    SchedulingReport report =
        new SchedulingManager(broken(cluster.ports, how), atOnce).runPass(new Refusing(), NOW);

    assertThat(report.failures())
        .singleElement()
        .isInstanceOfSatisfying(
            PortException.class,
            told -> {
              assertThat(told.port()).isEqualTo(how.port());
              assertThat(told.method()).isEqualTo(how.method());
            });
    boolean queued = cluster.memory.queue().get("e").isPresent();
    assertThat(cluster.memory.executions().get("e").isPresent()).isEqualTo(!queued);

    // With sound ports it starts from wherever it is.
    cluster.offers("agent_n", vector(8, 0));
    SchedulingReport next = cluster.pass(NOW.plusSeconds(1));
    assertThat(next.failures()).isEmpty();
    assertThat(next.launchedTasks()).isEqualTo(1);
  }

  @Test
  void aWarningThatCannotBeClearedStopsNothing() {
    TestNode node = cluster.node("n");
    cluster.offers(node.agent, vector(2, 0));
    cluster.queue("large", 1, vector(9, 0));
    Broken how = new Broken("SchedulingEvents", "clear", Fault.THROWS);
    SchedulingManager manager = new SchedulingManager(broken(cluster.ports, how));
    SchedulingReport unmet = manager.runPass(cluster.client, NOW);
    assertThat(unmet.failures()).isEmpty();
    assertThat(unmet.launchedTasks()).isZero();

    TestNode larger = cluster.node("larger");
    cluster.offers(larger.agent, vector(16, 0));
    SchedulingReport met = manager.runPass(cluster.client, NOW.plusSeconds(1));
    assertThat(met.launchedTasks()).isEqualTo(1);
    assertThat(met.failures())
        .singleElement()
        .isInstanceOfSatisfying(
            PortException.class,
            told ->
                assertThat(told.port() + "." + told.method()).isEqualTo("SchedulingEvents.clear"));
  }
}

package io.lighthouse.scheduler.manager;

import static io.lighthouse.scheduler.Fixtures.NOW;
import static io.lighthouse.scheduler.Fixtures.vector;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.scheduler.Fixtures;
import io.lighthouse.scheduler.Fixtures.TestNode;
import io.lighthouse.scheduler.NodeChoice;
import io.lighthouse.scheduler.NotPlaced;
import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.model.JobType;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.RunningExecution;
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
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every call of every port is guarded: an exception or a null result is reported with the name of
 * the call.
 */
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

  private static final Set<Fault> BEFORE = Set.of(Fault.THROWS, Fault.THROWS_ERROR);

  private final Cluster cluster = new Cluster();

  /** Whether the fault shows. */
  private boolean out = true;

  /** What a call does instead of its work, or after it. */
  enum Fault {
    THROWS,
    THROWS_AFTERWARDS,
    THROWS_ERROR,
    THROWS_ERROR_AFTERWARDS,
    ANSWERS_NULL,
    ANSWERS_NULL_AMONG_OTHERS
  }

  record Broken(String port, String method, Fault fault) {
    Throwable thrown() {
      return isError() ? new OutOfOrder() : new IllegalStateException("out of order");
    }

    boolean isError() {
      return fault == Fault.THROWS_ERROR || fault == Fault.THROWS_ERROR_AFTERWARDS;
    }
  }

  /** An error that nothing but these tests throws. */
  private static final class OutOfOrder extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** Throws what the compiler would not let through. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> RuntimeException sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }

  static Stream<Broken> everyCall() {
    List<Broken> all = new ArrayList<>();
    for (Class<?> port : PORTS) {
      for (Method method : port.getMethods()) {
        // These are tested in situations of their own, below.
        if (List.of("requeue", "refused", "clear", "raise").contains(method.getName())) {
          continue;
        }
        for (Fault fault : Fault.values()) {
          if (fault.name().startsWith("THROWS")) {
            all.add(new Broken(port.getSimpleName(), method.getName(), fault));
          }
        }
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
              boolean meant = out && method.getName().equals(how.method());
              if (meant && BEFORE.contains(how.fault())) {
                throw how.thrown();
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
                default -> throw how.thrown();
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
    // Every method is called in this pass: there is new, lost, ended and waiting work, and an
    // unused offer.
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
    List<Throwable> told = new ArrayList<>();
    SchedulingManager manager = new SchedulingManager(ports);
    try {
      told.addAll(manager.runPass(client, NOW).failures());
    } catch (LighthouseException | OutOfOrder thrown) {
      told.add(thrown);
    }
    if (how.isError()) {
      assertThat(told).singleElement().isInstanceOf(OutOfOrder.class);
    } else {
      assertThat(told)
          .anySatisfy(
              failure -> {
                assertThat(failure).isInstanceOf(PortException.class);
                assertThat(((PortException) failure).port()).isEqualTo(how.port());
                assertThat(((PortException) failure).method()).isEqualTo(how.method());
                if (how.fault().name().startsWith("ANSWERS_NULL")) {
                  assertThat(failure).hasMessageContaining(how.method() + " answered null");
                }
              });
    }

    boolean committed = cluster.memory.queue().get("e").isEmpty();
    assertThat(cluster.memory.executions().get("e").isPresent()).isEqualTo(committed);
    everyCurrentTaskIsRegistered();

    // Once the fault is gone, the same manager goes on.
    out = false;
    cluster.memory.executions().recover();
    cluster.offers(node.agent, vector(8, 0));
    SchedulingReport sound = manager.runPass(cluster.client, NOW.plusSeconds(1));
    assertThat(sound.failures()).isEmpty();
    assertThat(cluster.memory.executions().get("e").orElseThrow().currentTask()).isPresent();
    everyCurrentTaskIsRegistered();
  }

  /** A task that is not registered is never reported as lost: its execution would hang. */
  private void everyCurrentTaskIsRegistered() {
    for (RunningExecution execution : cluster.memory.executions().snapshot()) {
      execution
          .currentTask()
          .ifPresent(task -> assertThat(cluster.memory.tasks().current()).contains(task));
    }
  }

  @Test
  void aTaskThatCannotBeRegisteredIsTakenBackWhateverIsThrown() {
    for (Throwable thrown : List.of(new IOException("full"), new OutOfOrder())) {
      Cluster own = new Cluster();
      own.node("n");
      own.offers("agent_n", vector(8, 0));
      own.queue("e", 1, vector(1, 0));
      TaskRegistry sound = own.memory.tasks();
      SchedulingPorts all = own.ports;
      own.ports =
          all.withTasks(
              new TaskRegistry() {
                @Override
                public List<Task> current() {
                  return sound.current();
                }

                @Override
                public void launched(List<Task> tasks, Instant when) {
                  if (when.equals(NOW)) {
                    throw PortFaultsTest.<RuntimeException>sneak(thrown);
                  }
                  sound.launched(tasks, when);
                }

                @Override
                public void refused(List<Task> tasks, Instant when) {
                  sound.refused(tasks, when);
                }
              });
      try {
        assertThat(own.pass().failures()).singleElement().isInstanceOf(PortException.class);
        assertThat(thrown).isInstanceOf(IOException.class);
      } catch (OutOfOrder passedOn) {
        assertThat(passedOn).isSameAs(thrown);
      }
      assertThat(own.client.launched).isEmpty();
      assertThat(own.memory.executions().get("e").orElseThrow().currentTask()).isEmpty();

      own.offers("agent_n", vector(8, 0), NOW.plusSeconds(1));
      assertThat(own.pass(NOW.plusSeconds(1)).launchedTasks()).isEqualTo(1);
      assertThat(own.client.launched).extracting(Task::execution).containsExactly("e");
      assertThat(own.memory.tasks().current()).isEqualTo(own.client.launched);
    }
  }

  @Test
  void aNullAmongOffersCostsNoOtherOffer() {
    for (String method : List.of("allocate", "takeUnallocated")) {
      Cluster own = new Cluster();
      own.node("n");
      own.offers("agent_n", vector(8, 0));
      if (method.equals("allocate")) {
        own.queue("e", 1, vector(1, 0));
      }
      CapacityBook sound = own.book;
      own.ports =
          own.ports.withBook(
              (CapacityBook)
                  Proxy.newProxyInstance(
                      CapacityBook.class.getClassLoader(),
                      new Class<?>[] {CapacityBook.class},
                      (proxy, called, arguments) -> {
                        Object answer = called.invoke(sound, arguments);
                        return called.getName().equals(method) ? withNulls(answer) : answer;
                      }));
      SchedulingReport report = own.pass();
      assertThat(report.failures())
          .isNotEmpty()
          .allMatch(failure -> failure.getMessage().contains(method + " answered null"));
      assertThat(own.client.accepted.size() + own.client.declined.size()).isEqualTo(1);
    }
  }

  private static Object withNulls(Object answer) {
    if (answer instanceof Map<?, ?> map) {
      Map<Object, Object> more = new HashMap<>();
      map.forEach((agent, offers) -> more.put(agent, withNulls(offers)));
      more.put("another", null);
      return more;
    }
    List<Object> more = new ArrayList<>((List<?>) answer);
    more.add(null);
    return more;
  }

  @Test
  void anInterruptIsPassedOn() {
    cluster.node("n");
    SchedulingPorts ports =
        cluster.ports.withSystemTasks(
            when -> {
              throw PortFaultsTest.<RuntimeException>sneak(new InterruptedException());
            });
    SchedulingReport report = new SchedulingManager(ports).runPass(cluster.client, NOW);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(report.failures()).singleElement().isInstanceOf(PortException.class);
  }

  @Test
  void anAnswerThatChangesInThePassIsReadOnce() {
    cluster.node("n");
    cluster.offers("agent_n", vector(8, 0));
    cluster
        .memory
        .queue()
        .add(new PendingExecution("e", "type", 1, NOW, vector(1, 0), Set.of("w"), false));
    Set<String> view =
        new AbstractSet<>() {
          @Override
          public Iterator<String> iterator() {
            return List.of("w").iterator();
          }

          @Override
          public int size() {
            return 1;
          }

          @Override
          public boolean contains(Object name) {
            throw new IllegalStateException("the connection is closed");
          }
        };
    Catalogue catalogue = cluster.ports.catalogue();
    SchedulingPorts ports =
        cluster.ports.withCatalogue(
            new Catalogue() {
              @Override
              public List<JobType> jobTypes() {
                return catalogue.jobTypes();
              }

              @Override
              public Set<String> workspaces() {
                return view;
              }
            });
    SchedulingReport report = new SchedulingManager(ports).runPass(cluster.client, NOW);
    assertThat(report.launchedTasks()).isEqualTo(1);
  }

  @Test
  void aNodeWhoseNameIsNoNameGetsNoNewWorkFromAStrategyAndTheOthersDo() {
    cluster.policy =
        SchedulingPolicy.DEFAULT.withNodeChoice(
            NodeChoice.installed("prioritized", Map.of(), Optional.empty()));
    for (String name : List.of("", "n", "\ud800")) {
      cluster.node(name).agent = "agent" + cluster.nodes.size();
      cluster.offers(cluster.nodes.get(cluster.nodes.size() - 1).agent, vector(8, 0));
    }
    cluster.runs("less", 9, cluster.nodes.get(1), vector(1, 0));
    cluster.queue("e", 1, vector(1, 0));
    cluster.queue("whole", 2, vector(8, 0));
    SchedulingReport report = cluster.pass();
    assertThat(report.queue().placements())
        .extracting(at -> at.execution().id() + " on " + at.node())
        .containsExactly("e on n");
    assertThat(report.queue().reservations()).extracting(at -> at.node()).containsExactly("n");
    assertThat(report.failures()).hasSize(2).allMatch(PortException.class::isInstance);
    assertThat(report.failures().get(0))
        .hasMessageContaining("port ClusterNode: name answered what no strategy can use")
        .hasMessageContaining("node '' with agent 'agent1': name is ''");
    assertThat(report.failures().get(1))
        .hasMessageContaining("with agent 'agent3': name is a text with the lone surrogate");
  }

  @Test
  void theCountOfJobTypesUsesANodeWhateverItsNameIs() {
    cluster.node("").agent = "agent";
    cluster.node("n").agent = "\ud800";
    cluster.offers("agent", vector(8, 0));
    cluster.queue("e", 1, vector(1, 0));
    SchedulingReport report = cluster.pass();
    assertThat(report.failures()).isEmpty();
    assertThat(report.launchedTasks()).isEqualTo(1);
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

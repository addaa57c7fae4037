package io.lighthouse.scheduler.manager;

import static io.lighthouse.scheduler.Fixtures.NOW;
import static io.lighthouse.scheduler.Fixtures.gpus;
import static io.lighthouse.scheduler.Fixtures.pending;
import static io.lighthouse.scheduler.Fixtures.running;
import static io.lighthouse.scheduler.Fixtures.vector;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lighthouse.api.Resources;
import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.scheduler.Fixtures.TestNode;
import io.lighthouse.scheduler.NodeChoice;
import io.lighthouse.scheduler.NotPlaced.Why;
import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.SchedulingReport.Outcome;
import io.lighthouse.scheduler.model.NodeCapacity;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.QueueOrder;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.CapacityBook;
import io.lighthouse.scheduler.port.ExecutionStore;
import io.lighthouse.scheduler.port.PendingQueue;
import io.lighthouse.scheduler.port.PortException;
import io.lighthouse.scheduler.port.RunningExecutions;
import io.lighthouse.scheduler.port.SchedulingEvents;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a pass keeps in order although a port or the strategy breaks its promises. */
class BrokenPromisesTest {
  private final Cluster cluster = new Cluster();

  /** How often the broken method still breaks. */
  private int faults = 1;

  /** A port, one method of which changes its answer, or throws, as long as there are faults. */
  private <T> T breaking(Class<T> port, T sound, String name, UnaryOperator<Object> change) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) -> {
              Object answer;
              try {
                answer = method.invoke(sound, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
              return method.getName().equals(name) && faults-- > 0 ? change.apply(answer) : answer;
            }));
  }

  private static Object outOfOrder(Object answer) {
    throw new IllegalStateException("out of order");
  }

  /** As an answer of a database whose connection is closed when the answer is read. */
  private static <T> List<T> unreadable() {
    return new AbstractList<T>() {
      @Override
      public T get(int index) {
        throw new IllegalStateException("the connection is closed");
      }

      @Override
      public int size() {
        return 1;
      }
    };
  }

  private static void assertNames(SchedulingReport report, String port, String method) {
    assertThat(report.failures())
        .singleElement()
        .isInstanceOfSatisfying(
            PortException.class,
            told -> assertThat(told.port() + "." + told.method()).isEqualTo(port + "." + method));
  }

  @Test
  void aStrategyThatFailsInEveryPassKeepsNoCancelledEntryInTheQueue() {
    PlacementStrategy broken =
        new PlacementStrategy() {
          @Override
          public String name() {
            return "broken";
          }

          @Override
          public Placer newPlacer(Fleet fleet, Settings settings) {
            return (workload, candidates) -> {
              throw new IllegalStateException("out of order");
            };
          }
        };
    cluster.policy =
        SchedulingPolicy.DEFAULT.withNodeChoice(NodeChoice.of(broken, Map.of(), Optional.empty()));
    cluster.node("n");
    cluster.offers("agent_n", vector(8, 0));
    cluster.queue("e", 1, vector(1, 0));
    cluster.queue("unwanted", 1, vector(1, 0));
    cluster.memory.cancel("unwanted", NOW);
    SchedulingReport report = cluster.pass();
    assertThat(report.outcome()).isEqualTo(Outcome.NEW_WORK_ROLLED_BACK);
    assertThat(report.failures()).hasSize(1);
    assertThat(report.queue().placements()).isEmpty();
    assertThat(report.queue().cancelled()).containsExactly("unwanted");
    assertThat(cluster.memory.queue().ids()).containsExactly("e");
  }

  @Test
  void aQueueThatCannotNameCancelledEntriesHasNothingPlaced() {
    cluster.node("n");
    cluster.offers("agent_n", vector(8, 0));
    cluster.queue("e", 1, vector(1, 0));
    cluster.ports =
        cluster.ports.withQueue(
            breaking(
                PendingQueue.class,
                cluster.ports.queue(),
                "cancelled",
                BrokenPromisesTest::outOfOrder));
    SchedulingReport report = cluster.pass();
    assertThat(report.outcome()).isEqualTo(Outcome.NEW_WORK_ROLLED_BACK);
    assertThat(report.queue().placements()).isEmpty();
    assertNames(report, "PendingQueue", "cancelled");
  }

  /** Both have one device, in the order of time; by id they would have the other one. */
  private void queueTwoWithDevices() {
    cluster.node("n");
    cluster.offers("agent_n", gpus(8, 0, 2));
    cluster.memory.queue().add(pending("b", 1, gpus(1, 0, 1)));
    cluster
        .memory
        .queue()
        .add(PendingExecution.of("a", "type", 1, NOW.plusSeconds(1), gpus(1, 0, 1)));
  }

  private Map<String, List<Integer>> devices() {
    Map<String, List<Integer>> devices = new TreeMap<>();
    for (String id : List.of("a", "b")) {
      devices.put(id, cluster.ports.devices().of("n", id));
    }
    return devices;
  }

  private void assertTheDevicesOfTheCommitAreKept(UnaryOperator<SchedulingPorts> fault) {
    queueTwoWithDevices();
    Map<String, List<Integer>> committed = new TreeMap<>();
    ExecutionStore sound = cluster.ports.store();
    cluster.ports =
        fault.apply(
            cluster.ports.withStore(
                (placed, cancelled, when) -> {
                  committed.putAll(devices());
                  return sound.commit(placed, cancelled, when);
                }));
    SchedulingReport report = cluster.pass();
    assertThat(report.failures()).hasSize(1);
    assertThat(report.launchedTasks()).isZero();
    assertThat(devices()).isEqualTo(committed);

    cluster.memory.executions().recover();
    cluster.offers("agent_n", gpus(8, 0, 2));
    assertThat(cluster.pass(NOW.plusSeconds(1)).launchedTasks()).isEqualTo(2);
    assertThat(committed).isEqualTo(Map.of("a", List.of(1), "b", List.of(0)));
    assertThat(devices()).isEqualTo(committed);
  }

  @Test
  void whatCannotBeRegisteredKeepsTheDevicesThatWereCommitted() {
    RunningExecutions sound = cluster.ports.running();
    assertTheDevicesOfTheCommitAreKept(
        ports ->
            ports.withRunning(
                breaking(RunningExecutions.class, sound, "add", BrokenPromisesTest::outOfOrder)));
  }

  @Test
  void whatMayBeCommittedKeepsTheDevicesThatWereCommitted() {
    assertTheDevicesOfTheCommitAreKept(
        ports ->
            ports.withStore(
                breaking(ExecutionStore.class, ports.store(), "commit", answer -> null)));
  }

  @Test
  void devicesOfWhatWasNotCommittedAreFreeInTheNextPass() {
    queueTwoWithDevices();
    cluster.ports =
        cluster.ports.withStore(
            (placed, cancelled, when) -> {
              return faults-- > 0
                  ? null
                  : cluster.memory.executions().commit(placed, cancelled, when);
            });
    assertThat(cluster.pass().queue().whyNot("a").orElseThrow().why()).isEqualTo(Why.UNCONFIRMED);
    cluster.memory.cancel("b", NOW);
    cluster.offers("agent_n", gpus(8, 0, 2));
    assertThat(cluster.pass(NOW.plusSeconds(1)).launchedTasks()).isEqualTo(1);
    assertThat(devices()).isEqualTo(Map.of("a", List.of(0), "b", List.of()));
  }

  @Test
  void committedExecutionsThatCannotBeReadAreUnconfirmed() {
    cluster.node("n");
    cluster.offers("agent_n", vector(8, 0));
    cluster.queue("e", 1, vector(1, 0));
    cluster.ports =
        cluster.ports.withStore(
            breaking(
                ExecutionStore.class, cluster.ports.store(), "commit", answer -> unreadable()));
    SchedulingReport report = cluster.pass();
    assertNames(report, "ExecutionStore", "commit");
    assertThat(report.queue().whyNot("e").orElseThrow().why()).isEqualTo(Why.UNCONFIRMED);

    cluster.memory.executions().recover();
    cluster.offers("agent_n", vector(8, 0));
    assertThat(cluster.pass(NOW.plusSeconds(1)).launchedTasks()).isEqualTo(1);
  }

  @Test
  void anExecutionThatWasNotPlacedIsNotStartedBeyondTheOffers() {
    cluster.node("n");
    cluster.offers("agent_n", vector(2, 0));
    cluster.queue("e", 1, vector(1, 0));
    RunningExecution other = running("other", 1, "n", vector(5, 0));
    ExecutionStore sound = cluster.ports.store();
    cluster.ports =
        cluster.ports.withStore(
            (placed, cancelled, when) -> {
              List<RunningExecution> more = new ArrayList<>(sound.commit(placed, cancelled, when));
              more.add(other);
              return more;
            });
    SchedulingReport report = cluster.pass();
    assertThat(cluster.client.launched).extracting(Task::execution).containsExactly("e");
    assertThat(other.currentTask()).isEmpty();
    assertNames(report, "ExecutionStore", "commit");
    assertThat(report.failures().get(0)).hasMessageEndingWith("were not placed: [other]");
    // It runs by now, so it waits for its turn as any other.
    assertThat(cluster.pass(NOW.plusSeconds(1)).running().waiting())
        .extracting(waiting -> waiting.task().execution())
        .containsExactly("other");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "b"})
  void offersThatCannotBeReadCostNoOtherNode(String bad) {
    for (String name : List.of("a", "b")) {
      cluster.node(name);
      cluster.offers("agent_" + name, vector(1, 0));
      cluster.queue("on " + name, 1, vector(1, 0));
    }
    Function<Object, Object> change =
        answer -> {
          Map<Object, Object> changed = new TreeMap<>((Map<?, ?>) answer);
          changed.put("agent_" + bad, unreadable());
          return changed;
        };
    cluster.ports =
        cluster.ports.withBook(
            breaking(CapacityBook.class, cluster.ports.book(), "allocate", change::apply));
    SchedulingReport report = cluster.pass();
    assertNames(report, "CapacityBook", "allocate");
    assertThat(report.launchedTasks()).isEqualTo(1);
    assertThat(report.sent().dropped()).hasSize(1);
  }

  @Test
  void anEntryThatIsNamedTwiceIsPlacedOnce() {
    for (String name : List.of("a", "b")) {
      cluster.node(name);
      cluster.offers("agent_" + name, vector(5, 0));
    }
    cluster.queue("e", 1, vector(5, 0));
    PendingQueue sound = cluster.ports.queue();
    cluster.ports =
        cluster.ports.withQueue(
            new PendingQueue() {
              @Override
              public List<PendingExecution> cancelled(int limit) {
                return sound.cancelled(limit);
              }

              @Override
              public List<PendingExecution> head(
                  QueueOrder order, Set<String> excluded, int limit) {
                List<PendingExecution> twice = new ArrayList<>(sound.head(order, excluded, limit));
                twice.addAll(sound.head(order, excluded, limit));
                return twice;
              }
            });
    SchedulingReport report = cluster.pass();
    assertThat(report.queue().placements()).hasSize(1);
    assertNames(report, "PendingQueue", "head");
    assertThat(report.failures().get(0)).hasMessageContaining("named execution 'e' twice");
  }

  @Test
  void aSizeOfTheClusterThatCannotBeStoredStopsNothing() {
    cluster.node("n");
    cluster.offers("agent_n", vector(8, 0));
    cluster.pass();
    cluster.offers("agent_n", vector(8, 0));
    cluster.queue("e", 1, vector(1, 0));
    SchedulingPorts ports =
        cluster.ports.withEvents(
            breaking(
                SchedulingEvents.class,
                cluster.ports.events(),
                "clusterTotal",
                BrokenPromisesTest::outOfOrder));
    SchedulingReport report = new SchedulingManager(ports).runPass(cluster.client, NOW);
    assertThat(report.launchedTasks()).isEqualTo(1);
    assertNames(report, "SchedulingEvents", "clusterTotal");
  }

  /** Events that throw this, and running executions that end the pass just after it. */
  private Throwable endOfAPassAfter(PortException failed) {
    cluster.node("n");
    cluster.offers("agent_n", vector(8, 0));
    cluster.pass();
    faults = 2;
    UnaryOperator<Object> fails =
        answer -> {
          throw failed;
        };
    SchedulingPorts ports =
        cluster
            .ports
            .withEvents(
                breaking(SchedulingEvents.class, cluster.ports.events(), "clusterTotal", fails))
            .withRunning(
                breaking(
                    RunningExecutions.class,
                    cluster.ports.running(),
                    "snapshot",
                    BrokenPromisesTest::outOfOrder));
    SchedulingManager manager = new SchedulingManager(ports);
    return catchThrowable(() -> manager.runPass(cluster.client, NOW));
  }

  @Test
  void anErrorBeforeThePortThatEndsThePassIsThrown() {
    Error error = new AssertionError("planted");
    assertThat(endOfAPassAfter(new PortException("P", "m", "threw", error))).isSameAs(error);
  }

  @Test
  void anInterruptBeforeThePortThatEndsThePassIsPassedOn() {
    PortException failed = new PortException("P", "m", "threw", new InterruptedException());
    Throwable end = endOfAPassAfter(failed);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(end).isInstanceOf(PortException.class).hasMessageContaining("snapshot threw");
    assertThat(end.getSuppressed()).containsExactly(failed);
  }

  @Test
  void anExceptionThatAPortThrowsAgainAndAgainGathersNothing() {
    cluster.node("n");
    cluster.offers("agent_n", vector(8, 0));
    cluster.pass();
    PortException constant = new PortException("P", "m", "threw", new IllegalStateException());
    SchedulingPorts ports =
        cluster
            .ports
            .withEvents(
                breaking(
                    SchedulingEvents.class,
                    cluster.ports.events(),
                    "clusterTotal",
                    BrokenPromisesTest::outOfOrder))
            .withNodes(
                () -> {
                  throw constant;
                });
    SchedulingManager manager = new SchedulingManager(ports);
    faults = 3;
    for (int pass = 0; pass < 3; pass++) {
      assertThat(catchThrowable(() -> manager.runPass(cluster.client, NOW)))
          .isInstanceOf(PortException.class)
          .hasMessage(constant.getMessage())
          .hasCause(constant.getCause())
          .satisfies(end -> assertThat(end.getSuppressed()).hasSize(1));
    }
    assertThat(constant.getSuppressed()).isEmpty();
  }

  /** A class of an integrator. */
  private static final class Lost extends PortException {
    private static final long serialVersionUID = 1L;

    Lost() {
      super("P", "m", "threw", null);
    }
  }

  @Test
  void theExceptionOfAPortThatEndsThePassKeepsItsClassAndWhatItSuppressed() {
    for (PortException thrown : List.of(new Lost(), new PortException("P", "m", "threw", null))) {
      Throwable own = new IllegalStateException("own");
      thrown.addSuppressed(own);
      SchedulingPorts ports =
          cluster.ports.withNodes(
              () -> {
                throw thrown;
              });
      SchedulingManager manager = new SchedulingManager(ports);
      Throwable end = catchThrowable(() -> manager.runPass(cluster.client, NOW));
      assertThat(end).isExactlyInstanceOf(thrown.getClass());
      assertThat(end.getSuppressed()).containsExactly(own);
    }
  }

  @Test
  void aSystemTaskThatIsNamedTwiceIsLaunchedOnce() {
    for (String name : List.of("n1", "n2")) {
      cluster.node(name);
      cluster.offers("agent_" + name, vector(1, 0));
    }
    Task task = Task.system("t", "update", vector(1, 0));
    cluster.ports = cluster.ports.withSystemTasks(when -> List.of(task, task));
    SchedulingReport report = cluster.pass();
    assertThat(cluster.client.launched).containsExactly(task.on("agent_n1"));
    assertThat(report.running().waiting()).isEmpty();
    assertThat(report.failures())
        .extracting(Throwable::getMessage)
        .containsExactly("port SystemTasks: due named task 't', which was named before");
  }

  @Test
  void aTaskThatNodesNameTwiceIsLaunchedOnce() {
    TestNode first = cluster.node("n1");
    TestNode second = cluster.node("n2");
    for (TestNode node : cluster.nodes) {
      cluster.offers(node.agent, vector(8, 0));
    }
    Task task = Task.node("t", "pull", first.agent, vector(1, 0));
    first.due.addAll(List.of(task, task));
    second.due.add(task.on(second.agent));
    SchedulingReport report = cluster.pass();
    assertThat(cluster.client.launched).containsExactly(task);
    assertThat(report.failures())
        .extracting(Throwable::getMessage)
        .containsExactly(
            "port ClusterNode: nodeTasks named task 't', which was named before",
            "port ClusterNode: nodeTasks named task 't', which was named before");
  }

  @Test
  void aSystemTaskWithTheIdOfANodeTaskIsNotLaunched() {
    TestNode node = cluster.node("n");
    cluster.offers(node.agent, vector(8, 0));
    Task pull = Task.node("t", "pull", node.agent, vector(1, 0));
    node.due.add(pull);
    cluster.ports =
        cluster.ports.withSystemTasks(when -> List.of(Task.system("t", "update", vector(1, 0))));
    SchedulingReport report = cluster.pass();
    assertThat(cluster.client.launched).containsExactly(pull);
    assertThat(report.failures())
        .extracting(Throwable::getMessage)
        .containsExactly("port SystemTasks: due named task 't', which was named before");
  }

  @Test
  void aCancelledEntryThatIsNamedAsWaitingTooIsNotPlaced() {
    cluster.node("n");
    cluster.offers("agent_n", vector(5, 0));
    cluster.queue("e", 1, vector(5, 0));
    PendingExecution cancelled = cluster.memory.queue().get("e").orElseThrow().asCancelled();
    cluster.ports =
        cluster.ports.withQueue(
            breaking(
                PendingQueue.class,
                cluster.ports.queue(),
                "cancelled",
                answer -> List.of(cancelled, cancelled)));
    SchedulingReport report = cluster.pass();
    assertThat(report.queue().placements()).isEmpty();
    assertThat(report.queue().cancelled()).containsExactly("e");
    assertThat(report.failures())
        .extracting(Throwable::getMessage)
        .containsExactly(
            "port PendingQueue: cancelled named execution 'e' twice",
            "port PendingQueue: head named execution 'e' twice");
  }

  @Test
  void aBookWhoseNodesUseEndlesslyMuchIsNamed() {
    cluster.node("n");
    cluster.ports =
        cluster.ports.withBook(
            breaking(
                CapacityBook.class,
                cluster.ports.book(),
                "refresh",
                answer -> {
                  Resources endless = Resources.of("cpus", "inf");
                  return Map.of("agent_n", new NodeCapacity(endless, endless, endless));
                }));
    assertThatThrownBy(cluster::pass)
        .isInstanceOf(PortException.class)
        .hasMessageContainingAll("CapacityBook", "refresh", "inUse.cpus is inf");
  }

  @Test
  void aWarningThatCouldNotBeClearedIsClearedInALaterPass() {
    cluster.ports =
        cluster.ports.withEvents(
            breaking(
                SchedulingEvents.class,
                cluster.ports.events(),
                "clear",
                BrokenPromisesTest::outOfOrder));
    cluster.node("n");
    cluster.queue("e", 1, vector(9, 0));
    cluster.queue("f", 1, vector(9, 0));
    cluster.offers("agent_n", vector(8, 0));
    cluster.pass();
    cluster.offers("agent_n", vector(16, 0));
    assertNames(cluster.pass(NOW.plusSeconds(1)), "SchedulingEvents", "clear");
    assertThat(faults).as("calls of clear, subtracted from 1").isZero();
    for (int second = 2; second <= 3; second++) {
      assertThat(cluster.pass(NOW.plusSeconds(second)).failures()).isEmpty();
      assertThat(faults).as("calls of clear, subtracted from 1").isEqualTo(-1);
    }
  }

  @Test
  void anExceptionThatCannotEvenBePrintedIsReported() {
    cluster.node("n");
    cluster.offers("agent_n", vector(8, 0));
    cluster.queue("e", 1, vector(1, 0));
    RunningExecution waits = cluster.committed("waits", 1, cluster.nodes.get(0), vector(1, 0));
    cluster.ports =
        cluster.ports.withSystemTasks(
            when -> {
              throw new Unprintable();
            });
    SchedulingReport report = cluster.pass();
    assertNames(report, "SystemTasks", "due");
    assertThat(report.failures().get(0)).hasMessageContaining(Unprintable.class.getName());
    assertThat(waits.currentTask()).isPresent();
  }

  private static final class Unprintable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalArgumentException("no message");
    }
  }
}

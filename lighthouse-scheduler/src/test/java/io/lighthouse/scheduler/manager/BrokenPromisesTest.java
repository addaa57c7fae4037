package io.lighthouse.scheduler.manager;

import static io.lighthouse.scheduler.Fixtures.NOW;
import static io.lighthouse.scheduler.Fixtures.vector;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.strategy.Fleet;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.api.strategy.Placer;
import io.lighthouse.api.strategy.Settings;
import io.lighthouse.scheduler.NodeChoice;
import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.SchedulingReport.Outcome;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.QueueOrder;
import io.lighthouse.scheduler.port.PendingQueue;
import io.lighthouse.scheduler.port.PortException;
import io.lighthouse.scheduler.port.SchedulingEvents;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

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
}

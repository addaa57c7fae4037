package io.lighthouse.scheduler.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.lighthouse.api.Resources;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.memory.InMemoryExecutions.Ended;
import io.lighthouse.scheduler.model.JobType;
import io.lighthouse.scheduler.model.RunningExecution.Status;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulationTest {
  private final List<TraceEvent> events = new ArrayList<>();
  private final List<String> said = new ArrayList<>();

  private static Duration at(int seconds) {
    return Duration.ofSeconds(seconds);
  }

  private static Resources cpus(int count) {
    return Resources.of("cpus", count);
  }

  private void joins(int second, String node, int cpus) {
    events.add(new TraceEvent.NodeJoins(at(second), node, cpus(cpus)));
  }

  private void submits(int second, String id, int priority, int cpus, int runs) {
    events.add(new TraceEvent.Submits(at(second), id, "type", priority, cpus(cpus), at(runs)));
  }

  private Trace trace() {
    return new Trace(List.of(JobType.of("type", cpus(1))), events, at(1));
  }

  private SimulationResult run() {
    said.clear();
    return new Simulation(
            trace(),
            SchedulingPolicy.DEFAULT,
            new SimulationListener() {
              @Override
              public void happened(TraceEvent event) {
                said.add(event.toString());
              }

              @Override
              public void ended(Duration time, Ended over) {
                said.add(time.toSeconds() + " " + over.id() + " " + over.status());
              }

              @Override
              public void passed(Duration time, SchedulingReport report) {
                report
                    .queue()
                    .placements()
                    .forEach(
                        placement ->
                            said.add(
                                time.toSeconds()
                                    + " "
                                    + placement.execution().id()
                                    + "@"
                                    + placement.node()));
              }
            })
        .run();
  }

  @Test
  void aTraceWhoseNodesTogetherHaveTooManyDigitsIsRefused() {
    Resources most = Resources.of("cpus", "9".repeat(Quantity.MAX_DIGITS));
    events.add(new TraceEvent.NodeJoins(at(0), "m", most));
    events.add(new TraceEvent.NodeJoins(at(0), "n", most));
    submits(0, "e", 1, 1, 1);
    assertThatThrownBy(this::trace)
        .isInstanceOf(Trace.WrongEvent.class)
        .hasMessageContaining("node 'm': resources.cpus is 9999");
  }

  @Test
  void workWaitsUntilThereIsRoom() {
    joins(0, "n", 2);
    submits(0, "a", 10, 2, 60);
    submits(0, "b", 20, 2, 60);
    SimulationResult result = run();
    assertThat(result.endings().completed()).isEqualTo(2);
    assertThat(result.waiting().get(10).longest()).isEqualTo(at(0));
    assertThat(result.waiting().get(20).longest()).isEqualTo(at(60));
    assertThat(result.end()).isEqualTo(at(120));
    assertThat(said).contains("0 a@n", "60 b@n", "60 a COMPLETED", "120 b COMPLETED");
    assertThat(result.usage().course())
        .extracting(SimulationResult.Usage::used)
        .containsExactly(cpus(2), cpus(0));
  }

  @Test
  void graceMayLastForever() {
    joins(0, "n", 2);
    submits(0, "a", 10, 1, 60);
    events.add(new TraceEvent.NodeLeaves(at(5), "n"));
    SchedulingPolicy policy =
        SchedulingPolicy.DEFAULT.withNodeGrace(ChronoUnit.FOREVER.getDuration());
    SimulationResult result = new Simulation(trace(), policy, new SimulationListener() {}).run();
    assertThat(result.endings().failed()).isZero();
    assertThat(result.end()).isEqualTo(at(5));
  }

  /** Of four executions of a hundred years each, the last one waits for three hundred. */
  @Test
  void workMayWaitForCenturies() {
    joins(0, "n", 1);
    for (String id : List.of("a", "b", "c", "d")) {
      events.add(new TraceEvent.Submits(at(0), id, "type", 10, cpus(1), Trace.LATEST));
    }
    SimulationResult result = run();
    assertThat(result.endings().completed()).isEqualTo(4);
    assertThat(result.waiting().get(10).longest()).isEqualTo(Trace.LATEST.multipliedBy(3));
    assertThat(result.waiting().get(10).mean())
        .isEqualTo(Trace.LATEST.multipliedBy(3).dividedBy(2));
  }

  @Test
  void whatAListenerThrowsEndsTheRun() {
    joins(0, "n", 1);
    submits(0, "a", 10, 1, 60);
    submits(0, "b", 20, 1, 60);
    events.add(new TraceEvent.Cancels(at(5), "b"));
    Simulation simulation =
        new Simulation(
            trace(),
            SchedulingPolicy.DEFAULT,
            new SimulationListener() {
              @Override
              public void ended(Duration time, Ended over) {
                throw new IllegalStateException("no more than " + over.id());
              }
            });
    assertThatThrownBy(simulation::run).hasMessage("no more than b");
  }

  @Test
  void theCourseCountsTheNodesAndThoseWithTasks() {
    joins(0, "n", 2);
    submits(0, "a", 10, 2, 60);
    joins(10, "m", 2);
    submits(20, "b", 10, 1, 60);
    SimulationResult result = run();
    assertThat(result.usage().course())
        .extracting(SimulationResult.Usage::at, SimulationResult.Usage::nodes)
        .containsExactly(
            tuple(at(0), new SimulationResult.NodeCount(1, 1)),
            tuple(at(10), new SimulationResult.NodeCount(2, 1)),
            tuple(at(20), new SimulationResult.NodeCount(2, 2)),
            tuple(at(60), new SimulationResult.NodeCount(2, 1)),
            tuple(at(80), new SimulationResult.NodeCount(2, 0)));
  }

  @Test
  void aNodeThatLeavesTakesItsWorkWithItAndMayComeBack() {
    joins(0, "n", 2);
    submits(0, "a", 1, 2, 60);
    submits(1, "b", 1, 2, 60);
    events.add(new TraceEvent.NodeLeaves(at(10), "n"));
    joins(20, "n", 2);
    SimulationResult result = run();
    assertThat(result.endings().failed()).isEqualTo(1);
    assertThat(result.endings().completed()).isEqualTo(1);
    assertThat(said).contains("10 a FAILED", "20 b@n", "80 b COMPLETED");
  }

  @Test
  void aPausedNodeTakesNothingNew() {
    joins(0, "n", 2);
    events.add(new TraceEvent.NodePauses(at(0), "n"));
    submits(0, "a", 1, 1, 5);
    events.add(new TraceEvent.NodeResumes(at(30), "n"));
    assertThat(run().waiting().get(1).median()).isEqualTo(at(30));
  }

  @Test
  void rescindedOffersDelayTheLaunchByAPass() {
    joins(0, "n", 2);
    events.add(new TraceEvent.OffersRescinded(at(5), "n"));
    submits(5, "a", 1, 2, 60);
    run();
    assertThat(said).contains("5 a@n", "66 a COMPLETED");
  }

  @Test
  void workCanBeCancelledInTheQueueAndOnItsNode() {
    joins(0, "n", 2);
    submits(0, "a", 1, 2, 60);
    submits(0, "b", 2, 2, 60);
    events.add(new TraceEvent.Cancels(at(5), "b"));
    events.add(new TraceEvent.Cancels(at(10), "a"));
    SimulationResult result = run();
    assertThat(result.endings().cancelled()).isEqualTo(2);
    assertThat(said).contains("5 b " + Status.CANCELED, "10 a " + Status.CANCELED);
  }

  @Test
  void systemTasksComeFirst() {
    joins(0, "n", 2);
    events.add(new TraceEvent.SystemTaskDue(at(0), "update", cpus(2), at(30)));
    submits(0, "a", 1, 1, 5);
    assertThat(run().waiting().get(1).longest()).isEqualTo(at(30));
  }

  @Test
  void whatFitsNowhereIsNamedAtTheEnd() {
    joins(0, "n", 2);
    submits(0, "large", 1, 3, 5);
    SimulationResult result = run();
    assertThat(result.never().executions()).containsExactly("large");
    assertThat(result.endings().completed()).isZero();
  }

  @Test
  void nothingHappensWithoutEvents() {
    SimulationResult result = run();
    assertThat(result.passes()).isZero();
    assertThat(result.end()).isEqualTo(Duration.ZERO);
  }

  @Test
  void theSameTraceSaysTheSame() {
    joins(0, "n", 4);
    joins(3, "m", 3);
    for (int i = 0; i < 40; i++) {
      submits(i % 7, "e" + i, i % 3, 1 + i % 4, 5 + i % 11);
    }
    SimulationResult first = run();
    List<String> once = List.copyOf(said);
    assertThat(run()).isEqualTo(first);
    assertThat(said).isEqualTo(once);
    assertThat(first.endings().completed()).isEqualTo(40);
    assertThat(first.waiting().get(0).mean()).isLessThan(first.waiting().get(2).mean());
  }

  @Test
  void waitingTimesAreRankedExactly() {
    List<Duration> times = new ArrayList<>();
    for (int i = 100; i >= 1; i--) {
      times.add(at(i));
    }
    SimulationResult.Waiting waiting = SimulationResult.Waiting.of(times);
    assertThat(waiting.median()).isEqualTo(at(50));
    assertThat(waiting.p95()).isEqualTo(at(95));
    assertThat(waiting.longest()).isEqualTo(at(100));
    assertThat(waiting.mean()).isEqualTo(Duration.ofMillis(50_500));
  }

  @Test
  void aTraceThatContradictsItselfIsRefused() {
    events.add(new TraceEvent.NodeLeaves(at(1), "n"));
    assertThatThrownBy(this::trace)
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("node 'n'");
    events.clear();
    submits(0, "a", 1, 1, 1);
    submits(1, "a", 1, 1, 1);
    assertThatThrownBy(this::trace).hasMessageContaining("execution 'a'");
    events.clear();
    events.add(new TraceEvent.Cancels(at(1), "a"));
    assertThatThrownBy(this::trace).hasMessageContaining("not submitted");
    events.clear();
    joins(-1, "n", 1);
    assertThatThrownBy(this::trace).isInstanceOf(InvalidInputException.class);
    events.clear();
    events.add(new TraceEvent.Submits(at(0), "a", "other", 1, cpus(1), at(1)));
    assertThatThrownBy(this::trace).hasMessageContaining("'other'");
  }
}

package io.lighthouse.scheduler.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.contract.PortContract;
import io.lighthouse.scheduler.manager.SchedulingManager;
import io.lighthouse.scheduler.model.JobType;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.RunningExecution.Status;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.ClusterClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A scheduling process on files of its own is stopped at every point of its passes, and another one
 * goes on from the files: no step runs twice, and none is skipped.
 */
class FilePortsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final List<String> STEPS = List.of("pull", "pre", "main", "post");
  private static final int MOST_ROUNDS = 60;

  @TempDir Path folder;

  /** The process has stopped; nothing that it does afterwards has an effect. */
  private static final class Stop extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** Stops a process at one of its points, and at every later one. */
  private static final class StopAt implements FilePorts.Points {
    private final int stopAt;
    private int passed;

    /** -1 for never. */
    StopAt(int stopAt) {
      this.stopAt = stopAt;
    }

    @Override
    public void pass(String where) {
      if (stopAt >= 0 && passed >= stopAt) {
        throw new Stop();
      }
      passed++;
    }
  }

  /** What runs the tasks; it outlives the scheduling process. */
  private static final class Engine {
    /** Started and not acknowledged as ended: whether they have ended. */
    final Map<String, Boolean> known = new LinkedHashMap<>();

    final Map<String, Task> started = new LinkedHashMap<>();

    /** The steps of each execution that were started, with the devices that they were given. */
    final Map<String, List<String>> steps = new TreeMap<>();

    final List<String> violations = new ArrayList<>();

    void start(Task task, List<Integer> devices) {
      if (started.put(task.id(), task) != null) {
        violations.add("id " + task.id() + " was used twice");
      }
      if (task.family() == Task.Family.SYSTEM
          && known.keySet().stream().anyMatch(id -> started.get(id).name().equals(task.name()))) {
        violations.add("service " + task.name() + " runs twice");
      }
      known.put(task.id(), false);
      if (!task.execution().isEmpty()) {
        steps
            .computeIfAbsent(task.execution(), id -> new ArrayList<>())
            .add(task.name() + (devices.isEmpty() ? "" : devices));
      }
    }

    void jobsEnd() {
      known.replaceAll((id, over) -> over || started.get(id).family() == Task.Family.JOB);
    }
  }

  /** A scheduling process. */
  private static final class Process implements ClusterClient {
    final FilePorts.Points points;
    final FilePorts ports;
    final Engine engine;
    final SchedulingManager manager;

    /** The node that refuses all jobs; empty for none. */
    String refusesOn = "";

    /** The ids of the tasks that it refused. */
    final List<String> refused = new ArrayList<>();

    Process(Path file, FilePorts.Points points, Engine engine, int second) {
      this.points = points;
      this.engine = engine;
      ports = new FilePorts(file, points);
      Resources all = Resources.of("cpus", 3, "gpus", 2);
      ports.catalogue.put(new JobType("type", Resources.of("cpus", 1), 0, false));
      for (String name : List.of("1", "2")) {
        ports.book.allocatable("agent-" + name, all);
        ports.nodes.add("host-" + name).online("agent-" + name);
      }
      ports.reconcile(engine.known::containsKey, NOW.plusSeconds(second));
      manager = new SchedulingManager(ports.ports());
    }

    /** What an engine's user submits is submitted again until it is known to have arrived. */
    void submit() {
      for (int i = 0; i < 5; i++) {
        Resources request = Resources.of("cpus", 1);
        ports.submit(
            PendingExecution.of(
                "e" + i, "type", i, NOW, i % 2 == 0 ? request : request.with("gpus", 1)));
      }
    }

    void round(int second) {
      manager.runPass(this, NOW.plusSeconds(second));
      engine.jobsEnd();
      for (Map.Entry<String, Boolean> task : new LinkedHashMap<>(engine.known).entrySet()) {
        if (task.getValue()) {
          ports.finished(task.getKey(), NOW.plusSeconds(second));
          points.pass("acknowledge");
          engine.known.remove(task.getKey());
        }
      }
    }

    @Override
    public boolean connected() {
      return true;
    }

    @Override
    public String session() {
      points.pass("session");
      return "session";
    }

    @Override
    public List<Refusal> launch(String node, List<ResourceOffer> offers, List<Task> tasks) {
      List<Refusal> refusals = new ArrayList<>();
      for (Task task : tasks) {
        points.pass("launch");
        if (node.equals(refusesOn) && task.family() == Task.Family.JOB) {
          refused.add(task.id());
          refusals.add(new Refusal(task.id(), "refused"));
          continue;
        }
        engine.start(task, ports.ports().devices().of(node, task.execution()));
      }
      points.pass("launch done");
      return refusals;
    }
  }

  /** Runs processes one after another until all work is done; how many points the last passed. */
  private int live(String name, int... stops) {
    Path file = folder.resolve(name);
    Engine engine = new Engine();
    Process last = null;
    int second = 0;
    StopAt points = null;
    for (int life = 0; life <= stops.length; life++) {
      points = new StopAt(life < stops.length ? stops[life] : -1);
      try {
        last = new Process(file, points, engine, second);
        last.submit();
        while (!last.ports.isIdle() || engine.known.containsValue(true)) {
          assertThat(second).as("rounds of %s", name).isLessThan(MOST_ROUNDS);
          last.round(second++);
        }
        break;
      } catch (Stop stopped) {
        second++;
      }
    }
    judge(name, engine, last);
    try {
      Files.delete(file);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return points.passed;
  }

  private static void judge(String name, Engine engine, Process last) {
    assertThat(engine.violations).as(name).isEmpty();
    assertThat(last.ports.ended())
        .as(name)
        .hasSize(5)
        .allSatisfy((id, status) -> assertThat(status).isEqualTo(Status.COMPLETED));
    engine.steps.forEach(
        (id, steps) -> {
          assertThat(steps)
              .as("%s: steps of %s", name, id)
              .extracting(step -> step.split("\\[")[0])
              .isEqualTo(STEPS);
          Set<String> devices = new TreeSet<>();
          steps.forEach(step -> devices.add(step.replaceAll("^\\w+", "")));
          assertThat(devices).as("%s: devices of %s", name, id).hasSize(1);
        });
    assertThat(engine.steps).as(name).hasSize(5);
    assertThat(engine.known.keySet()).as("%s: what still runs", name).hasSize(1);
  }

  @Test
  void noStepRunsTwiceAndNoneIsSkippedWhereverTheProcessStops() {
    int points = live("unstopped");
    assertThat(points).isGreaterThan(200);
    for (int stop = 0; stop < points; stop++) {
      live("stopped-at-" + stop, stop);
    }
  }

  @Test
  void norWhereTheNextProcessStopsAsWell() {
    int points = live("unstopped");
    for (int stop = 0; stop < points; stop += 7) {
      for (int next = 0; next < 40; next += 3) {
        live("stopped-at-" + stop + "-" + next, stop, next);
      }
    }
  }

  @Test
  void tasksThatCannotBeWrittenAreNotRegistered() {
    boolean[] full = {false};
    FilePorts ports =
        new FilePorts(
            folder.resolve("full"),
            where -> {
              if (full[0] && where.equals("save")) {
                throw new IllegalStateException("the disk is full");
              }
            });
    full[0] = true;
    Task task = Task.node("t", "t", "agent", Resources.of("cpus", 1));
    assertThatThrownBy(() -> ports.launched(List.of(task), NOW)).hasMessage("the disk is full");
    assertThat(ports.current()).isEmpty();
  }

  @Test
  void whatWentBackToTheQueueStartsUnderNewIdsAfterARestart() {
    Path file = folder.resolve("requeued");
    Engine engine = new Engine();
    Process before = new Process(file, where -> {}, engine, 0);
    before.submit();
    before.refusesOn = "host-1";
    for (int second = 0; second < 3; second++) {
      before.manager.runPass(before, NOW.plusSeconds(second));
    }
    Process after = new Process(file, where -> {}, engine, 3);
    after.manager.runPass(after, NOW.plusSeconds(3));
    assertThat(before.refused).contains("e0/pull/0", "e0/pull/1", "e0/pull/2");
    assertThat(engine.started).containsKey("e0/pull/3").doesNotContainKeys("e0/pull/0");
  }

  @Nested
  class Contract extends PortContract {
    private int made;

    @Override
    protected Subject newSubject() {
      FilePorts ports = new FilePorts(folder.resolve("contract" + made++), where -> {});
      return new Subject() {
        @Override
        public io.lighthouse.scheduler.SchedulingPorts ports() {
          return ports.ports();
        }

        @Override
        public void know(JobType type) {
          ports.catalogue.put(type);
        }

        @Override
        public void submit(PendingExecution entry) {
          ports.submit(entry);
        }

        @Override
        public void cancel(String execution) {
          ports.cancelQueued(execution);
        }

        @Override
        public void connect(String node, String agent, String session, Resources all) {
          ports.book.allocatable(agent, all);
          ports.nodes.add(node).online(agent);
        }
      };
    }

    @Test
    void isKept() {
      assertThat(findings()).isEmpty();
    }
  }
}

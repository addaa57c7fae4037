package io.lighthouse.scheduler.manager;

import static io.lighthouse.scheduler.Fixtures.NOW;
import static io.lighthouse.scheduler.Fixtures.gpus;
import static io.lighthouse.scheduler.Fixtures.type;
import static io.lighthouse.scheduler.Fixtures.vector;
import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.Fixtures.TestClient;
import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.memory.InMemoryPorts;
import io.lighthouse.scheduler.memory.Maintenance;
import io.lighthouse.scheduler.memory.OfferBook;
import io.lighthouse.scheduler.memory.TaskListener;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.Step;
import io.lighthouse.scheduler.model.Task;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a manager and the adapters in memory keep of names that come and go. */
class ManagerSizesTest {
  /** What has a largest size: the ends of executions, and the warnings. */
  private static final List<String> MAY_GROW =
      List.of(
          "/ports/executions/ended",
          "/ports/executions/attempts",
          "/ports/executions/messages",
          "/ports/events/raised");

  private static final String OURS = "io.lighthouse.scheduler.";

  private final OfferBook book = new OfferBook();
  private final InMemoryPorts ports = new InMemoryPorts(book, Maintenance.SCALE, Step::main);
  private final SchedulingManager manager =
      new SchedulingManager(
          ports.ports(),
          SchedulingPolicy.DEFAULT.withRefusals(
              new SchedulingPolicy.Refusals(1, ChronoUnit.FOREVER.getDuration())));
  private final Picky client = new Picky();
  private Instant when = NOW;
  private int round;
  private int offers;

  /** Refuses all tasks of executions on the first node of a round. */
  private static final class Picky extends TestClient {
    @Override
    public List<Refusal> launch(String node, List<ResourceOffer> offers, List<Task> tasks) {
      return tasks.stream()
          .filter(task -> task.family() == Task.Family.JOB && node.startsWith("a"))
          .map(task -> new Refusal(task.id(), "no such image"))
          .toList();
    }
  }

  private void submit(String id, String type, Resources request) {
    ports.queue().add(PendingExecution.of(id + round, type + round, 1, when, request));
  }

  private void connect(String node) {
    ports.agentConnected(node + round, "agent-" + node + round, when);
    when = when.plusSeconds(1);
  }

  /** The nodes offer what they have, a pass is made, and what it launched ends. */
  private SchedulingReport pass() {
    when = when.plusSeconds(20);
    ports
        .nodes()
        .nodes()
        .forEach(
            node ->
                book.offer(
                    List.of(
                        new ResourceOffer(
                            "o" + offers++, node.agent(), "session", gpus(9, 99999, 4), when))));
    SchedulingReport report = manager.runPass(client, when);
    assertThat(report.failures()).isEmpty();
    ports
        .tasks()
        .current()
        .forEach(task -> ports.taskEnded(task.id(), TaskListener.End.FINISHED, when));
    return report;
  }

  private void passes(int count) {
    for (int i = 0; i < count; i++) {
      pass();
    }
  }

  private void runRound() {
    ports.catalogue().put(type("type" + round));
    ports.catalogue().addWorkspace("space" + round);
    connect("a");
    passes(4);
    ports.systemTasks().runOnce("job" + round, vector(1));
    ports.systemTasks().service("service" + round, vector(1), 1);
    submit("moves", "type", gpus(1, 1, 1));
    submit("cancelled", "type", gpus(1, 1, 1));
    submit("large", "type", vector(1000));
    submit("unknown", "stranger", vector(1));
    assertThat(pass().sent().requeued()).hasSize(2);
    ports.systemTasks().service("service" + round, vector(1), 0);
    ports.cancel("unknown" + round, when);
    pass();
    ports.cancel("cancelled" + round, when);
    ports.cancel("large" + round, when);
    connect("b");
    passes(5);
    assertThat(ports.executions().ended("moves" + round)).isPresent();
    assertThat(ports.queue().size()).isZero();
    for (String node : List.of("a", "b")) {
      ports.agentLost("agent-" + node + round, when);
      ports.nodes().remove(node + round);
    }
    ports.catalogue().remove("type" + round);
    ports.catalogue().removeWorkspace("space" + round);
    passes(2);
    round++;
  }

  @Test
  void nothingStaysOfNamesThatAreGone() {
    runRound();
    runRound();
    Map<String, Integer> before = sizes();
    for (int i = 0; i < 5; i++) {
      runRound();
    }
    Map<String, String> grown = new TreeMap<>();
    sizes()
        .forEach(
            (path, size) -> {
              int was = before.getOrDefault(path, 0);
              if (size > was && MAY_GROW.stream().noneMatch(path::startsWith)) {
                grown.put(path, was + " to " + size);
              }
            });
    assertThat(grown).isEmpty();
  }

  /** An object, and the fields that lead to it. */
  private record Part(String path, Object value) {}

  /** How many elements the collections of the manager and of the ports have. */
  private Map<String, Integer> sizes() {
    Map<String, Integer> sizes = new TreeMap<>();
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Part> open =
        new ArrayDeque<>(List.of(new Part("/ports", ports), new Part("/manager", manager)));
    while (!open.isEmpty()) {
      Part part = open.remove();
      Object value = part.value();
      if (!seen.add(value)) {
        continue;
      }
      Collection<?> elements = List.of();
      if (value instanceof Map<?, ?> map) {
        elements = map.values();
      } else if (value instanceof Collection<?> all) {
        elements = all;
      } else if (value.getClass().getName().startsWith(OURS) && !(value instanceof Enum<?>)) {
        addFields(part, open);
      }
      sizes.merge(part.path(), elements.size(), Integer::sum);
      elements.forEach(one -> open.add(new Part(part.path() + ".element", one)));
    }
    return sizes;
  }

  private static void addFields(Part part, Deque<Part> open) {
    Class<?> type = part.value().getClass();
    while (type.getName().startsWith(OURS)) {
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          try {
            field.setAccessible(true);
            Object value = field.get(part.value());
            if (value != null) {
              open.add(new Part(part.path() + "/" + field.getName(), value));
            }
          } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
          }
        }
      }
      type = type.getSuperclass();
    }
  }
}

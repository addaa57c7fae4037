package io.lighthouse.scheduler.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.memory.FullVisibilityBook;
import io.lighthouse.scheduler.memory.InMemoryPorts;
import io.lighthouse.scheduler.memory.LocalBook;
import io.lighthouse.scheduler.memory.Maintenance;
import io.lighthouse.scheduler.memory.OfferBook;
import io.lighthouse.scheduler.model.JobType;
import io.lighthouse.scheduler.model.NodeCapacity;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Step;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.CapacityBook;
import io.lighthouse.scheduler.port.Catalogue;
import io.lighthouse.scheduler.port.ClusterNode;
import io.lighthouse.scheduler.port.ExecutionStore;
import io.lighthouse.scheduler.port.NodeDirectory;
import io.lighthouse.scheduler.port.PendingQueue;
import io.lighthouse.scheduler.port.RunningExecutions;
import io.lighthouse.scheduler.port.TaskRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The adapters in memory keep the contract of the ports, and it notices wrong ports. */
class PortContractTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  /** The adapters in memory, with something planted. */
  private static final class Memory extends PortContract {
    private final boolean offers;
    private final UnaryOperator<SchedulingPorts> planted;

    Memory(boolean offers, UnaryOperator<SchedulingPorts> planted) {
      this.offers = offers;
      this.planted = planted;
    }

    @Override
    protected Subject newSubject() {
      LocalBook book = offers ? new OfferBook() : new FullVisibilityBook();
      InMemoryPorts memory = new InMemoryPorts(book, Maintenance.NONE, Step::main);
      SchedulingPorts ports = planted.apply(memory.ports());
      return new Subject() {
        @Override
        public SchedulingPorts ports() {
          return ports;
        }

        @Override
        public void know(JobType type) {
          memory.catalogue().put(type);
        }

        @Override
        public void submit(PendingExecution entry) {
          memory.queue().add(entry);
        }

        @Override
        public void cancel(String execution) {
          memory.cancel(execution, NOW);
        }

        @Override
        public boolean runOnce(String name, Resources request) {
          memory.systemTasks().runOnce(name, request);
          return true;
        }

        @Override
        public void connect(String node, String agent, String session, Resources all) {
          memory.agentConnected(node, agent, NOW);
          if (book instanceof OfferBook offerBook) {
            offerBook.offer(List.of(new ResourceOffer("of " + agent, agent, session, all, NOW)));
          } else {
            ((FullVisibilityBook) book).allocatable(agent, all);
          }
        }
      };
    }
  }

  @Test
  void theAdaptersInMemoryKeepIt() {
    assertThat(new Memory(true, ports -> ports).findings()).isEmpty();
    assertThat(new Memory(false, ports -> ports).findings()).isEmpty();
  }

  /** What a method does instead: it may ask the right one. */
  private interface Instead {
    Object answer(Object right, Object[] arguments);
  }

  @SuppressWarnings("unchecked")
  private static <T> T wrong(T target, Class<T> port, String name, Instead instead) {
    return (T)
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) -> {
              try {
                Object right = method.invoke(target, arguments);
                return method.getName().equals(name) ? instead.answer(right, arguments) : right;
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
  }

  private static SchedulingPorts queue(SchedulingPorts all, String method, Instead instead) {
    return all.withQueue(wrong(all.queue(), PendingQueue.class, method, instead));
  }

  private static SchedulingPorts store(SchedulingPorts all, Instead instead) {
    return all.withStore(wrong(all.store(), ExecutionStore.class, "commit", instead));
  }

  private static SchedulingPorts book(SchedulingPorts all, String method, Instead instead) {
    return all.withBook(wrong(all.book(), CapacityBook.class, method, instead));
  }

  /** Nodes whose names begin with a text propose the same task, each as often as said. */
  private static SchedulingPorts nodeTasks(SchedulingPorts all, String begin, int times) {
    return all.withNodes(
        () -> {
          List<ClusterNode> nodes = new ArrayList<>();
          for (ClusterNode node : all.nodes().nodes()) {
            Task task = Task.node("t", "pull", node.agent(), Resources.none());
            List<Task> due =
                node.name().startsWith(begin) ? Collections.nCopies(times, task) : List.of();
            nodes.add(wrong(node, ClusterNode.class, "nodeTasks", (right, given) -> due));
          }
          return nodes;
        });
  }

  /** Wrong ports, and the finding that must tell each. */
  enum Planted {
    A_HEAD_BEYOND_ITS_LIMIT(
        "PendingQueue answers",
        all ->
            queue(
                all,
                "head",
                (right, given) ->
                    all.queue()
                        .head(
                            (io.lighthouse.scheduler.model.QueueOrder) given[0],
                            typesOf(given[1]),
                            99))),
    A_HEAD_WITH_EXCLUDED_TYPES(
        "without contract-type",
        all ->
            queue(
                all,
                "head",
                (right, given) ->
                    all.queue()
                        .head(
                            (io.lighthouse.scheduler.model.QueueOrder) given[0],
                            Set.of(),
                            (Integer) given[2]))),
    A_QUEUE_THAT_HIDES_THE_CANCELLED(
        "PendingQueue.cancelled names",
        all -> queue(all, "cancelled", (right, given) -> List.of())),
    A_COMMIT_OUT_OF_ORDER(
        "ExecutionStore.commit answers",
        all ->
            store(
                all,
                (right, given) -> {
                  List<Object> reversed = new ArrayList<>((List<?>) right);
                  Collections.reverse(reversed);
                  return reversed;
                })),
    A_COMMIT_THAT_ANSWERS_NULL(
        "ExecutionStore.commit threw", all -> store(all, (right, given) -> null)),
    A_COMMIT_THAT_LEAVES_THE_QUEUE(
        "in the queue, not stays alone",
        all ->
            all.withStore(
                (placed, cancelled, when) -> {
                  List<RunningExecution> made = new ArrayList<>();
                  for (Placement each : placed) {
                    made.add(new RunningExecution(each, when, Step.main(each.execution())));
                  }
                  return made;
                })),
    A_REQUEUE_THAT_FORGETS_HOW_MANY_TASKS_WERE_STARTED(
        "ExecutionStore.requeue uses the id of a task again",
        all ->
            store(
                all,
                (right, given) -> {
                  List<RunningExecution> answer = new ArrayList<>();
                  for (Object each : (List<?>) right) {
                    RunningExecution execution = (RunningExecution) each;
                    answer.add(
                        execution.progress().attempts() == 0
                            ? execution
                            : new RunningExecution(
                                new Placement(
                                    execution.origin(), execution.node(), execution.agent()),
                                NOW,
                                Step.main(execution.origin())));
                  }
                  return answer;
                })),
    COPIES_OF_RUNNING_EXECUTIONS(
        "RunningExecutions names",
        all ->
            all.withRunning(
                wrong(
                    all.running(),
                    RunningExecutions.class,
                    "snapshot",
                    (right, given) -> {
                      List<RunningExecution> copies = new ArrayList<>();
                      for (Object each : (List<?>) right) {
                        PendingExecution origin = ((RunningExecution) each).origin();
                        copies.add(
                            new RunningExecution(
                                new Placement(origin, "n", "a"), NOW, Step.main(origin)));
                      }
                      return copies;
                    }))),
    A_FAILURE_THAT_NOBODY_HEARS(
        "leaves running what was to be failed",
        all ->
            all.withRunning(
                new RunningExecutions() {
                  @Override
                  public List<RunningExecution> snapshot() {
                    return all.running().snapshot();
                  }

                  @Override
                  public void add(List<RunningExecution> executions) {
                    all.running().add(executions);
                  }

                  @Override
                  public void fail(
                      java.util.Collection<RunningExecution> executions,
                      String cause,
                      Instant when) {}

                  @Override
                  public void finished(
                      java.util.Collection<RunningExecution> executions, Instant when) {}
                })),
    A_REGISTRY_THAT_KEEPS_WHAT_WAS_REFUSED(
        "after a refusal",
        all ->
            all.withTasks(
                new TaskRegistry() {
                  @Override
                  public List<Task> current() {
                    return all.tasks().current();
                  }

                  @Override
                  public void launched(List<Task> tasks, Instant when) {
                    all.tasks().launched(tasks, when);
                  }

                  @Override
                  public void refused(List<Task> tasks, Instant when) {}
                })),
    A_REGISTRY_THAT_IS_BLIND(
        "TaskRegistry names",
        all ->
            all.withTasks(
                wrong(all.tasks(), TaskRegistry.class, "current", (right, given) -> List.of()))),
    AN_OFFER_THAT_IS_GIVEN_TWICE(
        "out twice",
        all -> {
          List<ResourceOffer> given = new ArrayList<>();
          SchedulingPorts remembering =
              book(
                  all,
                  "allocate",
                  (right, arguments) -> {
                    ((Map<?, ?>) right)
                        .values()
                        .forEach(
                            offers ->
                                ((List<?>) offers)
                                    .forEach(each -> given.add((ResourceOffer) each)));
                    return right;
                  });
          return book(remembering, "takeUnallocated", (right, arguments) -> List.copyOf(given));
        }),
    AN_OFFER_OF_AN_OLD_SESSION(
        "of a session that was left",
        all ->
            book(
                all,
                "takeUnallocated",
                (right, given) ->
                    List.of(
                        new ResourceOffer(
                            "old", "a1", "contract-session", Resources.of("cpus", 1), NOW)))),
    A_WATERMARK_BELOW_THE_USE(
        "below what it offers",
        all ->
            book(
                all,
                "refresh",
                (right, given) -> {
                  Map<String, NodeCapacity> low = new java.util.LinkedHashMap<>();
                  ((Map<?, ?>) right)
                      .forEach(
                          (agent, value) -> {
                            NodeCapacity capacity = (NodeCapacity) value;
                            low.put(
                                (String) agent,
                                new NodeCapacity(
                                    capacity.offered(), capacity.inUse(), Resources.none()));
                          });
                  return low;
                })),
    A_NODE_THAT_IS_NAMED_TWICE(
        "NodeDirectory names",
        all ->
            all.withNodes(
                wrong(
                    all.nodes(),
                    NodeDirectory.class,
                    "nodes",
                    (right, given) -> {
                      List<Object> twice = new ArrayList<>((List<?>) right);
                      twice.addAll((List<?>) right);
                      return twice;
                    }))),
    A_NODE_TASK_THAT_IS_NAMED_TWICE(
        "on n1, which was proposed before", all -> nodeTasks(all, "n1", 2)),
    A_NODE_TASK_THAT_TWO_NODES_NAME(
        "on n2, which was proposed before", all -> nodeTasks(all, "n", 1)),
    A_SYSTEM_TASK_THAT_IS_NEVER_DUE(
        "not each of [contract-first, contract-second]",
        all -> all.withSystemTasks(when -> List.of())),
    A_SYSTEM_TASK_THAT_IS_NAMED_TWICE(
        "SystemTasks names",
        all ->
            all.withSystemTasks(
                when -> {
                  List<Task> twice = new ArrayList<>(all.systemTasks().due(when));
                  twice.addAll(twice);
                  return twice;
                })),
    A_SYSTEM_TASK_WITH_A_NEW_ID_EACH_TIME(
        "where it named",
        all -> {
          int[] asked = new int[1];
          return all.withSystemTasks(
              when ->
                  all.systemTasks().due(when).stream()
                      .map(
                          task ->
                              Task.system(
                                  task.id() + "-" + asked[0]++, task.name(), task.resources()))
                      .toList());
        }),
    A_SYSTEM_TASK_THAT_STAYS_DUE(
        "was launched",
        all -> {
          List<Task> due = new ArrayList<>();
          return all.withSystemTasks(
              when -> {
                if (due.isEmpty()) {
                  due.addAll(all.systemTasks().due(when));
                }
                return due;
              });
        }),
    A_NODE_TASK_AMONG_SYSTEM_TASKS(
        "not system tasks alone",
        all ->
            all.withSystemTasks(
                when -> List.of(Task.node("t", "t", "contract-agent", Resources.none())))),
    A_TYPE_THAT_IS_FORGOTTEN(
        "Catalogue names",
        all ->
            all.withCatalogue(
                wrong(all.catalogue(), Catalogue.class, "jobTypes", (right, given) -> List.of())));

    private final String finding;
    private final UnaryOperator<SchedulingPorts> plant;

    Planted(String finding, UnaryOperator<SchedulingPorts> plant) {
      this.finding = finding;
      this.plant = plant;
    }

    private static Set<String> typesOf(Object argument) {
      Set<String> types = new java.util.HashSet<>();
      ((Set<?>) argument).forEach(each -> types.add((String) each));
      return types;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aWrongPortIsNoticed(Planted wrong) {
    assertThat(new Memory(true, wrong.plant).findings())
        .anySatisfy(finding -> assertThat(finding).contains(wrong.finding));
  }

  @Test
  void whateverACheckThrowsIsAFinding() {
    Memory broken =
        new Memory(
            true,
            all ->
                queue(
                    all,
                    "head",
                    (right, arguments) -> {
                      throw new StackOverflowError();
                    }));
    assertThat(broken.findings()).contains("PendingQueue threw java.lang.StackOverflowError");
  }
}

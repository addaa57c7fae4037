package io.lighthouse.scheduler.contract;

import io.lighthouse.api.Resources;
import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.model.JobType;
import io.lighthouse.scheduler.model.NodeCapacity;
import io.lighthouse.scheduler.model.PendingExecution;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.QueueOrder;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.ResourceVectors;
import io.lighthouse.scheduler.model.RunningExecution;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.port.ClusterNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The promises of the ports, as checks. An integrator extends it and implements how to make and
 * feed the ports. A test of any framework then asserts that {@link #findings} is empty:
 *
 * <pre>{@code
 * class OurPortsTest extends PortContract {
 *   @Override
 *   protected Subject newSubject() {
 *     return new OurSubject(new OurDatabase());
 *   }
 *
 *   @Test
 *   void keepTheContract() {
 *     assertEquals(List.of(), findings());
 *   }
 * }
 * }</pre>
 *
 * <p>Each check has a subject of its own. What a check throws is a finding as well.
 */
public abstract class PortContract {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Resources ONE = Resources.of("cpus", 1);
  private static final Resources EIGHT = Resources.of("cpus", 8);
  private static final String TYPE = "contract-type";
  private static final String OTHER = "contract-other";
  private static final String SESSION = "contract-session";

  private final List<String> findings = new ArrayList<>();
  private String law = "";

  /** The ports of one integration, empty, and how the world outside feeds them. */
  public interface Subject {
    /**
     * The ports.
     *
     * @return always the same
     */
    SchedulingPorts ports();

    /**
     * The catalogue is to know a job type.
     *
     * @param type the type
     */
    void know(JobType type);

    /**
     * Work comes into the queue.
     *
     * @param entry the work, of a type that is known
     */
    void submit(PendingExecution entry);

    /**
     * Cancels an execution.
     *
     * @param execution its id; it is in the queue
     */
    void cancel(String execution);

    /**
     * A node connects and is ready for everything; all that it has is offered to the session, or
     * may be used.
     *
     * @param node the name of the node
     * @param agent its agent
     * @param session the session to which it offers
     * @param all what it has
     */
    void connect(String node, String agent, String session, Resources all);

    /**
     * A system task is to run once. Ports without system tasks leave this as it is.
     *
     * @param name its name
     * @param request what it needs
     * @return whether the ports have system tasks; false by default
     */
    default boolean runOnce(String name, Resources request) {
      return false;
    }
  }

  /** For subclasses. */
  protected PortContract() {}

  /**
   * Makes ports that know nothing.
   *
   * @return a subject that shares nothing with others
   */
  protected abstract Subject newSubject();

  /**
   * Checks everything.
   *
   * @return what is wrong, a sentence each that begins with the port; empty if all is well
   */
  public final List<String> findings() {
    findings.clear();
    Map<String, Consumer<Subject>> laws = new LinkedHashMap<>();
    laws.put("PendingQueue", this::queue);
    laws.put("PendingQueue.cancelled", this::cancelled);
    laws.put("ExecutionStore.commit", this::commit);
    laws.put("ExecutionStore.requeue", this::requeue);
    laws.put("RunningExecutions", this::running);
    laws.put("TaskRegistry", this::tasks);
    laws.put("CapacityBook", this::book);
    laws.put("CapacityBook.refresh", this::sessions);
    laws.put("NodeDirectory", this::nodes);
    laws.put("SystemTasks", this::systemTasks);
    laws.put("Catalogue", this::catalogue);
    laws.forEach(
        (name, check) -> {
          law = name;
          try {
            Subject subject = newSubject();
            subject.know(new JobType(TYPE, ONE, 0, false));
            subject.know(new JobType(OTHER, ONE, 0, false));
            check.accept(subject);
          } catch (Throwable thrown) {
            findings.add(law + " threw " + thrown);
          }
        });
    return List.copyOf(findings);
  }

  private void require(boolean holds, String finding) {
    if (!holds) {
      findings.add(law + " " + finding);
    }
  }

  private static PendingExecution entry(String id, String type, int priority, int second) {
    return PendingExecution.of(id, type, priority, NOW.plusSeconds(second), ONE);
  }

  private static <T> List<String> ids(Collection<? extends T> values, Function<T, String> id) {
    List<String> ids = new ArrayList<>();
    values.forEach(value -> ids.add(id.apply(value)));
    return ids;
  }

  private static List<String> head(Subject subject, QueueOrder order, Set<String> out, int limit) {
    return ids(subject.ports().queue().head(order, out, limit), PendingExecution::id);
  }

  private void queue(Subject subject) {
    subject.submit(entry("b", TYPE, 5, 1));
    subject.submit(entry("a", TYPE, 5, 2));
    subject.submit(entry("urgent", OTHER, 1, 3));
    subject.submit(entry("gone", TYPE, 0, 0));
    subject.cancel("gone");
    List<String> fifo = head(subject, QueueOrder.FIFO, Set.of(), 9);
    require(fifo.equals(List.of("urgent", "b", "a")), "answers " + fifo + " first in, first out");
    List<String> lifo = head(subject, QueueOrder.LIFO, Set.of(), 9);
    require(lifo.equals(List.of("urgent", "a", "b")), "answers " + lifo + " last in, first out");
    List<String> two = head(subject, QueueOrder.FIFO, Set.of(), 2);
    require(two.equals(List.of("urgent", "b")), "answers " + two + " where two were asked for");
    List<String> rest = head(subject, QueueOrder.FIFO, Set.of(TYPE), 9);
    require(rest.equals(List.of("urgent")), "answers " + rest + " without " + TYPE);
  }

  private void cancelled(Subject subject) {
    for (String id : List.of("a", "b", "c")) {
      subject.submit(entry(id, TYPE, 5, 0));
    }
    subject.cancel("a");
    subject.cancel("b");
    List<PendingExecution> all = subject.ports().queue().cancelled(9);
    require(
        Set.copyOf(ids(all, PendingExecution::id)).equals(Set.of("a", "b")) && all.size() == 2,
        "names " + all + ", not a and b");
    require(
        all.stream().allMatch(PendingExecution::cancelled), "does not say that they are cancelled");
    require(subject.ports().queue().cancelled(1).size() == 1, "does not keep to the limit");
  }

  private static Placement placement(PendingExecution entry) {
    return new Placement(entry, "contract-node", "contract-agent");
  }

  private void commit(Subject subject) {
    SchedulingPorts ports = subject.ports();
    PendingExecution first = entry("b", TYPE, 5, 1);
    PendingExecution second = entry("a", TYPE, 5, 2);
    PendingExecution late = entry("late", TYPE, 5, 3);
    PendingExecution unwanted = entry("unwanted", TYPE, 5, 4);
    PendingExecution stays = entry("stays", TYPE, 5, 5);
    List.of(first, second, late, unwanted, stays).forEach(subject::submit);
    subject.cancel("late");
    subject.cancel("unwanted");
    List<RunningExecution> committed =
        ports
            .store()
            .commit(
                List.of(placement(first), placement(late), placement(second)),
                List.of(unwanted.asCancelled()),
                NOW);
    require(
        ids(committed, RunningExecution::id).equals(List.of("b", "a")),
        "answers " + committed + ", not b and a: late was cancelled");
    List<String> left = head(subject, QueueOrder.FIFO, Set.of(), 9);
    require(left.equals(List.of("stays")), "leaves " + left + " in the queue, not stays alone");
    require(ports.queue().cancelled(9).isEmpty(), "leaves cancelled entries in the queue");
    require(
        committed.stream()
            .allMatch(
                each ->
                    each.node().equals("contract-node") && each.agent().equals("contract-agent")),
        "forgets the node or the agent");
    require(
        ports.store().commit(List.of(placement(first)), List.of(), NOW).isEmpty(),
        "commits an execution that is no longer in the queue");
  }

  private RunningExecution runs(Subject subject, String id) {
    PendingExecution entry = entry(id, TYPE, 5, 1);
    subject.submit(entry);
    List<RunningExecution> committed =
        subject.ports().store().commit(List.of(placement(entry)), List.of(), NOW);
    subject.ports().running().add(committed);
    return committed.get(0);
  }

  private void requeue(Subject subject) {
    SchedulingPorts ports = subject.ports();
    RunningExecution execution = runs(subject, "a");
    Task refused = execution.startNextTask().orElseThrow();
    ports.tasks().launched(List.of(refused), NOW);
    execution.taskNotLaunched(refused.id());
    ports.tasks().refused(List.of(refused), NOW);
    RunningExecution busy = runs(subject, "busy");
    ports.tasks().launched(List.of(busy.startNextTask().orElseThrow()), NOW);
    List<RunningExecution> back = ports.store().requeue(List.of(execution, busy), NOW);
    require(!back.contains(busy), "puts back what runs");
    if (!back.isEmpty()) {
      ports.running().finished(back, NOW);
      List<PendingExecution> head = ports.queue().head(QueueOrder.FIFO, Set.of(), 9);
      require(
          head.equals(List.of(execution.origin())), "queues " + head + ", not what was there once");
      require(
          !ids(ports.running().snapshot(), RunningExecution::id).contains("a"),
          "leaves running what went back to the queue");
      List<RunningExecution> again =
          ports.store().commit(List.of(placement(execution.origin())), List.of(), NOW);
      require(
          ids(again, RunningExecution::id).equals(List.of("a"))
              && !again.get(0).nextTask().orElseThrow().id().equals(refused.id()),
          "uses the id of a task again when its execution is committed again");
    }
  }

  private void running(Subject subject) {
    SchedulingPorts ports = subject.ports();
    RunningExecution idle = runs(subject, "idle");
    RunningExecution busy = runs(subject, "busy");
    ports.running().add(List.of(idle));
    List<RunningExecution> all = ports.running().snapshot();
    require(
        all.size() == 2 && all.contains(idle) && all.contains(busy),
        "names " + all + ", not the very two that were added");
    ports.tasks().launched(List.of(busy.startNextTask().orElseThrow()), NOW);
    ports.running().fail(List.of(idle, busy), "node-lost", NOW);
    require(
        idle.status() == RunningExecution.Status.FAILED
            && busy.status() == RunningExecution.Status.FAILED,
        "leaves running what was to be failed");
    require(
        ports.running().snapshot().equals(List.of(busy)),
        "names "
            + ports.running().snapshot()
            + " after a failure, not the one whose task is to be killed");
    ports.running().finished(List.of(idle), NOW);
    RunningExecution over = runs(subject, "over");
    over.cancel();
    ports.running().finished(List.of(over), NOW);
    require(!ports.running().snapshot().contains(over), "keeps what is finished");
    ports.running().add(List.of(over));
    require(!ports.running().snapshot().contains(over), "takes in again what is over");
  }

  private void tasks(Subject subject) {
    SchedulingPorts ports = subject.ports();
    subject.connect("contract-node", "contract-agent", SESSION, EIGHT);
    Task kept = runs(subject, "kept").startNextTask().orElseThrow();
    Task refused = runs(subject, "refused").startNextTask().orElseThrow();
    ports.tasks().launched(List.of(kept, refused), NOW);
    require(
        Set.copyOf(ports.tasks().current()).equals(Set.of(kept, refused)),
        "names " + ports.tasks().current() + ", not what was launched");
    ports.tasks().launched(List.of(kept), NOW);
    require(ports.tasks().current().size() == 2, "counts a task twice");
    ports.tasks().refused(List.of(refused), NOW);
    require(
        ports.tasks().current().equals(List.of(kept)),
        "names " + ports.tasks().current() + " after a refusal");
    ports.tasks().refused(List.of(refused), NOW);
  }

  private void book(Subject subject) {
    SchedulingPorts ports = subject.ports();
    subject.connect("n1", "a1", SESSION, EIGHT);
    subject.connect("n2", "a2", SESSION, EIGHT);
    Task task = Task.node("t", "t", "a1", ONE);
    Map<String, NodeCapacity> capacities = ports.book().refresh(SESSION, List.of(task), NOW);
    require(capacities.keySet().containsAll(Set.of("a1", "a2")), "does not name every agent");
    capacities.forEach(
        (agent, capacity) ->
            require(
                ResourceVectors.covers(
                    capacity.watermark(),
                    ResourceVectors.plus(capacity.offered(), capacity.inUse())),
                "has a watermark of " + agent + " below what it offers and has in use"));
    require(
        capacities.containsKey("a1") && ResourceVectors.covers(capacities.get("a1").inUse(), ONE),
        "forgets what the tasks of an agent use");
    require(
        ResourceVectors.covers(ports.book().largestPerResource(), EIGHT),
        "names too small a maximum");
    require(
        ResourceVectors.covers(ports.book().clusterTotal(), Resources.of("cpus", 16)),
        "names too small a sum");
    Resources wanted = capacities.get("a1").offered();
    Map<String, List<ResourceOffer>> taken = ports.book().allocate(Map.of("a1", wanted), NOW);
    Resources lent = Resources.none();
    Set<String> seen = new HashSet<>();
    for (ResourceOffer offer : taken.getOrDefault("a1", List.of())) {
      lent = ResourceVectors.plus(lent, offer.resources());
    }
    require(ResourceVectors.covers(lent, wanted), "lends " + lent + " where it offered " + wanted);
    List<ResourceOffer> all = new ArrayList<>();
    taken.values().forEach(all::addAll);
    ports.book().allocate(Map.of("a1", ONE), NOW).values().forEach(all::addAll);
    List<ResourceOffer> rest = ports.book().takeUnallocated();
    require(ports.book().makesOffers() || rest.isEmpty(), "has offers to decline and makes none");
    all.addAll(rest);
    all.addAll(ports.book().takeUnallocated());
    for (ResourceOffer offer : all) {
      require(seen.add(offer.id()), "gives offer " + offer.id() + " out twice");
      require(offer.session().equals(SESSION), "gives out an offer of another session");
    }
  }

  private void sessions(Subject subject) {
    SchedulingPorts ports = subject.ports();
    subject.connect("n1", "a1", SESSION, EIGHT);
    ports.book().refresh(SESSION, List.of(), NOW);
    Map<String, NodeCapacity> later = ports.book().refresh("contract-next", List.of(), NOW);
    List<ResourceOffer> all = new ArrayList<>(ports.book().takeUnallocated());
    Resources wanted = later.containsKey("a1") ? later.get("a1").offered() : Resources.none();
    ports.book().allocate(Map.of("a1", wanted), NOW).values().forEach(all::addAll);
    for (ResourceOffer offer : all) {
      require(
          offer.session().equals("contract-next"),
          "gives out offer " + offer.id() + " of a session that was left");
    }
  }

  private void nodes(Subject subject) {
    subject.connect("n1", "a1", SESSION, EIGHT);
    subject.connect("n2", "a2", SESSION, EIGHT);
    List<? extends ClusterNode> nodes = subject.ports().nodes().nodes();
    List<String> names = ids(nodes, ClusterNode::name);
    require(
        Set.copyOf(names).equals(Set.of("n1", "n2")) && names.size() == 2,
        "names " + names + ", not each of n1 and n2 once");
    Set<String> proposed = new HashSet<>();
    for (ClusterNode node : nodes) {
      require(
          node.agent().equals(node.name().replace('n', 'a')), "names the agent " + node.agent());
      require(
          node.isReadyForNewJob() && node.isReadyForNextJobTask() && node.isReadyForSystemTask(),
          "says that " + node.name() + " is not ready");
      List<Task> due = node.nodeTasks(NOW);
      require(
          due.stream().allMatch(task -> task.agent().equals(node.agent())),
          "proposes tasks of another agent on " + node.name());
      for (Task task : due) {
        require(
            proposed.add(task.id()),
            "proposes task '" + task.id() + "' on " + node.name() + ", which was proposed before");
      }
      require(
          ids(due, Task::id).equals(ids(node.nodeTasks(NOW), Task::id)),
          "proposes the same task under another id on " + node.name());
    }
  }

  private void systemTasks(Subject subject) {
    SchedulingPorts ports = subject.ports();
    subject.connect("contract-node", "contract-agent", SESSION, EIGHT);
    List<String> wanted = new ArrayList<>();
    for (String name : List.of("contract-first", "contract-second")) {
      if (subject.runOnce(name, ONE)) {
        wanted.add(name);
      }
    }
    List<Task> due = ports.systemTasks().due(NOW);
    List<String> given = ids(due, Task::name);
    require(given.containsAll(wanted), "names tasks " + given + ", not each of " + wanted);
    List<String> names = ids(due, Task::id);
    require(Set.copyOf(names).size() == names.size(), "names " + names + ", not each task once");
    require(
        due.stream().allMatch(task -> task.family() == Task.Family.SYSTEM),
        "names " + due + ", not system tasks alone");
    List<String> again = ids(ports.systemTasks().due(NOW), Task::id);
    require(again.equals(names), "names " + again + " where it named " + names + " before");
    if (!due.isEmpty()) {
      ports.tasks().launched(List.of(due.get(0).on("contract-agent")), NOW);
      List<String> left = ids(ports.systemTasks().due(NOW), Task::id);
      require(
          left.equals(names.subList(1, names.size())),
          "names " + left + " after '" + names.get(0) + "' was launched");
    }
  }

  private void catalogue(Subject subject) {
    List<String> names = ids(subject.ports().catalogue().jobTypes(), JobType::name);
    require(
        Set.copyOf(names).containsAll(Set.of(TYPE, OTHER))
            && names.size() == Set.copyOf(names).size(),
        "names " + names + ", not each type once");
    require(subject.ports().catalogue().workspaces() != null, "answers null for the workspaces");
  }
}

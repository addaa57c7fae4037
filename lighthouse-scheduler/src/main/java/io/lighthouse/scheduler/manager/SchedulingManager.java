package io.lighthouse.scheduler.manager;

import io.lighthouse.api.Resources;
import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.scheduler.SchedulingNode;
import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.SchedulingPorts;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.SchedulingReport.Outcome;
import io.lighthouse.scheduler.choice.Chooser;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.ResourceVectors;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.model.Warning;
import io.lighthouse.scheduler.port.ClusterClient;
import io.lighthouse.scheduler.port.PortException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * Organises the cluster's resources, schedules new executions and launches tasks: Scale's
 * documented class of this name. Each call of {@link #performScheduling} is one pass; call it about
 * once a second.
 *
 * <p>Its policy, in short. A node on which anything waits takes nothing else. While a system task
 * waits nothing new is placed anywhere. The most important entry of the queue comes first. An entry
 * that fits nowhere may keep a node free for this pass: one on which it would fit once less
 * important work has ended. Nothing is put there meanwhile. Nothing that runs is ever stopped for
 * something else. {@code docs/scheduling.md} tells the rest, and where this differs from Scale.
 *
 * <p>Between passes it remembers how often in a row each task has waited, since when nodes are
 * away, and which node refused which execution. It also remembers what it still owes to a port that
 * failed: offers to decline, and committed executions to register.
 *
 * <p>A pass is linear in the nodes, tasks and running executions. The queue costs the number of
 * distinct requests times the nodes, and a scan of the nodes for each entry. Not thread-safe: one
 * thread owns it. Must not be called from inside a pass.
 */
public class SchedulingManager {
  private static final String CLIENT = "ClusterClient";

  private final SchedulingPorts ports;
  private final SchedulingPolicy policy;
  private final Chooser chooser;
  private final Avoidance avoidance;
  private final RunningStep running;
  private final NewWorkStep newWork;
  private final LaunchStep launches;
  private boolean inPass;

  /**
   * A manager with Scale's policy.
   *
   * @param ports what it works on
   */
  public SchedulingManager(SchedulingPorts ports) {
    this(ports, SchedulingPolicy.DEFAULT);
  }

  /**
   * A manager.
   *
   * @param ports what it works on
   * @param policy its policy
   * @throws io.lighthouse.api.error.InvalidInputException if the strategy of the policy lacks
   *     something that it needs
   */
  public SchedulingManager(SchedulingPorts ports, SchedulingPolicy policy) {
    this.ports = ports;
    this.policy = policy;
    chooser = Chooser.of(policy.nodeChoice());
    avoidance = new Avoidance(policy.refusals());
    running = new RunningStep(ports, policy);
    newWork = new NewWorkStep(ports);
    launches = new LaunchStep(ports, avoidance);
  }

  /**
   * One pass.
   *
   * @param client the way to the cluster manager; null if there is none
   * @param when the current time
   * @return the number of tasks that were scheduled, of all families; those of launch calls that
   *     failed count too, those that were refused do not. Not the number of new executions
   * @throws LighthouseException as {@link #runPass}
   */
  public int performScheduling(ClusterClient client, Instant when) {
    return runPass(client, when).launchedTasks();
  }

  /**
   * One pass, and what became of everything.
   *
   * @param client the way to the cluster manager; null if there is none
   * @param when the current time
   * @return the report
   * @throws LighthouseException if a port fails where the pass cannot go on without it: while what
   *     is known is gathered, or while running work is looked at. Nothing was committed or launched
   *     then. What failed before is suppressed in it. What fails later is reported. An {@link
   *     Error} of a port or strategy is thrown when the pass is over, in place of the report. What
   *     the pass committed and launched stands
   * @throws IllegalStateException if called from inside a pass
   */
  public SchedulingReport runPass(ClusterClient client, Instant when) {
    Objects.requireNonNull(when, "when");
    if (inPass) {
      throw new IllegalStateException("a pass of this scheduling manager is under way");
    }
    inPass = true;
    PassLog log = new PassLog();
    try {
      SchedulingReport report = pass(client, when, log);
      Guard.passOn(report.failures());
      return report;
    } catch (LighthouseException failed) {
      log.failures.removeIf(failure -> failure == failed);
      // A subclass has no copy of its class.
      LighthouseException end =
          failed.getClass() == PortException.class
              ? PortException.copyOf((PortException) failed)
              : failed;
      log.failures.forEach(end::addSuppressed);
      log.failures.add(end);
      Guard.passOn(log.failures);
      throw end;
    } finally {
      inPass = false;
    }
  }

  private SchedulingReport pass(ClusterClient client, Instant when, PassLog log) {
    String session = sessionOf(client);
    if (session.isEmpty()) {
      log.outcome = Outcome.NOT_CONNECTED;
      return log.report(when);
    }
    newWork.begin();
    storeClusterTotal(when, log);
    Pass pass = new Pass(ports, client, session, when, log);
    avoidance.begin(pass);
    placeWaiting(pass);
    boolean noneWaits = placeSystemTasks(pass);
    if (!noneWaits && pass.mayTakeNewWork()) {
      pass.log.outcome = Outcome.NEW_WORK_HELD_BACK;
    }
    placeNew(pass, noneWaits);
    running.countWaiting(pass);
    if (maySend(pass)) {
      launches.launch(pass);
    }
    running.nameKills(pass);
    return pass.log.report(when);
  }

  private static String sessionOf(ClusterClient client) {
    return client == null || !Guard.ask(CLIENT, "connected", client::connected)
        ? ""
        : Guard.ask(CLIENT, "session", client::session);
  }

  private void storeClusterTotal(Instant when, PassLog log) {
    Resources total = Guard.ask("CapacityBook", "clusterTotal", ports.book()::clusterTotal);
    if (!ResourceVectors.isZero(total)) {
      log.triesToTell(
          "SchedulingEvents", "clusterTotal", () -> ports.events().clusterTotal(total, when));
    }
  }

  /** Allocates offers and gives back the others, if the session is still the same. */
  private boolean maySend(Pass pass) {
    List<ResourceOffer> strays = new ArrayList<>();
    boolean allocated =
        pass.log.tries(
            () -> {
              if (Guard.ask(CLIENT, "session", pass.client::session).equals(pass.session)) {
                strays.addAll(launches.allocateOffers(pass));
              } else {
                pass.log.outcome = Outcome.SESSION_CHANGED;
              }
            });
    if (!allocated) {
      pass.log.outcome = Outcome.LAUNCHES_HELD_BACK;
    }
    if (!allocated || pass.log.outcome == Outcome.SESSION_CHANGED) {
      return false;
    }
    declineRest(pass, strays);
    return true;
  }

  // The steps that tests override, to plant the faults that the judges of a pass must find.

  /**
   * Node tasks, then the next tasks of running executions; reports the executions that are lost or
   * starved.
   */
  void placeWaiting(Pass pass) {
    running.place(pass);
  }

  /** Places what comes before all new work; says whether nothing of it waits. */
  boolean placeSystemTasks(Pass pass) {
    List<Task> due = new ArrayList<>();
    if (!pass.log.tries(
        () ->
            due.addAll(
                Guard.list("SystemTasks", "due", () -> ports.systemTasks().due(pass.when))))) {
      // What is due is not known: then nothing new may be placed.
      return false;
    }
    List<Task> waiting = new ArrayList<>();
    due.removeIf(task -> pass.wasNamed(task, "SystemTasks", "due"));
    for (Task task : due) {
      SchedulingNode best = null;
      int lowest = Integer.MAX_VALUE;
      for (SchedulingNode node : pass.fulfilled) {
        if (node.isReadyForSystemTask()) {
          OptionalInt score = node.scoreSystemTaskForScheduling(task, pass.kinds.requests());
          if (score.isPresent() && score.getAsInt() < lowest) {
            best = node;
            lowest = score.getAsInt();
          }
        }
      }
      if (best == null || !best.acceptSystemTask(task)) {
        waiting.add(task);
      }
    }
    if (!waiting.isEmpty()) {
      List<String> ids = new ArrayList<>();
      waiting.forEach(task -> ids.add(task.id()));
      newWork.raise(new Warning(Warning.Kind.WAITING_SYSTEM_TASKS, "", ids), pass);
    }
    pass.waiting.addAll(waiting);
    return waiting.isEmpty();
  }

  /** Takes what was cancelled and, where that is allowed, places what waits; then commits both. */
  void placeNew(Pass pass, boolean allowed) {
    QueueWalk walk = newWalk(pass);
    triesNewWork(
        walk,
        () -> {
          walk.takeCancelled();
          if (allowed) {
            walk.place();
          }
        });
    // What was cancelled leaves the queue, even if nothing can be placed in any pass.
    triesNewWork(walk, () -> newWork.commit(walk));
    avoidance.committed(pass);
    newWork.warn(walk);
  }

  private void triesNewWork(QueueWalk walk, Runnable step) {
    if (!walk.pass.log.tries(step)) {
      walk.pass.log.outcome = Outcome.NEW_WORK_ROLLED_BACK;
      rollBack(walk);
    }
  }

  QueueWalk newWalk(Pass pass) {
    return new QueueWalk(pass, ports, policy, chooser, avoidance);
  }

  void rollBack(QueueWalk walk) {
    if (!walk.placed.isEmpty()) {
      chooser.rollBack(); // First, as the next step clears the list of what was placed.
    }
    NewWorkStep.rollBack(walk);
  }

  /** Gives back all other offers. */
  void declineRest(Pass pass, List<ResourceOffer> strays) {
    launches.declineRest(pass, strays);
  }
}

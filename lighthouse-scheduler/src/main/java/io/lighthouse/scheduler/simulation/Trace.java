package io.lighthouse.scheduler.simulation;

import io.lighthouse.api.Names;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.scheduler.model.JobType;
import io.lighthouse.scheduler.model.ResourceVectors;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What happens to a virtual cluster. Immutable.
 *
 * <p>Events may be given in any order. They are sorted by time; those of one time happen in the
 * order in which they were given.
 *
 * @param jobTypes the catalogue, each name once
 * @param events what happens, in the order of time; of one time, in the order given
 * @param passEvery passes are at whole multiples of this; at least {@link #SHORTEST_PERIOD}
 */
public record Trace(List<JobType> jobTypes, List<TraceEvent> events, Duration passEvery) {
  /** Passes are no closer than a millisecond. */
  public static final Duration SHORTEST_PERIOD = Duration.ofMillis(1);

  /** No time and no duration is longer: a hundred years. */
  public static final Duration LATEST = Duration.ofDays(100L * 366);

  /** An event that contradicts another one or that cannot be. */
  public static final class WrongEvent extends InvalidInputException {
    private static final long serialVersionUID = 1L;

    /** The index of the event. */
    private final int index;

    /** Its time. */
    private final Duration at;

    /** What is wrong with it. */
    private final transient InvalidInputException wrong;

    WrongEvent(int index, Duration at, InvalidInputException wrong) {
      super(
          "events[" + index + "] at " + seconds(at) + " s: " + wrong.subject(),
          wrong.field(),
          wrong.found(),
          wrong.allowed());
      this.index = index;
      this.at = at;
      this.wrong = wrong;
    }

    /**
     * Which event is wrong.
     *
     * @return its index in the list that was given, from 0
     */
    public int index() {
      return index;
    }

    /**
     * The same of an event of another index: where one event of a file stands for many.
     *
     * @param other the index in the file
     * @return a new exception
     */
    public WrongEvent at(int other) {
      return new WrongEvent(other, at, wrong);
    }

    private static String seconds(Duration time) {
      return BigDecimal.valueOf(time.getSeconds())
          .add(BigDecimal.valueOf(time.getNano(), 9))
          .stripTrailingZeros()
          .toPlainString();
    }
  }

  /**
   * Checks and sorts.
   *
   * @throws InvalidInputException if a job type is named twice or the period is too short
   * @throws WrongEvent if an execution or a system task is named twice, or a node, execution or job
   *     type is not known at its time. Also if a time is negative or too late, or a quantity is
   *     negative or above 1e900
   */
  public Trace {
    jobTypes = List.copyOf(jobTypes);
    if (passEvery.compareTo(SHORTEST_PERIOD) < 0 || passEvery.compareTo(LATEST) > 0) {
      throw new InvalidInputException(
          "trace",
          "pass_every",
          WrongEvent.seconds(passEvery) + " s",
          "seconds from 0.001 to " + LATEST.toSeconds());
    }
    Set<String> types = new HashSet<>();
    for (JobType type : jobTypes) {
      if (!types.add(type.name())) {
        throw new InvalidInputException(
            "job type '" + type.name() + "'", "name", "given twice", "each once");
      }
    }
    events = new Check(types).sorted(List.copyOf(events));
  }

  /** What is known at a time of the trace. */
  private static final class Check implements TraceEvent.Cases<Void> {
    private final Set<String> types;
    private final Set<String> online = new HashSet<>();
    private final Set<String> executions = new HashSet<>();
    private final Set<String> systemTasks = new HashSet<>();

    Check(Set<String> types) {
      this.types = types;
    }

    List<TraceEvent> sorted(List<TraceEvent> events) {
      List<Integer> order = new ArrayList<>(events.size());
      for (int i = 0; i < events.size(); i++) {
        order.add(i);
      }
      order.sort(Comparator.comparing(i -> events.get(i).at()));
      List<TraceEvent> sorted = new ArrayList<>(events.size());
      for (int i : order) {
        TraceEvent event = events.get(i);
        try {
          time("at", event.at());
          event.match(this);
        } catch (InvalidInputException wrong) {
          throw new WrongEvent(i, event.at(), wrong);
        }
        sorted.add(event);
      }
      return List.copyOf(sorted);
    }

    @Override
    public Void nodeJoins(TraceEvent.NodeJoins joins) {
      String node = Names.require(joins.node(), "event", "node");
      ResourceVectors.offered(joins.resources(), "node '" + node + "'");
      require(online.add(node), "node", node, "there already", "one that left");
      return null;
    }

    @Override
    public Void nodeLeaves(TraceEvent.NodeLeaves leaves) {
      require(online.remove(leaves.node()), "node", leaves.node(), "not there", "one that joined");
      return null;
    }

    @Override
    public Void nodePauses(TraceEvent.NodePauses pauses) {
      return there(pauses.node());
    }

    @Override
    public Void nodeResumes(TraceEvent.NodeResumes resumes) {
      return there(resumes.node());
    }

    @Override
    public Void offersRescinded(TraceEvent.OffersRescinded rescinded) {
      return there(rescinded.node());
    }

    @Override
    public Void cancels(TraceEvent.Cancels cancels) {
      String id = cancels.execution();
      require(executions.contains(id), "execution", id, "not submitted", "one submitted before");
      return null;
    }

    @Override
    public Void systemTaskDue(TraceEvent.SystemTaskDue due) {
      String name = Names.require(due.name(), "event", "name");
      ResourceVectors.request(due.request(), "system task '" + name + "'");
      require(systemTasks.add(name), "system task", name, "due twice", "each name once");
      time("runs", due.runs());
      return null;
    }

    @Override
    public Void submits(TraceEvent.Submits submits) {
      String id = Names.require(submits.execution(), "event", "execution");
      require(
          types.contains(submits.jobType()),
          "execution",
          id,
          "of the unknown job type '" + submits.jobType() + "'",
          "a job type of the trace");
      ResourceVectors.request(submits.request(), "execution '" + id + "'");
      require(executions.add(id), "execution", id, "submitted twice", "an id of its own");
      time("runs", submits.runs());
      return null;
    }

    private Void there(String node) {
      require(online.contains(node), "node", node, "not there", "one that joined before");
      return null;
    }

    private static void time(String field, Duration time) {
      if (time.isNegative() || time.compareTo(LATEST) > 0) {
        throw new InvalidInputException(
            "event",
            field,
            WrongEvent.seconds(time) + " s",
            "seconds from 0 to " + LATEST.toSeconds());
      }
    }

    private static void require(
        boolean fine, String kind, String name, String found, String allowed) {
      if (!fine) {
        throw new InvalidInputException(kind + " '" + name + "'", "event", found, allowed);
      }
    }
  }
}

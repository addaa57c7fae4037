package io.lighthouse.scheduler.simulation;

import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.Names;
import io.lighthouse.scheduler.model.JobType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What happens to a virtual cluster. Immutable.
 *
 * @param jobTypes the catalogue, each name once
 * @param events what happens, in the order of time; of one time, in the order given
 * @param passEvery passes are at whole multiples of this; more than 0
 */
public record Trace(List<JobType> jobTypes, List<TraceEvent> events, Duration passEvery) {
  /**
   * Checks and sorts.
   *
   * @throws InvalidInputException if a job type, an execution or a system task is named twice, a
   *     node, execution or job type is not known at its time, or a time is negative
   */
  public Trace {
    jobTypes = List.copyOf(jobTypes);
    List<TraceEvent> sorted = new ArrayList<>(events);
    sorted.sort(Comparator.comparing(TraceEvent::at));
    events = List.copyOf(sorted);
    if (passEvery.isNegative() || passEvery.isZero()) {
      throw new InvalidInputException("trace", "passEvery", passEvery.toString(), "more than 0");
    }
    new Check().run(jobTypes, events);
  }

  /** What is known at a time of the trace. */
  private static final class Check {
    private final Set<String> types = new HashSet<>();
    private final Set<String> online = new HashSet<>();
    private final Set<String> executions = new HashSet<>();
    private final Set<String> systemTasks = new HashSet<>();

    void run(List<JobType> jobTypes, List<TraceEvent> events) {
      for (JobType type : jobTypes) {
        require(types.add(type.name()), "job type", type.name(), "given twice", "each once");
      }
      for (TraceEvent event : events) {
        if (event.at().isNegative()) {
          throw new InvalidInputException(
              event.toString(), "at", event.at().toString(), "0 or more");
        }
        check(event);
      }
    }

    private void check(TraceEvent event) {
      if (event instanceof TraceEvent.NodeJoins joins) {
        Names.require(joins.node(), "trace", "node");
        require(online.add(joins.node()), "node", joins.node(), "there already", "one that left");
      } else if (event instanceof TraceEvent.NodeLeaves leaves) {
        require(
            online.remove(leaves.node()), "node", leaves.node(), "not there", "one that joined");
      } else if (event instanceof TraceEvent.NodePauses pauses) {
        there(pauses.node());
      } else if (event instanceof TraceEvent.NodeResumes resumes) {
        there(resumes.node());
      } else if (event instanceof TraceEvent.OffersRescinded rescinded) {
        there(rescinded.node());
      } else if (event instanceof TraceEvent.Submits submits) {
        String id = Names.require(submits.execution(), "trace", "execution");
        require(executions.add(id), "execution", id, "submitted twice", "an id of its own");
        require(
            types.contains(submits.jobType()),
            "execution",
            id,
            "of the unknown job type '" + submits.jobType() + "'",
            "a job type of the trace");
        positive(submits.runs(), "execution", id);
      } else if (event instanceof TraceEvent.Cancels cancels) {
        String id = cancels.execution();
        require(executions.contains(id), "execution", id, "not submitted", "one submitted before");
      } else if (event instanceof TraceEvent.SystemTaskDue due) {
        Names.require(due.name(), "trace", "system task");
        require(
            systemTasks.add(due.name()), "system task", due.name(), "due twice", "each name once");
        positive(due.runs(), "system task", due.name());
      }
    }

    private void there(String node) {
      require(online.contains(node), "node", node, "not there", "one that joined before");
    }

    private static void positive(Duration runs, String kind, String name) {
      require(!runs.isNegative(), kind, name, "run for " + runs, "0 or more");
    }

    private static void require(
        boolean fine, String kind, String name, String found, String allowed) {
      if (!fine) {
        throw new InvalidInputException(kind + " '" + name + "'", "event", found, allowed);
      }
    }
  }
}

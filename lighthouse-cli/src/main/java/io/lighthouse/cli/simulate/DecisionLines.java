package io.lighthouse.cli.simulate;

import io.lighthouse.api.error.LighthouseException;
import io.lighthouse.api.quantity.Quantity;
import io.lighthouse.json.write.AnswerWriter;
import io.lighthouse.scheduler.NotPlaced;
import io.lighthouse.scheduler.SchedulingReport;
import io.lighthouse.scheduler.memory.InMemoryExecutions.Ended;
import io.lighthouse.scheduler.model.Placement;
import io.lighthouse.scheduler.model.ResourceOffer;
import io.lighthouse.scheduler.model.Task;
import io.lighthouse.scheduler.simulation.SimulationListener;
import io.lighthouse.scheduler.simulation.SimulationResult;
import io.lighthouse.scheduler.simulation.TraceEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Writes everything that happens and is decided, an object for each event. */
public final class DecisionLines implements SimulationListener {
  private final Writer out;

  /** Receives the objects, in the order of the events. */
  public interface Writer {
    /**
     * Writes one object.
     *
     * @param members writes its members
     */
    void write(Consumer<AnswerWriter> members) throws IOException;
  }

  /** The line of an event: its name and what writes its members. */
  private record Line(String name, Consumer<AnswerWriter> members) {
    static Line ofNode(String name, String node) {
      return new Line(name, json -> json.member("node", node));
    }
  }

  private static final TraceEvent.Cases<Line> LINES =
      new TraceEvent.Cases<>() {
        @Override
        public Line nodeJoins(TraceEvent.NodeJoins joins) {
          return new Line(
              "node-joins",
              json -> json.member("node", joins.node()).member("resources", joins.resources()));
        }

        @Override
        public Line nodeLeaves(TraceEvent.NodeLeaves leaves) {
          return Line.ofNode("node-leaves", leaves.node());
        }

        @Override
        public Line nodePauses(TraceEvent.NodePauses pauses) {
          return Line.ofNode("node-pauses", pauses.node());
        }

        @Override
        public Line nodeResumes(TraceEvent.NodeResumes resumes) {
          return Line.ofNode("node-resumes", resumes.node());
        }

        @Override
        public Line offersRescinded(TraceEvent.OffersRescinded rescinded) {
          return Line.ofNode("offers-rescinded", rescinded.node());
        }

        @Override
        public Line submits(TraceEvent.Submits work) {
          return new Line(
              "submit",
              json ->
                  json.member("execution", work.execution())
                      .member("job_type", work.jobType())
                      .member("priority", work.priority())
                      .member("resources", work.request()));
        }

        @Override
        public Line cancels(TraceEvent.Cancels cancels) {
          return new Line("cancel", json -> json.member("execution", cancels.execution()));
        }

        @Override
        public Line systemTaskDue(TraceEvent.SystemTaskDue due) {
          return new Line(
              "system-task",
              json -> json.member("name", due.name()).member("resources", due.request()));
        }
      };

  /**
   * Lines that are written as things happen.
   *
   * @param out receives the object of each event
   */
  public DecisionLines(Writer out) {
    this.out = out;
  }

  @Override
  public void happened(TraceEvent event) {
    Line line = event.match(LINES);
    line(event.at(), "event", line.name(), line.members());
  }

  @Override
  public void ended(Duration at, Ended over) {
    line(
        at,
        "event",
        "ended",
        json -> {
          json.member("execution", over.id()).member("status", lower(over.status().name()));
          if (!over.cause().isEmpty()) {
            json.member("cause", over.cause());
          }
          if (!over.node().isEmpty()) {
            json.member("node", over.node());
          }
        });
  }

  @Override
  public void passed(Duration at, SchedulingReport report) {
    for (Placement placement : report.queue().placements()) {
      line(
          at,
          "decision",
          "place",
          json ->
              json.member("execution", placement.execution().id())
                  .member("node", placement.node())
                  .member("priority", placement.execution().priority()));
    }
    for (NotPlaced entry : report.queue().notPlaced()) {
      line(at, "decision", "wait", json -> write(json, entry));
    }
    for (SchedulingReport.Waiting waiting : report.running().waiting()) {
      line(
          at,
          "decision",
          "wait",
          json ->
              json.member("task", waiting.task().id())
                  .member("family", lower(waiting.task().family().name()))
                  .member("passes", waiting.passes()));
    }
    for (SchedulingReport.Reservation reservation : report.queue().reservations()) {
      line(
          at,
          "decision",
          "reserve",
          json ->
              json.member("node", reservation.node())
                  .member("execution", reservation.execution())
                  .member("priority", reservation.priority()));
    }
    executions(at, "lost", report.running().lost());
    executions(at, "starved", report.running().starved());
    for (Task task : report.sent().dropped()) {
      line(at, "decision", "drop", json -> json.member("task", task.id()));
    }
    for (SchedulingReport.Launch launch : report.sent().launches()) {
      List<String> tasks = new ArrayList<>();
      launch.tasks().forEach(task -> tasks.add(task.id()));
      line(
          at,
          "decision",
          "launch",
          json ->
              json.member("node", launch.node())
                  .names("offers", ids(launch.offers()))
                  .names("tasks", tasks));
    }
    if (!report.sent().declined().isEmpty()) {
      line(at, "decision", "decline", json -> json.names("offers", ids(report.sent().declined())));
    }
    for (LighthouseException failure : report.failures()) {
      line(at, "event", "failure", json -> json.member("message", failure.getMessage()));
    }
    line(
        at,
        "event",
        "pass",
        json -> {
          json.member("outcome", lower(report.outcome().name()));
          report.counts().forEach(json::member);
        });
  }

  /**
   * Writes the last line.
   *
   * @param result what came of the simulation
   */
  public void result(SimulationResult result) {
    line(
        result.end(),
        "event",
        "end",
        json -> {
          json.member("passes", result.passes())
              .member("completed", result.endings().completed())
              .member("failed", result.endings().failed())
              .member("cancelled", result.endings().cancelled())
              .names("never_placed", result.never().executions())
              .names("system_tasks_never_done", result.never().systemTasks());
          json.objects(
              "waiting",
              result.waiting().entrySet(),
              (inner, entry) ->
                  inner
                      .member("priority", entry.getKey())
                      .member("placed", entry.getValue().placed())
                      .member("mean", seconds(entry.getValue().mean()))
                      .member("median", seconds(entry.getValue().median()))
                      .member("p95", seconds(entry.getValue().p95()))
                      .member("longest", seconds(entry.getValue().longest())));
        });
  }

  private void executions(Duration at, String decision, List<String> ids) {
    for (String id : ids) {
      line(at, "decision", decision, json -> json.member("execution", id));
    }
  }

  private static void write(AnswerWriter json, NotPlaced entry) {
    json.member("execution", entry.execution()).member("why", lower(entry.why().name()));
    if (!entry.names().isEmpty()) {
      json.names("names", entry.names());
    }
    if (!entry.shortOn().isEmpty()) {
      json.object("short_on", inner -> entry.shortOn().forEach(inner::member));
    }
  }

  private void line(Duration at, String kind, String what, Consumer<AnswerWriter> members) {
    try {
      out.write(
          json -> {
            json.member("at", seconds(at)).member(kind, what);
            members.accept(json);
          });
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static List<String> ids(List<ResourceOffer> offers) {
    List<String> ids = new ArrayList<>();
    offers.forEach(offer -> ids.add(offer.id()));
    return ids;
  }

  private static String lower(String constant) {
    return constant.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** A time in seconds, exactly. */
  static Quantity seconds(Duration time) {
    return Quantity.of(
        BigDecimal.valueOf(time.getSeconds()).add(BigDecimal.valueOf(time.getNano(), 9)));
  }
}

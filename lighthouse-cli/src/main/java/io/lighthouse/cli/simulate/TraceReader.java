package io.lighthouse.cli.simulate;

import io.lighthouse.api.InvalidInputException;
import io.lighthouse.api.Quantity;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.scheduler.NodeChoice;
import io.lighthouse.scheduler.SchedulingPolicy;
import io.lighthouse.scheduler.model.JobType;
import io.lighthouse.scheduler.model.QueueOrder;
import io.lighthouse.scheduler.simulation.Trace;
import io.lighthouse.scheduler.simulation.TraceEvent;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/** Reads traces from JSON; docs/scheduling.md has the format. Quantities keep every digit. */
public final class TraceReader {
  private static final int MOST_EVENTS = 10_000_000;

  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final Map<String, Resources> usual = new LinkedHashMap<>();
  private final List<TraceEvent> events = new ArrayList<>();

  private TraceReader() {}

  /**
   * Reads a trace.
   *
   * @param in JSON in UTF-8; left open
   * @param strategy the strategy to use whatever the file says; nothing to leave that to the file
   * @return the trace and its policy
   * @throws InvalidInputException if it is no sound trace
   * @throws IOException if the bytes cannot be read
   */
  public static Simulated read(InputStream in, Optional<String> strategy) throws IOException {
    return new TraceReader().simulated(new Fields("", tree(in)), strategy);
  }

  private Simulated simulated(Fields top, Optional<String> strategy) {
    List<JobType> types = new ArrayList<>();
    for (Fields type : top.list("job_types")) {
      types.add(jobType(type));
    }
    for (Fields event : top.list("events")) {
      try {
        read(event);
      } catch (InvalidInputException wrong) {
        throw wrong.subject().equals("trace") ? wrong : event.at(wrong);
      }
    }
    Duration every = top.seconds("pass_every", Duration.ofSeconds(1));
    SchedulingPolicy policy = policy(top.object("policy"), strategy);
    top.end();
    return new Simulated(new Trace(types, events, every), policy);
  }

  private JobType jobType(Fields type) {
    JobType read =
        new JobType(
            type.text("name"),
            type.resources("resources"),
            type.whole("max_scheduled", 0, 0),
            type.flag("paused", false));
    type.end();
    usual.put(read.name(), read.request());
    return read;
  }

  private void read(Fields event) {
    Duration at = event.seconds("at");
    String kind =
        event.word(
            "event",
            "",
            List.of(
                "node-joins",
                "node-leaves",
                "node-pauses",
                "node-resumes",
                "offers-rescinded",
                "submit",
                "cancel",
                "system-task"));
    switch (kind) {
      case "node-joins" ->
          add(new TraceEvent.NodeJoins(at, event.text("node"), event.resources("resources")));
      case "node-leaves" -> add(new TraceEvent.NodeLeaves(at, event.text("node")));
      case "node-pauses" -> add(new TraceEvent.NodePauses(at, event.text("node")));
      case "node-resumes" -> add(new TraceEvent.NodeResumes(at, event.text("node")));
      case "offers-rescinded" -> add(new TraceEvent.OffersRescinded(at, event.text("node")));
      case "cancel" -> add(new TraceEvent.Cancels(at, event.text("execution")));
      case "system-task" ->
          add(
              new TraceEvent.SystemTaskDue(
                  at, event.text("name"), event.resources("resources"), event.seconds("runs")));
      default -> submit(at, event);
    }
    event.end();
  }

  /** One execution or, with a count, many: their ids have their number at the end. */
  private void submit(Duration at, Fields event) {
    String id = event.text("execution");
    String type = event.text("job_type");
    int priority = event.whole("priority", 100, Integer.MIN_VALUE);
    Resources request =
        event
            .optionalResources("resources")
            .orElseGet(() -> usual.getOrDefault(type, Resources.none()));
    Duration runs = event.seconds("runs");
    int count = event.has("count") ? event.whole("count", 1, 1) : 0;
    Duration every = event.seconds("every", Duration.ZERO);
    for (int i = 0; i < Math.max(count, 1); i++) {
      add(
          new TraceEvent.Submits(
              at.plus(every.multipliedBy(i)),
              count == 0 ? id : id + "-" + i,
              type,
              priority,
              request,
              runs));
    }
  }

  private void add(TraceEvent event) {
    if (events.size() == MOST_EVENTS) {
      throw new InvalidInputException(
          "trace", "events", "more than that", "at most " + MOST_EVENTS);
    }
    events.add(event);
  }

  private static SchedulingPolicy policy(Optional<Fields> given, Optional<String> strategy) {
    SchedulingPolicy policy = SchedulingPolicy.DEFAULT;
    Optional<String> name = strategy;
    Optional<Rubric> rubric = Optional.empty();
    Map<String, String> settings = Map.of();
    if (given.isPresent()) {
      Fields fields = given.get();
      policy =
          policy
              .withQueueWindow(fields.whole("queue_window", policy.queueWindow(), 1))
              .withReserve(fields.flag("reserve", true))
              .withOrder(
                  QueueOrder.valueOf(
                      fields
                          .word("order", "fifo", List.of("fifo", "lifo"))
                          .toUpperCase(Locale.ROOT)));
      if (fields.has("strategy") && name.isEmpty()) {
        name = Optional.of(fields.text("strategy"));
      }
      rubric = fields.optionalResources("rubric").map(Rubric::new);
      settings = fields.texts("settings");
      fields.end();
    }
    return name.isEmpty()
        ? policy
        : policy.withNodeChoice(NodeChoice.installed(name.get(), settings, rubric));
  }

  /** Objects as maps, arrays as lists, numbers as quantities. */
  private static Object tree(InputStream in) throws IOException {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), in)) {
      parser.nextToken();
      Object value = value(parser);
      if (parser.nextToken() != null) {
        throw new InvalidInputException(
            "trace", "the text", "followed by " + parser.getString(), "one object");
      }
      return value;
    } catch (JacksonIOException failed) {
      throw failed.getCause();
    } catch (JacksonException noJson) {
      String place =
          noJson.getLocation() == null
              ? "the text"
              : "line "
                  + noJson.getLocation().getLineNr()
                  + ", column "
                  + noJson.getLocation().getColumnNr();
      throw new InvalidInputException(
          "trace", place, "no JSON: " + noJson.getOriginalMessage(), "JSON (RFC 8259) in UTF-8");
    }
  }

  private static Object value(JsonParser parser) {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      Map<String, Object> members = new LinkedHashMap<>();
      for (String name = parser.nextName(); name != null; name = parser.nextName()) {
        parser.nextToken();
        members.put(name, value(parser));
      }
      return members;
    }
    if (token == JsonToken.START_ARRAY) {
      List<Object> entries = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        entries.add(value(parser));
      }
      return entries;
    }
    if (token == JsonToken.VALUE_STRING) {
      return parser.getString();
    }
    if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
      return token == JsonToken.VALUE_TRUE;
    }
    if (token != null && token.isNumeric()) {
      return Quantity.of(parser.getString());
    }
    throw new InvalidInputException(
        "trace",
        token == null ? "the text" : "a value",
        token == null ? "empty" : "null",
        "an object, a list, a text, a number, true or false");
  }
}

package io.lighthouse.cli.simulate;

import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.strategy.PlacementStrategy;
import io.lighthouse.json.SyntaxWords;
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
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads traces from JSON; docs/scheduling.md has the format. Events are made one by one as they are
 * read, so that a long trace is never in memory as JSON. Quantities keep every digit.
 */
public final class TraceReader {
  private static final int MOST_EVENTS = 10_000_000;
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static final List<String> KINDS =
      List.of(
          "node-joins",
          "node-leaves",
          "node-pauses",
          "node-resumes",
          "offers-rescinded",
          "submit",
          "cancel",
          "system-task");

  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final Map<String, Resources> usual = new LinkedHashMap<>();
  private final List<TraceEvent> events = new ArrayList<>();

  /** Which of the events need what their type usually does: types may stand behind events. */
  private final BitSet asUsual = new BitSet();

  /** The index in the file of the event that each of the events was made of. */
  private int[] source = new int[16];

  /** The index in the file of the event that is being read. */
  private int index;

  private final Function<String, PlacementStrategy> strategies;

  private TraceReader(Function<String, PlacementStrategy> strategies) {
    this.strategies = strategies;
  }

  /**
   * Reads a trace.
   *
   * @param in JSON in UTF-8; left open
   * @param strategy the strategy to use whatever the file says; nothing to leave that to the file
   * @param rubric the rubric to use whatever the file says; nothing to leave that to the file
   * @param strategies finds a strategy by its name
   * @return the trace and its policy
   * @throws InvalidInputException if it is no sound trace
   * @throws IOException if the bytes cannot be read
   */
  public static Simulated read(
      InputStream in,
      Optional<String> strategy,
      Optional<Rubric> rubric,
      Function<String, PlacementStrategy> strategies)
      throws IOException {
    TraceReader reader = new TraceReader(strategies);
    return reader.simulated(reader.top(in), strategy, rubric);
  }

  private Simulated simulated(Fields top, Optional<String> strategy, Optional<Rubric> rubric) {
    List<JobType> types = new ArrayList<>();
    for (Fields type : top.list("job_types")) {
      types.add(jobType(type));
    }
    if (!top.has("events")) {
      throw new InvalidInputException("trace", "events", "missing", "a list of objects");
    }
    Duration every =
        top.has("pass_every")
            ? top.seconds("pass_every", Trace.SHORTEST_PERIOD, Trace.LATEST)
            : SECOND;
    Map<String, String> choice = new LinkedHashMap<>();
    SchedulingPolicy policy = policy(top.object("policy"), strategy, rubric, choice);
    top.end();
    fillIn();
    try {
      return new Simulated(new Trace(types, events, every), policy, choice);
    } catch (Trace.WrongEvent wrong) {
      throw wrong.at(source[wrong.index()]);
    }
  }

  private JobType jobType(Fields type) {
    JobType read =
        new JobType(
            type.text("name"),
            type.resources("resources"),
            type.whole("max_scheduled", 0, 0, Integer.MAX_VALUE),
            type.flag("paused", false));
    type.end();
    usual.put(read.name(), read.request());
    return read;
  }

  /** Work without resources of its own needs what its type usually does. */
  private void fillIn() {
    for (int i = asUsual.nextSetBit(0); i >= 0; i = asUsual.nextSetBit(i + 1)) {
      if (events.get(i) instanceof TraceEvent.Submits work) {
        events.set(
            i,
            new TraceEvent.Submits(
                work.at(),
                work.execution(),
                work.jobType(),
                work.priority(),
                usual.getOrDefault(work.jobType(), Resources.none()),
                work.runs()));
      }
    }
  }

  private void read(Fields event) {
    Duration at = event.seconds("at");
    switch (event.word("event", "", KINDS)) {
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
    int priority = event.whole("priority", 100, Integer.MIN_VALUE, Integer.MAX_VALUE);
    Optional<Resources> own = event.optionalResources("resources");
    Resources request = own.orElse(Resources.none());
    Duration runs = event.seconds("runs");
    boolean many = event.has("count");
    int count = event.whole("count", 1, 1, MOST_EVENTS);
    Duration every = event.has("every") ? event.seconds("every") : Duration.ZERO;
    if (at.plus(every.multipliedBy(count - 1)).compareTo(Trace.LATEST) > 0) {
      throw event.wrong(
          "every",
          "so much that the last is submitted at " + Trace.LATEST.toSeconds() + " or before");
    }
    for (int i = 0; i < count; i++) {
      asUsual.set(events.size(), own.isEmpty());
      add(
          new TraceEvent.Submits(
              at.plus(every.multipliedBy(i)),
              many ? id + "-" + i : id,
              type,
              priority,
              request,
              runs));
    }
  }

  private void add(TraceEvent event) {
    if (events.size() == MOST_EVENTS) {
      throw new InvalidInputException(
          "trace", "events[" + index + "]", "beyond that", "at most " + MOST_EVENTS + " in all");
    }
    if (events.size() == source.length) {
      source = Arrays.copyOf(source, source.length * 2);
    }
    source[events.size()] = index;
    events.add(event);
  }

  private SchedulingPolicy policy(
      Optional<Fields> given,
      Optional<String> strategy,
      Optional<Rubric> rubric,
      Map<String, String> choice) {
    SchedulingPolicy policy = SchedulingPolicy.DEFAULT;
    Optional<String> name = strategy;
    Optional<Rubric> weights = rubric;
    Map<String, String> settings = Map.of();
    if (given.isPresent()) {
      Fields fields = given.get();
      policy =
          policy
              .withQueueWindow(
                  fields.whole("queue_window", policy.queueWindow(), 1, Integer.MAX_VALUE))
              .withReserve(fields.flag("reserve", true))
              .withOrder(
                  QueueOrder.valueOf(
                      fields
                          .word("order", "fifo", List.of("fifo", "lifo"))
                          .toUpperCase(Locale.ROOT)));
      if (fields.has("node_grace")) {
        policy = policy.withNodeGrace(fields.seconds("node_grace"));
      }
      Optional<String> own =
          fields.has("strategy") ? Optional.of(fields.text("strategy")) : Optional.empty();
      Optional<Rubric> ownWeights = fields.weights("rubric").map(Rubric::new);
      Map<String, String> ownSettings = fields.texts("settings");
      fields.end();
      weights = rubric.isPresent() ? rubric : ownWeights;
      name = strategy.isPresent() ? strategy : own;
      // Settings are a strategy's own: those of another one would only be refused.
      settings = name.equals(own) ? ownSettings : Map.of();
    }
    if (name.isEmpty() && rubric.isPresent()) {
      throw new InvalidInputException(
          "--rubric", "the strategy", "missing", "--strategy NAME, or one in the trace");
    }
    if (name.isEmpty()) {
      choice.put("strategy", "the fewest job types left (none is named)");
      return policy;
    }
    PlacementStrategy chosen;
    try {
      chosen = strategies.apply(name.get());
    } catch (InvalidInputException unknown) {
      throw new InvalidInputException(
          "trace", "policy.strategy", unknown.found(), unknown.allowed());
    }
    choice.put("strategy", name.get());
    weights.ifPresent(rule -> choice.put("rubric", inWords(rule.weights().toString())));
    if (!settings.isEmpty()) {
      choice.put("settings", inWords(new TreeMap<>(settings).toString()));
    }
    return policy.withNodeChoice(NodeChoice.of(chosen, settings, weights));
  }

  /** A map's text without its braces. */
  private static String inWords(String map) {
    String inside = map.substring(1, map.length() - 1);
    return inside.isEmpty() ? "none" : inside;
  }

  /** The members of the trace but for its events, of which each is read by itself. */
  private Fields top(InputStream in) throws IOException {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), in)) {
      return top(parser);
    } catch (JacksonIOException failed) {
      throw failed.getCause();
    }
  }

  private Fields top(JsonParser parser) {
    try {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return new Fields("", value(parser));
      }
      Map<String, Object> members = new LinkedHashMap<>();
      for (String name = parser.nextName(); name != null; name = parser.nextName()) {
        refuseOtherSort(name);
        parser.nextToken();
        members.put(name, name.equals("events") ? readEvents(parser) : value(parser));
      }
      if (parser.nextToken() != null) {
        throw new InvalidInputException(
            "trace", "the text", "followed by " + parser.getString(), "one object");
      }
      return new Fields("", members);
    } catch (JacksonIOException failed) {
      throw failed;
    } catch (JacksonException noJson) {
      String place =
          noJson.getLocation() == null
              ? "the text"
              : "line "
                  + noJson.getLocation().getLineNr()
                  + ", column "
                  + noJson.getLocation().getColumnNr();
      String why =
          SyntaxWords.of(
              noJson.getOriginalMessage(),
              parser.streamReadContext().inRoot(),
              parser.streamReadContext().inArray());
      throw new InvalidInputException(
          "trace", place, "no JSON: " + why, "JSON (RFC 8259) in UTF-8");
    }
  }

  /** A member that no trace has tells which other sort of text this is. */
  private static void refuseOtherSort(String member) {
    switch (member) {
      case "nodes", "workloads" ->
          throw new InvalidInputException(
              "trace", "the text", "a problem", "a trace; lighthouse assign places a problem");
      case "lighthouse_record" ->
          throw new InvalidInputException(
              "trace",
              "the text",
              "a record of a decision",
              "a trace; lighthouse replay takes records");
      default -> {}
    }
  }

  private List<Object> readEvents(JsonParser parser) {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      new Fields("", Map.of("events", value(parser))).list("events");
    }
    for (index = 0; parser.nextToken() != JsonToken.END_ARRAY; index++) {
      read(new Fields("events[" + index + "]", value(parser)));
    }
    return List.of();
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
    if (token == JsonToken.VALUE_NULL) {
      return Fields.Null.NULL;
    }
    if (token != null && token.isNumeric()) {
      return new Fields.Number(parser.getString());
    }
    throw new InvalidInputException("trace", "the text", "empty", "an object in JSON (RFC 8259)");
  }
}

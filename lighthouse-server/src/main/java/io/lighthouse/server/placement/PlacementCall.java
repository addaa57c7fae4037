package io.lighthouse.server.placement;

import io.lighthouse.api.AssignOption;
import io.lighthouse.api.Assignments;
import io.lighthouse.api.Budget;
import io.lighthouse.api.Distributor;
import io.lighthouse.api.Resources;
import io.lighthouse.api.Rubric;
import io.lighthouse.api.Workload;
import io.lighthouse.api.advice.Headroom;
import io.lighthouse.api.advice.Plan;
import io.lighthouse.api.advice.Shortage;
import io.lighthouse.api.advice.Sizing;
import io.lighthouse.api.advice.Supposition;
import io.lighthouse.api.advice.WhatIf;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.json.Fault;
import io.lighthouse.json.PlanRequest;
import io.lighthouse.json.Problem;
import io.lighthouse.json.ProblemFormatException;
import io.lighthouse.json.SuppositionWords;
import io.lighthouse.json.log.DecisionRecord;
import io.lighthouse.json.read.ProblemDocument;
import io.lighthouse.json.read.ProblemReader;
import io.lighthouse.json.write.AnswerWriter;
import io.lighthouse.json.write.PlacementWriter;
import io.lighthouse.json.write.PlanWriter;
import io.lighthouse.json.write.RemedyWriter;
import io.lighthouse.json.write.SizingWriter;
import io.lighthouse.json.write.WhatIfWriter;
import io.lighthouse.picture.ObstacleText;
import io.lighthouse.picture.Picture;
import io.lighthouse.picture.PictureScene;
import io.lighthouse.server.http.Exchange;
import io.lighthouse.server.http.ProblemDetails;
import io.lighthouse.server.http.QueryParameters;
import io.lighthouse.server.http.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/** A call that takes a problem and answers with placements. Immutable and thread-safe. */
public final class PlacementCall implements Route.Action {
  /** The flag for the reasons of refusals. */
  static final String EXPLAIN = "explain";

  /** The flag for remedies of refusals. */
  static final String REMEDIES = "remedies";

  /** The flag that also places workloads anew that have a node. */
  private static final String AFRESH = "afresh";

  /** The parameter that requests the hash of the decision. */
  private static final String HASH = "hash";

  /** The parameter that requests a record of the decision. */
  private static final String RECORD = "record";

  /** The parameter that names the level whose domains are drawn. */
  private static final String LEVEL = "level";

  /** The parameters of a call that places. */
  public static final QueryParameters RECORDING = QueryParameters.of(HASH, RECORD);

  /** The parameters of a call that explains. */
  public static final QueryParameters EXPLAINING = ExplainedWorkload.PARAMETERS;

  /** The parameters of a call that draws. */
  public static final QueryParameters DRAWING = QueryParameters.of(LEVEL);

  /** The maximum number of steps of the search for nodes to add. */
  private static final long SIZING_STEPS = 2_000_000;

  /** The media type of a drawing. */
  public static final String SVG = "image/svg+xml";

  /** The header with the hash of the decision. */
  public static final String DECISION = "Lighthouse-Decision";

  /** The calls that take a member which the others do not know. */
  private static final Map<String, String> TAKEN_BY =
      Map.of(
          EXPLAIN,
          "try-assign-workloads",
          REMEDIES,
          "explain-workload",
          "changes",
          "what-if",
          AFRESH,
          "what-if",
          "goal",
          "plan",
          "limits",
          "plan",
          "offers",
          "size",
          "mix",
          "headroom");

  /** What the call answers. */
  public enum Question {
    /** The documented call: all or nothing. */
    ALL_OR_NOTHING,
    /** The variant that places what can be placed, and explains refusals on request. */
    WHAT_CAN_BE,
    /** Why one workload, named in the query, fits no node. */
    WHY_NOT,
    /** The placement under suppositions about the fleet. */
    WHAT_IF,
    /** Moves that carry a fleet to a goal. */
    WHICH_MOVES,
    /** A drawing of the fleet with what can be placed on it. */
    WHAT_IT_LOOKS_LIKE,
    /** Which offered nodes to add so that everything is placed at the lowest price. */
    HOW_MANY_NODES,
    /** How many more copies of a mix fit. */
    HOW_MUCH_MORE
  }

  private final Question question;
  private final ProblemReader reader;
  private final StrategyCatalog catalog;
  private final DecisionPool pool;
  private final Observer observer;

  /**
   * A call.
   *
   * @param question what the call answers
   * @param reader reads problems, within limits
   * @param catalog the strategies
   * @param pool where decisions are made
   * @param observer receives the outcomes, to count them
   */
  public PlacementCall(
      Question question,
      ProblemReader reader,
      StrategyCatalog catalog,
      DecisionPool pool,
      Observer observer) {
    this.question = question;
    this.reader =
        switch (question) {
          case ALL_OR_NOTHING -> reader;
          case WHAT_CAN_BE, WHY_NOT, WHAT_IT_LOOKS_LIKE -> reader.withFlags(EXPLAIN, REMEDIES);
          case WHAT_IF -> reader.withFlags(AFRESH).withChanges();
          case WHICH_MOVES -> reader.withPlan();
          case HOW_MANY_NODES -> reader.withOffers();
          case HOW_MUCH_MORE -> reader.withMix();
        };
    this.catalog = catalog;
    this.pool = pool;
    this.observer = observer;
  }

  @Override
  public void answer(Exchange exchange, InputStream body) {
    pool.submit(new PlacementDecision(this, exchange, body, reader, OptionalLong.empty(), 0));
  }

  /**
   * Answers the question about a fleet that the body does not hold. Such an answer has the member
   * {@code generation}, unless it is a drawing.
   *
   * @param exchange the request and its answer
   * @param body the rest of the question
   * @param fleet the fleet; a copy, so the answer takes no turn of a live fleet
   * @param generation the generation of the fleet
   * @param life the number of the fleet if its name had an earlier fleet; else 0
   */
  public void answer(
      Exchange exchange, InputStream body, Problem fleet, long generation, long life) {
    pool.submit(
        new PlacementDecision(
            this, exchange, body, reader.on(fleet), OptionalLong.of(generation), life));
  }

  StrategyCatalog catalog() {
    return catalog;
  }

  /**
   * The problem details of a body that cannot be read. Where it has a member that only another call
   * takes, they name that call.
   *
   * @param wrong the exception of the reader
   * @return the problem details
   */
  public static ProblemDetails problem(ProblemFormatException wrong) {
    return ProblemDetails.of(
        new ProblemFormatException(
            wrong.faults().stream().map(PlacementCall::withItsCall).toList()));
  }

  private static Fault withItsCall(Fault fault) {
    String pointer = fault.place().pointer();
    String call = pointer.isEmpty() ? null : TAKEN_BY.get(pointer.substring(1));
    return call == null || fault.kind() != Fault.Kind.UNKNOWN_MEMBER
        ? fault
        : new Fault(
            fault.kind(),
            fault.place(),
            fault.found(),
            fault.allowed() + "; " + call + " takes " + pointer.substring(1));
  }

  /**
   * Refuses negative weights, which the library allows: here they are a caller's mistake.
   *
   * @param document a problem, with a rubric or without
   * @throws ProblemFormatException if a weight is negative
   */
  public static void refuseNegativeWeights(ProblemDocument document) {
    List<Fault> faults = new ArrayList<>();
    Resources weights = document.problem().rubric().map(Rubric::weights).orElse(Resources.none());
    for (int i = 0; i < weights.size(); i++) {
      if (weights.quantity(i).signum() < 0) {
        String name = "'" + weights.name(i) + "'";
        String found = weights.quantity(i).toString();
        InvalidInputException wrong =
            new InvalidInputException("rubric", name, found, "a weight of 0 or more");
        faults.add(document.locate(wrong).orElseThrow());
      }
    }
    if (!faults.isEmpty()) {
      throw new ProblemFormatException(faults);
    }
  }

  Observer observer() {
    return observer;
  }

  /**
   * An answer.
   *
   * @param placed the placed workloads; null where the call places none
   * @param mediaType the media type of the answer
   * @param text writes the answer
   */
  record Answer(Assignments placed, String mediaType, Text text) {
    Answer(Assignments placed, Consumer<AnswerWriter> members) {
      this(
          placed,
          Exchange.JSON,
          (out, generation) ->
              AnswerWriter.write(
                  out,
                  json -> {
                    members.accept(json);
                    generation.ifPresent(known -> json.member("generation", known));
                  }));
    }
  }

  /** Writes an answer, with the generation of the fleet if it is known. */
  @FunctionalInterface
  interface Text {
    void write(OutputStream out, OptionalLong generation) throws IOException;
  }

  /** Whether the strategy is used to find the answer. */
  boolean asksStrategy() {
    return question != Question.WHICH_MOVES;
  }

  /** Whether all refusals are to be explained. */
  boolean explainsAll(Request request) {
    return question == Question.WHAT_IF || listsReasons() && request.explain();
  }

  /** Whether its answer lists the reasons of refusals. */
  private boolean listsReasons() {
    return question == Question.ALL_OR_NOTHING || question == Question.WHAT_CAN_BE;
  }

  /**
   * Finds the answer for a problem. Nothing is placed where the rubric needs a name that is
   * missing.
   *
   * @throws InvalidInputException if the problem is not consistent
   */
  Answer answer(Distributor distributor, Request request, Exchange exchange) {
    boolean complete = request.missingFromRubric().isEmpty();
    return switch (question) {
      case ALL_OR_NOTHING, WHAT_CAN_BE -> placement(distributor, request, exchange);
      case WHY_NOT -> ExplainedWorkload.answer(distributor, request, exchange);
      case WHAT_IF -> complete ? whatIf(distributor, request) : missing(request);
      case WHICH_MOVES -> plan(distributor, request);
      case WHAT_IT_LOOKS_LIKE -> picture(distributor, request, exchange);
      case HOW_MANY_NODES -> complete ? sizing(distributor, request) : missing(request);
      case HOW_MUCH_MORE -> complete ? headroom(distributor, request) : missing(request);
    };
  }

  /** The answer where the rubric needs a name that is missing, and nothing was tried. */
  private static Answer missing(Request request) {
    return new Answer(null, json -> json.names("missing_from_rubric", request.missingFromRubric()));
  }

  private static Answer plan(Distributor distributor, Request request) {
    PlanRequest asked = request.document().plan().orElseThrow();
    Plan plan = distributor.advisor().plan(asked.goal(), asked.limits());
    return new Answer(null, json -> PlanWriter.write(json, plan, ObstacleText::of));
  }

  private Answer placement(Distributor distributor, Request request, Exchange exchange) {
    boolean hashed = exchange.isTrue(HASH);
    boolean recorded = exchange.isTrue(RECORD);
    Assignments assignments = place(distributor, request);
    List<Shortage> shortages = shortages(distributor, request, assignments);
    if (!hashed && !recorded || !request.missingFromRubric().isEmpty()) {
      return new Answer(assignments, json -> write(json, assignments, shortages, request));
    }
    DecisionRecord record =
        DecisionRecord.of(
            distributor.strategy(),
            question == Question.ALL_OR_NOTHING,
            request.problem().withStrategy(distributor.strategy().name()),
            assignments);
    String hash = record.hash();
    exchange.header(DECISION, hash);
    return new Answer(
        assignments,
        json -> {
          write(json, assignments, shortages, request);
          record.write(json, hash, recorded);
        });
  }

  private Answer picture(Distributor distributor, Request request, Exchange exchange) {
    Assignments assignments = place(distributor, request);
    PictureScene scene =
        new PictureScene(
            Optional.ofNullable(exchange.name("fleet")).orElse("fleet"),
            distributor.strategy().name(),
            distributor.snapshot(),
            request.problem().workloads(),
            assignments);
    String svg;
    try {
      svg = Picture.of(scene, exchange.parameter(LEVEL)).svg();
    } catch (InvalidInputException wrong) {
      throw new InvalidInputException("query", wrong.field(), wrong.found(), wrong.allowed());
    }
    // Opened directly in a browser, it is as harmless as within a page.
    exchange.header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
    return new Answer(
        assignments, SVG, (out, generation) -> out.write(svg.getBytes(StandardCharsets.UTF_8)));
  }

  private static Answer sizing(Distributor distributor, Request request) {
    Sizing sizing =
        distributor
            .advisor()
            .size(
                request.problem().workloads(),
                request.document().offers(),
                Budget.ofSteps(SIZING_STEPS));
    return new Answer(null, json -> SizingWriter.write(json, sizing));
  }

  private static Answer headroom(Distributor distributor, Request request) {
    distributor.assign(request.problem().workloads());
    Headroom headroom = distributor.advisor().headroom(request.document().mix());
    return new Answer(null, json -> SizingWriter.write(json, headroom));
  }

  private static Answer whatIf(Distributor distributor, Request request) {
    boolean afresh = request.document().flags().contains(AFRESH);
    WhatIf.Placing placing = afresh ? WhatIf.Placing.AFRESH : WhatIf.Placing.GOING_ON;
    List<Supposition> supposed = request.document().supposed();
    try {
      WhatIf found = distributor.advisor().whatIf(request.problem().workloads(), supposed, placing);
      return new Answer(null, json -> WhatIfWriter.write(json, found));
    } catch (InvalidInputException wrong) {
      throw SuppositionWords.hinted(wrong, request.problem());
    }
  }

  private Assignments place(Distributor distributor, Request request) {
    Set<AssignOption> options = EnumSet.noneOf(AssignOption.class);
    if (question == Question.ALL_OR_NOTHING) {
      options.add(AssignOption.ALL_OR_NOTHING);
    }
    if (listsReasons() && request.explain()) {
      options.add(AssignOption.EXPLAIN);
    }
    List<Workload> workloads = request.problem().workloads();
    Assignments found = distributor.assign(workloads, options.toArray(new AssignOption[0]));
    if (request.missingFromRubric().isEmpty()) {
      return found;
    }
    String[] names = workloads.stream().map(Workload::name).toArray(String[]::new);
    return Assignments.of(names, new String[names.length], List.of());
  }

  /**
   * What the refused workloads lack, together; null where the request does not ask for remedies or
   * the rubric is incomplete.
   */
  private static List<Shortage> shortages(
      Distributor distributor, Request request, Assignments assignments) {
    if (!request.document().flags().contains(REMEDIES) || !request.missingFromRubric().isEmpty()) {
      return null;
    }
    Set<String> refused = new HashSet<>(assignments.refused());
    return distributor
        .advisor()
        .shortages(
            request.problem().workloads().stream()
                .filter(workload -> refused.contains(workload.name()))
                .toList());
  }

  private void write(
      AnswerWriter json, Assignments assignments, List<Shortage> shortages, Request request) {
    PlacementWriter.write(
        json,
        question == Question.ALL_OR_NOTHING,
        request.explain(),
        assignments,
        request.missingFromRubric());
    if (shortages != null) {
      RemedyWriter.write(json, "shortages", shortages);
    }
  }
}

package io.lighthouse.server.fleets;

import static io.lighthouse.server.http.Grant.Role.ADMIN;
import static io.lighthouse.server.http.Grant.Role.PLACER;
import static io.lighthouse.server.http.Grant.Role.READER;

import io.lighthouse.api.Workload;
import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.Command;
import io.lighthouse.fleets.DomainCommands;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetCommands;
import io.lighthouse.fleets.FleetQuestions;
import io.lighthouse.fleets.NodeCommands;
import io.lighthouse.fleets.Outcome;
import io.lighthouse.fleets.PageCursor;
import io.lighthouse.fleets.Recorded;
import io.lighthouse.fleets.live.Fleets;
import io.lighthouse.json.Limits;
import io.lighthouse.json.Problem;
import io.lighthouse.json.log.DecisionRecord;
import io.lighthouse.json.read.FleetReader;
import io.lighthouse.json.read.ProblemDocument;
import io.lighthouse.json.write.AnswerWriter;
import io.lighthouse.json.write.ProblemWriter;
import io.lighthouse.server.fleets.FleetDecision.Beginning;
import io.lighthouse.server.fleets.FleetDecision.Submitted;
import io.lighthouse.server.http.Exchange;
import io.lighthouse.server.http.Grant;
import io.lighthouse.server.http.ProblemDetails;
import io.lighthouse.server.http.QueryParameters;
import io.lighthouse.server.http.Route;
import io.lighthouse.server.placement.AnswerBuffer;
import io.lighthouse.server.placement.DecisionPool;
import io.lighthouse.server.placement.Observer;
import io.lighthouse.server.placement.PlacementCall;
import io.lighthouse.server.placement.PlacementCall.Question;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** The routes of the fleets of a store. */
public final class FleetRoutes {
  private static final String FLEET = "/fleets/{fleet}";

  /** The body of a question about a fleet as it is. */
  private static final byte[] NOTHING_MORE = "{}".getBytes(StandardCharsets.UTF_8);

  private static final int PAGE = 100;
  private static final int MOST = 1_000;

  private final Fleets fleets;
  private final FleetEvents events;
  private final FleetReader reader;
  private final DecisionPool pool;
  private final Observer observer;
  private final FleetAccess access;
  private final FleetPut creation;
  private final Function<Question, PlacementCall> calls;

  /**
   * The routes of these fleets.
   *
   * @param fleets the fleets
   * @param events sends their events to followers
   * @param limits how much a body may hold
   * @param pool where bodies are read
   * @param observer receives events, to count them
   * @param origins the origins whose pages may call, beside our own; a star for all
   * @param calls the calls that answer questions about the fleet of a body
   */
  public FleetRoutes(
      Fleets fleets,
      FleetEvents events,
      Limits limits,
      DecisionPool pool,
      Observer observer,
      List<String> origins,
      Function<Question, PlacementCall> calls) {
    this.access = new FleetAccess(origins);
    this.calls = calls;
    this.fleets = fleets;
    this.events = events;
    this.reader = new FleetReader(limits);
    this.creation = new FleetPut(fleets, reader);
    this.pool = pool;
    this.observer = observer;
  }

  /** A command from a request on a fleet. */
  private interface Reader {
    /** Reads. */
    Command read(Exchange exchange, InputStream body) throws IOException;
  }

  /**
   * The routes.
   *
   * @return one for each path and method
   */
  public List<Route> all() {
    List<Route> all = new ArrayList<>();
    QueryParameters pages = QueryParameters.of("limit", "after", Asked.STALE);
    all.add(route("/fleets", "GET", pages, this::list));
    all.add(route(FLEET, "GET", onFleet(READER, (e, b) -> FleetQuestions.summary())));
    all.add(route(FLEET, "PUT", this::create));
    all.add(route(FLEET, "DELETE", this::delete));
    all.add(route(FLEET + "/problem", "GET", this::problem));
    all.add(route(FLEET + "/nodes", "GET", pages, onFleet(READER, (e, b) -> nodes(e))));
    String node = FLEET + "/nodes/{node}";
    ask(all, node, "GET", READER, (e, b) -> FleetQuestions.node(e.name("node")));
    ask(all, node, "PUT", ADMIN, (e, b) -> NodeCommands.put(reader.node(b, e.name("node"))));
    ask(all, node, "DELETE", ADMIN, (e, b) -> NodeCommands.remove(e.name("node")));
    ask(
        all,
        node + "/cordoned",
        "PUT",
        ADMIN,
        (e, b) -> NodeCommands.cordon(e.name("node"), reader.flag(b, "cordoned")));
    String workload = FLEET + "/workloads/{workload}";
    ask(all, workload, "GET", READER, (e, b) -> FleetQuestions.workload(e.name("workload")));
    ask(
        all,
        workload,
        "PUT",
        PLACER,
        (e, b) -> FleetCommands.put(reader.workload(b, e.name("workload"))));
    ask(all, workload, "DELETE", PLACER, (e, b) -> FleetCommands.release(e.name("workload")));
    String domain = FLEET + "/domains/{level}/{domain}";
    ask(
        all,
        domain,
        "GET",
        READER,
        (e, b) -> DomainCommands.domain(e.name("level"), e.name("domain")));
    ask(
        all,
        domain,
        "PUT",
        ADMIN,
        (e, b) -> DomainCommands.put(reader.domain(b, e.name("level"), e.name("domain"))));
    ask(
        all,
        domain,
        "DELETE",
        ADMIN,
        (e, b) -> DomainCommands.remove(e.name("level"), e.name("domain")));
    ask(
        all,
        domain + "/cordoned",
        "PUT",
        ADMIN,
        (e, b) ->
            DomainCommands.cordon(e.name("level"), e.name("domain"), reader.flag(b, "cordoned")));
    ask(
        all,
        workload + "/groups",
        "PUT",
        PLACER,
        (e, b) ->
            DomainCommands.regroup(e.name("workload"), new TreeSet<>(reader.names(b, "groups"))));
    QueryParameters recording = QueryParameters.of(Asked.DRY_RUN, Asked.RECORD, Asked.HASH);
    all.add(route(FLEET + "/assign-workloads", "POST", recording, batch(true)));
    all.add(route(FLEET + "/try-assign-workloads", "POST", recording, batch(false)));
    ask(
        all,
        FLEET + "/release-workloads",
        "POST",
        PLACER,
        (e, b) -> FleetCommands.release(reader.names(b, "workloads")));
    ask(
        all,
        FLEET + "/plan-drain",
        "POST",
        READER,
        (e, b) -> FleetCommands.planDrain(reader.names(b, "nodes")));
    ask(
        all,
        FLEET + "/move-workloads",
        "POST",
        ADMIN,
        (e, b) -> FleetCommands.move(reader.moves(b)));
    ask(all, FLEET + "/apply-plan", "POST", ADMIN, (e, b) -> FleetCommands.apply(reader.plan(b)));
    question(all, "explain-workload", "POST", Question.WHY_NOT, PlacementCall.EXPLAINING);
    question(all, "what-if", "POST", Question.WHAT_IF, QueryParameters.NONE);
    question(all, "plan", "POST", Question.WHICH_MOVES, QueryParameters.NONE);
    question(all, "size", "POST", Question.HOW_MANY_NODES, QueryParameters.NONE);
    question(all, "headroom", "POST", Question.HOW_MUCH_MORE, QueryParameters.NONE);
    question(all, "picture", "GET", Question.WHAT_IT_LOOKS_LIKE, PlacementCall.DRAWING);
    question(all, "picture", "POST", Question.WHAT_IT_LOOKS_LIKE, PlacementCall.DRAWING);
    all.add(
        new Route(
            FLEET + "/events",
            "GET",
            false,
            FleetEvents.TYPES,
            QueryParameters.of("after"),
            (exchange, body) -> decide(exchange, body, (e, b, begin) -> follow(e))));
    return all;
  }

  private void ask(List<Route> into, String path, String method, Grant.Role role, Reader how) {
    into.add(route(path, method, onFleet(role, how)));
  }

  /** The route of a question that the stateless call of the same name answers for its problem. */
  private void question(
      List<Route> into, String name, String method, Question question, QueryParameters parameters) {
    PlacementCall call = calls.apply(question);
    boolean draws = question == Question.WHAT_IT_LOOKS_LIKE;
    into.add(
        new Route(
            FLEET + "/" + name,
            method,
            false,
            List.of(draws ? PlacementCall.SVG : Exchange.JSON),
            parameters.with(Asked.STALE),
            (exchange, body) ->
                decide(exchange, body, (e, b, begin) -> answer(call, e, b, begin))));
  }

  /** Answers a question about a fleet from a copy of it, so that no change waits for the answer. */
  private Submitted answer(PlacementCall call, Exchange exchange, byte[] body, Beginning begin)
      throws IOException {
    byte[] rest = Asked.isQuestion(exchange) ? NOTHING_MORE : body;
    return withCopy(
        exchange,
        body,
        begin,
        (to, copy) -> {
          if (Asked.isQuestion(to) && Asked.hasAlready(to, copy.generation, copy.life)) {
            to.tag(copy.generation, copy.life);
            to.answerEmpty(304);
          } else {
            call.answer(to, new ByteArrayInputStream(rest), copy.fleet, copy.generation, copy.life);
          }
        });
  }

  /** A route with the parameter that all calls of its method take. */
  private Route route(String path, String method, FleetDecision.Reading how) {
    return route(
        path, method, QueryParameters.of(method.equals("GET") ? Asked.STALE : Asked.DRY_RUN), how);
  }

  private Route route(
      String path, String method, QueryParameters parameters, FleetDecision.Reading how) {
    return new Route(
        path,
        method,
        false,
        List.of(Exchange.JSON),
        parameters,
        (exchange, body) -> decide(exchange, body, how));
  }

  private void decide(Exchange exchange, InputStream body, FleetDecision.Reading how) {
    pool.submit(new FleetDecision(exchange, body, how, observer));
  }

  /** A call on an existing fleet. */
  private FleetDecision.Reading onFleet(Grant.Role role, Reader how) {
    return (exchange, body, begin) -> {
      access.require(exchange, role);
      Command command = how.read(exchange, new ByteArrayInputStream(body));
      return Submitted.of(submit(exchange, command, body, begin))
          .answering(
              Asked.isQuestion(exchange) ? FleetRoutes::answerUnlessKnown : FleetDecision::answer);
    };
  }

  private CompletableFuture<Answer> submit(
      Exchange exchange, Command command, byte[] body, Beginning begin) {
    return submit(exchange, command, body, begin, AnswerBuffer.FREE);
  }

  /** Puts a call into the queue of its fleet; {@code paid} bytes of its answer are held. */
  private CompletableFuture<Answer> submit(
      Exchange exchange, Command command, byte[] body, Beginning begin, long paid) {
    FleetCall call = Asked.call(exchange, command, body, FleetDecision.room(exchange, paid));
    begin.run(call.changes());
    return fleets.submit(exchange.name("fleet"), call);
  }

  /**
   * Takes memory for an answer with a whole fleet, before that answer is made.
   *
   * @return the bytes that were taken
   */
  private long payForTheWhole(Exchange exchange) throws AnswerBuffer.NoRoom {
    long bytes = fleets.roughBytes(exchange.name("fleet"));
    if (bytes <= AnswerBuffer.FREE) {
      return AnswerBuffer.FREE;
    }
    if (!exchange.hold(bytes)) {
      throw new AnswerBuffer.NoRoom();
    }
    return bytes;
  }

  private static void answerUnlessKnown(Exchange exchange, Answer answer) {
    if (Asked.hasAlready(exchange, answer.generation(), answer.life())) {
      FleetDecision.tag(exchange, answer);
      exchange.answerEmpty(304);
    } else {
      FleetDecision.answer(exchange, answer);
    }
  }

  private FleetDecision.Reading batch(boolean allOrNothing) {
    return (exchange, body, begin) -> {
      access.require(exchange, PLACER);
      InputStream in = new ByteArrayInputStream(body);
      ProblemDocument document = allOrNothing ? reader.batch(in) : reader.batch(in, "explain");
      List<Workload> workloads = document.problem().workloads();
      Recorded recorded = Asked.recorded(exchange);
      Command command =
          allOrNothing
              ? FleetCommands.assign(workloads, recorded)
              : FleetCommands.tryAssign(workloads, document.flags().contains("explain"), recorded);
      boolean plain = recorded == Recorded.NOT;
      long paid = plain ? AnswerBuffer.FREE : payForTheWhole(exchange);
      return Submitted.of(submit(exchange, command, body, begin, paid))
          .locating(document::locate)
          .answering(plain ? FleetDecision::answer : FleetRoutes::answerRecorded);
    };
  }

  /** An answer with the hash of its decision, now or when it was first given. */
  private static void answerRecorded(Exchange exchange, Answer answer) {
    DecisionRecord.hashIn(answer.body())
        .ifPresent(hash -> exchange.header(PlacementCall.DECISION, hash));
    FleetDecision.answer(exchange, answer);
  }

  private Submitted create(Exchange exchange, byte[] body, Beginning begin) throws IOException {
    access.require(exchange, ADMIN);
    return creation.submit(exchange, body, begin);
  }

  private Submitted delete(Exchange exchange, byte[] body, Beginning begin) {
    access.require(exchange, ADMIN);
    if (exchange.requestHeader("If-Match").isEmpty() && !Asked.dryRun(exchange)) {
      throw new Asked.WrongHead(
          ProblemDetails.of(
              428,
              "precondition-required",
              "The call needs a precondition",
              "a fleet is deleted with If-Match: the ETag of the fleet as you know it, or *"));
    }
    return Submitted.of(submit(exchange, NodeCommands.deleteFleet(), body, begin));
  }

  private Command nodes(Exchange exchange) {
    return FleetQuestions.nodes(
        exchange.parameter("after").map(PageCursor::of),
        Asked.number(exchange, "limit", PAGE, MOST));
  }

  private Submitted follow(Exchange exchange) {
    access.require(exchange, READER);
    return events.follow(
        exchange, () -> fleets.log(exchange.name("fleet")), () -> access.mayRead(exchange));
  }

  private Submitted problem(Exchange exchange, byte[] body, Beginning begin) throws IOException {
    return withCopy(
        exchange,
        body,
        begin,
        (to, copy) ->
            decide(
                to,
                InputStream.nullInputStream(),
                (e, b, written) -> {
                  AnswerBuffer out = new AnswerBuffer(e, copy.paid);
                  ProblemWriter.write(copy.fleet, out);
                  e.tag(copy.generation, copy.life);
                  return answered(e, out);
                }));
  }

  /** A copy of a fleet at a generation of a life; {@code paid} bytes are held for it. */
  private record Copy(Problem fleet, long generation, long life, long paid) {}

  /** Copies a fleet in its turn, and answers with the copy after the turn. */
  private Submitted withCopy(
      Exchange exchange, byte[] body, Beginning begin, BiConsumer<Exchange, Copy> answering)
      throws IOException {
    access.require(exchange, READER);
    long paid = payForTheWhole(exchange);
    Problem[] taken = new Problem[1];
    Command command = FleetQuestions.problem(problem -> taken[0] = problem);
    return Submitted.of(submit(exchange, command, body, begin))
        .answering(
            (to, answer) -> {
              Copy copy = new Copy(taken[0], answer.generation(), answer.life(), paid);
              taken[0] = null;
              answering.accept(to, copy);
            });
  }

  /** Sends an answer that is complete already; the future that it returns never completes. */
  private static Submitted answered(Exchange exchange, AnswerBuffer answer) {
    exchange.answer(Exchange.JSON, answer.content());
    return Submitted.of(new CompletableFuture<>());
  }

  private Submitted list(Exchange exchange, byte[] body, Beginning begin) {
    access.require(exchange, READER);
    int limit = Asked.number(exchange, "limit", PAGE, MOST);
    String after = exchange.parameter("after").map(text -> PageCursor.of(text).name()).orElse("");
    Grant grant = exchange.grant();
    return Submitted.of(
            fleets
                .list(name -> grant.sees(name) && name.compareTo(after) > 0, Asked.stale(exchange))
                .thenApply(
                    seen -> new Answer(Outcome.DONE, listed(exchange, seen, limit), 0, 0, false)))
        .answering((to, answer) -> to.answer(Exchange.JSON, ByteBuffer.wrap(answer.body())));
  }

  /** A page of a list, with the cursor of the next page if there is one. */
  private static byte[] listed(Exchange exchange, List<Fleets.Listed> seen, int limit) {
    List<Fleets.Listed> page = seen.subList(0, Math.min(limit, seen.size()));
    AnswerBuffer out = new AnswerBuffer(exchange);
    try {
      AnswerWriter.write(
          out,
          json -> {
            json.objects(
                "fleets",
                page,
                (inside, fleet) -> {
                  inside.member("fleet", fleet.name()).member("generation", fleet.generation());
                  inside.member("nodes", fleet.nodes()).member("workloads", fleet.workloads());
                });
            if (seen.size() > page.size()) {
              String last = page.get(page.size() - 1).name();
              json.member("next", new PageCursor(0, last).toText());
            }
          });
    } catch (IOException noRoom) {
      throw new CompletionException(noRoom);
    }
    ByteBuffer content = out.content();
    return Arrays.copyOf(content.array(), content.limit());
  }
}

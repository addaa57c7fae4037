package io.lighthouse.server.placement;

import io.lighthouse.api.Distributor;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.api.strategy.StrategyDescription;
import io.lighthouse.core.Distributors;
import io.lighthouse.json.Fault;
import io.lighthouse.json.Place;
import io.lighthouse.json.ProblemDistributor;
import io.lighthouse.json.ProblemFormatException;
import io.lighthouse.json.StrategyWords;
import io.lighthouse.json.read.ProblemReader;
import io.lighthouse.server.http.Exchange;
import io.lighthouse.server.http.ProblemDetails;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;

/**
 * One problem from its bytes to its answer. Every failure is answered, and a caller's mistake, a
 * broken strategy and a bug of Lighthouse are distinguished.
 */
final class PlacementDecision implements DecisionPool.Decision {
  private static final System.Logger LOG = System.getLogger("io.lighthouse.server");

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** The maximum number of reasons in the refusals of one answer: about 100 bytes of heap each. */
  private static final long MOST_REASONS = 1_000_000;

  private static final String WEIGHTS =
      "an object of weights by resource, such as {\"cpu\": 1, \"mem\": 0.5}";

  private final PlacementCall call;
  private final Exchange exchange;
  private final StrategyCatalog catalog;

  /** The body; released when it is read. */
  private InputStream body;

  /** Reads the body; released with it, as it may hold a copy of a fleet. */
  private ProblemReader reader;

  /** The generation of the fleet; empty where the body holds the fleet. */
  private final OptionalLong generation;

  /** The number of the fleet if its name had an earlier fleet; else 0. */
  private final long life;

  /** The strategy that decides; null before. */
  private volatile String strategy;

  /** The strategy that is refused because this decision does not end; null where none is. */
  private volatile String refused;

  /** Whether a plan is being searched for. */
  private volatile boolean planning;

  PlacementDecision(
      PlacementCall call,
      Exchange exchange,
      InputStream body,
      ProblemReader reader,
      OptionalLong generation,
      long life) {
    this.call = call;
    this.exchange = exchange;
    this.body = body;
    this.reader = reader;
    this.generation = generation;
    this.life = life;
    catalog = call.catalog();
  }

  @Override
  public void decide() {
    try {
      answer();
    } catch (ProblemFormatException wrong) {
      exchange.fail(PlacementCall.problem(wrong));
    } catch (AnswerBuffer.NoRoom noRoom) {
      exchange.fail(noRoom.problem());
    } catch (CancellationException interrupted) {
      // A decision over its time is answered already. Otherwise only the strategy can have
      // interrupted.
      String name = String.valueOf(strategy);
      String broken = "strategy '" + name + "' (" + origin(name) + ")";
      if (exchange.fail(Culprit.STRATEGY.problem(broken + " interrupted its own thread"))) {
        call.observer().failed(Culprit.STRATEGY);
      }
    } catch (Throwable broken) {
      Culprit.answer(broken, exchange, call.observer());
    }
  }

  private void answer() throws IOException {
    long began = cpu();
    Request request = Request.of(reader.read(body));
    body = null;
    reader = null;
    long parsed = cpu();
    PlacementCall.Answer answer = place(request);
    if (answer == null) {
      return;
    }
    strategy = null;
    long placed = cpu();
    AnswerBuffer text = new AnswerBuffer(exchange);
    answer.text().write(text, generation);
    long written = cpu();
    if (answer.placed() != null) {
      int nodes = request.problem().nodes().size();
      call.observer()
          .placed(nodes, answer.placed(), parsed - began, placed - parsed, written - placed);
    }
    generation.ifPresent(known -> exchange.tag(known, life));
    exchange.answer(answer.mediaType(), text.content());
  }

  /** The processor time of this thread so far, in nanoseconds. */
  private static long cpu() {
    return THREADS.getCurrentThreadCpuTime();
  }

  /** Places the workloads, or answers why not and returns null. */
  private PlacementCall.Answer place(Request request) {
    PlacementCall.refuseNegativeWeights(request.document());
    if (call.explainsAll(request) && request.reasons() > MOST_REASONS) {
      exchange.fail(
          ProblemDetails.of(
              413,
              "limit",
              "The body is beyond a limit",
              "explain could list "
                  + request.reasons()
                  + " reasons; allowed: "
                  + MOST_REASONS
                  + ". Ask for fewer workloads at a time, or without explain"));
      return null;
    }
    String name = StrategyWords.nameOf(request.word());
    if (catalog.isRefused(name)) {
      exchange.fail(refused(name));
      return null;
    }
    Distributors.Builder builder;
    try {
      builder = catalog.builder(name);
    } catch (InvalidInputException unknown) {
      Place place = request.document().locate(unknown).orElseThrow().place();
      exchange.fail(
          ProblemDetails.at(place, "'" + request.word() + "'", catalog.allowedFor(request.word())));
      return null;
    }
    strategy = name;
    if (exchange.isAnswered()) {
      return null; // Reading took all the time, which is no fault of the strategy.
    }
    try {
      Distributor distributor = ProblemDistributor.of(builder, request.problem());
      if (!call.asksStrategy()) {
        planning = true;
        strategy = null; // The strategy is not to blame for the time from here on.
      }
      return call.answer(distributor, request, exchange);
    } catch (InvalidInputException wrong) {
      Optional<Fault> fault = request.document().locate(wrong);
      exchange.fail(
          fault.isPresent() && isRubricMissing(wrong, request)
              ? ProblemDetails.at(fault.get().place(), "missing", WEIGHTS)
              : ProblemDetails.of(wrong, fault));
      return null;
    }
  }

  /** The strategies' message about a missing rubric is for the command line. */
  private static boolean isRubricMissing(InvalidInputException wrong, Request request) {
    return wrong.field().equals("rubric") && request.problem().rubric().isEmpty();
  }

  @Override
  public void lost(Throwable why) {
    exchange.abandon(why);
  }

  @Override
  public void turnedAway() {
    call.observer().turnedAway();
    exchange.fail(ProblemDetails.busy("as many decisions run as may run at a time; try again"));
  }

  @Override
  public boolean overTime() {
    call.observer().overTime();
    return exchange.fail(
        ProblemDetails.of(503, "decision-timeout", "The decision took too long", slow(strategy)));
  }

  private String slow(String name) {
    if (planning) {
      return "the plan was not found in the time allowed; make the problem smaller, or allow fewer"
          + " moves";
    }
    return name == null
        ? "the problem was not read and answered in the time allowed; make it smaller"
        : "strategy '"
            + name
            + "' did not place it in the time allowed; make the problem smaller, or take another"
            + " strategy";
  }

  @Override
  public boolean unending() {
    String name = strategy;
    boolean abandon = name != null && catalog.refuse(name);
    if (abandon) {
      refused = name;
      LOG.log(
          System.Logger.Level.ERROR,
          "strategy ''{0}'' ({1}) does not end: its thread is abandoned, and it is refused as long"
              + " as that thread runs",
          name,
          origin(name));
    }
    return abandon;
  }

  @Override
  public void abandonedEnded() {
    catalog.allow(refused);
  }

  private ProblemDetails refused(String name) {
    return ProblemDetails.of(
        503,
        "strategy-refused",
        "The strategy does not end",
        "strategy '"
            + name
            + "' ("
            + origin(name)
            + ") did not end when it was interrupted, and is refused as long as it still runs; take"
            + " another strategy");
  }

  private String origin(String name) {
    return catalog.description(name).map(StrategyDescription::origin).orElse("unknown origin");
  }
}

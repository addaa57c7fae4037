package io.lighthouse.server.fleets;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.AnswerRoom;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.json.Fault;
import io.lighthouse.json.ProblemFormatException;
import io.lighthouse.json.write.AnswerWriter;
import io.lighthouse.server.http.Exchange;
import io.lighthouse.server.http.ProblemDetails;
import io.lighthouse.server.placement.AnswerBuffer;
import io.lighthouse.server.placement.Culprit;
import io.lighthouse.server.placement.DecisionPool;
import io.lighthouse.server.placement.Observer;
import io.lighthouse.server.placement.PlacementCall;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * One request on a fleet, from its body to its answer. The body is read in a place of the pool,
 * which is free again while the command waits for its turn.
 */
final class FleetDecision implements DecisionPool.Decision {
  /**
   * A submitted call: its future answer, the places of mistakes in its request, and how to send the
   * answer.
   */
  record Submitted(
      CompletableFuture<Answer> answer,
      Function<InvalidInputException, Optional<Fault>> place,
      BiConsumer<Exchange, Answer> answering) {
    static Submitted of(CompletableFuture<Answer> answer) {
      return new Submitted(answer, wrong -> Optional.empty(), FleetDecision::answer);
    }

    Submitted locating(Function<InvalidInputException, Optional<Fault>> places) {
      return new Submitted(answer, places, answering);
    }

    Submitted answering(BiConsumer<Exchange, Answer> how) {
      return new Submitted(answer, place, how);
    }
  }

  /** Reads a request, and passes it on. */
  interface Reading {
    /**
     * Reads.
     *
     * @param begin called before the request may have an effect
     */
    Submitted submit(Exchange exchange, byte[] body, Beginning begin) throws IOException;
  }

  /** The moment from which a request may have an effect. */
  interface Beginning {
    /**
     * Called at that moment; throws if the request was already refused.
     *
     * @param changes whether the effect may change a fleet, so that the outcome is unknown until it
     *     is answered
     */
    void run(boolean changes);
  }

  /** A request is read; then either its effect begins, or it is refused without one. */
  private enum Stage {
    READING,
    ASKING,
    CHANGING,
    REFUSED
  }

  private static final String LATE =
      "the request was not read in the time allowed, and nothing has changed; make it smaller";

  private final Exchange exchange;
  private final Observer observer;
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.READING);
  private InputStream body;

  /** Released with the body, as it may hold a copy of a fleet. */
  private Reading reading;

  FleetDecision(Exchange exchange, InputStream body, Reading reading, Observer observer) {
    this.exchange = exchange;
    this.body = body;
    this.reading = reading;
    this.observer = observer;
  }

  @Override
  public void decide() {
    Function<InvalidInputException, Optional<Fault>> nowhere = wrong -> Optional.empty();
    try {
      byte[] bytes = body.readAllBytes();
      body = null;
      Reading once = reading;
      reading = null;
      Submitted submitted = once.submit(exchange, bytes, this::begin);
      submitted.answer.whenComplete((answer, refused) -> answer(submitted, answer, refused));
    } catch (Throwable refused) {
      // What was put into a queue before that has no effect any more.
      if (stage.compareAndSet(Stage.READING, Stage.REFUSED)) {
        fail(refused, nowhere);
      } else if (stage.get() != Stage.REFUSED) {
        failUnanswered(refused, nowhere);
      }
    }
  }

  /** From here on the request may have an effect, and its answer is the result of that effect. */
  private void begin(boolean changes) {
    Stage next = changes ? Stage.CHANGING : Stage.ASKING;
    if (!stage.compareAndSet(Stage.READING, next) && stage.get() == Stage.REFUSED) {
      throw new FleetException(FleetException.Kind.DECISION_TIMEOUT, LATE);
    }
  }

  private void answer(Submitted submitted, Answer answer, Throwable refused) {
    try {
      if (refused == null) {
        submitted.answering.accept(exchange, answer);
      } else {
        fail(refused, submitted.place);
      }
    } catch (Throwable broken) { // Otherwise the request would have no answer.
      try {
        if (refused == null || isUnknown(refused)) {
          failUnanswered(broken, submitted.place);
        } else {
          fail(broken, submitted.place);
        }
      } catch (Throwable again) {
        lost(again);
        throw again;
      }
    }
  }

  private static boolean isUnknown(Throwable refused) {
    return causeOf(refused) instanceof FleetException fleet
        && fleet.kind() == FleetException.Kind.OUTCOME_UNKNOWN;
  }

  static Throwable causeOf(Throwable refused) {
    return refused instanceof CompletionException ? refused.getCause() : refused;
  }

  /** Fails a request that may have had its effect, or may still have it. */
  private void failUnanswered(
      Throwable why, Function<InvalidInputException, Optional<Fault>> place) {
    if (!(why instanceof OutOfMemoryError) || stage.get() != Stage.CHANGING) {
      fail(why, place);
      return;
    }
    String again =
        Asked.hasKey(exchange) ? "ask again, with the same Idempotency-Key" : "ask again";
    fail(
        new FleetException(
            FleetException.Kind.OUTCOME_UNKNOWN,
            "whether it was done is not known, as there was no memory to answer; " + again),
        place);
    Culprit.logOutOfMemory();
  }

  /** Answers with the decision. */
  static void answer(Exchange exchange, Answer answer) {
    tag(exchange, answer);
    if (answer.body().length == 0) {
      exchange.answerEmpty(FleetStatus.of(answer.outcome()));
    } else {
      exchange.answer(
          FleetStatus.of(answer.outcome()), Exchange.JSON, ByteBuffer.wrap(answer.body()));
    }
  }

  static void tag(Exchange exchange, Answer answer) {
    exchange.tag(answer.generation(), answer.life());
    if (answer.replayed()) {
      exchange.header("Lighthouse-Replayed", "true");
    }
  }

  /**
   * The memory for an answer: the first {@code paid} bytes cost nothing more of the common budget.
   */
  static AnswerRoom room(Exchange exchange, long paid) {
    long[] written = new long[1];
    return (bytes, needed) -> {
      written[0] += bytes;
      if (written[0] <= paid || exchange.hold(bytes)) {
        return true;
      }
      if (needed) {
        exchange.holdAnyway(bytes);
      }
      return needed;
    };
  }

  private void fail(Throwable thrown, Function<InvalidInputException, Optional<Fault>> place) {
    Throwable why = causeOf(thrown);
    if (why instanceof ProblemFormatException wrong) {
      exchange.fail(PlacementCall.problem(wrong));
    } else if (why instanceof InvalidInputException wrong) {
      exchange.fail(ProblemDetails.of(wrong, place.apply(wrong)));
    } else if (why instanceof AnswerBuffer.NoRoom full) {
      exchange.fail(full.problem());
    } else if (why instanceof Asked.WrongHead wrong) {
      exchange.fail(wrong.problem());
    } else if (why instanceof FleetException refused) {
      FleetException.Kind kind = refused.kind();
      ProblemDetails problem =
          ProblemDetails.of(FleetStatus.of(kind), kind.type(), kind.title(), refused.getMessage());
      if (refused.generation() >= 0) {
        exchange.tag(refused.generation(), refused.life());
      }
      exchange.fail(problem, json -> more(json, refused));
    } else {
      Culprit.answer(why, exchange, observer);
    }
  }

  /** The further members of the problem details. */
  static void more(AnswerWriter json, FleetException refused) {
    if (refused.generation() >= 0) {
      json.member("generation", refused.generation());
    }
    if (!refused.conflicts().isEmpty()) {
      json.objects(
          "conflicts",
          refused.conflicts(),
          (inside, conflict) ->
              inside
                  .member("workload", conflict.workload())
                  .reasons("reasons", conflict.reasons()));
    }
    if (refused.refusal() != null) {
      json.refusal("refusal", refused.refusal());
    }
  }

  @Override
  public void lost(Throwable why) {
    exchange.abandon(why);
  }

  @Override
  public void turnedAway() {
    observer.turnedAway();
    exchange.fail(ProblemDetails.busy("as many decisions run as may run at a time; try again"));
  }

  @Override
  public boolean overTime() {
    if (!stage.compareAndSet(Stage.READING, Stage.REFUSED)) {
      return false; // The started effect happens or not; its answer reports which.
    }
    observer.overTime();
    return exchange.fail(
        ProblemDetails.of(503, "decision-timeout", "The decision took too long", LATE));
  }

  @Override
  public boolean unending() {
    return false;
  }
}

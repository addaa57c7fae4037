package io.lighthouse.server.fleets;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.FleetCall;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.FleetException.Kind;
import io.lighthouse.fleets.FleetQuestions;
import io.lighthouse.fleets.Outcome;
import io.lighthouse.fleets.live.Fleets;
import io.lighthouse.json.Fault;
import io.lighthouse.json.Problem;
import io.lighthouse.json.read.FleetReader;
import io.lighthouse.json.read.ProblemDocument;
import io.lighthouse.server.fleets.FleetDecision.Beginning;
import io.lighthouse.server.fleets.FleetDecision.Submitted;
import io.lighthouse.server.http.Exchange;
import io.lighthouse.server.placement.PlacementCall;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** The call that creates a fleet, or makes sure that it is there. */
final class FleetPut {
  private final Fleets fleets;
  private final FleetReader reader;

  FleetPut(Fleets fleets, FleetReader reader) {
    this.fleets = fleets;
    this.reader = reader;
  }

  /** Submits the call of a request, whose caller may create fleets. */
  Submitted submit(Exchange exchange, byte[] body, Beginning begin) throws IOException {
    Asked.refuseKey(exchange);
    FleetCall asked = Asked.matching(exchange, FleetCall.of(FleetQuestions.summary()));
    boolean mustBeNew = Asked.mustBeNew(exchange);
    // No fleet that must be there already is created.
    boolean mustExist = Asked.header(exchange, "If-Match").isPresent();
    ProblemDocument document = reader.fleet(new ByteArrayInputStream(body));
    Problem problem = document.problem();
    PlacementCall.refuseNegativeWeights(document);
    boolean triesOut = mustExist || Asked.dryRun(exchange);
    CompletableFuture<Answer> answer;
    try {
      answer =
          fleets.create(
              exchange.name("fleet"),
              problem,
              exchange.grant().token(),
              triesOut,
              () -> begin.run(!triesOut));
    } catch (InvalidInputException wrong) {
      Optional<Fault> place = document.locate(wrong);
      return Submitted.of(CompletableFuture.<Answer>failedFuture(wrong)).locating(same -> place);
    } catch (FleetException refused) {
      answer = CompletableFuture.failedFuture(refused);
    }
    if (mustExist) {
      answer = answer.handle((there, why) -> existing(asked, there, why));
    }
    return Submitted.of(mustBeNew ? answer.handle(FleetPut::created) : answer);
  }

  /** The answer to the creation of a fleet that must not be there yet. */
  private static Answer created(Answer there, Throwable failed) {
    if (there != null && there.outcome() == Outcome.CREATED) {
      return there;
    }
    FleetException exists =
        new FleetException(
            Kind.GENERATION, "the call is for a new fleet, and there is one of its name");
    if (there != null) {
      throw exists.at(there.generation(), there.life());
    }
    Throwable refused = FleetDecision.causeOf(failed);
    if (refused instanceof FleetException why && why.kind() == Kind.EXISTS) {
      throw exists.at(why.generation(), why.life());
    }
    throw new CompletionException(refused);
  }

  private static FleetException notThere() {
    return new FleetException(
        Kind.GENERATION, "the call is for a fleet that is there, and there is none of its name");
  }

  /** The answer to the creation of a fleet that must be there, at a generation if one is given. */
  private static Answer existing(FleetCall asked, Answer there, Throwable failed) {
    Throwable refused = FleetDecision.causeOf(failed);
    if (there != null && there.outcome() == Outcome.CREATED) {
      throw notThere();
    }
    if (there != null) {
      asked.requireFor(there.generation(), there.life());
      return there;
    }
    if (refused instanceof FleetException why) {
      if (why.kind() == Kind.TOO_MANY_FLEETS) {
        throw notThere();
      }
      if (why.generation() >= 0) {
        asked.requireFor(why.generation(), why.life());
      }
    }
    throw new CompletionException(refused);
  }
}

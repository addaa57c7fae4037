package io.lighthouse.server.fleets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.fleets.Answer;
import io.lighthouse.fleets.FleetException;
import io.lighthouse.fleets.Outcome;
import io.lighthouse.server.RouterServer;
import io.lighthouse.server.fleets.FleetDecision.Beginning;
import io.lighthouse.server.fleets.FleetDecision.Submitted;
import io.lighthouse.server.http.ByteBudget;
import io.lighthouse.server.http.QueryParameters;
import io.lighthouse.server.http.Route;
import io.lighthouse.server.monitor.ServiceMetrics;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a client gets where memory ends in its request on a fleet. */
class FleetDecisionTest {
  private static OutOfMemoryError none() {
    return new OutOfMemoryError("planted");
  }

  /** The answer to a request that is read so. */
  private static HttpResponse<String> answer(FleetDecision.Reading reading) throws Exception {
    ServiceMetrics metrics = new ServiceMetrics();
    Route route =
        new Route(
            "/fleet",
            "POST",
            true,
            List.of("application/json"),
            QueryParameters.NONE,
            (exchange, body) -> new FleetDecision(exchange, body, reading, metrics).decide());
    try (RouterServer server = new RouterServer(new ByteBudget(1000), route)) {
      URI uri = server.uri().resolve("/fleet");
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString("{}")).build(),
              BodyHandlers.ofString());
    }
  }

  @Test
  void nothingHasHappenedBeforeItsEffectHasBegun() throws Exception {
    HttpResponse<String> answer =
        answer(
            (exchange, body, begin) -> {
              throw none();
            });
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("problem:overload");
  }

  @Test
  void theOutcomeIsUnknownOnceItsEffectHasBegun() throws Exception {
    HttpResponse<String> answer =
        answer(
            (exchange, body, begin) -> {
              begin.run(true);
              throw none();
            });
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("problem:outcome-unknown");
  }

  @Test
  void aCallThatOnlyAsksHasChangedNothing() throws Exception {
    HttpResponse<String> answer =
        answer(
            (exchange, body, begin) -> {
              begin.run(false);
              throw none();
            });
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("problem:overload");
  }

  /** As a creation that waits in a queue when memory ends. */
  @Test
  void whatWaitsForARefusedRequestHasNoEffect() throws Exception {
    AtomicReference<Beginning> waiting = new AtomicReference<>();
    HttpResponse<String> answer =
        answer(
            (exchange, body, begin) -> {
              waiting.set(begin);
              throw none();
            });
    assertThat(answer.body()).contains("problem:overload");
    assertThatThrownBy(() -> waiting.get().run(true)).isInstanceOf(FleetException.class);
  }

  /** Memory ends the first time that its cause is read. */
  private static final class Full extends CompletionException {
    private static final long serialVersionUID = 1L;
    private boolean fired;

    Full(FleetException.Kind kind) {
      super(new FleetException(kind, "planted"));
    }

    @Override
    public synchronized Throwable getCause() {
      if (!fired) {
        fired = true;
        throw none();
      }
      return super.getCause();
    }
  }

  @Test
  void anOutcomeStaysWhatItIsWhereItsAnswerCannotBeMade() throws Exception {
    for (FleetException.Kind kind :
        List.of(FleetException.Kind.OUTCOME_UNKNOWN, FleetException.Kind.NO_ROOM)) {
      HttpResponse<String> answer =
          answer(
              (exchange, body, begin) -> {
                begin.run(true);
                return Submitted.of(CompletableFuture.failedFuture(new Full(kind)));
              });
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body())
          .contains(
              kind == FleetException.Kind.NO_ROOM ? "problem:overload" : "problem:outcome-unknown");
    }
  }

  @Test
  void theOutcomeIsUnknownWhereItsAnswerCannotBeMade() throws Exception {
    Answer done = new Answer(Outcome.DONE, new byte[0], 2, 0, false);
    HttpResponse<String> answer =
        answer(
            (exchange, body, begin) -> {
              begin.run(true);
              return Submitted.of(CompletableFuture.completedFuture(done))
                  .answering(
                      (to, made) -> {
                        throw none();
                      });
            });
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("problem:outcome-unknown");
  }
}

package io.lighthouse.server;

import io.lighthouse.json.write.AnswerWriter;
import io.lighthouse.server.http.Exchange;
import io.lighthouse.server.http.ProblemDetails;
import io.lighthouse.server.http.QueryParameters;
import io.lighthouse.server.http.Route;
import io.lighthouse.server.http.Watchdog;
import io.lighthouse.server.monitor.ServiceMetrics;
import io.lighthouse.server.placement.PlacementCall;
import io.lighthouse.server.placement.PlacementCall.Question;
import io.lighthouse.server.placement.StrategyCatalog;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** All routes of the service. */
final class Routes {
  private final StrategyCatalog catalog;
  private final ServiceMetrics metrics;
  private final Function<Question, PlacementCall> calls;
  private final List<Route> ofFleets;
  private BooleanSupplier stopping = () -> false;
  private Supplier<Optional<String>> storeDoubt = Optional::empty;

  /** The routes; without those of fleets where no fleets are kept. */
  Routes(
      StrategyCatalog catalog,
      ServiceMetrics metrics,
      Function<Question, PlacementCall> calls,
      List<Route> ofFleets) {
    this.ofFleets = ofFleets;
    this.catalog = catalog;
    this.metrics = metrics;
    this.calls = calls;
  }

  /**
   * Sets the sources of two facts: whether the service stops, and why the store of fleets is not
   * written to.
   */
  void readyUnless(BooleanSupplier isStopping, Supplier<Optional<String>> doubt) {
    stopping = isStopping;
    storeDoubt = doubt;
  }

  /** All routes; readiness also checks the watchdog. */
  List<Route> all(Watchdog watchdog) {
    List<String> json = List.of(Exchange.JSON);
    List<Route> all = new ArrayList<>();
    QueryParameters none = QueryParameters.NONE;
    QueryParameters recording = PlacementCall.RECORDING;
    all.addAll(
        List.of(
            post("/assign-workloads", recording, Question.ALL_OR_NOTHING),
            post("/try-assign-workloads", recording, Question.WHAT_CAN_BE),
            post("/explain-workload", PlacementCall.EXPLAINING, Question.WHY_NOT),
            post("/what-if", none, Question.WHAT_IF),
            post("/plan", none, Question.WHICH_MOVES),
            post("/size", none, Question.HOW_MANY_NODES),
            post("/headroom", none, Question.HOW_MUCH_MORE),
            new Route(
                "/picture",
                "POST",
                false,
                List.of(PlacementCall.SVG),
                PlacementCall.DRAWING,
                calls.apply(Question.WHAT_IT_LOOKS_LIKE)),
            new Route("/strategies", "GET", false, json, none, answering(catalog::write)),
            new Route(
                "/", "GET", true, List.of(Page.MEDIA_TYPE), none, new Page(!ofFleets.isEmpty())),
            new Route(
                "/openapi.json", "GET", true, json, none, resource(Exchange.JSON, "openapi.json")),
            new Route("/health/live", "GET", true, json, none, answering(Routes::live)),
            new Route(
                "/health/ready",
                "GET",
                true,
                json,
                none,
                (exchange, body) -> ready(exchange, watchdog)),
            new Route(
                "/metrics",
                "GET",
                false,
                List.of(ServiceMetrics.MEDIA_TYPE),
                none,
                (exchange, body) ->
                    exchange.answer(
                        ServiceMetrics.MEDIA_TYPE + "; version=0.0.4; charset=utf-8",
                        metrics.toText()))));
    all.addAll(ofFleets);
    return all;
  }

  private Route post(String path, QueryParameters parameters, Question question) {
    return new Route(
        path, "POST", false, List.of(Exchange.JSON), parameters, calls.apply(question));
  }

  private static void live(AnswerWriter json) {
    json.member("status", "live");
  }

  private void ready(Exchange exchange, Watchdog watchdog) {
    List<String> stuck = watchdog.stuck();
    Optional<String> doubt = storeDoubt.get();
    if (stopping.getAsBoolean()) {
      exchange.fail(
          ProblemDetails.of(503, "stopping", "The service stops", "the service is stopping"));
    } else if (!stuck.isEmpty()) {
      exchange.fail(
          ProblemDetails.of(
              503,
              "stuck",
              "A thread of the service is stuck",
              "not moved on for too long: " + String.join(", ", stuck) + "; see the log"));
    } else if (doubt.isPresent()) {
      exchange.fail(ProblemDetails.of(503, "store", "The store failed", doubt.get()));
    } else {
      answering(json -> json.member("status", "ready")).answer(exchange, null);
    }
  }

  /** Answers with a file that comes with the service. */
  private static Route.Action resource(String mediaType, String name) {
    try (InputStream in = Routes.class.getResourceAsStream(name)) {
      ByteBuffer content = ByteBuffer.wrap(in.readAllBytes()).asReadOnlyBuffer();
      return (exchange, body) -> exchange.answer(mediaType, content.duplicate());
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static Route.Action answering(Consumer<AnswerWriter> members) {
    return (exchange, body) ->
        exchange.answer(Exchange.JSON, ByteBuffer.wrap(AnswerWriter.toBytes(members)));
  }
}

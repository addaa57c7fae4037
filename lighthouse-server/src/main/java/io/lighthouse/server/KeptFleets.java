package io.lighthouse.server;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.core.Distributors;
import io.lighthouse.fleets.FleetEngine;
import io.lighthouse.fleets.live.Fleets;
import io.lighthouse.fleets.store.Journal;
import io.lighthouse.fleets.store.StoreException;
import io.lighthouse.json.Problem;
import io.lighthouse.json.ProblemDistributor;
import io.lighthouse.json.StrategyWords;
import io.lighthouse.server.fleets.FleetEvents;
import io.lighthouse.server.fleets.FleetRoutes;
import io.lighthouse.server.http.AnsweringThread;
import io.lighthouse.server.http.ByteBudget;
import io.lighthouse.server.http.Deadlines;
import io.lighthouse.server.http.Route;
import io.lighthouse.server.monitor.ServiceMetrics;
import io.lighthouse.server.placement.DecisionPool;
import io.lighthouse.server.placement.PlacementCall;
import io.lighthouse.server.placement.PlacementCall.Question;
import io.lighthouse.server.placement.StrategyCatalog;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;

/** The fleets that a service keeps in a store, with their routes, event streams and threads. */
final class KeptFleets implements AutoCloseable {
  private final Fleets fleets;

  /** Write the answers of turns, and read the next requests of their connections. */
  private final ExecutorService answering;

  /** Null before there are routes. */
  private FleetEvents events;

  /**
   * Reads the bodies of the calls to fleets; null before there are routes. It is not the pool of
   * the decisions: slow questions must not keep changes of fleets waiting.
   */
  private DecisionPool bodies;

  private KeptFleets(Fleets fleets, ExecutorService answering) {
    this.fleets = fleets;
    this.answering = answering;
  }

  /** Opens the store; empty where none is configured. */
  static Optional<KeptFleets> open(
      ServiceSettings settings, StrategyCatalog catalog, ServiceMetrics metrics)
      throws ServiceStartException {
    if (!settings.keepsFleets()) {
      return Optional.empty();
    }
    try {
      Journal journal = settings.openJournal();
      try {
        ExecutorService answering = AnsweringThread.pool("lighthouse-answers-");
        Fleets fleets =
            Fleets.open(
                journal,
                engine(catalog),
                settings.fleets(),
                metrics.ofFleets(),
                Clock.systemUTC(),
                answering);
        return Optional.of(new KeptFleets(fleets, answering));
      } catch (Throwable failed) {
        journal.close();
        throw failed;
      }
    } catch (StoreException failed) {
      throw new ServiceStartException(
          ServiceStartException.Kind.SETTINGS, failed.getMessage(), failed);
    }
  }

  private static FleetEngine engine(StrategyCatalog catalog) {
    return FleetEngine.of(
        problem -> ProblemDistributor.of(strategy(catalog, problem), problem),
        problem -> ProblemDistributor.restored(strategy(catalog, problem), problem));
  }

  private static Distributors.Builder strategy(StrategyCatalog catalog, Problem problem) {
    String word = problem.strategy().orElse("Prioritized");
    try {
      return catalog.builder(StrategyWords.nameOf(word));
    } catch (InvalidInputException unknown) {
      throw new InvalidInputException(
          "distributor", "strategy", "'" + word + "'", catalog.allowedFor(word));
    }
  }

  /** The routes of the fleets. */
  List<Route> routes(
      ServiceSettings settings,
      Deadlines deadlines,
      DecisionPool bodies,
      ByteBudget budget,
      ServiceMetrics metrics,
      Function<Question, PlacementCall> calls) {
    this.bodies = bodies;
    events = new FleetEvents(deadlines, budget, settings.count(ServiceLimit.WATCHERS));
    metrics.watch(fleets, events::count);
    return new FleetRoutes(
            fleets, events, settings.content(), bodies, metrics, settings.origins(), calls)
        .all();
  }

  /** Ends the event streams, which have no end of their own. */
  void endStreams() {
    events.close();
  }

  /** Why nothing is written to the store until a restart; empty while writes work. */
  Optional<String> doubt() {
    return fleets.doubt();
  }

  /** Ends all answers, and closes the store. */
  @Override
  public void close() {
    fleets.close();
    if (bodies != null) {
      bodies.close();
    }
    answering.shutdown();
  }
}

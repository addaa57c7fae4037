package io.lighthouse.server;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.core.Distributors;
import io.lighthouse.json.read.ProblemReader;
import io.lighthouse.server.http.BearerTokens;
import io.lighthouse.server.http.ByteBudget;
import io.lighthouse.server.http.Connections;
import io.lighthouse.server.http.Deadlines;
import io.lighthouse.server.http.HostNames;
import io.lighthouse.server.http.Route;
import io.lighthouse.server.http.Router;
import io.lighthouse.server.http.Watchdog;
import io.lighthouse.server.monitor.RequestLines;
import io.lighthouse.server.monitor.ServiceMetrics;
import io.lighthouse.server.placement.DecisionPool;
import io.lighthouse.server.placement.PlacementCall;
import io.lighthouse.server.placement.PlacementCall.Question;
import io.lighthouse.server.placement.StrategyCatalog;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.CharacterCodingException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * The running service. Started by {@link #start}, until {@link #stop}. Thread-safe.
 *
 * <pre>{@code
 * PlacementService service = PlacementService.start(new ServiceSettings().listenOn("127.0.0.1", 0));
 * }</pre>
 */
public final class PlacementService {
  private static final System.Logger LOG = System.getLogger("io.lighthouse.server");
  private static final int POLL_MILLIS = 10;

  /** The longest wait for the threads of the server when the service stops. */
  private static final int CLOSE_MILLIS = 10_000;

  private final Server server;
  private final Router router;
  private final DecisionPool pool;
  private final Deadlines deadlines;
  private final Optional<KeptFleets> fleets;
  private final Duration stopTimeout;
  private final URI uri;

  private PlacementService(
      Server server,
      Router router,
      DecisionPool pool,
      Deadlines deadlines,
      Optional<KeptFleets> fleets,
      Duration stopTimeout,
      URI uri) {
    this.server = server;
    this.router = router;
    this.pool = pool;
    this.deadlines = deadlines;
    this.fleets = fleets;
    this.stopTimeout = stopTimeout;
    this.uri = uri;
  }

  /**
   * Starts the service: it answers when this returns.
   *
   * @param settings its settings
   * @return the running service
   * @throws ServiceStartException if it cannot start; then no part of it runs
   */
  public static PlacementService start(ServiceSettings settings) throws ServiceStartException {
    StrategyCatalog catalog = new StrategyCatalog(distributors(settings));
    for (String fault : catalog.faults()) {
      LOG.log(System.Logger.Level.WARNING, "a strategy cannot be used: {0}", fault);
    }
    Optional<BearerTokens> tokens = tokens(settings);
    ServiceMetrics metrics = new ServiceMetrics();
    Optional<KeptFleets> fleets = KeptFleets.open(settings, catalog, metrics);
    Watchdog watchdog = new Watchdog(settings.stepTimeout());
    Deadlines deadlines = new Deadlines(watchdog);
    tokens.ifPresent(deadlines::add);
    Supplier<DecisionPool> pools =
        () ->
            new DecisionPool(
                deadlines,
                watchdog,
                settings.count(ServiceLimit.DECISIONS),
                settings.time(ServiceLimit.QUEUE_TIMEOUT),
                settings.time(ServiceLimit.DECISION_TIMEOUT));
    DecisionPool pool = pools.get();
    Connections connections =
        new Connections(
            deadlines,
            settings.time(ServiceLimit.HEADER_TIMEOUT),
            settings.time(ServiceLimit.BODY_TIMEOUT));
    ByteBudget budget = new ByteBudget(settings.bytesInFlight());
    metrics.watch(connections, budget, pool, catalog, watchdog);
    ProblemReader reader = ProblemReader.standard().withLimits(settings.content());
    Function<Question, PlacementCall> calls =
        question -> new PlacementCall(question, reader, catalog, pool, metrics);
    List<Route> ofFleets =
        fleets
            .map(kept -> kept.routes(settings, deadlines, pools.get(), budget, metrics, calls))
            .orElse(List.of());
    Routes routes = new Routes(catalog, metrics, calls, ofFleets);
    Router router =
        new Router(
            routes.all(watchdog),
            connections,
            budget,
            tokens,
            new HostNames(settings.bind(), settings.hosts()),
            settings.bodyBytes(),
            watchdog);
    routes.readyUnless(router::isStopping, () -> fleets.flatMap(KeptFleets::doubt));
    Optional<RequestLines> lines = settings.requestLog().map(RequestLines::new);
    try {
      ServerConnector connector = Listener.connector(settings, connections);
      Server server = connector.getServer();
      server.setHandler(Listener.around(router, settings));
      server.setRequestLog(
          (request, response) ->
              watchdog.run(
                  () -> {
                    try {
                      metrics.log(request, response);
                      lines.ifPresent(log -> log.log(request, response));
                    } finally {
                      Router.over(request);
                    }
                  }));
      Listener.open(server, connector, settings);
      URI uri = Listener.uri(connector, settings);
      return new PlacementService(
          server, router, pool, deadlines, fleets, settings.time(ServiceLimit.STOP_TIMEOUT), uri);
    } catch (ServiceStartException failed) {
      fleets.ifPresent(KeptFleets::close);
      pool.close();
      deadlines.close();
      throw failed;
    }
  }

  /**
   * The URL of the service.
   *
   * @return such as {@code http://127.0.0.1:8087/}
   */
  public URI uri() {
    return uri;
  }

  /**
   * Stops: refuses new requests, finishes those that run, within a time limit, and closes all
   * connections. A second call does nothing.
   *
   * @return whether everything that ran was finished
   */
  public synchronized boolean stop() {
    router.beginToStop();
    fleets.ifPresent(KeptFleets::endStreams);
    long end = System.nanoTime() + stopTimeout.toNanos();
    while (router.running() > 0 && System.nanoTime() < end) {
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException hurry) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    boolean finished = router.running() == 0;
    finished &= closeServer();
    fleets.ifPresent(KeptFleets::close);
    pool.close();
    deadlines.close();
    return finished;
  }

  /**
   * Closes all connections. A thread that waits for its log would never let it end, so it gets a
   * limited time; nothing is logged then.
   *
   * @return whether the server has stopped in order, and all its threads have ended
   */
  private boolean closeServer() {
    AtomicBoolean stopped = new AtomicBoolean();
    Thread closing =
        new Thread(
            () -> {
              try {
                server.stop();
                stopped.set(true);
              } catch (Exception broken) {
                LOG.log(System.Logger.Level.WARNING, "the service did not stop in order", broken);
              }
            },
            "lighthouse-closing");
    closing.setDaemon(true);
    try {
      closing.start();
    } catch (OutOfMemoryError noThread) {
      closing.run(); // Here, without a limit.
      return stopped.get();
    }
    boolean hurry = Thread.interrupted();
    try {
      closing.join(CLOSE_MILLIS);
    } catch (InterruptedException again) {
      hurry = true;
    }
    if (hurry) {
      Thread.currentThread().interrupt();
    }
    return stopped.get();
  }

  /**
   * Waits until the service has stopped. Its own threads do not keep a JVM alive.
   *
   * @throws InterruptedException if the waiting thread is interrupted
   */
  public void awaitStop() throws InterruptedException {
    server.join();
  }

  /** All routes of the service. */
  List<Route> routes() {
    return router.routes();
  }

  private static Distributors distributors(ServiceSettings settings) throws ServiceStartException {
    if (settings.plugins().isEmpty()) {
      return Distributors.installed();
    }
    try {
      return Distributors.installed(settings.plugins().get());
    } catch (InvalidInputException unreadable) {
      throw new ServiceStartException(
          ServiceStartException.Kind.SETTINGS, unreadable.getMessage(), unreadable);
    }
  }

  private static Optional<BearerTokens> tokens(ServiceSettings settings)
      throws ServiceStartException {
    if (settings.tokens().isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(new BearerTokens(settings.tokens().get()));
    } catch (IOException unreadable) {
      throw new ServiceStartException(
          ServiceStartException.Kind.SETTINGS,
          "cannot use the token file " + settings.tokens().get() + ": " + reason(unreadable),
          unreadable);
    }
  }

  /** Describes the failure of a file. */
  static String reason(IOException trouble) {
    if (trouble instanceof java.nio.file.NoSuchFileException) {
      return "there is no such file";
    }
    if (trouble instanceof java.nio.file.AccessDeniedException) {
      return "it may not be read";
    }
    if (trouble instanceof CharacterCodingException) {
      return "it is not UTF-8";
    }
    return trouble.getMessage() == null ? trouble.toString() : trouble.getMessage();
  }
}

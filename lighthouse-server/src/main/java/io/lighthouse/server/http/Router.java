package io.lighthouse.server.http;

import io.lighthouse.api.error.InvalidInputException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Finds the route of a request and checks its head, cheapest checks first. While the service stops,
 * only open routes are served.
 */
public final class Router extends Handler.Abstract {
  /** The attribute of a request that names its route, for the metrics. */
  public static final String ROUTE = "lighthouse.route";

  /** The attribute of a request that is counted as running, which ends the count. */
  private static final String RUNNING = "lighthouse.running";

  /** By path or shape: one route for each method. */
  private final Map<String, List<Route>> routes = new LinkedHashMap<>();

  /** The paths with names in braces, and their parts. */
  private final Map<String, String[]> shapes = new LinkedHashMap<>();

  /** The methods of all routes, for {@code OPTIONS *}. */
  private final String allowedAnywhere;

  private final Connections connections;
  private final ByteBudget budget;
  private final Optional<BearerTokens> tokens;
  private final HostNames hosts;
  private final long bodyBytes;
  private final Watchdog watchdog;
  private final AtomicInteger running = new AtomicInteger();
  private final Runnable ended = running::decrementAndGet;
  private volatile boolean stopping;

  /**
   * A router of these routes.
   *
   * @param routes the routes, each path and method once
   * @param connections the deadlines of connections
   * @param budget the bytes of all bodies and answers
   * @param tokens the tokens that callers need; nothing where no token is needed
   * @param hosts the host names that requests may use where there are no tokens
   * @param bodyBytes most bytes of one body
   * @param watchdog watches the steps
   */
  public Router(
      List<Route> routes,
      Connections connections,
      ByteBudget budget,
      Optional<BearerTokens> tokens,
      HostNames hosts,
      long bodyBytes,
      Watchdog watchdog) {
    // Nothing here blocks, so Jetty needs no second thread for a request.
    super(InvocationType.NON_BLOCKING);
    for (Route route : routes) {
      List<Route> here = this.routes.computeIfAbsent(route.path(), path -> new ArrayList<>());
      if (here.isEmpty() && route.isShape()) {
        shapes.put(route.path(), route.parts());
      }
      here.add(route);
    }
    Map<String, Route> byMethod = new TreeMap<>();
    routes.forEach(route -> byMethod.put(route.method(), route));
    allowedAnywhere = Route.allowed(byMethod.values());
    this.connections = connections;
    this.budget = budget;
    this.tokens = tokens;
    this.hosts = hosts;
    this.bodyBytes = bodyBytes;
    this.watchdog = watchdog;
  }

  /**
   * All routes, by path and then method.
   *
   * @return the routes in the order in which their paths were given
   */
  public List<Route> routes() {
    return routes.values().stream().flatMap(List::stream).toList();
  }

  /** From now on, new requests are turned away. */
  public void beginToStop() {
    stopping = true;
  }

  /**
   * Whether new requests are turned away.
   *
   * @return true when the service stops
   */
  public boolean isStopping() {
    return stopping;
  }

  /**
   * Ends a request, however it was answered, after it was counted and logged.
   *
   * @param request the request; ignored if it never reached a router, or is over
   */
  public static void over(Request request) {
    if (request.removeAttribute(RUNNING) instanceof Runnable end) {
      end.run();
    }
  }

  /**
   * The number of requests that are not over yet.
   *
   * @return 0 or more
   */
  public int running() {
    return running.get();
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    watchdog.run(() -> take(request, response, callback));
    return true;
  }

  private void take(Request request, Response response, Callback callback) {
    Exchange exchange =
        new Exchange(request, response, callback, connections, budget, watchdog, tokens);
    connections.working(request);
    running.incrementAndGet();
    request.setAttribute(RUNNING, ended);
    if (stopping) {
      response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
    }
    List<Route> here = find(exchange);
    Route route = taking(here, request.getMethod());
    boolean body = hasBody(request);
    if (body) {
      exchange.bodyBegins();
    }
    boolean answeredLater = body && route != null && route.takesBody();
    if (answeredLater || !AnsweringThread.isCurrent()) {
      serve(exchange, here, route);
    } else {
      Runnable step = () -> serveHere(exchange, here, route, callback);
      request.getComponents().getExecutor().execute(() -> watchdog.run(step));
    }
  }

  /** The routes at the path of a request; empty where there are none. */
  private List<Route> find(Exchange exchange) {
    List<Route> here = routes.get(exchange.request().getHttpURI().getCanonicalPath());
    if (here != null && !here.get(0).isShape()) {
      return here;
    }
    String raw = exchange.request().getHttpURI().getPath();
    String[] given = raw == null ? new String[0] : raw.split("/", -1);
    for (Map.Entry<String, String[]> shape : shapes.entrySet()) {
      Map<String, String> names = Route.read(shape.getValue(), given);
      if (names != null) {
        exchange.names(names);
        return routes.get(shape.getKey());
      }
    }
    return List.of();
  }

  /** The route of a method; null where there is none. */
  private static Route taking(List<Route> here, String method) {
    for (Route route : here) {
      if (route.takes(method)) {
        return route;
      }
    }
    return null;
  }

  /** Serves on a thread that does not catch exceptions. */
  private void serveHere(Exchange exchange, List<Route> here, Route route, Callback callback) {
    try {
      serve(exchange, here, route);
    } catch (Throwable bug) {
      callback.failed(bug);
    }
  }

  /** Serves a request; its route is null where none at its path takes its method. */
  private void serve(Exchange exchange, List<Route> here, Route route) {
    Request request = exchange.request();
    ProblemDetails unclear = Heads.wrongTransfer(request);
    ProblemDetails misdirected = tokens.isEmpty() ? hosts.wrongHost(request) : null;
    if (unclear != null) {
      exchange.header("Connection", "close");
      exchange.fail(unclear);
    } else if (misdirected != null) {
      exchange.fail(misdirected);
    } else if ("*".equals(request.getHttpURI().getPath())) {
      exchange.header("Allow", allowedAnywhere);
      exchange.answerEmpty(204);
    } else if (here.isEmpty()) {
      exchange.fail(
          ProblemDetails.of(
              404,
              "not-found",
              "There is nothing here",
              "there is nothing at this path"
                  + nearest(request)
                  + "; GET /openapi.json describes all calls"));
    } else {
      request.setAttribute(ROUTE, here.get(0).path());
      serveAt(exchange, Route.allowed(here), route);
    }
  }

  private String nearest(Request request) {
    String path = request.getHttpURI().getCanonicalPath();
    return path == null
        ? ""
        : NearestPath.of(path, routes.keySet()).map(near -> "; the nearest is " + near).orElse("");
  }

  private void serveAt(Exchange exchange, String allowed, Route route) {
    Request request = exchange.request();
    if (request.getMethod().equals("OPTIONS")) {
      exchange.header("Allow", allowed);
      exchange.answerEmpty(204);
    } else if (route == null) {
      exchange.header("Allow", allowed);
      exchange.fail(
          ProblemDetails.of(
              405,
              "method",
              "The method is not allowed here",
              InvalidInputException.shortened(request.getMethod())
                  + " is not allowed here; allowed: "
                  + allowed));
    } else if (stopping && !route.open()) {
      exchange.header("Connection", "close"); // The service may have begun to stop meanwhile.
      exchange.fail(
          ProblemDetails.of(
              503, "stopping", "The service stops", "the service is stopping; try another"));
    } else if (!route.open() && !exchange.authorize()) {
      exchange.header("WWW-Authenticate", "Bearer realm=\"lighthouse\"");
      exchange.fail(
          ProblemDetails.of(
              401,
              "unauthorized",
              "A token is needed",
              "send a known token: Authorization: Bearer TOKEN"));
    } else if (exchange.preferred(route.types()).isEmpty()) {
      exchange.fail(
          ProblemDetails.notAcceptable("Accept leaves out " + String.join(", ", route.types())));
    } else {
      act(exchange, route);
    }
  }

  /** Carries out a call that is allowed here, if its query and its body can be read. */
  private void act(Exchange exchange, Route route) {
    try {
      exchange.parameters(route.parameters().read(exchange.request().getHttpURI().getQuery()));
    } catch (QueryParameters.UnusableQueryException wrong) {
      exchange.fail(wrong.problem());
      return;
    }
    if (!route.takesBody()) {
      route.action().answer(exchange, InputStream.nullInputStream());
      return;
    }
    ProblemDetails wrong = Heads.wrongBody(exchange.request());
    if (wrong != null) {
      exchange.fail(wrong);
    } else {
      BodyReader.read(exchange, bodyBytes, body -> route.action().answer(exchange, body));
    }
  }

  private static boolean hasBody(Request request) {
    return request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING)
        || request.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH) > 0;
  }
}

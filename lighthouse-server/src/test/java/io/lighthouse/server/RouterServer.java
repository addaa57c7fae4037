package io.lighthouse.server;

import io.lighthouse.server.http.ByteBudget;
import io.lighthouse.server.http.ConnectionTurns;
import io.lighthouse.server.http.Connections;
import io.lighthouse.server.http.Deadlines;
import io.lighthouse.server.http.HostNames;
import io.lighthouse.server.http.Route;
import io.lighthouse.server.http.Router;
import io.lighthouse.server.http.Watchdog;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A server on loopback that has only the routes of a test. Bodies have at most 100 bytes. */
@SuppressWarnings("exports") // Tests are no module of others.
public final class RouterServer implements AutoCloseable {
  private final Server server = new Server(ConnectionTurns.threads(32));
  private final Watchdog watchdog = new Watchdog();
  private final Deadlines deadlines = new Deadlines(watchdog);

  public RouterServer(ByteBudget budget, Route... routes) throws Exception {
    this(Duration.ofSeconds(30), budget, routes);
  }

  /** The same with another time for a head and for a body. */
  RouterServer(Duration allowed, ByteBudget budget, Route... routes) throws Exception {
    Connections connections = new Connections(deadlines, allowed, allowed);
    server.setHandler(
        new Router(
            List.of(routes),
            connections,
            budget,
            Optional.empty(),
            new HostNames("127.0.0.1", List.of()),
            100,
            watchdog));
    ServerConnector connector = ConnectionTurns.connector(server, new HttpConnectionFactory());
    connector.addBean(connections);
    connector.setIdleTimeout(0); // As that of the service.
    server.addConnector(connector);
    server.start();
  }

  public URI uri() {
    return server.getURI();
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception failed) {
      throw new AssertionError(failed);
    } finally {
      deadlines.close();
    }
  }
}

package io.lighthouse.server;

import static io.lighthouse.server.ServiceStartException.Kind.ADDRESS;
import static io.lighthouse.server.ServiceStartException.Kind.SETTINGS;
import static org.eclipse.jetty.http.HttpCompliance.Violation.LF_CHUNK_TERMINATION;
import static org.eclipse.jetty.http.HttpCompliance.Violation.LF_HEADER_TERMINATION;
import static org.eclipse.jetty.http.HttpCompliance.Violation.MISMATCHED_AUTHORITY;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.server.http.AnswerEncodings;
import io.lighthouse.server.http.ConnectionTurns;
import io.lighthouse.server.http.Connections;
import io.lighthouse.server.http.ProblemDetails;
import io.lighthouse.server.http.Router;
import io.lighthouse.server.placement.Culprit;
import io.lighthouse.server.placement.PlacementCall;
import java.io.IOException;
import java.net.BindException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.jetty.compression.gzip.GzipCompression;
import org.eclipse.jetty.compression.server.CompressionConfig;
import org.eclipse.jetty.compression.server.CompressionHandler;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.CrossOriginHandler;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * Configures Jetty: HTTP/1.1, plain or over TLS, gzip in both directions, and our texts for its
 * errors.
 */
final class Listener {
  /** The maximum number of Jetty's threads. No thread waits for a client, so 32 are enough. */
  private static final int THREADS = 32;

  private static final int HEAD_BYTES = 16 << 10;

  /**
   * RFC 9110 and 9112 with two of their options. A line ends with CR LF only: where one server
   * accepts a bare LF and another does not, requests can be smuggled between them. The host of a
   * target in absolute form overrides the Host field (RFC 9112, 3.2.2).
   */
  private static final HttpCompliance COMPLIANCE =
      HttpCompliance.RFC9110
          .without("lighthouse", LF_HEADER_TERMINATION, LF_CHUNK_TERMINATION)
          .with("lighthouse", MISMATCHED_AUTHORITY);

  /**
   * The maximum number of connections that wait to be accepted; further clients retry after a
   * second.
   */
  private static final int BACKLOG = 1024;

  private Listener() {}

  /** A connector with its own server, not open yet. */
  static ServerConnector connector(ServiceSettings settings, Connections connections)
      throws ServiceStartException {
    QueuedThreadPool threads = ConnectionTurns.threads(THREADS);
    threads.setName("lighthouse-http");
    threads.setDaemon(true);
    Server server = new Server(threads);
    // Its handlers do not change, so Jetty may rely on their promise not to block.
    server.setDynamic(false);
    server.setErrorHandler(Listener::answerError);

    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(HEAD_BYTES);
    http.setHttpCompliance(COMPLIANCE);
    // So that a small problem arrives in one piece.
    http.setInputBufferSize(HEAD_BYTES);
    ServerConnector connector = ConnectionTurns.connector(server, factories(settings, http));
    connector.setHost(settings.bind());
    connector.setPort(settings.port());
    // Our own deadlines also apply to clients that trickle; see Connections.
    connector.setIdleTimeout(0);
    connector.setAcceptQueueSize(BACKLOG);
    connector.addBean(connections);
    connector.addBean(
        new NetworkConnectionLimit(settings.count(ServiceLimit.CONNECTIONS), connector));
    server.addConnector(connector);
    return connector;
  }

  /**
   * The handlers around the router, outermost first: the encodings that are accepted, gzip of
   * answers, and other origins if allowed.
   */
  static Handler around(Router router, ServiceSettings settings) {
    Handler inner = router;
    if (!settings.origins().isEmpty()) {
      CrossOriginHandler origins = new CrossOriginHandler();
      origins.setAllowedOriginPatterns(patterns(settings.origins()));
      boolean fleets = settings.keepsFleets();
      origins.setAllowedMethods(
          fleets ? Set.of("GET", "HEAD", "POST", "PUT", "DELETE") : Set.of("GET", "HEAD", "POST"));
      Set<String> headers =
          new TreeSet<>(Set.of("Content-Type", "Authorization", "Content-Encoding"));
      if (fleets) {
        headers.addAll(
            Set.of(
                "Idempotency-Key",
                "If-Match",
                "If-None-Match",
                "Last-Event-ID",
                "Lighthouse-Final"));
      }
      origins.setExposedHeaders(
          fleets
              ? Set.of("ETag", "Lighthouse-Replayed", PlacementCall.DECISION, "Retry-After")
              : Set.of(PlacementCall.DECISION, "Retry-After"));
      origins.setAllowedHeaders(headers);
      origins.setHandler(router);
      inner = origins;
    }
    CompressionHandler compression = new CompressionHandler(inner);
    compression.putCompression(new GzipCompression());
    // For answers only: Jetty's decoder would not notice that the end of a body is missing.
    compression.putConfiguration(
        "/*",
        CompressionConfig.builder()
            .compressIncludeMethod("GET")
            .compressIncludeMethod("POST")
            .decompressExcludePath("/*")
            // Its buffer would delay events.
            .compressExcludePath("^/fleets/[^/]+/events$")
            .build());
    return new AnswerEncodings(compression);
  }

  /** Opens the connector. */
  static void open(Server server, ServerConnector connector, ServiceSettings settings)
      throws ServiceStartException {
    try {
      connector.open();
      server.start();
    } catch (Exception trouble) {
      connector.close();
      throw new ServiceStartException(
          ADDRESS,
          "cannot listen on "
              + settings.bind()
              + ":"
              + settings.port()
              + ": "
              + addressTrouble(trouble),
          trouble);
    }
  }

  static URI uri(ServerConnector connector, ServiceSettings settings) {
    String scheme = settings.keystore().isPresent() ? "https" : "http";
    String host = settings.bind().contains(":") ? "[" + settings.bind() + "]" : settings.bind();
    return URI.create(scheme + "://" + host + ":" + connector.getLocalPort() + "/");
  }

  private static String addressTrouble(Exception trouble) {
    Throwable cause = trouble.getCause() == null ? trouble : trouble.getCause();
    if (cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException) {
      return "there is no such host";
    }
    if (cause instanceof BindException) {
      return cause.getMessage().contains("in use")
          ? "the port is in use; choose another, or 0 for any that is free"
          : "the address is none of this machine";
    }
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }

  private static Set<String> patterns(List<String> origins) {
    return origins.stream()
        .map(origin -> origin.equals("*") ? "*" : Pattern.quote(origin))
        .collect(Collectors.toSet());
  }

  private static ConnectionFactory[] factories(ServiceSettings settings, HttpConfiguration http)
      throws ServiceStartException {
    HttpConnectionFactory plain = new HttpConnectionFactory(http);
    if (settings.keystore().isEmpty()) {
      return new ConnectionFactory[] {plain};
    }
    // One key for all host names that clients use.
    http.addCustomizer(new SecureRequestCustomizer(false));
    SslContextFactory.Server tls = new SslContextFactory.Server();
    String password = password(settings.keystorePassword().orElseThrow());
    tls.setKeyStore(keystore(settings.keystore().get(), password));
    tls.setKeyStorePassword(password);
    tls.setIncludeProtocols("TLSv1.3", "TLSv1.2");
    tls.setSniRequired(false);
    return new ConnectionFactory[] {new SslConnectionFactory(tls, plain.getProtocol()), plain};
  }

  private static String password(Path file) throws ServiceStartException {
    try {
      List<String> lines = Files.readAllLines(file);
      return lines.isEmpty() ? "" : lines.get(0);
    } catch (IOException unreadable) {
      throw new ServiceStartException(
          SETTINGS,
          "cannot read the keystore password file "
              + file
              + ": "
              + PlacementService.reason(unreadable),
          unreadable);
    }
  }

  private static KeyStore keystore(Path file, String password) throws ServiceStartException {
    try {
      if (!Files.exists(file)) {
        throw new IOException("there is no such file");
      }
      if (!Files.isRegularFile(file)) {
        throw new IOException("it is no file");
      }
      KeyStore store = KeyStore.getInstance(file.toFile(), password.toCharArray());
      boolean key = false;
      for (String alias : java.util.Collections.list(store.aliases())) {
        key |= store.isKeyEntry(alias);
      }
      if (!key) {
        throw new IOException("it holds no private key");
      }
      return store;
    } catch (KeyStoreException unknown) {
      throw new ServiceStartException(
          SETTINGS,
          "cannot use the keystore "
              + file
              + ": it is neither PKCS#12 nor JKS; openssl pkcs12 -export -in CERTIFICATES -inkey KEY"
              + " makes PKCS#12 of PEM",
          unknown);
    } catch (IOException | java.security.GeneralSecurityException unusable) {
      throw new ServiceStartException(
          SETTINGS, "cannot use the keystore " + file + ": " + unusable.getMessage(), unusable);
    }
  }

  /** Answers what Jetty itself refuses, such as a head that is not HTTP, and what broke off. */
  private static boolean answerError(Request request, Response response, Callback callback) {
    ProblemDetails problem = problem(request, response.getStatus());
    response.setStatus(problem.status());
    byte[] body = problem.toJson();
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, ProblemDetails.MEDIA_TYPE);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
    response.getHeaders().put("X-Content-Type-Options", "nosniff");
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    response.write(true, ByteBuffer.wrap(body), callback);
    return true;
  }

  private static ProblemDetails problem(Request request, int status) {
    if (status == 406) { // Accept is checked by the router: it is about the encoding.
      return ProblemDetails.notAcceptable(
          "Accept-Encoding leaves out every encoding; allowed: gzip, or identity, which is none");
    }
    return ProblemDetails.of(
        status,
        status == 500 ? Culprit.LIGHTHOUSE.type() : "http",
        status == 500 ? Culprit.LIGHTHOUSE.title() : HttpStatus.getMessage(status),
        switch (status) {
          case 414 -> "the target of the request is longer than " + HEAD_BYTES + " bytes";
          case 431 -> "the head of the request is longer than " + HEAD_BYTES + " bytes";
          case 417 -> "an Expect other than 100-continue is not understood here";
          case 426, 505 -> "HTTP/1.1 and HTTP/1.0 are understood here";
          default ->
              status < 500 || status == 501
                  ? "the request is not HTTP/1.1 as it is understood here" + reason(request)
                  : "this is a bug of Lighthouse; see its log";
        });
  }

  /** What Jetty found wrong with a request, as the end of a sentence; empty if it has no words. */
  private static String reason(Request request) {
    return request.getAttribute(ErrorHandler.ERROR_EXCEPTION) instanceof HttpException wrong
            && wrong.getReason() != null
            && !wrong.getReason().equals(HttpStatus.getMessage(wrong.getCode()))
        ? ": " + InvalidInputException.shortened(wrong.getReason())
        : "";
  }
}

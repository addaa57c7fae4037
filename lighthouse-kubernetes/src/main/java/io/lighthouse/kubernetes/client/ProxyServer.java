package io.lighthouse.kubernetes.client;

import io.lighthouse.api.error.InvalidInputException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.message.StatusLine;

/**
 * A proxy on the way to an API server: an HTTP proxy, which opens a tunnel by {@code CONNECT}, or a
 * SOCKS proxy. Immutable.
 *
 * @param uri its address, with a user and a password if it asks for them
 */
public record ProxyServer(URI uri) {
  private static final List<String> SCHEMES = List.of("http", "socks5");
  private static final String ALLOWED = "http://HOST:PORT or socks5://HOST:PORT";

  /** The highest port. */
  static final int MOST_PORT = 65_535;

  public ProxyServer {
    boolean known = uri.getScheme() != null && SCHEMES.contains(uri.getScheme());
    if (!known || uri.getHost() == null || uri.getPort() > MOST_PORT) {
      throw new InvalidInputException("proxy", "address", shown(uri), ALLOWED);
    }
    if (uri.getScheme().equals("socks5") && uri.getRawUserInfo() != null) {
      throw new InvalidInputException(
          "proxy", "address", "socks5 with a user", "socks5://HOST:PORT, without a user");
    }
  }

  /**
   * The proxy of an address; one without a scheme is an HTTP proxy.
   *
   * @throws InvalidInputException if it is no address of a proxy
   */
  static ProxyServer of(String address) {
    try {
      return new ProxyServer(new URI(address.contains("://") ? address : "http://" + address));
    } catch (URISyntaxException broken) {
      // The address may hold a password.
      throw new InvalidInputException("proxy", "address", "no URI", ALLOWED);
    }
  }

  /**
   * The proxy that the environment names for a server: {@code HTTPS_PROXY} or {@code HTTP_PROXY},
   * unless {@code NO_PROXY} excludes it. The names may be in lower case.
   *
   * @throws InvalidInputException if the variable holds no address of a proxy
   */
  static Optional<ProxyServer> ofEnvironment(URI server, Map<String, String> environment) {
    String address = variable(environment, server.getScheme().toUpperCase(Locale.ROOT) + "_PROXY");
    if (address.isEmpty() || NoProxy.excludes(server, variable(environment, "NO_PROXY"))) {
      return Optional.empty();
    }
    return Optional.of(of(address));
  }

  private static String variable(Map<String, String> environment, String name) {
    String value = environment.getOrDefault(name, "");
    return value.isEmpty() ? environment.getOrDefault(name.toLowerCase(Locale.ROOT), "") : value;
  }

  private static String shown(URI uri) {
    return uri.getScheme() + "://" + uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
  }

  boolean isSocks() {
    return uri.getScheme().equals("socks5");
  }

  String host() {
    return uri.getHost().replaceAll("[\\[\\]]", "");
  }

  int port() {
    return uri.getPort() >= 0 ? uri.getPort() : isSocks() ? 1080 : 80;
  }

  /** A socket that is not connected; a SOCKS proxy is part of it. */
  Socket socket() {
    return new Socket(
        isSocks()
            ? new Proxy(Proxy.Type.SOCKS, new InetSocketAddress(host(), port()))
            : Proxy.NO_PROXY);
  }

  /**
   * Opens a tunnel over a connection to this proxy.
   *
   * @param target host and port of the server
   * @throws IOException if the proxy refuses
   */
  void tunnel(Socket connected, String target) throws IOException {
    ClassicHttpRequest request = new BasicClassicHttpRequest("CONNECT", null, target);
    request.addHeader(HttpHeaders.HOST, target);
    request.addHeader(HttpHeaders.USER_AGENT, "lighthouse");
    if (uri.getUserInfo() != null) {
      byte[] user = uri.getUserInfo().getBytes(StandardCharsets.UTF_8);
      request.addHeader(
          HttpHeaders.PROXY_AUTHORIZATION, "Basic " + Base64.getEncoder().encodeToString(user));
    }
    try {
      // What it reads ahead is lost: a server sends nothing before its client does.
      HttpClientConnection http = Dialer.PROTOCOL.createConnection(connected);
      http.sendRequestHeader(request);
      http.flush();
      ClassicHttpResponse answer = http.receiveResponseHeader();
      if (answer.getCode() < 200 || answer.getCode() > 299) {
        throw new IOException(
            "proxy %s opens no tunnel to %s: '%s'".formatted(this, target, new StatusLine(answer)));
      }
    } catch (HttpException | NoHttpResponseException none) {
      throw new IOException("proxy " + this + " answers no HTTP", none);
    }
  }

  /** Without user and password. */
  @Override
  public String toString() {
    return shown(uri);
  }
}

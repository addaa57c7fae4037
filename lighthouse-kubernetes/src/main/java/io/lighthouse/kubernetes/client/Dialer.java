package io.lighthouse.kubernetes.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketOption;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import jdk.net.ExtendedSocketOptions;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnectionFactory;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.io.HttpConnectionFactory;

/**
 * Connects to one server: TCP with keepalive, through a proxy if there is one, and TLS. It sets no
 * time limit but that of TCP: its caller closes the socket. Thread-safe.
 */
final class Dialer {
  /**
   * In seconds, and times: a connection whose other side has gone without a word is noticed after
   * half a minute, where the system can do it.
   */
  private static final Map<SocketOption<Integer>, Integer> KEEP_ALIVE =
      Map.of(
          ExtendedSocketOptions.TCP_KEEPIDLE,
          15,
          ExtendedSocketOptions.TCP_KEEPINTERVAL,
          5,
          ExtendedSocketOptions.TCP_KEEPCOUNT,
          3);

  /** Room for a request with its body, and for a record of TLS; bounds for what is answered. */
  static final HttpConnectionFactory<? extends HttpClientConnection> PROTOCOL =
      DefaultBHttpClientConnectionFactory.builder()
          .http1Config(
              Http1Config.custom()
                  .setBufferSize(1 << 14)
                  .setMaxLineLength(1 << 16)
                  .setMaxHeaderCount(1_000)
                  .build())
          .build();

  private final ServerTrust trust;
  private final Optional<ProxyServer> proxy;
  private final boolean secure;
  private final String host;
  private final int port;

  /** The caller's certificate that the context shows. */
  private ClientCertificate shown;

  /** The authorities that the context trusts. */
  private List<X509Certificate> trusted;

  /** Null before the first connection over TLS. */
  private SSLContext context;

  Dialer(ClusterAccess access) {
    trust = access.trust();
    proxy = access.proxy();
    URI server = access.server();
    secure = "https".equals(server.getScheme());
    host = server.getHost().replaceAll("[\\[\\]]", "");
    port = server.getPort() >= 0 ? server.getPort() : secure ? 443 : 80;
  }

  /** A socket that is not connected. To close it ends all that is done over it. */
  Socket socket() {
    return proxy.map(ProxyServer::socket).orElseGet(() -> new Socket(Proxy.NO_PROXY));
  }

  /**
   * Connects a socket of {@link #socket()}.
   *
   * @param own the caller's certificate; null for none
   * @param millis the longest that TCP may take to connect
   */
  HttpClientConnection connect(Socket socket, ClientCertificate own, int millis)
      throws IOException {
    if (proxy.isEmpty()) {
      socket.connect(new InetSocketAddress(host, port), millis);
    } else if (proxy.get().isSocks()) {
      // The proxy resolves the name.
      socket.connect(InetSocketAddress.createUnresolved(host, port), millis);
    } else {
      ProxyServer between = proxy.get();
      socket.connect(new InetSocketAddress(between.host(), between.port()), millis);
      between.tunnel(socket, (host.contains(":") ? "[" + host + "]" : host) + ":" + port);
    }
    socket.setTcpNoDelay(true);
    keepAlive(socket);
    return secure
        ? PROTOCOL.createConnection(secured(socket, own), socket)
        : PROTOCOL.createConnection(socket);
  }

  /** The same context while the certificates are the same, so that TLS sessions are resumed. */
  private synchronized SSLContext context(ClientCertificate own) {
    List<X509Certificate> authorities = trust.authorities().get();
    if (context == null || !Objects.equals(own, shown) || !authorities.equals(trusted)) {
      context = trust.context(own, authorities);
      shown = own;
      trusted = authorities;
    }
    return context;
  }

  private SSLSocket secured(Socket connected, ClientCertificate own) throws IOException {
    String name = trust.serverName().orElse(host);
    SSLSocketFactory factory = context(own).getSocketFactory();
    SSLSocket over = (SSLSocket) factory.createSocket(connected, name, port, true);
    SSLParameters parameters = over.getSSLParameters();
    if (!trust.unchecked()) {
      // Without this, any certificate of the authority would do, whatever its name.
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
    }
    // The JDK sends no name without a dot by itself.
    trust.serverName().ifPresent(sent -> parameters.setServerNames(List.of(new SNIHostName(sent))));
    over.setSSLParameters(parameters);
    over.startHandshake();
    return over;
  }

  private static void keepAlive(Socket socket) throws IOException {
    socket.setKeepAlive(true);
    for (Map.Entry<SocketOption<Integer>, Integer> option : KEEP_ALIVE.entrySet()) {
      if (socket.supportedOptions().contains(option.getKey())) {
        socket.setOption(option.getKey(), option.getValue());
      }
    }
  }
}

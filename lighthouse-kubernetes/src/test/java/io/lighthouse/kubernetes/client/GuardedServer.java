package io.lighthouse.kubernetes.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;

/**
 * An API server over TLS that admits some callers, by token or by the subject of a certificate, and
 * answers 401 to others. It keeps what it has seen of each call.
 */
final class GuardedServer implements AutoCloseable {
  private final SocketServer server;
  private final ServerTrust clients;
  private final boolean wantsCertificates;
  private final Set<String> admitted = ConcurrentHashMap.newKeySet();
  private final List<Seen> seen = new CopyOnWriteArrayList<>();
  private volatile SSLContext tls;

  /**
   * A call.
   *
   * @param name the name in the TLS handshake; empty for none
   * @param caller the token, or the subject of the certificate; empty for neither
   * @param status of the answer
   */
  record Seen(String name, String caller, int status) {}

  GuardedServer(TestKeys own, TestKeys... clients) throws IOException {
    this.clients = ServerTrust.of(() -> Stream.of(clients).map(TestKeys::certificate).toList());
    wantsCertificates = clients.length > 0;
    tls = this.clients.context(own.pair());
    server = new SocketServer(this::serve);
  }

  /** Shows this certificate from now on, and ends the connections that were made with another. */
  void show(TestKeys own) throws IOException {
    tls = clients.context(own.pair());
    server.cut();
  }

  /** Admits these callers from now on, and no others. */
  GuardedServer admit(String... callers) {
    admitted.clear();
    admitted.addAll(List.of(callers));
    return this;
  }

  int port() {
    return server.port();
  }

  List<Seen> seen() {
    return seen;
  }

  private void serve(Socket plain) throws IOException {
    try (SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(plain, null, true)) {
      socket.setWantClientAuth(wantsCertificates);
      socket.startHandshake();
      while (true) {
        String head = head(socket.getInputStream());
        if (head.isEmpty()) {
          return;
        }
        int token = head.indexOf("Authorization: Bearer ");
        String caller =
            token >= 0
                ? head.substring(token + 22, head.indexOf("\r\n", token))
                : subject(socket.getSession());
        int status = admitted.contains(caller) ? 200 : 401;
        seen.add(new Seen(name(socket.getSession()), caller, status));
        String body = status == 200 ? "{\"major\":\"1\"}" : "{\"reason\":\"Unauthorized\"}";
        String answer =
            "HTTP/1.1 %d X\r\nContent-Length: %d\r\n\r\n%s".formatted(status, body.length(), body);
        socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
      }
    }
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        return "";
      }
      head.append((char) next);
    }
    return head.toString();
  }

  private static String subject(SSLSession session) {
    try {
      return session.getPeerPrincipal().getName();
    } catch (SSLPeerUnverifiedException none) {
      return "";
    }
  }

  private static String name(SSLSession session) {
    return ((ExtendedSSLSession) session)
        .getRequestedServerNames().stream()
            .map(name -> new String(name.getEncoded(), StandardCharsets.US_ASCII))
            .findFirst()
            .orElse("");
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}

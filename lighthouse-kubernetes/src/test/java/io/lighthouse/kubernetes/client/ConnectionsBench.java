package io.lighthouse.kubernetes.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A server that sends what a test says, over the connections of a client. */
abstract class ConnectionsBench {
  /** In place of an answer: the connection is closed. */
  static final byte[] CUT = {};

  /** In place of an answer: nothing comes. */
  static final byte[] SILENCE = {0};

  final Queue<byte[]> answers = new ConcurrentLinkedQueue<>();
  final List<String> requests = new CopyOnWriteArrayList<>();
  List<Socket> sockets;
  SocketServer listener;

  @BeforeEach
  void listen() throws IOException {
    listener = new SocketServer(this::serve);
    sockets = listener.sockets;
  }

  @AfterEach
  void close() throws IOException {
    listener.close();
  }

  /** One answer for each request, of which the body is as long as it says. */
  private void serve(Socket socket) throws IOException {
    try (socket) {
      InputStream in = socket.getInputStream();
      OutputStream out = socket.getOutputStream();
      while (true) {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
          int next = in.read();
          if (next < 0) {
            return;
          }
          head.append((char) next);
        }
        int length = head.indexOf("Content-Length: ");
        int bytes =
            length < 0
                ? 0
                : Integer.parseInt(head.substring(length + 16, head.indexOf("\r\n", length)));
        head.append(new String(in.readNBytes(bytes), StandardCharsets.UTF_8));
        requests.add(head.toString());
        byte[] answer = answers.poll();
        if (answer == null || answer == CUT) {
          return;
        }
        if (answer != SILENCE) {
          out.write(answer);
          out.flush();
        }
      }
    }
  }

  ConnectionsBench then(String answer) {
    answers.add(answer.replace("|", "\r\n").getBytes(StandardCharsets.UTF_8));
    return this;
  }

  ApiServer client(long limit) throws Exception {
    return client(limit, new StoredCredentials(() -> new Credential("t", null), false));
  }

  ApiServer client(long limit, Credentials credentials) {
    URI uri = URI.create("http://127.0.0.1:" + listener.port());
    ClusterAccess access =
        new ClusterAccess(uri, ServerTrust.STANDARD, credentials, Optional.empty());
    return new ApiServer(access, Duration.ofMillis(limit));
  }

  ApiServer client() throws Exception {
    return client(10_000);
  }
}

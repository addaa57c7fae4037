package io.lighthouse.server.http;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.json.write.AnswerWriter;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.eclipse.jetty.http.EtagUtils;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * One request and its one answer. Several events may try to answer (the decision, its deadline, the
 * loss of the client); only the first one does. Thread-safe.
 */
public final class Exchange {
  /** The media type of our answers. */
  public static final String JSON = "application/json";

  private static final System.Logger LOG = System.getLogger("io.lighthouse.server");

  /** The number of bytes at the end of an answer that are sent after all others. */
  private static final int TAIL = 1 << 10;

  /** The seconds after which a client that was turned away may retry. */
  private static final String RETRY_AFTER = "1";

  private static final HttpField NO_SNIFFING =
      new PreEncodedHttpField("X-Content-Type-Options", "nosniff");
  private static final HttpField NO_STORE =
      new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-store");

  private final Request request;
  private Response response;
  private final Callback callback;
  private final Connections connections;
  private final ByteBudget budget;
  private final Watchdog watchdog;
  private final AtomicBoolean answered = new AtomicBoolean();
  private final AtomicBoolean finished = new AtomicBoolean();

  /** The values of the names in braces in the path. */
  private Map<String, String> names = Map.of();

  /** The values of each parameter of the query. */
  private Map<String, List<String>> parameters = Map.of();

  private final Optional<BearerTokens> tokens;

  /** The Authorization header; null where there is none. */
  private final String authorization;

  /** Null before it is known, and at an open route. */
  private Grant grant;

  /** Bytes of the budget that this exchange holds; guarded by this. */
  private long held;

  /** Whether bytes of the body may still arrive. */
  private volatile boolean bodyPending;

  /** Whether the body is being read or discarded; guarded by this. */
  private boolean reading;

  /** Whether the whole answer has been sent. */
  private volatile boolean written;

  Exchange(
      Request request,
      Response response,
      Callback callback,
      Connections connections,
      ByteBudget budget,
      Watchdog watchdog,
      Optional<BearerTokens> tokens) {
    this.tokens = tokens;
    // Copied, since a stream may outlive the headers of its request.
    this.authorization = request.getHeaders().get(HttpHeader.AUTHORIZATION);
    this.request = request;
    this.response = response;
    this.callback = callback;
    this.connections = connections;
    this.budget = budget;
    this.watchdog = watchdog;
  }

  Request request() {
    return request;
  }

  Connections connections() {
    return connections;
  }

  /**
   * Whether the exchange is answered, or its answer has begun.
   *
   * @return true if so
   */
  public boolean isAnswered() {
    return answered.get();
  }

  /**
   * A parameter of the query.
   *
   * @param name its name
   * @return its first value; empty where there is none
   */
  public Optional<String> parameter(String name) {
    List<String> values = parameters(name);
    return values.isEmpty() ? Optional.empty() : Optional.of(values.get(0));
  }

  /**
   * Whether a parameter of the query is {@code true}.
   *
   * @param name its name
   * @return false where it is {@code false} or not there
   * @throws InvalidInputException if it has another value
   */
  public boolean isTrue(String name) {
    String value = parameter(name).orElse("false");
    if (!value.equals("true") && !value.equals("false")) {
      throw new InvalidInputException(
          "query", name, "'" + value + "'", "?" + name + "=true, or =false");
    }
    return value.equals("true");
  }

  /**
   * A parameter of the query that may be repeated.
   *
   * @param name its name
   * @return its values, in order; none where there is none
   */
  public List<String> parameters(String name) {
    return parameters.getOrDefault(name, List.of());
  }

  void parameters(Map<String, List<String>> read) {
    parameters = read;
  }

  /**
   * Answers 200.
   *
   * @param mediaType of the body
   * @param body the body
   */
  public void answer(String mediaType, ByteBuffer body) {
    send(200, mediaType, body, false);
  }

  /**
   * Answers with another status than 200.
   *
   * @param status the status
   * @param mediaType of the body
   * @param body the body
   */
  public void answer(int status, String mediaType, ByteBuffer body) {
    send(status, mediaType, body, false);
  }

  /**
   * Answers with a problem.
   *
   * @param problem the problem
   * @return false if the exchange was answered before; then nothing is sent
   */
  public boolean fail(ProblemDetails problem) {
    return fail(problem, json -> {});
  }

  /**
   * Answers with a problem that has further members.
   *
   * @param problem the problem
   * @param more writes the further members
   * @return false if the exchange was answered before; then nothing is sent
   */
  public boolean fail(ProblemDetails problem, Consumer<AnswerWriter> more) {
    return send(
        problem.status(),
        ProblemDetails.MEDIA_TYPE,
        ByteBuffer.wrap(problem.toJson(more)),
        bodyPending);
  }

  /**
   * Begins an answer of unknown length. The exchange takes no other answer then.
   *
   * @param mediaType of the answer
   * @return the answer; empty where the exchange was answered before
   */
  public Optional<AnswerStream> stream(String mediaType) {
    if (!answered.compareAndSet(false, true)) {
      return Optional.empty();
    }
    try {
      return Optional.of(streamOnce(mediaType));
    } catch (Throwable broken) { // Such as no memory: the client must not wait for ever.
      failed(broken);
      throw broken;
    }
  }

  private AnswerStream streamOnce(String mediaType) {
    giveBackBut(0);
    response.setStatus(200);
    response.getHeaders().put(NO_SNIFFING);
    response.getHeaders().put(NO_STORE);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, mediaType);
    return new AnswerStream(
        response,
        watchdog,
        () -> connections.sending(request),
        () -> connections.working(request),
        this::finish,
        this::failed);
  }

  /**
   * The part of the path that a name in braces stands for in its route.
   *
   * @param name the name in braces
   * @return that part, decoded
   */
  public String name(String name) {
    return names.get(name);
  }

  void names(Map<String, String> found) {
    names = found;
  }

  /**
   * The caller's permissions.
   *
   * @return the permissions; null at an open route
   */
  public Grant grant() {
    return grant;
  }

  /** Checks the token of the request; returns whether the caller may call at all. */
  boolean authorize() {
    grant = currentGrant().orElse(null);
    return grant != null;
  }

  /**
   * The caller's permissions by the present tokens. It differs from {@link #grant} where the token
   * file has changed since the request began.
   *
   * @return empty if the token is not known any more
   */
  public Optional<Grant> currentGrant() {
    return tokens.isEmpty() ? Optional.of(Grant.ANYBODY) : tokens.get().grant(authorization);
  }

  /**
   * The method, such as {@code PUT}.
   *
   * @return the method
   */
  public String method() {
    return request.getMethod();
  }

  /**
   * The path and the query as they were sent.
   *
   * @return such as {@code /fleets/prod?limit=5}
   */
  public String target() {
    return request.getHttpURI().getPathQuery();
  }

  /**
   * The values of a header of the request.
   *
   * @param name its name
   * @return the value of each line, in order; empty where it is missing
   */
  public List<String> requestHeader(String name) {
    return request.getHeaders().getValuesList(name);
  }

  /**
   * The type of an answer that the client prefers, by its {@code Accept}.
   *
   * @param types the possible types, the usual one first
   * @return one of them; empty if the client accepts none
   */
  public Optional<String> preferred(List<String> types) {
    return Heads.preferred(request.getHeaders(), types);
  }

  /**
   * Sets a header of the answer, before the answer is sent.
   *
   * @param name the name
   * @param value the value
   */
  public void header(String name, String value) {
    response.getHeaders().put(name, value);
  }

  /**
   * The entity tag of an answer about a fleet.
   *
   * @param generation the generation of the fleet
   * @param life the number of the fleet if its name had an earlier fleet; else 0
   * @return the tag in quotes
   */
  public static String entityTag(long generation, long life) {
    return "\"g" + generation + (life == 0 ? "" : "." + life) + "\"";
  }

  /**
   * Sets the entity tag of an answer about a fleet, before the answer is sent.
   *
   * @param generation the generation of the fleet
   * @param life the number of the fleet if its name had an earlier fleet; else 0
   */
  public void tag(long generation, long life) {
    header("ETag", entityTag(generation, life));
  }

  /**
   * Answers without a body.
   *
   * @param status the status: 204 or 304
   */
  public void answerEmpty(int status) {
    send(status, null, ByteBuffer.allocate(0), false);
  }

  /** The request has a body, which has not arrived completely. */
  void bodyBegins() {
    bodyPending = true;
  }

  /**
   * Reads the body to its end, even if the exchange is answered meanwhile. Only the first call
   * reads; later calls do nothing.
   *
   * @param taker receives it; null to discard it
   * @param blocking whether the taker may block
   */
  void readBody(BodyChunks.Taker taker, boolean blocking) {
    synchronized (this) {
      if (reading) {
        return;
      }
      reading = true;
    }
    bodyPending = true;
    Executor threads = request.getComponents().getExecutor();
    BodyChunks body =
        new BodyChunks(request, taker, blocking, watchdog, threads, this::bodyEnds, this::breakOff);
    if (blocking) {
      threads.execute(body);
    } else {
      body.run();
    }
  }

  private void bodyEnds() {
    bodyPending = false;
    if (written) {
      finish();
    } else if (!answered.get()) {
      connections.working(request);
    }
  }

  /**
   * Takes bytes of the common budget until this exchange is over.
   *
   * @param bytes how many
   * @return false where there are not enough, or the exchange is over
   */
  public synchronized boolean hold(long bytes) {
    if (answered.get() || !budget.take(bytes)) {
      return false;
    }
    held += bytes;
    return true;
  }

  /**
   * Takes bytes of the common budget until this exchange is over, even beyond the budget.
   *
   * @param bytes how many
   */
  public synchronized void holdAnyway(long bytes) {
    if (!answered.get()) {
      budget.takeAnyway(bytes);
      held += bytes;
    }
  }

  /**
   * Ends the exchange without an answer of ours, because the client is gone, or the answer cannot
   * be made. A client that is still there gets 500, or its connection is closed.
   *
   * @param why the reason
   */
  public void abandon(Throwable why) {
    if (answered.compareAndSet(false, true)) {
      failed(why);
    }
  }

  /**
   * Ends the exchange after a bug or for lack of memory, also if its answer has begun. Jetty
   * answers 500 if nothing was sent.
   */
  private void breakOff(Throwable why) {
    answered.set(true);
    connections.sending(request);
    failed(why);
    LOG.log(System.Logger.Level.ERROR, "a request broke off while its body was read", why);
  }

  private boolean send(int status, String mediaType, ByteBuffer body, boolean early) {
    if (!answered.compareAndSet(false, true)) {
      return false;
    }
    try {
      sendOnce(status, mediaType, body, early);
      return true;
    } catch (Throwable broken) { // Such as no memory: the client must not wait for ever.
      failed(broken);
      throw broken;
    }
  }

  private void sendOnce(int status, String mediaType, ByteBuffer body, boolean early) {
    // After an interrupt (by a plug-in, of its own thread), the write would close the connection.
    Thread.interrupted();
    if (status == 304) {
      uncompress();
    }
    response.setStatus(status);
    var headers = response.getHeaders();
    headers.put(NO_SNIFFING);
    if (!headers.contains(HttpHeader.CACHE_CONTROL)) {
      headers.put(NO_STORE);
    }
    if (status == 503 || status == 429) {
      headers.put(HttpHeader.RETRY_AFTER, RETRY_AFTER);
    }
    if (mediaType != null) {
      headers.put(HttpHeader.CONTENT_TYPE, mediaType);
    }
    if (status != 204 && status != 304) {
      headers.put(HttpHeader.CONTENT_LENGTH, body.remaining());
    }
    if (early) {
      headers.put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
    }
    connections.sending(request);
    if (status == 304) {
      // In two steps: at the last one Jetty would add "Content-Length: 0", which is not the length
      // of the whole answer (RFC 9110, 8.6).
      giveBackBut(0);
      response.write(false, body, Callback.from(() -> write(null, early), this::failed));
      return;
    }
    if (HttpMethod.HEAD.is(request.getMethod()) || body.remaining() <= TAIL) {
      giveBackBut(0);
      write(HttpMethod.HEAD.is(request.getMethod()) ? null : body, early);
      return;
    }
    // The problem's bytes are given back now, those of the answer before its last byte is sent: a
    // client that calls again at once finds the whole budget that it had.
    giveBackBut(body.remaining());
    byte[] tail = new byte[TAIL];
    int most = body.remaining() - TAIL;
    body.slice(body.position() + most, TAIL).get(tail);
    response.write(
        false,
        body.slice(body.position(), most),
        Callback.from(
            () -> {
              giveBackBut(0);
              write(ByteBuffer.wrap(tail), early);
            },
            this::failed));
  }

  /**
   * Takes Jetty's compression away from a 304, whose ETag it would replace by the whole
   * If-None-Match. The ETag is that of the whole answer, in gzip (RFC 9110, 15.4.5).
   */
  private void uncompress() {
    if (response instanceof Response.Wrapper compressing) {
      response = compressing.getWrapped();
      var headers = response.getHeaders();
      String tag = headers.get(HttpHeader.ETAG);
      headers.put(HttpHeader.ETAG, EtagUtils.rewriteWithSuffix(tag, "--gzip"));
    }
  }

  /** Writes the rest of the answer. */
  private void write(ByteBuffer rest, boolean early) {
    response.write(true, rest, Callback.from(() -> watchdog.run(() -> sent(early)), this::failed));
  }

  private void failed(Throwable why) {
    giveBackBut(0);
    try {
      if (finished.compareAndSet(false, true)) {
        connections.done(request); // Jetty may keep the connection, which needs a deadline then.
      }
      callback.failed(why);
    } catch (Throwable broken) { // Such as no memory for the server's own answer.
      request.getConnectionMetaData().getConnection().getEndPoint().close();
      Router.over(request); // Jetty does not end it, and a stop would wait for it.
      throw broken;
    }
  }

  /**
   * The answer has been sent. If the body has not arrived completely, its rest is discarded for a
   * limited time. So a client that is still sending can read the answer, and gets no reset.
   */
  private void sent(boolean early) {
    written = true;
    if (!early || !bodyPending || waitsForContinue()) {
      finish();
      return;
    }
    connections.lingering(request);
    readBody(null, false);
  }

  /** Whether the client has sent no byte of the body yet, and waits for "100 Continue". */
  private synchronized boolean waitsForContinue() {
    return !reading
        && request.getHeaders().contains(HttpHeader.EXPECT, HttpHeaderValue.CONTINUE.asString());
  }

  private void finish() {
    if (finished.compareAndSet(false, true)) {
      connections.done(request);
      callback.succeeded();
    }
  }

  /** Gives back the bytes of the budget that it holds, except at most {@code bytes}. */
  private synchronized void giveBackBut(long bytes) {
    long kept = Math.min(held, bytes);
    budget.giveBack(held - kept);
    held = kept;
  }
}

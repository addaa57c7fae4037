package io.lighthouse.server.http;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * One request and its one answer. Several may try to answer (the decision, its deadline, the
 * client's going away): the first one does. Thread-safe.
 */
public final class Exchange {
  /** The media type of our answers. */
  public static final String JSON = "application/json";

  /** The seconds after which those that were turned away may come back. */
  private static final String RETRY_AFTER = "1";

  private static final HttpField NO_SNIFFING =
      new PreEncodedHttpField("X-Content-Type-Options", "nosniff");
  private static final HttpField NO_STORE =
      new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-store");

  private final Request request;
  private final Response response;
  private final Callback callback;
  private final Connections connections;
  private final ByteBudget budget;
  private final AtomicBoolean answered = new AtomicBoolean();
  private final AtomicBoolean finished = new AtomicBoolean();

  /** Bytes of the budget that this exchange holds; changed by whoever owns it at the moment. */
  private long held;

  /** Whether bytes of the body may be on their way still. */
  private volatile boolean bodyPending;

  Exchange(
      Request request,
      Response response,
      Callback callback,
      Connections connections,
      ByteBudget budget) {
    this.request = request;
    this.response = response;
    this.callback = callback;
    this.connections = connections;
    this.budget = budget;
  }

  Request request() {
    return request;
  }

  Connections connections() {
    return connections;
  }

  /**
   * Whether somebody has answered.
   *
   * @return true if so
   */
  public boolean isAnswered() {
    return answered.get();
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
   * Answers with a problem.
   *
   * @param problem the problem
   * @return whether nobody had answered before
   */
  public boolean fail(ProblemDetails problem) {
    return send(
        problem.status(),
        ProblemDetails.MEDIA_TYPE,
        ByteBuffer.wrap(problem.toJson()),
        bodyPending);
  }

  /**
   * Sets a header of the answer, before it is given.
   *
   * @param name the name
   * @param value the value
   */
  public void header(String name, String value) {
    response.getHeaders().put(name, value);
  }

  /** Answers without a body. */
  void answerEmpty(int status) {
    send(status, null, ByteBuffer.allocate(0), false);
  }

  /** The body is being read from now on. */
  void bodyBegins() {
    bodyPending = true;
  }

  /** The body is here whole. */
  void bodyEnds() {
    bodyPending = false;
    connections.working(request);
  }

  /**
   * Takes bytes of the common budget until this exchange is over.
   *
   * @param bytes how many
   * @return false where they are not there, or the exchange is over
   */
  public boolean hold(long bytes) {
    synchronized (this) {
      if (answered.get()) {
        return false;
      }
      if (budget.take(bytes)) {
        held += bytes;
        return true;
      }
    }
    return false;
  }

  /** Nobody is there any more to be answered. */
  void abandon(Throwable why) {
    if (answered.compareAndSet(false, true)) {
      giveBack();
      callback.failed(why);
    }
  }

  private boolean send(int status, String mediaType, ByteBuffer body, boolean early) {
    if (!answered.compareAndSet(false, true)) {
      return false;
    }
    // An interrupt (by a plug-in, of itself) would have the write close the connection.
    Thread.interrupted();
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
    if (status != 204) {
      headers.put(HttpHeader.CONTENT_LENGTH, body.remaining());
    }
    if (early) {
      headers.put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
    }
    connections.sending(request);
    ByteBuffer content = HttpMethod.HEAD.is(request.getMethod()) ? null : body;
    response.write(
        true,
        content,
        Callback.from(
            () -> {
              if (early && !waitsForContinue()) {
                giveBack();
                connections.lingering(request, this::finish);
                throwAway();
              } else {
                finish();
              }
            },
            failure -> {
              giveBack();
              callback.failed(failure);
            }));
    return true;
  }

  /**
   * Takes the rest of the body and throws it away, so that a client that is still sending gets to
   * read the answer instead of a reset; but not for long.
   */
  private void throwAway() {
    while (!finished.get()) {
      Content.Chunk chunk = request.read();
      if (chunk == null) {
        request.demand(this::throwAway);
        return;
      }
      if (Content.Chunk.isFailure(chunk)) {
        finish();
        return;
      }
      chunk.release();
      if (chunk.isLast()) {
        finish();
        return;
      }
    }
  }

  /** Whether the client has sent no byte of the body yet, and waits to hear whether it shall. */
  private boolean waitsForContinue() {
    return request.getHeaders().contains(HttpHeader.EXPECT, HttpHeaderValue.CONTINUE.asString());
  }

  private void finish() {
    if (finished.compareAndSet(false, true)) {
      giveBack();
      connections.done(request);
      callback.succeeded();
    }
  }

  private synchronized void giveBack() {
    budget.giveBack(held);
    held = 0;
  }
}

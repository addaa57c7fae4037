package io.lighthouse.server.http;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;

/**
 * Takes the body of a request piece by piece, as it comes, and holds no thread between. The pieces
 * are decompressed already. What goes beyond the limit of a body, or of all bodies together, is
 * refused at that byte. For one body.
 */
final class BodyReader implements Runnable {
  /** What is left of the Content-Encoding of a body that is being decompressed. */
  static final String COMPRESSED = "X-Content-Encoding";

  private final Exchange exchange;
  private final Request request;
  private final long most;
  private final Consumer<InputStream> whole;
  private final List<byte[]> pieces = new ArrayList<>();

  /** Decompressing takes its time: not on the thread that all connections share. */
  private final boolean compressed;

  /** What runs when more is here. */
  private final Runnable more;

  private long size;

  private BodyReader(Exchange exchange, long most, Consumer<InputStream> whole) {
    this.exchange = exchange;
    this.request = exchange.request();
    this.most = most;
    this.whole = whole;
    this.compressed = request.getHeaders().contains(COMPRESSED);
    this.more = compressed ? this : Invocable.from(InvocationType.NON_BLOCKING, this);
  }

  /** Reads the body of an exchange of at most so many bytes, and hands it on when it is whole. */
  static void read(Exchange exchange, long most, Consumer<InputStream> whole) {
    Request request = exchange.request();
    BodyReader reader = new BodyReader(exchange, most, whole);
    exchange.bodyBegins();
    if (request.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH) > most) {
      reader.tooLarge();
      return;
    }
    exchange.connections().reading(request, reader::tooLate);
    if (reader.compressed) {
      request.getComponents().getExecutor().execute(reader);
    } else {
      reader.run();
    }
  }

  @Override
  public void run() {
    while (!exchange.isAnswered()) {
      Content.Chunk chunk = request.read();
      if (chunk == null) {
        request.demand(more);
        return;
      }
      if (Content.Chunk.isFailure(chunk)) {
        failed(chunk.getFailure());
        return;
      }
      boolean taken = take(chunk);
      boolean last = chunk.isLast();
      chunk.release();
      if (!taken) {
        return;
      }
      if (last) {
        exchange.bodyEnds();
        whole.accept(content());
        return;
      }
    }
  }

  private boolean take(Content.Chunk chunk) {
    int more = chunk.remaining();
    if (more == 0) {
      return true;
    }
    if (size + more > most) {
      tooLarge();
      return false;
    }
    if (!exchange.hold(more)) {
      exchange.fail(
          ProblemDetails.of(
              503,
              "overload",
              "The service is busy",
              "the bodies of all requests together are as large as they may be; try again"));
      return false;
    }
    byte[] piece = new byte[more];
    chunk.get(piece, 0, more);
    pieces.add(piece);
    size += more;
    return true;
  }

  private InputStream content() {
    if (pieces.size() == 1) {
      return new ByteArrayInputStream(pieces.get(0));
    }
    List<InputStream> streams = new ArrayList<>();
    for (byte[] piece : pieces) {
      streams.add(new ByteArrayInputStream(piece));
    }
    return new SequenceInputStream(Collections.enumeration(streams));
  }

  private void tooLarge() {
    exchange.fail(
        ProblemDetails.of(
            413,
            "limit",
            "The body is beyond a limit",
            "the body has more than the " + most + " bytes allowed (counted decompressed)"));
  }

  private void tooLate() {
    exchange.fail(
        ProblemDetails.of(
            408,
            "body-timeout",
            "The body did not come in time",
            "the body was not here whole within the body time-out"));
  }

  private void failed(Throwable failure) {
    if (failure instanceof EofException) {
      exchange.abandon(failure);
      return;
    }
    exchange.fail(
        ProblemDetails.of(
            400,
            "body",
            "The body cannot be read",
            compressed
                ? "the body is not sound gzip, as its Content-Encoding says"
                : "the body ends too early, or its chunks are broken"));
  }
}

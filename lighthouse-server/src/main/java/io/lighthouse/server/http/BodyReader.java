package io.lighthouse.server.http;

import io.lighthouse.json.read.GzipDecoder;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.ZipException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;

/**
 * Reads the body of a request piece by piece, and decodes it if it is gzip. A body is refused at
 * the first byte beyond its limit, or beyond the limit of all bodies together. For one body.
 */
final class BodyReader implements BodyChunks.Taker {
  /** The number of bytes that are decoded at a time. */
  private static final int ROOM = 1 << 14;

  private final Exchange exchange;
  private final long most;
  private final Consumer<InputStream> then;
  private final List<byte[]> pieces = new ArrayList<>();

  /** Null where the body is not gzip. */
  private final GzipDecoder gzip;

  private byte[] room;
  private long size;

  private BodyReader(Exchange exchange, long most, boolean gzip, Consumer<InputStream> then) {
    this.exchange = exchange;
    this.most = most;
    this.then = then;
    this.gzip = gzip ? new GzipDecoder() : null;
  }

  /**
   * Reads the body of an exchange, at most {@code most} bytes, and passes it on when it is
   * complete.
   */
  static void read(Exchange exchange, long most, Consumer<InputStream> then) {
    Request request = exchange.request();
    boolean gzip = Heads.isGzip(request.getHeaders());
    BodyReader reader = new BodyReader(exchange, most, gzip, then);
    if (request.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH) > most) {
      reader.tooLarge();
      return;
    }
    exchange.connections().reading(request, reader::tooLate);
    exchange.readBody(reader, gzip);
  }

  @Override
  public boolean take(ByteBuffer bytes) {
    if (exchange.isAnswered()) {
      return giveUp();
    }
    if (gzip == null) {
      byte[] piece = new byte[bytes.remaining()];
      bytes.get(piece);
      return keep(piece) || giveUp();
    }
    try {
      room = room == null ? new byte[ROOM] : room;
      int count;
      while ((count = gzip.decode(bytes, room, 0, ROOM)) > 0) {
        if (!keep(Arrays.copyOf(room, count))) {
          return giveUp();
        }
      }
      return true;
    } catch (ZipException broken) {
      brokenGzip(broken);
      return giveUp();
    }
  }

  @Override
  public void whole() {
    if (gzip != null) {
      try {
        gzip.finish();
      } catch (ZipException broken) {
        brokenGzip(broken);
        return;
      } finally {
        gzip.close();
      }
    }
    if (!exchange.isAnswered()) {
      then.accept(content());
    }
  }

  @Override
  public void failed(Throwable why) {
    giveUp();
    if (why instanceof EofException) {
      exchange.abandon(why);
      return;
    }
    exchange.fail(
        ProblemDetails.of(
            400,
            "body",
            "The body cannot be read",
            "the body ends too early, or its chunks are broken"));
  }

  /** Keeps a piece, or answers why it is refused. */
  private boolean keep(byte[] piece) {
    if (size + piece.length > most) {
      tooLarge();
      return false;
    }
    if (!exchange.hold(piece.length)) {
      exchange.fail(
          ProblemDetails.busy(
              "the bodies of all requests together are as large as they may be; try again"));
      return false;
    }
    pieces.add(piece);
    size += piece.length;
    return true;
  }

  /** Releases the bytes that it holds. */
  private boolean giveUp() {
    pieces.clear();
    if (gzip != null) {
      gzip.close();
    }
    return false;
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

  private void brokenGzip(ZipException broken) {
    exchange.fail(
        ProblemDetails.of(
            400,
            "body",
            "The body cannot be read",
            "the body is not sound gzip, as its Content-Encoding says: " + broken.getMessage()));
  }
}

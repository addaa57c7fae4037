package io.lighthouse.server.http;

import io.lighthouse.json.read.GzipDecoder;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
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
 *
 * <p>Pieces are appended to blocks, and a new block is at most as large as what came before it. So
 * a body takes at most twice its size in memory, however small its chunks are.
 */
final class BodyReader implements BodyChunks.Taker {
  /**
   * The number of bytes that are decoded at a time, and the largest block that is not filled at
   * once.
   */
  private static final int ROOM = 1 << 14;

  private final Exchange exchange;
  private final long most;
  private final Consumer<InputStream> then;

  /** All but the last one are full. */
  private final List<ByteBuffer> blocks = new ArrayList<>();

  /** Null where the body is not gzip. */
  private final GzipDecoder gzip;

  private byte[] room;
  private long size;

  /** The bytes of the body as it is sent. */
  private long sent;

  private BodyReader(Exchange exchange, long most, boolean gzip, Consumer<InputStream> then) {
    this.exchange = exchange;
    this.most = most;
    this.then = then;
    this.gzip = gzip ? new GzipDecoder() : null;
  }

  /**
   * Reads the body of an exchange, at most {@code most} bytes as it is sent and decoded, and passes
   * it on when it is complete.
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
    sent += bytes.remaining();
    if (sent > most) { // Also where nothing comes out of it, as from empty members of gzip.
      tooLarge();
      return giveUp();
    }
    if (gzip == null) {
      return keep(bytes) || giveUp();
    }
    try {
      room = room == null ? new byte[ROOM] : room;
      int count;
      while ((count = gzip.decode(bytes, room, 0, ROOM)) > 0) {
        if (!keep(ByteBuffer.wrap(room, 0, count))) {
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
  private boolean keep(ByteBuffer piece) {
    if (size + piece.remaining() > most) {
      tooLarge();
      return false;
    }
    if (!exchange.hold(piece.remaining())) {
      exchange.fail(
          ProblemDetails.busy(
              "the bodies of all requests together are as large as they may be; try again"));
      return false;
    }
    append(piece);
    return true;
  }

  /** Appends a piece to the last block, and what does not fit to a new one. */
  private void append(ByteBuffer piece) {
    ByteBuffer last = blocks.isEmpty() ? ByteBuffer.allocate(0) : blocks.get(blocks.size() - 1);
    int fitting = Math.min(last.remaining(), piece.remaining());
    last.put(piece.slice(piece.position(), fitting));
    piece.position(piece.position() + fitting);
    size += fitting;
    if (piece.hasRemaining()) {
      int room = (int) Math.max(piece.remaining(), Math.min(size, ROOM));
      size += piece.remaining();
      blocks.add(ByteBuffer.allocate(room).put(piece));
    }
  }

  /** Releases the bytes that it holds. */
  private boolean giveUp() {
    blocks.clear();
    if (gzip != null) {
      gzip.close();
    }
    return false;
  }

  private InputStream content() {
    List<InputStream> streams = new ArrayList<>();
    for (ByteBuffer block : blocks) {
      streams.add(new ByteArrayInputStream(block.array(), 0, block.position()));
    }
    return streams.size() == 1
        ? streams.get(0)
        : new SequenceInputStream(Collections.enumeration(streams));
  }

  private void tooLarge() {
    exchange.fail(
        ProblemDetails.of(
            413,
            "limit",
            "The body is beyond a limit",
            "the body has more than the "
                + most
                + " bytes allowed (as it is sent, and decompressed)"));
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

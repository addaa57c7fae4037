package io.lighthouse.server.placement;

import io.lighthouse.server.http.Exchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * An answer as it is written, within the budget of bytes that all requests share. Not thread-safe.
 */
final class AnswerBuffer extends OutputStream {
  /** The budget has no more bytes, or the exchange is over. */
  static final class NoRoom extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /** Bytes up to which an answer costs nothing of the budget. */
  private static final int FREE = 1 << 14;

  private final Exchange exchange;
  private final Bytes bytes = new Bytes();

  AnswerBuffer(Exchange exchange) {
    this.exchange = exchange;
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] source, int offset, int length) throws IOException {
    if (bytes.size() + length > FREE && !exchange.hold(length)) {
      throw new NoRoom();
    }
    bytes.write(source, offset, length);
  }

  /** What was written. */
  ByteBuffer content() {
    return bytes.content();
  }

  /** Lends its array. */
  private static final class Bytes extends ByteArrayOutputStream {
    Bytes() {
      super(1 << 12);
    }

    ByteBuffer content() {
      return ByteBuffer.wrap(buf, 0, count);
    }
  }
}

package io.lighthouse.server.placement;

import io.lighthouse.server.http.Exchange;
import io.lighthouse.server.http.ProblemDetails;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * An answer as it is written, within the budget of bytes that all requests share. Not thread-safe.
 */
public final class AnswerBuffer extends OutputStream {
  /** The number of bytes of an answer that cost nothing of the budget. */
  public static final int FREE = 1 << 14;

  /** The budget has no more bytes, or the exchange is over. */
  public static final class NoRoom extends IOException {
    private static final long serialVersionUID = 1L;

    /** There is no room for an answer, or for a part of it. */
    public NoRoom() {}

    /**
     * The answer to the caller.
     *
     * @return the problem details, status 503
     */
    public ProblemDetails problem() {
      return ProblemDetails.busy("the answer is larger than there is room for now; try again");
    }
  }

  private final Exchange exchange;
  private final long paid;
  private final Bytes bytes = new Bytes();

  /**
   * An empty answer.
   *
   * @param exchange the exchange that it answers
   */
  public AnswerBuffer(Exchange exchange) {
    this(exchange, FREE);
  }

  /**
   * An empty answer for which a part of the budget is held already.
   *
   * @param exchange the exchange that it answers
   * @param paid the bytes that cost nothing more
   */
  public AnswerBuffer(Exchange exchange, long paid) {
    this.exchange = exchange;
    this.paid = paid;
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] source, int offset, int length) throws IOException {
    if (bytes.size() + length > paid && !exchange.hold(length)) {
      throw new NoRoom();
    }
    bytes.write(source, offset, length);
  }

  /**
   * The written bytes.
   *
   * @return the bytes, not copied
   */
  public ByteBuffer content() {
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

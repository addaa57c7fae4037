package io.lighthouse.server.http;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * An answer that is sent piece by piece. The client must read each piece in time; between pieces
 * there is no time limit. One piece at a time: the next one after the last was sent.
 */
public final class AnswerStream {
  private final Response response;
  private final Watchdog watchdog;
  private final Runnable sending;
  private final Runnable resting;
  private final Runnable finish;
  private final Consumer<Throwable> failed;

  AnswerStream(
      Response response,
      Watchdog watchdog,
      Runnable sending,
      Runnable resting,
      Runnable finish,
      Consumer<Throwable> failed) {
    this.response = response;
    this.watchdog = watchdog;
    this.sending = sending;
    this.resting = resting;
    this.finish = finish;
    this.failed = failed;
  }

  /**
   * Sends a piece.
   *
   * @param piece the bytes
   * @param gone called when it was sent; must not block
   * @param lost called when the client is gone or does not read it; then the answer is over
   */
  public void write(byte[] piece, Runnable gone, Runnable lost) {
    sending.run();
    response.write(
        false,
        ByteBuffer.wrap(piece),
        Callback.from(
            () -> {
              resting.run();
              watchdog.run(gone);
            },
            why -> {
              failed.accept(why);
              lost.run();
            }));
  }

  /**
   * Aborts the answer, so that its client sees that it is not complete.
   *
   * @param why what is wrong
   */
  public void abort(Throwable why) {
    failed.accept(why);
  }

  /** Ends the answer. */
  public void end() {
    sending.run();
    response.write(true, ByteBuffer.allocate(0), Callback.from(finish::run, failed::accept));
  }
}

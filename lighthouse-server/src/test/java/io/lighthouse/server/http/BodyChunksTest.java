package io.lighthouse.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Content;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The one loop that reads from clients ends when its input ends, whatever the input does. */
@Timeout(value = 20, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BodyChunksTest {
  private final List<String> events = new ArrayList<>();

  /** The further steps of a body. */
  private final Queue<Runnable> later = new ArrayDeque<>();

  private boolean wanted = true;

  private final BodyChunks.Taker taker =
      new BodyChunks.Taker() {
        @Override
        public boolean take(ByteBuffer bytes) {
          events.add("took " + bytes.remaining());
          bytes.position(bytes.limit());
          return wanted;
        }

        @Override
        public void whole() {
          events.add("whole");
        }

        @Override
        public void failed(Throwable why) {
          events.add("failed");
        }
      };

  private BodyChunks over(Content.Source source) {
    return over(source, taker);
  }

  private BodyChunks over(Content.Source source, BodyChunks.Taker taker) {
    return new BodyChunks(
        source,
        taker,
        false,
        new Watchdog(),
        later::add,
        () -> events.add("ended"),
        thrown -> events.add(thrown.getMessage()));
  }

  private static Content.Chunk chunk(String text, boolean last) {
    return Content.Chunk.from(ByteBuffer.wrap(text.getBytes()), last);
  }

  /** A body of these chunks, then of nothing: neither bytes nor an end. */
  private static final class Chunks implements Content.Source {
    private final Queue<Content.Chunk> chunks;
    private final Content.Chunk forEver;
    private Runnable demanded;

    Chunks(Content.Chunk forEver, Content.Chunk... chunks) {
      this.chunks = new ArrayDeque<>(Arrays.asList(chunks));
      this.forEver = forEver;
    }

    @Override
    public Content.Chunk read() {
      return chunks.isEmpty() ? forEver : chunks.poll();
    }

    @Override
    public void demand(Runnable more) {
      demanded = more;
    }

    @Override
    public void fail(Throwable why) {
      throw new AssertionError(why);
    }
  }

  @Test
  void aBodyIsTakenToItsLastChunk() {
    over(new Chunks(null, chunk("ab", false), chunk("c", true))).run();
    assertThat(events).containsExactly("took 2", "took 1", "ended", "whole");
  }

  @Test
  void whereNothingIsThereItWaitsToBeCalled() {
    Chunks body = new Chunks(null, chunk("ab", false));
    over(body).run();
    assertThat(events).containsExactly("took 2");
    body.chunks.add(chunk("c", true));
    body.demanded.run();
    assertThat(events).containsExactly("took 2", "took 1", "ended", "whole");
  }

  /** As a gzip decoder once did behind the end of a body that was cut. */
  @Test
  void aSourceThatIsEmptyForEverIsABrokenBody() {
    over(new Chunks(Content.Chunk.EMPTY, chunk("ab", false))).run();
    assertThat(events).containsExactly("took 2", "failed", "ended");
  }

  @Test
  void aFewEmptyChunksBetweenAreNone() {
    Content.Chunk empty = Content.Chunk.EMPTY;
    over(new Chunks(null, empty, empty, chunk("a", false), empty, chunk("b", true))).run();
    assertThat(events).containsExactly("took 1", "took 1", "ended", "whole");
  }

  @Test
  void aFailureIsTheEnd() {
    over(new Chunks(null, Content.Chunk.from(new IllegalStateException("broken")))).run();
    assertThat(events).containsExactly("failed", "ended");
  }

  /** Otherwise a client that sends without a pause would have a thread for itself. */
  @Test
  void aBodyOfManyChunksIsReadInSteps() {
    Content.Chunk[] chunks = new Content.Chunk[20_000];
    Arrays.setAll(chunks, i -> chunk("a", i == chunks.length - 1));
    over(new Chunks(null, chunks)).run();
    assertThat(events).hasSizeLessThan(chunks.length).doesNotContain("ended");
    later.remove().run();
    assertThat(events).hasSize(chunks.length + 2).endsWith("ended", "whole");
    assertThat(later).isEmpty();
  }

  @Test
  void whatAStepThrowsIsPassedOnAndNothingIsReadAfterwards() {
    Chunks body = new Chunks(null, chunk("ab", false), chunk("c", true));
    BodyChunks.Taker throwing =
        new BodyChunks.Taker() {
          @Override
          public boolean take(ByteBuffer bytes) {
            throw new Error("no memory");
          }

          @Override
          public void whole() {
            throw new AssertionError();
          }

          @Override
          public void failed(Throwable why) {
            throw new AssertionError();
          }
        };
    over(body, throwing).run();
    assertThat(events).containsExactly("no memory");
    assertThat(body.chunks).hasSize(1);
  }

  @Test
  void whatIsNotWantedIsReadToItsEndAndTakenByNobody() {
    wanted = false;
    over(new Chunks(null, chunk("ab", false), chunk("cd", false), chunk("e", true))).run();
    assertThat(events).containsExactly("took 2", "ended");
  }

  @Test
  void aSourceThatIsEmptyForEverEndsWhereNobodyWantsIt() {
    wanted = false;
    over(new Chunks(Content.Chunk.EMPTY, chunk("ab", false))).run();
    assertThat(events).containsExactly("took 2", "ended");
  }
}

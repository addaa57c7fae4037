package io.lighthouse.json.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;

/** Gzip is decoded as the JDK wrote it, in pieces of any size, and checked to its last byte. */
class GzipDecoderTest {
  private static final int GZIP_HEADER = 10;

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    }
    return out.toByteArray();
  }

  private static byte[] random(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    // The first half repeats itself, so that both sorts of blocks come up.
    Arrays.fill(bytes, 0, length / 2, (byte) 'a');
    return bytes;
  }

  /** Decodes in pieces of some bytes, into a buffer of some bytes. */
  private static byte[] decoded(byte[] gzip, int piece, int room) throws ZipException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] into = new byte[room];
    try (GzipDecoder decoder = new GzipDecoder()) {
      for (int from = 0; from < gzip.length; from += piece) {
        ByteBuffer in = ByteBuffer.wrap(gzip, from, Math.min(piece, gzip.length - from));
        int count;
        while ((count = decoder.decode(in, into, 0, room)) > 0) {
          out.write(into, 0, count);
        }
        assertThat(in.hasRemaining()).isFalse();
      }
      decoder.finish();
    }
    return out.toByteArray();
  }

  @Test
  void piecesAndRoomsOfAnySizeGiveTheSame() throws IOException {
    for (int length : new int[] {0, 1, 100, 5_000, 200_000}) {
      byte[] plain = random(length, length);
      byte[] gzip = gzip(plain);
      for (int piece : new int[] {1, 7, 1_000, 1 << 20}) {
        for (int room : new int[] {1, 100, 1 << 14}) {
          assertThat(decoded(gzip, piece, room)).isEqualTo(plain);
        }
      }
    }
  }

  @Test
  void aStreamGivesTheSameByteByByteToo() throws IOException {
    byte[] plain = random(1, 10_000);
    try (InputStream in = GzipDecoder.stream(new ByteArrayInputStream(gzip(plain)))) {
      assertThat(in.readAllBytes()).isEqualTo(plain);
      assertThat(in.read()).isNegative();
    }
    try (InputStream in = GzipDecoder.stream(new ByteArrayInputStream(gzip(plain)))) {
      for (byte expected : plain) {
        assertThat((byte) in.read()).isEqualTo(expected);
      }
      assertThat(in.read()).isNegative();
    }
  }

  @Test
  void everyCutFailsWithWords() throws IOException {
    byte[] gzip = gzip(random(2, 3_000));
    for (int length = 0; length < gzip.length; length++) {
      byte[] cut = Arrays.copyOf(gzip, length);
      assertThatThrownBy(() -> decoded(cut, 100, 100))
          .isInstanceOf(ZipException.class)
          .hasMessage(length == 0 ? "it is empty" : "it ends too early");
      assertThatThrownBy(() -> GzipDecoder.stream(new ByteArrayInputStream(cut)).readAllBytes())
          .isInstanceOf(ZipException.class);
    }
  }

  /** What {@code GZIPInputStream} accepts in JDK 17 and 25. */
  @Test
  void whatTheJdksDecoderAcceptsFailsWithWords() throws IOException {
    byte[] first = gzip(random(4, 300));
    for (int length = 1; length < GZIP_HEADER; length++) {
      assertRefused(joined(first, Arrays.copyOf(first, length)), "it ends too early");
    }
    for (byte[] garbage : new byte[][] {{0}, {0, 0, 0, 0}, {'x', 'y', 'z'}, new byte[40]}) {
      assertRefused(joined(first, garbage), "it does not begin as gzip does");
    }
    for (int reserved = 1 << 5; reserved < 1 << 8; reserved <<= 1) {
      byte[] flagged = gzip(random(4, 300));
      flagged[3] |= (byte) reserved;
      assertRefused(flagged, "its header has reserved flags");
      assertRefused(joined(first, flagged), "its header has reserved flags");
    }
  }

  private static void assertRefused(byte[] gzip, String message) {
    assertThatThrownBy(() -> decoded(gzip, 100, 100))
        .isInstanceOf(ZipException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> GzipDecoder.stream(new ByteArrayInputStream(gzip)).readAllBytes())
        .isInstanceOf(ZipException.class)
        .hasMessage(message);
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  /** A few bits are not used, or say the same in another way: there nothing changes. */
  @Test
  void everyFlippedBitOfTheDataOrTrailerFailsOrChangesNothing() throws IOException {
    byte[] plain = random(3, 300);
    byte[] gzip = gzip(plain);
    int same = 0;
    for (int bit = 80; bit < 8 * gzip.length; bit++) {
      byte[] flipped = gzip.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      try {
        assertThat(decoded(flipped, 50, 64)).as("bit %d", bit).isEqualTo(plain);
        same++;
      } catch (ZipException refused) {
        assertThat(refused).hasMessageStartingWith("it");
      }
    }
    assertThat(same).isLessThan(40);
  }
}

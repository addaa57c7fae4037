package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Bodies that were cut or changed on their way, plain and gzipped: 400, or 200 where RFC 1952 says
 * that nothing hangs on it, and never anything else.
 */
class GzipBodiesTest {
  private static final String PROBLEM =
      "{\"nodes\":[{\"name\":\"n1\",\"resources\":{\"cpu\":4}}],"
          + "\"workloads\":[{\"name\":\"w1\",\"requirements\":{\"cpu\":1}}]}";
  private static final int HEADER = 10;
  private static final int TRAILER = 8;

  /** Where the header has its flags, and the flag that changes nothing (FTEXT). */
  private static final int FLAGS = 3;

  private static final int TEXT = 0;

  private static TestService service;

  @BeforeAll
  static void start() {
    service = TestService.start();
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static byte[] gzip(String text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
    return out.toByteArray();
  }

  /** The same with every optional part of a header: extra field, name, comment, and its CRC. */
  private static byte[] gzipWithFullHeader() {
    byte[] plain = gzip(PROBLEM);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] fixed = Arrays.copyOf(plain, HEADER);
    fixed[FLAGS] = 0b11110;
    out.writeBytes(fixed);
    out.writeBytes(new byte[] {3, 0, 'a', 'b', 'c'});
    out.writeBytes("name\0comment\0".getBytes(StandardCharsets.ISO_8859_1));
    CRC32 crc = new CRC32();
    crc.update(out.toByteArray());
    out.write((int) crc.getValue());
    out.write((int) crc.getValue() >>> 8);
    out.write(plain, HEADER, plain.length - HEADER);
    return out.toByteArray();
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  private static TestService.Answer send(byte[] body) {
    return service.post("/assign-workloads", body, "Content-Encoding", "gzip");
  }

  private static void everyCutIsRefused(byte[] body, IntPredicate sound) {
    for (int length = 0; length < body.length; length++) {
      var answer = send(Arrays.copyOf(body, length));
      assertThat(answer.status())
          .as("cut after %d of %d bytes", length, body.length)
          .isEqualTo(sound.test(length) ? 200 : 400);
    }
    assertThat(send(body).status()).isEqualTo(200);
  }

  private static void everyFlipFrom(byte[] body, int from, int to, IntPredicate harmlessBit) {
    for (int bit = 8 * from; bit < 8 * to; bit++) {
      byte[] flipped = body.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(send(flipped).status())
          .as("bit %d of byte %d", bit % 8, bit / 8)
          .isEqualTo(harmlessBit.test(bit) ? 200 : 400);
    }
  }

  @Test
  void everyCutOfAPlainBodyIsABadRequest() {
    byte[] body = PROBLEM.getBytes(StandardCharsets.UTF_8);
    for (int length = 0; length < body.length; length++) {
      assertThat(service.post("/assign-workloads", Arrays.copyOf(body, length)).status())
          .as("cut after %d bytes", length)
          .isEqualTo(400);
    }
  }

  @Test
  void everyCutOfAGzipBodyIsABadRequest() {
    everyCutIsRefused(gzip(PROBLEM), length -> false);
  }

  @Test
  void everyCutOfAFullHeaderIsABadRequest() {
    everyCutIsRefused(gzipWithFullHeader(), length -> false);
  }

  @Test
  void everyCutOfASecondMemberIsABadRequest() {
    byte[] first = gzip(PROBLEM);
    everyCutIsRefused(joined(first, gzip("  ")), length -> length == first.length);
  }

  @Test
  void theMembersOfABodyAreReadAsOneText() {
    int half = PROBLEM.length() / 2;
    byte[] body = joined(gzip(PROBLEM.substring(0, half)), gzip(PROBLEM.substring(half)));
    assertThat(send(body).status()).isEqualTo(200);
  }

  @Test
  void whatStandsBehindTheLastMemberIsABadRequest() {
    for (byte[] behind : new byte[][] {{0}, {0, 0, 0, 0}, {0x1f}, {'x', 'y', 'z'}}) {
      assertThat(send(joined(gzip(PROBLEM), behind)).status()).isEqualTo(400);
    }
  }

  /** The time, the extra flags and the system say nothing that is needed; nor does FTEXT. */
  @Test
  void everyFlippedBitOfTheHeaderIsABadRequestWhereItMatters() {
    everyFlipFrom(gzip(PROBLEM), 0, HEADER, bit -> bit / 8 > FLAGS || bit == 8 * FLAGS + TEXT);
  }

  @Test
  void everyFlippedBitOfAHeaderWithItsCrcIsABadRequest() {
    byte[] body = gzipWithFullHeader();
    everyFlipFrom(body, 0, body.length - (gzip(PROBLEM).length - HEADER), bit -> false);
  }

  @Test
  void everyFlippedBitOfTheTrailerIsABadRequest() {
    byte[] body = gzip(PROBLEM);
    everyFlipFrom(body, body.length - TRAILER, body.length, bit -> false);
  }

  @Test
  void aBodyByteByByteIsReadAsAtOnce() throws IOException {
    try (RawConnection raw = new RawConnection(service.uri())) {
      byte[] body = gzipWithFullHeader();
      raw.post("/assign-workloads", body.length, "Content-Encoding: x-gzip");
      for (byte one : body) {
        raw.out().write(one);
        raw.out().flush();
      }
      assertThat(raw.status()).isEqualTo(200);
    }
  }

  @Test
  void aSecondEncodingIsUnsupported() {
    var answer = service.post("/assign-workloads", gzip(PROBLEM), "Content-Encoding", "gzip, gzip");
    assertThat(answer.status()).isEqualTo(415);
  }

  /** Once, such bodies kept every thread busy, that of the deadlines too, for good. */
  @Test
  void cutBodiesLeaveTheThreadsAtRestAndTheTimeLimitsInForce() throws Exception {
    byte[] cut = Arrays.copyOf(gzip(PROBLEM), gzip(PROBLEM).length - TRAILER);
    ServiceSettings impatient =
        new ServiceSettings()
            .limit(ServiceLimit.BODY_TIMEOUT, Duration.ofMillis(500))
            .limit(ServiceLimit.HEADER_TIMEOUT, Duration.ofSeconds(30));
    RawConnection[] open = new RawConnection[40];
    try (TestService other = TestService.start(impatient)) {
      for (int i = 0; i < open.length; i++) {
        open[i] = new RawConnection(other.uri());
        open[i].post("/assign-workloads", cut.length, "Content-Encoding: gzip").out().write(cut);
      }
      for (RawConnection one : open) {
        assertThat(one.status()).isEqualTo(400);
      }
      try (RawConnection trickling = new RawConnection(other.uri())) {
        assertThat(trickling.post("/assign-workloads", 10).send("{").status()).isEqualTo(408);
      }
      assertThat(other.get("/health/ready").status()).isEqualTo(200);
      assertThat(other.metricsWith("lighthouse_threads_stuck 0.0"))
          .contains("lighthouse_threads_stuck 0.0");
    } finally {
      for (RawConnection one : open) {
        one.close();
      }
    }
  }
}

package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lighthouse.json.Limits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every limit holds at its very edge, and is refused with its name and number beyond it. */
class LimitsTest {
  private static final String EMPTY = "{\"nodes\":[],\"workloads\":[]}";
  private static TestService service;

  @BeforeAll
  static void start() {
    service =
        TestService.start(
            new ServiceSettings()
                .limit(ServiceLimit.BODY, 1000)
                .content(new Limits(8, 10, 20, 3, 4, 5, 2)));
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static String padded(int bytes) {
    return EMPTY + " ".repeat(bytes - EMPTY.length());
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

  @Nested
  class Content {
    @ParameterizedTest
    @CsvSource(
        delimiter = ';',
        value = {
          // a name of 10 characters, and of 11
          "200;[{'id':'abcdefghij','resources':{}}];[]",
          "413;[{'id':'abcdefghijk','resources':{}}];[]",
          // a number of 20 characters, and of 21
          "200;[{'id':'a','resources':{'b':0.12345678901234567}}];[]",
          "413;[{'id':'a','resources':{'b':0.1234567890123456789}}];[]",
          // 3 nodes, and 4
          "200;[N1,N2,N3];[]",
          "413;[N1,N2,N3,N4];[]",
          // 4 workloads, those on nodes included, and 5
          "200;[{'id':'a','resources':{},'workloads':[W1]}];[W2,W3,W4]",
          "413;[{'id':'a','resources':{},'workloads':[W1]}];[W2,W3,W4,W5]",
          // 5 entries, and 6
          "200;[{'id':'a','resources':{'a':1,'b':1,'c':1,'d':1,'e':1}}];[]",
          "413;[{'id':'a','resources':{'a':1,'b':1,'c':1,'d':1,'e':1,'f':1}}];[]",
          // depth
          "422;[[[[]]]];[]",
          "413;[[[[[[[[]]]]]]]];[]"
        })
    void isLimited(int status, String nodes, String workloads) {
      String problem =
          ("{'nodes':" + nodes + ",'workloads':" + workloads + "}")
              .replaceAll("N([0-9])", "{'id':'n$1','resources':{}}")
              .replaceAll("W([0-9])", "{'id':'w$1','requirements':{}}")
              .replace('\'', '"');
      var answer = service.assign(problem);
      assertThat(answer.status()).as(answer.text()).isEqualTo(status);
      if (status == 413) {
        assertThat(answer.problem()).isEqualTo("limit");
        assertThat(answer.at("/errors/0/allowed")).startsWith("at most ");
      }
    }

    @Test
    void faultsAreListedUpToTheirLimit() {
      var answer = service.assign("{\"nodes\":[],\"workloads\":[],\"a\":1,\"b\":1,\"c\":1}");
      assertThat(answer.json().path("errors")).hasSize(2);
    }
  }

  @Nested
  class Bytes {
    @Test
    void areTakenUpToTheLimit() {
      assertThat(service.assign(padded(1000)).status()).isEqualTo(200);
    }

    @Test
    void beyondItAreRefusedByTheLengthAlone() throws IOException {
      try (RawConnection raw = new RawConnection(service.uri())) {
        String answer = raw.post("/assign-workloads", 1001, "Expect: 100-continue").answer();
        assertThat(answer).startsWith("HTTP/1.1 413").contains("1000 bytes", "Connection: close");
      }
    }

    @Test
    void beyondItAreRefusedInChunksToo() throws IOException {
      try (RawConnection raw = new RawConnection(service.uri())) {
        raw.send(
            "POST /assign-workloads HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
        for (int i = 0; i < 11; i++) {
          raw.send("64\r\n" + " ".repeat(100) + "\r\n");
        }
        assertThat(raw.status()).isEqualTo(413);
      }
    }

    /**
     * A chunk of one byte once took as much memory as 65 bytes, more than a heap has for a body.
     */
    @Test
    void inChunksOfOneByteTakeLittleMoreMemoryThanInOne() throws IOException {
      String problem = padded(1_000_000);
      StringBuilder chunks = new StringBuilder();
      problem.chars().forEach(one -> chunks.append("1\r\n").append((char) one).append("\r\n"));
      try (ServiceProcess process = ServiceProcess.start("-Xmx32m");
          RawConnection raw = new RawConnection(process.uri())) {
        raw.send(
            "POST /assign-workloads HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
        raw.send(chunks + "0\r\n\r\n");
        assertThat(raw.status()).isEqualTo(200);
        assertThat(TestService.at(process.uri()).metricsWith("lighthouse_bytes_in_flight 0.0"))
            .contains("lighthouse_bytes_in_flight 0.0");
      }
    }

    @Test
    void areCountedDecompressed() {
      assertThat(gzip(padded(1001)).length).isLessThan(100);
      assertThat(
              service
                  .post("/assign-workloads", gzip(padded(1000)), "Content-Encoding", "gzip")
                  .status())
          .isEqualTo(200);
      assertThat(
              service
                  .post("/assign-workloads", gzip(padded(1001)), "Content-Encoding", "gzip")
                  .status())
          .isEqualTo(413);
    }

    /** Members of gzip that are empty have 20 bytes each, and nothing comes out of them. */
    @Test
    void areCountedAsTheyAreSentToo() throws IOException {
      byte[] body = gzip(padded(900));
      byte[] empty = gzip("");
      for (int members : new int[] {(1000 - body.length) / empty.length, 1000 / empty.length}) {
        byte[] whole = Arrays.copyOf(body, body.length + members * empty.length);
        for (int i = 0; i < members; i++) {
          System.arraycopy(empty, 0, whole, body.length + i * empty.length, empty.length);
        }
        try (RawConnection raw = new RawConnection(service.uri())) {
          raw.send(
              "POST /assign-workloads HTTP/1.1\r\nHost: localhost\r\n"
                  + "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n");
          raw.send(Integer.toHexString(whole.length) + "\r\n");
          raw.out().write(whole);
          raw.send("\r\n0\r\n\r\n");
          assertThat(raw.status())
              .as("%d bytes", whole.length)
              .isEqualTo(whole.length <= 1000 ? 200 : 413);
        }
      }
    }

    @Test
    void thatAreNotTheGzipTheySayAreABadRequest() {
      byte[] cut = gzip(padded(900));
      cut[0] = 0;
      var answer = service.post("/assign-workloads", cut, "Content-Encoding", "gzip");
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.at("/detail")).contains("gzip");
    }

    @Test
    void ofAnAnswerAreCompressedWhereThatIsAccepted() throws IOException {
      var answer = service.get("/openapi.json", "Accept-Encoding", "gzip");
      assertThat(answer.header("Content-Encoding")).isEqualTo("gzip");
      byte[] plain;
      try (var in = new GZIPInputStream(new java.io.ByteArrayInputStream(answer.bytes()))) {
        plain = in.readAllBytes();
      }
      assertThat(new String(plain, StandardCharsets.UTF_8))
          .isEqualTo(service.get("/openapi.json").text());
    }
  }

  @Nested
  class Time {
    private TestService impatient;

    @BeforeEach
    void startImpatient() {
      impatient = waiting(Duration.ofSeconds(1));
    }

    private static TestService waiting(Duration most) {
      return TestService.start(
          new ServiceSettings()
              .limit(ServiceLimit.IN_FLIGHT, 4000)
              .limit(ServiceLimit.BODY_TIMEOUT, most)
              .limit(ServiceLimit.HEADER_TIMEOUT, most));
    }

    @AfterEach
    void stopImpatient() {
      impatient.close();
    }

    @Test
    void theBytesOfAllBodiesTogetherAreLimited() throws IOException {
      RawConnection[] open = new RawConnection[5];
      // None may be given up before the last one is there, however busy the machine is.
      try (TestService patient = waiting(Duration.ofSeconds(6))) {
        int refused = 0;
        for (int i = 0; i < open.length; i++) {
          open[i] = new RawConnection(patient.uri());
          open[i].post("/assign-workloads", 1000).send(padded(900));
        }
        // Five times 900 bytes are more than 4000: at least the last one is turned away at once.
        for (RawConnection one : open) {
          String answer = one.answer();
          if (answer.startsWith("HTTP/1.1 503")) {
            assertThat(answer).contains("Retry-After: ", "problem:overload");
            refused++;
          } else {
            assertThat(answer).startsWith("HTTP/1.1 408");
          }
        }
        assertThat(refused).isEqualTo(1);
        try (RawConnection next = new RawConnection(patient.uri())) {
          assertThat(next.post("/assign-workloads", 1000).send(padded(1000)).status())
              .isEqualTo(200);
        }
      } finally {
        for (RawConnection one : open) {
          one.close();
        }
      }
    }

    /** What a request has taken of the budget is given back before its answer is there whole. */
    @Test
    void oneClientThatCallsOneAfterTheOtherFindsTheBudgetFree() throws IOException {
      StringBuilder workloads = new StringBuilder();
      for (int i = 0; i < 1000; i++) {
        workloads.append(i == 0 ? "" : ",").append("{\"id\":\"").append("w".repeat(50)).append(i);
        workloads.append("\",\"requirements\":{}}");
      }
      String problem =
          "{\"nodes\":[{\"id\":\"node\",\"resources\":{}}],\"workloads\":[" + workloads + "]}";
      long budget = problem.length() + 70_000;
      try (TestService tight =
          TestService.start(new ServiceSettings().limit(ServiceLimit.IN_FLIGHT, budget))) {
        for (int i = 0; i < 200; i++) {
          try (RawConnection raw = new RawConnection(tight.uri())) {
            String answer = raw.post("/assign-workloads", problem.length()).send(problem).answer();
            assertThat(answer).as("round %d", i).startsWith("HTTP/1.1 200");
            assertThat(answer.length()).isGreaterThan(60_000);
          }
        }
      }
    }

    @Test
    void aBodyThatTricklesIsAnsweredAndClosed() throws IOException {
      try (RawConnection raw = new RawConnection(impatient.uri())) {
        raw.post("/assign-workloads", 100).send("{");
        String answer = raw.answer();
        assertThat(answer).startsWith("HTTP/1.1 408").contains("body-timeout", "Connection: close");
      }
    }

    @Test
    void aHeadThatTricklesIsClosed() throws Exception {
      try (RawConnection raw = new RawConnection(impatient.uri())) {
        assertThat(closedWhileTrickling(raw)).isTrue();
      }
    }

    @Test
    void anIdleConnectionIsClosed() throws IOException {
      try (RawConnection raw = new RawConnection(impatient.uri())) {
        assertThat(raw.ends()).isTrue();
      }
    }

    @Test
    void aConnectionBetweenRequestsIsClosedOnlyWhenItsTimeIsOver() throws IOException {
      try (RawConnection raw = new RawConnection(impatient.uri())) {
        for (int i = 0; i < 3; i++) {
          raw.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
          assertThat(raw.status()).isEqualTo(200);
        }
        assertThat(raw.ends()).isTrue();
      }
    }

    /** Whether the other side ends while the head of a request trickles in, byte by byte. */
    private boolean closedWhileTrickling(RawConnection raw) throws InterruptedException {
      try {
        for (int i = 0; i < 200; i++) {
          raw.send(i == 0 ? "GET /" : "a");
          Thread.sleep(50);
        }
        return false;
      } catch (IOException closed) {
        return true;
      }
    }
  }
}

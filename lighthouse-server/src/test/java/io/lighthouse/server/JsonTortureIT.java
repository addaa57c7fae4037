package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Bodies made to break readers, against a service with a heap of 128 MB in a process of its own.
 * The situations are those of the JSON test suite of Nicolas Seriot; the files are our own, and
 * each begins with the documented status.
 */
class JsonTortureIT {
  private static final String ASSIGN = "/assign-workloads";
  private static final String SOUND =
      "{\"nodes\":[{\"id\":\"n\",\"resources\":{\"cpu\":1}}],"
          + "\"workloads\":[{\"id\":\"w\",\"requirements\":{\"cpu\":1}}]}";

  private static ServiceProcess process;
  private static TestService service;

  @BeforeAll
  static void start() throws IOException {
    process = ServiceProcess.start("-Xmx128m", "-XX:+ExitOnOutOfMemoryError");
    service = TestService.at(process.uri());
  }

  @AfterAll
  static void stop() {
    process.close();
  }

  @AfterEach
  void itServesTheNextRequest() {
    assertThat(process.isAlive()).isTrue();
    assertThat(service.assign(SOUND).text())
        .isEqualTo("{\"successful\":true,\"assignments\":{\"w\":\"n\"}}");
  }

  @Test
  void everyFileGetsTheStatusOfItsName() throws IOException {
    Path folder =
        Path.of(System.getProperty("lighthouse.root"), "lighthouse-server")
            .resolve("src/test/resources/torture");
    List<Path> files;
    try (Stream<Path> listed = Files.list(folder)) {
      files = listed.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
    assertThat(files).hasSizeGreaterThan(150);
    for (Path file : files) {
      String name = file.getFileName().toString();
      var answer = service.post(ASSIGN, Files.readAllBytes(file));
      assertThat(answer.status())
          .as("%s: %s", name, answer.text())
          .isEqualTo(Integer.parseInt(name.substring(0, 3)));
      assertThat(answer.text()).as(name).doesNotContain("Exception", "\\tat ");
    }
  }

  @Test
  void aHundredThousandLevelsAreBeyondTheLimit() {
    for (String level : new String[] {"[", "{\"a\":", "[{\"\":"}) {
      String nested = level.repeat(100_000);
      assertThat(service.assign(nested).status()).isEqualTo(413);
      assertThat(service.assign("{\"nodes\":" + nested).status()).isEqualTo(413);
      assertThat(service.assign("{\"unknown\":" + nested).status()).isEqualTo(413);
    }
  }

  @Test
  void aMillionDigitsAreBeyondTheLimit() {
    String digits = "7".repeat(1_000_000);
    for (String number :
        new String[] {digits, "0." + digits, "1e" + digits, "-" + digits, "\"" + digits + "\""}) {
      var answer = service.assign(SOUND.replace("\"cpu\":1}}],", "\"cpu\":" + number + "}}],"));
      assertThat(answer.status()).isEqualTo(413);
      assertThat(answer.bytes().length).isLessThan(2000);
    }
  }

  @Test
  void aNameOfAMillionCharactersIsBeyondTheLimit() {
    String name = "x".repeat(1_000_000);
    assertThat(service.assign(SOUND.replace("\"n\"", "\"" + name + "\"")).status()).isEqualTo(413);
    assertThat(service.assign(SOUND.replace("\"cpu\"", "\"" + name + "\"")).status())
        .isEqualTo(413);
    assertThat(service.assign("{\"" + name + "\":1}").status()).isEqualTo(413);
  }

  @Test
  void aGibibyteIsRefusedByItsLengthAndInChunks() throws IOException {
    try (RawConnection raw = new RawConnection(service.uri())) {
      raw.post(ASSIGN, 1L << 30);
      assertThat(raw.status()).isEqualTo(413);
    }
    try (RawConnection raw = new RawConnection(service.uri())) {
      raw.send(
          "POST " + ASSIGN + " HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
      CompletableFuture<Integer> answer = CompletableFuture.supplyAsync(() -> statusOf(raw));
      byte[] chunk = new byte[1 << 20];
      Arrays.fill(chunk, (byte) ' ');
      sendUntilItIsAnswered(raw, chunk, 1 << 10, answer);
      assertThat(answer.join()).isEqualTo(413);
    }
  }

  private static int statusOf(RawConnection raw) {
    try {
      return raw.status();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /**
   * Sends {@code chunks} chunks, or fewer if the answer comes before, like a client that reads
   * meanwhile.
   */
  private static void sendUntilItIsAnswered(
      RawConnection raw, byte[] chunk, int chunks, CompletableFuture<Integer> answer) {
    try {
      for (int i = 0; i < chunks && !answer.isDone(); i++) {
        raw.send(Integer.toHexString(chunk.length) + "\r\n");
        raw.out().write(chunk);
        raw.send("\r\n");
      }
    } catch (IOException closed) {
      // The service has had enough; whether it said so, the answer tells.
    }
  }

  @Test
  void aZipBombIsRefusedAtItsLimit() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      byte[] blanks = new byte[1 << 20];
      Arrays.fill(blanks, (byte) ' ');
      for (int i = 0; i < 256; i++) {
        gzip.write(blanks);
      }
    }
    assertThat(out.size()).isLessThan(1 << 19);
    var answer = service.post(ASSIGN, out.toByteArray(), "Content-Encoding", "gzip");
    assertThat(answer.status()).isEqualTo(413);
  }

  @Test
  void bodiesAsLargeAsMayBeAreReadPlacedOrRefusedInTheHeapThereIs() {
    int most = 3_900_000; // The heap that a JVM gives out is a little less than 128 MB.
    for (String entry :
        new String[] {
          "{\"id\":\"%d\",\"resources\":{}}",
          "{\"id\":\"%d\",\"resources\":{\"a%d\":1}}",
          "{\"id\":\"%d\",\"resources\":{\"a\":1},\"workloads\":"
              + "[{\"id\":\"%d\",\"requirements\":{}}]}"
        }) {
      StringBuilder body = new StringBuilder("{\"workloads\":[],\"nodes\":[");
      int count = 0;
      while (body.length() < most - 200 && count < new ServiceSettings().content().nodes()) {
        body.append(count == 0 ? "" : ",").append(entry.formatted(count, count));
        count++;
      }
      var answer = service.assign(body.append("]}").toString());
      assertThat(answer.status()).as("%s nodes: %s", count, answer.text()).isEqualTo(200);
    }
    String many = "{\"id\":\"w\",\"requirements\":{}},".repeat(most / 31 - 10);
    var answer =
        service.assign(
            "{\"nodes\":[],\"workloads\":[" + many.substring(0, many.length() - 1) + "]}");
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.json().path("errors")).hasSize(100);
  }
}

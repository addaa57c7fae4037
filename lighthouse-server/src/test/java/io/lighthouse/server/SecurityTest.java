package io.lighthouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tokens and origins that may call, and the headers for browsers. */
class SecurityTest {
  private static final String SOUND = "{\"nodes\":[],\"workloads\":[]}";

  @TempDir private Path folder;

  private TestService withTokens(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("tokens"), text);
    return TestService.start(new ServiceSettings().tokens(file));
  }

  private static int statusWith(TestService service, String authorization) {
    return service.assign(SOUND, "Authorization", authorization).status();
  }

  @Test
  void withoutATokenOnlyThePageAndTheHealthAreThere() throws IOException {
    try (TestService service = withTokens("secret\n")) {
      for (String open : List.of("/", "/openapi.json", "/health/live", "/health/ready")) {
        assertThat(service.get(open).status()).as(open).isEqualTo(200);
      }
      for (String closed : List.of("/strategies", "/metrics")) {
        var answer = service.get(closed);
        assertThat(answer.status()).as(closed).isEqualTo(401);
        assertThat(answer.header("WWW-Authenticate")).startsWith("Bearer");
      }
      assertThat(service.assign(SOUND).status()).isEqualTo(401);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Bearer one", "bearer two", "Bearer   three "})
  void anyKnownTokenIsServed(String authorization) throws IOException {
    try (TestService service = withTokens("# ours\none\n\n  two  \nthree")) {
      assertThat(statusWith(service, authorization)).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Bearer",
        "Bearer ",
        "Bearer on",
        "Bearer onee",
        "Basic one",
        "one",
        "Bearer # ours"
      })
  void anythingElseIsNot(String authorization) throws IOException {
    try (TestService service = withTokens("# ours\none\ntwo\n")) {
      assertThat(statusWith(service, authorization)).isEqualTo(401);
    }
  }

  @Test
  void theTokensAreReadAgainWhenTheirFileChangesAndKeptWhenItIsBroken() throws IOException {
    try (TestService service = withTokens("old\n")) {
      Path file = folder.resolve("tokens");
      rewrite(file, "new-token\n", 1);
      await(() -> statusWith(service, "Bearer new-token") == 200);
      assertThat(statusWith(service, "Bearer old")).isEqualTo(401);
      rewrite(file, "# none any more\n", 2);
      LockSupport.parkNanos(1_500_000_000);
      assertThat(statusWith(service, "Bearer new-token")).isEqualTo(200);
    }
  }

  /** Every line of the log while this is open. */
  private static final class Lines extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("io.lighthouse.server");
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();

    private final Level before = logger.getLevel();

    Lines() {
      logger.setLevel(Level.ALL);
      logger.setUseParentHandlers(false);
      logger.addHandler(this);
    }

    long about(String words) {
      return lines.stream().filter(line -> line.contains(words)).count();
    }

    @Override
    public void publish(LogRecord line) {
      lines.add(new SimpleFormatter().formatMessage(line));
    }

    @Override
    public void flush() {
      // There is nothing to flush.
    }

    @Override
    public void close() {
      logger.removeHandler(this);
      logger.setLevel(before);
      logger.setUseParentHandlers(true);
    }
  }

  @Test
  void aTokenFileThatIsGoneIsToldOnceAndReadWhenItIsBack() throws IOException {
    try (Lines log = new Lines();
        TestService service = withTokens("old\n")) {
      Path file = folder.resolve("tokens");
      for (int i = 1; i <= 2; i++) {
        int times = i;
        Files.delete(file);
        await(() -> log.about("cannot be used") == times);
        LockSupport.parkNanos(2_500_000_000L);
        assertThat(log.about("cannot be used")).isEqualTo(times);
        assertThat(statusWith(service, "Bearer old")).isEqualTo(200);
        rewrite(file, "old\n", 0);
        await(() -> log.about("were read again") == times);
      }
    }
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheFirstToken() throws IOException {
    try (TestService service = withTokens("\ufeffone\ntwo\n")) {
      assertThat(statusWith(service, "Bearer one")).isEqualTo(200);
      assertThat(statusWith(service, "Bearer two")).isEqualTo(200);
    }
  }

  @Test
  void aKeystoreInPemIsRefusedWithTheWayToMakeOne() throws IOException {
    Path pem = Files.writeString(folder.resolve("tls.pem"), "-----BEGIN CERTIFICATE-----\n");
    Path password = Files.writeString(folder.resolve("password"), "secret\n");
    assertThatThrownBy(() -> PlacementService.start(new ServiceSettings().tls(pem, password)))
        .isInstanceOf(ServiceStartException.class)
        .hasMessageContaining("cannot use the keystore " + pem + ": it is neither PKCS#12 nor JKS")
        .hasMessageContaining("openssl pkcs12 -export");
  }

  @Test
  void aFolderForTheKeystoreAndAPasswordThatIsNoTextAreRefused() throws IOException {
    Path password = Files.writeString(folder.resolve("password"), "secret\n");
    assertThatThrownBy(() -> PlacementService.start(new ServiceSettings().tls(folder, password)))
        .isInstanceOf(ServiceStartException.class)
        .hasMessage("cannot use the keystore " + folder + ": it is no file");
    Files.write(password, new byte[] {(byte) 0xff, '\n'});
    assertThatThrownBy(() -> PlacementService.start(new ServiceSettings().tls(folder, password)))
        .isInstanceOf(ServiceStartException.class)
        .hasMessage("cannot read the keystore password file " + password + ": it is not UTF-8");
  }

  @Test
  void aTokenThatNoClientCanSendIsNamedAtTheStart() throws IOException {
    Path file = Files.writeString(folder.resolve("tokens"), "# ours\nsecret\ngeheimnü\n");
    assertThatThrownBy(() -> PlacementService.start(new ServiceSettings().tokens(file)))
        .isInstanceOf(ServiceStartException.class)
        .hasMessageContaining("line 3")
        .hasMessageContaining("outside ASCII")
        .hasMessageNotContaining("geheim");
    Files.write(file, new byte[] {'a', (byte) 0xff, '\n'});
    assertThatThrownBy(() -> PlacementService.start(new ServiceSettings().tokens(file)))
        .hasMessageContaining("not UTF-8");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "secret readr",
        "secret READER",
        "secret reader prod extra",
        "secret of mine admin",
        "secret admin prod secret"
      })
  void aLineWhoseRoleIsNotKnownIsNamedAtTheStartWithoutItsWords(String line) throws IOException {
    Path file = Files.writeString(folder.resolve("tokens"), "# ours\nboss admin\n" + line + "\n");
    assertThatThrownBy(() -> PlacementService.start(new ServiceSettings().tokens(file)))
        .isInstanceOf(ServiceStartException.class)
        .hasMessageContaining("line 3 has")
        .hasMessageContaining("reader|placer|admin")
        .hasMessageNotContaining("secret")
        .hasMessageNotContaining("readr")
        .hasMessageNotContaining("mine");
  }

  @Test
  void tokensWithoutARoleAreWarnedOfByTheirLines() throws IOException {
    try (Lines log = new Lines();
        TestService service = withTokens("# ours\nsecret\nother reader\nthird\n")) {
      assertThat(log.about("these lines name no role, so their tokens may do everything: 2, 4;"))
          .isEqualTo(1);
      assertThat(log.about("secret")).isZero();
      assertThat(statusWith(service, "Bearer secret")).isEqualTo(200);
    }
  }

  private static void rewrite(Path file, String text, int later) throws IOException {
    Files.writeString(file, text);
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(later)));
  }

  private static void await(java.util.function.BooleanSupplier holds) {
    long end = System.nanoTime() + 20_000_000_000L;
    while (!holds.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(50_000_000);
    }
  }

  @Test
  void otherOriginsReadNothingUnlessTheyAreNamed() {
    try (TestService service = TestService.start()) {
      assertThat(
              service
                  .assign(SOUND, "Origin", "https://a.example")
                  .header("Access-Control-Allow-Origin"))
          .isEmpty();
    }
    try (TestService service =
        TestService.start(new ServiceSettings().origins(List.of("https://a.example")))) {
      assertThat(
              service
                  .assign(SOUND, "Origin", "https://a.example")
                  .header("Access-Control-Allow-Origin"))
          .isEqualTo("https://a.example");
      assertThat(
              service
                  .assign(SOUND, "Origin", "https://a.example")
                  .header("Access-Control-Expose-Headers")
                  .split(","))
          .containsExactlyInAnyOrder("Lighthouse-Decision", "Retry-After");
      for (String other : List.of("https://b.example", "https://axexample", "null")) {
        assertThat(service.assign(SOUND, "Origin", other).header("Access-Control-Allow-Origin"))
            .as(other)
            .isEmpty();
      }
    }
  }

  @Test
  void anEmptyTextIsNoOrigin() {
    assertThatThrownBy(() -> new ServiceSettings().origins(List.of("")))
        .hasMessageContaining("cors-origin is ''; allowed: an origin without a path");
  }

  @Test
  void thePageIsServedUnderAStrictPolicyThatItsOwnPartsMeet() {
    try (TestService service = TestService.start()) {
      var page = service.get("/");
      assertThat(page.mediaType()).isEqualTo("text/html; charset=utf-8");
      assertThat(page.header("Content-Security-Policy"))
          .startsWith("default-src 'none'; script-src 'sha256-")
          .contains("frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'")
          .doesNotContain("unsafe", "*", "http:");
      assertThat(page.header("X-Frame-Options")).isEqualTo("DENY");
      assertThat(page.header("Referrer-Policy")).isEqualTo("no-referrer");
      // Nothing of it lies elsewhere.
      assertThat(page.text())
          .doesNotContainPattern("(src|href)=[\"'](https?:)?//")
          .doesNotContain("innerHTML", "@import", " style=", "onclick=\"");
    }
  }
}

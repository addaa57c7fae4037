package io.lighthouse.kubernetes.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.kubernetes.control.Bench;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a credential plug-in is given, and what it may print. */
@DisabledOnOs(OS.WINDOWS)
class ExecPluginTest {
  private static final String V1 = "client.authentication.k8s.io/v1";

  @TempDir private Path folder;

  private ExecPlugin plugin(String script, Duration limit) throws Exception {
    Path file = folder.resolve("plugin");
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return new ExecPlugin(
        List.of(file.toString(), "one", "two words"),
        Map.of("REGION", "north"),
        V1,
        null,
        "",
        limit);
  }

  private ExecCredentials.Issued issue(String script) throws Exception {
    return plugin(script, Duration.ofSeconds(20)).issue();
  }

  private static String printing(String status) {
    return "cat <<'END'\n{\"apiVersion\": \"%s\", \"kind\": \"ExecCredential\", \"status\": {%s}}\nEND"
        .formatted(V1, status);
  }

  @Test
  void takesATokenWithItsExpiry() throws Exception {
    ExecCredentials.Issued issued =
        issue(
            printing("\"token\": \"abc\", \"expirationTimestamp\": \"2026-11-24T10:00:00+01:00\""));
    assertThat(issued.credential().token()).isEqualTo("abc");
    assertThat(issued.credential().certificate()).isNull();
    assertThat(issued.expires()).isEqualTo(Instant.parse("2026-11-24T09:00:00Z"));
    assertThat(issued.toString()).doesNotContain("abc");
    assertThat(issue(printing("\"token\": \"abc\"")).expires()).isNull();
  }

  @Test
  void takesACertificateWithItsKey() throws Exception {
    TestKeys me = TestKeys.make(folder, "me", "dns:me");
    String pair =
        "\"clientCertificateData\": \"%s\", \"clientKeyData\": \"%s\""
            .formatted(
                me.certificatePem().replaceAll("\r?\n", "\\\\n"),
                me.keyPem().replaceAll("\r?\n", "\\\\n"));
    Credential credential = issue(printing(pair)).credential();
    assertThat(credential.token()).isNull();
    assertThat(credential.certificate()).isEqualTo(me.pair());
    TestKeys other = TestKeys.make(folder, "other", "dns:other");
    String mixed =
        "\"clientCertificateData\": \"%s\", \"clientKeyData\": \"%s\""
            .formatted(
                me.certificatePem().replaceAll("\r?\n", "\\\\n"),
                other.keyPem().replaceAll("\r?\n", "\\\\n"));
    assertThatThrownBy(() -> issue(printing(mixed)))
        .hasMessageContaining("the key is that of another certificate");
  }

  @Test
  void getsItsArgumentsItsEnvironmentAndTheRequest() throws Exception {
    issue(
        "echo \"$1|$2|$REGION|$KUBERNETES_EXEC_INFO\" > '%s'\n".formatted(folder.resolve("given"))
            + printing("\"token\": \"abc\""));
    assertThat(Files.readString(folder.resolve("given")).strip())
        .isEqualTo(
            "one|two words|north|{\"apiVersion\":\"%s\",\"kind\":\"ExecCredential\",".formatted(V1)
                + "\"spec\":{\"interactive\":false}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "echo secret; exit 0 | printed no JSON",
        "exit 0 | printed no ExecCredential",
        "echo '{\"token\": \"secret\"}' | printed no ExecCredential",
        "echo '{\"kind\": \"ExecCredential\", \"apiVersion\": \"x/v2\"}' | speaks 'x/v2'; the kube",
        "echo secret; echo no login >&2; exit 3 | ended with exit code 3; it wrote: no login",
        "echo secret; exit 3 | ended with exit code 3; it wrote no error",
        "printf 'bad secret%0100d here' 0 >&2; exit 3 | ended with exit code 3; it wrote: bad"
            + " [...]",
        "head -c 1100000 /dev/zero | printed more than 1048576 bytes"
      })
  void aFailureNamesTheProgramAndTheEndOfItsErrorsButNoSecret(String script, String message) {
    assertThatThrownBy(() -> issue(script))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("credential plug-in '" + folder.resolve("plugin") + "' " + message)
        .hasMessageNotContaining("secret")
        .hasNoCause();
  }

  /** Half of a pair of surrogates is no character. */
  @Test
  void aLongVersionIsShortenedToWholeCharacters() {
    for (int length : new int[] {99, 199}) {
      String version = "x".repeat(length) + "\ud83d\ude00" + "x".repeat(200);
      String script = "echo '{\"kind\": \"ExecCredential\", \"apiVersion\": \"" + version + "\"}'";
      assertThatThrownBy(() -> issue(script))
          .hasMessageContaining(
              "speaks '" + "x".repeat(length) + (length < 199 ? "\ud83d\ude00" : "... ("))
          .hasMessageContaining("... (" + version.length() + " characters)'; the kubeconfig says");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"other\": \"secret\" | printed neither a token nor a client certificate",
        "\"clientKeyData\": \"secret\" | printed clientCertificateData or clientKeyData without",
        "\"token\": \"sec ret\" | printed a credential that cannot be used: ",
        "\"token\": \"secret\", \"expirationTimestamp\": \"soon\" | printed an expirationTimestamp"
      })
  void aCredentialThatCannotBeUsedIsAFailure(String status, String message) {
    assertThatThrownBy(() -> issue(printing(status)))
        .hasMessageContaining(message)
        .hasMessageNotContaining("secret")
        .hasMessageNotContaining("sec ret");
  }

  @Test
  void isEndedWithAllThatItStartedWhenItTakesTooLong() throws Exception {
    ExecPlugin slow =
        plugin(
            "echo waiting >&2; sleep 300 & echo $! > '%s'; wait".formatted(folder.resolve("child")),
            Duration.ofSeconds(2));
    assertThatThrownBy(slow::issue)
        .hasMessageContaining("did not end within 2 s; it wrote: waiting");
    long child = Long.parseLong(Files.readString(folder.resolve("child")).strip());
    // One that has ended may be listed until it is reaped, without its command.
    Bench.until(
        () -> ProcessHandle.of(child).flatMap(left -> left.info().command()).isEmpty(),
        () -> "still runs: " + child);
  }

  @Test
  void aProgramThatIsNotThereIsNamedWithTheHint() {
    ExecPlugin missing =
        new ExecPlugin(
            List.of("/no/such/program"),
            Map.of(),
            V1,
            null,
            "install it from example.test",
            Duration.ofSeconds(2));
    assertThatThrownBy(missing::issue)
        .hasMessageContaining("credential plug-in '/no/such/program' cannot be started: ")
        .hasMessageEndingWith("; install it from example.test");
  }
}

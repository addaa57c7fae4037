package io.lighthouse.kubernetes.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.kubernetes.client.GuardedServer.Seen;
import io.lighthouse.kubernetes.control.Bench;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kubeconfigs of managed clusters, on a server that checks the caller and the TLS name. */
class ManagedClusterTest {
  private static final String NAME = "api.example.test";

  private static TestKeys server;
  private static TestKeys alice;
  private static TestKeys bob;

  /** Issued by alice. */
  private static TestKeys carol;

  @TempDir private Path folder;

  @BeforeAll
  static void makeKeys(@TempDir Path keys) throws Exception {
    server = TestKeys.make(keys, "server", "dns:" + NAME);
    alice = TestKeys.make(keys, "alice", "dns:alice");
    bob = TestKeys.make(keys, "bob", "dns:bob");
    carol = TestKeys.makeIssued(keys, "carol", "alice");
  }

  private ClusterAccess read(String cluster, String user, Map<String, String> environment)
      throws Exception {
    Path file = folder.resolve("config");
    Files.writeString(
        file,
        """
        clusters: [{name: c, cluster: {%s, certificate-authority-data: %s}}]
        users: [{name: u, user: {%s}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
            .formatted(cluster, TestKeys.base64(server.certificatePem()), user));
    return Kubeconfig.read(file, Optional.empty(), environment);
  }

  private static String named(GuardedServer at) {
    return "server: 'https://127.0.0.1:%d', tls-server-name: %s".formatted(at.port(), NAME);
  }

  private static void call(ClusterAccess access) throws IOException {
    try (ApiServer api = new ApiServer(access, Duration.ofSeconds(20))) {
      assertThat(api.get("/version").path("major").asString("")).isEqualTo("1");
    }
  }

  @Test
  void sendsAndChecksTheNameThatTheKubeconfigGives() throws Exception {
    try (GuardedServer at = new GuardedServer(server).admit("abc")) {
      call(read(named(at), "token: abc", Map.of()));
      assertThat(at.seen()).containsExactly(new Seen(NAME, "abc", 200));
      ClusterAccess unnamed = read(named(at).replaceAll(", tls.*", ""), "token: abc", Map.of());
      assertThatThrownBy(() -> call(unnamed)).hasMessageContaining("No subject alternative names");
      ClusterAccess other =
          read(named(at).replace(NAME, "other.example.test"), "token: abc", Map.of());
      assertThatThrownBy(() -> call(other)).hasMessageContaining("other.example.test");
    }
  }

  @Test
  void checksNoCertificateWhereTheKubeconfigSaysSo() throws Exception {
    try (GuardedServer at = new GuardedServer(bob).admit("abc")) {
      Path file = folder.resolve("insecure");
      Files.writeString(
          file,
          """
          clusters:
          - name: c
            cluster: {server: 'https://127.0.0.1:%d', insecure-skip-tls-verify: true}
          users: [{name: u, user: {token: abc}}]
          contexts: [{name: x, context: {cluster: c, user: u}}]
          current-context: x
          """
              .formatted(at.port()));
      call(Kubeconfig.read(file, Optional.empty(), Map.of()));
      assertThat(at.seen()).hasSize(1);
    }
  }

  @Test
  void readsATokenFileAgainWhenTheServerRefusesTheToken() throws Exception {
    Files.writeString(folder.resolve("token"), "first\n");
    try (GuardedServer at = new GuardedServer(server).admit("first");
        ApiServer api =
            new ApiServer(read(named(at), "tokenFile: token", Map.of()), Duration.ofSeconds(20))) {
      api.get("/version");
      Files.writeString(folder.resolve("token"), "second\n");
      at.admit("second");
      api.get("/version");
      at.admit("third");
      assertThatThrownBy(() -> api.get("/version")).hasMessage("GET /version: 401 Unauthorized: ");
      assertThat(at.seen().stream().map(seen -> seen.caller() + " " + seen.status()))
          .containsExactly("first 200", "first 401", "second 200", "second 401");
    }
  }

  @Test
  void readsCertificateFilesAgainAndConnectsAnewWithThem() throws Exception {
    write(alice);
    String user = "client-certificate: me.crt, client-key: me.key";
    try (GuardedServer at = new GuardedServer(server, alice, bob).admit("CN=alice");
        ApiServer api = new ApiServer(read(named(at), user, Map.of()), Duration.ofSeconds(20))) {
      api.get("/version");
      at.admit("CN=bob");
      Files.writeString(folder.resolve("me.crt"), bob.certificatePem());
      assertThatThrownBy(() -> api.get("/version"))
          .as("the key is still that of the other certificate")
          .hasMessageContaining("401");
      write(bob);
      api.get("/version");
      assertThat(at.seen().get(at.seen().size() - 1)).isEqualTo(new Seen(NAME, "CN=bob", 200));
    }
  }

  @Test
  void keepsTheCertificateWhileTheChainInTheFileIsNotInOrder() throws Exception {
    write(alice);
    String user = "client-certificate: me.crt, client-key: me.key";
    try (GuardedServer at = new GuardedServer(server, alice, bob).admit("CN=alice");
        ApiServer api = new ApiServer(read(named(at), user, Map.of()), Duration.ofSeconds(20))) {
      api.get("/version");
      write(bob);
      Files.writeString(
          folder.resolve("me.crt"), alice.certificatePem(), StandardOpenOption.APPEND);
      at.admit("CN=bob");
      assertThatThrownBy(() -> api.get("/version")).hasMessageContaining("401");
      at.admit("CN=alice");
      api.get("/version");
    }
  }

  @Test
  void takesAChainInOrderAndNoOther() {
    ServerTrust.STANDARD.context(chain(carol, alice));
    for (TestKeys[] wrong :
        new TestKeys[][] {{carol, bob, alice}, {alice, carol}, {carol, alice, alice}}) {
      assertThatThrownBy(() -> chain(wrong))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("the chain is not in order; allowed: the certificate, and after");
    }
  }

  private static ClientCertificate chain(TestKeys... chain) {
    return new ClientCertificate(
        Stream.of(chain).map(TestKeys::certificate).toList(), chain[0].key());
  }

  private void write(TestKeys keys) throws Exception {
    Files.writeString(folder.resolve("me.crt"), keys.certificatePem());
    Files.writeString(folder.resolve("me.key"), keys.keyPem());
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://", "http://me:secret@", "socks5://"})
  void goesThroughTheProxyOfTheKubeconfig(String kind) throws Exception {
    try (GuardedServer at = new GuardedServer(server).admit("abc");
        TestProxy proxy = new TestProxy(at.port())) {
      String cluster = "server: 'https://%s:6443', proxy-url: '%s'";
      call(
          read(
              cluster.formatted(NAME, kind + proxy.address()),
              "token: abc",
              Map.of("NO_PROXY", "*", "HTTPS_PROXY", "127.0.0.1:1")));
      assertThat(at.seen()).containsExactly(new Seen(NAME, "abc", 200));
      assertThat(proxy.requests()).hasSize(1);
      assertThat(proxy.requests().get(0))
          .startsWith(kind.startsWith("socks5") ? "SOCKS " + NAME : "CONNECT " + NAME + ":6443 ")
          .doesNotContain("abc");
      if (kind.contains("secret")) {
        assertThat(proxy.requests().get(0))
            .contains("Proxy-Authorization: Basic " + TestKeys.base64("me:secret") + "\r\n");
      }
    }
  }

  @Test
  void goesThroughTheProxyOfTheEnvironmentUnlessTheServerIsExcluded() throws Exception {
    try (GuardedServer at = new GuardedServer(server).admit("abc");
        TestProxy proxy = new TestProxy(at.port())) {
      String cluster = "server: 'https://%s:6443'".formatted(NAME);
      call(read(cluster, "token: abc", Map.of("https_proxy", proxy.address())));
      assertThat(proxy.requests()).hasSize(1);
      Map<String, String> excluded =
          Map.of("HTTPS_PROXY", proxy.address(), "NO_PROXY", "other, .example.test");
      assertThat(read(cluster, "token: abc", excluded).proxy()).isEmpty();
    }
  }

  @Test
  void aProxyThatRefusesIsNamedWithoutItsPassword() throws Exception {
    try (TestProxy proxy = new TestProxy(1, "HTTP/1.1 407 Proxy Authentication Required")) {
      ClusterAccess access =
          read(
              "server: 'https://%s', proxy-url: 'http://me:secret@%s'"
                  .formatted(NAME, proxy.address()),
              "token: abc",
              Map.of());
      assertThatThrownBy(() -> call(access))
          .hasMessageContaining(
              "proxy http://%s opens no tunnel to %s:443: 'HTTP/1.1 407 Proxy"
                  .formatted(proxy.address(), NAME))
          .hasMessageNotContaining("secret");
    }
  }

  /** A program that issues token-1, token-2 and so on, as those of EKS, GKE and AKS do. */
  private String exec(String expiry) throws Exception {
    Path script = folder.resolve("issue");
    Files.writeString(
        script,
        """
        #!/bin/sh
        echo "$KUBERNETES_EXEC_INFO" > "$(dirname "$0")/info"
        echo x >> "$(dirname "$0")/runs"
        n=$(wc -l < "$(dirname "$0")/runs" | tr -d ' ')
        echo '{"apiVersion": "client.authentication.k8s.io/v1beta1", "kind": "ExecCredential",'
        echo '"status": {%s"token": "'"$1-$n"'"}}'
        """
            .formatted(expiry));
    assertThat(script.toFile().setExecutable(true)).isTrue();
    return "exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: ./issue,"
        + " args: [token], provideClusterInfo: true, interactiveMode: IfAvailable}";
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void runsTheProgramOnceAndAgainWhenTheServerRefusesItsToken() throws Exception {
    String user = exec("");
    try (GuardedServer at = new GuardedServer(server).admit("token-1");
        ApiServer api = new ApiServer(read(named(at), user, Map.of()), Duration.ofSeconds(20))) {
      api.get("/version");
      api.get("/version");
      assertThat(Files.readAllLines(folder.resolve("runs"))).hasSize(1);
      assertThat(Files.readString(folder.resolve("info")))
          .contains("\"interactive\":false")
          .contains("\"server\":\"https://127.0.0.1:" + at.port() + "\"")
          .contains("\"tls-server-name\":\"" + NAME + "\"")
          .contains("\"certificate-authority-data\":\"LS0t");
      at.admit("token-2");
      Bench.until(() -> isAdmitted(api), () -> at.seen().toString());
      assertThat(Files.readAllLines(folder.resolve("runs"))).hasSize(2);
      assertThat(at.seen().get(at.seen().size() - 1)).isEqualTo(new Seen(NAME, "token-2", 200));
    }
  }

  private static boolean isAdmitted(ApiServer api) throws IOException {
    try {
      api.get("/version");
      return true;
    } catch (ApiException refused) {
      return false;
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aCallDoesNotWaitForASlowProgramBeyondItsTime() throws Exception {
    String user = exec("");
    Files.writeString(folder.resolve("issue"), "#!/bin/sh\nsleep 5\n");
    try (GuardedServer at = new GuardedServer(server);
        ApiServer api = new ApiServer(read(named(at), user, Map.of()), Duration.ofMillis(300))) {
      assertThatThrownBy(() -> api.get("/version"))
          .hasMessageContaining("GET /version: no credential in time: credential plug-in '")
          .hasMessageContaining("issue' still runs");
      assertThat(at.seen()).isEmpty();
    }
  }
}

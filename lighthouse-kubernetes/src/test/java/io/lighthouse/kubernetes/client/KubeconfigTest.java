package io.lighthouse.kubernetes.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.lighthouse.api.error.InvalidInputException;
import io.lighthouse.kubernetes.config.ConfigFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubeconfigTest {
  private static TestKeys server;
  private static TestKeys nextServer;
  private static TestKeys client;

  @TempDir private Path folder;

  @BeforeAll
  static void makeKeys(@TempDir Path keys) throws Exception {
    server = TestKeys.make(keys, "server", "ip:127.0.0.1");
    nextServer = TestKeys.make(keys, "next-server", "ip:127.0.0.1");
    client = TestKeys.make(keys, "client", "ip:127.0.0.1");
  }

  private Path file(String user, String cluster) throws Exception {
    Path file = folder.resolve("config");
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Config
        clusters:
        - name: one
          cluster: %s
        users:
        - name: me
          user: %s
        contexts:
        - name: here
          context: {cluster: one, user: me, namespace: team}
        - name: open
          context: {cluster: one}
        current-context: here
        """
            .formatted(cluster, user));
    return file;
  }

  private ClusterAccess read(String user, String cluster) throws Exception {
    return Kubeconfig.access(Optional.of(file(user, cluster)), Optional.empty());
  }

  private static String token(ClusterAccess access) throws Exception {
    return access.credentials().current(System.nanoTime()).token();
  }

  private static final String PLAIN = "{server: 'http://127.0.0.1:8001/'}";

  @Test
  void readsServerAndToken() throws Exception {
    ClusterAccess access = read("{token: abc}", PLAIN);
    assertThat(access.server().toString()).isEqualTo("http://127.0.0.1:8001");
    assertThat(token(access)).isEqualTo("abc");
    ClusterAccess open =
        Kubeconfig.access(Optional.of(folder.resolve("config")), Optional.of("open"));
    assertThat(token(open)).isNull();
  }

  @Test
  void readsATokenFileBesideIt() throws Exception {
    Files.writeString(folder.resolve("token"), "first\n");
    ClusterAccess access = read("{tokenFile: token}", PLAIN);
    assertThat(token(access)).isEqualTo("first");
    Files.writeString(folder.resolve("token"), "second\n");
    assertThat(access.credentials().renew(new Credential("first", null))).isTrue();
    assertThat(token(access)).isEqualTo("second");
    Files.delete(folder.resolve("token"));
    assertThat(access.credentials().renew(new Credential("second", null))).isFalse();
    assertThat(token(access)).as("while it is replaced").isEqualTo("second");
  }

  @Test
  void aTokenIsUsedUntilTheFileBesideItCanBeRead() throws Exception {
    Path file = folder.resolve("token");
    Files.writeString(file, "of-the-file\n");
    String user = "{token: inline, tokenFile: token}";
    assertThat(token(read(user, PLAIN))).isEqualTo("of-the-file");
    Files.writeString(file, "\n");
    assertThat(token(read(user, PLAIN))).as("the file is empty").isEqualTo("inline");
    Files.delete(file);
    ClusterAccess access = read(user, PLAIN);
    assertThat(token(access)).isEqualTo("inline");
    Files.writeString(file, "first\n");
    assertThat(access.credentials().renew(new Credential("inline", null))).isTrue();
    assertThat(token(access)).isEqualTo("first");
    Files.delete(file);
    assertThat(access.credentials().renew(new Credential("first", null))).isFalse();
    assertThat(token(access)).as("the last that was read").isEqualTo("first");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{exec: {command: aws}} | {server: 'https://a'} | users.user.exec.apiVersion is missing",
        "{exec: {apiVersion: x/v1alpha1}} | {server: 'https://a'} | exec.apiVersion is"
            + " 'x/v1alpha1'",
        "{exec: {apiVersion: client.authentication.k8s.io/v1, command: sh}} | {server: 'https://a'}"
            + " | exec.interactiveMode is missing; allowed: Never or IfAvailable",
        "{exec: {apiVersion: client.authentication.k8s.io/v1, command: sh, interactiveMode:"
            + " Always}} | {server: 'https://a'} | exec.interactiveMode is 'Always'; allowed: Never"
            + " or",
        "{exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: no-such-program,"
            + " installHint: 'get it there'}} | {server: 'https://a'} | exec.command is"
            + " 'no-such-program', which is not there; allowed: a program; get it there",
        "{exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: sh, args: [1]}}"
            + " | {server: 'https://a'} | exec.args is not all texts; allowed: texts",
        "{exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: sh, env: [secret]}}"
            + " | {server: 'https://a'} | exec.env is not of pairs",
        "{token: secret, exec: {command: aws}} | {server: 'https://a'} | users.user.exec is set be",
        "{auth-provider: {name: oidc}} | {server: 'https://a'} | users.user.auth-provider is set",
        "{username: a, password: secret} | {server: 'https://a'} | users.user.username is set",
        "{as: root} | {server: 'https://a'} | users.user.as is set, which is not supported",
        "{} | {server: 'https://a', insecure-skip-tls-verify: 'yes'} | insecure-skip-tls-verify is",
        "{} | {server: 'https://a', tls-server-name: a_b} | tls-server-name is 'a_b'; allowed: the",
        "{} | {server: 'https://a', proxy-url: 'ftp://b'} | ftp://b; allowed: http://HOST:PORT or",
        "{} | {server: 'ftp://a'} | clusters.cluster.server is 'ftp://a'; allowed: https://HOST",
        "{} | {} | clusters.cluster.server is missing; allowed: a text",
        "{token: 'a b'} | {server: 'https://a'} | the token is empty or not printable",
        "{client-certificate-data: eA==} | {server: 'https://a'} | users.user.client-key is"
            + " missing",
        "{} | {server: 'https://a', certificate-authority: none} | 'none'; allowed: a file that",
        "{} | {server: 'https://a', certificate-authority-data: eA==} | the certificate is missing",
        "{tokenFile: 7} | {server: 'https://a'} | users.user.tokenFile is '7'; allowed: a text",
        "{token: 123456} | {server: 'https://a'} | users.user.token is no text; allowed: a text",
        "{} | {server: 'https://bob:pw@a?x'} | clusters.cluster.server is 'https://a?x'; allowed",
        "{} | {server: 'https://a:99999'} | clusters.cluster.server is 'https://a:99999'; allowed",
        "{} | {server: 'https://a', proxy-url: 'http://b:99999'} | b:99999"
      })
  void refusesByName(String user, String cluster, String message) {
    assertThatThrownBy(() -> read(user, cluster))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(message)
        .hasMessageNotContaining("secret");
  }

  /** The description of a cluster that a credential plug-in is given. */
  private static String described(String config) {
    Map<?, ?> cluster =
        ConfigFile.parse(
            "kubeconfig",
            "{server: 'https://a', extensions: [{name: other, extension: {a: 1}},"
                + " {name: client.authentication.k8s.io/exec, extension: "
                + config
                + "}]}");
    Map<String, ?> exec =
        Map.of(
            "apiVersion",
            "client.authentication.k8s.io/v1beta1",
            "command",
            "sh",
            "provideClusterInfo",
            true);
    Path file = Path.of("config");
    return ExecSection.read(
            new KubeconfigSection(file, "exec.", exec),
            new KubeconfigSection(file, "clusters.cluster.", cluster))
        .cluster()
        .toString();
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aPlugInGetsItsPartOfTheCluster() {
    String config =
        "{\"audience\":\"x\",\"n\":7,\"large\":123456789012345678901,\"share\":1.5,"
            + "\"on\":true,\"none\":null,\"list\":[{\"a\":\"b\"},[]]}";
    assertThat(described(config)).isEqualTo("{\"server\":\"https://a\",\"config\":" + config + "}");
    assertThat(described("{7: a, true: b}")).endsWith("{\"7\":\"a\",\"true\":\"b\"}}");
    assertThat(described("null")).endsWith("\"config\":null}");
    assertThatThrownBy(() -> described("{null: a}"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("clusters.cluster.extensions is no JSON; allowed: objects");
  }

  @Test
  void theKubeconfigOfKubectlProxyIsAsThePageHasIt() throws Exception {
    Path root = Path.of(System.getProperty("lighthouse.root"));
    String page = Files.readString(root.resolve("docs/kubernetes.md"));
    String section = page.substring(page.indexOf("`kubectl proxy`"));
    String block = section.substring(section.indexOf("```yaml\n") + 8);
    Path file = folder.resolve("proxy.conf");
    Files.writeString(file, block.substring(0, block.indexOf("```")));
    ClusterAccess access = Kubeconfig.access(Optional.of(file), Optional.empty());
    assertThat(access.server().toString()).isEqualTo("http://127.0.0.1:8001");
    assertThat(token(access)).isNull();
  }

  /** Kubeconfigs as the tools of three providers write them, but for the program. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{apiVersion: client.authentication.k8s.io/v1beta1, command: sh, args: [--region, eu,"
            + " eks, get-token, --cluster-name, c, --output, json],"
            + " env: [{name: AWS_PROFILE, value: p}]}",
        "{apiVersion: client.authentication.k8s.io/v1beta1, command: sh, provideClusterInfo: true,"
            + " installHint: Install gke-gcloud-auth-plugin}",
        "{apiVersion: client.authentication.k8s.io/v1, command: sh, args: [get-token],"
            + " env: null, interactiveMode: IfAvailable, provideClusterInfo: false}"
      })
  @DisabledOnOs(OS.WINDOWS)
  void readsTheKubeconfigsOfManagedClusters(String exec) throws Exception {
    assertThat(read("{exec: " + exec + "}", PLAIN).credentials())
        .isInstanceOf(ExecCredentials.class);
  }

  @Test
  void refusesAContextThatIsNotThere() throws Exception {
    Path file = file("{}", PLAIN);
    assertThatThrownBy(() -> Kubeconfig.access(Optional.of(file), Optional.of("there")))
        .hasMessageContaining("contexts is without 'there'");
    assertThatThrownBy(
            () -> Kubeconfig.access(Optional.of(folder.resolve("none")), Optional.empty()))
        .hasMessageContaining("a file that can be read");
  }

  @Test
  void findsWhatAPodFinds() throws Exception {
    Files.writeString(folder.resolve("ca.crt"), server.certificatePem());
    Files.writeString(folder.resolve("token"), "of-the-account");
    Map<String, String> environment =
        Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "443");
    ClusterAccess access = Kubeconfig.inCluster(environment, folder);
    assertThat(access.server().toString()).isEqualTo("https://[fd00::1]:443");
    assertThat(token(access)).isEqualTo("of-the-account");
    assertThatThrownBy(() -> Kubeconfig.inCluster(Map.of(), folder))
        .hasMessageContaining("KUBERNETES_SERVICE_HOST");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void readsTheAuthorityFileAgainForEachConnection(boolean isPod) throws Exception {
    Path authority = folder.resolve("ca.crt");
    Files.writeString(authority, server.certificatePem());
    Files.writeString(folder.resolve("token"), "abc");
    try (GuardedServer at = new GuardedServer(server).admit("abc");
        ApiServer api =
            new ApiServer(isPod ? inPod(at) : withAuthorityFile(at), Duration.ofSeconds(20))) {
      api.get("/version");
      at.show(nextServer);
      assertThatThrownBy(() -> api.get("/version"))
          .as("the file has the old authority only")
          .isInstanceOf(IOException.class)
          .hasMessageContaining("unable to find valid certification path");
      Files.writeString(authority, nextServer.certificatePem());
      api.get("/version");
      for (String malformed : List.of("", "none", TestKeys.pem("CERTIFICATE", new byte[9]))) {
        Files.writeString(authority, malformed);
        at.show(nextServer);
        api.get("/version");
      }
      Files.delete(authority);
      at.show(nextServer);
      api.get("/version");
      assertThat(at.seen()).hasSize(6);
    }
  }

  private ClusterAccess inPod(GuardedServer at) {
    String port = Integer.toString(at.port());
    return Kubeconfig.inCluster(
        Map.of("KUBERNETES_SERVICE_HOST", "127.0.0.1", "KUBERNETES_SERVICE_PORT", port), folder);
  }

  private ClusterAccess withAuthorityFile(GuardedServer at) throws Exception {
    return read(
        "{token: abc}",
        "{server: 'https://127.0.0.1:%d', certificate-authority: ca.crt}".formatted(at.port()));
  }

  /**
   * A server that asks for a certificate, and a client whose key is written in one of three ways.
   */
  @ParameterizedTest
  @ValueSource(strings = {"PKCS8", "PKCS1"})
  void showsItsCertificate(String form) throws Exception {
    HttpsServer https =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
    SSLContext tls = ServerTrust.of(() -> List.of(client.certificate())).context(server.pair());
    https.setHttpsConfigurator(
        new HttpsConfigurator(tls) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters strict = tls.getDefaultSSLParameters();
            strict.setNeedClientAuth(true);
            parameters.setSSLParameters(strict);
          }
        });
    https.createContext(
        "/version",
        exchange -> {
          byte[] body = "{\"major\":\"1\"}".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    https.start();
    try {
      byte[] pkcs8 = client.key().getEncoded();
      // PKCS#8 is 26 bytes around the PKCS#1 of an RSA key of 2,048 bits.
      String secret =
          form.equals("PKCS8")
              ? client.keyPem()
              : TestKeys.pem("RSA PRIVATE KEY", Arrays.copyOfRange(pkcs8, 26, pkcs8.length));
      Files.writeString(folder.resolve("me.crt"), client.certificatePem());
      String user =
          "{client-certificate: me.crt, client-key-data: %s}".formatted(TestKeys.base64(secret));
      String authority = TestKeys.base64(server.certificatePem());
      String cluster =
          "{server: 'https://127.0.0.1:%d', certificate-authority-data: %s}"
              .formatted(https.getAddress().getPort(), authority);
      try (ApiServer api = new ApiServer(read(user, cluster), Duration.ofSeconds(10))) {
        assertThat(api.get("/version").path("major").asString("")).isEqualTo("1");
      }
      try (ApiServer nobody = new ApiServer(read("{}", cluster), Duration.ofSeconds(30))) {
        assertThatThrownBy(() -> nobody.get("/version")).isNotNull();
      }
      String other = "{server: 'https://127.0.0.1:%d'}".formatted(https.getAddress().getPort());
      try (ApiServer mistrusting = new ApiServer(read(user, other), Duration.ofSeconds(30))) {
        assertThatThrownBy(() -> mistrusting.get("/version")).isNotNull();
      }
      String elsewhere = cluster.replace("127.0.0.1", "localhost");
      try (ApiServer misled = new ApiServer(read(user, elsewhere), Duration.ofSeconds(30))) {
        assertThatThrownBy(() -> misled.get("/version"))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("No name matching localhost found");
      }
    } finally {
      https.stop(0);
    }
  }

  @Test
  void readsAKeyOnACurve() throws Exception {
    // RFC 9500 (testing keys), section 2.3: testECCP256, in the form of SEC 1.
    String sec1 =
        """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIObLW92AqkWunJXowVR2Z5/+yVPBaFHnEedDk5WJxk/BoAoGCCqGSM49
        AwEHoUQDQgAEQiVI+I+3gv+17KN0RFLHKh5Vj71vc75eSOkyMsxFxbFsTNEMTLjV
        uKFxOelIgsiZJXKZNCX0FBmrfpCkKklCcg==
        -----END EC PRIVATE KEY-----
        """;
    assertThat(Pem.privateKey("key", sec1).getAlgorithm()).isEqualTo("EC");
    assertThatThrownBy(
            () -> Pem.privateKey("key", TestKeys.pem("ENCRYPTED PRIVATE KEY", new byte[] {1})))
        .hasMessageContaining("'ENCRYPTED PRIVATE KEY'");
    assertThatThrownBy(() -> Pem.privateKey("key", TestKeys.pem("PRIVATE KEY", new byte[] {1})))
        .hasMessageContaining("the key is not readable");
  }
}

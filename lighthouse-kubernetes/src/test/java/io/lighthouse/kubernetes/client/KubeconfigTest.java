package io.lighthouse.kubernetes.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.lighthouse.api.error.InvalidInputException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubeconfigTest {
  private static final char[] PASSWORD = "changeit".toCharArray();

  private static KeyStore server;
  private static KeyStore client;

  @TempDir private Path folder;

  @BeforeAll
  static void makeKeys(@TempDir Path keys) throws Exception {
    server = keys(keys, "server");
    client = keys(keys, "client");
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
    return Kubeconfig.read(file(user, cluster), Optional.empty());
  }

  private static final String PLAIN = "{server: 'http://127.0.0.1:8001/'}";

  @Test
  void readsServerTokenAndNamespace() throws Exception {
    ClusterAccess access = read("{token: abc}", PLAIN);
    assertThat(access.server().toString()).isEqualTo("http://127.0.0.1:8001");
    assertThat(access.token().value()).contains("abc");
    assertThat(access.namespace()).isEqualTo("team");
    ClusterAccess open = Kubeconfig.read(folder.resolve("config"), Optional.of("open"));
    assertThat(open.token().value()).isEmpty();
    assertThat(open.namespace()).isEqualTo("default");
  }

  @Test
  void readsATokenFileBesideIt() throws Exception {
    Files.writeString(folder.resolve("token"), "first\n");
    ClusterAccess access = read("{tokenFile: token}", PLAIN);
    assertThat(access.token().value()).contains("first");
    Files.writeString(folder.resolve("token"), "second\n");
    access.token().readAgain();
    assertThat(access.token().value()).contains("second");
    Files.delete(folder.resolve("token"));
    access.token().readAgain();
    assertThat(access.token().value()).as("while it is replaced").contains("second");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{exec: {command: aws}} | {server: 'https://a'} | users.user.exec is set, which is not",
        "{auth-provider: {name: oidc}} | {server: 'https://a'} | users.user.auth-provider is set",
        "{username: a, password: secret} | {server: 'https://a'} | users.user.username is set",
        "{as: root} | {server: 'https://a'} | users.user.as is set, which is not supported",
        "{} | {server: 'https://a', insecure-skip-tls-verify: true} | insecure-skip-tls-verify is",
        "{} | {server: 'https://a', proxy-url: 'http://b'} | clusters.cluster.proxy-url is set",
        "{} | {server: 'ftp://a'} | clusters.cluster.server is 'ftp://a'; allowed: https://HOST",
        "{} | {} | clusters.cluster.server is missing; allowed: a text",
        "{token: 'a b'} | {server: 'https://a'} | the token is empty or not printable",
        "{client-certificate-data: eA==} | {server: 'https://a'} | users.user.client-key is"
            + " missing",
        "{} | {server: 'https://a', certificate-authority: none} | 'none'; allowed: a file that",
        "{} | {server: 'https://a', certificate-authority-data: eA==} | the certificate is missing",
        "{tokenFile: 7} | {server: 'https://a'} | users.user.tokenFile is '7'; allowed: a text"
      })
  void refusesByName(String user, String cluster, String message) {
    assertThatThrownBy(() -> read(user, cluster))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(message)
        .hasMessageNotContaining("secret");
  }

  @Test
  void saysTheWaysRoundAKubeconfigThatRunsPrograms() throws Exception {
    assertThatThrownBy(() -> read("{exec: {command: aws}}", PLAIN))
        .hasMessageContaining("run kubectl proxy, and give its address as the server")
        .hasMessageContaining("docs/kubernetes.md, 'A kubeconfig that runs programs'");
    // The one of kubectl proxy, as that page has it.
    Path root = Path.of(System.getProperty("lighthouse.root"));
    String page = Files.readString(root.resolve("docs/kubernetes.md"));
    String section = page.substring(page.indexOf("### A kubeconfig that runs programs"));
    String block = section.substring(section.indexOf("```yaml\n") + 8);
    Path file = folder.resolve("proxy.conf");
    Files.writeString(file, block.substring(0, block.indexOf("```")));
    ClusterAccess access = Kubeconfig.read(file, Optional.empty());
    assertThat(access.server().toString()).isEqualTo("http://127.0.0.1:8001");
    assertThat(access.token().value()).isEmpty();
  }

  @Test
  void refusesAContextThatIsNotThere() throws Exception {
    Path file = file("{}", PLAIN);
    assertThatThrownBy(() -> Kubeconfig.read(file, Optional.of("there")))
        .hasMessageContaining("contexts is without 'there'");
    assertThatThrownBy(() -> Kubeconfig.read(folder.resolve("none"), Optional.empty()))
        .hasMessageContaining("a file that can be read");
  }

  @Test
  void findsWhatAPodFinds() throws Exception {
    byte[] authority = certificate(server).getEncoded();
    Files.writeString(folder.resolve("ca.crt"), pem("CERTIFICATE", authority));
    Files.writeString(folder.resolve("token"), "of-the-account");
    Files.writeString(folder.resolve("namespace"), "kube-system");
    Map<String, String> environment =
        Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "443");
    ClusterAccess access = Kubeconfig.inCluster(environment, folder);
    assertThat(access.server().toString()).isEqualTo("https://[fd00::1]:443");
    assertThat(access.token().value()).contains("of-the-account");
    assertThat(access.namespace()).isEqualTo("kube-system");
    assertThatThrownBy(() -> Kubeconfig.inCluster(Map.of(), folder))
        .hasMessageContaining("KUBERNETES_SERVICE_HOST");
  }

  /**
   * A server that asks for a certificate, and a client whose key is written in one of three ways.
   */
  @ParameterizedTest
  @ValueSource(strings = {"PKCS8", "PKCS1"})
  void showsItsCertificate(String form) throws Exception {
    HttpsServer https =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
    SSLContext tls =
        TlsContexts.of(List.of(certificate(client)), List.of(certificate(server)), key(server));
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
      byte[] pkcs8 = key(client).getEncoded();
      // PKCS#8 is 26 bytes around the PKCS#1 of an RSA key of 2,048 bits.
      String secret =
          form.equals("PKCS8")
              ? pem("PRIVATE KEY", pkcs8)
              : pem("RSA PRIVATE KEY", Arrays.copyOfRange(pkcs8, 26, pkcs8.length));
      Files.writeString(
          folder.resolve("me.crt"), pem("CERTIFICATE", certificate(client).getEncoded()));
      String user = "{client-certificate: me.crt, client-key-data: %s}".formatted(base64(secret));
      String authority = base64(pem("CERTIFICATE", certificate(server).getEncoded()));
      String cluster =
          "{server: 'https://127.0.0.1:%d', certificate-authority-data: %s}"
              .formatted(https.getAddress().getPort(), authority);
      try (ApiServer api = new ApiServer(read(user, cluster), Duration.ofSeconds(10))) {
        assertThat(api.get("/version").path("major").asString("")).isEqualTo("1");
      }
      try (ApiServer nobody = new ApiServer(read("{}", cluster), Duration.ofSeconds(1))) {
        assertThatThrownBy(() -> nobody.get("/version")).isNotNull();
      }
      String other = "{server: 'https://127.0.0.1:%d'}".formatted(https.getAddress().getPort());
      try (ApiServer mistrusting = new ApiServer(read(user, other), Duration.ofSeconds(1))) {
        assertThatThrownBy(() -> mistrusting.get("/version")).isNotNull();
      }
      String elsewhere = cluster.replace("127.0.0.1", "localhost");
      try (ApiServer misled = new ApiServer(read(user, elsewhere), Duration.ofSeconds(1))) {
        assertThatThrownBy(() -> misled.get("/version"))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("No name matching localhost found");
      }
    } finally {
      https.stop(0);
    }
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String pem(String kind, byte[] der) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(kind, Base64.getMimeEncoder().encodeToString(der), kind);
  }

  private static KeyStore keys(Path folder, String name) throws Exception {
    Path store = folder.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-genkeypair",
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-alias",
                "k",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=ip:127.0.0.1",
                "-keystore",
                store.toString(),
                "-storepass",
                "changeit")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    return keys;
  }

  private static X509Certificate certificate(KeyStore keys) throws Exception {
    return (X509Certificate) keys.getCertificate("k");
  }

  private static PrivateKey key(KeyStore keys) throws Exception {
    return (PrivateKey) keys.getKey("k", PASSWORD);
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
    assertThatThrownBy(() -> Pem.privateKey("key", pem("ENCRYPTED PRIVATE KEY", new byte[] {1})))
        .hasMessageContaining("'ENCRYPTED PRIVATE KEY'");
    assertThatThrownBy(() -> Pem.privateKey("key", pem("PRIVATE KEY", new byte[] {1})))
        .hasMessageContaining("the key is not readable");
  }
}

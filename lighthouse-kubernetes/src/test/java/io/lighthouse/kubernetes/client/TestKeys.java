package io.lighthouse.kubernetes.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A certificate with its RSA key of 2,048 bits, for a server or a client of a test. */
record TestKeys(X509Certificate certificate, PrivateKey key) {
  private static final char[] PASSWORD = "changeit".toCharArray();

  /**
   * Makes a self-signed one, by keytool.
   *
   * @param names such as {@code ip:127.0.0.1} and {@code dns:api.example.test}
   */
  static TestKeys make(Path folder, String subject, String names) throws Exception {
    return make(folder, subject, names, List.of());
  }

  /** Makes one that is issued by another of the same folder. */
  static TestKeys makeIssued(Path folder, String subject, String issuer) throws Exception {
    return make(folder, subject, "dns:" + subject, List.of("-signer", issuer));
  }

  private static TestKeys make(Path folder, String subject, String names, List<String> more)
      throws Exception {
    Path store = folder.resolve("keys.p12");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-genkeypair"));
    command.addAll(List.of("-keyalg", "RSA", "-keysize", "2048", "-alias", subject));
    command.addAll(List.of("-dname", "CN=" + subject, "-ext", "san=" + names));
    command.addAll(List.of("-keystore", store.toString(), "-storepass", "changeit"));
    command.addAll(more);
    Process keytool =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    return new TestKeys(
        (X509Certificate) keys.getCertificate(subject),
        (PrivateKey) keys.getKey(subject, PASSWORD));
  }

  ClientCertificate pair() {
    return new ClientCertificate(List.of(certificate), key);
  }

  String certificatePem() throws Exception {
    return pem("CERTIFICATE", certificate.getEncoded());
  }

  String keyPem() {
    return pem("PRIVATE KEY", key.getEncoded());
  }

  static String pem(String kind, byte[] der) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(kind, Base64.getMimeEncoder().encodeToString(der), kind);
  }

  static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }
}

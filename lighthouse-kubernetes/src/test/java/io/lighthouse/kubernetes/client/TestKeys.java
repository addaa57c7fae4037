package io.lighthouse.kubernetes.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;

/** A self-signed certificate with its RSA key of 2,048 bits, for a server or a client of a test. */
record TestKeys(X509Certificate certificate, PrivateKey key) {
  private static final char[] PASSWORD = "changeit".toCharArray();

  /**
   * Makes one, by keytool.
   *
   * @param names such as {@code ip:127.0.0.1} and {@code dns:api.example.test}
   */
  static TestKeys make(Path folder, String subject, String names) throws Exception {
    Path store = folder.resolve(subject + ".p12");
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
                "CN=" + subject,
                "-ext",
                "san=" + names,
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
    return new TestKeys(
        (X509Certificate) keys.getCertificate("k"), (PrivateKey) keys.getKey("k", PASSWORD));
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

package io.lighthouse.kubernetes.client;

import io.lighthouse.api.error.InvalidInputException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** TLS as a client of an API server speaks it. */
final class TlsContexts {
  private static final char[] NO_PASSWORD = {};

  private TlsContexts() {}

  /**
   * A context that trusts these authorities alone, and shows this certificate.
   *
   * @param authorities who is trusted; where there are none, whom the JDK trusts
   * @param chain the client's certificate and its issuers; empty for none
   * @param key its key; null where there is no certificate
   */
  static SSLContext of(
      List<X509Certificate> authorities, List<X509Certificate> chain, PrivateKey key) {
    try {
      TrustManager[] trust = null;
      if (!authorities.isEmpty()) {
        KeyStore trusted = empty();
        for (int i = 0; i < authorities.size(); i++) {
          trusted.setCertificateEntry("authority-" + i, authorities.get(i));
        }
        TrustManagerFactory factory =
            TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        trust = factory.getTrustManagers();
      }
      KeyManager[] own = null;
      if (key != null) {
        KeyStore mine = empty();
        mine.setKeyEntry("client", key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
        KeyManagerFactory factory =
            KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(mine, NO_PASSWORD);
        own = factory.getKeyManagers();
      }
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(own, trust, null);
      return context;
    } catch (GeneralSecurityException | IOException broken) {
      throw new InvalidInputException(
          "TLS", "certificates", "not usable", "a matching pair and an authority (" + broken + ")");
    }
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    return store;
  }
}

package io.lighthouse.kubernetes.client;

import io.lighthouse.api.error.InvalidInputException;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * How the certificate of an API server is checked.
 *
 * @param authorities supplies the trusted authorities for a new connection; empty for those of the
 *     JDK
 * @param serverName the name that the certificate must have; empty for that of the address
 * @param unchecked whether any certificate is accepted
 */
public record ServerTrust(
    Supplier<List<X509Certificate>> authorities, Optional<String> serverName, boolean unchecked) {
  /** The JDK's authorities and the name of the address. */
  public static final ServerTrust STANDARD = new ServerTrust(List::of, Optional.empty(), false);

  private static final char[] NO_PASSWORD = {};

  /** A trust in some authorities, under the name of the address. */
  static ServerTrust of(Supplier<List<X509Certificate>> authorities) {
    return new ServerTrust(authorities, Optional.empty(), false);
  }

  /**
   * A context with this trust and the authorities of now, for one caller.
   *
   * @param own the caller's certificate; null for none
   * @throws InvalidInputException if a certificate cannot be used
   */
  public SSLContext context(ClientCertificate own) {
    return context(own, authorities.get());
  }

  SSLContext context(ClientCertificate own, List<X509Certificate> trusted) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys(own), trust(trusted), null);
      return context;
    } catch (GeneralSecurityException | IOException broken) {
      throw new InvalidInputException(
          "TLS", "certificates", "not usable", "a matching pair and an authority (" + broken + ")");
    }
  }

  private TrustManager[] trust(List<X509Certificate> authorities)
      throws GeneralSecurityException, IOException {
    if (unchecked) {
      return new TrustManager[] {new AnyCertificate()};
    }
    if (authorities.isEmpty()) {
      return null;
    }
    KeyStore trusted = emptyStore();
    for (int i = 0; i < authorities.size(); i++) {
      trusted.setCertificateEntry("authority-" + i, authorities.get(i));
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    return factory.getTrustManagers();
  }

  private static KeyManager[] keys(ClientCertificate own)
      throws GeneralSecurityException, IOException {
    if (own == null) {
      return null;
    }
    KeyStore mine = emptyStore();
    X509Certificate[] chain = own.chain().toArray(X509Certificate[]::new);
    mine.setKeyEntry("client", own.key(), NO_PASSWORD, chain);
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(mine, NO_PASSWORD);
    return factory.getKeyManagers();
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    return store;
  }

  /** Accepts every server, as {@code insecure-skip-tls-verify} demands. */
  private static final class AnyCertificate extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}

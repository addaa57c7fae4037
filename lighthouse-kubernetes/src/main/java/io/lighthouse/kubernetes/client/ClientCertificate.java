package io.lighthouse.kubernetes.client;

import io.lighthouse.api.error.InvalidInputException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A client certificate with its key. Immutable.
 *
 * @param chain the certificate, and after each one its issuer; it may end before the root
 * @param key its private key
 */
public record ClientCertificate(List<X509Certificate> chain, PrivateKey key) {
  private static final byte[] PROBE = {1, 2, 3};

  /**
   * Checks the order of the chain, and that the key belongs to the certificate. While files are
   * being replaced it may not.
   *
   * @throws InvalidInputException if the chain is not in order, or the key is another
   */
  public ClientCertificate {
    chain = List.copyOf(chain);
    if (!isOrdered(chain)) {
      throw new InvalidInputException(
          "client certificate",
          "the chain",
          "not in order",
          "the certificate, and after each one its issuer, none of them twice");
    }
    if (!isPair(chain.get(0), key)) {
      throw new InvalidInputException(
          "client certificate", "the key", "that of another certificate", "a matching pair");
    }
  }

  /** The conditions of a PKCS#12 key store, which the chain is put into. */
  private static boolean isOrdered(List<X509Certificate> chain) {
    for (int i = 1; i < chain.size(); i++) {
      if (!Objects.equals(
          chain.get(i - 1).getIssuerX500Principal(), chain.get(i).getSubjectX500Principal())) {
        return false;
      }
    }
    return Set.copyOf(chain).size() == chain.size();
  }

  private static boolean isPair(X509Certificate certificate, PrivateKey key) {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> key.getAlgorithm();
        };
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(PROBE);
      byte[] signed = signature.sign();
      signature.initVerify(certificate.getPublicKey());
      signature.update(PROBE);
      return signature.verify(signed);
    } catch (GeneralSecurityException otherKind) {
      return false;
    }
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "a certificate";
  }
}

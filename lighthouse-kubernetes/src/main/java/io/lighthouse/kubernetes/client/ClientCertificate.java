package io.lighthouse.kubernetes.client;

import io.lighthouse.api.error.InvalidInputException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A client certificate with its key. Immutable.
 *
 * @param chain the certificate and its issuers
 * @param key its private key
 */
public record ClientCertificate(List<X509Certificate> chain, PrivateKey key) {
  private static final byte[] PROBE = {1, 2, 3};

  /**
   * Checks that the key belongs to the certificate. While files are being replaced it may not.
   *
   * @throws InvalidInputException if it does not
   */
  public ClientCertificate {
    chain = List.copyOf(chain);
    if (!isPair(chain.get(0), key)) {
      throw new InvalidInputException(
          "client certificate", "the key", "that of another certificate", "a matching pair");
    }
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

package io.lighthouse.kubernetes.client;

import io.lighthouse.api.error.InvalidInputException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Certificates and private keys in PEM (RFC 7468). Keys are PKCS#8 (RFC 5958), PKCS#1 (RFC 8017) or
 * SEC 1 (RFC 5915); the JDK reads the first only, so the others are wrapped into it.
 */
final class Pem {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");

  /** SEQUENCE { OID rsaEncryption, NULL }. */
  private static final byte[] RSA =
      bytes(0x30, 0x0d, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1, 5, 0);

  /** OID id-ecPublicKey. */
  private static final byte[] EC = bytes(6, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1);

  private Pem() {}

  /** The certificates of a text, in its order; at least one. */
  static List<X509Certificate> certificates(String where, String text) {
    List<X509Certificate> found = new ArrayList<>();
    Matcher block = BLOCK.matcher(text);
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      while (block.find()) {
        if (block.group(1).equals("CERTIFICATE")) {
          found.add(
              (X509Certificate)
                  factory.generateCertificate(new ByteArrayInputStream(decoded(where, block))));
        }
      }
    } catch (CertificateException broken) {
      throw new InvalidInputException(
          where, "the certificate", "not readable", "X.509 in PEM (" + broken.getMessage() + ")");
    }
    if (found.isEmpty()) {
      throw new InvalidInputException(
          where, "the certificate", "missing", "-----BEGIN CERTIFICATE----- and what follows");
    }
    return found;
  }

  /** The first private key of a text. */
  static PrivateKey privateKey(String where, String text) {
    Matcher block = BLOCK.matcher(text);
    String other = "missing";
    while (block.find()) {
      String kind = block.group(1);
      byte[] der;
      switch (kind) {
        case "PRIVATE KEY" -> der = decoded(where, block);
        case "RSA PRIVATE KEY" -> der = wrapped(RSA, decoded(where, block));
        case "EC PRIVATE KEY" -> der = ofSec1(where, decoded(where, block));
        default -> {
          other = "'" + kind + "'";
          continue;
        }
      }
      return key(where, der);
    }
    throw new InvalidInputException(
        where, "the key", other, "PRIVATE KEY, RSA PRIVATE KEY or EC PRIVATE KEY, not encrypted");
  }

  private static PrivateKey key(String where, byte[] pkcs8) {
    GeneralSecurityException last = null;
    for (String algorithm : new String[] {"RSA", "EC", "EdDSA"}) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
      } catch (GeneralSecurityException notThisOne) {
        last = notThisOne;
      }
    }
    throw new InvalidInputException(
        where, "the key", "not readable", "an RSA, EC or EdDSA key (" + last.getMessage() + ")");
  }

  /** A SEC 1 key names its curve in the element [0], which PKCS#8 wants beside the algorithm. */
  private static byte[] ofSec1(String where, byte[] sec1) {
    for (int i = 0; i + 4 < sec1.length; i++) {
      boolean tagged = sec1[i] == (byte) 0xa0 && sec1[i + 2] == 6;
      if (tagged && sec1[i + 1] == sec1[i + 3] + 2 && i + 4 + sec1[i + 3] <= sec1.length) {
        byte[] curve = Arrays.copyOfRange(sec1, i + 2, i + 4 + sec1[i + 3]);
        return wrapped(element(0x30, joined(EC, curve)), sec1);
      }
    }
    throw new InvalidInputException(
        where, "the key", "without a curve", "an EC key on a named curve");
  }

  /** PKCS#8: SEQUENCE { INTEGER 0, algorithm, OCTET STRING key }. */
  private static byte[] wrapped(byte[] algorithm, byte[] key) {
    return element(0x30, joined(bytes(2, 1, 0), joined(algorithm, element(4, key))));
  }

  private static byte[] element(int tag, byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    int length = content.length;
    if (length < 128) {
      out.write(length);
    } else if (length < 256) {
      out.writeBytes(bytes(0x81, length));
    } else {
      out.writeBytes(bytes(0x82, length >> 8, length));
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  private static byte[] decoded(String where, Matcher block) {
    try {
      return Base64.getMimeDecoder().decode(block.group(2).getBytes(StandardCharsets.US_ASCII));
    } catch (IllegalArgumentException broken) {
      throw new InvalidInputException(where, block.group(1), "no Base64", "PEM");
    }
  }
}

package io.lighthouse.fleets.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 (FIPS 180-4) over values, each with its length before it. Not thread-safe. */
final class Digest {
  private static final int ABSENT = -1;

  private final MessageDigest sha;

  Digest() {
    try {
      sha = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible); // Every JDK has it.
    }
  }

  Digest add(long value) {
    sha.update(ByteBuffer.allocate(Long.BYTES).putLong(0, value));
    return this;
  }

  /** Adds bytes; null is allowed, and differs from an empty array. */
  Digest add(byte[] value) {
    if (value == null) {
      return add(ABSENT);
    }
    add((long) value.length);
    sha.update(value);
    return this;
  }

  /** Adds a text; null is allowed, and differs from an empty text. */
  Digest add(String value) {
    return add(value == null ? null : value.getBytes(StandardCharsets.UTF_8));
  }

  byte[] toBytes() {
    return sha.digest();
  }
}

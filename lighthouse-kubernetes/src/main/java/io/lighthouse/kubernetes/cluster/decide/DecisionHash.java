package io.lighthouse.kubernetes.cluster.decide;

import io.lighthouse.api.Workload;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The SHA-256 (FIPS 180-4) of a placement, in four lines: the strategy, the pod as a workload, the
 * node, and what the pods on the node held before. Not thread-safe.
 */
final class DecisionHash {
  private final MessageDigest digest;

  DecisionHash() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  String of(String strategy, Workload pod, String node, String held) {
    String lines = strategy + "\n" + pod + "\n" + node + "\n" + held + "\n";
    return HexFormat.of().formatHex(digest.digest(lines.getBytes(StandardCharsets.UTF_8)));
  }
}

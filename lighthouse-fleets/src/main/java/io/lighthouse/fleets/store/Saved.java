package io.lighthouse.fleets.store;

import java.util.Arrays;

/**
 * A whole fleet as it was after an entry of its log. Immutable while callers leave the arrays
 * alone.
 *
 * @param fleet the number of the fleet
 * @param generation that of the entry
 * @param entryHash the hash of the entry
 * @param body the fleet, as a problem in JSON, gzip
 * @param digest the hash of all that
 */
public record Saved(long fleet, long generation, byte[] entryHash, byte[] body, byte[] digest) {
  /**
   * A snapshot with its digest.
   *
   * @param fleet the number of the fleet
   * @param generation that of the entry
   * @param entryHash the hash of the entry
   * @param body the fleet, as a problem in JSON, gzip
   * @return the snapshot
   */
  public static Saved of(long fleet, long generation, byte[] entryHash, byte[] body) {
    return new Saved(
        fleet, generation, entryHash, body, digest(fleet, generation, entryHash, body));
  }

  /**
   * Whether its digest is correct.
   *
   * @return true if nothing of it was altered
   */
  public boolean isSound() {
    return Arrays.equals(digest, digest(fleet, generation, entryHash, body));
  }

  private static byte[] digest(long fleet, long generation, byte[] entryHash, byte[] body) {
    return new Digest().add(fleet).add(generation).add(entryHash).add(body).toBytes();
  }
}
